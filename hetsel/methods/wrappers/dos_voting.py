from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class DOSVoting(SubsetSearch):
    """Dynamic oscillating search in which the rates of 1-, 3-, 5- and 7-NN vote on each feature.

    References
    ----------
    Somol, Grim, Novovicova and Pudil 2011, section 3.1.1 and 3.2.
    """

    search: object = "dos"
    criterion: object = "1nn,3nn,5nn,7nn"
    voting: object = "order"

    about = About(
        "dynamic oscillating search, 1-, 3-, 5- and 7-NN vote by their orders",
        paper="somol2011, Eq. 15-17",
        cost=Cost("s^2 p^2 + n p", "0.6 s^2 + 4 n p", SEARCHED),
        flaws=("copies",),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
