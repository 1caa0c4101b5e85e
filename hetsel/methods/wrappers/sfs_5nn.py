from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import SEARCHED, About, Cost


class SFS5NN(SubsetSearch):
    """Forward selection of the subset with the best cross-validated rate of 5-NN.

    References
    ----------
    Whitney 1971, IEEE Transactions on Computers 20; Somol et al. 2011, section 1.2.2.
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
