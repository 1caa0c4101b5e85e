"""Inner products <K_f, K_g> of kernels of single features over blocks of rows, in a stream.

    <K_f, K_g> = sum over blocks of sum_ij k_f(i, j) k_g(i, j),   i, j rows of the block,

of the kernels as they are, or centered in their block and divided by their Frobenius norm there.
The b (b + 1) / 2 entries of a block, with those off the diagonal times sqrt(2), form one matrix row
for each feature. So the products of some thousand entries are one matrix product. Centered entries
are

    "biased"    k_ij - r_i / b - r_j / b + r / b^2, r_i and r sums of k: H K H, H = I - 11'/b
    "unbiased"  k_ij - r_i / (b - 2) - r_j / (b - 2) + r / ((b - 1) (b - 2)), with diagonal 0:
                products of independent kernels have mean 0 (at least four rows)

The first gives HSIC, the second its unbiased estimate. The kernels are

    GAUSSIAN    exp(-(a - b)^2 / 2), of numbers in units of the kernel's width
    CLINICAL    1 - |a - b|, of numbers on the scale of their range
    EQUAL       I(a = b), of levels
    CLASS       I(a = b) / (rows of the level in the block), none missing: equal weight of levels
    DIRECTIONS  sum_d d_i d_j, for the last column: a numeric or survival target

A missing value (NaN) has k = 1 with another missing value and k = 0 with other values.
"""

from collections.abc import Iterator, Sequence
from math import factorial

import numpy as np

from hetsel.compiling.arithmetic import gram, product
from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import TableError

GAUSSIAN, CLINICAL, EQUAL, CLASS, DIRECTIONS = range(5)
CENTERINGS = ("none", "biased", "unbiased")
NONE, BIASED, UNBIASED = range(3)
ROOM = 2**22  # kernel entries that are held at once, unless one row of a block has more
NOTHING = 1e-12  # fraction of a squared norm that is rounding
SERIES = tuple((-1.0) ** k / factorial(k + 1) for k in range(9))  # of (1 - exp(-u)) / u


def kernel_products(
    columns: np.ndarray,
    kernels: np.ndarray,
    of: np.ndarray | None = None,
    *,
    blocks: Sequence[np.ndarray] | None = None,
    centering: str = "none",
    normalized: bool = False,
    directions: np.ndarray | None = None,
) -> np.ndarray:
    """Compute <K_f, K_g> (p, m) of every column f (p, n) with columns g, `of` (m,) or all.

    `kernels` (p,) are GAUSSIAN, CLINICAL, EQUAL or CLASS for each column, and DIRECTIONS for the
    last one, with `directions` (m, n) from :mod:`hetsel.kernels.target_kernels`. Each K_f is
    centered in its block (without `blocks` all rows are one block) and, if `normalized`, divided by
    its Frobenius norm there; 0 stays 0. At least ROOM kernel entries are held at once.

    Song, Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning Research 13,
    1393-1434, Eq. 4 (biased) and Eq. 5 (unbiased); Szekely and Rizzo 2014, Annals of Statistics 42,
    2382-2412, section 3 (the second as a product of centered matrices).
    """
    kernels = np.asarray(kernels)
    blocks = [np.arange(columns.shape[1])] if blocks is None else blocks
    out = np.zeros((len(columns), len(columns) if of is None else len(of)))
    for stack in kernel_stacks(columns, kernels, blocks, centering, normalized, directions):
        out += gram(stack) if of is None else product(stack, stack[of])
    return out


def kernel_stacks(
    columns: np.ndarray,
    kernels: np.ndarray,
    blocks: Sequence[np.ndarray],
    centering: str,
    normalized: bool,
    directions: np.ndarray | None,
) -> Iterator[np.ndarray]:
    """Yield matrices (p, entries) whose products sum to those of the kernels; memory is reused."""
    how = CENTERINGS.index(centering)
    p, sizes = len(columns), [len(rows) for rows in blocks]
    if how == UNBIASED and min(sizes) < 4:
        raise TableError(
            f"blocks must have at least four rows for unbiased products. Got {min(sizes)}"
        )
    width = min(max(ROOM // p, max(sizes)), sum(map(_cells, sizes)))
    stack, filled = np.empty((p, width)), 0
    for rows in blocks:
        own = np.ascontiguousarray(columns[:, rows])
        moments = np.zeros((p, len(rows) + 1))
        strips = list(_strips(len(rows), width))
        whole = len(strips) == 1
        if not whole:  # a block must be read completely before it is centered
            for first, last in strips:
                add_moments(own, kernels, moments, first, last, how)
        for first, last in strips:
            count = _cells(last) - _cells(first)
            if filled + count > width:
                yield stack[:, :filled]
                filled = 0
            strip = (first, last, whole, how, normalized)
            write_cells(stack, filled, own, kernels, moments, *strip)
            if directions is not None:
                cells = cells_of_directions(directions[:, rows], first, last, how, normalized)
                stack[-1, filled : filled + count] = cells
            filled += count
    yield stack[:, :filled]


def cells_of_directions(
    directions: np.ndarray, first: int, last: int, how: int, normalized: bool
) -> np.ndarray:
    """The cells of :func:`write_cells` of the last column, the directions (m, b)."""
    b = directions.shape[1]
    own = directions - directions.mean(axis=1, keepdims=True) if how == BIASED else directions
    k = product(own[:, first:last].T, own[:, :last].T)
    square = (product(own, own) ** 2).sum()
    if how == UNBIASED:
        diagonal = (own * own).sum(axis=0)
        sums = (own.sum(axis=1)[:, None] * own).sum(axis=0) - diagonal
        means, whole = sums / (b - 2), sums.sum() / ((b - 1) * (b - 2))
        k += whole - means[first:last, None] - means[:last]
        square += whole * sums.sum() - (diagonal**2).sum() - 2.0 * (means * sums).sum()
        k[np.arange(last - first), np.arange(first, last)] = 0.0
    if normalized:
        k *= 1.0 / np.sqrt(square) if square > 0 else 0.0
    k *= np.sqrt(2.0)
    k[np.arange(last - first), np.arange(first, last)] /= np.sqrt(2.0)
    return np.asarray(k[np.arange(last) <= np.arange(first, last)[:, None]])


def _cells(b: int) -> int:
    """Return the number of pairs of b rows, including each row with itself."""
    return b * (b + 1) // 2


def _strips(b: int, width: int) -> Iterator[tuple[int, int]]:
    """Ranges of the rows of a block of b, whose pairs with the rows before them fit in a width."""
    first = 0
    while first < b:
        last = first + 1
        while last < b and _cells(last + 1) - _cells(first) <= width:
            last += 1
        yield first, last
        first = last


@compiled
def add_moments(columns, kernels, moments, first, last, centering):
    """Add sums of rows and squared norm (p, b + 1) of a strip, of 1 - k, which keeps digits."""
    row = np.empty((last * (last + 1) - first * (first + 1)) // 2)
    for f in range(len(columns)):
        write_away(row, columns[f], kernels[f], first, last, centering)
        add_row_moments(row, first, last, moments[f])


@compiled
def write_cells(out, at, columns, kernels, moments, first, last, whole, centering, normalized):
    """out (p, cells), from cell `at`: cells of rows first to last - 1, centered and normalized."""
    b = columns.shape[1]
    means = np.zeros(b)
    stop = at + (last * (last + 1) - first * (first + 1)) // 2
    for f in range(len(columns)):
        row, sums = out[f][at:stop], moments[f, :b]
        write_away(row, columns[f], kernels[f], first, last, centering)
        if whole:
            add_row_moments(row, first, last, moments[f])
        total, norm = sums.sum(), moments[f, b]
        if centering == NONE:
            shift = 0.0 if kernels[f] == CLASS else 1.0
            norm += shift * (b * b * shift - 2.0 * total)
        else:
            lost = 0 if centering == BIASED else 2
            means[:] = sums / (b - lost)
            shift = -total / ((b - lost) * (b - lost / 2.0))
            norm -= 2.0 * (means * sums).sum() + shift * total
        scale = 1.0
        if normalized:
            scale = 1.0 / np.sqrt(norm) if norm > NOTHING * moments[f, b] else 0.0
        turn_back(row, first, last, shift, means, scale, centering == UNBIASED)


@compiled_part
def turn_back(row, first, last, shift, means, scale, hollow):
    """The cells shift + mean_i + mean_j - row of a strip, times scale, in place of its row."""
    twice = scale * np.sqrt(2.0)
    at = 0
    for i in range(first, last):
        own = shift + means[i]
        for j in range(i):
            row[at + j] = (own + means[j] - row[at + j]) * twice
        row[at + i] = 0.0 if hollow else (own + means[i] - row[at + i]) * scale
        at += i + 1


@compiled_part
def add_row_moments(row, first, last, moments):
    """Add the sums of rows and, as the last number, of squares of the cells of a strip."""
    at, squares = 0, 0.0
    for i in range(first, last):
        total = 0.0
        for j in range(i):
            away = row[at + j]
            total += away
            moments[j] += away
            squares += 2.0 * away * away
        moments[i] += total + row[at + i]
        squares += row[at + i] * row[at + i]
        at += i + 1
    moments[-1] += squares


@compiled_part
def write_away(row, column, kernel, first, last, centering):
    """1 - k (of CLASS: -k) of rows first to last - 1 with the rows up to each; 0 where left out."""
    at = 0
    for i in range(first, last):
        a = column[i]
        if kernel == GAUSSIAN:
            for j in range(i + 1):
                row[at + j] = (column[j] - a) * (column[j] - a)
        elif kernel == CLINICAL:
            for j in range(i + 1):
                row[at + j] = abs(column[j] - a)
        elif kernel == EQUAL:
            for j in range(i + 1):
                row[at + j] = 0.0 if column[j] == a else 1.0
        else:
            alike = -1.0 / (column == a).sum()
            for j in range(i + 1):
                row[at + j] = alike if column[j] == a else 0.0
            if centering == UNBIASED:
                row[at + i] = 0.0
        at += i + 1
    if kernel == GAUSSIAN:
        short_of_one(row)
    if np.isnan(column).any():
        at = 0
        for i in range(first, last):
            for j in range(i + 1):
                gaps = int(np.isnan(column[i])) + int(np.isnan(column[j]))
                if gaps > 0:
                    row[at + j] = 2.0 - gaps
            at += i + 1


@compiled_part
def short_of_one(x):
    """1 - exp(-x / 2) in place, for x >= 0, all digits of small ones kept; 1 from x = 128 on."""
    for j in range(len(x)):
        u = x[j] / 2048.0
        u = u if u < 0.0625 else 0.0625
        m = SERIES[8]
        for k in range(7, -1, -1):
            m = SERIES[k] + u * m
        m = u * m
        for _ in range(10):
            m = m * (2.0 - m)
        x[j] = m
