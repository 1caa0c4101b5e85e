from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class DOSHybrid(SubsetSearch):
    """Search subsets by dynamic oscillation with 5-NN on prefiltered candidates.

    At each step a filter passes on a quarter of the candidates: those of the largest mutual
    information with the target. Only these reach the criterion, the cross-validated performance of
    5 nearest neighbors in the HEOM distance. Columns and targets of all kinds are accepted. Prefer
    it to `dos-5nn` if the table has many features.

    See Also
    --------
    DOS5NN : All candidates reach the criterion.
    SubsetSearch : Any search with any criterion; `hybrid` and `prefilter` set the filter.

    References
    ----------
    Somol, Grim, Novovicova and Pudil 2011, section 4.

    Examples
    --------
    >>> from hetsel import DOSHybrid, datasets
    >>> heart = datasets.load("heart")
    >>> search = DOSHybrid(size=3).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist(), round(search.answer_.score(3), 3)
    (['chest pain', 'major vessels colored', 'thal'], 0.819)
    """

    search: object = "dos"
    hybrid: float | None = 0.25

    about = About(
        "dynamic oscillating search, 5-NN on candidates prefiltered by mutual information",
        paper="somol2011, definitions 4.1 and 4.2",
        cost=Cost("s^2 p^2 + n p^2", "0.6 s^2 + 4 n p", SEARCHED),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
