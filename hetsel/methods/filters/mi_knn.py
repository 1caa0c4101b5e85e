from hetsel.ground import whole_number
from hetsel.resampling.row_parts import content_sample
from hetsel.selection import SAMPLE, About, BaseSelector, Cost, Problem, Ranking, order_best_first
from hetsel.statistics.information.neighbor_information import target_information


class MIKNN(BaseSelector):
    """Rank features by their mutual information with the target from nearest neighbors.

    J(f) = psi(n) + (1/n) sum_i (psi(k_i) - psi(m_i) - psi(n_i)),   in nats,

    with n_i the number of rows in the class of row i, m_i the number of rows at most as far in f as
    its k-th nearest neighbor in the class, and k_i = k. Repeated values are counted as described in
    :mod:`hetsel.statistics.information.neighbor_information`. Columns of all kinds are accepted.
    Prefer the method to `mi-histogram` for continuous columns with nonlinear effects, since it
    needs no bins.

    J is at least 0 and at most the entropy of the class and of the distinct values. Features at a
    bound are ordered by the estimate without bounds. Nothing is random.

    A numeric target is scaled to [0, 1]. For a nominal column the estimate is the same with levels
    in place of classes. For a continuous or ordinal column n_i counts the rows at most as far in y
    as the k-th nearest neighbor in both, where the larger distance counts. The bounds are then the
    entropies of the distinct values. Another scale of the target changes the estimate unless it is
    affine.

    An ordinal column enters by the numbers of its levels. Levels of a nominal column are at
    distance 0 or infinity, and so are missing values with missing="separate".

    Parameters
    ----------
    neighbors : int
        k. A class of k rows or fewer uses as many neighbors as it has.
    sample : int, optional
        For a numeric target: a larger table is reduced to this many rows before anything else, see
        :func:`hetsel.resampling.row_parts.content_sample`, since pairs of numbers take O(n^1.5).
        None uses all rows.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `estimate` (p,) is the estimate without bounds.

    See Also
    --------
    MIHistogram : Estimates from counts, faster.
    MIParzen : Estimates from Parzen windows.

    References
    ----------
    Ross 2014, PLoS ONE 9, e87357; Kraskov, Stoegbauer and Grassberger 2004, Physical Review E 69,
    066138, Eq. 8; Gao, Kannan, Oh and Viswanath 2017, Advances in Neural Information Processing
    Systems 30, 5986-5997.

    Examples
    --------
    >>> from hetsel import MIKNN, datasets
    >>> heart = datasets.load("heart")
    >>> selector = MIKNN().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0                   thal       0.140
    1             chest pain       0.137
    2  major vessels colored       0.122
    """

    neighbors: int = 3
    sample: int | None = SAMPLE

    about = About(
        "mutual information with the target, from k nearest neighbors",
        paper="ross2014",
        cost=Cost("n p log n", "0.2 n p + 16 n"),
        costs={"numbers": Cost("s^1.5 p + n p", "0.2 n p + 32 n")},
        flaws=("copies",),
        targets=("classes", "numbers"),
        why_not={"survival": "distances need an uncensored time of each row"},
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
