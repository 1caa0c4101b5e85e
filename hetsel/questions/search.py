"""Options of `hetsel search`: which subset of the features is best by a criterion?"""

from typing import Annotated, Any, Literal

from hetsel.questions import of_a_table, of_files, rank
from hetsel.questions.option import Columns, File, Question, Reals, Words, option

FUNCTIONS = dict.fromkeys(("shell", "R", "plan"), "a function in Python")


class Searched(rank.Size, heading="search"):
    """Options of the search algorithm and its criterion."""

    search: str = option(
        'Search algorithm. "bif": best individual features. "sfs", "sbs": sequential forward and '
        'backward selection. "sffs", "sbfs": their floating forms. "os": oscillating search, which '
        'needs a size. "dos": dynamic oscillating search. "exhaustive": all subsets. '
        '"branch-and-bound": all subsets of a size, for a criterion that never decreases when a '
        "feature is added.",
        "sffs",
        metavar="ALGORITHM",
    )
    criterion: Words = option(
        'Criterion to maximize: "5nn" (with any number of neighbors), "naive-bayes", "svm", '
        '"gaussian-svm", "ridge", "bhattacharyya", "divergence", "mahalanobis", "hsic", '
        '"alignment", "gaussian-alignment", "class-separability", "frobenius", "consistency" or '
        '"mutual-information". Several criteria form an ensemble; the shell takes them separated '
        "by commas.",
        "5nn",
        documented="str, criterion, classifier or regressor of scikit-learn, or sequence of these",
    )
    folds: int | None = option(
        "Number of folds of the cross-validation of the criterion. Default: set by the criterion."
    )
    repeats: int | None = option(
        "Number of repeats of this cross-validation. Default: set by the criterion."
    )
    rate: Literal["bcr", "accuracy", "auc", "r2", "concordance", "press"] | None = option(
        'Score to cross-validate. For classes: "bcr" (balanced accuracy), "accuracy" or "auc" '
        '(with more than two classes the mean over pairs, Hand and Till 2001). For numbers: "r2". '
        'For survival times: "concordance". For the criterion ridge also "press". Default: set by '
        "the criterion."
    )
    sample: Annotated[int | Literal["all"] | None, "a number of rows, or all"] = option(
        "Number of rows of a larger table that a criterion with quadratic cost uses, or "
        '"all". The sample does not depend on the order of the rows. Default: 10,000 for nearest '
        "neighbors, 5,000 for support vector machines and Gaussian kernels.",
        metavar="N",
        documented='int or "all"',
    )
    count: int = option(
        "Number of features or groups to add or remove at once. Where a size or a budget leaves no "
        "room for so many, the search adds or removes one.",
        1,
    )
    early_stopping: bool = option(
        'Stop "sfs" when no added feature increases the score, and "sbs" when every removed '
        "feature decreases it. The size is the one at which the search stops.",
        False,
    )
    depth: int | None = option(
        'Reach of the search. "sffs", "sbfs": number of sizes beyond the specified one. "os", '
        '"dos": number of features per swing. Default: 0 sizes or 5 features.'
    )
    ties: Annotated[Reals | None, "numbers, e.g. 0.01,0.02"] = option(
        "Proportion of the largest score within which two subsets tie, for example 0.01. Of tied "
        "subsets the search chooses the one with fewer features or lower cost. With several "
        "proportions the first decides, and the result lists the subset of each.",
        metavar="PROPORTION,...",
    )
    voting: str | None = option(
        'Voting rule of an ensemble; the best mean vote wins. "order": a vote is a dense rank, '
        'where equal values share a rank and the next value gets the next rank. "median": equal '
        'values get the median of their ranks. "weighted": a vote is the difference from the best '
        'value. "trimmed-order", "trimmed-median" and "trimmed-weighted" leave out the best and '
        "the worst vote of each candidate. Default: the mean of the criteria decides.",
        metavar="RULE",
    )
    hybrid: float | None = option(
        "Proportion of the candidates that a filter passes on to the criterion. Default: 1, "
        "without the filter.",
        metavar="PROPORTION",
    )
    prefilter: str = option(
        "Filter that `hybrid` uses.",
        "mutual-information",
        metavar="KEY",
        documented="str or criterion",
    )
    secondary: Any = option(
        "Another second criterion for ties: a function of the columns (ascending) that returns a "
        "number, where larger is better.",
        documented="callable",
        lacks=FUNCTIONS,
    )


class Rules(of_a_table.ColumnRules, heading="constraints on features"):
    """Constraints on the subsets."""

    always: Columns | None = option("Columns to include in every subset.")
    unsupported: Literal["error", "skip"] = option(
        of_a_table.UNSUPPORTED,
        "error",
        lacks=dict.fromkeys(("shell", "R", "plan"), "a search takes columns of all kinds"),
    )


class Limits(Question, heading="limits"):
    """Limits of the work of a search."""

    max_seconds: float | None = option(
        "Seconds after which the search ends with the subsets found so far. Default: no limit.",
        metavar="SECONDS",
    )
    max_evaluations: int | None = option(
        "Number of evaluated subsets after which the search ends with the subsets found so far. "
        "Default: no limit."
    )
    archive: File | None = option(
        "File that keeps every evaluation. After a crash or an interrupt the same search continues "
        "from it."
    )
    jobs: int | None = option(
        "Number of threads of a criterion that uses them; -1 for all cores. Results do not depend "
        "on it.",
        lacks=dict.fromkeys(("shell", "R", "plan"), "all cores are used"),
    )
    progress: Any = option(
        "Function to call with the state of the search after each move; the search ends if it "
        "returns a true value.",
        documented="callable",
        lacks=FUNCTIONS | {"shell": "a terminal shows the progress"},
    )


class Search(
    of_files.Drawn, of_a_table.Seed, of_a_table.Cells, Limits, Rules, Searched, of_files.OnTable
):
    """Options of a search."""
