"""What is each column taken for?"""

from hetsel.questions.of_a_table import Weights
from hetsel.questions.of_files import OnTable, Printed
from hetsel.questions.option import File, option


class Inspect(
    Printed,
    Weights,
    OnTable,
    Python="`hetsel.Schema.infer` and `hetsel.cautions` of a frame",
    R="`summary` of each result",
    plan="each data set says what its columns are",
):
    """Everything that is asked of a table."""

    save_schema: File | None = option("write the schema as JSON")
    all: bool = option("list all columns of a wide table", False)
