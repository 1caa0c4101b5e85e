from hetsel.search.rankings.path_entries import GroupLassoSelector
from hetsel.selection import About, Cost


class GroupLasso(GroupLassoSelector):
    """Rank features by where they enter the path of an L1-penalized regression.

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f)

    as lambda decreases, with effects e_f and weights w_f as in :class:`hetsel.L1Logistic`, which it
    equals for classes. Columns of all kinds and all targets are accepted: the lasso for a numeric
    target, Cox regression for survival times, and each factor is one group. Prefer it for linear
    effects and wide tables.

    For a numeric target the loss is half the squared error of y / sd(y). With continuous columns
    only this is the lasso, and a pull is at first the correlation with y. For survival times the
    whole loss is

    -(1/n) sum_events (s_i - log sum_{t_j >= t_i} exp(s_j)),   s_i = sum_f e_f(x_i),

    the partial likelihood of Cox regression with ties by Breslow, without b.

    The pull of a feature is ||gradient_f|| / w_f.

    Notes
    -----
    A step of the path ends when no optimality condition (Karush, Kuhn and Tucker) is violated by
    more than the tolerance times the first lambda.

    See Also
    --------
    L1Logistic : The same path for classes.
    L1SVM : The path of a support vector machine.
    HSICLasso : A lasso of kernels, for nonlinear effects.

    References
    ----------
    Tibshirani 1996, Journal of the Royal Statistical Society B 58, 267-288; Tibshirani 1997,
    Statistics in Medicine 16, 385-395 (Cox regression); Yuan and Lin 2006, Journal of the Royal
    Statistical Society B 68, 49-67 (groups); Simon and Tibshirani 2012, Statistica Sinica 22,
    983-1001; Breslow 1974, Biometrics 30, 89-99.

    Examples
    --------
    >>> import pandas as pd
    >>> from hetsel import GroupLasso
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0] * 4, "town": list("aaabbcbb")})
    >>> y = [1.5, 2.0, 1.0, 4.5, 5.0, 3.5, 5.5, 4.0]
    >>> GroupLasso(size=1).fit(frame, y).importances_.round(3)
    array([0.064, 0.675])
    """

    about = About(
        "L1-penalized regression of any target (lasso, Cox), each factor as one group",
        paper="Tibshirani 1996, 1997; Yuan and Lin 2006",
        cost=Cost("n p", "3.5 n p"),
        targets=("classes", "numbers", "survival"),
        trial={"steps": 30, "shortest": 0.1},
    )
