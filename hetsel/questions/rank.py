"""Options of `hetsel rank`: in which order do the features predict the target?"""

from typing import Annotated, Literal

from hetsel.questions import of_a_table, of_files
from hetsel.questions.option import File, Question, option

RULES = (
    "Rules compare sizes by the inner score, the cross-validated score that chooses the size. "
    '"one-se": the smallest size whose inner score is within one standard error of the best score. '
    '"quarter-se": the same with a quarter of a standard error. "knee": the size at which the '
    'curve of the inner scores bends most. "equal": the smallest size whose inner score is '
    "within 1% of the best score."
)


class Size(Question, heading="signature"):
    """Options of the number of selected features."""

    size: Annotated[int | Literal["auto"] | None, "a number, or auto"] = option(
        "Number of features to select. Default: half of the features, or the best size of a "
        "search. A ranking lists all features.",
        metavar="SIZE",
        shell='Number of features in the signature. "auto" chooses it by inner resamplings, which '
        "takes ten times as long. Default: no signature for a ranking, the best size for a "
        "search.",
        documented="int",
        lacks={"plan": "`sizes` of the study"},
    )
    size_rule: Literal["one-se", "quarter-se", "knee", "equal"] | None = option(
        f'Rule of `size` auto. {RULES} Default: "one-se".',
        lacks={
            "Python": "`hetsel.choose_size`",
            "R": "`hetsel_select` chooses a size",
            "plan": 'of a judge with `sizes = "auto"`',
        },
    )


class RankFiles(of_files.Drawn, heading="output", **of_files.WRITTEN):
    """Files that a ranking can be written to."""

    out: File | None = option("Write the ranking to a .csv or .tsv file.")
    plot: File | None = option("Draw the ranking into a .png, .svg or .pdf file.")


class Rank(
    RankFiles,
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
