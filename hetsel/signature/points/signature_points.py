"""Report the point score of a signature: its table, the risk by total, and the cost of rounding."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf

import numpy as np
import pandas as pd
from msgspec import Struct

from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.progress import OnProgress
from hetsel.ground import TableError, plain_number
from hetsel.ground.sealed_json import plain_label
from hetsel.models.clinical_machines import ClinicalSVC
from hetsel.signature.nested.fold_models import OuterFold
from hetsel.signature.points import held_out_points, risk_by_total
from hetsel.signature.points.points_of_model import Band, FeaturePoints, PointsTable, points_table
from hetsel.signature.probabilities.asked_probabilities import ClassProbabilities, MapContent
from hetsel.tables import Classes, Table


class PointBand(Struct, frozen=True):
    """Values of a feature that have the same points."""

    value: str  # in words
    low: float | None  # from low to below high; None at the ends
    high: float | None
    levels: list[str | bool | int | float]  # of a nominal feature
    missing: bool
    effect: float
    points: int
    rows: int


class FeatureBands(Struct, frozen=True):
    """The points of a feature."""

    feature: str
    bands: list[PointBand]
    unknown: int  # points of a level, or of a missing value, that no training row has


class PointsFacts(Struct, frozen=True, kw_only=True):
    """A point score, the risk by total and the cost of rounding, or why there is none."""

    features: list[FeatureBands] = []  # best first
    unit: float = 0.0  # the decision value of a total is about constant + unit * total
    constant: float = 0.0
    largest: int = 0  # largest total
    cut: int | None = None  # lowest total whose decision value is above 0
    probabilities: MapContent | None = None  # by the decision value of a total
    totals: list[risk_by_total.TotalBand] = []
    cost: list[held_out_points.RoundingCost] = []
    reason: str = ""


@dataclass(frozen=True)
class SignaturePoints:
    """Hold the point score of a signature."""

    # its features in the order of the model; None if there are no points, see `reason`
    table: PointsTable | None
    features: tuple[str, ...] = ()  # the features, best first
    # for two classes; both are empty if no rows were held out
    totals: tuple[risk_by_total.TotalBand, ...] = ()
    cost: tuple[held_out_points.RoundingCost, ...] = ()
    # by the decision value of a total, see `PointsTable.decisions`
    probabilities: ClassProbabilities | None = None
    reason: str = ""  # why there are no points

    def frame(self) -> pd.DataFrame:
        """Return one row per band: feature, value, points, effect, rows.

        Raises
        ------
        TableError
            If there are no points.
        """
        if self.table is None:
            raise TableError(self.reason)
        content = [
            (one.name, words_of_band(one, band), band.points, band.effect, band.rows)
            for one in self._best_first()
            for band in one.bands
        ]
        return pd.DataFrame(content, columns=["feature", "value", "points", "effect", "rows"])

    def _best_first(self) -> list[FeaturePoints]:
        """Return the features of the table, best first."""
        own = {} if self.table is None else {one.name: one for one in self.table.features}
        return [own[name] for name in self.features]

    def facts(self) -> PointsFacts:
        """Return all results as a record."""
        if self.table is None:
            return PointsFacts(reason=self.reason)
        return PointsFacts(
            features=[_bands_of(one) for one in self._best_first()],
            unit=self.table.unit,
            constant=self.table.constant,
            largest=self.table.largest,
            cut=self.table.cut,
            probabilities=None if self.probabilities is None else self.probabilities.content(),
            totals=[*self.totals],
            cost=[*self.cost],
        )


def _bands_of(one: FeaturePoints) -> FeatureBands:
    bands = [
        PointBand(
            value=words_of_band(one, band),
            low=None if isinf(band.low) else band.low,
            high=None if isinf(band.high) else band.high,
            levels=[plain_label(level) for level in band.levels],
            missing=band.missing,
            effect=band.effect,
            points=band.points,
            rows=band.rows,
        )
        for band in one.bands
    ]
    return FeatureBands(one.name, bands, one.unknown)


def signature_points(
    data: EncodedData,
    rows: Table,
    model: ClinicalSVC,
    method: MethodSpec,
    outer: Sequence[OuterFold],
    features: Sequence[str],
    calibration: ClassProbabilities | None,
    *,
    n_jobs: int | None = None,
    progress: OnProgress | None = None,
) -> SignaturePoints:
    """Derive the point score of a signature's model.

    The risk of a total is learned from held-out rows. Each has a total by points that were derived
    without it, and the decision values of the totals are on one scale with the final points. `rows`
    (n, k) are the training rows; missing values are imputed, or NaN if they are a separate value.
    `outer` is empty if no rows can be held out.
    """
    classes = data.target.labels if isinstance(data.target, Classes) else ()
    if len(classes) > 2:
        reason = (
            "a point score needs one decision value, of two classes, numbers or survival times. "
            f"Got {len(classes)} classes, with a decision value for each"
        )
        return SignaturePoints(None, reason=reason)
    made = points_table(model.effect_curves(), rows, float(model.intercept_[0]), data.weights)
    if not outer:
        return SignaturePoints(made, tuple(features))
    held = held_out_points.held_out_points(
        data, method, outer, model.C, n_jobs=n_jobs, progress=progress
    )
    totals: tuple[risk_by_total.TotalBand, ...] = ()
    probabilities = None
    if calibration is not None:
        own = np.ones(len(data.target)) if data.weights is None else data.weights
        truth, fold = data.target.codes, held_out_points.by_run(outer, len(data.target))[1]
        probabilities = risk_by_total.risk_by_total(
            held, fold, truth, own, data.row_groups, calibration
        )
        risks = risk_by_total.risks_of_totals(made, probabilities)
        totals = risk_by_total.bands_of_totals(
            made.totals(rows), truth == 1, own, made.largest, risks
        )
    cost = held_out_points.cost_of_rounding(data, outer, held)
    return SignaturePoints(made, tuple(features), totals, cost, probabilities)


# The names of the values of a band.


DIGITS = 6


def words_of_band(feature: FeaturePoints, band: Band) -> str:
    """Describe the values of a band for a reader of the table.

    Examples
    --------
    >>> from math import inf
    >>> age = FeaturePoints("age", "continuous", (), (), True, 18.0, 0)
    >>> ends = [(-inf, 50.0), (50.0, 60.0), (60.0, inf), (3.0, 4.0), (-inf, inf)]
    >>> [words_of_band(age, Band((), low, high, False, 0.0, 0, 1)) for low, high in ends]
    ['below 50', '50 to 59', '60 or more', '3', 'any']
    """
    if band.missing:
        return "missing"
    if feature.kind == "nominal":
        return ", ".join(map(str, band.levels))
    if isinf(band.low) and isinf(band.high):
        return "any"
    if feature.kind == "ordinal":
        return _of_levels(feature.levels, band)
    if feature.whole and isinf(band.low) and band.high - 1 == feature.least:
        return plain_number(feature.least, DIGITS)  # a count that is 0, or begins at 1
    return _of_numbers(feature.whole, band)


def _of_levels(levels: tuple[object, ...], band: Band) -> str:
    own = [str(level) for k, level in enumerate(levels) if band.low <= k < band.high]
    return own[0] if len(own) == 1 else f"{own[0]} to {own[-1]}"


def _of_numbers(whole: bool, band: Band) -> str:
    low, high = (plain_number(end, DIGITS) for end in (band.low, band.high))
    if isinf(band.low):
        return f"below {high}"
    if isinf(band.high):
        return f"{low} or more"
    if not whole:
        return f"{low} to below {high}"
    last = plain_number(band.high - 1, DIGITS)
    return low if last == low else f"{low} to {last}"
