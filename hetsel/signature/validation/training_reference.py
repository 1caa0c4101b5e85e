"""What a saved signature knows of the rows of its fit: distributions, and which they were."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import chi2_contingency
from statsmodels.stats.multitest import multipletests

from hetsel.ground.text import counted, shown
from hetsel.signature.validation.row_sketches import kept_rows
from hetsel.tables.table import Schema, Table

BINS = 10  # of a feature of numbers
NAMED = 5  # levels that were never seen
SMOOTHED = 0.5  # rows that a bin has more, in the stability index


def training_reference(table: Table, columns: np.ndarray) -> dict[str, Any]:
    """What is saved of the rows of a fit, as plain values.

    Parameters
    ----------
    table : Table of shape (n, p)
        All columns, missing cells open.
    columns : ndarray of int, shape (k,)
        Those of the signature.

    Returns
    -------
    dict
        `features`, of each of the signature its distribution, and the rows as sketches: `all`, of
        all columns, and `own`, of those of the signature.
    """
    own = table.take(columns=columns)
    return {
        "rows": len(table.values),
        "features": [_distribution(own, j) for j in range(own.shape[1])],
        "all": kept_rows(table),
        "own": kept_rows(own),
    }


def _distribution(table: Table, j: int) -> dict[str, Any]:
    """Of numbers counts between tenths of the rows; of levels their counts."""
    column, cells = table.schema.columns[j], table.values[:, j]
    known = cells[~np.isnan(cells)]
    found: dict[str, Any] = {"feature": column.name, "missing": int(np.isnan(cells).sum())}
    if column.kind == "nominal" or column.kind == "ordinal":
        counts = np.bincount(known.astype(np.intp), minlength=len(column.levels))
        return found | {"counts": counts.tolist()}
    if not len(known):
        return found | {"edges": [], "counts": []}
    edges = np.unique(np.quantile(known, np.linspace(0, 1, BINS + 1)))
    return found | {"edges": edges.tolist(), "counts": _counts(known, edges).tolist()}


def _counts(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Rows between edges, the upper one of each with it; those beyond in the first and last."""
    if len(edges) < 2:
        return np.array([len(values)])
    place = np.clip(np.searchsorted(edges, values) - 1, 0, len(edges) - 2)
    return np.bincount(place, minlength=len(edges) - 1)


def new_rows_facts(
    reference: Mapping[str, Any], schema: Schema, frame: Any
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

    Returns
    -------
    list of dict
        `feature`; `missing`, share of missing cells here and `missing_before`; `unseen`, rows with
        a level that the fit has not, and some of these `levels`; `below` and `above`, rows beyond
        its range; `shift`, the population stability index of the bins or levels,
        sum (q - p) log(q / p); `pvalue` of a chi-squared test that both are of one distribution,
        adjusted for the number of features (Holm).

    References
    ----------
    Siddiqi (2006) Credit Risk Scorecards (the index, 0.1 is some and 0.25 much).
    """
    table = schema.encode(frame[schema.names], unseen="separate")
    found = [
        _compared(before, column, table.values[:, j], frame[column.name])
        for j, (before, column) in enumerate(
            zip(reference["features"], schema.columns, strict=True)
        )
    ]
    known = [k for k, one in enumerate(found) if one["pvalue"] is not None]
    if known:
        adjusted = multipletests([found[k]["pvalue"] for k in known], method="holm")[1]
        for k, value in zip(known, adjusted.tolist(), strict=True):
            found[k]["pvalue"] = value
    rows = reference["rows"]
    for one, before in zip(found, reference["features"], strict=True):
        one["missing_before"] = before["missing"] / rows
    return found


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
        if before.get("edges"):
            low, high = before["edges"][0], before["edges"][-1]
            far = (cells / 2 < low - high / 2) | (cells / 2 > high - low / 2)
            if far.any():
                where = f"from its range in the fit ({low:g} to {high:g})"
                said.append(f"{name} is far {where} in {counted(int(far.sum()), 'row')}")
                ends = " (a value beyond the range counts as its end)"
    if said:
        # one place, so that it is said once
        warnings.warn(f"{'; '.join(said)}{ends}", UserWarning, stacklevel=1)


def _compared(before: Mapping[str, Any], column: Any, cells: np.ndarray, raw: Any) -> Any:
    gaps = np.isnan(cells)
    known = cells[~gaps]
    found: dict[str, Any] = {
        "feature": column.name,
        "missing": float(gaps.mean()),
        "unseen": 0,
        "levels": [],
        "below": 0,
        "above": 0,
    }
    old = np.array(before["counts"], dtype=np.float64)
    if "edges" in before:
        edges = np.array(before["edges"])
        new = _counts(known, edges).astype(np.float64) if len(edges) else old * 0
        if len(edges):
            found |= {
                "below": int((known < edges[0]).sum()),
                "above": int((known > edges[-1]).sum()),
            }
    else:
        strange = known >= len(column.levels)
        names = dict.fromkeys(str(one) for one in np.asarray(raw)[~gaps][strange])
        found |= {"unseen": int(strange.sum()), "levels": [*names][:NAMED]}
        codes = np.minimum(known, len(column.levels)).astype(np.intp)
        new = np.bincount(codes, minlength=len(column.levels) + 1).astype(np.float64)
        old = np.append(old, 0.0)
    return found | {"shift": _index(old, new), "pvalue": _same(old, new)}


def _index(old: np.ndarray, new: np.ndarray) -> float | None:
    """The population stability index."""
    used = (old + new) > 0
    if not old.sum() or not new.sum():
        return None
    p, q = old[used] + SMOOTHED, new[used] + SMOOTHED
    p, q = p / p.sum(), q / q.sum()
    return float(((q - p) * np.log(q / p)).sum())


def _same(old: np.ndarray, new: np.ndarray) -> float | None:
    """p of the chi-squared test of both rows of counts."""
    used = (old + new) > 0
    if used.sum() < 2 or not old.sum() or not new.sum():
        return None
    return float(chi2_contingency(np.stack([old[used], new[used]]), correction=False).pvalue)
