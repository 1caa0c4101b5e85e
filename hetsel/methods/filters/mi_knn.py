from hetsel.ground import whole_number
from hetsel.resampling.row_parts import content_sample
from hetsel.selection import SAMPLE, About, BaseSelector, Cost, Problem, Ranking, order_best_first
from hetsel.statistics.information.neighbor_information import target_information


class MIKNN(BaseSelector):
    """Rank features by their mutual information with the target, estimated by nearest neighbors.

    J(f) = psi(n) + (1/n) sum_i (psi(k_i) - psi(m_i) - psi(n_i)), in nats, where n_i is the number
    of rows of the class of row i, m_i the number of rows as near in f as its k-th nearest neighbor
    of the class, and k_i = k; cells that repeat are counted as in
    :mod:`hetsel.statistics.information.neighbor_information`. It is at least 0 and at most the
    entropy of the class and of the distinct cells. Features at a bound are ordered by the estimate
    without bounds, `estimate` (p,) in the answer's extras. Nothing is drawn.

    A target of numbers is scaled to [0, 1]: with a nominal column the estimate is the same, levels
    in place of classes; with a column of numbers n_i counts the rows as near in y as the k-th
    nearest neighbor in both, the larger distance counts. It is at most the entropies of the
    distinct cells. Another scale of the target changes it, unless that is affine.

    An ordinal column counts by the numbers of its levels; the levels of a nominal column are at
    distance 0 or infinity, and so are missing cells that are kept.

    Parameters
    ----------
    neighbors : int
        k; a class of k rows or fewer takes as many as it has.
    sample : int, optional
        Beside a target of numbers, of a table with more rows than this so many are used, as if
        there were no others, see :func:`hetsel.resampling.row_parts.content_sample`: pairs of
        numbers take O(n^1.5). None uses all rows.

    References
    ----------
    Ross 2014, PLoS ONE 9, e87357; Kraskov, Stoegbauer and Grassberger 2004, Physical Review E 69,
    066138, Eq. 8; Gao, Kannan, Oh and Viswanath 2017, Advances in Neural
    Information Processing Systems 30, 5986-5997.
    """

    neighbors: int = 3
    sample: int | None = SAMPLE

    about = About(
        "mutual information with the target, by k nearest neighbors",
        paper="ross2014",
        cost=Cost("n p log n", "0.2 n p + 16 n"),
        costs={"numbers": Cost("s^1.5 p + n p", "0.2 n p + 32 n")},
        flaws=("copies",),
        targets=("classes", "numbers"),
        why_not={"survival": "distances need the time of each row"},
    )

    def _select(self, problem: Problem) -> Ranking:
        if self.sample is not None:
            whole_number("sample", self.sample, 2)
        levels, n = problem.target.kind == "classes", problem.n
        if not levels:
            problem = content_sample(problem, self.sample)
        table = problem.table
        y = problem.classes.codes if levels else problem.numbers.values
        bounded, estimates = target_information(
            table.values, table.nominal, y, self.neighbors, y_levels=levels
        )
        order = order_best_first(bounded, estimates)
        sampled = problem.n if problem.n < n else 0
        return Ranking(order, bounded, extras={"estimate": estimates}, sampled=sampled)
