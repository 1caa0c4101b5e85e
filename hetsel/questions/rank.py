"""Options of `hetsel rank`: in which order do the features predict the target?"""

from typing import Annotated, Literal

from hetsel.questions import of_a_table, of_files
from hetsel.questions.option import Question, option


class Size(Question, heading="signature"):
    """Options of the number of selected features."""

    size: Annotated[int | Literal["auto"] | None, "a number, or auto"] = option(
        "Number of features to select. Default: half of the features, or the best size of a "
        "search. A ranking lists all features.",
        metavar="SIZE",
        shell='Number of features in the signature; "auto" chooses it by inner resamplings, which '
        "takes ten times as long. Default: no signature for a ranking, the best size for a search.",
        documented="int",
        lacks={"plan": "`sizes` of the study"},
    )
    size_rule: Literal["one-se", "quarter-se", "knee", "equal"] | None = option(
        'Rule that `size` auto uses. "one-se": the smallest size within one standard error of the '
        'best. "quarter-se": within a quarter of it. "knee": where the curve bends. "equal": the '
        'smallest size within 1% of the best. Default: "one-se".',
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
    """Options of a ranking."""

    top: int | None = option(
        "Print only the first N features. Default: all.", lacks=of_files.WRITTEN
    )
