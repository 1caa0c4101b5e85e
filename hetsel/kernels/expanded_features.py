"""Features of every kind as columns of numbers, whose products and distances are their kernels.

A feature f becomes one column or several, z_f(x), such that for two rows x, y

    number:   <z_f(x), z_f(y)> = (x - m)(y - m) / s^2,        m the mean, s the standard deviation
    nominal:  <z_f(x), z_f(y)> = (I(x = y) - centering) / v,  v = 1 - sum_levels share^2
    and       |z_f(x) - z_f(y)|^2 / 2 = (x - y)^2 / (2 s^2)   or   I(x != y) / v.

Every feature has the total variance 1 and the mean half squared distance 1 (over all pairs of rows,
those of a row with itself included): a factor of two levels is as its column of zeros and ones.
"""

from dataclasses import dataclass

import numpy as np

from hetsel.compiling.arithmetic import gram
from hetsel.ground.errors import TableError

NORMS = ("trace", "norm", "none")


@dataclass(frozen=True, eq=False)
class Expansion:
    """Columns of numbers that p features of every kind stand for."""

    columns: np.ndarray  # (n, d), centered; those of a constant feature are left out
    feature: np.ndarray  # (d,): the feature of each column, ascending
    p: int  # the number of features

    @classmethod
    def of(
        cls,
        cells: np.ndarray,
        nominal: np.ndarray,
        normalize: str = "trace",
        learned: int | None = None,
    ) -> "Expansion":
        """The columns of cells (p, n): numbers, or codes of levels where `nominal` (p,).

        Missing numbers (NaN) lie at the mean, and in a further column apart from all others.
        `normalize`: "trace" makes the trace of the centered Gram matrix n, which is total variance
        1; "norm" its Frobenius norm; with "none" a number has variance 1 and a level is a column of
        zeros and ones. Means, spreads and what is constant are those of the first `learned` rows.
        """
        if normalize not in NORMS:
            raise TableError(f"normalize must be one of {', '.join(NORMS)}. Got {normalize!r}")
        parts, owners = [np.empty((0, cells.shape[1]))], [np.empty(0, dtype=np.intp)]
        for f, column in enumerate(cells):
            own = column[:learned]
            if (own != own[0]).any() and not np.isnan(own).all():
                made = _levels(column) if nominal[f] else _number(column, learned)
                made -= made[:, :learned].mean(axis=1, keepdims=True)
                made *= _weight(made[:, :learned], normalize)
                parts.append(made)
                owners.append(np.full(len(made), f))
        columns = np.concatenate(parts).T
        return cls(np.ascontiguousarray(columns), np.concatenate(owners), len(cells))

    @property
    def varies(self) -> np.ndarray:
        """Whether each feature (p,) varies."""
        found = np.zeros(self.p, dtype=bool)
        found[self.feature] = True
        return found

    def by_feature(self, values: np.ndarray) -> np.ndarray:
        """Sums (..., p) over the columns (..., d) of each feature."""
        starts = np.flatnonzero(np.diff(self.feature, prepend=-1))
        sums = np.zeros((*values.shape[:-1], self.p))
        if len(starts):
            sums[..., self.feature[starts]] = np.add.reduceat(values, starts, axis=-1)
        return sums

    def scaled(self, u: np.ndarray) -> np.ndarray:
        """Columns (n, d) times the square root of u_f (p,) of their feature."""
        return self.columns * np.sqrt(u)[self.feature]

    def subset(self, features: np.ndarray) -> "Expansion":
        """The columns of these features (ascending), which become 0, 1, ..."""
        place = np.full(self.p, -1)
        place[features] = np.arange(len(features))
        kept = place[self.feature] >= 0
        columns = np.ascontiguousarray(self.columns[:, kept])
        return Expansion(columns, place[self.feature[kept]], len(features))


def _number(column: np.ndarray, learned: int | None) -> np.ndarray:
    """A standardized column (1, n); of one with gaps (2, n), the gaps in the second row."""
    gaps = np.isnan(column)
    present = column[:learned][~gaps[:learned]]
    spread = present.std() if (present != present[0]).any() else 0.0
    number = np.zeros((1, len(column)))
    if spread > 0:
        number[0, ~gaps] = (column[~gaps] - present.mean()) / spread
    return np.concatenate([number, gaps[None, :] * 1.0]) if gaps.any() else number


def _levels(column: np.ndarray) -> np.ndarray:
    """A row (levels, n) of zeros and ones for each level."""
    return (column == np.unique(column)[:, None]) * 1.0


def _weight(made: np.ndarray, normalize: str) -> float:
    """What the centered columns (k, n) of a feature are multiplied by."""
    if normalize == "none":
        return 1.0
    n = made.shape[1]
    if normalize == "trace":
        return float(np.sqrt(n / (made * made).sum()))
    return float(np.sqrt(n / np.sqrt((gram(made) ** 2).sum())))
