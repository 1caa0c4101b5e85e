"""What only the shell asks: how a file is read, and what is written."""

from typing import Literal

from hetsel.questions.of_a_table import Kinds, Rows, Scale, Target
from hetsel.questions.option import File, Question, Texts, option

READ = {"Python": "`hetsel.read_table` has it", "R": "a data frame is read before"}
WRITTEN = {
    "Python": "methods of the result",
    "R": "functions of the result",
    "plan": "commands of `hetsel study`",
}


class TableFile(Question, Python="`X`", R="`x`", plan="`name` or `file` of a data set"):
    """The table."""

    table: File = option(
        "a file, or the name of a bundled table", ..., metavar="TABLE", positional=True
    )


class SavedModel(Question, R="`object` holds the model"):
    """The signature that is asked."""

    model: File = option(
        "a file of `hetsel select --save`",
        ...,
        metavar="MODEL",
        positional=True,
        lacks={"Python": "`hetsel.load_signature(path)`"},
    )
    trust_edited: bool = option(
        "load a file that was changed after it was written, each value still of its kind; "
        "without this it is refused",
        False,
    )


class Reading(Question, heading="how the file is read", **READ):
    """How a file is read."""

    separator: str | None = option(r"what separates the cells: , ; | \t or ' '", metavar="SEP")
    skip: int = option("leave out the first N lines: a title, comments", 0)
    sheet: str | None = option(
        "sheet of a workbook (default: the first), or data frame of a file of R"
    )
    encoding: str | None = option("encoding, e.g. latin-1")
    decimal: Literal[".", ","] = option("decimal mark", ".")
    thousands: str | None = option(
        "what groups the digits of numbers: , . ' or ' '", metavar="MARK"
    )
    header: Literal["yes", "no"] | None = option("whether the first line names the columns")
    missing_marks: Texts | None = option(
        "a further mark of a missing cell", metavar="TEXT", also=("--missing-mark",)
    )


class Printed(Question, **WRITTEN):
    """What is printed."""

    json: bool = option("print JSON on stdout", False)


class ForSpreadsheets(Question, heading="the output", **WRITTEN):
    """How names are written that a spreadsheet would run."""

    raw_text: bool = option(
        "write names that begin with = + - @ as they are; without this an apostrophe before them "
        "keeps spreadsheets from running them, and is taken away where hetsel reads the file",
        False,
    )


class Written(ForSpreadsheets, Printed, heading="the output", **WRITTEN):
    """What is printed, and written as a table."""

    out: File | None = option("write what is found to a .csv or .tsv file")


class Drawn(Written, heading="the output", **WRITTEN):
    """What is drawn as well."""

    plot: File | None = option("draw what is found: .png, .svg or .pdf")
    save_schema: File | None = option("write the schema as JSON")


class OnTable(Reading, Scale, Rows, Kinds, Target, TableFile):
    """What every question on a table of its own asks."""
