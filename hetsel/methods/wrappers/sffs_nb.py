from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import About, Cost


class SFFSNaiveBayes(SubsetSearch):
    """Forward floating search for the subset with the best cross-validated rate of naive Bayes.

    References
    ----------
    Pudil, Novovicova and Kittler 1994; Somol et al. 2011, section 1.2.2.
    """

    criterion: object = "naive-bayes"

    about = About(
        "floating forward search, cross-validated naive Bayes",
        paper="somol2011, section 1.2.2",
        cost=Cost("n p k", "5.5 n p"),
        draws=True,
        why_not=dict.fromkeys(
            ("numbers", "survival"), "naive Bayes knows how likely a row is in each class"
        ),
    )
