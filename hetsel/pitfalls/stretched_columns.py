"""Columns whose range few rows stretch: marks of missing values, outliers, heavy tails.

Kernels and distances that divide by the range hardly separate the other rows. All rules compare
ranges, so they do not depend on units, except for the form of a mark.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from hetsel.ground import Fix
from hetsel.pitfalls.caution import Caution
from hetsel.tables import Column, Note
from hetsel.tables.missing_cells import is_mark

FEWEST = 20  # with fewer rows, a far value of a lognormal column is usual
SHARE_OF_ROWS = 100  # outliers are one value, or at most one row in so many
OUTLYING = 8  # times the range of the other rows; 1 in 200 lognormal columns of 20 rows reaches it
TAIL = 0.05  # proportion of the rows at each end
TAIL_RANGE = 0.1  # largest fraction of the range that the others span
MOST_JUMPS = 50  # widest gaps at each end that are tried


def stretched(columns: Sequence[Column], ascending: np.ndarray) -> Iterator[Caution]:
    """Yield continuous columns that few rows stretch, by the first rule that applies.

    Values (q, n) are ascending, NaN last.
    """
    count = ascending.shape[1] - np.isnan(ascending).sum(axis=1)
    last, every = np.maximum(count - 1, 0), np.arange(len(ascending))
    half = ascending / 2  # so that no range overflows
    trim = np.minimum(np.maximum(1, count // SHARE_OF_ROWS), last // 2)
    whole = half[every, last] - half[:, 0]
    inner = half[every, last - trim] - half[every, trim]
    tail = (TAIL * count).astype(int)
    middle = half[every, last - tail] - half[every, tail]
    ends = np.column_stack([ascending[:, 0], ascending[every, last]])
    sparse = count >= FEWEST
    candidates = sparse & (whole > 0) & ((inner <= whole / OUTLYING) | _heavy(middle, whole))
    candidates |= (whole > 0) & np.array([any(map(is_mark, pair)) for pair in ends.tolist()])
    for j in np.flatnonzero(candidates).tolist():
        if columns[j].kind == "continuous":
            values = half[j, : count[j]]
            found = None if columns[j].time else _sentinel(columns[j].name, values)
            if found is None and sparse[j]:
                found = _outlier(columns[j], values, int(trim[j]))
                if found is None and _heavy(middle[j], whole[j]):
                    found = _heavy_tail(columns[j].name, values, float(middle[j] / whole[j]))
            if found is not None:
                yield found


def _sentinel(name: str, half: np.ndarray) -> Caution | None:
    """Find a mark at an end of ascending halves (m,) behind a gap of most of the range."""
    found = []
    for sign in (1, -1):  # a mark at the upper end, then at the lower end
        up = half if sign == 1 else -half[::-1]
        rest = up[: np.searchsorted(up, up[-1])]
        value, rows = sign * 2 * float(up[-1]), len(up) - len(rest)
        if not is_mark(value) or not len(rest) or (rows == 1 and abs(value) <= 99):
            continue
        width = float(rest[-1] - rest[0])
        if up[-1] - rest[-1] > width > 0:
            found.append((width / float(up[-1] - rest[0]), value, rows))
    if not found:
        return None
    left, value, rows = min(found)
    words = " value is " if rows == 1 else " values are "
    fix = Fix("missing_marks", (f"{value:.15g}",), "if it marks missing values")
    facts = {"value": value, "rows": rows, "share_of_range": 1 - left}
    return Caution("sentinel", (name,), facts, Note((rows, words, value, *_left(left)), (fix,)))


def _outlier(column: Column, half: np.ndarray, trim: int) -> Caution | None:
    """Find the fewest values, at most `trim`, without which the range collapses."""
    m = len(half)
    inner = float(half[m - 1 - trim] - half[trim])
    low, low_jump = _jumps(half[: trim + 1], inner)
    high, high_jump = _jumps(-half[::-1][: trim + 1], inner)
    width = half[m - 1 - high][None, :] - half[low][:, None]
    gone = low[:, None] + high[None, :]
    fits = (gone > 0) & (gone <= trim) & (width > 0)
    fits &= (low_jump[:, None] >= width) & (high_jump[None, :] >= width)
    fits &= width * OUTLYING <= half[-1] - half[0]
    if not fits.any():
        return None
    a, b = np.unravel_index(np.where(fits, gone, m).argmin(), gone.shape)
    rows, left = int(gone[a, b]), float(width[a, b] / (half[-1] - half[0]))
    values = 2 * np.concatenate([half[: low[a]], half[m - high[b] :]])
    lowest, highest = float(values.min()), float(values.max())
    facts = {"lowest": lowest, "highest": highest, "rows": rows, "share_of_range": 1 - left}
    fixes: tuple[Fix, ...] = (Fix("scale", "quantile", "to use ranks instead of values"),)
    said: tuple[str | float, ...] = (rows, " values lie far from the others")
    if lowest == highest and not column.time:
        said = (rows, " value is " if rows == 1 else " values are ", lowest)
        fixes = (Fix("missing_marks", (f"{lowest:.15g}",), "if it is not a measurement"), *fixes)
    elif rows == 1:
        said = ("1 value lies far from the others",)
    return Caution("outlier", (column.name,), facts, Note((*said, *_left(left)), fixes))


def _jumps(ascending: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return how many values at an end may be outliers, 0 first, and the gap (k,) after each."""
    jump = np.diff(ascending)
    places = np.flatnonzero((jump >= least) & (jump > 0))
    places = np.sort(places[np.argsort(-jump[places], kind="stable")][:MOST_JUMPS])
    return np.append(0, places + 1), np.append(np.inf, jump[places])


def _heavy(middle: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Check whether the middle rows vary, but little relative to the range."""
    return np.asarray((middle > 0) & (middle < TAIL_RANGE * whole))


def _heavy_tail(name: str, half: np.ndarray, left: float) -> Caution:
    """Make the caution from ascending halves (m,); zeros have no logarithm."""
    said = ("90% of the rows lie in ", _percent(left), "% of the range")
    facts = {"share_of_range": 1 - left}
    advice = ". Take logarithms" if half[0] > 0 else ""
    if half[0] == 0 and (2 * half == np.round(2 * half)).all():
        advice = ". Take logarithms of 1 + the value"
    fix = Fix("scale", "quantile", "to use ranks instead of values")
    return Caution("heavy tail", (name,), facts, Note((*said, advice), (fix,)))


def _left(share: float) -> tuple[str | float, ...]:
    return (". All others lie in ", _percent(share), "% of the range")


def _percent(share: float) -> float:
    """Return a fraction in percent with two digits."""
    return float(f"{100 * share:.2g}")
