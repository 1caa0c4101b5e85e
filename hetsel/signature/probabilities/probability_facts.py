"""Evaluate predicted probabilities, for reports, R and files."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import ArrayLike

from hetsel.ground import plan_entries, sealed_json
from hetsel.signature.performance import Interval, interval_of, number_or_none
from hetsel.signature.probabilities.asked_probabilities import AskedProbabilities
from hetsel.statistics.performance.rate_intervals import OVERLAP
from hetsel.statistics.probabilities import calibration, calibration_maps
from hetsel.statistics.probabilities.brier_score import BrierScore, brier_score
from hetsel.statistics.probabilities.pooled_rows import pooled_rows
from hetsel.statistics.probabilities.prevalence import class_weights_for
from hetsel.statistics.probabilities.threshold_values import (
    SHARES,
    NetBenefit,
    ThresholdValues,
    moved_probabilities,
    net_benefit,
    rates_at,
    threshold_values,
    wider,
)

# variance of the Brier score of one model over that of as many independent rows: the signature of
# all rows may be better or worse than the average of the folds
REFITTED = OVERLAP + 1.0
DIGITS = 5  # of the numbers that are drawn
CURVE = 61  # points of a calibration curve
BINS = 20  # of a histogram of probabilities
VALUES = {  # values of a threshold
    "above": "share_above",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "positive_predictive_value": "positive_predictive_value",
    "negative_predictive_value": "negative_predictive_value",
}


@dataclass(frozen=True, eq=False)
class PredictedRows:
    """Hold rows with their class and the probabilities of a model that has not seen them."""

    truth: np.ndarray  # (m,)
    probabilities: np.ndarray  # (m, C)
    weights: np.ndarray  # (m,)
    units: np.ndarray | None  # (m,): rows of one unit are not independent
    spread: float  # factor of variances
    rows: int  # number of rows without repeats
    # middle, scale: (m, C): mean and standard deviation of the logits that the map of each row was
    # learned from, if rows have maps of several folds
    middle: np.ndarray | None = None
    scale: np.ndarray | None = None
    # (m,): what a model of all rows loses less in Brier score, minus what other class proportions
    # of new rows lose
    gains: np.ndarray | None = None
    # see :func:`hetsel.statistics.probabilities.brier_score.brier_score`
    share_variance: float = 0.0
    # whether the model of all rows has another map than these rows had; then intervals include its
    # error, see :mod:`hetsel.statistics.probabilities.threshold_values`
    refitted: bool = False

    def take(self, kept: np.ndarray) -> "PredictedRows":
        """Return some of the rows, by a mask (m,)."""
        parts: dict[str, Any] = {
            name: None if (own := getattr(self, name)) is None else own[kept]
            for name in ("truth", "probabilities", "weights", "units", "middle", "scale", "gains")
        }
        return replace(self, **parts, rows=round(self.rows * float(kept.mean())))

    @property
    def shares(self) -> np.ndarray:
        """Weighted proportion (C,) of each class."""
        sums = np.bincount(self.truth, self.weights, self.probabilities.shape[1])
        return np.asarray(sums / sums.sum())

    def at_prevalence(self, wanted: Sequence[float] | None) -> "PredictedRows":
        """Return the rows with weights that give the classes the wanted proportions."""
        if wanted is None:
            return self
        factor = class_weights_for(wanted, self.shares)
        return replace(self, weights=self.weights * factor[self.truth])

    def moved(self, c: int) -> np.ndarray:
        """Compute probabilities (k, m) of a class by other maps; k = 0 if there are none."""
        p = self.probabilities[:, c]
        if not self.refitted:
            return np.empty((0, len(p)))
        return moved_probabilities(pooled_rows(self.truth == c, p, self.weights, self.units))


class Curve(Struct, frozen=True):
    """Observed proportion by probability, with its band."""

    probability: list[float | None]
    observed: list[float | None]
    low: list[float | None]
    high: list[float | None]
    ici: float  # mean distance of curve and probability
    e50: float
    e90: float


class Histogram(Struct, frozen=True):
    """Weight of the rows by probability, of the class and of the others."""

    edges: list[float | None]
    own: list[float | None]
    others: list[float | None]


class Decision(Struct, frozen=True):
    """Net benefit of treating from a threshold on, in cases per row, by threshold."""

    threshold: list[float | None]
    model: list[float | None]
    low: list[float | None]
    high: list[float | None]
    all: list[float | None]  # of treat all
    over_better: list[float | None]  # over the better of treat all and treat none
    over_better_low: list[float | None]
    over_better_high: list[float | None]


class AtThreshold(Struct, frozen=True):
    """The values of a decision at a threshold."""

    threshold: float
    above: Interval  # proportion of the rows
    sensitivity: Interval
    specificity: Interval
    positive_predictive_value: Interval
    negative_predictive_value: Interval
    net_benefit: Interval
    treat_all: float
    over_better: Interval


class ClassWorth(Struct, frozen=True, rename={"of_class": "class"}):
    """Calibration, net benefit and values at thresholds of one class against the others."""

    of_class: str | bool | int | float
    intercept: Interval
    slope: Interval
    likelihood_slope: float | None
    observed_expected_ratio: Interval
    curve: Curve
    histogram: Histogram
    decision: Decision
    at: list[AtThreshold]


class PartWorth(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The evaluation of probabilities in a subgroup."""

    column: str
    level: str
    rows: int
    class_rows: list[int]
    few: str  # how few rows a class has there
    auc: Interval
    brier: Interval
    # for two classes; the threshold is that of the costs, or the proportion of the class among all
    # rows
    observed_expected_ratio: Interval | None = None
    threshold: float | None = None
    sensitivity: Interval | None = None
    specificity: Interval | None = None


class Disagreement(Struct, frozen=True):
    """Mean proportion of models that put a row on the minority's side of a threshold."""

    threshold: float
    proportion: float


class PredictionInstability(Struct, frozen=True):
    """Prediction instability: how much the probabilities of a row vary between half-samples."""

    pairs: int  # of half-samples
    median: float  # median over the rows of the standard deviation of a row's probabilities
    high: float  # 90% quantile of the same
    mean_difference: float  # mean absolute difference of a probability from the mean of its row
    disagreement: list[Disagreement]
    example_rows: list[list[float | None]]  # some rows: mean, low and high of the middle 95%


class ProbabilityFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The evaluation of predicted probabilities; numbers that are drawn have five digits."""

    map: calibration_maps.MapKey | None = None  # of a signature: the kind of the final map
    maps: dict[str, int] | None = None  # how often each was chosen without a fold
    class_proportions: list[float] | None = None  # proportions of the classes among the rows
    runs: int | None = None  # number of cross-validations
    brier: Interval
    scaled_brier: Interval
    classes: list[ClassWorth]  # the positive one of two, or all of more
    prevalence: list[float] | None  # of each class where the model is used
    thresholds: list[float] | None  # if specified
    harm_ratio: (
        plan_entries.Positive | None
    )  # loss of a missed case over that of a needless treatment
    threshold: float | None  # that follows from these costs
    by: list[PartWorth]  # the requested subgroups
    prediction_instability: PredictionInstability | UnsetType | None = (
        UNSET  # None if half-samples do not allow it
    )


def probability_facts(
    given: PredictedRows, labels: Sequence[object], asked: AskedProbabilities
) -> ProbabilityFacts:
    """Evaluate the Brier score, and calibration, net benefit and thresholds of each class.

    The probabilities are those at the requested prevalence.
    """
    rows = given.at_prevalence(asked.prevalence)
    brier = brier_of(rows, gains=rows.gains, share_variance=rows.share_variance)
    reported = [1] if len(labels) == 2 else range(len(labels))
    return ProbabilityFacts(
        brier=interval_of(brier.score),
        scaled_brier=interval_of(brier.scaled),
        classes=[_worth_of_class(given, rows, c, labels[c], asked) for c in reported],
        prevalence=None if asked.prevalence is None else [*asked.prevalence],
        thresholds=[*asked.thresholds] if asked.named else None,
        harm_ratio=asked.harm_ratio,
        threshold=asked.threshold,
        by=[],
    )


def brier_of(
    rows: PredictedRows,
    moved: np.ndarray | None = None,
    *,
    gains: np.ndarray | None = None,
    share_variance: float = 0.0,
) -> BrierScore:
    """Compute the Brier score of the rows, with the error of the map of two classes.

    For the model of all rows the variance is multiplied by REFITTED, except for rows of one group,
    see :func:`hetsel.signature.probabilities.subgroups.of_one_group`.
    """
    binary = rows.probabilities.shape[1] == 2
    p = rows.probabilities[:, 1] if binary else rows.probabilities
    spread = REFITTED if rows.refitted and rows.spread > 1 else rows.spread
    given = (rows.truth, p, rows.weights, rows.units)
    found = brier_score(*given, gains=gains, share_variance=share_variance, spread=spread)
    if not (binary and rows.refitted):
        return found
    moved = rows.moved(1) if moved is None else moved
    losses = np.average((moved - rows.truth) ** 2, axis=1, weights=rows.weights)
    losses = losses - np.average((p - rows.truth) ** 2, weights=rows.weights)
    score, share = wider(found.score, found.score.estimate + losses, SHARES), rows.shares[1]
    if not 0 < share < 1:  # a subgroup with one class has no scaled score
        return BrierScore(score, found.scaled)
    scaled = wider(found.scaled, found.scaled.estimate - losses / (share * (1 - share)))
    return BrierScore(score, scaled)


def _worth_of_class(
    given: PredictedRows, rows: PredictedRows, c: int, label: object, asked: AskedProbabilities
) -> ClassWorth:
    """Evaluate one class against the others."""
    own, p = rows.truth == c, rows.probabilities[:, c]
    pooled, spread = pooled_rows(own, p, given.weights, given.units), given.spread
    # if the prevalence is known, the class proportions are not random
    known = None if asked.prevalence is None else asked.prevalence[c]
    line = calibration.calibration_line(
        pooled,
        prevalence=known,
        repeats=len(own) / given.rows,
        middle=None if rows.middle is None else rows.middle[:, c],
        scale=None if rows.scale is None else rows.scale[:, c],
        spread=spread,
    )
    curve = calibration.calibration_curve(pooled, grid=_grid(p), prevalence=known, spread=spread)
    moved, truth = rows.moved(c), own.astype(np.float64)

    def benefits(at: ArrayLike) -> list[NetBenefit]:
        found = net_benefit(pooled, at, prevalence=known, spread=spread)
        return [_wider(one, moved, truth, rows.weights) for one in found]

    edges = np.linspace(0, 1, BINS + 1)
    return ClassWorth(
        of_class=sealed_json.plain_label(label),
        intercept=interval_of(line.intercept),
        slope=interval_of(line.slope),
        likelihood_slope=number_or_none(line.likelihood_slope),
        observed_expected_ratio=interval_of(line.observed_expected_ratio),
        curve=Curve(
            short(curve.probability),
            short(curve.observed),
            short(curve.low),
            short(curve.high),
            curve.ici,
            curve.e50,
            curve.e90,
        ),
        histogram=Histogram(
            short(edges),
            short(np.histogram(p[own], edges, weights=given.weights[own])[0]),
            short(np.histogram(p[~own], edges, weights=given.weights[~own])[0]),
        ),
        decision=_decision_curve(benefits(asked.curve)),
        at=[
            _values_at(
                threshold_values(pooled, t, prevalence=known, spread=spread),
                benefits([t])[0],
                rates_at(moved, truth, rows.weights, t),
            )
            for t in asked.marks
        ],
    )


def _decision_curve(benefits: Sequence[NetBenefit]) -> Decision:
    better = [one.over_better for one in benefits]
    return Decision(
        short([one.threshold for one in benefits]),
        short([one.model.estimate for one in benefits]),
        short([one.model.low for one in benefits]),
        short([one.model.high for one in benefits]),
        short([one.treat_all for one in benefits]),
        short([one.estimate for one in better]),
        short([one.low for one in better]),
        short([one.high for one in better]),
    )


def _grid(p: np.ndarray) -> np.ndarray:
    """Return the grid of a curve, without the outer hundredth of the rows at either end."""
    first, last = np.quantile(p, [0.01, 0.99])
    return np.linspace(first, last, CURVE)


def _wider(
    one: NetBenefit, moved: np.ndarray, truth: np.ndarray, weights: np.ndarray
) -> NetBenefit:
    """Widen a net benefit by the error of the map."""
    rates = rates_at(moved, truth, weights, one.threshold)
    return replace(
        one,
        model=wider(one.model, rates["net_benefit"]),
        over_better=wider(one.over_better, rates["over_better"]),
    )


def _values_at(
    values: ThresholdValues, one: NetBenefit, rates: dict[str, np.ndarray]
) -> AtThreshold:
    """Return the values of a threshold, with the error of the map."""
    shares = {
        key: interval_of(wider(getattr(values, name), rates[key], SHARES))
        for key, name in VALUES.items()
    }
    return AtThreshold(
        threshold=values.threshold,
        **shares,
        net_benefit=interval_of(one.model),
        treat_all=one.treat_all,
        over_better=interval_of(one.over_better),
    )


def short(values: ArrayLike) -> list[float | None]:
    """Round numbers to five digits, for figures."""
    found = np.asarray(values, dtype=np.float64).tolist()
    return [float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None for value in found]
