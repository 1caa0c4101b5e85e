"""The canonical form of a table in bins, independent of orders, names and units.

Columns are codes of one or two bytes, so that sums of a kernel over the rows are small tables with
one entry per bin. The form corresponds to :mod:`hetsel.tables.canonical_table`, for many rows.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground import TableError, is_whole
from hetsel.kernels.binned import binned_loops as loops
from hetsel.tables import Table, canonical_table, content

MOST_BINS = 256  # most bins of a column with codes of one byte
COARSE = 2**16  # steps of the range in which values are counted
STEPS = 2**24  # steps of the range in the canonical form
MORE = 4  # times as many groups as bins, before neighbors are merged
ROWS = 2**12  # rows that are moved at a time
FINER = 2.0**8  # parts of a step to which means are rounded, for exact differences


class ColumnBins(NamedTuple):
    """Bins of one column."""

    positions: np.ndarray  # (bins,), including one for missing values
    gap: bool  # whether the last bin holds the missing values
    rounding: float  # largest distance of a value from the position of its bin


class BinnedColumns(NamedTuple):
    """Columns as codes, with the bins of each."""

    codes: np.ndarray  # (n, p), uint8 or uint16: the bin of each value, row by row
    starts: np.ndarray  # (p + 1,): start of the bins of each column
    positions: np.ndarray  # (bins,): mean of the values, ascending in [0, 1]; 0 for levels
    nominal: np.ndarray  # (p,)
    gaps: np.ndarray  # (p,): whether the last bin holds the missing values
    rounding: np.ndarray  # (p,): largest distance of a value from its bin

    @classmethod
    def of(cls, codes: np.ndarray, bins: list[ColumnBins], nominal: np.ndarray) -> "BinnedColumns":
        """Make columns from codes (n, p) and the bins of each."""
        starts = np.append(0, np.cumsum([len(own.positions) for own in bins])).astype(np.int64)
        positions = np.concatenate([own.positions for own in bins])
        gaps, rounding = (np.array(part) for part in list(zip(*bins, strict=True))[1:])
        return cls(codes, starts, positions, np.array(nominal, dtype=bool), gaps, rounding)

    def take(self, columns: np.ndarray) -> "BinnedColumns":
        """Return some columns, in this order."""
        at = [np.arange(self.starts[f], self.starts[f + 1]) for f in columns]
        codes, positions = self.codes[:, columns], self.positions[np.concatenate(at)]
        starts = np.append(0, np.cumsum([len(own) for own in at])).astype(np.int64)
        rest = (part[columns] for part in (self.nominal, self.gaps, self.rounding))
        return BinnedColumns(np.ascontiguousarray(codes), starts, positions, *rest)


def rearranged(codes: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return columns (k,) of codes (n, p) in C order, in the same memory; the codes are lost.

    >>> rearranged(np.array([[1, 2, 3], [4, 5, 6]], dtype=np.uint8), np.array([2, 0])).tolist()
    [[3, 1], [6, 4]]
    """
    n, k = len(codes), len(columns)
    out = codes.reshape(-1)[: n * k].reshape(n, k)
    for start in range(0, n, ROWS):  # rows are read before their memory is overwritten
        out[start : start + ROWS] = np.take(codes[start : start + ROWS], columns, axis=1)
    return out


def check_bins(bins: Any) -> None:
    """Refuse an invalid number of bins."""
    if not is_whole(bins) or not 4 <= bins < 2**16:
        raise TableError(f"bins must be a whole number from 4 to 65,535. Got {bins!r}")


def bins_of(steps: np.ndarray, nominal: bool, bins: int) -> tuple[np.ndarray, ColumnBins]:
    """Return codes (n,) of one or two bytes, and bins, of grid steps or levels; -1 is missing."""
    gap = steps < 0
    missing = bool(gap.any())
    present = steps[~gap] if missing else steps
    if nominal:
        levels = int(present.max(initial=0)) + 1
        if levels + missing > 2**16:
            raise TableError(f"a column must have at most 65,535 levels. Got {levels:,}")
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
    """Return codes, positions and rounding of values in grid steps."""
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
    joined = join_into_bins(np.bincount(codes, weights=steps) / rows, rows, bins)
    codes = joined[codes]
    means = np.bincount(codes, weights=steps) / np.bincount(codes)
    means = np.rint(means * FINER) / FINER
    return codes, means / STEPS, float(np.abs(steps - means[codes]).max()) / STEPS


@compiled
def join_into_bins(means, rows, most):
    """Merge groups with ascending means into at most `most` bins (m,) by Ward's criterion."""
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


TOGETHER = 8  # numeric columns: the values of a row are in one cache line
HEAD = 1_000  # rows that order the columns; colors break ties
ROWS_IN_CANONICAL_ORDER = 20_000  # with at most so many rows, the order is canonical


class BinnedForm(NamedTuple):
    """A table in bins, independent of orders, names and units."""

    columns: BinnedColumns
    codes: np.ndarray  # (n,): class codes, or the dense ranks of numbers
    order: np.ndarray  # (p,): which column of the table each one is
    rows: np.ndarray  # (n,): which row of the table each one is
    off: np.ndarray  # (p,): largest rounding to the grid, as a fraction of the range


class _Steps(NamedTuple):
    """A column as whole numbers: steps from the middle of its range, or levels."""

    f: int  # which column of the table it is
    steps: np.ndarray  # (n,), with a mean not above the middle; `loops.MISSING` is missing
    off: float  # largest rounding to a step, as a fraction of the range
    level: bool  # whether both directions are equivalent


def binned_form(table: Table, codes: np.ndarray, bins: int = MOST_BINS) -> BinnedForm:
    """Bin a table (n, p) with at most `bins` bins per column; order rows and columns by content.

    The table is complete; codes (n,) are classes or dense ranks of numbers. Values are rounded to
    2^-24 of their range, and columns are oriented as in `canonical_form`.
    """
    check_bins(bins)
    n, p = table.shape
    colors = _colors_of_rows(table, codes)
    rows = np.argsort(colors, kind="stable")
    off, keys, looks = np.zeros(p), np.empty(p, dtype=np.uint64), np.empty(n, dtype=np.uint64)
    heads = np.empty((p, min(n, HEAD)), dtype=np.int32)
    found: list[ColumnBins | None] = [None] * p
    whole = np.empty((n, p), dtype=np.uint8)
    for column in _columns(table, codes):
        f, nominal = column.f, bool(table.nominal[column.f])
        off[f] = column.off
        _set_looks(column, nominal, colors, looks)
        keys[f] = loops.color_of(looks, colors)
        steps = column.steps[rows]
        if nominal:
            loops.number_as_they_appear(steps)
        else:
            loops.point_down(steps, column.level)
        heads[f] = steps[:HEAD]
        own, found[f] = bins_of(steps, nominal, bins)
        if own.dtype != np.uint8 and whole.dtype == np.uint8:
            whole = whole.astype(np.uint16)
        whole[:, f] = own
    order = np.argsort(keys, kind="stable")
    order = order[content.content_order(heads[order], table.nominal[order])]
    put = rearranged(whole, order)
    parts = [part for f in order if (part := found[f]) is not None]
    columns = BinnedColumns.of(put, parts, table.nominal[order])
    return BinnedForm(columns, codes[rows], order, rows, off[order])


def _colors_of_rows(table: Table, codes: np.ndarray) -> np.ndarray:
    """Return a color for each row (n,), unequal for unequal rows (Weisfeiler and Leman 1968)."""
    n = len(codes)
    colors, looks = canonical_table.mix(codes.astype(np.uint64)), np.empty(n, dtype=np.uint64)
    for column in _columns(table, codes):
        if not table.nominal[column.f]:
            loops.set_number_looks(column.steps, column.level, looks)
            colors += looks
    kinds = len(np.unique(colors))
    for _ in range(canonical_table.MOST_ROUNDS if kinds < n else 0):
        before, colors = colors, colors.copy()
        for column in _columns(table, codes):
            _set_looks(column, bool(table.nominal[column.f]), before, looks)
            loops.add_shares(looks, before, colors)
        colors = canonical_table.mix(colors)
        last, kinds = kinds, len(np.unique(colors))
        if kinds == n or (kinds == last and n > ROWS_IN_CANONICAL_ORDER):
            break
    return colors


def _set_looks(column: _Steps, nominal: bool, colors: np.ndarray, looks: np.ndarray) -> None:
    """Set hashes (n,) of values: of the number, or of the colors of the rows of the level."""
    if nominal:
        loops.set_level_looks(column.steps, colors, looks)
    else:
        loops.set_number_looks(column.steps, column.level, looks)


def _columns(table: Table, codes: np.ndarray) -> Iterator[_Steps]:
    """Yield the columns of a table, numeric ones before nominal ones."""
    numbers, n = np.flatnonzero(~table.nominal), table.shape[0]
    classes = int(codes.max()) + 1
    steps = np.empty((TOGETHER, n), dtype=np.int32)
    for start in range(0, len(numbers), TOGETHER):
        block = numbers[start : start + TOGETHER]
        off = np.empty(len(block))
        loops.set_steps(np.ascontiguousarray(table.block(block)), steps, off)
        for own, f, moved in zip(steps, block.tolist(), off.tolist(), strict=False):
            level = loops.lean(own, codes, min(classes, loops.MOST_CODES))
            yield _Steps(f, own, moved, bool(level))
    for f in np.flatnonzero(table.nominal).tolist():
        levels = np.nan_to_num(table.block([f])[:, 0], nan=loops.MISSING).astype(np.int32)
        yield _Steps(f, levels, 0.0, False)
