"""In which columns the rows of one group are alike."""

from __future__ import annotations

import numpy as np
from scipy import stats

from hetsel.tables.table import Table


def alike_within(cells: np.ndarray, nominal: bool, groups: np.ndarray) -> float:
    """P-value of no relation of a column with groups of rows.

    Of numbers the F-test of one-way analysis of variance on ranks, of levels the statistic

        C = (n - 1) (L - 1) R^2,

    about chi-squared with (L - 1) (g - 1) degrees of freedom, where R^2 is the share of the sum of
    the variances of the L indicators that lies between the g groups (Light & Margolin, 1971,
    Journal of the American Statistical Association 66, 534-544). Missing cells are left out.

    Parameters
    ----------
    cells : ndarray of shape (n,)
    nominal : bool
    groups : ndarray of int, shape (n,)
    """
    known = ~np.isnan(cells)
    if known.sum() < 3:
        return 1.0
    cells, groups = cells[known], np.unique(groups[known], return_inverse=True)[1]
    n, g = len(cells), int(groups.max()) + 1
    count = np.bincount(groups)
    if nominal:
        levels = np.unique(cells, return_inverse=True)[1]
        c = int(levels.max()) + 1
        if c == 1 or g == 1:
            return 1.0
        table = np.bincount(groups * c + levels, minlength=g * c).reshape(g, c)
        whole = n - (np.bincount(levels) ** 2).sum() / n
        within = n - ((table**2).sum(axis=1) / count).sum()
        statistic = (n - 1) * (c - 1) * (1 - within / whole)
        return float(stats.chi2.sf(statistic, (c - 1) * (g - 1)))
    ranks = stats.rankdata(cells)
    ranks -= ranks.mean()
    whole = float((ranks**2).sum())
    between = float((np.bincount(groups, ranks) ** 2 / count).sum())
    if whole == 0 or not 1 < g < n:
        return 1.0
    within = max(whole - between, 0.0)
    if within <= 1e-12 * whole:
        return 0.0
    return float(stats.f.sf(between / (g - 1) / (within / (n - g)), g - 1, n - g))


def columns_alike(table: Table, but: int, chance: float, fewest: int = 2) -> tuple[int, int]:
    """Number of columns in which rows of one value of a column are alike, and of all columns.

    Parameters
    ----------
    table : Table of shape (n, p)
    but : int
        Position of the column whose values are the groups; it does not count.
    chance : float
        Largest p-value of columns that are alike.
    fewest : int
        Values of a column that counts; 3 leaves out flags of years and treatments, which are alike
        in no group.
    """
    groups = np.unique(table.values[:, but], return_inverse=True)[1]
    alike = every = 0
    for j in range(table.shape[1]):
        cells = table.values[:, j]
        if j == but or len(np.unique(cells[~np.isnan(cells)])) < fewest:
            continue
        every += 1
        alike += alike_within(cells, bool(table.nominal[j]), groups) <= chance
    return alike, every
