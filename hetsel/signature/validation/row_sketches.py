"""Rows of the fit kept as sketches, by which they are known again and not read.

The sketch of a row is a vector of K numbers, the sum over its columns of the cell times Gaussian
numbers that follow from the name of the column; cells are measured by the range of the fit, each
level and a missing cell have Gaussian numbers of their own. Rows that are nearly equal have nearly
equal sketches, others are about as far apart as the rows are (Johnson & Lindenstrauss).

References: Johnson & Lindenstrauss (1984) Contemporary Mathematics 26, 189-206; Levina & Bickel
(2005) NIPS 17, 777-784 (the dimension).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from scipy.stats import binom

from hetsel.tables.table import Schema, Table

K = 10  # numbers of a sketch
COLUMNS, ROWS = 40, 5_000  # that are kept at the most
DIGITS = 6
EQUAL = 1e-5  # distance of equal rows, but for rounding
NEIGHBORS = 5  # of which the dimension is estimated
RATIOS = (0.0, 1e-3, 0.01, 0.03, 0.1, 0.2)  # of the median distance of a row to the next one
FEWEST = 1e-6  # share of rows with an equal one where the fit had none
CHANCE = 1e-3  # that so many rows are like rows of the fit, at any ratio
FALSE = 0.1  # share of them that chance may have made, at the most
CAREFUL = 0.75  # of the estimated dimension
LARGEST = float(np.finfo(float).max)
FARTHEST = 1e100  # spans from the fit: far beyond any row that could be like one of it


def sketches(table: Table, low: np.ndarray, span: np.ndarray) -> np.ndarray:
    """Sketches (n, K) of rows; cells of numbers are measured from `low` by `span`, (p,) each."""
    n, p = table.shape
    out = np.zeros((n, K))
    for j, column in enumerate(table.schema.columns):
        cells = table.values[:, j]
        gaps = np.isnan(cells)
        if column.kind == "continuous":
            with np.errstate(over="ignore"):
                measured = np.where(gaps, 0.0, (cells - low[j]) / span[j])
            measured = np.clip(measured, -FARTHEST, FARTHEST)
            own = measured[:, None] * _numbers(column.name)
        else:
            levels = [str(level) for level in column.levels]
            each = np.array([_numbers(column.name, level) for level in [*levels, "unseen"]])
            codes = np.where(gaps, 0, np.minimum(np.nan_to_num(cells), len(levels))).astype(int)
            own = each[codes]
        own[gaps] = _numbers(column.name, "")
        out += own / np.sqrt(p)
    return out


def _numbers(*words: str) -> np.ndarray:
    """K Gaussian numbers that follow from words."""
    digest = hashlib.sha256("\x1f".join(words).encode(errors="surrogatepass")).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32)).normal(size=K)


def kept_rows(table: Table) -> dict[str, Any]:
    """What is kept of rows, as plain values.

    Parameters
    ----------
    table : Table of shape (n, p)
        Its missing cells open.

    Returns
    -------
    dict
        `schema` of up to 40 columns, `low` and `span` of numbers, the `sketches` of up to 5,000
        rows, the `median` distance of a row to the next one, the `dimension` in which they lie, and
        the share of `doubles`, the rows that have an equal one.
    """
    n, p = table.shape
    columns = np.unique(np.linspace(0, p - 1, min(p, COLUMNS)).astype(np.intp))
    rows = np.unique(np.linspace(0, n - 1, min(n, ROWS)).astype(np.intp))
    part = table.take(columns=columns)
    low, span = np.zeros(len(columns)), np.ones(len(columns))
    for j, column in enumerate(part.schema.columns):
        known = part.values[~np.isnan(part.values[:, j]), j]
        if column.kind == "continuous" and len(known):
            low[j], span[j] = known.min(), min(np.ptp(known / 2), LARGEST / 2) * 2 or 1.0
    own = np.round(sketches(part.take(rows=rows), low, span), DIGITS)
    k = min(NEIGHBORS, len(own) - 1)
    apart = cKDTree(own).query(own, k=k + 1)[0][:, 1:] if k else np.zeros((1, 1))
    return {
        "schema": part.schema.to_dict(),
        "low": low.tolist(),
        "span": span.tolist(),
        "sketches": own.tolist(),
        "median": float(np.median(apart[:, 0])),
        "dimension": _dimension(apart),
        "doubles": float((apart[:, 0] <= EQUAL).mean()),
    }


def _dimension(apart: np.ndarray) -> float:
    """Local dimension by the distances (n, k) to the next rows; 1 / mean of log(T_k / T_j)."""
    last, others = apart[:, -1:], apart[:, :-1]
    ratios = np.log(np.maximum(last, EQUAL) / np.maximum(others, EQUAL))
    mean = float(ratios[apart[:, 0] > EQUAL].mean()) if (apart[:, 0] > EQUAL).any() else np.inf
    return float(np.clip(1 / mean, 0.1, K)) if np.isfinite(mean) and mean > 0 else 0.1


def seen_rows(kept: Mapping[str, Any], frame: Any) -> np.ndarray:
    """Which rows (n,) of a frame equal rows of the fit, or nearly, if these are more than chance.

    Rows of the same population are like a row of the fit as often as these are like each other, and
    so many are none of them: where all columns have few levels equal rows are no copies. Where the
    rows of the fit have none like them, a single row is no chance. Nearly equal is a row whose
    distance to a row of the fit is `ratio` times the median distance there: of rows of dimension d
    a share of log(2) ratio^d is so near by chance. The largest ratio counts at which there are far
    more: in two columns of numbers no near row is told from another, in ten they are.

    Parameters
    ----------
    kept : mapping
        See :func:`kept_rows`.
    frame : DataFrame
        With the columns that are kept.
    """
    schema = Schema.from_dict(kept["schema"])
    table = schema.encode(frame[schema.names], unseen="separate")
    own = sketches(table, np.array(kept["low"]), np.array(kept["span"]))
    apart = cKDTree(np.array(kept["sketches"])).query(own)[0]
    seen = np.zeros(len(apart), dtype=bool)
    for ratio in RATIOS:
        found = apart <= max(ratio * kept["median"], EQUAL)
        share = max(kept["doubles"], FEWEST) + np.log(2) * ratio ** (CAREFUL * kept["dimension"])
        chance = binom.sf(int(found.sum()) - 1, len(found), min(1.0, share))
        if chance < CHANCE / len(RATIOS) and len(found) * share <= FALSE * found.sum():
            seen = found
    return seen
