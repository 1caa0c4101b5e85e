"""Check whether the knockoffs of a table have the dependence of its columns.

Swapping a column and its knockoff must not change the joint distribution. So for features f of
column j and g of column k,

    (f(X_j) - f(X~_j)) g(X_k)    and    f(X_j) g(X_k) - f(X~_j) g(X~_k)

have mean 0. The features are the values, the indicators of levels, distances from the mean
("shape", which shows squares, mixtures and tails where the covariance is 0) and cosines of the
ranks with one and a half to three periods over the column ("waves", compared with values and levels
only, which show oscillations along a column). There are three statistics over all pairs. The first
two are compared with a wild bootstrap (random signs of the rows), the third with the normal
distribution by Bonferroni's bound:

- *share*: the proportion of the dependence that the knockoffs keep, that is the products weighted
  by those of the columns. It detects small losses in many pairs;
- *squares*: the sum of squares, each divided by its variance. It detects losses in many pairs, of
  any sign;
- *largest*: the largest of these squares. It detects a loss in one pair.

For the moments there is also *strong*: the proportion kept by strong pairs, whose products are far
from 0 in one half of the rows. With few rows per column a shrunk covariance loses these. The seeds
of the knockoffs in this check are fixed and do not depend on `random_state`.

The check does not detect dependence among three or more columns that are pairwise independent;
oscillations with more than three periods, or only in the spread of another column; differences of
rare levels that share a variable, and of levels with one row; duplicate rows; and effects that are
too weak for the number of rows. These are correlations below about 5 / sqrt(n) in one pair, which
change an importance by at most a few standard errors, and common losses of all pairs of p columns
below 3 / (p sqrt(n)) each.

References: Candes, Fan, Janson & Lv (2018) Journal of the Royal Statistical Society B 80, 551-577,
Section 3.1 (exchangeable pairs); Romano, Sesia & Candes (2020) Journal of the American Statistical
Association 115, 1861-1872, Section 5 (diagnostics); Wu (1986) The Annals of Statistics 14,
1261-1295 (signs).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import gamma, norm

from hetsel.ground import listed, shown
from hetsel.judging.knockoffs import construction, latent_normals
from hetsel.tables import Missing, Table
from hetsel.tables.column import ColumnNames

DRAWS = 4
SIGNS = 99  # draws of signs; a fitted normal or gamma distribution gives the tails
LEVEL = 0.01  # family-wise level of all tests
NAMED = 5  # columns that an error names
STRONG = 3.0  # standard errors
WAVES = (3, 4, 5, 6)  # half periods; 1 is a trend, 2 a distance from the middle
PARTS = ("moments", "shape", "waves")
LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class KnockoffCheck:
    """Hold the result of :func:`hetsel.knockoff_check`.

    Parameters
    ----------
    kept : dict
        Proportion of the dependence that the knockoffs keep, by part: "moments" (products of values
        and levels), "shape" (products with distances from the mean) and "waves" (products of values
        and levels with cosines of ranks). 1 is complete; NaN if the columns have no dependence
        beyond noise.
    pvalues : dict
        p-values by (part, statistic); the statistic is "share", "squares", "largest" or "strong".
    level : float
        Family-wise level of all tests.
    columns : tuple of str
        The columns that lose most, in descending order.
    pair : tuple of str
        The two columns whose products differ most, relative to their error.

    See Also
    --------
    hetsel.knockoff_check : Run the check.

    Examples
    --------
    >>> check = KnockoffCheck({"moments": 0.5}, {("moments", "share"): 1e-5}, 0.01, ("a",), "ab")
    >>> check.passed, check.failed
    (False, (('moments', 'share'),))
    """

    kept: dict[str, float]
    pvalues: dict[tuple[str, str], float]
    level: float
    columns: tuple[str, ...]
    pair: tuple[str, str]

    @property
    def passed(self) -> bool:
        """Whether no test rejects at the level, by Bonferroni's bound."""
        return all(p >= self.level / len(self.pvalues) for p in self.pvalues.values())

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """The tests that reject, the smallest p-value first."""
        bound = self.level / max(1, len(self.pvalues))
        low = [name for name, p in self.pvalues.items() if p < bound]
        return tuple(sorted(low, key=lambda name: self.pvalues[name]))

    def frame(self) -> pd.DataFrame:
        """Return one row per test: `part`, `statistic`, `kept`, `pvalue`."""
        rows = [(a, b, self.kept[a], p) for (a, b), p in self.pvalues.items()]
        return pd.DataFrame(rows, columns=["part", "statistic", "kept", "pvalue"])

    def __str__(self) -> str:
        if self.passed:
            return "the knockoffs have the dependence of the columns, as far as the tests detect it"
        part = self.failed[0][0]
        what = {
            "moments": "covariances of values and levels",
            "shape": "dependence beyond covariances (squares, tails, mixtures)",
            "waves": "dependence that oscillates along a column",
        }[part]
        amount = "not all" if np.isnan(self.kept[part]) else f"{self.kept[part]:.2f}"
        return (
            f"the knockoffs do not have the dependence of the columns. They keep {amount} of the "
            f"{what} (p = {self.pvalues[self.failed[0]]:.1g}). The largest loss is between "
            f"{shown(self.pair[0])} and {shown(self.pair[1])}, and of {listed(self.columns)}"
        )


def knockoff_check(
    X: Any,
    *,
    nominal: ColumnNames = None,
    ordinal: ColumnNames = None,
    continuous: ColumnNames = None,
    missing: Missing = "impute",
) -> KnockoffCheck:
    """Check whether the knockoffs of a table have the dependence of its columns.

    The check does not use a target. :func:`hetsel.knockoff_selection` runs it first and refuses a
    table that fails. The module :mod:`hetsel.judging.knockoffs.check` defines the statistics and
    lists what they cannot detect.

    Parameters
    ----------
    X, nominal, ordinal, continuous, missing : table and options
        See :func:`hetsel.knockoffs`.

    Returns
    -------
    KnockoffCheck

    Raises
    ------
    TableError
        A table that cannot be read; missing values that `missing` does not handle.

    See Also
    --------
    hetsel.knockoffs : Draw knockoffs.
    hetsel.knockoff_selection : Select features at a false discovery rate.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(200, 3))
    >>> knockoff_check(x).passed
    True
    >>> x[:, 2] = x[:, 0] ** 2
    >>> check = knockoff_check(x)
    >>> check.passed, check.failed[0][0], sorted(check.pair)
    (False, 'shape', ['x0', 'x2'])
    """
    kinds = {"nominal": nominal, "ordinal": ordinal, "continuous": continuous}
    table = X if isinstance(X, Table) else Table.read(X, **kinds)
    return compare_with_knockoffs(construction.KnockoffModel(table.resolve_missing(missing)))


def compare_with_knockoffs(model: construction.KnockoffModel) -> KnockoffCheck:
    """Compare the columns of a table with knockoffs drawn from the fitted distribution."""
    features, owner, part = _features(model, model.table.values)
    if len(np.unique(owner)) < 2:
        return KnockoffCheck({}, {}, LEVEL, (), ("", ""))
    rng = np.random.default_rng(2)
    copies = np.array([_features(model, model.draw(rng).values)[0] for _ in range(DRAWS)])
    products = _Products(features, copies, owner, part, np.random.default_rng(3))
    kept, pvalues = {}, {}
    for place in products.parts:
        kept[PARTS[place]] = products.kept(place)
        for statistic, value in products.pvalues(place).items():
            pvalues[PARTS[place], statistic] = value
    cells = part == 0
    lost, pvalues["moments", "strong"] = _lost_by_strong(
        features[:, cells], copies.mean(axis=0)[:, cells], owner[cells]
    )
    if pvalues["moments", "strong"] < LEVEL / len(pvalues):
        kept["moments"] = float(np.fmin(kept["moments"], 1 - lost))  # ignores NaN
    names = model.table.names
    j, k = products.pair
    columns = np.argsort(-products.by_column, kind="stable")[:NAMED]
    return KnockoffCheck(
        kept, pvalues, LEVEL, tuple(names[c] for c in columns), (names[j], names[k])
    )


def _features(model: construction.KnockoffModel, values: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return features (n, F), the column of each and its part in PARTS, ascending."""
    cells = model.latent.features(values)
    numbers, owner = [], np.empty(cells.shape[1], dtype=int)
    waves, waving = [], []
    for j, piece in enumerate(model.latent.pieces):
        owner[piece.at] = j
        if piece.form == "atom":
            numbers.append(piece.at[1])
        elif piece.form == "order" and piece.codes.max() > 1:
            numbers.append(piece.at[0])
        else:
            continue
        added = _waves(model.table.values[:, j], values[:, j])
        waves.append(added)
        waving += [j] * added.shape[1]
    own = model.latent.features(model.table.values)[:, numbers]
    away = np.abs(own)
    spread = np.maximum(away.std(axis=0), LEAST)
    bent = (np.abs(cells[:, numbers]) - away.mean(axis=0)) / spread
    return (
        np.hstack([cells, bent, *waves]),
        np.concatenate([owner, owner[numbers], waving]).astype(int),
        np.repeat([0, 1, 2], [cells.shape[1], len(numbers), len(waving)]),
    )


def _waves(own: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return centered cosines (n, W) of the ranks of values in their column."""
    known, counts = np.unique(own, return_counts=True)
    shares = counts / len(own)
    periods = np.array([k for k in WAVES if k < len(known)]) / 2
    heights = np.cos(2 * np.pi * np.outer(shares.cumsum() - shares / 2, periods))
    heights -= shares @ heights
    heights /= np.maximum(np.sqrt(shares @ heights**2), LEAST)
    return np.asarray(heights[np.searchsorted(known, values)])


class _Products:
    """Sums over rows of the two kinds of products, also with random signs."""

    def __init__(
        self,
        own: np.ndarray,
        copies: np.ndarray,
        owner: np.ndarray,
        part: np.ndarray,
        rng: np.random.Generator,
    ) -> None:
        n, p = len(own), int(owner.max()) + 1
        signs = np.vstack([np.ones(n), rng.choice([-1.0, 1.0], (SIGNS, n))])
        mean = copies.mean(axis=0)
        half = rng.permutation(n) < n // 2
        halves = (half, ~half)
        products = [own[rows].T @ own[rows] / rows.sum() for rows in halves]
        ends = np.searchsorted(part, [3, 2, 1])  # end of the partners of a feature, by its part
        cells = ends[2]
        moments = own[:, :cells].T @ own[:, :cells] / n
        sizes, directions = np.linalg.eigh(moments)
        directions = directions[:, latent_normals.beyond_noise(sizes, n)]
        together = directions @ (directions.T @ moments @ directions) @ directions.T
        self.parts = [int(one) for one in np.unique(part)]
        self.share = {one: np.zeros(len(signs)) for one in self.parts}
        self.squares = {one: np.zeros(len(signs)) for one in self.parts}
        self.whole = dict.fromkeys(self.parts, 0.0)
        self.tests = dict.fromkeys(self.parts, 0)
        self.top = dict.fromkeys(self.parts, 0.0)
        self.by_column = np.zeros(p)
        # Features have mean 0 in the table. So products of independent features in two rows have
        # mean (n - 1)^-2, and their sum has variance n^2 / (n - 1), not n.
        centered = n / (n - 1) ** 2
        largest = np.zeros((p, p))
        for j in range(own.shape[1]):
            end = ends[part[j]]
            partners = own[:, :end]
            apart = owner[:end] != owner[j]
            # moments are fitted to all rows; otherwise one half is weighted by the other
            weights = np.where(half[:, None], products[1][j, :end], products[0][j, :end])
            crossed = products[0][j, :end] * products[1][j, :end]
            if not part[j]:
                weights[:, :cells] = together[j]
                crossed[:cells] = together[j] ** 2
            one = (own[:, [j]] - mean[:, [j]]) * partners
            two = own[:, [j]] * partners - np.mean(copies[:, :, [j]] * copies[:, :, :end], axis=0)
            for rows in (one, two):
                size = np.sqrt((rows**2).sum(axis=0))
                known = apart & (size > LEAST * n)
                sums = signs @ (rows / np.where(known, size, 1.0))
                sums[0] *= np.sqrt((n - 1) / n)
                for place in self.parts:
                    here = known & (np.maximum(part[:end], part[j]) == place)
                    self.share[place] += signs @ (rows[:, here] * weights[:, here]).sum(axis=1)
                    self.squares[place] += (sums[:, here] ** 2).sum(axis=1)
                    self.tests[place] += int(here.sum())
                    self.top[place] = max(self.top[place], np.abs(sums[0, here]).max(initial=0.0))
                    self.whole[place] += n * float(crossed[here].sum())
                    if place:
                        self.share[place][0] -= centered * here.sum()
                        self.whole[place] -= centered * here.sum()
                z = np.where(known, sums[0] ** 2, 0.0)
                np.maximum.at(largest[owner[j]], owner[:end], z)
                self.by_column[owner[j]] += z.sum()
        place = int(largest.argmax())
        self.pair = (place // p, place % p)

    def kept(self, part: int) -> float:
        """Return the proportion of the weighted products that the knockoffs keep, or NaN."""
        whole = self.whole[part]
        return 1.0 - float(self.share[part][0]) / whole if whole > 0 else float("nan")

    def pvalues(self, part: int) -> dict[str, float]:
        """Return p-values: share not below 1; squares and largest not larger than by chance."""
        share, squares = self.share[part], self.squares[part]
        spread = max(float(np.sqrt((share[1:] ** 2).mean())), LEAST)
        mean, var = float(squares[1:].mean()), float(squares[1:].var())
        tail = gamma.sf(squares[0], mean**2 / var, scale=var / mean) if var > 0 else 1.0
        return {
            "share": float(norm.sf(share[0] / spread)),
            "squares": float(tail),
            "largest": min(1.0, 2 * self.tests[part] * float(norm.sf(self.top[part]))),
        }


def _lost_by_strong(own: np.ndarray, mean: np.ndarray, owner: np.ndarray) -> tuple[float, float]:
    """Return the proportion that strong pairs lose, and its p-value."""
    n = len(own)
    half = np.random.default_rng(4).permutation(n) < n // 2
    lost, whole = np.zeros(n), np.zeros(n)
    for rows, others in ((half, ~half), (~half, half)):
        products = own[others].T @ own[others] / others.sum()
        strong = (np.abs(products) > STRONG / np.sqrt(others.sum())) & (owner[:, None] != owner)
        weights = np.where(strong, products, 0.0)
        lost[rows] = (((own - mean)[rows] @ weights) * own[rows]).sum(axis=1)
        whole[rows] = ((own[rows] @ weights) * own[rows]).sum(axis=1)
    size = float(np.sqrt((lost**2).sum()))
    if size <= LEAST:
        return 0.0, 1.0
    return float(lost.sum() / max(whole.sum(), LEAST)), float(norm.sf(lost.sum() / size))
