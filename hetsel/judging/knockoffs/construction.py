"""Knockoffs of a table: columns with its dependence, drawn independently of the target.

The values are modeled by latent normal variables (:mod:`hetsel.judging.knockoffs.latent_normals`).
Second-order knockoffs of these are drawn: the covariance between a column and the knockoff of
another column, and between two knockoffs, is that of the two columns. A knockoff shares as little
as possible with its own column. The knockoffs then become values: those of the column, in the order
of the latent variable; for nominal columns, the level with the largest variable.

With more than 8P rows of P variables, the sample moments are kept exactly. With fewer rows, the
moments of a shrunk covariance are kept, which lets columns and knockoffs differ more. The sample
moments are kept nevertheless if shrinking loses strong correlations and there are more than 2P
rows. The loss from variables to values is estimated from some draws, along the directions of
significant correlation, and compensated. So the moments of the values are kept.

Swapping a column and its knockoff then leaves means, variances and covariances unchanged. It leaves
the full distribution unchanged if the columns are normal, or monotone functions or cuts of normal
variables; :mod:`hetsel.judging.knockoffs.check` tests for the rest.

References: Candes, Fan, Janson & Lv (2018) Journal of the Royal Statistical Society B 80, 551-577,
Section 3; Barber & Candes (2015) The Annals of Statistics 43, 2055-2085 (exact moments); Spector &
Janson (2022) The Annals of Statistics 50, 252-276 (what a column and its knockoff share).
"""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from hetsel.ground import TableError, listed
from hetsel.judging.knockoffs.latent_normals import LatentNormals, beyond_noise
from hetsel.tables import Missing, Table
from hetsel.tables.column import ColumnNames

ROUNDS = 15  # draws that estimate the loss from variables to values
SLOWING = 4  # rounds after which a round counts half of the first
ROWS_A_VARIABLE = 8  # with more rows per variable, sample moments are kept exactly
STRONG = 4.0  # standard errors of a strong correlation
LOST = 0.03  # largest proportion of strong correlations that shrinking may lose
REDRAWS = 3  # of variables between cuts, before their knockoffs
RIDGE = 1e-6  # added to variances of 1: some columns may determine others
SWEEPS = 30
SETTLED = 1e-3  # relative to the largest s: a smaller change ends the sweeps
OWN = 1e-4  # with a smaller s, a column is its own knockoff


def knockoffs(
    X: Any,
    *,
    nominal: ColumnNames = None,
    ordinal: ColumnNames = None,
    continuous: ColumnNames = None,
    missing: Missing = "impute",
    random_state: Any = 0,
) -> Table:
    """Draw knockoffs of the columns of a table, independently of the target.

    A knockoff has the dependence of its column on the other columns, but no relation to the target.
    Compare importances with those of knockoffs to control the false discovery rate.

    Parameters
    ----------
    X : Table, DataFrame or array of shape (n, p)
        The features.
    nominal, ordinal, continuous : sequence of column names or positions, optional
        Kinds of columns as in :meth:`hetsel.Schema.infer`; a Table has its own.
    missing : {"impute", "separate", "error"}
        See :meth:`hetsel.Table.resolve_missing`. "separate" is for missing values in nominal
        columns only. The knockoffs are those of the completed table.
    random_state : int, RandomState or None
        Seed of the draw.

    Returns
    -------
    Table of shape (n, p)
        Complete, with the same schema. A constant column, or a column that the others determine, is
        its own knockoff.

    Raises
    ------
    TableError
        A table that cannot be read; missing values that `missing` does not handle.

    See Also
    --------
    hetsel.knockoff_check : Check that knockoffs have the dependence of the columns.
    hetsel.knockoff_selection : Select features at a false discovery rate.

    References
    ----------
    Candes, Fan, Janson & Lv (2018) Journal of the Royal Statistical Society B 80, 551-577; see also
    :mod:`hetsel.judging.knockoffs.construction`.

    Examples
    --------
    >>> import pandas as pd
    >>> draw = np.random.default_rng(0)
    >>> z = draw.normal(size=(300, 2)) @ np.array([[1.0, 0.8], [0.0, 0.6]])
    >>> frame = pd.DataFrame({"x": z[:, 0], "high": np.where(z[:, 1] > 0, "yes", "no")})
    >>> copy = knockoffs(frame, random_state=1)
    >>> np.corrcoef(frame["x"], frame["high"] == "yes")[0, 1].round(2)
    np.float64(0.67)
    >>> np.corrcoef(copy.values[:, 0], frame["high"] == "yes")[0, 1].round(2)
    np.float64(0.63)
    """
    kinds = {"nominal": nominal, "ordinal": ordinal, "continuous": continuous}
    table = X if isinstance(X, Table) else Table.read(X, **kinds)
    seed = check_random_state(random_state).randint(2**31 - 1)
    return KnockoffModel(table.resolve_missing(missing)).draw(np.random.default_rng(seed))


class KnockoffModel:
    """The distribution fitted to a complete table, from which knockoffs are drawn."""

    def __init__(self, table: Table) -> None:
        gaps = np.isnan(table.values).any(axis=0)
        if gaps.any():
            names = [table.schema.columns[j].name for j in np.flatnonzero(gaps)]
            raise TableError(
                f"numeric columns must be complete for knockoffs. Values are missing in "
                f"{listed(names)}. Use missing='impute' to impute them"
            )
        self.table = table
        self.latent = LatentNormals(table)
        n, size = len(table.values), self.latent.size
        state = _standardized(self.latent.state)
        self.exact = n > ROWS_A_VARIABLE * size + 1 or (
            n > 2 * size + 1 and _lost(state.T @ state / n, self.latent.covariance, n) > LOST
        )
        self.precision = np.linalg.inv(self.latent.covariance)
        self.s = reconstructable_variances(self._covariance(state))
        self.across = np.zeros((size, size))  # correction of the covariances of column and knockoff
        self.within = np.zeros((size, size))  # correction of the covariances of knockoffs
        if size > 1:
            self._calibrate(np.random.default_rng(1))

    def draw(self, rng: np.random.Generator) -> Table:
        """Draw knockoffs of the table."""
        z = self.latent.state
        for _ in range(REDRAWS if len(self.latent.drawn) else 0):
            z = self.latent.redrawn(z, self.precision, rng)
        return self._of_variables(z, rng)

    def _of_variables(self, z: np.ndarray, rng: np.random.Generator) -> Table:
        cells = self.latent.cells(self._drawn_variables(_standardized(z), rng), rng)
        for j, piece in enumerate(self.latent.pieces):
            if len(piece.at) and not self.s[piece.at].any():
                cells[:, j] = self.table.values[:, j]
        return Table(cells, self.table.schema)

    def _covariance(self, z: np.ndarray) -> np.ndarray:
        covariance = z.T @ z / len(z) if self.exact else self.latent.covariance
        return np.asarray((covariance + RIDGE * np.eye(len(covariance))) / (1 + RIDGE))

    def _drawn_variables(self, z: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw knockoffs (n, P) of variables z with mean 0 and variance 1."""
        n, size = z.shape
        known = self._covariance(z)
        shared = known - np.diag(self.s) + self.across
        pull = np.linalg.solve(known, shared)
        left = known + self.within - shared.T @ pull
        sizes, directions = np.linalg.eigh((left + left.T) / 2)
        root = (directions * np.sqrt(np.maximum(sizes, 0.0))) @ directions.T
        noise = rng.normal(size=(n, size))
        if self.exact:
            basis, _ = np.linalg.qr(np.column_stack([np.ones(n), z]))
            noise -= basis @ (basis.T @ noise)
            noise = np.linalg.qr(noise)[0] * np.sqrt(n)
        return np.asarray(z @ pull + noise @ root)

    def _calibrate(self, rng: np.random.Generator) -> None:
        """Estimate the corrections that keep the moments, by stochastic approximation."""
        n, size = self.latent.state.shape
        own = self.latent.features(self.table.values)
        wanted = own.T @ own / n
        sizes, directions = np.linalg.eigh(wanted)
        directions = directions[:, beyond_noise(sizes, n)]
        apart = np.ones((size, size), dtype=bool)
        for piece in self.latent.pieces:
            apart[np.ix_(piece.at, piece.at)] = False
        apart &= (self.s[:, None] > 0) & (self.s > 0)
        if not directions.shape[1]:
            return
        for step in range(ROUNDS):
            if len(self.latent.drawn):
                self.latent.state = self.latent.redrawn(self.latent.state, self.precision, rng)
            copy = self.latent.features(self._of_variables(self.latent.state, rng).values)
            weight = 1 / (1 + step / SLOWING)
            for added, found in ((self.across, own.T @ copy), (self.within, copy.T @ copy)):
                lost = np.where(apart, wanted - found / n, 0.0)
                lost = directions @ (directions.T @ lost @ directions) @ directions.T
                added += weight * np.where(apart, lost, 0.0)


def _lost(sample: np.ndarray, shrunk: np.ndarray, n: int) -> float:
    """Return the proportion of the strong correlations that a shrunk covariance loses."""
    strong = np.triu(np.abs(sample) > STRONG / np.sqrt(n), 1)
    whole = float((sample[strong] ** 2).sum())
    return 1.0 - float((sample * shrunk)[strong].sum()) / whole if whole else 0.0


def _standardized(z: np.ndarray) -> np.ndarray:
    centered = z - z.mean(axis=0)
    return np.asarray(centered / np.maximum(centered.std(axis=0), RIDGE))


def reconstructable_variances(covariance: np.ndarray) -> np.ndarray:
    """Compute s (p,) = var - cov(column, knockoff) of minimum-reconstructability knockoffs.

    s minimizes tr (2 Sigma - diag s)^-1 + sum 1/s, so that the variance of a column given its
    knockoff and all other pairs is as large as possible. Coordinates are minimized exactly in turn
    (Spector & Janson 2022, The Annals of Statistics 50, 252-276, Algorithm 1). The covariance (p,
    p) is positive definite with variances 1.
    """
    p = len(covariance)
    if not p:
        return np.empty(0)
    s = np.full(p, min(1.0, float(np.linalg.eigvalsh(covariance)[0])))
    for _ in range(SWEEPS):
        inverse = np.linalg.inv(2 * covariance - np.diag(s))
        moved = 0.0
        for j in range(p):
            column = inverse[:, j].copy()
            root = float(np.linalg.norm(column))
            step = (1 - root * s[j]) / (column[j] + root)
            s[j] += step
            inverse += step / (1 - step * column[j]) * np.outer(column, column)
            moved = max(moved, abs(step))
        if moved < SETTLED * s.max():
            break
    return np.where(s < OWN, 0.0, s)
