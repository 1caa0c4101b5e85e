import numpy as np

from hetsel.ground import TableError
from hetsel.search.criteria.rates.naive_bayes_rate import NaiveBayesRate
from hetsel.search.rankings.two_filters_merged import HybridSelector
from hetsel.selection import About, Cost


class HFSNaiveBayes(HybridSelector):
    """Rank features by hybrid selection: two filters, merged by naive Bayes.

    The continuous and ordinal columns are ranked by the t-test, the nominal columns by Fisher's
    exact test. Naive Bayes merges the two lists greedily by its cross-validated balanced accuracy:
    Gaussian for continuous columns, smoothed proportions for levels; see
    :mod:`hetsel.models.naive_bayes`. The target must be classes. Prefer it to `hfs-5nn` for large
    tables, since its time grows with n p.

    Parameters
    ----------
    smoothing : float
        Number added to every count of a level, larger than 0.
    var_smoothing : float
        Proportion of the variance of a column that is added to the variance of each class, larger
        than 0.

    See Also
    --------
    HFS5NN : The same with nearest neighbors, also for numeric targets and survival times.
    UnivariateTests : One list, ordered by the p-values of both kinds.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 3.

    Examples
    --------
    >>> from hetsel import HFSNaiveBayes, datasets
    >>> heart = datasets.load("heart")
    >>> HFSNaiveBayes(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['max HR', 'major vessels colored', 'thal']
    """

    smoothing: float = 1.0
    var_smoothing: float = 1e-9

    about = About(
        "t-test and Fisher's exact test merged by naive Bayes",
        paper="paul2015, section 3",
        cost=Cost("n p", "4 n p + 20 n"),
        draws=True,
        why_not=dict.fromkeys(("numbers", "survival"), "naive Bayes predicts classes"),
    )

    def _criterion(self) -> NaiveBayesRate:
        for name in ("smoothing", "var_smoothing"):
            value = getattr(self, name)
            if not 0 < value < np.inf:
                raise TableError(f"{name} must be a number larger than 0. Got {value!r}")
        return NaiveBayesRate(self.folds, self.smoothing, self.var_smoothing)
