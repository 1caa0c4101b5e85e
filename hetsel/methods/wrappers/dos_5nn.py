from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class DOS5NN(SubsetSearch):
    """Dynamic oscillating search for the subset with the best cross-validated rate of 5-NN.

    References
    ----------
    Somol et al. 2011, section 1.2.2.
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
