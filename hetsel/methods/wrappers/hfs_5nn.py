from hetsel.ground import whole_number
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate
from hetsel.search.rankings.two_filters_merged import HybridSelector
from hetsel.selection import SEARCHED, About, Cost, Problem


class HFS5NN(HybridSelector):
    """Rank features by hybrid selection: two filters, merged by 5 nearest neighbors.

    The continuous and ordinal columns are ranked by the t-test, the nominal columns by Fisher's
    exact test. Nearest neighbors in the heterogeneous Euclidean-overlap metric merge the two lists
    greedily by their cross-validated balanced accuracy; see :mod:`hetsel.models.neighbors`. For a
    numeric target the lists come from F-tests and are merged by R^2. For survival times they come
    from the score test of Cox's model and from the log-rank test and are merged by the concordance.
    Prefer it to `univariate-tests` if p-values of the two kinds should not be compared directly.

    Parameters
    ----------
    neighbors : int
        Number of nearest rows that vote.
    sample : int, optional
        For a larger table the lists are merged on this many rows, the same ones in any order of the
        rows. Each class is sampled in proportion but has at least `folds` rows, see
        :func:`hetsel.resampling.row_parts.content_sample`. The tests that order the lists use all
        rows. None merges on all rows.

    See Also
    --------
    HFSNaiveBayes : The same with naive Bayes, for classes.
    UnivariateTests : One list, ordered by the p-values of both kinds.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 3, Eq. 9 to 11.

    Examples
    --------
    >>> from hetsel import HFS5NN, datasets
    >>> heart = datasets.load("heart")
    >>> HFS5NN(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    neighbors: int = 5
    sample: int | None = SEARCHED

    about = About(
        "t-test and Fisher's exact test merged by 5-NN, HEOM distance",
        paper="paul2015, section 3, Eq. 9-11",
        cost=Cost("s^2 p + n p", "0.6 s^2 + 4 n p", SEARCHED),
        flaws=("copies",),
        draws=True,
        targets=("classes", "numbers", "survival"),
    )

    def _cost(self, problem: Problem) -> Cost | None:
        """Return the cost of all rows if no sample is used."""
        return Cost("n^2 p", "0.6 n^2 + 4 n p") if self.sample is None else super()._cost(problem)

    def _criterion(self) -> NeighborsRate:
        whole_number("neighbors", self.neighbors, 1)
        return NeighborsRate(self.neighbors, self.folds, sample=self.sample)
