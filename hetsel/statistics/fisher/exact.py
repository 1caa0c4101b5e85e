"""Compute Fisher's exact test for tables of any size: exactly if feasible, else by Monte Carlo.

Tables of 2 x 2 use scipy's fisher_exact. If few tables have the same margins, they use the sum of
hypergeometric probabilities, in a third of the time. Larger tables, logarithms of p-values that
underflow, and tables of more than 100,000 counts are implemented here (decisions 034 and 035).
"""

from math import isfinite, lgamma, log

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from hetsel.ground import TableError, whole_number
from hetsel.ground.array_types import Floats, Integers
from hetsel.ground.rounding import UNDERFLOW
from hetsel.statistics.doors import score_tables
from hetsel.statistics.fisher import monte_carlo
from hetsel.statistics.fisher.counting import TIE, OutOfReach, log_exact_sum
from hetsel.statistics.fisher.monte_carlo import FisherResult

FourfoldCells = tuple[int, int, int, int]

FEW_FOURFOLD_TABLES = 200  # tables of 2 x 2 with the same margins
MOST = 100_000  # counts up to which scipy's probabilities have ten digits
DRAWN = 10_000_000  # counts of tables to draw; beyond, it takes minutes
WALKED = 10**13  # counts of 2 x 2 tables whose ratios are summed step by step; it takes seconds
LARGEST = 2**53  # counts in total: up to here they are whole in double precision
CHUNK = 2**18  # steps at a time
# steps that are summed; beyond, differences of log factorials are exact enough
FARTHEST = 2**24
NEGLIGIBLE = -45.0  # a sum ends at the term whose log ratio to the largest term is below this


def fisher_exact(
    table: ArrayLike, *, samples: int = 100_000, seed: int = 0, limit: int = 3_000_000
) -> FisherResult:
    """Test rows and columns of a table for independence with Fisher's exact test.

    The test is two-sided: p = sum of P(t) over the tables t with the margins of the observed table
    o for which P(t) <= P(o) (1 + 1e-7), P(t) = prod_i R_i! prod_j C_j! / (N! prod_ij t_ij!).

    If the exact sum needs more than `limit` states, p is estimated. With two rows (or two columns),
    tables are drawn from q(t) ~ P(t)^g and reweighted, with g such that the observed table is
    typical of q. The relative error stays small however small p is. Larger tables are drawn from P
    itself, and p = (hits + 1) / (samples + 1). If no drawn table is as improbable as the observed
    table, p is estimated by multilevel splitting, or by the asymptotic p-value of the likelihood
    ratio if splitting takes long. Neither has a lower limit. Tables of more than ten million counts
    use the asymptotic p-value.

    Parameters
    ----------
    table : frame of any library, dict of columns or array-like of counts of shape (r, c)
        Whole numbers; rows and columns without counts are dropped. A first column of text names the
        rows.
    samples : int
        Number of tables to draw if the exact sum is out of reach.
    seed : int
        Seed of the draws.
    limit : int
        Number of states that either half of the columns may hold, about 100 bytes each. With 0, all
        tables except those of 2 x 2 are sampled.

    Returns
    -------
    FisherResult

    Raises
    ------
    TableError
        If the table is not two-dimensional, is empty, contains other values than counts, or
        contains more than 2^53 counts.

    See Also
    --------
    scipy.stats.fisher_exact : The test of tables of 2 x 2.

    References
    ----------
    Freeman & Halton (1951) Biometrika 38, 141-149; Mehta & Patel (1983) JASA 78, 427-434.

    Examples
    --------
    >>> from hetsel.stats import fisher_exact
    >>> print(fisher_exact([[3, 1], [1, 3]]))
    Fisher's exact test: p = 0.4857 (log p = -0.722135); exact
    """
    counts = _checked(table)
    samples, seed = whole_number("samples", samples, 1), whole_number("seed", seed, 0)
    limit = whole_number("limit", limit, 0)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    if min(counts.shape) < 2:
        return FisherResult(0.0, True, 0.0, "exact: only one row or column has counts")
    if counts.shape[0] > counts.shape[1]:
        counts = counts.T
    counts = counts[np.argsort(counts.sum(axis=1), kind="stable")]
    fewest = min(counts.sum(axis=0).min(), counts.sum(axis=1).min())
    if counts.shape == (2, 2) and (counts.sum() <= WALKED or fewest <= FARTHEST):
        pvalue = _two_by_two(counts) if counts.sum() <= MOST else 0.0
        log_pvalue = log(pvalue) if pvalue > UNDERFLOW else log_ratio_sum(counts)
        return FisherResult(log_pvalue, True, 0.0, "exact")
    try:
        return FisherResult(log_exact_sum(counts, limit), True, 0.0, "exact")
    except OutOfReach:
        return _estimated(counts, samples, seed)


def _estimated(counts: Integers, samples: int, seed: int) -> FisherResult:
    """Estimate by importance sampling (two rows) or plainly, and by splitting without a hit."""
    if counts.sum() > DRAWN:
        return monte_carlo.of_many_counts(counts)
    columns = counts.sum(axis=0)
    tilted_work = (int(counts[0].sum()) + 1) * int((columns + 1).sum())
    tilted = len(counts) == 2 and tilted_work <= monte_carlo.LARGEST_TILTED
    estimate = (monte_carlo.tilted_sampling if tilted else monte_carlo.plain_sampling)(
        counts, samples, seed
    )
    known = isfinite(estimate.standard_error)
    return estimate if known else monte_carlo.split_sampling(counts, samples, seed)


def _two_by_two(counts: Integers) -> float:
    """Compute scipy's p-value by the faster of two ways."""
    row, column = int(counts[0].sum()), int(counts[:, 0].sum())
    total = int(counts.sum())
    fewest, most = max(0, row + column - total), min(row, column)
    if most - fewest >= FEW_FOURFOLD_TABLES:
        return float(stats.fisher_exact(counts).pvalue)
    first = np.arange(fewest, most + 1)
    chances = stats.hypergeom.pmf(first, total, row, column)
    observed = chances[counts[0, 0] - first[0]]
    return min(1.0, float(chances[chances <= observed * (1 + TIE)].sum()))


def _checked(table: ArrayLike) -> Integers:
    """Return the table as whole numbers, or raise an error that names the problem."""
    cells, columns = score_tables.frame_cells(table, "table")
    score_tables.refuse_shape(cells, 2, "table must have 2 dimensions (rows, columns)", table)
    if cells.size == 0:
        raise TableError(
            f"table must have at least one row and one column. Got shape {cells.shape}"
        )
    cells, _ = score_tables.without_row_names(cells, columns)
    values, _ = score_tables.floats_of(cells)
    wrong = ~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)))
    if wrong.any():
        got = values[wrong][0] if cells.dtype.kind == "f" else cells[wrong][0]
        raise TableError(f"table must contain counts (whole numbers, 0 or larger). Got {got}")
    if values.sum() > LARGEST:
        raise TableError(f"table must contain at most 2^53 counts. Got {values.sum():.4g}")
    return values.astype(np.int64)


def log_ratio_sum(counts: Integers) -> float:
    """Compute the log p-value of a 2 x 2 table whose margins are above 0, by ratios of neighbors.

    With w for the probability of a table, it is the sum of w over the tables with w(t) <= w(o) (1 +
    1e-7), divided by the sum over all tables. The first sum runs outward from the observed table
    and from the first such table beyond the mode.
    """
    a, b, c, d = (int(count) for count in counts.ravel())
    if a * d < b * c:
        a, b, c, d = b, a, d, c
    mode = (a + b + 1) * (a + c + 1) // (a + b + c + d + 2)
    above = max(0, a - mode)
    top = (a - above, b + above, c + above, d - above)
    level = _log_weight(top, above)
    down = (top[1], top[0], top[3], top[2])  # columns exchanged: a step up is a step down
    steps = _steps_to(down, level + TIE)
    whole = np.logaddexp(_log_sum(top), _log_sum(down))
    whole += np.log1p(-np.exp(-whole))  # the mode counts once
    tails = level + _log_sum((a, b, c, d))
    if steps is not None:
        other = _moved(down, steps)
        tails = np.logaddexp(tails, _log_weight(down, steps) + _log_sum(other))
    return min(0.0, float(tails - whole)) if above or steps else 0.0


def _moved(cells: FourfoldCells, steps: int) -> FourfoldCells:
    a, b, c, d = cells
    return a + steps, b - steps, c - steps, d + steps


def _log_ratios(cells: FourfoldCells, start: int, stop: int) -> Floats:
    """Return log w(a + j + 1) / w(a + j) for j = start, ..., stop - 1."""
    a, b, c, d = _moved(cells, start)
    j = np.arange(stop - start, dtype=np.float64)
    numerator = float(b * c - (a + 1) * (d + 1)) - j * float(a + b + c + d + 2)
    below = (a + 1 + j) * (d + 1 + j)
    with np.errstate(divide="ignore"):
        near, far = np.log1p(np.maximum(numerator / below, -1.0)), np.log((b - j) * (c - j) / below)
    return np.where(numerator < -0.5 * below, far, near)


def _log_sum(cells: FourfoldCells) -> float:
    """Return the log of the sum of w over a table and those above it, with w of the table as 1."""
    total, last, start, most = 1.0, 0.0, 0, min(cells[1], cells[2])
    while start < most and last > NEGLIGIBLE:
        stop = min(most, start + CHUNK)
        logs = last + np.cumsum(_log_ratios(cells, start, stop))
        total += float(np.exp(logs).sum())
        last, start = float(logs[-1]), stop
    return log(total)


def _log_weight(cells: FourfoldCells, steps: int) -> float:
    """Return log w(a + steps) / w(a)."""
    if steps <= FARTHEST:
        edges = range(0, steps, CHUNK)
        return sum(float(_log_ratios(cells, k, min(steps, k + CHUNK)).sum()) for k in edges)
    pairs = zip(cells, _moved(cells, steps), strict=True)
    return sum(lgamma(one + 1) - lgamma(other + 1) for one, other in pairs)


def _steps_to(cells: FourfoldCells, level: float) -> int | None:
    """Return the steps from the mode to the first table with log w <= level, or None."""
    last, start, most = 0.0, 0, min(cells[1], cells[2])
    while start < min(most, FARTHEST):
        stop = min(most, start + CHUNK)
        logs = last + np.cumsum(_log_ratios(cells, start, stop))
        if logs[-1] <= level:
            return start + int(np.argmax(logs <= level)) + 1
        last, start = float(logs[-1]), stop
    if start == most or _log_weight(cells, most) > level:
        return None
    low, high = start, most  # w(low) > level >= w(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _log_weight(cells, middle) <= level else (middle, high)
    return high
