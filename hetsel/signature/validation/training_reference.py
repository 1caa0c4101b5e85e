"""What a saved signature knows of the rows of its fit: distributions, and which they were."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from hetsel.ground.text import counted, shown
from hetsel.signature.validation.drift_test import CellShares, same_distribution, share_covariance
from hetsel.signature.validation.row_sketches import kept_rows
from hetsel.statistics.comparisons.corrections import holm
from hetsel.tables import Schema, Table

BINS = 10  # of a feature of numbers
CELLS = 20  # levels that are tested one by one; more are put together by their names
DIGITS = 6  # of a covariance
NAMED = 5  # levels that were never seen
SMOOTHED = 0.5  # rows that a bin has more, in the stability index


def training_reference(
    table: Table, columns: np.ndarray, groups: np.ndarray | None = None
) -> dict[str, Any]:
    """What is saved of the rows of a fit, as plain values.

    Parameters
    ----------
    table : Table of shape (n, p)
        All columns, missing cells open.
    columns : ndarray of int, shape (k,)
        Those of the signature.
    groups : ndarray of int, shape (n,), optional
        Rows of one number belong together.

    Returns
    -------
    dict
        `features`, of each of the signature its distribution, and the rows as sketches: `all`, of
        all columns, and `own`, of those of the signature.
    """
    own = table.take(columns=columns)
    return {
        "rows": len(table.values),
        "features": [_distribution(own, j, groups) for j in range(own.shape[1])],
        "all": kept_rows(table, groups),
        "own": kept_rows(own, groups),
    }


def _distribution(table: Table, j: int, groups: np.ndarray | None) -> dict[str, Any]:
    """Of numbers counts between tenths of the rows; of levels their counts; of groups how sure."""
    column, cells = table.schema.columns[j], table.values[:, j]
    known = cells[~np.isnan(cells)]
    found: dict[str, Any] = {"feature": column.name, "missing": int(np.isnan(cells).sum())}
    if column.kind == "nominal" or column.kind == "ordinal":
        counts = np.bincount(known.astype(np.intp), minlength=len(column.levels))
        found["counts"] = counts.tolist()
    elif not len(known):
        return found | {"edges": [], "counts": []}
    else:
        upper = np.unique(np.quantile(known, np.linspace(0, 1, BINS + 1)[1:]))
        edges = np.array([known.min(), *upper])
        found |= {"edges": edges.tolist()}
        found["counts"] = np.bincount(_bins(known, edges), minlength=len(upper)).tolist()
    if groups is not None:
        own = share_covariance(*_places(found, column, cells), groups)
        found["covariance"] = [[float(f"{v:.{DIGITS}g}") for v in row] for row in own]
    return found


def _bins(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Place of each value between edges, the upper one with it; those beyond first and last."""
    return np.asarray(np.searchsorted(edges[1:-1], values))


def _cells_of_levels(levels: Sequence[Any]) -> np.ndarray:
    """Cell of each level, of many by its name: no row of either set has a part in that."""
    if len(levels) <= CELLS:
        return np.arange(1, len(levels) + 1)
    return np.array([_cell_of_name(str(level)) for level in levels])


def _cell_of_name(name: str) -> int:
    return 1 + crc32(name.encode(errors="surrogatepass")) % CELLS


def _places(before: Mapping[str, Any], column: Any, cells: np.ndarray) -> tuple[np.ndarray, int]:
    """The cell (n,) of the test of each row, 0 if it is missing, and their number m; m: unseen."""
    gaps = np.isnan(cells)
    if "edges" in before:
        m, places = len(before["counts"]) + 1, 1 + _bins(cells, np.array(before["edges"]))
    else:
        m = min(len(column.levels), CELLS) + 1
        codes = np.where(gaps, 0, np.minimum(cells, len(column.levels))).astype(np.intp)
        places = np.append(_cells_of_levels(column.levels), m)[codes]
    return np.where(gaps, 0, places), m


def new_rows_facts(
    reference: Mapping[str, Any],
    schema: Schema,
    frame: Any,
    *,
    groups: np.ndarray | None = None,
    groups_before: int | None = None,
) -> list[dict[str, Any]]:
    """What in new rows was never seen in the fit, and how far they are from it, by feature.

    Parameters
    ----------
    reference : mapping
        See :func:`training_reference`.
    schema : Schema
        Of the signature.
    frame : DataFrame
        With its columns.
    groups : ndarray of int, shape (n,), optional
        Of the new rows.
    groups_before : int, optional
        How many groups the rows of the fit had.

    Returns
    -------
    list of dict
        `feature`; `missing`, share of missing cells here and `missing_before`; `unseen`, rows with
        a level that the fit has not, and some of these `levels`; `below` and `above`, rows beyond
        its range; `shift`, the population stability index of the bins or levels and of missing
        cells, sum (q - p) log(q / p), and what it is in the mean `shift_by_chance`; `pvalue` of a
        test that both are of one distribution, see
        :func:`hetsel.signature.validation.drift_test.same_distribution`, adjusted for the number
        of features (Holm).

    References
    ----------
    Siddiqi (2006) Credit Risk Scorecards (the index, 0.1 is some and 0.25 much).
    """
    table = schema.encode(frame[schema.names], unseen="separate")
    found = [
        _compared(before, column, table.values[:, j], frame[column.name])
        | _tested(before, column, table.values[:, j], frame[column.name], groups, groups_before)
        for j, (before, column) in enumerate(
            zip(reference["features"], schema.columns, strict=True)
        )
    ]
    known = [k for k, one in enumerate(found) if one["pvalue"] is not None]
    if known:
        adjusted = holm([found[k]["pvalue"] for k in known])
        for k, value in zip(known, adjusted.tolist(), strict=True):
            found[k]["pvalue"] = value
    rows = reference["rows"]
    for one, before in zip(found, reference["features"], strict=True):
        one["missing_before"] = before["missing"] / rows
    return found


def rows_beyond(before: Mapping[str, Any], cells: np.ndarray) -> tuple[int, int]:
    """How many cells (n,) are below and above the range of a feature in the fit."""
    if not before.get("edges"):
        return 0, 0
    low, high = before["edges"][0], before["edges"][-1]
    return int((cells < low).sum()), int((cells > high).sum())


def far_rows(before: Mapping[str, Any], cells: np.ndarray) -> np.ndarray:
    """Which cells (n,) are beyond the range of the fit by more than this range."""
    if not before.get("edges"):
        return np.zeros(len(cells), dtype=bool)
    low, high = before["edges"][0], before["edges"][-1]
    return np.asarray((cells / 2 < low - high / 2) | (cells / 2 > high - low / 2))


def warn_of_rows(reference: Mapping[str, Any] | None, table: Table) -> None:
    """Warn of rows to predict that are far from those of the fit.

    A value counts as far if it is beyond the range of the fit by more than this range: the largest
    of rows that are held out are beyond it, too.

    Parameters
    ----------
    reference : mapping or None
        See :func:`training_reference`; None where a file has none.
    table : Table of shape (n, k)
        The columns of the signature, missing cells open.

    Warns
    -----
    UserWarning
        Once, with the features that have such values, or no value at all in two rows or more.
    """
    said, n, ends = [], len(table.values), ""
    known = () if reference is None else reference["features"]
    for before, cells in zip(known, table.values.T, strict=False):
        name = shown(before["feature"])
        if n > 1 and np.isnan(cells).all() and before["missing"] < reference["rows"]:  # type: ignore[index]
            said.append(f"{name} is missing in all {n} rows")
        if (far := far_rows(before, cells)).any():
            where = f"({before['edges'][0]:g} to {before['edges'][-1]:g})"
            rows = counted(int(far.sum()), "row")
            said.append(f"{name} is far from its range in the fit {where} in {rows}")
            ends = " (a value beyond the range counts as its end)"
    if said:
        # one place, so that it is said once
        warnings.warn(f"{'; '.join(said)}{ends}", UserWarning, stacklevel=1)


def _compared(before: Mapping[str, Any], column: Any, cells: np.ndarray, raw: Any) -> Any:
    """What was never seen, and the stability index."""
    gaps = np.isnan(cells)
    known = cells[~gaps]
    found: dict[str, Any] = {"feature": column.name, "missing": float(gaps.mean())}
    below, above = rows_beyond(before, known)
    found |= {"unseen": 0, "levels": [], "below": below, "above": above}
    old = np.array(before["counts"], dtype=np.float64)
    if "edges" in before:
        codes = _bins(known, np.array(before["edges"]))
    else:
        strange = known >= len(column.levels)
        names = dict.fromkeys(str(one) for one in np.asarray(raw)[~gaps][strange])
        found |= {"unseen": int(strange.sum()), "levels": [*names][:NAMED]}
        codes = np.minimum(known, len(column.levels)).astype(np.intp)
    new = np.bincount(codes, minlength=len(old) + 1).astype(np.float64)
    index = _index(np.append(old, [0.0, before["missing"]]), np.append(new, gaps.sum()))
    return found | {"shift": index if old.sum() else None}


def _tested(
    before: Mapping[str, Any],
    column: Any,
    cells: np.ndarray,
    raw: Any,
    groups: np.ndarray | None,
    groups_before: int | None,
) -> dict[str, float | None]:
    """Whether rows of the fit and new ones are of one distribution."""
    if not sum(before["counts"]):
        return {"shift_by_chance": None, "pvalue": None}
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
    own = np.arange(1, m) if "edges" in before else _cells_of_levels(column.levels)
    np.add.at(old, own, before["counts"])
    old[0] = before["missing"]
    rows, covariance = old.sum(), None
    if groups_before is not None:
        covariance = np.zeros((size, size))
        if (known := before.get("covariance")) is not None:
            covariance[:m, :m] = known
        else:  # a file of an earlier version: as if the rows of a group were equal
            covariance += (np.diag(old / rows) - np.outer(old, old) / rows**2) / groups_before
    of_fit = CellShares(old, covariance, groups_before or int(rows))
    p, by_chance = same_distribution(
        of_fit, CellShares.of(places, size, groups), column.kind != "nominal"
    )
    return {"shift_by_chance": by_chance, "pvalue": p}


def _index(old: np.ndarray, new: np.ndarray) -> float | None:
    """The population stability index."""
    used = (old + new) > 0
    if not old.sum() or not new.sum():
        return None
    p, q = old[used] + SMOOTHED, new[used] + SMOOTHED
    p, q = p / p.sum(), q / q.sum()
    return float(((q - p) * np.log(q / p)).sum())
