import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import chi_squared, roc_areas


class AUC(BaseSelector):
    """Rank columns by the area under the ROC curve of each column.

    J(f) is the proportion of pairs of rows of two classes that the column orders correctly, in the
    better of its two directions; a tied pair counts one half. It is 1/2 for an uninformative column
    and 1 for a column that separates the classes. For more than two classes J(f) is the mean over
    all pairs of classes. Prefer it if the effect should have a familiar unit that no increasing
    transformation of a column changes.

    An ordinal column enters by the order of its levels. The levels of a nominal column are put into
    the order that is best for these rows. This favors columns of many levels, so check their
    p-values, too. With missing="separate" a continuous or ordinal column omits its missing values,
    and a nominal column takes missing as a level.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `p_value` (p,) comes from the Mann-Whitney test for continuous and ordinal columns
        (the Kruskal-Wallis test for more than two classes) and from Pearson's chi-square test for
        nominal columns.

    See Also
    --------
    KruskalWallis : The p-value of the same comparison of ranks.
    Spearman : Rank correlation, also with a numeric target.

    References
    ----------
    Mann and Whitney 1947, Annals of Mathematical Statistics 18, 50-60; Hand and Till 2001, Machine
    Learning 45, 171-186 (more than two classes).

    Examples
    --------
    >>> from hetsel import AUC, datasets
    >>> heart = datasets.load("heart")
    >>> selector = AUC().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0             chest pain       0.769
    1                   thal       0.764
    2  major vessels colored       0.749
    """

    about = About(
        "area under the ROC curve of each column",
        paper="Hand and Till 2001",
        cost=Cost("n p log n", "0.4 n p + 30 n"),
        why_not={
            "numbers": "it compares the rows of classes; use spearman",
            "survival": "it compares the rows of classes",
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        table, codes = problem.table, problem.classes.codes
        area, p = np.empty((2, problem.p))
        kinds = (
            (table.nominal, roc_areas.areas_of_levels, chi_squared.chi_square),
            (~table.nominal, roc_areas.areas_of_numbers, chi_squared.kruskal_wallis),
        )
        for columns, areas, test in kinds:
            if columns.any():
                values = table.values[:, columns]
                area[columns], p[columns] = areas(values, codes), test(values, codes).pvalue
        return Ranking.from_importance(equalized(area), extras={"p_value": p})
