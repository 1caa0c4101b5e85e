"""Test whether a column has the same distribution in two sets of rows, with row groups.

Notation. n_1 and n_2 rows, p_1 and p_2 the proportions (m,) of them in the cells of a column
(levels or bins, and one cell of missing values), p those of all rows, V_1 and V_2 the covariances
of p_1 and p_2, c = 1 / n_1 + 1 / n_2. Pearson's statistic is X^2 = (1 / c) sum_i (p_1i - p_2i)^2 /
p_i.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.sparse import csr_array

FEW_ROWS_OF_CELL = 5.0  # independent rows of both sets together, below which cells are joined


@dataclass(frozen=True, eq=False)
class CellShares:
    """Hold the distribution of the rows of one set over the cells of a column."""

    counts: np.ndarray  # (m,): rows in each cell
    # (m, m): of the proportions of the cells; None if rows are independent
    covariance: np.ndarray | None
    units: int  # row groups, or rows if they are independent

    @classmethod
    def of(cls, places: np.ndarray, m: int, groups: np.ndarray | None) -> "CellShares":
        """Count rows with the cells `places` (n,) among m, and groups (n,) numbered from 0."""
        counts = np.bincount(places, minlength=m).astype(np.float64)
        if groups is None:
            return cls(counts, None, len(places))
        return cls(counts, cell_covariance(places, m, groups), len(np.unique(groups)))

    def joined(self, cells: np.ndarray) -> "CellShares":
        """Join cells: `cells` (m,) is the new number of each."""
        join = np.zeros((cells.max() + 1, len(cells)))
        join[cells, np.arange(len(cells))] = 1.0
        own = None if self.covariance is None else join @ self.covariance @ join.T
        return CellShares(join @ self.counts, own, self.units)

    def covariance_at(self, p: np.ndarray) -> np.ndarray:
        """Return the covariance, or that of independent rows with the proportions p."""
        if self.covariance is not None:
            return self.covariance
        return np.asarray((np.diag(p) - np.outer(p, p)) / self.counts.sum())

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the covariance; infinite if it follows from p."""
        return np.inf if self.covariance is None else self.units - 1.0


def cell_covariance(places: np.ndarray, m: int, groups: np.ndarray) -> np.ndarray:
    """Compute the covariance (m, m) of the proportions of cells for rows in groups.

    It is the jackknife of whole groups, (G - 1) / G sum_g d_g d_g' with d_g = (n_g p - k_g) / (n -
    n_g), how much the proportions p move without group g, whose n_g rows lie k_g (m,) in the cells.

    Examples
    --------
    >>> cell_covariance(np.array([0, 0, 1, 1]), 2, np.array([0, 0, 1, 1]))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    codes = np.unique(groups, return_inverse=True)[1]
    n, sizes = len(places), np.bincount(codes).astype(np.float64)
    if len(sizes) < 2:
        return np.zeros((m, m))
    counts = csr_array((np.ones(n), (codes, places)), shape=(len(sizes), m))
    scaled = csr_array((1 / (n - sizes[codes]), (codes, places)), shape=(len(sizes), m))
    ratio, p = sizes / (n - sizes), counts.sum(axis=0) / n
    crossed = np.outer(scaled.T @ ratio, p)
    squares = (scaled.T @ scaled).toarray() - crossed - crossed.T
    squares += (ratio**2).sum() * np.outer(p, p)
    return np.asarray(squares * (len(sizes) - 1) / len(sizes))


def same_distribution(
    old: CellShares, new: CellShares, ordered: bool
) -> tuple[float | None, float | None]:
    """Compute p for equal distributions, and the mean of X^2 c by chance alone.

    This is Rao and Scott's second correction. With D = diag(1 / p) (V_1 + V_2) / c, X^2 / tr(D) is
    compared with F of tr(D)^2 / tr(D^2) and f times as many degrees of freedom. f is that of V_1 +
    V_2 by Satterthwaite; tr(D^2) is that of covariances estimated with f degrees of freedom, minus
    its bias. For independent rows this is Pearson's test. Cells with few rows are joined, by the
    rows of both sets together. The result is None if there is nothing to compare. The first of the
    m cells is that of missing values; ordered cells are joined in their order.

    References
    ----------
    Rao & Scott (1984) Annals of Statistics 12, 46-60; Thomas & Rao (1987) Journal of the American
    Statistical Association 82, 630-636 (F); Bai & Saranadasa (1996) Statistica Sinica 6, 311-329
    (the bias).

    Examples
    --------
    >>> rows = [CellShares(np.array(k), None, sum(k)) for k in ([0, 30.0, 10], [0, 20.0, 20])]
    >>> round(same_distribution(*rows, ordered=False)[0], 4)
    0.0209
    """
    rows = old.counts.sum() + new.counts.sum()
    few = FEW_ROWS_OF_CELL * rows / max(1, old.units + new.units)
    cells = join_rare_cells(old.counts + new.counts, few, ordered)
    one, two = old.joined(cells), new.joined(cells)
    n_one, n_two = one.counts.sum(), two.counts.sum()
    if len(one.counts) < 2 or not n_one or not n_two or min(one.freedom, two.freedom) < 1:
        return None, None
    p, c = (one.counts + two.counts) / rows, 1 / n_one + 1 / n_two
    statistic = float(((one.counts / n_one - two.counts / n_two) ** 2 / p).sum() / c)
    alone = [(np.diag(p) - np.outer(p, p)) / p[:, None] / n / c for n in (n_one, n_two)]
    parts = _alike(one, two, alone, [each.covariance_at(p) / p[:, None] / c for each in (one, two)])
    traces, both = [float(np.trace(part)) for part in parts], parts[0] + parts[1]
    total = sum(traces)
    if total <= 0:
        return None, None
    squares = float((both * both.T).sum())
    spent = sum(t**2 / each.freedom for t, each in zip(traces, (one, two), strict=True))
    if not spent:
        return float(stats.chi2.sf(statistic, total**2 / squares)), float(total * c)
    free = total**2 / spent
    squares = (squares - spent) * free**2 / max((free - 1) * (free + 2), 1e-9)
    first = total**2 / max(squares, total**2 / (len(p) - 1))
    return float(stats.f.sf(statistic / total, first, first * free)), float(total * c)


def _alike(
    one: CellShares, two: CellShares, alone: list[np.ndarray], parts: list[np.ndarray]
) -> list[np.ndarray]:
    """Raise covariances (m, m) to the intraclass correlation of the other set if far smaller.

    If hardly any group of a set has a level, its own covariance is no estimate. With a covariance d
    times that of independent rows, on average, the correlation is (d - 1) / (rows per group - 1).
    """
    if one.covariance is None or two.covariance is None:
        return parts
    sizes = [each.counts.sum() / each.units for each in (one, two)]
    effects = [np.trace(part) / np.trace(of) for part, of in zip(parts, alone, strict=True)]
    wanted = [
        1 + (sizes[i] - 1) * np.clip((effects[j] - 1) / max(sizes[j] - 1, 1e-9), 0, 1)
        for i, j in ((0, 1), (1, 0))
    ]
    return [
        part + (want - effect) * of if effect < want / 2 else part
        for part, want, effect, of in zip(parts, wanted, effects, alone, strict=True)
    ]


def join_rare_cells(rows: np.ndarray, few: float, ordered: bool) -> np.ndarray:
    """Number cells (m,) again, so that at most one has fewer than `few` of the rows (m,).

    Examples
    --------
    >>> join_rare_cells(np.array([0, 9, 1, 9, 1]), 5, ordered=False)
    array([2, 0, 2, 1, 2])
    >>> join_rare_cells(np.array([0, 3, 3, 9, 1]), 5, ordered=True)
    array([1, 0, 0, 1, 1])
    """
    if not ordered:
        many = rows >= few
        rest = many.sum() if rows[~many].any() else 0  # cells without rows join any
        return np.asarray(np.where(many, np.cumsum(many) - 1, rest))
    cells, number, own = np.zeros(len(rows), dtype=np.intp), 0, 0.0
    for i, count in enumerate(rows[1:], 1):
        if own >= few:
            number, own = number + 1, 0.0
        cells[i], own = number, own + count
    if own < few and number:  # the last cells join those before
        cells[cells == number] = number = number - 1
    cells[0] = number + 1 if rows[0] >= few else number
    return cells
