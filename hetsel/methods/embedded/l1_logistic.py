from hetsel.search.rankings.path_entries import GroupLassoSelector
from hetsel.selection import About, Cost


class L1Logistic(GroupLassoSelector):
    """Rank features by where they enter the path of an L1-penalized logistic regression.

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f)

    as lambda decreases. e_f is a number times a coefficient, or a value per level of a nominal
    column (its indicator columns as one group), and sd is its standard deviation over the rows. w_f
    is sqrt(levels - 1) for a nominal column and 1 for a number, so that with continuous columns
    only this is the lasso on standardized columns. Columns of all kinds are accepted; the target
    must be classes. Prefer it for linear effects and wide tables, where correlated features should
    not all come first.

    A column of two levels is the number 0 or 1. More than two classes have the multinomial loss and
    one effect per class, and all effects of a feature are one group. An ordinal column enters by
    the numbers of its levels. With missing="separate" missing is a level of a nominal column, and a
    missing number counts as the mean of its column.

    The pull of a feature is ||gradient_f|| / w_f.

    See Also
    --------
    GroupLasso : The same path for numeric targets and survival times.
    L1SVM : The path of a support vector machine.

    References
    ----------
    Tibshirani 1996, Journal of the Royal Statistical Society B 58, 267-288; Yuan and Lin 2006, the
    same B 68, 49-67 (groups); Simon and Tibshirani 2012, Statistica Sinica 22, 983-1001.

    Examples
    --------
    >>> from hetsel import L1Logistic, datasets
    >>> heart = datasets.load("heart")
    >>> L1Logistic(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['exerc ind ang', 'ST by exercise', 'major vessels colored']
    """

    about = About(
        "L1-penalized logistic regression, each factor as one group",
        paper="Tibshirani 1996; Yuan and Lin 2006",
        cost=Cost("n p", "3.5 n p"),
        why_not={
            "numbers": "its loss is for classes; use group-lasso for the path of least squares",
            "survival": "its loss is for classes; use group-lasso for the path of Cox regression",
        },
        trial={"steps": 30, "shortest": 0.1},
    )
