from hetsel.ground import whole_number
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate
from hetsel.search.rankings.two_filters_merged import HybridSelector
from hetsel.selection import SEARCHED, About, Cost, Problem


class HFS5NN(HybridSelector):
    """Hybrid feature selection with nearest neighbors: two filters, merged by what they add.

    The list of numbers (t-test) and the list of nominal columns (Fisher's exact test) are merged
    greedily by the cross-validated balanced classification rate of 5-NN in the heterogeneous
    Euclidean-overlap metric; see :mod:`hetsel.models.neighbors`. Of a target of numbers the lists
    are those of F-tests, merged by R^2; of survival times those of the score test of Cox's model
    and of the log-rank test, merged by the concordance.

    Parameters
    ----------
    neighbors : int
        Number of nearest rows that vote.
    sample : int, optional
        Of a table with more rows than this the lists are merged by so many, as if there were no
        others: the same ones in any order of the rows, each class with its share, but `folds` at
        least, see :func:`hetsel.resampling.row_parts.content_sample`. The tests, which order
        the lists, are of all rows. None merges by all rows.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 3, Eq. 9 to 11.
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
        """Of all rows, where no sample is taken."""
        return Cost("n^2 p", "0.6 n^2 + 4 n p") if self.sample is None else super()._cost(problem)

    def _criterion(self) -> NeighborsRate:
        whole_number("neighbors", self.neighbors, 1)
        return NeighborsRate(self.neighbors, self.folds, sample=self.sample)
