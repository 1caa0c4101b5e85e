from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class DOS5NN(SubsetSearch):
    """Search subsets by dynamic oscillation with 5-NN.

    The criterion is the cross-validated performance of 5 nearest neighbors in the HEOM distance:
    balanced accuracy for classes, R^2 for a numeric target, concordance for survival times. A swing
    removes and adds features around the current subset, and a better subset of any size is the next
    center; the search finds the size itself. Columns of all kinds are accepted. Prefer it to
    `sffs-5nn` if more computing time is available.

    See Also
    --------
    SFFS5NN : Floating search with the same criterion, faster.
    DOSHybrid : A filter chooses the candidates, faster for many features.
    SubsetSearch : Any search with any criterion.

    References
    ----------
    Somol et al. 2011, section 1.2.2.

    Examples
    --------
    >>> from hetsel import DOS5NN, datasets
    >>> heart = datasets.load("heart")
    >>> search = DOS5NN(size=3).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist(), round(search.answer_.score(3), 3)
    (['chest pain', 'major vessels colored', 'thal'], 0.819)
    """

    search: object = "dos"

    about = About(
        "dynamic oscillating search, cross-validated 5-NN, HEOM distance",
        paper="somol2011, section 1.2.2",
        cost=Cost("s^2 p^2 + n p", "0.6 s^2 + 4 n p", SEARCHED),
        flaws=("copies",),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
