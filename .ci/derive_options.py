"""Write what derives from hetsel.questions: options and manual texts of R, docstrings, a page.

python .ci/derive_options.py          writes the files
python .ci/derive_options.py --check  lists the files that differ from the records
"""

import ast
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import get_origin

from options_page import options_page
from r_study_page import merge_page, study_page

from hetsel.questions.option import (
    AskedOption,
    Params,
    Question,
    Reals,
    Shares,
    Words,
    asked_in,
    in_docstring,
    in_r,
    python_name,
)
from hetsel.questions.plan_rows import PlannedSignature, PlanRows, PlanRowsOfTable
from hetsel.questions.predict import Predict
from hetsel.questions.rank import Rank
from hetsel.questions.search import Search
from hetsel.questions.select import Select
from hetsel.questions.study import MergeStores, RunStudy
from hetsel.questions.validate import Validate

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "r_bridge/hetsel"
IN_R: dict[str, type[Question]] = {  # functions of R, by what comes after hetsel_
    "rank": Rank,
    "search": Search,
    "select": Select,
    "validate": Validate,
    "plan_rows": PlanRows,
    "planned_signature": PlannedSignature,
    "study": RunStudy,
    "merge": MergeStores,
}
CHECKED = ("rank", "search", "select", "validate", "planned_signature")  # by R itself
BY_NAME = ("method", "size", "seed", "unsupported", "budget")  # each in a way of its own
FURTHER = ("rank", "search", "select")  # they have `...`
FIRST = ("method", "search", "criterion", "size", "plan", "stores", "into")  # in calls of R
DOCSTRINGS: dict[str, tuple[type[Question], tuple[str, ...]]] = {
    "hetsel/selection/base.py": (Rank, ("BaseSelector", "fit")),
    "hetsel/search/subsets/subset_selector.py": (Search, ("SubsetSearch",)),
    "hetsel/signature/estimator.py": (Select, ("Signature", "fit")),
    "hetsel/signature/validation/validated.py": (Validate, ("validate_signature",)),
    "hetsel/signature/saved_signature.py": (Predict, ("rows_of", "load_signature")),
    "hetsel/signature/planning/row_plan.py": (PlanRowsOfTable, ("plan_rows",)),
    "hetsel/study/run.py": (RunStudy, ("run",)),
    "hetsel/study/merged_stores.py": (MergeStores, ("merge_stores",)),
}
NAMES = {int: "int", float: "float", str: "str", bool: "bool"}
SEE = re.compile(r"[Ss]ee :\w+:`[^`]+`")  # what a docstring adds to a text: where there is more


def in_r_call(question: str) -> list[AskedOption]:
    """The options of a question that R has, in the order of its arguments."""
    asked = asked_in(IN_R[question], "R")
    return sorted(asked, key=lambda one: FIRST.index(one.name) if one.name in FIRST else 9)


def r_value(asked: AskedOption) -> str:
    """A default as R writes it; nothing where a value is needed."""
    value = asked.default
    if value is ... or asked.option.in_r:
        return asked.option.in_r
    if value is None:
        return "list()" if Params in asked.kinds else "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    return f'"{value}"' if isinstance(value, str) else repr(value)


def r_type(asked: AskedOption) -> str:
    """What R checks a value by: numbers, words, TRUE or FALSE; nothing for all else."""
    kinds = {kind for kind in asked.kinds if kind is not NoneType}
    if bool in kinds or asked.option.in_r == "interactive()":
        return "flag"
    if Reals in kinds or any(get_origin(kind) is tuple for kind in kinds):
        return "numbers"
    said = asked.option.documented
    word = str in kinds or any(f'"{word}"' in said or not said for word in asked.words)
    number = bool(kinds & {int, float})
    known = [name for name, found in (("number", number), ("word", word)) if found]
    return "words" if Words in kinds else "" if Shares in kinds else " or ".join(known)


def r_options() -> str:
    """The options of each question: their defaults, as lists of R, and their types."""
    head = "# Made from hetsel/questions by `make options`: do not edit.\n\n"
    lists = []
    for question in IN_R:
        each = [f"{one.name} = {r_value(one)}".rstrip() for one in in_r_call(question)]
        if question in FURTHER:  # others are given by their whole names
            each.insert(sum(one.name in FIRST for one in in_r_call(question)), "... =")
        lists.append(_in_lines("  ", f"{question} = alist", each))
    types: dict[str, str] = {}
    for question in CHECKED:
        for one in in_r_call(question):
            kind = "" if one.name in BY_NAME else r_type(one)
            if types.setdefault(one.name, kind) != kind:
                raise SystemExit(f"{one.name} of {question} is of another type elsewhere")
    of_type = _in_lines("", "types <- c", [f'{k} = "{v}"' for k, v in types.items() if v])
    defaults = ",\n".join(lists)
    return f"{head}questions <- list(\n{defaults}\n)\n\n{of_type}\n"


def _in_lines(indent: str, head: str, each: list[str]) -> str:
    """A call of R, in lines."""
    one = f"{indent}{head}({', '.join(each)})"
    if len(one) < 100:  # and a comma
        return one
    text, deep = ", ".join(entry.replace(" ", "\0") for entry in each), f"{indent}  "
    wrapped = textwrap.wrap(
        text, 100, initial_indent=deep, subsequent_indent=deep, break_on_hyphens=False
    )
    return "\n".join([f"{indent}{head}(", *wrapped, f"{indent})"]).replace("\0", " ")


def r_texts(question: str) -> str:
    """The texts of a manual page, as a template of roxygen2."""
    lines = []
    for asked in in_r_call(question):
        text = f"@param {asked.name} {in_r(asked.option.r or asked.option.text)}"
        wrapped = textwrap.wrap(text, 97, subsequent_indent="  ", break_on_hyphens=False)
        lines += [f"#' {line}" for line in wrapped]
    return "\n".join([*lines, ""])


def type_of(asked: AskedOption) -> str:
    """The type of an option as a docstring has it."""
    kinds = [kind for kind in asked.kinds if kind is not NoneType]
    said = asked.option.documented
    if asked.words and not said:
        said = "{" + ", ".join(f'"{word}"' for word in asked.words) + "}"
        kinds = [kind for kind in kinds if kind in NAMES]
        said = " or ".join([said, *(NAMES[kind] for kind in kinds)])
    said = said or " or ".join(
        getattr(kind, "documented", NAMES.get(kind, "sequence of float")) for kind in kinds
    )
    return said + (", optional" if asked.default is None and "None" not in said else "")


def entry_of(asked: AskedOption, before: str, indent: str) -> list[str]:
    """The lines of an option in a docstring; what the entry before it refers to stays."""
    text = in_docstring(asked.option.text)
    if asked.default not in (None, ...):
        text += f" Default: {asked.default!r}.".replace("'", '"')
    for more in SEE.findall(" ".join(before.split())):
        text += f" S{more[1:]}."
    head = f"{indent}{python_name(asked.name)} : {type_of(asked)}"
    deep = indent + "    "
    return [
        *textwrap.wrap(head, 100, subsequent_indent=deep, break_on_hyphens=False),
        *textwrap.wrap(
            text, 100, initial_indent=deep, subsequent_indent=deep, break_on_hyphens=False
        ),
    ]


def documented(path: str) -> str:
    """The source of a file with the entries of a question's options in its docstrings."""
    source = (ROOT / path).read_text(encoding="utf-8")
    record, owners = DOCSTRINGS[path]
    for owner in owners:
        lines = source.split("\n")
        node = next(
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == owner
        )
        first, last = parameters_of(lines, node)
        asked = {python_name(one.name): one for one in asked_in(record, "Python")}
        lines[first:last] = renewed(lines[first:last], asked, taken_by(node), f"{path}: {owner}")
        source = "\n".join(lines)
    return source


def parameters_of(lines: list[str], node: ast.ClassDef | ast.FunctionDef) -> tuple[int, int]:
    """The lines of the section Parameters of the docstring of a class or a function."""
    begin, end = node.body[0].lineno - 1, node.body[0].end_lineno or 0
    first = next(i for i in range(begin, end) if lines[i].strip() == "Parameters") + 2
    heads = (i for i in range(first, end) if set(lines[i].strip()) == {"-"})
    last = next(heads, end + 1) - 2  # a line of dashes is below a name and an empty line
    return first, last if lines[last].strip() == "" else last + 1


def entries(lines: list[str]) -> Iterator[list[str]]:
    """The entries of a section, each with its lines."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    begins = [i for i, line in enumerate(lines) if line[indent : indent + 1].strip()]
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield lines[begin:end]


def taken_by(node: ast.ClassDef | ast.FunctionDef) -> list[str]:
    """What a function takes, or the class of an estimator."""
    if isinstance(node, ast.FunctionDef):
        return [one.arg for one in (*node.args.args, *node.args.kwonlyargs)]
    fields = (one.target for one in node.body if isinstance(one, ast.AnnAssign))
    return [one.id for one in fields if isinstance(one, ast.Name)]


def renewed(
    lines: list[str], asked: dict[str, AskedOption], taken: list[str], where: str
) -> list[str]:
    """The entries of a section: those of options by their records, the others as they are."""
    found: list[str] = []
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    told: set[str] = set()
    for entry in entries(lines):
        names = entry[0].split(" : ")[0].strip().split(", ")
        elsewhere = " : " not in entry[0]  # as another place says it
        known = [] if elsewhere else [name for name in names if name in asked]
        if known and len(known) < len(names):
            raise SystemExit(f"{where}: an entry of its own for each of {names}")
        told |= {*names}
        for name in known:
            found += entry_of(asked[name], "\n".join(entry[1:]) if len(known) == 1 else "", indent)
        found += [] if known else entry
    for name in taken:
        found += entry_of(asked[name], "", indent) if name in asked and name not in told else []
    return found


def derived() -> dict[Path, str]:
    """Each file with its content."""
    files = {PACKAGE / "R/asked.R": r_options()}
    for question in IN_R:
        files[PACKAGE / f"man-roxygen/{question}.R"] = r_texts(question)
    files[PACKAGE / "man-roxygen/study_page.R"] = study_page()
    files[PACKAGE / "man-roxygen/merge_page.R"] = merge_page()
    for path in DOCSTRINGS:
        files[ROOT / path] = documented(path)
    files[ROOT / "vignettes/site/options.md"] = options_page()
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
