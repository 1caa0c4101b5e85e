"""Rows that are equal to others or nearly so: copies, and several measurements of one patient.

The rule compares each small cluster of rows with its own surroundings. Where rows are drawn one by
one, n of them from a distribution of local dimension d, the next row is rho times as far away as
the rows of a cluster reach with a probability of about rho^-d at most; so about (n / 2) rho^-d
clusters of such a ratio are expected. Their number is Poisson's at the most, and far more of them
are no chance. d is estimated without the clusters, on one row of each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import poisson

from hetsel.statistics.row_clusters import Cluster, apart, local_dimension, small_clusters
from hetsel.statistics.row_distances import RowPlaces, row_keys
from hetsel.tables.table import Table

RATIOS = (
    1.3,
    1.5,
    1.75,
    2.0,
    2.5,
    3.0,
    4.0,
    6.0,
    10.0,
    20.0,
    50.0,
)  # at which clusters are counted
CONSTANT = 3.0  # the least of them in columns that are constant within groups
CHANCE = 1e-5  # of an alarm at one ratio
FALSE = 0.2  # share of the clusters that chance may have made, at most
SURE = 0.05  # the same, of clusters that are taken whole where parts of them are still nearer
CAREFUL = 0.85  # of the estimated dimension; near rows that are no copies were left out of it
FEW, FAR, RARE = 3, 3.0, 1e-8  # fewer clusters must be so far from the next row, by less chance
LARGEST, SHARE = 40, 0.1  # rows of a cluster at most, and their share of all
NEIGHBORS = 10  # of which the dimension is estimated
FEWEST = 8  # rows that are no copies
FINE = 0.12  # probability at most that two rows tie in a column of many values
TIED = 0.8  # distinct values by rows, at most, of one that may be constant within groups
MOST_ROWS = 6000  # that are compared in pairs
MOST_COLUMNS, MOST_PRODUCTS = 1024, 2**33


@dataclass(frozen=True, eq=False)
class RepeatedRows:
    """Groups of rows that belong together.

    Parameters
    ----------
    groups : ndarray of int, shape (n,)
        Group of each row, numbered by the first row; a row without any like it is one of its own.
    rows : int
        Rows in groups of two or more.
    clusters : int
        Such groups.
    largest : int
        Rows of the largest.
    equal : int
        Rows that are equal in every cell to another one.
    ratio : float
        How many times as far the next row is, the median over groups.
    columns : tuple of str
        Columns that are constant within the groups, where these were found in such columns only.
    """

    groups: np.ndarray
    rows: int
    clusters: int
    largest: int
    equal: int
    ratio: float
    columns: tuple[str, ...] = ()


def repeated_rows(table: Table) -> RepeatedRows | None:
    """The groups of equal or nearly equal rows, None where there are no more than chance gives.

    Three looks: at all columns; at those of many values; and at those of these in which rows tie
    all the same, as the age and weight of a patient do, who was measured several times. The one
    that finds the most rows counts. In tables of more than 6,000 rows only equal ones are found,
    and 1,024 columns are looked at.

    Parameters
    ----------
    table : Table of shape (n, p)
    """
    n = len(table.values)
    if n < 2 * FEWEST:
        return None
    rows = np.arange(n) if n <= MOST_ROWS else _sample_with_copies(table)
    if not len(rows):
        return None
    part = _narrowed(table if len(rows) == n else table.take(rows=rows))
    places = RowPlaces.of(part)
    names: tuple[str, ...] = ()
    best = _look(part, n, places)
    fine = (places.ties <= FINE) & (places.distinct > 2)
    tied = fine & (places.distinct <= TIED * len(rows))
    looks = [(fine, 0.0)] + ([(tied, CONSTANT)] if (tied < fine).any() else [])
    for columns, least in looks:
        if 1 < columns.sum() < len(columns):
            some = part.take(columns=np.flatnonzero(columns))
            found = _look(some, n, RowPlaces.of(some), least)
            if _concerned(found) > _concerned(best):
                best, names = found, _constant_within(some, found)
    return _told(table, rows, best, names) if best else None


def _look(table: Table, n: int, places: RowPlaces, least: float = 0.0) -> list[Cluster]:
    """Clusters that are no chance in a table of all or some of n rows."""
    m = len(table.values)
    most = max(2, min(LARGEST, int(SHARE * m)))
    near, distances = places.nearest(min(m - 1, most + 1))
    tree = sorted(small_clusters(near, distances, most), key=lambda one: -one.ratio)
    clusters = apart(tree, m)
    alone = np.ones(m, dtype=bool)
    for one in clusters:
        if one.ratio >= RATIOS[0]:
            alone[list(one.rows[1:])] = False
    if alone.all() or alone.sum() < FEWEST:
        return []
    others = RowPlaces.of(table.take(rows=np.flatnonzero(alone)))
    distances = others.nearest(max(3, min(NEIGHBORS, int(alone.sum()) // 3)))[1]
    d = min(CAREFUL * local_dimension(distances), float((1 - others.ties).sum()))
    usual = float(np.median(distances[:, 0]))
    ratios = np.array([min(one.outside, usual) / one.height for one in clusters])
    alarm, false = False, {}
    for ratio in (one for one in RATIOS if one >= least):
        count = int((ratios >= ratio).sum())
        expected = n / 2 * n / m * ratio**-d
        if count >= FEW or (count and ratio >= FAR):
            chance = CHANCE if count >= FEW else RARE
            alarm |= bool(poisson.sf(count - 1, expected) <= chance)
            false[ratio] = expected / count
    if not alarm:
        return []

    def nearer(share: float) -> list[Cluster]:
        bound = min((ratio for ratio in false if false[ratio] <= share), default=np.inf)
        return [one for one in tree if min(one.outside, usual) / one.height >= bound]

    whole = sorted(nearer(SURE), key=lambda one: -len(one.rows))
    return apart([*whole, *nearer(FALSE)], m)


def _narrowed(table: Table) -> Table:
    """The columns with the most distinct cells, as many as there is time for."""
    n, p = table.shape
    most = min(MOST_COLUMNS, max(64, MOST_PRODUCTS // (n * n)))
    if p <= most:
        return table
    distinct = np.concatenate(
        [
            (np.diff(np.sort(table.values[:, part], axis=0), axis=0) > 0).sum(axis=0)
            for part in np.array_split(np.arange(p), 1 + n * p // 2**22)
        ]
    )
    return table.take(columns=np.sort(np.argsort(-distinct, kind="stable")[:most]))


def _sample_with_copies(table: Table) -> np.ndarray:
    """Rows that are equal to others, and some that are not; none where there are no equal ones."""
    keys, count = row_keys(table.values), None
    _, code, count = np.unique(keys, return_inverse=True, return_counts=True)
    equal = np.flatnonzero(count[code] > 1)
    if not len(equal):
        return equal
    equal = equal[np.argsort(code[equal], kind="stable")][: MOST_ROWS // 2]
    others = np.flatnonzero(count[code] == 1)
    step = max(1, len(others) // (MOST_ROWS - len(equal)))
    return np.sort(np.concatenate([equal, others[::step][: MOST_ROWS - len(equal)]]))


def _concerned(clusters: list[Cluster]) -> int:
    return sum(len(one.rows) for one in clusters)


def _constant_within(table: Table, clusters: list[Cluster]) -> tuple[str, ...]:
    """Names of the columns that are constant in nine of ten clusters or more."""
    constant = np.zeros(table.shape[1])
    for one in clusters:
        cells = table.values[list(one.rows)]
        gaps = np.isnan(cells)
        constant += ((cells == cells[0]) | (gaps & gaps[0])).all(axis=0)
    held = constant >= 0.9 * len(clusters)
    return tuple(name for name, one in zip(table.names, held, strict=True) if one)


def _told(
    table: Table, rows: np.ndarray, clusters: list[Cluster], names: tuple[str, ...]
) -> RepeatedRows:
    """Groups of all rows: the clusters, and rows that are equal."""
    n = len(table.values)
    keys = row_keys(table.values)
    count = np.bincount(keys)
    group = np.arange(n)
    for one in clusters:
        members = rows[list(one.rows)]
        group[members] = members.min()
    first = np.full(len(count), n)
    np.minimum.at(first, keys, group)  # equal rows follow the first of them
    group = first[keys]
    _, code, sizes = np.unique(group, return_inverse=True, return_counts=True)
    order = np.full(len(sizes), n)
    np.minimum.at(order, code, np.arange(n))
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.argsort(order)] = np.arange(len(sizes))
    return RepeatedRows(
        number[code],
        int(sizes[sizes > 1].sum()),
        int((sizes > 1).sum()),
        int(sizes.max()),
        int((count[keys] > 1).sum()),
        float(np.median([one.ratio for one in clusters])),
        names,
    )
