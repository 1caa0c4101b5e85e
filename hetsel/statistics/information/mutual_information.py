"""Compute mutual information from counts of discrete columns, and by Parzen windows, in nats.

I(X; Y) = sum_ab (n_ab / n) log(n n_ab / (n_a n_b)), computed from exact whole sums (of a table of n
log n in steps of 2^-32) and then rounded to a grid of 2^-24 nats. The order of rows, levels and
arguments does not change the result.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from hetsel.compiling.arithmetic import exponential, logarithm
from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import TableError, is_number
from hetsel.ground.equal_numbers import FINE_GRID, equalized, on_grid, unit_scale
from hetsel.statistics.information.discretization import DiscreteTable, discretize

DENSE = 4  # numbers per row up to which they are counted
STEP = 2.0**32
BYTE = 256
MOST_DISTINCT_NUMBERS = 20_000  # distinct numbers, above which near ones are merged
STEPS = 16.0  # per bandwidth, for numbers that are merged
FARTHEST = 8.5  # bandwidths; beyond, a Gaussian window is below 2^-52


def to_nats(sums: np.ndarray, n: int) -> np.ndarray:
    """Convert whole sums of n rows, in steps of 2^-32 / n, to nats on a grid of 2^-24."""
    return np.asarray(np.rint(sums * (FINE_GRID / STEP / n)) / FINE_GRID)


def entropy(codes: np.ndarray) -> float:
    """Compute the entropy of a column (n,), in nats: -sum_a (n_a / n) log(n_a / n)."""
    counts = np.unique(codes, return_counts=True)[1]
    table = x_log_x(len(codes))
    return float(to_nats(table[-1] - table[counts].sum(), len(codes)))


def mutual_information(x: np.ndarray, y: np.ndarray) -> float:
    """Compute the mutual information of two columns of codes (n,), in nats."""
    levels = np.unique(x, return_inverse=True)[1].astype(np.float64)[:, None]
    alone = Information.of(discretize(levels, np.array([True])))
    return float(alone.with_column(np.unique(y, return_inverse=True)[1])[0])


@dataclass(frozen=True, eq=False)
class Information:
    """Compute the information of the features of a discrete table on other columns and each other.

    Other columns (n,) are whole numbers from 0. Results are (p,) in nats; sums are exact, in steps
    of 2^-32 / n, see :func:`to_nats`.
    """

    codes: DiscreteTable
    table: np.ndarray  # (n + 1,): x_log_x
    sums: np.ndarray  # (p,): sum_a n_a log n_a of each feature

    @classmethod
    def of(cls, codes: DiscreteTable) -> "Information":
        n = codes.cells.shape[1]
        table = x_log_x(n)
        return cls(codes, table, _joint(codes, table, np.zeros(n, dtype=np.int64)))

    @property
    def n(self) -> int:
        return int(self.codes.cells.shape[1])

    @property
    def entropies(self) -> np.ndarray:
        """H(f) of each feature."""
        return to_nats(self.table[-1] - self.sums, self.n)

    def column(self, f: int) -> np.ndarray:
        """Return the codes of one feature."""
        return self.codes.cells[f].astype(np.int64)

    def shared(self, other: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
        """Return sums of I(f; other), 0 for features not in `wanted` (indices; None wants all)."""
        joint = _joint(self.codes, self.table, other, wanted)
        own = int(self.table[np.bincount(other)].sum())
        shared = self.table[-1] + joint - self.sums - own
        if wanted is not None:
            left_out = np.ones(len(shared), dtype=bool)
            left_out[wanted] = False
            shared[left_out] = 0
        return np.asarray(np.maximum(shared, 0))

    def with_column(self, other: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
        """Return I(f; other)."""
        return to_nats(self.shared(other, wanted), self.n)

    def given(
        self, other: np.ndarray, y: np.ndarray, wanted: np.ndarray | None = None
    ) -> np.ndarray:
        """Return I(f; y | other) = I(f; (other, y)) - I(f; other)."""
        both = crossed(other, y)
        return to_nats(self.shared(both, wanted) - self.shared(other, wanted), self.n)

    def uncertainty(self, other: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
        """Return symmetrical uncertainty 2 I(f; other) / (H(f) + H(other)), 0..1, constants 0."""
        total = self.entropies + entropy(other)
        shared = 2.0 * self.with_column(other, wanted)
        return np.asarray(equalized(shared / np.where(total > 0, total, 1.0)))


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return codes (n,) of the pairs of two columns that occur."""
    pairs = a * (int(b.max()) + 1) + b
    if int(pairs.max(initial=0)) < DENSE * len(pairs):  # counting is faster than sorting
        return np.asarray((np.cumsum(np.bincount(pairs) > 0) - 1)[pairs])
    return np.asarray(np.unique(pairs, return_inverse=True)[1].astype(np.int64))


def _joint(
    codes: DiscreteTable, table: np.ndarray, other: np.ndarray, wanted: np.ndarray | None = None
) -> np.ndarray:
    p = len(codes.levels)
    wanted = np.arange(p) if wanted is None else wanted
    out = np.zeros(p, dtype=np.int64)
    width = int(other.max()) + 1
    joint_sums(codes.cells, codes.levels, wanted, np.array(other), width, table, out)
    return out


class SubsetInformation:
    """Compute I(S; y) of the remaining features S, initially all, as one column of combinations.

    Each row has a key, the sum modulo 2^64 of a scrambled number per feature and code. Removing a
    feature is a subtraction. Different rows have equal keys with probability 2^-64.
    """

    def __init__(self, information: Information, y: np.ndarray) -> None:
        self._information, self._y = information, y
        self._of_class = information.table[np.bincount(y)].sum()
        self._keys = np.zeros(information.n, dtype=np.uint64)
        for f in range(len(information.codes.levels)):
            self._keys += self._key(f)
        self.value = self._of(self._keys)

    def without(self, f: int) -> float:
        """Return I(S - f; y), in nats."""
        return self._of(self._keys - self._key(f))

    def remove(self, f: int) -> None:
        """Remove a feature from the subset."""
        self._keys -= self._key(f)
        self.value = self._of(self._keys)

    def _of(self, keys: np.ndarray) -> float:
        combinations = np.unique(keys, return_inverse=True)[1]
        table, width = self._information.table, int(self._y.max()) + 1
        joint = table[np.bincount(combinations * width + self._y)].sum()
        shared = table[-1] + joint - table[np.bincount(combinations)].sum() - self._of_class
        return float(to_nats(shared, self._information.n))

    def _key(self, f: int) -> np.ndarray:
        """Return a scrambled number (n,) of the feature and the code of each row (splitmix64)."""
        z = self._information.codes.cells[f] + (np.uint64(f + 1) << np.uint64(32))
        z *= np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


@lru_cache(maxsize=4)
def x_log_x(n: int) -> np.ndarray:
    """Return the table (n + 1,) of rint(2^32 k log k), k = 0..n, as int64."""
    k = np.arange(n + 1, dtype=np.longdouble)
    k[0] = 1.0  # 0 log 0 is 0, as 1 log 1
    table = np.rint(k * np.log(k) * STEP).astype(np.int64)
    table.flags.writeable = False
    return table


@compiled
def joint_sums(cells, levels, wanted, other, width, table, out):
    """Compute sums of n_ab log n_ab over the levels a of each wanted feature and b of other.

    out (p,) receives the sums. The codes of other (n,) are 0..width-1. cells (p, n) and levels (p,)
    are those of `DiscreteTable`, table is that of `x_log_x`.
    """
    n = len(other)
    roomy = 2 * n // max(width, 1)  # features with at most this many levels have a full table
    stride = 1
    for f in wanted:
        if levels[f] <= roomy:
            stride = max(stride, levels[f])
    size = width * stride
    counts = np.zeros((4, max(size, BYTE)), dtype=np.int32)
    scaled = (other * stride).astype(np.uint32)
    small = scaled.astype(np.uint8)
    words = np.zeros((n + 7) // 8, dtype=np.uint64)
    octets = words.view(np.uint8)
    octets[n:] = BYTE - 1
    rows, starts = by_level(other, width)
    deepest = 1
    for f in wanted:
        deepest = max(deepest, levels[f])
    single = np.zeros(deepest, dtype=np.int32)
    for f in wanted:
        if levels[f] > roomy:
            out[f] = sparse_sum(cells[f], rows, starts, single, table)
        elif size < BYTE:  # the last octet marks no cell
            column = cells[f]
            for i in range(n):
                octets[i] = small[i] + np.uint8(column[i])
            count_octets(words, counts)
            out[f] = drained(levels[f], stride, counts[0, :size], table)
        else:
            for i in range(n):
                counts[0, scaled[i] + np.uint32(cells[f, i])] += 1
            out[f] = drained(levels[f], stride, counts[0, :size], table)


@compiled_part
def count_octets(words, counts):
    """Count eight numbers below 256 per word into counts[0], in turns, so that none waits."""
    c0, c1, c2, c3 = counts[0], counts[1], counts[2], counts[3]
    octet = np.uint64(BYTE - 1)
    for word in words:
        c0[word & octet] += 1
        c1[(word >> np.uint64(8)) & octet] += 1
        c2[(word >> np.uint64(16)) & octet] += 1
        c3[(word >> np.uint64(24)) & octet] += 1
        c0[(word >> np.uint64(32)) & octet] += 1
        c1[(word >> np.uint64(40)) & octet] += 1
        c2[(word >> np.uint64(48)) & octet] += 1
        c3[word >> np.uint64(56)] += 1
    for k in range(BYTE):
        c0[k] += c1[k] + c2[k] + c3[k]
        c1[k] = 0
        c2[k] = 0
        c3[k] = 0


@compiled_part
def drained(depth, stride, counts, table):
    """Return the sum of n log n over a table of counts, `depth` of every `stride`, and zero it."""
    total = np.int64(0)
    for start in range(0, len(counts), stride):
        for k in range(start, start + depth):
            total += table[counts[k]]
            counts[k] = 0
    return total


@compiled_part
def sparse_sum(column, rows, starts, single, table):
    """Return the same in the memory of one column, for tables that are large and nearly empty."""
    total = np.int64(0)
    for b in range(len(starts) - 1):
        for place in range(starts[b], starts[b + 1]):
            single[column[rows[place]]] += 1
        for place in range(starts[b], starts[b + 1]):
            level = column[rows[place]]
            total += table[single[level]]
            single[level] = 0
    return total


@compiled_part
def by_level(codes, width):
    """Return the rows in the order of their code, and the start of each code."""
    starts = np.zeros(width + 1, dtype=np.int64)
    for i in range(len(codes)):
        starts[codes[i] + 1] += 1
    for b in range(width):
        starts[b + 1] += starts[b]
    rows = np.empty(len(codes), dtype=np.int64)
    free = starts[:-1].copy()
    for i in range(len(codes)):
        rows[free[codes[i]]] = i
        free[codes[i]] += 1
    return rows, starts


def parzen_information(
    x: np.ndarray, y: np.ndarray, *, levels: bool = False, bandwidth: float | None = None
) -> float:
    """Compute the information of a column on classes by Parzen windows.

    I(x; y) = H(y) + (1/n) sum_j sum_c p(c | x_j) log p(c | x_j), with p(c | x_j) = sum_{i in c}
    w(x_j - x_i) / sum_i w(x_j - x_i) and the window w(t) = exp(-t^2 / (2 h^2 s^2)), s the standard
    deviation of x and h the bandwidth, 1 / log n by default: Kwak and Choi 2002, IEEE Transactions
    on Pattern Analysis and Machine Intelligence 24, 1667-1671, Eq. 18-20. Levels use the
    information of the counts, and so does missing (NaN) against present: with m rows present, I =
    I(present; y) + (m/n) I(x; y | present).

    With more than 20,000 distinct numbers, those nearer than a sixteenth of h s share their mean,
    because of the O(n^2) steps. This changes I by about a thousandth.
    """
    if bandwidth is None:
        bandwidth = 1.0 / np.log(max(len(x), 3))
    if not is_number(bandwidth) or not 0 < bandwidth < np.inf:
        raise TableError(f"bandwidth must be a positive number. Got {bandwidth!r}")
    if levels:
        return mutual_information(x, y)
    present = ~np.isnan(x)
    total = mutual_information(present, y)
    if present.any():
        share = present.sum() / len(x)
        total += share * _of_numbers(x[present], y[present], float(bandwidth))
    most = min(entropy(on_grid(unit_scale(x[:, None])[:, 0])), entropy(y))
    return float(min(max(np.rint(total * FINE_GRID) / FINE_GRID, 0.0), most))


def _of_numbers(x: np.ndarray, y: np.ndarray, bandwidth: float) -> float:
    """Compute I(x; y) of numbers without missing values."""
    values, places = np.unique(on_grid(unit_scale(x[:, None])[:, 0]), return_inverse=True)
    rows = np.bincount(places).astype(np.float64)
    mean = (rows * values).sum() / len(x)
    spread = np.sqrt((rows * (values - mean) ** 2).sum() / len(x))
    if spread == 0:
        return 0.0
    if len(values) > MOST_DISTINCT_NUMBERS:
        # from the middle of the range, so that the direction of a column does not matter
        steps = np.rint((values - 0.5) * (STEPS / (bandwidth * spread)))
        bins = np.unique(steps, return_inverse=True)[1]
        values, places = np.bincount(bins, rows * values) / np.bincount(bins, rows), bins[places]
    width = int(y.max()) + 1
    counts = np.bincount(places * width + y, minlength=len(values) * width)
    counts = counts.reshape(-1, width).astype(np.float64)
    return entropy(y) - conditional_entropy(values, counts, bandwidth * spread)


@compiled
def conditional_entropy(values, counts, width):
    """Compute H(y | x) of ascending distinct values (m,), with rows (m, c) per value and class."""
    m, classes = counts.shape
    total = 0.0
    rows = 0.0
    density = np.empty(classes)
    for j in range(m):
        density[:] = counts[j]
        for way in (-1, 1):
            i = j + way
            while 0 <= i < m and abs(values[i] - values[j]) < FARTHEST * width:
                t = (values[i] - values[j]) / width
                window = exponential(-0.5 * t * t)
                for c in range(classes):
                    density[c] += counts[i, c] * window
                i += way
        whole = density.sum()
        here = counts[j].sum()
        for c in range(classes):
            share = density[c] / whole
            if share > 0:
                total -= here * share * logarithm(share)
        rows += here
    return total / rows
