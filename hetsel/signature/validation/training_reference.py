"""What a saved signature knows of the rows of its fit: distributions, and which they were."""

import warnings
from collections.abc import Sequence
from zlib import crc32

import numpy as np
import pandas as pd
from msgspec import Struct
from msgspec.structs import replace

from hetsel.ground import counted, shown
from hetsel.ground.plan_entries import Count, WholeNumber
from hetsel.signature.validation import drift_test, row_sketches
from hetsel.statistics.comparisons.corrections import holm
from hetsel.tables import Column, Schema, Table

BINS = 10  # of a feature of numbers
CELLS = 20  # levels that are tested one by one; more are put together by their names
DIGITS = 6  # of a covariance
NAMED = 5  # levels that were never seen
SMOOTHED = 0.5  # rows that a bin has more, in the stability index


class Distribution(Struct, frozen=True, omit_defaults=True):
    """The cells of a feature among the rows of a fit."""

    feature: str
    missing: WholeNumber
    counts: list[row_sketches.NotNegative]  # between tenths of the rows, or of each level
    edges: list[float] | None = None  # of numbers
    covariance: list[list[float]] | None = None  # of the shares of cells, where rows have groups


class Reference(Struct, frozen=True, omit_defaults=True):
    """What is saved of the rows of a fit."""

    rows: Count
    features: list[Distribution]  # of each of the signature
    all: row_sketches.Sketches | None = None  # of all columns
    own: row_sketches.Sketches | None = None  # of those of the signature


class NewCells(Struct, frozen=True, kw_only=True):
    """What in the cells of a feature in new rows was never seen, and how far they are from it."""

    feature: str
    missing: float  # share of missing cells here
    unseen: int  # rows with a level that the fit has not
    levels: list[str]  # some of these
    below: int  # rows below its range
    above: int
    shift: float | None  # population stability index, sum (q - p) log(q / p)
    shift_by_chance: float | None  # what it is in the mean
    pvalue: float | None  # that both are of one distribution, adjusted for the features (Holm)
    missing_before: float  # share of missing cells in the fit


def training_reference(
    table: Table, columns: np.ndarray, groups: np.ndarray | None = None
) -> Reference:
    """What is saved of the rows of a fit.

    `table` (n, p) has all columns, missing cells open, of which `columns` (k,) are in the
    signature.
    """
    own = table.take(columns=columns)
    features = [_distribution(own, j, groups) for j in range(own.shape[1])]
    return Reference(
        len(table.values),
        features,
        row_sketches.kept_rows(table, groups),
        row_sketches.kept_rows(own, groups),
    )


def _distribution(table: Table, j: int, groups: np.ndarray | None) -> Distribution:
    """Of numbers counts between tenths of the rows; of levels their counts; of groups how sure."""
    column, cells = table.schema.columns[j], table.values[:, j]
    known, edges = cells[~np.isnan(cells)], None
    if column.kind == "nominal" or column.kind == "ordinal":
        counts = np.bincount(known.astype(np.intp), minlength=len(column.levels))
    elif not len(known):
        return Distribution(column.name, len(cells), [], [])
    else:
        upper = np.unique(np.quantile(known, np.linspace(0, 1, BINS + 1)[1:]))
        ends = np.array([known.min(), *upper])
        edges = ends.tolist()
        counts = np.bincount(_bins(known, ends), minlength=len(upper))
    found = Distribution(column.name, len(cells) - len(known), counts.tolist(), edges)
    if groups is None:
        return found
    own = drift_test.cell_covariance(*_places(found, column, cells), groups)
    return replace(found, covariance=[[float(f"{v:.{DIGITS}g}") for v in row] for row in own])


def _bins(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Place of each value between edges, the upper one with it; those beyond first and last."""
    return np.asarray(np.searchsorted(edges[1:-1], values))


def _cells_of_levels(levels: Sequence[object]) -> np.ndarray:
    """Cell of each level, of many by its name: no row of either set has a part in that."""
    if len(levels) <= CELLS:
        return np.arange(1, len(levels) + 1)
    return np.array([_cell_of_name(str(level)) for level in levels])


def _cell_of_name(name: str) -> int:
    return 1 + crc32(name.encode(errors="surrogatepass")) % CELLS


def _places(before: Distribution, column: Column, cells: np.ndarray) -> tuple[np.ndarray, int]:
    """The cell (n,) of the test of each row, 0 if it is missing, and their number m; m: unseen."""
    gaps = np.isnan(cells)
    if before.edges is not None:
        m, places = len(before.counts) + 1, 1 + _bins(cells, np.array(before.edges))
    else:
        m = min(len(column.levels), CELLS) + 1
        codes = np.where(gaps, 0, np.minimum(cells, len(column.levels))).astype(np.intp)
        places = np.append(_cells_of_levels(column.levels), m)[codes]
    return np.where(gaps, 0, places), m


def new_cells(
    reference: Reference,
    schema: Schema,
    frame: pd.DataFrame,
    *,
    groups: np.ndarray | None = None,
    groups_before: int | None = None,
) -> list[NewCells]:
    """What in new rows was never seen in the fit, and how far they are from it, by feature.

    The test is that of :func:`hetsel.signature.validation.drift_test.same_distribution`. `groups`
    (n,) are those of the new rows, `groups_before` how many the rows of the fit had.

    References
    ----------
    Siddiqi (2006) Credit Risk Scorecards (the index, 0.1 is some and 0.25 much).
    """
    table = schema.encode(frame[schema.names], unseen="separate")
    found = [
        _compared(reference, j, column, table.values[:, j], frame[column.name])
        for j, column in enumerate(schema.columns)
    ]
    tested = [
        _tested(before, column, table.values[:, j], frame[column.name], groups, groups_before)
        for j, (before, column) in enumerate(zip(reference.features, schema.columns, strict=True))
    ]
    pvalues = [p for _, p in tested if p is not None]
    adjusted = iter(holm(pvalues).tolist() if pvalues else ())
    return [
        replace(one, shift_by_chance=mean, pvalue=None if p is None else next(adjusted))
        for one, (mean, p) in zip(found, tested, strict=True)
    ]


def rows_beyond(before: Distribution, cells: np.ndarray) -> tuple[int, int]:
    """How many cells (n,) are below and above the range of a feature in the fit."""
    if not before.edges:
        return 0, 0
    low, high = before.edges[0], before.edges[-1]
    return int((cells < low).sum()), int((cells > high).sum())


def far_rows(before: Distribution, cells: np.ndarray) -> np.ndarray:
    """Which cells (n,) are beyond the range of the fit by more than this range."""
    if not before.edges:
        return np.zeros(len(cells), dtype=bool)
    low, high = before.edges[0], before.edges[-1]
    return np.asarray((cells / 2 < low - high / 2) | (cells / 2 > high - low / 2))


def warn_of_rows(reference: Reference | None, table: Table) -> None:
    """Warn of rows to predict that are far from those of the fit.

    A value counts as far if it is beyond the range of the fit by more than this range: the largest
    of rows that are held out are beyond it, too.

    Parameters
    ----------
    reference : Reference or None
        None where a file has none.
    table : Table of shape (n, k)
        The columns of the signature, missing cells open.

    Warns
    -----
    UserWarning
        Once, with the features that have such values, or no value at all in two rows or more.
    """
    if reference is None:
        return
    said, n, ends = [], len(table.values), ""
    for before, cells in zip(reference.features, table.values.T, strict=False):
        name = shown(before.feature)
        if n > 1 and np.isnan(cells).all() and before.missing < reference.rows:
            said.append(f"{name} is missing in all {n} rows")
        if before.edges and (far := far_rows(before, cells)).any():
            where = f"({before.edges[0]:g} to {before.edges[-1]:g})"
            rows = counted(int(far.sum()), "row")
            said.append(f"{name} is far from its range in the fit {where} in {rows}")
            ends = " (a value beyond the range counts as its end)"
    if said:
        # one place, so that it is said once
        warnings.warn(f"{'; '.join(said)}{ends}", UserWarning, stacklevel=1)


def _compared(
    reference: Reference, j: int, column: Column, cells: np.ndarray, raw: pd.Series
) -> NewCells:
    """What was never seen, and the stability index; nothing is tested yet."""
    before, gaps = reference.features[j], np.isnan(cells)
    known, strange, names = cells[~gaps], 0, {}
    below, above = rows_beyond(before, known)
    old = np.array(before.counts, dtype=np.float64)
    if before.edges is not None:
        codes = _bins(known, np.array(before.edges))
    else:
        never = known >= len(column.levels)
        names = dict.fromkeys(str(one) for one in np.asarray(raw)[~gaps][never])
        strange = int(never.sum())
        codes = np.minimum(known, len(column.levels)).astype(np.intp)
    new = np.bincount(codes, minlength=len(old) + 1).astype(np.float64)
    index = _index(np.append(old, [0.0, before.missing]), np.append(new, gaps.sum()))
    return NewCells(
        feature=column.name,
        missing=float(gaps.mean()),
        unseen=strange,
        levels=[*names][:NAMED],
        below=below,
        above=above,
        shift=index if old.sum() else None,
        shift_by_chance=None,
        pvalue=None,
        missing_before=before.missing / reference.rows,
    )


def _tested(
    before: Distribution,
    column: Column,
    cells: np.ndarray,
    raw: pd.Series,
    groups: np.ndarray | None,
    groups_before: int | None,
) -> tuple[float | None, float | None]:
    """The index by chance, and p that rows of the fit and new ones are of one distribution."""
    if not sum(before.counts):
        return None, None
    places, m = _places(before, column, cells)
    strange, size = np.flatnonzero(places == m), m
    if len(strange):  # each a cell of its own, or in the one of its name
        names = np.asarray(raw)[strange].astype(str)
        if len(column.levels) > CELLS:
            places[strange] = [*map(_cell_of_name, names)]
        else:
            codes = np.unique(names, return_inverse=True)[1]
            places[strange], size = m + codes, m + int(codes.max()) + 1
    old = np.zeros(size)
    own = _cells_of_levels(column.levels) if before.edges is None else np.arange(1, m)
    np.add.at(old, own, before.counts)
    old[0] = before.missing
    rows, covariance = old.sum(), None
    if groups_before is not None and before.covariance is not None:
        covariance = np.zeros((size, size))
        covariance[:m, :m] = before.covariance
    of_fit = drift_test.CellShares(old, covariance, groups_before or int(rows))
    p, by_chance = drift_test.same_distribution(
        of_fit, drift_test.CellShares.of(places, size, groups), column.kind != "nominal"
    )
    return by_chance, p


def _index(old: np.ndarray, new: np.ndarray) -> float | None:
    """The population stability index."""
    used = (old + new) > 0
    if not old.sum() or not new.sum():
        return None
    p, q = old[used] + SMOOTHED, new[used] + SMOOTHED
    p, q = p / p.sum(), q / q.sum()
    return float(((q - p) * np.log(q / p)).sum())
