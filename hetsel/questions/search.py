"""Options of `hetsel search`: which subset of the features is best by a criterion?"""

from typing import Annotated, Any, Literal

from hetsel.questions import of_a_table, of_files, rank
from hetsel.questions.option import Columns, File, Question, Reals, Words, option

FUNCTIONS = dict.fromkeys(("shell", "R", "plan"), "a function in Python")


class Searched(rank.Size, heading="search"):
    """Options of the search algorithm and its criterion."""

    search: str = option(
        'Search algorithm. "bif": best individual features. "sfs" and "sbs": sequential forward '
        'and backward selection. "sffs" and "sbfs": the same with floating steps. "os": '
        'oscillating search, which needs a size. "dos": dynamic oscillating search. "exhaustive": '
        "all subsets. "
        '"branch-and-bound": all subsets of a size, for a criterion that never decreases when a '
        "feature is added.",
        "sffs",
        metavar="ALGORITHM",
    )
    criterion: Words = option(
        'Criterion to maximize: "5nn" (with any number of neighbors), "naive-bayes", "svm", '
        '"gaussian-svm", "ridge", "bhattacharyya", "divergence", "mahalanobis", "hsic", '
        '"alignment", "gaussian-alignment", "class-separability", "frobenius", "consistency" or '
        '"mutual-information". Several criteria form an ensemble.',
        "5nn",
        shell='Criterion to maximize: "5nn" (with any number of neighbors), "naive-bayes", "svm", '
        '"gaussian-svm", "ridge", "bhattacharyya", "divergence", "mahalanobis", "hsic", '
        '"alignment", "gaussian-alignment", "class-separability", "frobenius", "consistency" or '
        '"mutual-information". Several criteria, separated by commas, form an ensemble.',
        documented="str, criterion, classifier or regressor of scikit-learn, or sequence of these",
    )
    folds: int | None = option(
        "Number of folds of the cross-validation of the criterion. Default: set by the criterion."
    )
    repeats: int | None = option(
        "Number of repeats of the cross-validation of the criterion. Default: set by the criterion."
    )
    rate: Literal["bcr", "accuracy", "auc", "r2", "concordance", "press"] | None = option(
        'Score to cross-validate. For classes: "bcr" (balanced accuracy), "accuracy" or "auc" '
        '(with more than two classes the mean over pairs, Hand and Till 2001). For numbers: "r2". '
        'For survival times: "concordance". For the criterion ridge also "press". Default: set by '
        "the criterion."
    )
    sample: Annotated[int | Literal["all"] | None, "a number of rows, or all"] = option(
        "Number of rows to sample from a larger table, for a criterion whose time grows with the "
        'square of the number of rows; "all" for no sample. The sample does not depend on the '
        "order of the rows. Default: 10,000 for nearest neighbors, 5,000 for support vector "
        "machines and Gaussian kernels.",
        metavar="N",
        documented='int or "all"',
    )
    count: int = option(
        "Number of features or groups to add or remove at once. If the size or the budget does not "
        "allow this number, the search adds or removes one.",
        1,
    )
    early_stopping: bool = option(
        'Stop "sfs" when no added feature increases the score, and "sbs" when every removed '
        "feature decreases it. The signature has the size at which the search stops.",
        False,
    )
    depth: int | None = option(
        'Reach of the search. "sffs", "sbfs": number of sizes beyond the specified one. "os", '
        '"dos": number of features per swing. Default: 0 sizes or 5 features.'
    )
    ties: Annotated[Reals | None, "numbers, e.g. 0.01,0.02"] = option(
        "Proportion of the largest score within which two subsets tie, for example 0.01. Of tied "
        "subsets the search chooses the subset with fewer features or lower cost. Of several "
        "proportions the first one decides, and the result lists the subset of each proportion.",
        metavar="PROPORTION,...",
    )
    voting: str | None = option(
        "Voting rule of an ensemble. Each criterion votes on each candidate; the candidate with "
        'the best mean vote wins. "order": a vote is a dense rank, so equal values get the same '
        'rank and the next value the next rank. "median": equal values get the median of their '
        'ranks. "weighted": a vote is the difference from the best value. "trimmed-order", '
        '"trimmed-median" and "trimmed-weighted" leave out the best and the worst vote of each '
        "candidate. Default: the candidate with the best mean of the criteria wins.",
        metavar="RULE",
    )
    hybrid: float | None = option(
        "Proportion of the candidates that the criterion evaluates; a filter chooses them. "
        "Default: 1, without a filter.",
        metavar="PROPORTION",
    )
    prefilter: str = option(
        "Filter that `hybrid` uses.",
        "mutual-information",
        metavar="KEY",
        documented="str or criterion",
    )
    secondary: Any = option(
        "Function that chooses among tied subsets, instead of the number of features or the cost. "
        "It takes the columns of a subset, ascending, and returns a number; larger is better.",
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
        "File that keeps every evaluation. After a crash or an interrupt, the same search uses "
        "these evaluations and continues."
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


class SearchFiles(of_files.Drawn, heading="output", **of_files.WRITTEN):
    """Files that a search can be written to."""

    out: File | None = option("Write the best subset of each size to a .csv or .tsv file.")
    plot: File | None = option("Draw the search into a .png, .svg or .pdf file.")


class Search(
    SearchFiles, of_a_table.Seed, of_a_table.Cells, Limits, Rules, Searched, of_files.OnTable
):
    """Options of a search."""
