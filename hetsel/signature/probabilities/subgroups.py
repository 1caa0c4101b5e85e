"""Evaluate a signature in subgroups: men and women, or each center."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.ground import TableError, counted, listed, plain_number
from hetsel.signature.nested.nested_decisions import area_by_folds
from hetsel.signature.performance import interval_of
from hetsel.signature.probabilities.asked_probabilities import AskedProbabilities
from hetsel.signature.probabilities.nested_probabilities import NestedProbabilities
from hetsel.signature.probabilities.probability_facts import PartWorth, PredictedRows, brier_of
from hetsel.statistics.performance.rate_intervals import OVERLAP, RateInterval
from hetsel.statistics.probabilities.calibration import calibration_line
from hetsel.statistics.probabilities.pooled_rows import pooled_rows
from hetsel.statistics.probabilities.threshold_values import (
    SHARES,
    rates_at,
    threshold_values,
    wider,
)

FEW_ROWS_OF_CLASS = 20  # fewer rows of a class are reported as few
MOST = 12  # subgroups of a column
THIRDS = 3  # of a column of numbers
MISSING = "missing"


@dataclass(frozen=True, eq=False)
class Subgroup:
    """A subgroup of the rows."""

    name: str  # A level, or a range of numbers
    rows: np.ndarray  # (n,): of the rows before any were left out


Subgroups = Mapping[str, Sequence[Subgroup]]


def subgroups_of(columns: Mapping[str, object], n: int) -> Subgroups:
    """Divide the rows into subgroups by columns.

    Each level is a subgroup, and so are missing values. More than six different numbers are divided
    into three subgroups of similar size, as far as ties allow. A TableError is raised for another
    number of rows, or for more than twelve levels.

    Examples
    --------
    >>> parts = subgroups_of({"sex": ["f", "m", "f"]}, 3)["sex"]
    >>> [(part.name, int(part.rows.sum())) for part in parts]
    [('f', 2), ('m', 1)]
    """
    found: dict[str, list[Subgroup]] = {}
    for name, column in columns.items():
        values = pd.Series(np.asarray(column, dtype=object)).infer_objects()
        if len(values) != n:
            raise TableError(
                f"by must have {n} rows, as many as the table. Got {len(values)} in {name}"
            )
        if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
            values = _thirds(values)
        names = values.astype(object).where(values.notna(), MISSING).astype(str)
        levels = [str(one) for one in values.astype("category").cat.categories]
        levels = list(dict.fromkeys([*levels, MISSING]))
        parts = [Subgroup(level, (names == level).to_numpy()) for level in levels]
        found[name] = [part for part in parts if part.rows.any()]
        if len(found[name]) > MOST:
            raise TableError(
                f"by must be a column of at most {MOST} levels, or of numbers. Got "
                f"{len(found[name])} levels in {name}: "
                f"{listed([part.name for part in found[name]])}"
            )
    return found


def _thirds(values: pd.Series) -> pd.Series:
    """Convert numbers to levels: unchanged if they are few, else thirds."""
    if values.nunique() <= 2 * THIRDS:
        ordered = sorted(values.dropna().unique())
        places = {value: k for k, value in enumerate(ordered)}
        return _leveled(values.map(places).fillna(-1), [plain_number(v) for v in ordered])
    cuts = np.unique(np.quantile(values.dropna(), [0, 1 / 3, 2 / 3, 1]))
    # a third includes its upper end; the smallest value is in the first third
    parts = np.maximum(np.searchsorted(cuts, values) - 1, 0)
    names = [f"{plain_number(a)} to {plain_number(b)}" for a, b in pairwise(cuts.tolist())]
    return _leveled(np.where(values.isna(), -1, parts), names)


def _leveled(codes: object, names: list[str]) -> pd.Series:
    """Return levels by their codes, -1 for none."""
    places = np.asarray(codes, dtype=np.int64)
    return pd.Series(pd.Categorical.from_codes(places, pd.Index(names)))


def worth_of_parts(
    found: NestedProbabilities,
    data: EncodedData,
    rows: PredictedRows,
    by: Subgroups,
    asked: AskedProbabilities,
) -> list[PartWorth]:
    """Evaluate the signature in each subgroup.

    The AUC is that of pairs inside of folds and of the subgroup; see :func:`parts_of` for the rest.
    """
    own = np.ones(len(data.target)) if data.weights is None else data.weights

    def area(kept: np.ndarray) -> RateInterval:
        alone = of_one_group(data.row_groups, kept)
        groups, spread = (None, 1.0) if alone else (data.row_groups, OVERLAP)
        return area_by_folds(found.runs, data.target.codes, own * kept, groups, spread=spread)

    given = slice(None) if data.given_rows is None else data.given_rows
    parts = {
        column: [replace(part, rows=part.rows[given]) for part in each]
        for column, each in by.items()
    }
    labels = data.target.labels.tolist()
    return parts_of(rows, data.target.codes, labels, parts, asked, area)


def of_one_group(groups: np.ndarray | None, kept: np.ndarray | slice = slice(None)) -> bool:
    """Check whether rows are of one group, which no model that predicts them has seen.

    Given the model, such rows are independent: each counts, and the results hold for this group
    only.

    Examples
    --------
    >>> of_one_group(np.array([0, 0, 1]), np.array([True, True, False]))
    True
    """
    return groups is not None and len(np.unique(groups[kept])) == 1


def parts_of(
    rows: PredictedRows,
    truth: np.ndarray,
    labels: Sequence[object],
    by: Subgroups,
    asked: AskedProbabilities,
    area: Callable[[np.ndarray], RateInterval],
) -> list[PartWorth]:
    """Evaluate probabilities in each subgroup.

    For two classes the results are the AUC, the observed/expected ratio, sensitivity and
    specificity. The last two are at the threshold of the costs, or at the proportion of the class
    among all rows. If a subgroup is one row group, its rows count one by one, see
    :func:`of_one_group`. The rows are those of one or several cross-validations, m = k n; `area`
    returns the AUC of the rows (n,) of a subgroup.
    """
    whole, out = rows.at_prevalence(asked.prevalence), []
    # the map is that of all rows
    moved = whole.moved(1) if len(labels) == 2 else np.empty((0, len(rows.truth)))
    for column, parts in by.items():
        for part in parts:
            if not part.rows.any():
                continue
            counts = np.bincount(truth[part.rows], minlength=len(labels))
            runs = len(rows.truth) // len(truth)
            kept = np.tile(part.rows, runs)
            pooled = whole.take(kept)
            if of_one_group(pooled.units):
                units = np.tile(np.flatnonzero(part.rows), runs)
                pooled = replace(pooled, units=units, spread=1.0)
            one = PartWorth(
                column=column,
                level=part.name,
                rows=int(part.rows.sum()),
                class_rows=counts.tolist(),
                few=_few(counts, labels),
                auc=interval_of(area(part.rows)),
                **_of_part(pooled, rows, asked, moved[:, kept]),
            )
            out.append(one)
    return out


def _few(counts: np.ndarray, labels: Sequence[object]) -> str:
    """Describe how few rows a class has in a subgroup."""
    short = [
        f"{counted(int(count), 'row')} of {label}"
        for count, label in zip(counts, labels, strict=True)
        if count < FEW_ROWS_OF_CLASS
    ]
    return f"only {listed(short)}" if short else ""


def _of_part(
    part: PredictedRows, rows: PredictedRows, asked: AskedProbabilities, moved: np.ndarray
) -> dict[str, Any]:
    brier = interval_of(brier_of(part, moved).score)
    if part.probabilities.shape[1] != 2:
        return {"brier": brier}
    p = part.probabilities[:, 1]
    threshold = asked.threshold
    if threshold is None:
        threshold = float((asked.prevalence or rows.shares)[1])
    pooled = pooled_rows(part.truth, p, part.weights, part.units)
    at = threshold_values(pooled, threshold, spread=part.spread)
    rates = rates_at(moved, part.truth.astype(np.float64), part.weights, threshold)
    ratio = calibration_line(pooled, spread=part.spread).observed_expected_ratio
    # the map is that of all rows: its error moves the expected number of a subgroup
    expected = np.average(moved, axis=1, weights=part.weights)
    ratios = ratio.estimate * float(np.average(p, weights=part.weights)) / expected
    return {
        "brier": brier,
        "observed_expected_ratio": interval_of(wider(ratio, ratios, (0.0, np.inf))),
        "threshold": threshold,
        "sensitivity": interval_of(wider(at.sensitivity, rates["sensitivity"], SHARES)),
        "specificity": interval_of(wider(at.specificity, rates["specificity"], SHARES)),
    }
