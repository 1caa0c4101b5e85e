"""Write what derives from hetsel.questions: R's options and manual texts, docstrings.

python .ci/derive_options.py          writes the files
python .ci/derive_options.py --check  says which of them are not what the records say
"""

import re
import sys
import textwrap
from pathlib import Path
from types import NoneType

from hetsel.questions import plan_rows
from hetsel.questions.option import Asked, asked_by, in_docstring, in_r

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "r_bridge/hetsel"
QUESTIONS = {"plan_rows": plan_rows.PlanRows}
DOCSTRINGS = {"plan_rows": "hetsel/signature/planning/row_plan.py"}
NAMES = {int: "int", float: "float", str: "str", bool: "bool"}


def r_value(value: object) -> str:
    """A default as R writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    return f'"{value}"' if isinstance(value, str) else repr(value)


def r_options() -> str:
    """The options of each question with their defaults, as lists of R."""
    lists = []
    for question, record in QUESTIONS.items():
        each = [f"    {one.name} = {r_value(one.default)}" for one in asked_by(record)]
        lists.append(f"  {question} = alist(\n" + ",\n".join(each) + "\n  )")
    head = "# Made from hetsel/questions by `make options`: do not edit.\n\nquestions <- list(\n"
    return head + ",\n".join(lists) + "\n)\n"


def r_texts(question: str) -> str:
    """The texts of a manual page, as a template of roxygen2."""
    lines = []
    for option in asked_by(QUESTIONS[question]):
        text = f"@param {option.name} {in_r(option.option.text)}."
        wrapped = textwrap.wrap(text, 97, subsequent_indent="  ", break_on_hyphens=False)
        lines += [f"#' {line}" for line in wrapped]
    return "\n".join([*lines, ""])


def type_of(option: Asked) -> str:
    """The type of an option as a docstring has it."""
    if option.words:
        return "{" + ", ".join(f'"{word}"' for word in option.words) + "}"
    names = [NAMES.get(kind, "sequence of float") for kind in option.kinds if kind is not NoneType]
    return " or ".join(names) + (", optional" if NoneType in option.kinds else "")


def documented(question: str) -> str:
    """The source of the function with the entries of these options in its docstring."""
    source = (ROOT / DOCSTRINGS[question]).read_text(encoding="utf-8")
    for option in asked_by(QUESTIONS[question]):
        default = "" if option.default is None else f" Default {option.default!r}".replace("'", '"')
        text = in_docstring(option.option.text) + default + "." * bool(default)
        entry = "\n".join(textwrap.wrap(text, 92, break_on_hyphens=False))
        entry = f"    {option.name} : {type_of(option)}\n" + textwrap.indent(entry, " " * 8) + "\n"
        pattern = rf"^    {option.name} : .*\n(?:(?:        .*)?\n)*?(?=    \S|\n    Returns)"
        source, found = re.subn(pattern, lambda _, entry=entry: entry, source, count=1, flags=re.M)
        if not found:
            raise SystemExit(f"{DOCSTRINGS[question]} has no entry of {option.name}")
    return source


def derived() -> dict[Path, str]:
    """Each file with its content."""
    files = {PACKAGE / "R/asked.R": r_options()}
    for question in QUESTIONS:
        files[PACKAGE / f"man-roxygen/{question}.R"] = r_texts(question)
        files[ROOT / DOCSTRINGS[question]] = documented(question)
    return files


def main() -> int:
    """Write the files, or say which are stale."""
    stale = {path: text for path, text in derived().items() if not holds(path, text)}
    for path, text in stale.items():
        print(path.relative_to(ROOT))
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int(bool(stale) and "--check" in sys.argv)


def holds(path: Path, text: str) -> bool:
    """Whether a file has this content."""
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
