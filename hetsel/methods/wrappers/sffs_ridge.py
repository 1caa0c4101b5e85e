from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import About, Cost


class SFFSRidge(SubsetSearch):
    """Search subsets by floating forward search with ridge regression.

    The criterion is the leave-one-out performance: balanced accuracy of ridge regression on the
    class indicators, R^2 for a numeric target, and for survival times the concordance of Cox
    regression with a ridge penalty. The last one is approximate: one Newton step from the fit to
    all rows for each row that is left out. See
    :class:`hetsel.search.criteria.rates.ridge_leave_one_out.RidgeLeaveOneOut`. Columns of all kinds
    are accepted. Prefer it to `sffs-5nn` for linear effects: no fold is drawn, and a candidate
    takes one pass over the rows.

    See Also
    --------
    SFFS5NN : The same search with nearest neighbors.
    SFFSNaiveBayes : The same search with naive Bayes.
    SubsetSearch : Any search with any criterion.

    References
    ----------
    Pudil, Novovicova and Kittler 1994; Allen 1974, Technometrics 16; Verweij and van Houwelingen
    1993, Statistics in Medicine 12.

    Examples
    --------
    >>> from hetsel import SFFSRidge, datasets
    >>> heart = datasets.load("heart")
    >>> search = SFFSRidge(size=3).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist(), round(search.answer_.score(3), 3)
    (['chest pain', 'major vessels colored', 'thal'], 0.834)
    """

    criterion: object = "ridge"

    about = About(
        "floating forward search, leave-one-out ridge regression",
        remark="approximate for survival times",
        paper="somol2011, section 1.2.2; Allen 1974",
        cost=Cost("n d^2", "3.5 n d + 2.5 n p"),
        targets=("classes", "numbers", "survival"),
    )
