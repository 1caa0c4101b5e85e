"""The page of the options: each question, each option, and which face has it or why it does not."""

from hetsel.questions.inspect import Inspect
from hetsel.questions.option import (
    FACES,
    KINDS_OF_TARGET,
    PYTHON_NAMES,
    AskedOption,
    Question,
    asked_by,
)
from hetsel.questions.plan_rows import PlanRowsOfTable
from hetsel.questions.predict import Predict
from hetsel.questions.rank import Rank
from hetsel.questions.search import Search
from hetsel.questions.select import Select
from hetsel.questions.study import ExportStudy, MergeStores, ReportStudy, RunStudy, StudyStatus
from hetsel.questions.validate import Validate

QUESTIONS: dict[str, type[Question]] = {
    "rank": Rank,
    "search": Search,
    "select": Select,
    "predict": Predict,
    "validate": Validate,
    "plan-rows": PlanRowsOfTable,
    "inspect": Inspect,
    "study run": RunStudy,
    "study merge": MergeStores,
    "study status": StudyStatus,
    "study export": ExportStudy,
    "study report": ReportStudy,
}
HEAD = """\
# Options

Each question has the same options everywhere, under one name: `row_groups` is `row_groups` in R and
in a plan, and `--row-groups` in the shell. Python takes scikit-learn's names for {count} of them:
{names}. Where a face has no such option the table says what is in its place.

This page is made from `hetsel/questions` by `make options`, as are the help of the shell, the
manual pages of R, and the parameters in Python's reference.
"""


def options_page() -> str:
    """The page, in Markdown."""
    names = ", ".join(f"`{name}` is `{other}`" for name, other in PYTHON_NAMES.items())
    parts = [HEAD.format(count=len(PYTHON_NAMES), names=names)]
    parts += [_section(name, question) for name, question in QUESTIONS.items()]
    return "\n".join(parts)


def _section(name: str, question: type[Question]) -> str:
    columns = ("option", "default", *FACES, "what it does")
    rows = [_row(one) for one in asked_by(question)]
    lines = [columns, (":--",) * len(columns), *rows]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"## `hetsel {name}`\n\n{table}\n"


def _row(asked: AskedOption) -> tuple[str, ...]:
    option = asked.option
    default = "" if asked.default in (None, ...) else f"`{asked.default}`"
    faces = [asked.lacks.get(face, "yes") for face in FACES]
    text = f"of {KINDS_OF_TARGET[option.targets[0]]}: " if option.targets else ""
    text += option.text.removeprefix(text)
    return (f"`{asked.name}`", default, *(cell.replace("|", "\\|") for cell in [*faces, text]))
