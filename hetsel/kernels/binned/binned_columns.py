"""Columns of at most some hundred different cells each: codes of one or two bytes.

A kernel of one column, summed over the rows, is then a small table with one entry a bin.
"""

from typing import Any, NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground.errors import TableError
from hetsel.ground.parameters import is_whole

MOST_BINS = 256  # of a column: codes of one byte
COARSE = 2**16  # steps of the range in which the cells of a column are counted
STEPS = 2**24  # steps of the range, of cells in canonical form
MORE = 4  # times as many cells as bins, before neighbors are joined
ROWS = 2**12  # that are moved at a time
FINER = 2.0**8  # parts of a step, to which means are rounded: their differences have no rounding


class ColumnBins(NamedTuple):
    """Bins of one column."""

    positions: np.ndarray  # (bins,), with one for the missing cells
    gap: bool  # whether the last bin holds the missing cells
    rounding: float  # how far a cell is from the position of its bin at most


class BinnedColumns(NamedTuple):
    """Columns as codes, and where the bins of each lie."""

    codes: np.ndarray  # (n, p), uint8 or uint16: the bin of each cell, row by row
    starts: np.ndarray  # (p + 1,): where the bins of each column begin among those of all columns
    positions: np.ndarray  # (bins,): the mean of the cells, ascending in [0, 1]; 0 of levels
    nominal: np.ndarray  # (p,)
    gaps: np.ndarray  # (p,): whether the last bin holds the missing cells
    rounding: np.ndarray  # (p,): how far a cell is from its bin at most

    @classmethod
    def of(cls, codes: np.ndarray, bins: list[ColumnBins], nominal: np.ndarray) -> "BinnedColumns":
        """Codes (n, p) with the bins of each column."""
        counts = [len(own.positions) for own in bins]
        return cls(
            codes,
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([own.positions for own in bins]),
            np.array(nominal, dtype=bool),
            np.array([own.gap for own in bins]),
            np.array([own.rounding for own in bins]),
        )

    def take(self, columns: np.ndarray) -> "BinnedColumns":
        """Some of the columns, in this order."""
        at = [np.arange(self.starts[f], self.starts[f + 1]) for f in columns]
        return BinnedColumns(
            np.ascontiguousarray(self.codes[:, columns]),
            np.concatenate([[0], np.cumsum([len(own) for own in at])]).astype(np.int64),
            self.positions[np.concatenate(at)],
            self.nominal[columns],
            self.gaps[columns],
            self.rounding[columns],
        )


def rearranged(codes: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Some columns (k,) of codes (n, p) in C order, in the memory of these, which are lost.

    >>> rearranged(np.array([[1, 2, 3], [4, 5, 6]], dtype=np.uint8), np.array([2, 0])).tolist()
    [[3, 1], [6, 4]]
    """
    n, k = len(codes), len(columns)
    out = codes.reshape(-1)[: n * k].reshape(n, k)
    for start in range(0, n, ROWS):  # rows are read before those of as many cells are written
        out[start : start + ROWS] = np.take(codes[start : start + ROWS], columns, axis=1)
    return out


def check_bins(bins: Any) -> None:
    """Refuse a number of bins that is none."""
    if not is_whole(bins) or not 4 <= bins < 2**16:
        raise TableError(f"bins must be a whole number from 4 to 65,535. Got {bins!r}")


def bins_of(steps: np.ndarray, nominal: bool, bins: int) -> tuple[np.ndarray, ColumnBins]:
    """Codes (n,) in one byte or two, and bins, of steps of the grid or levels; -1 is missing."""
    gap = steps < 0
    missing = bool(gap.any())
    present = steps[~gap] if missing else steps
    if nominal:
        levels = int(present.max(initial=0)) + 1
        if levels + missing > 2**16:
            raise TableError(f"a column has {levels:,} levels: at most 65,535 have codes")
        own, positions, rounding = present, np.zeros(levels), 0.0
    else:
        own, positions, rounding = _numbers(present, bins)
    width = np.uint8 if len(positions) + missing <= 2**8 else np.uint16
    if not missing:
        return own.astype(width), ColumnBins(positions, False, rounding)
    codes = np.full(len(steps), len(positions), dtype=width)
    codes[~gap] = own
    return codes, ColumnBins(np.append(positions, 0.0), True, rounding)


def _numbers(steps: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Codes, positions and rounding of cells in whole steps of the grid."""
    coarse = np.minimum(steps // (STEPS // COARSE), COARSE - 1)
    counts = np.bincount(coarse, minlength=COARSE)
    used = np.flatnonzero(counts)
    most = MORE * bins
    if len(used) <= most:
        values, codes = np.unique(steps, return_inverse=True)
        if len(values) <= bins:
            return codes, values / STEPS, 0.0
    if len(used) > most or len(values) > most:
        # a cut between two coarse steps: by the range, and by the rows
        even = np.arange(1, most // 2) * COARSE // (most // 2)
        shares = np.arange(1, most // 2 + 1) / (most // 2 + 1) * len(steps)
        cuts = np.union1d(even, np.searchsorted(np.cumsum(counts), shares) + 1)
        places = np.searchsorted(cuts, np.arange(COARSE), side="right")
        names = np.cumsum(np.bincount(places[used], minlength=len(cuts) + 1) > 0) - 1
        codes = names[places][coarse]
    rows = np.bincount(codes).astype(np.float64)
    joined = joined_cells(np.bincount(codes, weights=steps) / rows, rows, bins)
    codes = joined[codes]
    means = np.bincount(codes, weights=steps) / np.bincount(codes)
    means = np.rint(means * FINER) / FINER
    return codes, means / STEPS, float(np.abs(steps - means[codes]).max()) / STEPS


@compiled
def joined_cells(means, rows, most):
    """Bin (m,), of at most `most`, of cells by ascending means and their rows: Ward's criterion."""
    m = len(means)
    place, weight, after = means.copy(), rows + rows.sum() / m, np.arange(1, m + 1)
    price = np.full(m, np.inf)
    for k in range(m - 1):
        gap = place[k + 1] - place[k]
        price[k] = weight[k] * weight[k + 1] / (weight[k] + weight[k + 1]) * gap * gap
    before = np.arange(-1, m - 1)
    for _ in range(m - most):
        best = 0
        for k in range(m):
            if price[k] < price[best]:
                best = k
        other = after[best]
        whole = weight[best] + weight[other]
        place[best] = (weight[best] * place[best] + weight[other] * place[other]) / whole
        weight[best], after[best], price[other] = whole, after[other], np.inf
        if after[best] < m:
            before[after[best]] = best
        for k in (before[best], best):
            if k >= 0:
                price[k] = np.inf
                if after[k] < m:
                    gap = place[after[k]] - place[k]
                    both = weight[k] + weight[after[k]]
                    price[k] = weight[k] * weight[after[k]] / both * gap * gap
    out, name, k = np.empty(m, dtype=np.int64), 0, 0
    while k < m:
        for j in range(k, after[k]):
            out[j] = name
        name, k = name + 1, after[k]
    return out
