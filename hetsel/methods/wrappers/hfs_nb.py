import numpy as np

from hetsel.ground import TableError
from hetsel.search.criteria.rates.naive_bayes_rate import NaiveBayesRate
from hetsel.search.rankings.two_filters_merged import HybridSelector
from hetsel.selection import About, Cost


class HFSNaiveBayes(HybridSelector):
    """Hybrid feature selection with naive Bayes: two filters, merged by what they add.

    The list of numbers (t-test) and the list of nominal columns (Fisher's exact test) are merged
    greedily by the cross-validated balanced classification rate of naive Bayes: Gaussian for
    numbers, smoothed shares for levels; see :mod:`hetsel.models.naive_bayes`.

    Parameters
    ----------
    smoothing : float
        Added to every count of a level, larger than 0.
    var_smoothing : float
        Share of a column's variance added to the variance of each class, larger than 0.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 3.
    """

    smoothing: float = 1.0
    var_smoothing: float = 1e-9

    about = About(
        "t-test and Fisher's exact test merged by naive Bayes",
        paper="paul2015, section 3",
        cost=Cost("n p", "4 n p + 20 n"),
        draws=True,
        why_not=dict.fromkeys(
            ("numbers", "survival"), "naive Bayes knows how likely a row is in each class"
        ),
    )

    def _criterion(self) -> NaiveBayesRate:
        for name in ("smoothing", "var_smoothing"):
            value = getattr(self, name)
            if not 0 < value < np.inf:
                raise TableError(f"{name} must be a number larger than 0. Got {value!r}")
        return NaiveBayesRate(self.folds, self.smoothing, self.var_smoothing)
