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
        r"Character between the values: ',' ';' '|' '\t' (tab) or ' ' (space). Default: ',' for "
        r".csv, '\t' for .tsv; in other files hetsel finds the separator.",
        metavar="SEP",
    )
    skip: int = option("Number of lines to skip before the table, such as a title.", 0)
    sheet: str | None = option(
        "Sheet of a workbook, or data frame in an R file. Default: the first sheet with values."
    )
    encoding: str | None = option("Encoding of a text file, for example latin-1. Default: utf-8.")
    decimal: Literal[".", ","] = option("Decimal mark: '.' or ','.", ".", metavar="MARK")
    thousands: str | None = option(
        "Mark between groups of digits, as in 1,000: ',' '.' \"'\" or ' ' (space). Default: none.",
        metavar="MARK",
    )
    header: Literal["yes", "no"] | None = option(
        "Whether the first line contains the column names. Default: yes. If the first line "
        "contains a number or a mark of a missing value, there is no default: specify yes or no."
    )
    missing_marks: Texts | None = option(
        "Another text that marks a missing value, for example unknown. Repeat the option for each "
        "text.",
        metavar="TEXT",
        also=("--missing-mark",),
    )


class Printed(Question, **WRITTEN):
    """The printed result."""

    json: bool = option("Print the result as JSON on stdout.", False)


class ForSpreadsheets(Question, heading="output", **WRITTEN):
    """Names that a spreadsheet program would run as formulas."""

    raw_text: bool = option(
        "By default, hetsel writes an apostrophe before names that begin with = + - @, so that "
        "spreadsheet programs do not run these names as formulas. hetsel removes the apostrophe "
        "when it reads the file. This option writes the names unchanged.",
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
