"""Do the knockoffs of a table go together as its columns do? What they lose, and if that is chance.

Swapping a column and its knockoff should change no distribution. So for features f of column j and
g of column k,

    (f(X_j) - f(X~_j)) g(X_k)    and    f(X_j) g(X_k) - f(X~_j) g(X~_k)

have the mean 0. The features are the cells as numbers, the levels, and distances from the mean
("shape": they show squares, mixtures and tails where the covariance shows nothing). Of all pairs
there are three statistics. The first two are compared with those of rows whose signs are drawn (a
wild bootstrap), the third with the normal distribution by Bonferroni's bound:

- the *share* of the dependence that the knockoffs keep: the products weighted by those of the
  columns. It sees that each of many pairs loses a little;
- the sum of *squares*, each over its variance. It sees many pairs, and what goes the other way;
- the *largest* of these: one pair.

And of the moments the share that is kept by *strong* pairs only, those whose products in one half
of the rows are far from 0: where there are few rows a column, a shrunk covariance loses these.

The knockoffs are drawn here several times, with seeds of their own that no `random_state` changes:
another seed cannot turn a refusal into an answer.

What the check does not see: dependence of three columns and more of which each two are independent;
what tells rare levels apart that share a variable, and the levels that no two rows share; rows that
are copies (knockoffs ask for independent rows, and so does the check); and what is too weak for the
rows: of one pair less than about 5 / sqrt(n) of correlation, of a loss that all pairs of p columns
share less than 3 / (p sqrt(n)) each. What one pair loses unseen moves an importance by a few of its
standard errors at most; what many lose can move it by more, so that the first statistic is there.

References: Candes, Fan, Janson & Lv (2018) Journal of the Royal Statistical Society B 80, 551-577,
Section 3.1 (exchangeable pairs); Romano, Sesia & Candes (2020) Journal of the American Statistical
Association 115, 1861-1872, Section 5 (diagnostics); Wu (1986) The Annals of Statistics 14,
1261-1295 (signs).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import gamma, norm

from hetsel.models.knockoffs import KnockoffModel
from hetsel.statistics.shrunk_covariance import beyond_noise
from hetsel.tables.names import Names
from hetsel.tables.table import Missing, Table
from hetsel.text import listed, shown

DRAWS = 4
SIGNS = 99  # draws of signs; tails beyond are those of a fitted normal or gamma distribution
LEVEL = 0.01  # of all tests together
NAMED = 5  # columns that a refusal names
STRONG = 3.0  # standard errors
LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class KnockoffCheck:
    """What a table's knockoffs lose of its dependence.

    Parameters
    ----------
    kept : dict
        Share of the dependence that is kept, by part: "moments" (products of cells and levels) and
        "shape" (those with distances from the mean). 1 is all of it.
    pvalues : dict
        By (part, "share", "squares", "largest" or "strong").
    level : float
        Of all the tests together.
    columns : tuple of str
        Those that lose most, beginning with the most.
    pair : tuple of str
        The two columns whose products differ most, over their error.
    """

    kept: dict[str, float]
    pvalues: dict[tuple[str, str], float]
    level: float
    columns: tuple[str, ...]
    pair: tuple[str, str]

    @property
    def passed(self) -> bool:
        """Whether no test rejects, by Bonferroni's bound."""
        return all(p >= self.level / len(self.pvalues) for p in self.pvalues.values())

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """The tests that reject, the smallest p-value first."""
        bound = self.level / max(1, len(self.pvalues))
        low = [name for name, p in self.pvalues.items() if p < bound]
        return tuple(sorted(low, key=lambda name: self.pvalues[name]))

    def frame(self) -> pd.DataFrame:
        """One row a test: `part`, `statistic`, `kept`, `pvalue`."""
        rows = [(a, b, self.kept[a], p) for (a, b), p in self.pvalues.items()]
        return pd.DataFrame(rows, columns=["part", "statistic", "kept", "pvalue"])

    def __str__(self) -> str:
        if self.passed:
            return "no difference between columns and knockoffs was found"
        part = self.failed[0][0]
        what = {
            "moments": "covariances of the cells and levels",
            "shape": "dependence that covariances do not show (squares, tails, mixtures)",
        }[part]
        return (
            f"the knockoffs do not go together as the columns do: they keep "
            f"{self.kept[part]:.2f} of the {what}, p = {self.pvalues[self.failed[0]]:.1g}, "
            f"most is lost between {shown(self.pair[0])} and {shown(self.pair[1])}, "
            f"and by {listed(self.columns)}"
        )


def knockoff_check(
    X: Any,
    *,
    nominal: Names = None,
    ordinal: Names = None,
    continuous: Names = None,
    missing: Missing = "impute",
) -> KnockoffCheck:
    """Whether the knockoffs of a table go together as its columns do; the target has no part in it.

    :func:`hetsel.knockoff_selection` asks this first, and refuses a table that does not pass.

    Parameters
    ----------
    X, nominal, ordinal, continuous, missing : see :func:`hetsel.knockoffs`

    Returns
    -------
    KnockoffCheck

    Raises
    ------
    TableError
        A table that cannot be read; missing cells that `missing` leaves open.

    References
    ----------
    See the top of this module, which says what the statistics are and what they cannot see.

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
    return checked(KnockoffModel(table.resolve_missing(missing)))


def checked(model: KnockoffModel) -> KnockoffCheck:
    """Compare the columns of a table with knockoffs that are drawn from its fitted distribution."""
    features, owner, bent = _features(model, model.table.values)
    if len(np.unique(owner)) < 2:
        return KnockoffCheck({}, {}, LEVEL, (), ("", ""))
    rng = np.random.default_rng(2)
    copies = np.array([_features(model, model.draw(rng).values)[0] for _ in range(DRAWS)])
    found = _Products(features, copies, owner, bent, np.random.default_rng(3))
    kept, pvalues = {}, {}
    for part in found.parts:
        kept[part] = found.kept(part)
        for statistic, value in found.pvalues(part).items():
            pvalues[part, statistic] = value
    lost, pvalues["moments", "strong"] = _lost_by_strong(
        features[:, ~bent], copies.mean(axis=0)[:, ~bent], owner[~bent]
    )
    if pvalues["moments", "strong"] < LEVEL / len(pvalues):
        kept["moments"] = min(kept["moments"], 1 - lost)
    names = model.table.names
    j, k = found.pair
    columns = np.argsort(-found.by_column, kind="stable")[:NAMED]
    return KnockoffCheck(
        kept, pvalues, LEVEL, tuple(names[c] for c in columns), (names[j], names[k])
    )


def _features(model: KnockoffModel, values: np.ndarray) -> tuple[np.ndarray, ...]:
    """Features (n, F), the column of each, and which are distances from the mean."""
    cells = model.latent.features(values)
    numbers, owner = [], np.empty(cells.shape[1], dtype=int)
    for j, piece in enumerate(model.latent.pieces):
        owner[piece.at] = j
        if piece.form == "atom":
            numbers.append(piece.at[1])
        elif piece.form == "order" and piece.codes.max() > 1:
            numbers.append(piece.at[0])
    own = model.latent.features(model.table.values)[:, numbers]
    away = np.abs(own)
    spread = np.maximum(away.std(axis=0), LEAST)
    bent = (np.abs(cells[:, numbers]) - away.mean(axis=0)) / spread
    return (
        np.hstack([cells, bent]),
        np.concatenate([owner, owner[numbers]]).astype(int),
        np.repeat([False, True], [cells.shape[1], len(numbers)]),
    )


class _Products:
    """Sums over rows of the two kinds of products, and those of rows with drawn signs."""

    def __init__(
        self,
        own: np.ndarray,
        copies: np.ndarray,
        owner: np.ndarray,
        bent: np.ndarray,
        rng: np.random.Generator,
    ) -> None:
        n, p = len(own), int(owner.max()) + 1
        signs = np.vstack([np.ones(n), rng.choice([-1.0, 1.0], (SIGNS, n))])
        mean = copies.mean(axis=0)
        half = rng.permutation(n) < n // 2
        halves = (half, ~half)
        products = [own[rows].T @ own[rows] / rows.sum() for rows in halves]
        linear = np.flatnonzero(~bent)
        together = np.zeros((len(bent), len(bent)))
        together[np.ix_(linear, linear)] = _beyond_noise(own[:, linear].T @ own[:, linear] / n, n)
        self.parts = ["moments", "shape"] if bent.any() else ["moments"]
        self.share = {part: np.zeros(len(signs)) for part in self.parts}
        self.squares = {part: np.zeros(len(signs)) for part in self.parts}
        self.whole = dict.fromkeys(self.parts, 0.0)
        self.tests = dict.fromkeys(self.parts, 0)
        self.top = dict.fromkeys(self.parts, 0.0)
        self.by_column = np.zeros(p)
        largest = np.zeros((p, p))
        for j in range(own.shape[1]):
            apart = owner != owner[j]
            # moments are fitted to all rows; else one half is weighted by what the other one has
            weights = np.where(half[:, None], products[1][j], products[0][j])
            weights[:, linear] = weights[:, linear] if bent[j] else together[j, linear]
            crossed = products[0][j] * products[1][j]
            crossed[linear] = crossed[linear] if bent[j] else together[j, linear] ** 2
            one = (own[:, [j]] - mean[:, [j]]) * own
            two = own[:, [j]] * own - np.mean(copies[:, :, [j]] * copies, axis=0)
            for rows in (one, two):
                size = np.sqrt((rows**2).sum(axis=0))
                known = apart & (size > LEAST * n)
                sums = signs @ (rows / np.where(known, size, 1.0))
                for part in self.parts:
                    here = known & ((bent | bent[j]) == (part == "shape"))
                    self.share[part] += signs @ (rows[:, here] * weights[:, here]).sum(axis=1)
                    self.squares[part] += (sums[:, here] ** 2).sum(axis=1)
                    self.tests[part] += int(here.sum())
                    self.top[part] = max(self.top[part], np.abs(sums[0, here]).max(initial=0.0))
                    self.whole[part] += n * float(crossed[here].sum())
                z = np.where(known, sums[0] ** 2, 0.0)
                np.maximum.at(largest[owner[j]], owner, z)
                self.by_column[owner[j]] += z.sum()
        place = int(largest.argmax())
        self.pair = (place // p, place % p)

    def kept(self, part: str) -> float:
        """Share of the weighted products that the knockoffs have, too; NaN where there are none."""
        whole = self.whole[part]
        return 1.0 - float(self.share[part][0]) / whole if whole > 0 else float("nan")

    def pvalues(self, part: str) -> dict[str, float]:
        """That the share is not below 1, that the squares and the largest one are no larger."""
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
    """What part of their products strong pairs lose, and the p-value of losing nothing.

    Which pairs are strong, and how much each counts, is known from the other half of the rows.
    """
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


def _beyond_noise(products: np.ndarray, n: int) -> np.ndarray:
    """The part of mean products (F, F) in directions that noise does not explain."""
    sizes, directions = np.linalg.eigh(products)
    directions = directions[:, beyond_noise(sizes, n)]
    return np.asarray(directions @ (directions.T @ products @ directions) @ directions.T)
