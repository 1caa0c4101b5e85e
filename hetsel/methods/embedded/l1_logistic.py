from hetsel.search.rankings.path_entries import GroupLassoSelector
from hetsel.selection import About, Cost


class L1Logistic(GroupLassoSelector):
    """Rank features by where they enter the path of an L1-penalized logistic regression.

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f)

    as lambda falls. e_f is a number times a coefficient, or a value for each level of a nominal
    column (its indicator columns as one group), sd its standard deviation over the rows, and w_f =
    sqrt(levels - 1) for a nominal column, 1 for a number: of numbers alone the lasso on
    standardized columns. A column of two levels is the number 0 or 1. More than two classes have
    the multinomial loss and one effect for each class, all of a feature in one group. An ordinal
    column counts by the numbers of its levels. With missing="separate" a missing level is a level,
    and a missing number counts as the mean of its column.

    The pull of a feature is ||gradient_f|| / w_f.

    References
    ----------
    Tibshirani 1996, Journal of the Royal Statistical Society B 58, 267-288; Yuan and Lin 2006,
    the same B 68, 49-67 (groups); Simon and Tibshirani 2012, Statistica Sinica 22, 983-1001.
    """

    about = About(
        "L1-penalized logistic regression, a factor as one group",
        paper="Tibshirani 1996; Yuan and Lin 2006",
        cost=Cost("n p", "3.5 n p"),
        why_not={
            "numbers": "the same path of least squares is group-lasso",
            "survival": "the same path of Cox regression is group-lasso",
        },
        trial={"steps": 30, "shortest": 0.1},
    )
