"""Sequential forward floating selection by the held-out rate of naive Bayes."""

from typing import Any

from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import About, Cost


class SFFSNaiveBayes(SubsetSearch):
    """Forward floating search for the subset with the best cross-validated rate of naive Bayes.

    The parameters are those of :class:`hetsel.SubsetSearch`, set for this search.

    References
    ----------
    Pudil, Novovicova and Kittler 1994; Somol et al. 2011, section 1.2.2.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5] * 3, "sex": list("ffmm") * 3})
    >>> SFFSNaiveBayes().fit(frame, [0, 0, 1, 1] * 3).get_feature_names_out()
    array(['sex'], dtype=object)
    """

    criterion: Any = "naive-bayes"

    about = About(
        "floating forward search, cross-validated naive Bayes",
        paper="somol2011, section 1.2.2",
        cost=Cost("n p k", "5.5 n p"),
        draws=True,
        why_not={
            "numbers": "naive Bayes knows how likely a row is in each class",
            "survival": "naive Bayes knows how likely a row is in each class",
        },
    )
