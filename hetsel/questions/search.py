"""Which subset of the features is the best by a criterion?"""

from typing import Annotated, Any, Literal

from hetsel.questions import of_a_table, of_files, rank
from hetsel.questions.option import Columns, File, Question, Reals, Words, option

FUNCTIONS = dict.fromkeys(("shell", "R", "plan"), "a function of Python")


class Searched(rank.Size, heading="the search"):
    """How it is searched, and by what."""

    search: str = option(
        '"bif" best individual features, "sfs", "sbs" sequential forward and backward selection, '
        '"sffs", "sbfs" their floating forms, "os" oscillating search (of a size), "dos" dynamic '
        'oscillating search, "exhaustive", or "branch-and-bound" (of a size, for a criterion that '
        "no feature makes smaller)",
        "sffs",
    )
    criterion: Words = option(
        'what a subset is worth: "5nn" (any number), "naive-bayes", "svm", "gaussian-svm", '
        '"ridge", "bhattacharyya", "divergence", "mahalanobis", "hsic", "alignment", '
        '"gaussian-alignment", "class-separability", "frobenius", "consistency", '
        '"mutual-information"; several are an ensemble',
        "5nn",
        documented="str, criterion, classifier or regressor of scikit-learn, or sequence of these",
    )
    folds: int | None = option("of the cross-validation of the criterion; default: its own number")
    repeats: int | None = option("of the folds; default: its own number")
    rate: Literal["bcr", "accuracy", "auc", "r2", "concordance", "press"] | None = option(
        'what is cross-validated: of classes "bcr" (balanced classification rate), "accuracy" '
        'or "auc" (area under the ROC curve, of more classes the mean of their pairs, Hand and '
        'Till 2001), of numbers "r2", of survival times "concordance"; "press" of ridge; '
        "default: that of the criterion"
    )
    sample: Annotated[int | Literal["all"] | None, "a number of rows, or all"] = option(
        "rows of a larger table at which a criterion looks whose time grows with their square, "
        'the same ones in any order of the rows, or "all"; default: 10,000 of neighbors, 5,000 of '
        "machines and Gaussian kernels",
        metavar="N",
        documented='int or "all"',
    )
    count: int = option(
        "features (or groups) that come or go at once; where a size or a budget leaves no room "
        "for so many, one",
        1,
    )
    early_stopping: bool = option(
        'of "sfs" and "sbs": end where no feature that comes makes the score larger, or every '
        "one that goes makes it smaller; the size is then where it ended",
        False,
    )
    depth: int | None = option(
        'how far the search strays: sizes beyond the one asked for ("sffs", "sbfs"; default 0), '
        'features on a swing ("os", "dos"; default 5)'
    )
    ties: Annotated[Reals | None, "numbers, e.g. 0.01,0.02"] = option(
        "shares of the largest score that count as none, e.g. 0.01: among such subsets the one "
        "with fewer features (or of lower cost) is chosen. Of several the first decides; the "
        "answer has all",
        metavar="A,B",
    )
    voting: str | None = option(
        "how the members of an ensemble decide: by the mean of their places, equal values on "
        'the next place ("order") or on the median of theirs ("median"), or of what a candidate'
        ' falls short of the best ("weighted"); "trimmed-order" and the like leave the best and'
        " the worst vote of each candidate out; default: by the mean of their values",
        metavar="HOW",
    )
    hybrid: float | None = option(
        "share of the candidates that reach the criterion; default, and 1: all of them, without"
        " the filter",
        metavar="SHARE",
    )
    prefilter: str = option(
        "of `hybrid`: the filter that chooses these",
        "mutual-information",
        documented="str or criterion",
    )
    secondary: Any = option(
        "another second criterion for ties: columns (ascending) to a number, larger is better",
        documented="callable",
        lacks=FUNCTIONS,
    )


class Rules(of_a_table.ColumnRules, heading="what features may do"):
    """What features may do."""

    always: Columns | None = option("columns that are always in")
    unsupported: Literal["error", "skip"] = option(
        of_a_table.UNSUPPORTED,
        "error",
        lacks=dict.fromkeys(("shell", "R", "plan"), "a search takes columns of all kinds"),
    )


class Limits(Question, heading="how long it may take"):
    """How long it may take."""

    max_seconds: float | None = option(
        "seconds after which the search ends, with what it has", metavar="S"
    )
    max_evaluations: int | None = option(
        "evaluated subsets after which the search ends, with what it has"
    )
    archive: File | None = option(
        "file that keeps every evaluation: after a crash or an interrupt the same search goes "
        "on where it was"
    )
    jobs: int | None = option(
        "threads, -1 for all cores, of a criterion that has them; they change no number",
        lacks=dict.fromkeys(("shell", "R", "plan"), "every core is taken"),
    )
    progress: Any = option(
        "called with where the search stands after each move; a true answer ends it",
        documented="callable",
        lacks=FUNCTIONS | {"shell": "the terminal shows where it stands"},
    )


class Search(
    of_files.Drawn, of_a_table.Seed, of_a_table.Cells, Limits, Rules, Searched, of_files.OnTable
):
    """Everything that is asked of a search."""
