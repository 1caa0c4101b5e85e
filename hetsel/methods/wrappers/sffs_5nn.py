from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class SFFS5NN(SubsetSearch):
    """Search subsets by floating forward search with 5-NN.

    The criterion is the cross-validated performance of 5 nearest neighbors in the HEOM distance:
    balanced accuracy for classes, R^2 for a numeric target, concordance for survival times. After
    each addition features are removed as long as this beats the best known subset of the smaller
    size. Columns of all kinds are accepted. Prefer it to filters if features may interact and the
    table has at most some hundred features.

    See Also
    --------
    SFS5NN : Forward selection without removals, faster.
    DOS5NN : Dynamic oscillating search, more thorough.
    SFFSNaiveBayes : The same search with naive Bayes.
    SubsetSearch : Any search with any criterion.

    References
    ----------
    Pudil, Novovicova and Kittler 1994; Somol et al. 2011, section 1.2.2.

    Examples
    --------
    >>> from hetsel import SFFS5NN, datasets
    >>> heart = datasets.load("heart")
    >>> search = SFFS5NN(size=3).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist(), round(search.answer_.score(3), 3)
    (['chest pain', 'major vessels colored', 'thal'], 0.819)
    """

    about = About(
        "floating forward search, cross-validated 5-NN, HEOM distance",
        paper="somol2011, section 1.2.2",
        cost=Cost("s^2 p k + n p", "0.6 s^2 + 4 n p", SEARCHED),
        flaws=("copies",),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
