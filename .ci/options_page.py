"""Make the page of options: all options of each question, in each interface."""

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

Python, the shell, R and plans have the same options under the same names. The option `row_groups`
is `row_groups` in R and in a plan, and `--row-groups` in the shell. Python uses the names of
scikit-learn for {count} options:
{names}.

Each table lists the options of a command of the shell. A column shows "yes" if an interface has the
option, and otherwise what to use instead. A default applies in all interfaces, except that R has
its own defaults of `jobs` and `progress`.

`make options` derives this page from `hetsel/questions`, and with it the help of the shell, the
manual pages of R and the parameters in the reference of Python.
"""


def options_page() -> str:
    """Return the page in Markdown."""
    names = ", ".join(f"`{other}` for `{name}`" for name, other in PYTHON_NAMES.items())
    parts = [HEAD.format(count=len(PYTHON_NAMES), names=names)]
    parts += [_section(name, question) for name, question in QUESTIONS.items()]
    return "\n".join(parts)


def _section(name: str, question: type[Question]) -> str:
    columns = ("option", "default", *FACES, "description")
    rows = [_row(one) for one in asked_by(question)]
    lines = [columns, (":--",) * len(columns), *rows]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"## `hetsel {name}`\n\n{table}\n"


def _row(asked: AskedOption) -> tuple[str, ...]:
    option = asked.option
    default = "" if asked.default in (None, ...) else f"`{asked.default}`"
    faces = [asked.lacks.get(face, "yes") for face in FACES]
    kind = KINDS_OF_TARGET[option.targets[0]] if option.targets else ""
    text = option.text if kind.removesuffix("s") in option.text else f"For {kind}. {option.text}"
    return (f"`{asked.name}`", default, *(cell.replace("|", "\\|") for cell in [*faces, text]))
