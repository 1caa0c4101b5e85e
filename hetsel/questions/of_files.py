"""Options of the shell only: how to read a file and which files to write."""

from typing import Literal

from hetsel.questions.of_a_table import Kinds, Rows, Scale, Target
from hetsel.questions.option import File, Question, Texts, option

READ = {"Python": "use `hetsel.read_table`", "R": "read the file as a data frame first"}
WRITTEN = {
    "Python": "a method of the result",
    "R": "a function of the result",
    "plan": "a command of `hetsel study`",
}


class TableFile(Question, Python="`X`", R="`x`", plan="`name` or `file` of a data set"):
    """The table."""

    table: File = option(
        "File with the table, or the name of a data set.", ..., metavar="TABLE", positional=True
    )


class SavedModel(Question, R="`object` holds the model"):
    """The saved signature."""

    model: File = option(
        "File that `hetsel select --save` wrote.",
        ...,
        metavar="MODEL",
        positional=True,
        lacks={"Python": "`hetsel.load_signature(path)`"},
    )
    trust_edited: bool = option(
        "Load a model file that was edited after hetsel wrote it, if each value has the right "
        "type. Without this option such a file is refused.",
        False,
    )


class Reading(Question, heading="reading the file", **READ):
    """Options of reading a file."""

    separator: str | None = option(
        r"Separator of the values: , ; | \t or ' '. Default: comma for .csv, tab for .tsv, else "
        "found in the file.",
        metavar="SEP",
    )
    skip: int = option("Number of lines to skip before the table, such as a title.", 0)
    sheet: str | None = option(
        "Sheet of a workbook, or data frame in an R file. Default: the first sheet with values."
    )
    encoding: str | None = option("Encoding of a text file, for example latin-1. Default: utf-8.")
    decimal: Literal[".", ","] = option("Decimal mark: '.' or ','.", ".", metavar="MARK")
    thousands: str | None = option(
        "Mark that groups the digits of numbers: , . ' or ' '. Default: none.", metavar="MARK"
    )
    header: Literal["yes", "no"] | None = option(
        "Column names in the first line. Default: yes, but a first line with a number is refused."
    )
    missing_marks: Texts | None = option(
        "Further text that marks a missing value. Repeat the option for several texts.",
        metavar="TEXT",
        also=("--missing-mark",),
    )


class Printed(Question, **WRITTEN):
    """The printed result."""

    json: bool = option("Print the result as JSON on stdout.", False)


class ForSpreadsheets(Question, heading="output", **WRITTEN):
    """Names that a spreadsheet program would run as formulas."""

    raw_text: bool = option(
        "Write names that begin with = + - @ unchanged. Otherwise an apostrophe before them keeps "
        "spreadsheet programs from running them as formulas; hetsel removes it when it reads the "
        "file.",
        False,
    )


class Written(ForSpreadsheets, Printed, heading="output", **WRITTEN):
    """The result as a table in a file."""

    out: File | None = option("Write the result to a .csv or .tsv file.")


class Drawn(Written, heading="output", **WRITTEN):
    """The result as a figure."""

    plot: File | None = option("Draw the result into a .png, .svg or .pdf file.")
    save_schema: File | None = option("Write the kinds and levels of all columns to a JSON file.")


class OnTable(Reading, Scale, Rows, Kinds, Target, TableFile):
    """Options of every question on a table."""
