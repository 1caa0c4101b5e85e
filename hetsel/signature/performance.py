"""Report how well a signature predicts: named measures with intervals, for every kind of target."""

from collections.abc import Sequence
from math import isfinite, nan

import pandas as pd
from msgspec import Struct, field
from msgspec.structs import replace

from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.tables import TargetKind


class Interval(Struct, frozen=True):
    """A value with its confidence interval; None for an unknown part."""

    estimate: float | None
    low: float | None
    high: float | None
    level: float | None  # such as 0.95

    def __str__(self) -> str:
        return f"{self.value:.3f}" if self.known is None else str(self.known)

    @property
    def value(self) -> float:
        """The estimate; NaN if it is unknown."""
        return nan if self.estimate is None else self.estimate

    @property
    def known(self) -> RateInterval | None:
        """The interval as statistics use it; None if a part of it is unknown."""
        if self.estimate is None or self.low is None or self.high is None:
            return None
        return RateInterval(self.estimate, self.low, self.high, self.level or nan)


class Measure(Interval, frozen=True, kw_only=True, omit_defaults=True):
    """One measure of performance on held-out rows."""

    key: str  # such as "bcr", "recall", "auc"; "r2", "rmse", "mae", "rank"; "harrell", "uno", "ibs"
    label: str  # its name in reports
    rows: int  # rows that the measure refers to
    of_class: str | None = field(default=None, name="class")  # class of a recall


class RiskGroup(Struct, frozen=True):
    """Kaplan and Meier's curve of a third of the rows by their held-out risk score."""

    name: str
    rows: int
    events: int
    last: float  # time until which a row was followed
    times: list[float]  # times at which the curve falls
    survival: list[float]  # from each of these times on
    at_risk: list[int]  # rows at risk at the times of `RiskGroups.at`


class RiskGroups(Struct, frozen=True):
    """The thirds, and the times at which rows at risk are counted."""

    at: list[float]
    groups: list[RiskGroup]


class HeldOutRows(Struct, frozen=True, omit_defaults=True):
    """Held-out rows for the figures of a report."""

    scatter: list[tuple[float, float]] | None = None  # for numbers: predicted, observed
    slope: float | None = None  # for survival times: of Cox's model of the risk scores
    tau: float | None = None  # time until which they are evaluated
    risk_groups: RiskGroups | None = None


class Performance(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Report the performance of a signature and its model on held-out or new rows.

    For classes the measures are balanced accuracy, the recall of each class and the AUC. For two
    classes the recalls are specificity and sensitivity, in this order. The AUC is that of pairs of
    rows inside of folds, for more than two classes the mean of the one-vs-rest areas. For numbers
    the measures are R^2, RMSE, MAE and Kendall's rank correlation, for survival times Harrell's and
    Uno's C and the integrated Brier score.

    Attributes
    ----------
    kind : {"classes", "numbers", "survival"}
        Kind of the target.
    measures : list of Measure
        Measures with their confidence intervals, the main measure first.
    chance : float
        Value of the main measure of a model without information.
    kurtosis : float or None
        Kurtosis of the errors of numbers about 0 on new rows; 3 for normal errors.

    Examples
    --------
    >>> one = measure_of("bcr", "balanced accuracy", RateInterval(0.8, 0.7, 0.9, 0.95), 50)
    >>> Performance(kind="classes", measures=[one], chance_level=0.5)["bcr"].value
    0.8
    """

    kind: TargetKind
    measures: list[Measure]  # the main measure first
    chance_level: float  # the main measure of a model without information
    # of the errors of numbers about 0 on new rows; 3 for normal errors
    kurtosis: float | None = None

    @property
    def main(self) -> Measure:
        """The main measure."""
        return self.measures[0]

    @property
    def recalls(self) -> list[Measure]:
        """The recalls of the classes; none for another target."""
        return [one for one in self.measures if one.key == "recall"]

    @property
    def above_chance(self) -> bool:
        """Whether the main measure exceeds that of a model without information."""
        return self.main.estimate is not None and self.main.estimate > self.chance_level

    def __getitem__(self, key: str) -> Measure:
        """Return the measure of a key, the first one for recalls.

        Raises
        ------
        KeyError
            If there is no such measure; the message lists the existing ones.
        """
        for one in self.measures:
            if one.key == key:
                return one
        known = ", ".join(dict.fromkeys(one.key for one in self.measures))
        raise KeyError(f"the measures are {known}. Got {key!r}")

    def frame(self) -> pd.DataFrame:
        """Return the measures, one per row: measure, class, estimate, low, high, rows."""
        content = [
            (one.key, one.of_class or "", one.estimate, one.low, one.high, one.rows)
            for one in self.measures
        ]
        columns = ["measure", "class", "estimate", "low", "high", "rows"]
        frame = pd.DataFrame(content, columns=columns)
        return frame.astype(dict.fromkeys(("estimate", "low", "high"), float))


class NestedPerformance(Performance, frozen=True, kw_only=True, omit_defaults=True):
    """Report performance by nested cross-validation, and how it chose the size.

    It is None if no fold has rows to evaluate, for example survival times without a comparable
    pair.
    """

    inner: float | None  # main measure of the chosen size, by the cross-validation that chose it
    optimism: float | None  # inner value minus nested value, both of models without one fold
    # training gain, added to the nested value since models of all rows learn from more rows, see
    # hetsel.signature.nested.nested_performance; 0 if the size was given
    training_gain: float | None
    folds: int
    runs: int  # number of cross-validations
    # lower limit of the main interval without the permutation test; None if the test did not move
    # it
    low_without_test: float | None
    shown: HeldOutRows | None = None

    def aligned_with_test(self, above_chance: bool) -> "NestedPerformance":
        """Align the main interval with the side of chance that the permutation test supports.

        Both err in 2.5% of tables of noise, the test more exactly and with more power. If the test
        rejects, the interval begins at chance or above; if not, at chance or below. The interval
        covers values above chance at least as often as before. A value that does not exceed chance
        is not changed, whatever the test result. No test raises R^2, since a model with information
        may be worse than the mean.
        """
        low = self.main.low
        raised = above_chance and self.kind != "numbers"
        if low is None or not self.above_chance or (above_chance and not raised):
            return self
        moved = (max if raised else min)(low, self.chance_level)
        if moved == low:
            return self
        first = replace(self.main, low=moved)
        return replace(self, measures=[first, *self.measures[1:]], low_without_test=low)


def nested_performance(
    kind: TargetKind,
    measures: list[Measure],
    chance_level: float,
    inner: float,
    plain: float,
    folds: int,
    runs: int,
    shown: HeldOutRows | None = None,
) -> NestedPerformance:
    """Build the performance from measures and `plain`, the main one of models without a fold."""
    return NestedPerformance(
        kind=kind,
        measures=measures,
        chance_level=chance_level,
        inner=number_or_none(inner),
        optimism=number_or_none(inner - plain),
        training_gain=number_or_none(measures[0].value - plain),
        folds=folds,
        runs=runs,
        low_without_test=None,
        shown=shown,
    )


def interval_of(one: RateInterval) -> Interval:
    """Return a value with its interval for a result."""
    return Interval(*_parts(one))


def measure_of(
    key: str, label: str, one: RateInterval, rows: int, of_class: str | None = None
) -> Measure:
    """Build a measure from its interval."""
    return Measure(*_parts(one), key=key, label=label, rows=rows, of_class=of_class)


def _parts(one: RateInterval) -> tuple[float | None, ...]:
    return tuple(map(number_or_none, (one.estimate, one.low, one.high, one.level)))


def class_measures(
    bcr: RateInterval,
    recalls: Sequence[RateInterval],
    auc: RateInterval,
    classes: Sequence[str],
    rows: Sequence[int],
) -> list[Measure]:
    """Build the measures of classes, with the rows of each class."""
    each = zip(recalls, classes, rows, strict=True)
    return [
        measure_of("bcr", "balanced accuracy", bcr, sum(rows)),
        *(measure_of("recall", "recall", one, count, label) for one, label, count in each),
        measure_of("auc", "AUC", auc, sum(rows)),
    ]


def number_or_none(value: float) -> float | None:
    """Return the value, or None if it is not finite."""
    return float(value) if isfinite(value) else None
