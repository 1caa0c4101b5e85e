import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings.forward_loop import After, ForwardInformationFilter
from hetsel.selection import About, Cost
from hetsel.statistics.information.mutual_information import Information


class CFS(ForwardInformationFilter):
    """Select features one by one by the correlation-based merit of the subset.

    merit(S) = k r_cf / sqrt(k + k (k - 1) r_ff)

    for k features with mean correlation r_cf with the class and mean correlation r_ff with each
    other. The correlation of two columns is their symmetrical uncertainty 2 I(a; b) / (H(a) +
    H(b)). The importance of a feature is the merit of the subset that ends with it. Columns of all
    kinds are accepted. Prefer CFS if redundant features should be skipped: a feature that is
    correlated with the selected ones lowers the merit.

    See Also
    --------
    MRMR : Relevance minus mean redundancy, in nats.
    JMI : Also finds features that are informative only together.

    References
    ----------
    Hall 1999, Correlation-based Feature Selection for Machine Learning, thesis, University of
    Waikato, Eq. 4.3.

    Examples
    --------
    The second column is a copy of the first, so the third one is selected.

    >>> from hetsel import CFS
    >>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> CFS(size=2).fit(table, [0, 0, 1, 1, 1, 1, 1, 1]).signature()
    array([0, 2])
    """

    about = About(
        "correlation-based selection: merit of symmetrical uncertainties",
        paper="hall1999",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "symmetrical uncertainty is not defined for censored times"},
    )

    def _criterion(self, information: Information, y: np.ndarray) -> tuple[np.ndarray, After]:
        with_class = information.uncertainty(y)
        between = np.zeros(len(with_class))
        sums = np.zeros(3)  # features, their correlations with the class, and with each other

        def after(last: int, left: np.ndarray) -> np.ndarray:
            sums[:] += 1.0, with_class[last], between[last]
            between[left] += information.uncertainty(information.column(last), left)[left]
            size, relevance, redundancy = sums
            width = np.sqrt(size + 1.0 + 2.0 * (redundancy + between))
            return equalized((relevance + with_class) / width)

        return with_class, after
