from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class DOSVoting(SubsetSearch):
    """Search subsets by dynamic oscillation with votes of 1-, 3-, 5- and 7-NN.

    The candidates are ranked by the cross-validated performance of each of the four numbers of
    nearest neighbors, and the candidate of the best mean rank is chosen. Columns and targets of all
    kinds are accepted. Prefer it to `dos-5nn` if the result should not depend on one number of
    neighbors.

    See Also
    --------
    DOS5NN : One number of neighbors.
    SubsetSearch : Any search with any criterion; `voting` sets the rule.

    References
    ----------
    Somol, Grim, Novovicova and Pudil 2011, section 3.1.1 and 3.2.

    Examples
    --------
    >>> from hetsel import DOSVoting, datasets
    >>> heart = datasets.load("heart")
    >>> search = DOSVoting(size=3).fit(heart.X, heart.y)
    >>> search.get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    search: object = "dos"
    criterion: object = "1nn,3nn,5nn,7nn"
    voting: object = "order"

    about = About(
        "dynamic oscillating search, votes of 1-, 3-, 5- and 7-NN",
        paper="somol2011, Eq. 15-17",
        cost=Cost("s^2 p^2 + n p", "0.6 s^2 + 4 n p", SEARCHED),
        flaws=("copies",),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
