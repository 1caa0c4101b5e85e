from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class SFS5NN(SubsetSearch):
    """Search subsets by sequential forward selection with 5-NN.

    The criterion is the cross-validated performance of 5 nearest neighbors in the HEOM distance:
    balanced accuracy for classes, R^2 for a numeric target, concordance for survival times. Each
    step adds the best feature. Columns of all kinds are accepted. Prefer it to `sffs-5nn` if
    computing time is short: nothing that was added is ever removed.

    See Also
    --------
    SFFS5NN : Floating search, which also removes features.
    SubsetSearch : Any search with any criterion.

    References
    ----------
    Whitney 1971, IEEE Transactions on Computers 20; Somol et al. 2011, section 1.2.2.

    Examples
    --------
    >>> from hetsel import SFS5NN, datasets
    >>> heart = datasets.load("heart")
    >>> search = SFS5NN(size=3).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist(), round(search.answer_.score(3), 3)
    (['chest pain', 'major vessels colored', 'thal'], 0.819)
    """

    search: object = "sfs"

    about = About(
        "forward selection, cross-validated 5-NN, HEOM distance",
        paper="somol2011, section 1.2.2",
        cost=Cost("s^2 p k + n p", "0.6 s^2 + 4 n p", SEARCHED),
        flaws=("copies",),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
