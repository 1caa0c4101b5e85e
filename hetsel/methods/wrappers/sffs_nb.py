from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import About, Cost


class SFFSNaiveBayes(SubsetSearch):
    """Search subsets by floating forward search with naive Bayes.

    The criterion is the cross-validated balanced accuracy of naive Bayes, Gaussian for continuous
    columns and with smoothed proportions for levels. Columns of all kinds are accepted; the target
    must be classes. Prefer it to `sffs-5nn` for large tables, since an evaluation takes time linear
    in the rows.

    See Also
    --------
    SFFS5NN : The same search with nearest neighbors.
    SFFSRidge : The same search with ridge regression.
    SubsetSearch : Any search with any criterion.

    References
    ----------
    Pudil, Novovicova and Kittler 1994; Somol et al. 2011, section 1.2.2.

    Examples
    --------
    >>> from hetsel import SFFSNaiveBayes, datasets
    >>> heart = datasets.load("heart")
    >>> search = SFFSNaiveBayes(size=3).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist(), round(search.answer_.score(3), 3)
    (['chest pain', 'ST by exercise', 'thal'], 0.787)
    """

    criterion: object = "naive-bayes"

    about = About(
        "floating forward search, cross-validated naive Bayes",
        paper="somol2011, section 1.2.2",
        cost=Cost("n p k", "5.5 n p"),
        draws=True,
        why_not=dict.fromkeys(("numbers", "survival"), "naive Bayes predicts classes"),
    )
