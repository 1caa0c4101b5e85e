"""Measure how readable hetsel's text is: words per sentence, Flesch reading ease, first words.

python tests/arena/campaigns/prose.py [--root CLONE] [--pages FILE.md ...] [--anchor NAME=FILE ...]
python tests/arena/campaigns/prose.py --glossary [--root CLONE]

Reads README, pages (Markdown files that `--report` wrote), the vignettes with the site, strings of
the code and public docstrings. Needs textstat 0.7.4 and pydocstyle, whose list of verbs decides
what is imperative. An anchor is a text of another project, or package=NAME, whose public
docstrings are read. With --glossary it counts the retired words of the glossary instead.
"""

import argparse
import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import textstat
from pydocstyle.wordlists import IMPERATIVE_VERBS

HERE = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(HERE / "tests"))
import glossary  # noqa: E402

VERBS = {verb for forms in IMPERATIVE_VERBS.values() for verb in forms} | {
    "rank", "select", "draw", "plot", "predict", "validate", "fit", "test", "compare", "measure",
    "choose", "estimate", "score", "list", "load", "name", "search", "judge", "find", "plan",
    "summarize", "describe", "solve", "split", "sample", "permute", "encode", "eliminate", "infer",
    "count", "adjust", "bound", "train", "classify", "impute", "resample", "order", "sort", "map",
    "average", "combine", "prove", "keep", "mark", "group", "report", "export", "weight",
}  # fmt: skip
FEWEST = 4  # words of a sentence


def plain(markdown: str) -> str:
    """The prose of a Markdown text: without code, tables, front matter, headings and addresses."""
    text = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.S)
    text = re.sub(r"^(```|~~~).*?^\1[^\n]*$", "", text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^\s*(\||#|:::|:[a-z-]+:|@).*$", "", text, flags=re.M)
    text = re.sub(r"^\s*([-*]|\d+\.)\s+", "\n", text, flags=re.M)
    return re.sub(r"[*`>]", "", text)


def sentences(text: str) -> list[str]:
    """Sentences of a text, a paragraph ends one, too."""
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        line = " ".join(paragraph.split())
        line = re.sub(r"\b(e\.g|i\.e|et al|vs|cf|no|Fig|eq|al)\.", r"\1", line)
        found += re.split(r"(?<=[.!?:;])\s+(?=[A-Z\"'“0-9(])", line)
    return [one for one in found if len(re.findall(r"[A-Za-z]{2,}", one)) >= FEWEST]


def measured(text: str) -> tuple[int, float, float, float]:
    """Sentences, words a sentence, share of those above 25 words, Flesch reading ease."""
    each = sentences(text)
    lengths = [len(one.split()) for one in each]
    ease = textstat.flesch_reading_ease(" ".join(f"{one.rstrip('.:;')}." for one in each))
    long = sum(n > 25 for n in lengths) / max(1, len(lengths))
    return len(each), sum(lengths) / max(1, len(lengths)), long, ease


def public_docstrings(package: str) -> Iterator[tuple[str, str]]:
    """Names and docstrings of the public functions and classes of a package, each once."""
    top = importlib.import_module(package)
    seen = set()
    modules = [top]
    for info in pkgutil.iter_modules(top.__path__):
        if not info.name.startswith("_") and info.name not in ("tests", "conftest"):
            try:
                modules.append(importlib.import_module(f"{package}.{info.name}"))
            except Exception as error:  # an optional dependency of another project
                print(f"{package}.{info.name} left out: {error}")
    for module in modules:
        names = getattr(module, "__all__", [n for n in dir(module) if not n.startswith("_")])
        for name in (n if isinstance(n, str) else n.__name__ for n in names):
            try:
                value = getattr(module, name, None)
            except ImportError:  # what another project keeps behind a switch
                continue
            if not (inspect.isclass(value) or inspect.isfunction(value)) or id(value) in seen:
                continue
            if not value.__module__.startswith(package):
                continue
            seen.add(id(value))
            if value.__doc__:
                yield f"{module.__name__}.{name}", inspect.cleandoc(value.__doc__)


def prose_of_docstring(text: str) -> str:
    """Its summary and description, without sections."""
    return re.split(r"\n[A-Z][A-Za-z ]+\n-{3,}", text)[0].replace("``", "")


def strings(root: Path) -> Iterator[str]:
    """Strings of the code of five words or more that are no docstrings, values as `x`."""
    for path in sorted((root / "hetsel").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inner = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for part in ast.walk(node)
            if part is not node
        }
        for node in ast.walk(tree):
            owner = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            if owner and ast.get_docstring(node, clean=False) is not None:
                inner.add(id(node.body[0].value))  # type: ignore[union-attr]
        for node in ast.walk(tree):
            if id(node) in inner:
                continue
            if isinstance(node, ast.JoinedStr):
                text = "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "x"
                    for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            if len(text.split()) > FEWEST:
                yield text


def line(name: str, text: str) -> str:
    count, words, long, ease = measured(text)
    return f"{name:<34}{count:>9,}{words:>9.1f}{100 * long:>10.0f}%{ease:>9.1f}"


def docstring_line(name: str, docstrings: list[tuple[str, str]]) -> str:
    first = [[word.strip("`*:,.").lower() for word in text.split()[:2]] for _, text in docstrings]
    begun = sum(word[0] in VERBS and word[-1] != "of" for word in first) / max(1, len(first))
    examples = sum("\nExamples\n" in text for _, text in docstrings) / max(1, len(docstrings))
    also = sum("\nSee Also\n" in text for _, text in docstrings) / max(1, len(docstrings))
    text = "\n\n".join(prose_of_docstring(text) for _, text in docstrings)
    return (
        f"{line(name, text)}   {len(docstrings)} docstrings: {100 * begun:.0f}% imperative, "
        f"{100 * examples:.0f}% with examples, {100 * also:.0f}% with See Also"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=HERE)
    parser.add_argument("--pages", type=Path, nargs="*", default=[])
    parser.add_argument("--anchor", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--glossary", action="store_true")
    asked = parser.parse_args()
    root = asked.root
    if asked.glossary:
        terms = glossary.terms(HERE)
        found = {word: len(names) for word, names in glossary.places(root, terms).items()}
        for term in terms:
            for word in term.retired:
                print(f"{term.term:<40}{word:<46}{found[word]:>5}")
        print(f"{sum(found.values())} in all")
        return
    print(f"{'text':<34}{'sentences':>9}{'words':>9}{'above 25':>11}{'Flesch':>9}")
    print(line("README.md", plain((root / "README.md").read_text(encoding="utf-8"))))
    for page in asked.pages:
        print(line(page.name, plain(page.read_text(encoding="utf-8"))))
    documents = root / "vignettes"
    groups = {
        "site": [p for p in (documents / "site").glob("*.md") if p.name != "options.md"],
        "options.md": [documents / "site" / "options.md"],
        "vignettes that run": list(documents.glob("*.Rmd")),
        "reports of studies": list(documents.glob("*.md")),
    }
    for name, paths in groups.items():
        texts = [plain(path.read_text(encoding="utf-8")) for path in sorted(paths)]
        print(line(name, "\n\n".join(texts)))
    print(line("strings of the code", "\n\n".join(strings(root))))
    print(docstring_line("public docstrings", list(public_docstrings("hetsel"))))
    for anchor in asked.anchor:
        name, _, file = anchor.partition("=")
        if name == "package":
            print(docstring_line(f"{file}, docstrings", list(public_docstrings(file))))
        else:
            print(line(name, plain(Path(file).read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
