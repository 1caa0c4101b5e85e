"""Two by two tables of many counts, by ratios of neighboring tables: ours, as scipy's lose digits.

scipy's probabilities come from logarithms of factorials of the counts: with a million counts they
have eleven digits, with a thousand million five, with 10^12 none. The ratio of two neighboring
tables is a ratio of whole numbers, and its distance from 1 is known to all digits.
"""

from math import lgamma, log

import numpy as np
from numpy.typing import NDArray

from hetsel.statistics.fisher.margins import TIE

CHUNK = 2**18
FARTHEST = (
    2**24
)  # steps that are walked; beyond, differences of logarithms of factorials tell enough
NEGLIGIBLE = -45.0  # log of the share of the largest term below which a sum ends

Cells = tuple[int, int, int, int]


def log_ratio_sum(counts: NDArray[np.int64]) -> float:
    """Log p-value of a table of 2 x 2 counts whose margins are above 0.

    With w(t) for the probability of a table, log p is that of the sum of w over the tables with
    w(t) <= w(o) (1 + 1e-7), from the observed one outward and from the first such one beyond the
    mode, over the sum of all.

    Examples
    --------
    >>> table = np.array([[10**12, 10**12 + 3 * 10**6], [10**12, 10**12]])
    >>> round(float(np.exp(log_ratio_sum(table))), 6)
    0.133615
    """
    a, b, c, d = (int(count) for count in counts.ravel())
    if a * d < b * c:
        a, b, c, d = b, a, d, c
    mode = (a + b + 1) * (a + c + 1) // (a + b + c + d + 2)
    above = max(0, a - mode)
    top = (a - above, b + above, c + above, d - above)
    level = _log_weight(top, above)
    down = _turned(top)
    steps = _steps_to(down, level + TIE)
    whole = np.logaddexp(_log_sum(top), _log_sum(down))
    whole += np.log1p(-np.exp(-whole))  # the mode counts once
    tails = level + _log_sum((a, b, c, d))
    if steps is not None:
        other = _moved(down, steps)
        tails = np.logaddexp(tails, _log_weight(down, steps) + _log_sum(other))
    return min(0.0, float(tails - whole)) if above or steps else 0.0


def _turned(cells: Cells) -> Cells:
    """The columns exchanged: a step up is a step down."""
    a, b, c, d = cells
    return b, a, d, c


def _moved(cells: Cells, steps: int) -> Cells:
    a, b, c, d = cells
    return a + steps, b - steps, c - steps, d + steps


def _log_ratios(cells: Cells, start: int, stop: int) -> NDArray[np.float64]:
    """log w(a + j + 1) / w(a + j) for j = start, ..., stop - 1."""
    a, b, c, d = _moved(cells, start)
    j = np.arange(stop - start, dtype=np.float64)
    numerator = float(b * c - (a + 1) * (d + 1)) - j * float(a + b + c + d + 2)
    below = (a + 1 + j) * (d + 1 + j)
    with np.errstate(divide="ignore"):
        near, far = np.log1p(np.maximum(numerator / below, -1.0)), np.log((b - j) * (c - j) / below)
    return np.where(numerator < -0.5 * below, far, near)


def _log_sum(cells: Cells) -> float:
    """Log of the sum of w over a table and those above it, for w of the table as 1."""
    total, last, start, most = 1.0, 0.0, 0, min(cells[1], cells[2])
    while start < most and last > NEGLIGIBLE:
        stop = min(most, start + CHUNK)
        logs = last + np.cumsum(_log_ratios(cells, start, stop))
        total += float(np.exp(logs).sum())
        last, start = float(logs[-1]), stop
    return log(total)


def _log_weight(cells: Cells, steps: int) -> float:
    """log w(a + steps) / w(a)."""
    if steps <= FARTHEST:
        edges = range(0, steps, CHUNK)
        return sum(float(_log_ratios(cells, k, min(steps, k + CHUNK)).sum()) for k in edges)
    pairs = zip(cells, _moved(cells, steps), strict=True)
    return sum(lgamma(one + 1) - lgamma(other + 1) for one, other in pairs)


def _steps_to(cells: Cells, level: float) -> int | None:
    """Steps from the mode to the first table with log w <= level; None where there is none."""
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
