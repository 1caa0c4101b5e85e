"""The glossary as data, and the text that people read, in which retired words are looked for."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGE = Path("vignettes/glossary.md")
# the page itself, and what tells of the past: the words of their time
HISTORY = {PAGE, Path("CHANGELOG.md"), Path("r_bridge/hetsel/NEWS.md")}


class Term(NamedTuple):
    """One line of the glossary."""

    term: str
    meaning: str
    source: str
    retired: tuple[str, ...]


def terms(root: Path) -> list[Term]:
    """The lines of the glossary's tables, in order."""
    found = []
    for line in (root / PAGE).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if (
            line.startswith("|")
            and len(cells) == 4
            and not cells[0].startswith((":", "term", "write"))
        ):
            words = [word.strip() for word in cells[3].split(",")]
            found.append(Term(cells[0], cells[1], cells[2], tuple(filter(None, words))))
    return found


def _strings(text: str) -> Iterator[str]:
    """Strings and docstrings of a Python file; a part that is computed is a space."""
    inner: set[int] = set()  # of strings with values; the walk goes from outside in
    for node in ast.walk(ast.parse(text)):
        if id(node) in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            inner |= {id(part) for part in ast.walk(node)}
            parts = [p.value if isinstance(p, ast.Constant) else " " for p in node.values]
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def texts(root: Path) -> Iterator[tuple[Path, str]]:
    """What people read: file and text in one line, of the package, its R package and documents."""
    folders = ("hetsel", "r_bridge", "vignettes")
    files = [root / "README.md", *(p for folder in folders for p in (root / folder).rglob("*"))]
    for path in sorted(files):
        name = path.relative_to(root)
        if name in HISTORY or {"decisions", "tests", "man", "generated"} & set(name.parts):
            continue
        if path.suffix in (".py", ".R", ".md", ".Rmd", ".toml", ".txt", ".html"):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".py":
                text = "\n".join(_strings(text))
            yield name, " ".join(re.sub(r"^\s*#'", "", text, flags=re.M).split())


def places(root: Path, glossary: list[Term]) -> dict[str, list[str]]:
    """The files in which each retired word stands, a file as often as the word."""
    words = [word for term in glossary for word in term.retired]
    shapes = {word: re.compile(rf"\b{re.escape(word)}\b", re.I) for word in words}
    found: dict[str, list[str]] = {word: [] for word in words}
    for name, text in texts(root):
        for word, shape in shapes.items():
            found[word] += [name.as_posix()] * len(shape.findall(text))
    return found
