from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class SFFS5NN(SubsetSearch):
    """Forward floating search for the subset with the best cross-validated rate of 5-NN.

    References
    ----------
    Pudil, Novovicova and Kittler 1994; Somol et al. 2011, section 1.2.2.
    """

    about = About(
        "floating forward search, cross-validated 5-NN, HEOM distance",
        paper="somol2011, section 1.2.2",
        cost=Cost("s^2 p k + n p", "0.6 s^2 + 4 n p", SEARCHED),
        flaws=("copies",),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
