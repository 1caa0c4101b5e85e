"""Knockoffs of a table: columns that go together as its own do, and know nothing of the target.

Column by column, in a drawn order, the distribution of a column given all others and the knockoffs
so far is fitted, and the knockoff is drawn from it (sequential conditional independent pairs). With
the true distributions, swapping any columns with their knockoffs changes no distribution; here they
are fitted to the rows, so this holds nearly, and a simulation says how nearly
(tests/campaigns/false_discoveries.py).

Which other columns tell one is said by the lasso at the BIC. The fit itself is not shrunk: a
knockoff that went with its neighbors less than the column does would lose to it where a neighbor
tells the class.

Numbers are worked on as normal scores of their ranks. Given the columns found, the part of a column
that these explain by least squares stays, and the rest is turned in a random direction that they do
not explain. Of normal columns, all others as regressors and more than 2p rows, that is exact though
neither means nor covariances are known; here the regressors are found by the lasso. The knockoff is
then given the cells of the column in the order of its scores: the two have the same cells.

Levels, and numbers of at most ten distinct values, are drawn row by row with the probabilities of a
multinomial logistic regression on the columns found.

References: Candes, Fan, Janson & Lv (2018) Journal of the Royal Statistical Society B 80, 551-577,
Algorithm 1; Kormaksson, Kelly, Zhu, Haemmerle, Pricop & Ohlssen (2021) Statistics in Medicine 40,
3313-3328 (columns of levels, the elastic net); Huang & Janson (2020) The Annals of Statistics 48,
3021-3042 (turned residuals).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata
from sklearn.utils import check_random_state

from hetsel.errors import TableError
from hetsel.tables.names import Names
from hetsel.tables.table import Missing, Table
from hetsel.text import listed

FEW = 10  # distinct values of a column of numbers that are drawn as levels
LEAST = 3  # rows of a level that regressors are looked for
SHARE = 3  # the path of the lasso has at most one column for so many rows
EXPLAINED = 2  # so has least squares: at least half of the directions are left to turn in
PENALTY = 1.0  # C of the logistic regression: keeps it finite where levels can be parted
TINY = 1e-12  # of a sum of squares: explained but for rounding


def knockoffs(
    X: Any,
    *,
    nominal: Names = None,
    ordinal: Names = None,
    continuous: Names = None,
    missing: Missing = "impute",
    random_state: Any = 0,
) -> Table:
    """Draw knockoffs of the columns of a table; the target has no part in it.

    Parameters
    ----------
    X : Table, DataFrame or array of shape (n, p)
    nominal, ordinal, continuous : sequence of column names or positions, optional
        See :meth:`hetsel.Schema.infer`; a Table knows.
    missing : {"impute", "separate", "error"}
        See :meth:`hetsel.Table.resolve_missing`; "separate" for gaps in nominal columns only. The
        knockoffs are those of the completed table.
    random_state : int, RandomState or None

    Returns
    -------
    Table of shape (n, p)
        Complete, of the same schema. A constant column is its own knockoff, and so is one that
        the others determine.

    Raises
    ------
    TableError
        A table that cannot be read; missing cells that `missing` leaves open.

    References
    ----------
    See the top of this module.

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
    np.float64(0.65)
    """
    kinds = {"nominal": nominal, "ordinal": ordinal, "continuous": continuous}
    table = X if isinstance(X, Table) else Table.read(X, **kinds)
    seed = check_random_state(random_state).randint(2**31 - 1)
    return drawn_knockoffs(table.resolve_missing(missing), np.random.default_rng(seed))


def drawn_knockoffs(table: Table, rng: np.random.Generator) -> Table:
    """Knockoffs of a complete table, see :func:`knockoffs`.

    Raises
    ------
    TableError
        Missing cells.
    """
    gaps = np.isnan(table.values).any(axis=0)
    if gaps.any():
        names = [table.names[j] for j in np.flatnonzero(gaps)]
        raise TableError(
            f"knockoffs need complete columns of numbers. Cells are missing in {listed(names)}: "
            "missing='impute' fills them in"
        )
    values, nominal = table.values, table.nominal
    blocks = [_coded(cells, named) for cells, named in zip(values.T, nominal, strict=True)]
    drawn = np.array(values)
    copies: dict[int, np.ndarray] = {}
    for j in rng.permutation(table.shape[1]).tolist():
        others = [block for k, block in enumerate(blocks) if k != j] + list(copies.values())
        cells = values[:, j]
        if blocks[j].shape[1]:  # not constant
            if nominal[j] or len(np.unique(cells)) <= FEW:
                drawn[:, j] = _levels(cells, nominal[j], blocks[j], others, rng)
            else:
                drawn[:, j] = _numbers(cells, blocks[j][:, 0], others, rng)
        copies[j] = _coded(drawn[:, j], nominal[j])
    return Table(drawn, table.schema)


def _coded(cells: np.ndarray, named: bool) -> np.ndarray:
    """Columns (n, k) of mean 0 and variance 1 that stand for one: scores, or level indicators."""
    if named:
        levels = _levels_of(cells, True)
        block = (cells[:, None] == levels[1:]).astype(np.float64)
    else:
        block = ndtri((rankdata(cells) - 0.5) / len(cells))[:, None]
    block -= block.mean(axis=0)
    spread = block.std(axis=0)
    return np.asarray((block / np.where(spread > TINY, spread, 1.0))[:, spread > TINY])


def _levels_of(cells: np.ndarray, named: bool) -> np.ndarray:
    """Distinct cells, ascending; of names as they come in the rows, whatever they are called."""
    levels, first = np.unique(cells, return_index=True)
    return np.asarray(levels[np.argsort(first)] if named else levels)


def _numbers(
    cells: np.ndarray, scores: np.ndarray, others: list[np.ndarray], rng: np.random.Generator
) -> np.ndarray:
    """The cells (n,) in the order of their scores with the unexplained part turned at random."""
    n = len(cells)
    found = _telling(scores[:, None], others, n // EXPLAINED - 1)
    basis, sizes, _ = np.linalg.svd(np.column_stack([np.ones(n), *found]), full_matrices=False)
    basis = basis[:, sizes > TINY * n * sizes[0]]
    explained = basis @ (basis.T @ scores)
    noise = rng.normal(size=n)
    noise -= basis @ (basis.T @ noise)
    noise *= np.linalg.norm(scores - explained) / np.linalg.norm(noise)
    out = np.empty(n)
    out[np.argsort(explained + noise, kind="stable")] = np.sort(cells)
    return out


def _levels(
    cells: np.ndarray,
    named: bool,
    own: np.ndarray,
    others: list[np.ndarray],
    rng: np.random.Generator,
) -> np.ndarray:
    """Levels (n,) drawn with their fitted probabilities."""
    from sklearn.linear_model import LogisticRegression

    levels = _levels_of(cells, named)
    codes = (cells[:, None] == levels).argmax(axis=1)
    counts = np.bincount(codes)
    wanted = own
    if named and len(levels) > 2:
        wanted = (codes[:, None] == np.flatnonzero(counts >= LEAST)).astype(np.float64)
    found = _telling(wanted, others, len(cells))
    shares = np.tile(counts / len(cells), (len(cells), 1))
    if found:
        model = LogisticRegression(C=PENALTY, max_iter=300)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # near its optimum is near enough
            shares = model.fit(np.hstack(found), codes).predict_proba(np.hstack(found))
    below = shares.cumsum(axis=1)[:, :-1]
    return np.asarray(levels[(rng.random(len(cells))[:, None] > below).sum(axis=1)])


def _telling(wanted: np.ndarray, others: list[np.ndarray], most: int) -> list[np.ndarray]:
    """Blocks that tell the wanted columns (n, k), as the lasso finds them, with `most` columns.

    A block is in with any of its columns; those that enter a path earlier come first.
    """
    regressors = np.hstack(others) if others else np.empty((len(wanted), 0))
    if not regressors.shape[1]:
        return []
    owner = np.repeat(np.arange(len(others)), [block.shape[1] for block in others])
    products = regressors.T @ regressors if len(owner) <= 2 * len(wanted) else None
    entry: dict[int, int] = {}
    for column in wanted.T:
        for step, place in _entries(regressors, column - column.mean(), products):
            entry[owner[place]] = min(step, entry.get(owner[place], step))
    kept: list[np.ndarray] = []
    for _, block in sorted((step, block) for block, step in entry.items()):
        if others[block].shape[1] <= most:
            most -= others[block].shape[1]
            kept.append(others[block])
    return kept


def _entries(
    regressors: np.ndarray, column: np.ndarray, products: np.ndarray | None
) -> list[tuple[int, int]]:
    """(step of entry, place) of the regressors that the lasso has where its BIC is smallest.

    BIC = n log(RSS/n) + log(n) (regressors in), along the path from none on.
    """
    from sklearn.linear_model import lars_path

    n = len(column)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns that are copies are left out, as they should
        _, _, path = lars_path(
            regressors,
            column,
            Gram=products,
            Xy=None if products is None else regressors.T @ column,
            method="lasso",
            max_iter=max(n // SHARE, 1),
        )
    left = ((column[:, None] - regressors @ path) ** 2).sum(axis=0)
    left = np.maximum(left, TINY * left[0])
    inside = path != 0
    best = int(np.argmin(n * np.log(left / n) + np.log(n) * inside.sum(axis=0)))
    return [(int(inside[k].argmax()), int(k)) for k in np.flatnonzero(inside[:, best])]
