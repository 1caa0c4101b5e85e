"""Canonical columns for methods of R, independent of names, units and order in the table.

Methods of R depend on the order of the columns by their random draws, on units by rounding, and on
the order of the levels. Here columns are named by numbers, levels and classes are numbered by their
first rows, and numbers have no unit. Columns are complete and within the limits of the method.
"""

import warnings

import numpy as np

from hetsel.ground.errors import Fix, HetselWarning
from hetsel.ground.text import listed
from hetsel.models.train_test_arrays import order_levels, order_levels_by_mean
from hetsel.tables import Classes, Column, Numbers, Schema, Table, TypedTarget
from hetsel.tables.content import content_ranks


def canonical(
    table: Table, most_levels: int | None = None, ordered_by: np.ndarray | None = None
) -> Table:
    """Convert a table (n, p) to the canonical table for a method of R.

    Nominal columns have their levels in the order of their first rows; missing is a level. With
    more than `most_levels` levels, the rarest are merged into one, or the levels become numbers
    ordered by the class codes or numbers `ordered_by` (n,). Continuous columns are counted in steps
    of their grid or scaled to [0, 1], and ordinal columns are the numbers of their levels. Missing
    values of both are replaced by the lower median of the column.
    """
    codes = content_ranks(table.values, table.nominal)
    values = np.empty(table.shape)
    columns = []
    for j, column in enumerate(table.schema.columns):
        n_levels = int(codes[j].max()) + 1
        name = f"x{j + 1}"
        if column.kind != "nominal":
            values[:, j] = _filled(table.values[:, j])
            if column.kind == "continuous":
                values[:, j] = _unitless(values[:, j])
        elif ordered_by is not None and most_levels is not None and n_levels > most_levels:
            once = np.ones(len(ordered_by), dtype=np.int64)
            by_mean = ordered_by.dtype.kind == "f"
            ordered = order_levels_by_mean if by_mean else order_levels
            values[:, j] = ordered(codes[[j]], ordered_by, once)[0]
        else:
            values[:, j] = codes[j] if most_levels is None else merged(codes[j], most_levels)
            columns.append(Column(name, "nominal", names_of_levels(values[:, j])))
            continue
        columns.append(Column(name, "continuous"))
    return Table(values, Schema(tuple(columns)))


def target_of(target: TypedTarget) -> Table:
    """Convert the target: a factor y, a number y of mean 0 and variance 1 (divisor n), or a time
    (its dense rank, from 1) and a status, 1 for an event.
    """
    if isinstance(target, Classes):
        codes = target.codes[:, None].astype(np.float64)
        numbers = content_ranks(codes, np.array([True])).T.astype(np.float64)
        return Table(numbers, Schema((Column("y", "nominal", names_of_levels(numbers)),)))
    if isinstance(target, Numbers):
        values = target.standardized(np.arange(len(target)))
        return Table(values[:, None], Schema((Column("y", "continuous"),)))
    ranks = target.canonical(np.arange(len(target))).times + 1.0
    columns = (Column("time", "continuous"), Column("status", "continuous"))
    return Table(np.column_stack([ranks, target.events]), Schema(columns))


def merged(codes: np.ndarray, most_levels: int) -> np.ndarray:
    """Merge the rarest of more than `most_levels` level codes (n,) into the last level.

    Among equally frequent levels those of the lower code are kept.

    Examples
    --------
    >>> merged(np.array([0, 1, 2, 3, 2, 3]), 3)
    array([2, 2, 0, 1, 0, 1])
    """
    counts = np.bincount(codes)
    if len(counts) <= most_levels:
        return codes
    place = np.empty(len(counts), dtype=np.int64)
    place[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return np.asarray(np.minimum(place, most_levels - 1)[codes])


def warn_of_merged(
    table: Table, taker: str, most_levels: int | None, fix: Fix | None = None
) -> None:
    """Warn about columns whose levels are merged, if the package has a limit."""
    if most_levels is None:
        return
    levels = [len(np.unique(column)) for column in table.values.T]
    names = [
        f"{name} ({n} levels)"
        for name, n, nominal in zip(table.names, levels, table.nominal, strict=True)
        if nominal and n > most_levels
    ]
    if names:
        said = f"{taker} accepts at most {most_levels} levels, so the rarest are merged "
        fixes = () if fix is None else (fix,)
        warnings.warn(HetselWarning(f"{said}in {listed(names)}", *fixes), stacklevel=2)


def names_of_levels(codes: np.ndarray) -> tuple[str, ...]:
    """Name the levels of whole numbers from 0."""
    return tuple(f"l{k + 1}" for k in range(int(codes.max()) + 1))


def _filled(values: np.ndarray) -> np.ndarray:
    gaps = np.isnan(values)
    if not gaps.any():
        return values
    return np.where(gaps, np.quantile(values[~gaps], 0.5, method="lower"), values)


def _unitless(values: np.ndarray) -> np.ndarray:
    """Remove the unit of values (n,), since a tree cuts half-way between two values.

    Values on a grid are counted in its steps, others scaled to [0, 1] and rounded to 12 decimals.
    """
    values = values / (np.abs(values).max() or 1.0)
    values = values - values.min()
    width = values.max()
    if width == 0:
        return values
    gaps = np.diff(np.unique(values))
    steps = values / gaps[gaps > 1e-9 * width].min()
    if np.abs(steps - np.round(steps)).max() < 1e-6:
        return np.asarray(np.round(steps))
    return np.asarray(np.round(values / width, 12))
