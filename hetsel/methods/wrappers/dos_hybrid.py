from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class DOSHybrid(SubsetSearch):
    """Dynamic oscillating search; the quarter of the candidates of the largest mutual information
    with the class reaches the cross-validated rate of 5-NN.

    References
    ----------
    Somol, Grim, Novovicova and Pudil 2011, section 4.
    """

    search: object = "dos"
    hybrid: float | None = 0.25

    about = About(
        "dynamic oscillating search, mutual information chooses the candidates of 5-NN",
        paper="somol2011, definitions 4.1 and 4.2",
        cost=Cost("s^2 p^2 + n p^2", "0.6 s^2 + 4 n p", SEARCHED),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )
