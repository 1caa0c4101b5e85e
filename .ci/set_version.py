"""Writes a version into every file that repeats that of hetsel/__init__.py.

python .ci/set_version.py 0.2.0

The headings of CHANGELOG.md and NEWS.md change where the version at hand is not yet released; where
it is, each of the two gets a section above.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSION = r"\d+\.\d+\.\d+"
# what stands before the version, in the line that states it
PLACES = {
    "hetsel/__init__.py": '__version__ = "',
    "r_bridge/hetsel/DESCRIPTION": "Version: ",
    ".github/CITATION.cff": "version: ",
    ".github/codemeta.json": '  "version": "',
    ".ci/conda/recipe.yaml": '  version: "',
    "r_bridge/hetsel/NEWS.md": "# hetsel ",
    "CHANGELOG.md": "## ",
}
UNRELEASED = " (not yet released)"


def stated(name: str) -> re.Match[str]:
    """The line of a file that states the version, which is group 2."""
    text = (ROOT / name).read_text(encoding="utf-8")
    line = re.search(f"^({re.escape(PLACES[name])})({VERSION})(.*)$", text, re.MULTILINE)
    if line is None:
        raise ValueError(f"{name} states no version")
    return line


def main() -> None:
    """Sets the version of argument 1."""
    version = sys.argv[1] if len(sys.argv) == 2 else ""
    if not re.fullmatch(VERSION, version):
        sys.exit(f"a version has three numbers, as 0.2.0. Got {version!r}")
    released = stated("CHANGELOG.md")[3] != UNRELEASED
    for name in PLACES:
        line = stated(name)
        new = f"{line[1]}{version}{line[3]}"
        if released and name.endswith(".md"):
            mark = UNRELEASED if name == "CHANGELOG.md" else ""
            new = f"{line[1]}{version}{mark}\n\n{line[0]}"
        text = line.string[: line.start()] + new + line.string[line.end() :]
        (ROOT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
