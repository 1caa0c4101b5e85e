"""Keep what a saved signature knows of its training rows: distributions and sketches."""

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
CELLS = 20  # levels that are tested separately; more are merged by their names
DIGITS = 6  # of a covariance
NAMED = 5  # unseen levels
SMOOTHED = 0.5  # rows that are added to a bin, in the stability index


class Distribution(Struct, frozen=True, omit_defaults=True):
    """The distribution of a feature among the training rows."""

    feature: str
    missing: WholeNumber
    counts: list[row_sketches.NotNegative]  # between tenths of the rows, or of each level
    edges: list[float] | None = None  # of numbers
    covariance: list[list[float]] | None = None  # of the proportions of cells, if rows have groups


class Reference(Struct, frozen=True, omit_defaults=True):
    """What is saved of the training rows."""

    rows: Count
    features: list[Distribution]  # of each feature of the signature
    all: row_sketches.Sketches | None = None  # of all columns
    own: row_sketches.Sketches | None = None  # of those of the signature


class NewCells(Struct, frozen=True, kw_only=True):
    """Unseen values of a feature in new rows, and their drift from the training rows."""

    feature: str
    missing: float  # proportion of missing values here
    unseen: int  # rows with an unseen level
    levels: list[str]  # some of these levels
    below: int  # rows below its training range
    above: int
    shift: float | None  # population stability index, sum (q - p) log(q / p)
    shift_by_chance: float | None  # its mean by chance
    pvalue: float | None  # for equal distributions, adjusted for the features (Holm)
    missing_before: float  # proportion of missing values in training


def training_reference(
    table: Table, columns: np.ndarray, groups: np.ndarray | None = None
) -> Reference:
    """Collect what is saved of the training rows.

    `table` (n, p) has all columns, with missing values; `columns` (k,) are those of the signature.
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
    """Count numbers between tenths of the rows, or levels; with groups add the covariance."""
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
    """Place values between edges, the upper one included; values beyond go to first and last."""
    return np.asarray(np.searchsorted(edges[1:-1], values))


def _cells_of_levels(levels: Sequence[object]) -> np.ndarray:
    """Return the cell of each level, by its name if there are many, whatever the rows."""
    if len(levels) <= CELLS:
        return np.arange(1, len(levels) + 1)
    return np.array([_cell_of_name(str(level)) for level in levels])


def _cell_of_name(name: str) -> int:
    return 1 + crc32(name.encode(errors="surrogatepass")) % CELLS


def _places(before: Distribution, column: Column, cells: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the test cell (n,) of each row, 0 if missing, m if unseen, and the number m."""
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
    """Describe unseen values in new rows, and test their drift from the training rows, by feature.

    The test is that of :func:`hetsel.signature.validation.drift_test.same_distribution`. `groups`
    (n,) are those of the new rows, `groups_before` the number of groups of the training rows.

    References
    ----------
    Siddiqi (2006) Credit Risk Scorecards (the index; 0.1 is some drift, 0.25 is much).
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
    """Count cells (n,) below and above the training range of a feature."""
    if not before.edges:
        return 0, 0
    low, high = before.edges[0], before.edges[-1]
    return int((cells < low).sum()), int((cells > high).sum())


def far_rows(before: Distribution, cells: np.ndarray) -> np.ndarray:
    """Check which cells (n,) lie beyond the training range by more than this range."""
    if not before.edges:
        return np.zeros(len(cells), dtype=bool)
    low, high = before.edges[0], before.edges[-1]
    return np.asarray((cells / 2 < low - high / 2) | (cells / 2 > high - low / 2))


def warn_of_rows(reference: Reference | None, table: Table) -> None:
    """Warn of rows to predict that are far from the training rows.

    A value is far if it lies beyond the training range by more than this range; the largest
    held-out values lie beyond it as well.

    Parameters
    ----------
    reference : Reference or None
        None if a file has none.
    table : Table of shape (n, k)
        The columns of the signature, with missing values.

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
            said.append(f"{name} is far from its training range {where} in {rows}")
            ends = " (a value beyond the range counts as its end)"
    if said:
        # one call, so that the warning appears once
        warnings.warn(f"{'; '.join(said)}{ends}", UserWarning, stacklevel=1)


def _compared(
    reference: Reference, j: int, column: Column, cells: np.ndarray, raw: pd.Series
) -> NewCells:
    """Describe unseen values and compute the stability index, without a test."""
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
    """Compute the index by chance, and p for equal distributions of training and new rows."""
    if not sum(before.counts):
        return None, None
    places, m = _places(before, column, cells)
    strange, size = np.flatnonzero(places == m), m
    if len(strange):  # each has its own cell, or that of its name
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
    """Compute the population stability index."""
    used = (old + new) > 0
    if not old.sum() or not new.sum():
        return None
    p, q = old[used] + SMOOTHED, new[used] + SMOOTHED
    p, q = p / p.sum(), q / q.sum()
    return float(((q - p) * np.log(q / p)).sum())
