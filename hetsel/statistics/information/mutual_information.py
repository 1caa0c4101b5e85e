"""Mutual information of discrete columns, by counts (the plug-in estimate), in nats.

I(X; Y) = sum_ab (n_ab / n) log(n n_ab / (n_a n_b)), computed from exact whole sums and then put on
a grid of 2^-24 nats: rows, levels and arguments in another order give the same number.
"""

from dataclasses import dataclass

import numpy as np

from hetsel.ground.ties import FINE_GRID, equalized
from hetsel.statistics.information.discretization import Codes, discretize
from hetsel.statistics.information.joint_counts import STEP, joint_sums, x_log_x

DENSE = 4  # numbers for each row, up to which they are counted


def to_nats(sums: np.ndarray, n: int) -> np.ndarray:
    """Whole sums of n rows, in steps of 2^-32 / n, as nats on a grid of 2^-24."""
    return np.asarray(np.rint(sums * (FINE_GRID / STEP / n)) / FINE_GRID)


def entropy(codes: np.ndarray) -> float:
    """Entropy of a column (n,) of any cells, in nats: -sum_a (n_a / n) log(n_a / n)."""
    counts = np.unique(codes, return_counts=True)[1]
    table = x_log_x(len(codes))
    return float(to_nats(table[-1] - table[counts].sum(), len(codes)))


def mutual_information(x: np.ndarray, y: np.ndarray) -> float:
    """Mutual information of two columns of codes (n,), in nats; never above their entropies.

    >>> x, y = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 0])
    >>> round(mutual_information(x, y), 6)
    0.462098
    """
    levels = np.unique(x, return_inverse=True)[1].astype(np.float64)[:, None]
    alone = Information.of(discretize(levels, np.array([True])))
    return float(alone.with_column(np.unique(y, return_inverse=True)[1])[0])


@dataclass(frozen=True, eq=False)
class Information:
    """What the features of a discrete table say of other columns and of each other.

    Columns are (n,) whole numbers from 0. All results are (p,), in nats on a grid of 2^-24, but
    where they are called sums: those are exact and in steps of 2^-32 / n, see :func:`to_nats`.
    """

    codes: Codes
    table: np.ndarray  # (n + 1,): x_log_x
    sums: np.ndarray  # (p,): sum_a n_a log n_a of each feature

    @classmethod
    def of(cls, codes: Codes) -> "Information":
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
        """The codes of one feature."""
        return self.codes.cells[f].astype(np.int64)

    def shared(self, other: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
        """Sums of I(f; other); 0 for features that are not wanted (indices; None wants all)."""
        joint = _joint(self.codes, self.table, other, wanted)
        own = int(self.table[np.bincount(other)].sum())
        shared = self.table[-1] + joint - self.sums - own
        if wanted is not None:
            left_out = np.ones(len(shared), dtype=bool)
            left_out[wanted] = False
            shared[left_out] = 0
        return np.asarray(np.maximum(shared, 0))

    def with_column(self, other: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
        """I(f; other)."""
        return to_nats(self.shared(other, wanted), self.n)

    def given(
        self, other: np.ndarray, y: np.ndarray, wanted: np.ndarray | None = None
    ) -> np.ndarray:
        """I(f; y | other) = I(f; (other, y)) - I(f; other)."""
        both = crossed(other, y)
        return to_nats(self.shared(both, wanted) - self.shared(other, wanted), self.n)

    def uncertainty(self, other: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
        """Symmetrical uncertainty 2 I(f; other) / (H(f) + H(other)), in 0..1; 0 of constants."""
        total = self.entropies + entropy(other)
        shared = 2.0 * self.with_column(other, wanted)
        return np.asarray(equalized(shared / np.where(total > 0, total, 1.0)))


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Codes (n,) of the pairs of two columns that occur."""
    pairs = a * (int(b.max()) + 1) + b
    if int(pairs.max(initial=0)) < DENSE * len(pairs):  # counting is faster than sorting
        return np.asarray((np.cumsum(np.bincount(pairs) > 0) - 1)[pairs])
    return np.asarray(np.unique(pairs, return_inverse=True)[1].astype(np.int64))


def _joint(
    codes: Codes, table: np.ndarray, other: np.ndarray, wanted: np.ndarray | None = None
) -> np.ndarray:
    p = len(codes.levels)
    wanted = np.arange(p) if wanted is None else wanted
    out = np.zeros(p, dtype=np.int64)
    width = int(other.max()) + 1
    joint_sums(codes.cells, codes.levels, wanted, np.array(other), width, table, out)
    return out


# Mutual information of a subset of discrete features with the class, a feature less at a time.


class SubsetInformation:
    """I(S; y) of the features S left, first all of them, taken as one column of combinations.

    Each row has a key, the sum modulo 2^64 of a scrambled number of each feature and code: rows
    have equal keys if they agree in all features left (and otherwise with probability 2^-64). A
    feature less is a subtraction.
    """

    def __init__(self, information: Information, y: np.ndarray) -> None:
        self._information, self._y = information, y
        self._of_class = information.table[np.bincount(y)].sum()
        self._keys = np.zeros(information.n, dtype=np.uint64)
        for f in range(len(information.codes.levels)):
            self._keys += self._key(f)
        self.value = self._of(self._keys)

    def without(self, f: int) -> float:
        """I(S - f; y), in nats."""
        return self._of(self._keys - self._key(f))

    def remove(self, f: int) -> None:
        """Take a feature out of the subset."""
        self._keys -= self._key(f)
        self.value = self._of(self._keys)

    def _of(self, keys: np.ndarray) -> float:
        combinations = np.unique(keys, return_inverse=True)[1]
        table, width = self._information.table, int(self._y.max()) + 1
        joint = table[np.bincount(combinations * width + self._y)].sum()
        shared = table[-1] + joint - table[np.bincount(combinations)].sum() - self._of_class
        return float(to_nats(shared, self._information.n))

    def _key(self, f: int) -> np.ndarray:
        """Scrambled number (n,) of the feature and the code of each row (splitmix64)."""
        z = self._information.codes.cells[f] + (np.uint64(f + 1) << np.uint64(32))
        z *= np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))
