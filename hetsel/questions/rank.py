"""In which order do the features tell the target?"""

from typing import Annotated, Literal

from hetsel.questions import of_a_table, of_files
from hetsel.questions.option import Question, option


class Size(Question, heading="the signature"):
    """How many features the ranking names."""

    size: Annotated[int | Literal["auto"] | None, "a number, or auto"] = option(
        "features that are selected; default: half of them, of a search the best size. A ranking "
        "has all",
        metavar="K",
        shell="name the signature of size K, too; of a search the default is that of the best "
        'subset; "auto" chooses the size by inner resamplings, which takes ten times as long',
        documented="int",
        lacks={"plan": "`sizes` of the study"},
    )
    size_rule: Literal["one-se", "quarter-se", "knee", "equal"] | None = option(
        "of `size` auto: the smallest size within one standard error of the best (default), or a "
        "quarter of it, where the curve bends, or the smallest within 1 % of the best",
        lacks={
            "Python": "`hetsel.choose_size`",
            "R": "`hetsel_select` chooses a size",
            "plan": 'of a judge with `sizes = "auto"`',
        },
    )


class Rank(
    of_files.Drawn,
    of_a_table.Seed,
    of_a_table.Cells,
    of_a_table.Weights,
    Size,
    of_a_table.Method,
    of_files.OnTable,
):
    """Everything that is asked of a ranking."""

    top: int | None = option("print the best K features only", metavar="K", lacks=of_files.WRITTEN)
