from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import ROWS_FOR_MACHINES, About, Cost


class SFFSSVM(SubsetSearch):
    """Search subsets by floating forward search with the clinical SVM.

    The criterion is the cross-validated balanced accuracy of the support vector machine with the
    clinical kernel. Columns of all kinds are accepted; the target must be classes. Prefer it if the
    final model is this machine and the table is small: each fold and candidate trains a machine, in
    all about p^2 folds machines of n rows.

    See Also
    --------
    RFESVM : Elimination with the same machine, far faster.
    SFFS5NN : The same search with nearest neighbors.
    SubsetSearch : Any search with any criterion.

    References
    ----------
    Somol et al. 2011, section 2.3; Paul, D'Ambrosio and Dupont 2015, Eq. 1 and 2.

    Examples
    --------
    >>> from hetsel import SFFSSVM, datasets
    >>> heart = datasets.load("heart")
    >>> search = SFFSSVM(size=2, folds=2).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist()
    ['ST by exercise', 'thal']
    """

    criterion: object = "svm"

    about = About(
        "floating forward search, cross-validated support vector machine, clinical kernel",
        paper="somol2011, section 2.3",
        cost=Cost("s^3 p k + n p", "3 s^2 + 4 n p", ROWS_FOR_MACHINES),
        draws=True,
        trial={"folds": 2},
    )
