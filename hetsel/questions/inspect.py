"""What is each column taken for?"""

from hetsel.questions import of_a_table, of_files
from hetsel.questions.option import File, option


class Inspect(
    of_files.Printed,
    of_a_table.Weights,
    of_files.OnTable,
    Python="`hetsel.Schema.infer` and `hetsel.cautions` of a frame",
    R="`summary` of each result",
    plan="each data set says what its columns are",
):
    """Everything that is asked of a table."""

    save_schema: File | None = option("write the schema as JSON")
    all: bool = option("list all columns of a wide table", False)
