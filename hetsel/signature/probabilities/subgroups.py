"""What a signature is worth in parts of the rows: of men and of women, of each center."""

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

FEW_ROWS_OF_CLASS = 20  # rows of a class: fewer are said
MOST = 12  # parts of a column
THIRDS = 3  # of a column of numbers
MISSING = "missing"


@dataclass(frozen=True, eq=False)
class Subgroup:
    """A part of the rows."""

    name: str  # A level, or from where to where numbers go
    rows: np.ndarray  # (n,): of the rows that were given


Subgroups = Mapping[str, Sequence[Subgroup]]


def subgroups_of(columns: Mapping[str, object], n: int) -> Subgroups:
    """The parts of the rows by columns.

    Levels are parts, and so is a missing cell; more than six numbers are three parts of equally
    many rows, as far as these can be told apart. A TableError for another number of rows, or more
    than twelve levels.

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
            raise TableError(f"by must have {n} rows, as the table has. {name} has {len(values)}")
        if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
            values = _thirds(values)
        names = values.astype(object).where(values.notna(), MISSING).astype(str)
        levels = [str(one) for one in values.astype("category").cat.categories]
        levels = list(dict.fromkeys([*levels, MISSING]))
        parts = [Subgroup(level, (names == level).to_numpy()) for level in levels]
        found[name] = [part for part in parts if part.rows.any()]
        if len(found[name]) > MOST:
            raise TableError(
                f"by must be a column of at most {MOST} levels, or of numbers. {name} has "
                f"{len(found[name])}: {listed([part.name for part in found[name]])}"
            )
    return found


def _thirds(values: pd.Series) -> pd.Series:
    """Numbers as levels: few of them as they are, else thirds."""
    if values.nunique() <= 2 * THIRDS:
        ordered = sorted(values.dropna().unique())
        places = {value: k for k, value in enumerate(ordered)}
        return _leveled(values.map(places).fillna(-1), [plain_number(v) for v in ordered])
    cuts = np.unique(np.quantile(values.dropna(), [0, 1 / 3, 2 / 3, 1]))
    # a third goes to its upper end; the least value is in the first
    parts = np.maximum(np.searchsorted(cuts, values) - 1, 0)
    names = [f"{plain_number(a)} to {plain_number(b)}" for a, b in pairwise(cuts.tolist())]
    return _leveled(np.where(values.isna(), -1, parts), names)


def _leveled(codes: object, names: list[str]) -> pd.Series:
    """Levels by their codes, -1 where there is none."""
    places = np.asarray(codes, dtype=np.int64)
    return pd.Series(pd.Categorical.from_codes(places, pd.Index(names)))


def worth_of_parts(
    found: NestedProbabilities,
    data: EncodedData,
    rows: PredictedRows,
    by: Subgroups,
    asked: AskedProbabilities,
) -> list[PartWorth]:
    """What the signature is worth in each part of the rows.

    The area is that of pairs inside of folds and of the part, see :func:`parts_of` for the rest.
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
    """Whether rows are of one group, which no model that predicts them has seen.

    Given the model such rows are independent: each counts, and what they tell is of this group.

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
    """What probabilities are worth in each part of the rows.

    Of two classes there are beside the area what is observed over what is expected, and at the
    threshold of the costs, or else at the share of the class among all rows, sensitivity and
    specificity. The rows of a part that is one group count one by one, see :func:`of_one_group`.
    The rows are those of one or several cross-validations, m = k n; `area` gives the area under the
    ROC curve of the rows (n,) of a part.
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
    """How few rows a class has in a part."""
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
    ratio = calibration_line(pooled, spread=part.spread).observed_over_expected
    # the map is that of all rows: its error moves what is expected of a part
    expected = np.average(moved, axis=1, weights=part.weights)
    ratios = ratio.rate * float(np.average(p, weights=part.weights)) / expected
    return {
        "brier": brier,
        "observed_over_expected": interval_of(wider(ratio, ratios, (0.0, np.inf))),
        "threshold": threshold,
        "sensitivity": interval_of(wider(at.sensitivity, rates["sensitivity"], SHARES)),
        "specificity": interval_of(wider(at.specificity, rates["specificity"], SHARES)),
    }
