import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import chi_squared, roc_areas


class AUC(BaseSelector):
    """Rank columns by the area under their ROC curve, each column on its own.

    J(f) is the area itself, the share of the pairs of rows of two classes that the column has in
    the right order, in the better of its two directions, ties half: 1/2 for a column that says
    nothing and 1 for one that parts the classes. Of more than two classes it is the mean of all
    pairs of classes. An ordinal column counts by the order of its levels. A nominal one has the
    order of its levels that is best for these rows, which makes columns of many levels look good:
    look at their p-values, too. With missing="separate" a missing number is left out of its column,
    and a missing level is a level.

    The answer's extra: `p_value` (p,), of numbers that of Mann and Whitney's test (of Kruskal and
    Wallis's for more than two classes), of levels that of Pearson's chi-square test.

    References
    ----------
    Mann and Whitney 1947, Annals of Mathematical Statistics 18, 50-60; Hand and Till 2001, Machine
    Learning 45, 171-186 (more than two classes).
    """

    about = About(
        "area under the ROC curve of a column on its own",
        paper="Hand and Till 2001",
        cost=Cost("n p log n", "0.4 n p + 30 n"),
        why_not={
            "numbers": "it orders the rows of classes, spearman those of a number",
            "survival": "it orders the rows of classes",
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
