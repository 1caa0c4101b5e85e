"""Options of `hetsel inspect`: how does hetsel read each column?"""

from hetsel.questions import of_a_table, of_files
from hetsel.questions.option import File, option


class Inspect(
    of_files.Printed,
    of_a_table.Weights,
    of_files.OnTable,
    Python="`hetsel.Schema.infer` and `hetsel.cautions` of a frame",
    R="`summary` of each result",
    plan="each data set names the kinds of its columns",
):
    """Options of an inspection."""

    save_schema: File | None = option("Write the kinds and levels of all columns to a JSON file.")
    all: bool = option("List all columns of a wide table.", False)
