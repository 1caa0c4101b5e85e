"""Run the examples of the pages as shown, and keep their output and figures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from kept_steps import BUILD, HERE, digest, kept_side_by_side, run, write
from plain_pages import page_examples

EXAMPLES = HERE / "examples"
OF_PAGES = BUILD / "site-examples"
DRIVER = HERE / "run_example.R"
PROGRAMS: dict[str, list[str | Path]] = {
    ".py": [sys.executable],
    ".R": ["Rscript", DRIVER],
    ".sh": ["bash", "-eu"],
}
LONGEST = 86  # characters of a printed line, as wide as the page


def executed(code: str) -> Iterator[tuple[str, Path]]:
    """Yield each example, its output and figures: name below the sources of the site, file.

    Parameters
    ----------
    code : str
        Digest of the code that the examples call.
    """
    of_pages = [write(OF_PAGES / name, program) for name, program in page_examples()]
    # the gallery takes longest, so it starts first
    files = [*sorted(file for file in EXAMPLES.iterdir() if file.suffix in PROGRAMS), *of_pages]

    def step(file: Path) -> tuple[str, str, Callable[[Path], None]]:
        def make(folder: Path) -> None:
            printed = run([*PROGRAMS[file.suffix], file], folder)
            shown = wrapped(printed.replace(f"{folder}/", ""))
            (folder / "printed.txt").write_text(shown, encoding="utf-8")

        key = f"{code} {digest([file, DRIVER, Path(__file__)])}"
        return f"examples/{file.name}", key, make

    for file, folder in zip(files, kept_side_by_side(map(step, files)), strict=True):
        yield f"examples/{file.name}", file
        yield f"examples/{file.name}.txt", folder / "printed.txt"
        for figure in sorted(folder.rglob("*.png")):
            yield f"examples/{file.name}.figures/{figure.relative_to(folder)}", figure


def wrapped(printed: str) -> str:
    """Break printed lines that are wider than the page at words.

    Examples
    --------
    >>> print(wrapped("word " * 20).splitlines()[1])
      word word word
    """
    lines = []
    for line in printed.splitlines():
        while len(line) > LONGEST and (at := line.rfind(" ", 20, LONGEST + 1)) > 0:
            lines.append(line[:at].rstrip())
            line = "  " + line[at:].strip()
        lines.append(line)
    return "\n".join(lines).rstrip() + "\n"
