"""Columns that tell numbers or survival times on their own: perhaps written down after them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.special import gammaln

from hetsel.ground.errors import Fix
from hetsel.pitfalls.caution import Caution
from hetsel.pitfalls.class_leaks import ASK, CHANCE
from hetsel.tables.column import Column, Note
from hetsel.tables.table import Table
from hetsel.tables.target import Numbers, Survival

NEAR = 0.99  # rank correlation with the target, at least
FEWEST = 20  # rows; with fewer such a correlation may be chance
PART = 2**20  # cells that are ranked at once


def telling_measures(table: Table, target: Numbers | Survival) -> Iterator[tuple[int, Caution]]:
    """Columns that tell the numbers, or the times of the rows with an event, by their place.

    A column of numbers does that whose absolute rank correlation with the target is 0.99 or more;
    any column does whose values part the target into ranges that do not overlap, if c groups of
    m_k of n rows would do so by chance, in any of p columns, with a probability of at most 1/1000:

        p c! prod_k m_k! / n!.

    Parameters
    ----------
    table : Table of shape (n, p)
    target : Numbers or Survival
        Of the rows.
    """
    told = np.arange(len(target)) if isinstance(target, Numbers) else np.flatnonzero(target.events)
    values = target.values if isinstance(target, Numbers) else target.times
    cells, values = table.values[told], values[told]
    if len(values) < 2 or np.ptp(values) == 0:
        return
    what = "the target" if isinstance(target, Numbers) else "the time of an event"
    order = np.argsort(values, kind="stable")
    correlations = _rank_correlations(cells, values, table.nominal)
    for j, column in enumerate(table.schema.columns):
        if abs(correlations[j]) >= NEAR:
            yield j, _ordered(column, float(correlations[j]), what)
        elif _parts_in_ranges(cells[order, j], values[order], table.shape[1]):
            said = (f"its values part {what} into ranges that do not overlap{ASK}",)
            fix = Fix("drop", (column.name,), "if not")
            yield j, Caution("leak", (column.name,), {}, Note(said, (fix,)))


def _ordered(column: Column, correlation: float, what: str) -> Caution:
    shown = float(f"{correlation:.4g}")
    said = ("a column with a rank correlation of ", shown, f" with {what}{ASK}")
    fix = Fix("drop", (column.name,), "if not")
    return Caution("leak", (column.name,), {"rank_correlation": correlation}, Note(said, (fix,)))


def _rank_correlations(cells: np.ndarray, values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Spearman's correlation (p,) of columns of numbers with the target, over known cells."""
    n, p = cells.shape
    found = np.zeros(p)
    if n < FEWEST:
        return found
    gaps = np.isnan(cells).any(axis=0)
    whole = np.flatnonzero(~nominal & ~gaps)
    ranks = pd.Series(values).rank().to_numpy()
    for start in range(0, len(whole), max(1, PART // n)):
        part = whole[start : start + max(1, PART // n)]
        found[part] = _correlations(pd.DataFrame(cells[:, part]).rank().to_numpy(), ranks)
    for j in np.flatnonzero(~nominal & gaps).tolist():
        known = ~np.isnan(cells[:, j])
        if known.sum() >= FEWEST:
            pair = pd.DataFrame({"x": cells[known, j], "y": values[known]}).rank().to_numpy()
            found[j] = _correlations(pair[:, :1], pair[:, 1])[0]
    return found


def _correlations(columns: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Pearson's correlation (q,) of columns (n, q) with ranks (n,); 0 of constant ones."""
    columns, ranks = columns - columns.mean(axis=0), ranks - ranks.mean()
    spread = np.sqrt((columns**2).sum(axis=0) * (ranks**2).sum())
    products = (columns * ranks[:, None]).sum(axis=0)
    return np.divide(products, spread, out=np.zeros(len(spread)), where=spread > 0)


def _parts_in_ranges(cells: np.ndarray, values: np.ndarray, p: int) -> bool:
    """Whether equal cells (n,), missing ones too, are neighbors by ascending values (n,)."""
    groups, counts = np.unique(cells, return_inverse=True, return_counts=True)[1:]
    n, c = len(values), len(counts)
    log_chance = gammaln(c + 1) + gammaln(counts + 1).sum() - gammaln(n + 1) + np.log(p)
    if c < 2 or log_chance > np.log(CHANCE):
        return False
    ends = np.flatnonzero(groups[1:] != groups[:-1])
    return len(ends) == c - 1 and bool((values[ends + 1] > values[ends]).all())
