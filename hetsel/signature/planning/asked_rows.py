"""Define each criterion with the rows that it requires, a description and its source."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Literal

from hetsel.signature.performance import NestedPerformance
from hetsel.signature.planning import anticipated, learning_curve
from hetsel.statistics.sample_size import development_criteria, validation_criteria
from hetsel.statistics.sample_size.development_criteria import DevelopmentLimits

BMJ = "Riley et al. 2020, BMJ 368:m441"
PART_1 = "Riley et al. 2019, Statistics in Medicine 38:1262"
PART_2 = "Riley et al. 2019, Statistics in Medicine 38:1276"
PATE = "Pate et al. 2023, Statistical Methods in Medical Research 32:555"
VALIDATION = "Riley et al. 2021, Statistics in Medicine 40:4230"
HANLEY = (
    "CI of hetsel: logit scale, three times the variance of Hanley & McNeil 1982, Radiology 143:29"
)
OWN = "CI of hetsel: Wilson, Zou & Donner 2008, with the variance of nested folds"
SEEN = "CI of hetsel on this table, narrower with the square root of the rows"
NAMES = {"BCR": "the balanced accuracy", "AUC": "the AUC"}
# variance of rows in nested folds over that of independent ones: 2, see rate_intervals, and more by
# the training gain and by models that are worse than the C statistic suggests
NESTED = 3.0
# variance of areas and concordances of ten folds over that of the five of a plan: folds contain
# fewer pairs, and the training gain is larger
TEN_FOLDS = 1.3
Purpose = Literal["develop", "interval", "rate", "validate"]
OBSERVED, SLOPE, AREA = 0.2, 0.2, 0.1  # widths of the intervals of a validation


@dataclass(frozen=True)
class AskedRows:
    """A criterion, and the number of rows that it requires."""

    # to develop the model, for an interval of its performance by nested cross-validation, for a
    # wanted performance, or to validate the model on other rows
    purpose: Purpose
    key: str
    asks: str  # in words
    rows: float  # infinite if no number within reach is enough
    source: str


def to_develop(one: anticipated.Anticipated) -> list[AskedRows]:
    """Apply Riley's criteria for the kind of target."""
    limits = DevelopmentLimits(one.shrinkage, one.optimism, one.margin)
    parameters, r2 = int(one.candidates or 0), one.cox_snell_r2()
    which, source = "Nagelkerke's R²", PART_2
    if one.kind == "numbers":
        found = development_criteria.rows_for_numbers(
            parameters, r2, one.mean, one.deviation, limits
        )
        which, source = "R²", PART_1
    elif one.kind == "survival":
        times = (float(one.event_rate or 0), float(one.follow_up or 0), float(one.horizon or 0))
        found = development_criteria.rows_for_survival(parameters, r2, *times, limits)
    elif one.two_classes:
        share = one.shares[-1]
        found = development_criteria.rows_for_two_classes(parameters, r2, share, limits)
    else:
        found = development_criteria.rows_for_more_classes(
            parameters, one.pair_r2(), r2, one.shares, limits
        )
        source = PATE
    lost = 100 * (1 - one.shrinkage)
    words = {
        "shrinkage": f"shrinkage of the effects by overfitting at most {lost:.3g}%",
        "optimism": f"optimism of the apparent {which} at most {one.optimism:g}",
        "overall risk": f"overall risk known within ±{one.margin:g}",
        "residual deviation": "residual standard deviation known within 10%",
        "mean": "mean of the target known within 10%",
    }
    return [
        AskedRows("develop", key, words[key], rows, source if key != "overall risk" else BMJ)
        for key, rows in found.items()
    ]


def to_validate(one: anticipated.Anticipated) -> list[AskedRows]:
    """Apply Riley's criteria of an external validation, for two classes with a C statistic."""
    if not one.two_classes or one.c_statistic is None:
        return []
    share, area = one.shares[-1], one.c_statistic
    width = "95% CI of {} at most {:g} wide"
    return [
        AskedRows("validate", key, width.format(what, wide), rows, VALIDATION)
        for key, what, wide, rows in (
            (
                *("observed over expected", "the observed/expected ratio", OBSERVED),
                validation_criteria.rows_for_observed_over_expected(share, OBSERVED),
            ),
            (
                "slope",
                "the calibration slope",
                SLOPE,
                validation_criteria.rows_for_slope_by_c(share, area, SLOPE),
            ),
            (
                "C statistic",
                "the C statistic",
                AREA,
                validation_criteria.rows_for_c_statistic(share, area, AREA),
            ),
        )
    ]


def for_width(
    one: anticipated.Anticipated,
    width: float,
    performance: NestedPerformance | None = None,
    rows: int = 0,
) -> list[AskedRows]:
    """Compute the rows at which intervals of nested cross-validation have a width.

    With a performance from `rows` rows, its intervals shrink with the square root of the rows, each
    on its scale, and at least the rows at hand are required. Without a performance, both recalls
    are those of the best threshold by the C statistic, and the variance is three times that of
    independent rows.
    """
    asks = f"95% CI of {{}} at most {width:g} wide, by nested cross-validation"
    if performance is None:
        if not one.two_classes or one.c_statistic is None:
            return []
        area, shares = one.c_statistic, one.shares
        recalls = [validation_criteria.balanced_rate_of_c(area)] * 2
        needed = {
            "BCR": (
                validation_criteria.rows_for_balanced_width(recalls, shares, width, NESTED),
                OWN,
            ),
            "AUC": (
                validation_criteria.rows_for_auc_width(area, shares[-1], width, NESTED),
                HANLEY,
            ),
        }
    else:
        needed = {key: (count, SEEN) for key, count in _as_seen(one, width, performance, rows)}
    return [
        AskedRows("interval", key, asks.format(NAMES.get(key, key)), count, source)
        for key, (count, source) in needed.items()
    ]


def _as_seen(
    one: anticipated.Anticipated, width: float, performance: NestedPerformance, rows: int
) -> Iterator[tuple[str, int]]:
    """Iterate over the rows for each interval of a performance."""
    main, label = performance.main.known, learning_curve.main_label(performance)
    if performance.kind == "classes" and main is not None:
        recalls = [recall.value for recall in performance.recalls]
        factor = validation_criteria.variance_factor(
            recalls, one.shares, rows, main.high - main.low
        )
        yield (
            "BCR",
            max(
                rows,
                validation_criteria.rows_for_balanced_width(recalls, one.shares, width, factor),
            ),
        )
        if (area := performance["auc"].known) is not None:
            yield "AUC", validation_criteria.rows_for_logit_width(area, rows, width, TEN_FOLDS)
    elif performance.kind == "survival" and main is not None:
        yield label, validation_criteria.rows_for_logit_width(main, rows, width, TEN_FOLDS)
    elif main is not None:
        needed = ceil(rows * ((main.high - main.low) / width) ** 2)
        yield label, max(rows, needed)


def for_rate(curve: learning_curve.LearningCurve, rate: float) -> AskedRows:
    """Compute the rows at which the lower end of a curve's band reaches a performance."""
    measure = learning_curve.main_label(curve.performance)
    asks = f"{measure} of {rate:g} on new rows, by the lower limit of the band"
    source = "learning curve of this table"
    return AskedRows("rate", "rate", asks, curve.rows_for(rate)[2], source)


def largest(asked: Sequence[AskedRows], purposes: Sequence[Purpose]) -> AskedRows | None:
    """Return the criterion of these purposes that requires the most rows within reach."""
    own = [one for one in asked if one.purpose in purposes and one.rows < inf]
    return max(own, key=lambda one: one.rows, default=None)
