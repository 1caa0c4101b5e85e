"""Latent normal variables of a table, and their covariance.

Each column has one or more latent normal variables:

- A number or an ordered level shows the interval of its variable between two cuts. If few rows have
  the value, the variable is known: the normal score of its rank. If many rows have it, the variable
  is drawn between the cuts, given the variables of the other columns.
- A number with one value in a large proportion of the rows (counts with many zeros) has two
  variables: one for whether it is that value, and one for the other values.
- A nominal column has one variable for each level; the largest one determines the level.

Their covariance is fitted by a stochastic approximation of the EM algorithm: the variables are
drawn given the values, and the covariance follows their mean products, shrunk.

References: Hoff (2007) The Annals of Applied Statistics 1, 265-283 (numbers and ordered levels);
Zhao, Townsend & Udell (2022) NeurIPS 35 (nominal levels); Delyon, Lavielle & Moulines (1999) The
Annals of Statistics 27, 94-128 (the approximation).
"""

from dataclasses import dataclass

import numpy as np
from scipy import optimize
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from hetsel.ground.rounding import scaled_to_one
from hetsel.tables import Table

VALUES_AS_CUTS = 10  # with at most so many distinct values, a number is a cut of one variable
LEAST = 3  # fewest rows of a level with its own variable; rarer levels share one
TIED = 0.02  # with a larger proportion of tied rows, the variable is drawn
ATOM = 0.25  # with a larger proportion of rows, a value has its own variable
START = 3  # rounds of draws before fitting
FOLLOWED = 18  # rounds in which the covariance follows the last draw
AVERAGED = 18  # rounds over which it is averaged
FAR = 8.0  # largest absolute latent variable
FARTHEST = 4.0  # largest standardized value in the moments
ROOT5 = 5**0.5


@dataclass(frozen=True, eq=False)
class Piece:
    """The latent variables of a column, and how they give its values."""

    at: np.ndarray  # places of the variables
    form: str  # "constant", "rare", "order", "atom" or "largest"
    means: np.ndarray  # of "largest", of each level's variable
    codes: np.ndarray  # (n,), code of the value of a row; for "largest", its variable


class LatentNormals:
    """The latent variables of a complete table, their covariance and a state (n, P)."""

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.table = table
        n = len(table.values)
        self.pieces: list[Piece] = []
        self.lower = np.empty((n, 0))
        self.upper = np.empty((n, 0))
        for cells, named in zip(table.values.T, table.nominal, strict=True):
            self._add(cells, bool(named))
        self.size = self.lower.shape[1]
        self.heights = {j: self._heights(j) for j, one in enumerate(self.pieces) if len(one.at)}
        self.drawn = np.flatnonzero((self.lower < self.upper).any(axis=0))
        rng = np.random.default_rng(seed)
        self.state = self._started(rng)
        self.covariance = self._fitted(rng)

    # -- the variables of each column
    def _add(self, cells: np.ndarray, named: bool) -> None:
        values, codes, counts = _coded(cells, named)
        none = np.empty(0)
        if len(values) == 1:
            self.pieces.append(Piece(np.empty(0, dtype=int), "constant", none, codes))
            return
        if named and len(values) > 2:
            self._add_largest(codes, counts)
            return
        top = int(counts.argmax())
        if not named and len(values) > VALUES_AS_CUTS and counts[top] >= ATOM * len(cells):
            inside = codes == top
            self._bounds(*_between(inside.astype(float) * -1))
            low, high = np.full(len(cells), -np.inf), np.full(len(cells), np.inf)
            low[~inside], high[~inside] = _between(cells[~inside])
            self._bounds(low, high)
            self.pieces.append(Piece(np.arange(self.lower.shape[1])[-2:], "atom", none, codes))
            return
        self._bounds(*_between(codes.astype(np.float64) if named else cells))
        self.pieces.append(Piece(np.array([self.lower.shape[1] - 1]), "order", none, codes))

    def _add_largest(self, codes: np.ndarray, counts: np.ndarray) -> None:
        rare = counts < LEAST
        new = np.where(rare, -1, np.cumsum(~rare) - 1)
        if rare.any():
            new[rare] = (~rare).sum()
        levels = int(new.max()) + 1
        if levels == 1:
            self.pieces.append(Piece(np.empty(0, dtype=int), "rare", np.empty(0), codes))
            return
        shares = np.bincount(new[codes]) / len(codes)
        first = self.lower.shape[1]
        for _ in range(levels):
            self._bounds(np.full(len(codes), -np.inf), np.full(len(codes), np.inf))
        at = np.arange(first, first + levels)
        self.pieces.append(Piece(at, "largest", _means_of(shares), new[codes]))

    def _bounds(self, low: np.ndarray, high: np.ndarray) -> None:
        self.lower = np.column_stack([self.lower, low])
        self.upper = np.column_stack([self.upper, high])

    # -- draws given the values
    def _started(self, rng: np.random.Generator) -> np.ndarray:
        n = len(self.lower)
        state = _truncated(np.zeros((n, self.size)), 1.0, self.lower, self.upper, rng)
        for piece in self.pieces:
            if piece.form == "largest":
                heights = -np.abs(rng.normal(size=(n, len(piece.at)))) - piece.means.max()
                own = heights.max(axis=1) + np.abs(rng.normal(size=n))
                heights[np.arange(n), piece.codes] = own
                state[:, piece.at] = np.clip(heights - piece.means, -FAR, FAR)
        for _ in range(START):
            state = self.redrawn(state, np.eye(self.size), rng)
        return state

    def redrawn(
        self, state: np.ndarray, precision: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Draw each unknown variable once, given all others."""
        state = state.copy()
        levels = {
            int(j): piece for piece in self.pieces if piece.form == "largest" for j in piece.at
        }
        for j in self.drawn.tolist():
            low, high = self.lower[:, j], self.upper[:, j]
            if j in levels:
                low, high = _of_largest(levels[j], j, state)
            pull = precision[:, j] / precision[j, j]
            mean = state[:, j] - state @ pull
            state[:, j] = _truncated(mean, precision[j, j] ** -0.5, low, high, rng)
        return state

    # -- the covariance
    def _fitted(self, rng: np.random.Generator) -> np.ndarray:
        if not len(self.drawn):
            return self.shrunk(self._moments(self.state))
        mean = np.zeros((self.size, self.size))
        for step in range(FOLLOWED + AVERAGED):
            weight = 1.0 / max(1, step - FOLLOWED + 1)
            mean = (1 - weight) * mean + weight * self._moments(self.state)
            self.covariance = self.shrunk(mean)
            self.state = self.redrawn(self.state, np.linalg.inv(self.covariance), rng)
        return self.covariance

    def shrunk(self, covariance: np.ndarray) -> np.ndarray:
        """Shrink a covariance for the number of rows."""
        return self._normalized(shrunk_covariance(covariance, len(self.lower) - 1))

    def _moments(self, state: np.ndarray) -> np.ndarray:
        centered = state - state.mean(axis=0)
        return self._normalized(centered.T @ centered / len(state))

    def _normalized(self, covariance: np.ndarray) -> np.ndarray:
        """Scale to variance 1, with independent variables for the levels of a column."""
        scale = np.diag(np.diag(covariance) ** -0.5)
        for piece in self.pieces:
            if piece.form == "largest":
                block = np.ix_(piece.at, piece.at)
                sizes, directions = np.linalg.eigh(covariance[block])
                scale[block] = (directions * np.maximum(sizes, 1e-6) ** -0.5) @ directions.T
        return scale @ covariance @ scale

    # -- values from variables
    def cells(self, latent: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Turn latent variables (n, P) into values (n, p): those of the column, in their order."""
        out = np.array(self.table.values)
        for j, piece in enumerate(self.pieces):
            column = self.table.values[:, j]
            if piece.form == "order":
                cells = column[np.argsort(piece.codes, kind="stable")]
                out[np.argsort(latent[:, piece.at[0]], kind="stable"), j] = cells
            elif piece.form == "atom":
                out[:, j] = _with_atom(column, piece, latent)
            elif piece.form in ("largest", "rare"):
                out[:, j] = _levels(column, piece, latent, rng)
        return out

    def features(self, values: np.ndarray) -> np.ndarray:
        """Return features (n, P) of values (n, p), one per variable, whose moments are kept.

        For a number it is the sum of its standardized value and half its normal score; for a
        nominal level it is the indicator. In the table itself mean and variance are 0 and 1.
        """
        out = np.zeros((len(values), self.size))
        for j, piece in enumerate(self.pieces):
            if len(piece.at):
                known, heights = self.heights[j]
                out[:, piece.at] = heights[np.searchsorted(known, values[:, j])]
        return out

    def _heights(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the distinct values of a column, ascending, and the features of each."""
        piece, own = self.pieces[j], self.table.values[:, j]
        known, first, counts = np.unique(own, return_index=True, return_counts=True)
        shares, codes = counts / len(own), piece.codes[first]
        if piece.form == "largest":
            inside = codes[:, None] == np.arange(len(piece.at))
        elif piece.form == "atom":
            rest = np.arange(len(known)) != counts.argmax()
            inside = np.column_stack([rest, np.zeros(len(known))])
            inside[rest, 1] = _graded(known[rest], shares[rest] / shares[rest].sum())
        elif self.table.nominal[j]:
            inside = codes[:, None]
        else:
            inside = _graded(known, shares)[:, None]
        inside = inside - shares @ inside
        return known, inside / np.sqrt(shares @ inside**2)


def _graded(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return centered sums of standardized values and half normal scores, for ascending values."""
    values = scaled_to_one(values)
    centered = values - shares @ values
    heights = np.clip(centered / np.sqrt(shares @ centered**2), -FARTHEST, FARTHEST)
    heights += ndtri(shares.cumsum() - shares / 2) / 2
    return np.asarray(heights - shares @ heights)


def _coded(cells: np.ndarray, named: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distinct values, codes and counts; names in the order of the rows."""
    values, first, codes, counts = np.unique(
        cells, return_index=True, return_inverse=True, return_counts=True
    )
    if not named:
        return values, codes, counts
    order = np.argsort(first)
    return values[order], np.argsort(order)[codes], counts[order]


def _between(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds (n,) of the variable of each value, as normal scores; equal if known."""
    n = len(cells)
    first, last = rankdata(cells, "min") - 1, rankdata(cells, "max")
    middle = ndtri((first + last) / (2 * n))
    known = last - first < max(2, TIED * n)
    return np.where(known, middle, ndtri(first / n)), np.where(known, middle, ndtri(last / n))


def _truncated(
    mean: np.ndarray, spread: float, low: np.ndarray, high: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Draw normal variables between two bounds; equal bounds are the result."""
    a, b = (low - mean) / spread, (high - mean) / spread
    turn = a > 0  # compute the upper tail by the lower one
    a, b = np.where(turn, -b, a), np.where(turn, -a, b)
    below, above = ndtr(a), ndtr(b)
    value = ndtri(below + rng.random(np.shape(mean)) * (above - below))
    value = np.clip(np.where(turn, -value, value) * spread + mean, low, high)
    return np.clip(np.where(low == high, low, value), -FAR, FAR)


def _of_largest(piece: Piece, j: int, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds (n,) of the variable j of a level, given those of the other levels."""
    heights = state[:, piece.at] + piece.means
    k = int(np.flatnonzero(piece.at == j)[0])
    own = piece.codes == k
    others = np.delete(heights, k, axis=1).max(axis=1)
    top = heights[np.arange(len(heights)), piece.codes]
    return (
        np.where(own, others, -np.inf) - piece.means[k],
        np.where(own, np.inf, top) - piece.means[k],
    )


def _means_of(shares: np.ndarray) -> np.ndarray:
    """Return means such that each normal variable is the largest with its proportion."""
    grid = np.linspace(-FAR, FAR, 161)
    means = np.log(shares) / 1.6
    for _ in range(60):
        below = ndtr(grid[:, None] - means)
        density = np.exp(-0.5 * (grid[:, None] - means) ** 2) / np.sqrt(2 * np.pi)
        shares_now = (density * below.prod(axis=1)[:, None] / np.maximum(below, 1e-300)).sum(axis=0)
        shares_now *= grid[1] - grid[0]
        means = means + 0.6 * np.log(shares / np.maximum(shares_now, 1e-12))
        means -= means.mean()
    return means


def _with_atom(own: np.ndarray, piece: Piece, latent: np.ndarray) -> np.ndarray:
    """Put the atom where its variable is lowest, and the other values in the order of theirs."""
    counts = np.bincount(piece.codes)
    atom = piece.codes == counts.argmax()
    order = np.argsort(latent[:, piece.at[0]], kind="stable")
    out = np.full(len(own), own[atom][0])
    rest = order[counts.max() :]
    out[rest[np.argsort(latent[rest, piece.at[1]], kind="stable")]] = np.sort(own[~atom])
    return out


def _levels(
    own: np.ndarray, piece: Piece, latent: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return levels (n,) of the largest variables; rare levels that share one are drawn."""
    n = len(own)
    if piece.form == "rare":
        return rng.permutation(own)
    largest = (latent[:, piece.at] + piece.means).argmax(axis=1)
    out = np.empty(n)
    for k in range(len(piece.at)):
        of_level = own[piece.codes == k]
        rows = largest == k
        out[rows] = rng.choice(of_level, rows.sum()) if len(of_level) else own[rows]
    return out


def shrunk_covariance(sample: np.ndarray, n: int) -> np.ndarray:
    """Shrink a sample covariance (p, p) nonlinearly; n is the number of rows minus 1.

    Each sample eigenvalue is replaced by the estimated true variance in the direction of its
    eigenvector, computed from the density of the eigenvalues. Directions in which many columns are
    weakly correlated stay, and the excess spread of few rows is removed. The trace stays, and the
    result is positive definite if the columns vary (Ledoit & Wolf 2020, The Annals of Statistics
    48, 3043-3065, Section 4.7 and the case p > n of its supplement).
    """
    p = len(sample)
    if p <= 1:
        return np.array(sample, dtype=np.float64)
    sizes, directions = np.linalg.eigh(sample)
    positive = np.maximum(sizes[max(0, p - n) :], 1e-12 * sizes[-1])
    width = n ** (-1 / 3) * positive  # of the kernel at each eigenvalue
    distance = (positive[:, None] - positive) / width
    inside = np.maximum(1 - distance**2 / 5, 0.0)
    density = 3 / (4 * ROOT5) * (inside / width).mean(axis=1)
    transform = (_hilbert(distance) / width).mean(axis=1)
    if p <= n:
        share = p / n
        real = 1 - share - np.pi * share * positive * transform
        shrunk = positive / ((np.pi * share * positive * density) ** 2 + real**2)
    else:
        h = n ** (-1 / 3)
        peak = 3 / (10 * h**2) + 3 / (4 * ROOT5 * h) * (1 - 1 / (5 * h**2)) * np.log(
            (1 + ROOT5 * h) / abs(1 - ROOT5 * h)
        )
        at_zero = peak / np.pi * (1 / positive).mean()
        rest = 1 / (np.pi * (p - n) / n * at_zero)
        shrunk = positive / (np.pi**2 * positive**2 * (density**2 + transform**2))
        shrunk = np.concatenate([np.full(p - n, rest), shrunk])
    shrunk = np.asarray(optimize.isotonic_regression(shrunk).x)  # in the order of the eigenvalues
    shrunk *= np.trace(sample) / shrunk.sum()
    return np.asarray((directions * shrunk) @ directions.T)


def beyond_noise(sizes: np.ndarray, n: int) -> np.ndarray:
    """Mark eigenvalues (p,) above those of independent columns, (1 + sqrt(p/n))^2.

    Marchenko & Pastur 1967, Mathematics of the USSR-Sbornik 1, 457-483.
    """
    return np.asarray(sizes > (1 + np.sqrt(len(sizes) / n)) ** 2)


def _hilbert(x: np.ndarray) -> np.ndarray:
    """Compute the Hilbert transform of the Epanechnikov kernel of variance 1."""
    near = np.abs(np.abs(x) - ROOT5) < 1e-12
    inner = np.where(near, 0.0, x)
    ratio = np.abs((ROOT5 - inner) / (ROOT5 + inner))
    value = -3 / (10 * np.pi) * inner + 3 / (4 * ROOT5 * np.pi) * (1 - inner**2 / 5) * np.log(ratio)
    return np.where(near, -3 / (10 * np.pi) * x, value)
