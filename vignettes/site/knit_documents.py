"""Knit vignettes/*.Rmd with their figures, and add vignettes/*.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from kept_steps import HERE, ROOT, digest, kept_side_by_side, run

VIGNETTES = HERE.parent
RECIPE = HERE / "knit_document.R"
# first what is read first; others follow by name
ORDER = (
    *("start-in-r", "start-in-python", "clinical-and-genomic-signature"),
    *("comparing-selection-methods", "which-method-when", "what-it-claims", "notation"),
)
LONGEST = "which-method-when"
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)/:]+)\)")  # a file beside the document


def documents() -> list[Path]:
    """List the documents in the order of the site; a knitted one replaces one of the same name."""
    knitted = {path.stem: path for path in VIGNETTES.glob("*.Rmd")}
    plain = {path.stem.replace("_", "-"): path for path in VIGNETTES.glob("*.md")}
    del plain["glossary"]  # a page of its own
    every = {**plain, **knitted}
    place = {name: number for number, name in enumerate(ORDER)}
    return [every[name] for name in sorted(every, key=lambda n: (place.get(n, len(place)), n))]


def toctree() -> str:
    """Make the table of contents of the documents."""
    names = "\n".join(f"/documents/{path.stem}" for path in documents())
    return f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n"


def knit(code: str) -> Iterator[tuple[str, Path | str]]:
    """Yield each document and its figures: name below the sources of the site, file or text."""
    # a document may read results and programs that stand beside it
    beside = [
        path
        for path in VIGNETTES.glob("*")
        if path.is_file() and path.suffix not in (".Rmd", ".md")
    ]
    beside += (ROOT / "tests/arena/campaigns").glob("*.py")

    def step(path: Path) -> tuple[str, str, Callable[[Path], None]]:
        def make(folder: Path) -> None:
            run(["Rscript", RECIPE, path], folder)

        return f"documents/{path.stem}", f"{code} {digest([path, RECIPE, *beside])}", make

    knitted = [path for path in documents() if path.suffix == ".Rmd"]
    knitted.sort(key=lambda path: path.stem != LONGEST)  # the others are made beside it
    for path in (path for path in documents() if path.suffix == ".md"):
        yield f"documents/{path.name}", page(path.read_text(encoding="utf-8"))
        yield from pictures(path)
    for path, folder in zip(knitted, kept_side_by_side(map(step, knitted)), strict=True):
        text = (folder / f"{path.stem}.md").read_text(encoding="utf-8")
        yield f"documents/{path.stem}.md", page(text.replace(f"{folder}/", ""))
        for figure in sorted((folder / f"{path.stem}_figures").glob("*")):
            yield f"documents/{figure.relative_to(folder)}", figure


def pictures(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the pictures beside a document: name below the sources of the site, file."""
    for name in PICTURE.findall(path.read_text(encoding="utf-8")):
        yield f"documents/{name}", path.with_name(name)


def page(text: str) -> str:
    """Make a page of a knitted document: title as heading, links to pages of the site.

    Examples
    --------
    >>> print(page('---\\ntitle: "Start"\\n---\\n\\nSee [this](scale.html).'))
    # Start
    <BLANKLINE>
    See [this](scale.md).
    """
    head = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    if head:
        title = re.search(r"^title: *(.+)$", head[1], re.MULTILINE)
        text = text[head.end() :].lstrip()
        if title:
            name = title[1].strip()
            text = f"# {json.loads(name) if name.startswith(chr(34)) else name}\n\n{text}"
    return re.sub(r"\]\(([\w-]+)\.(?:html|Rmd)(#[\w-]*)?\)", r"](\1.md\2)", text)
