"""How good a signature is: named measures with their intervals, for every kind of target."""

from collections.abc import Sequence
from math import isfinite, nan

import pandas as pd
from msgspec import Struct, field
from msgspec.structs import replace

from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.tables import TargetKind


class Interval(Struct, frozen=True):
    """A value with its confidence interval; None for what is not known."""

    rate: float | None
    low: float | None
    high: float | None
    level: float | None  # such as 0.95

    def __str__(self) -> str:
        return f"{self.value:.3f}" if self.known is None else str(self.known)

    @property
    def value(self) -> float:
        """The rate; NaN where it is not known."""
        return nan if self.rate is None else self.rate

    @property
    def known(self) -> RateInterval | None:
        """The interval as statistics take it; None where a part of it is not known."""
        if self.rate is None or self.low is None or self.high is None:
            return None
        return RateInterval(self.rate, self.low, self.high, self.level or nan)


class Measure(Interval, frozen=True, kw_only=True, omit_defaults=True):
    """One measure of how good a model is on rows that it has not seen."""

    key: str  # such as "bcr", "recall", "auc"; "r2", "rmse", "mae", "rank"; "harrell", "uno", "ibs"
    label: str  # what a page calls it
    rows: int  # that it is of
    of_class: str | None = field(default=None, name="class")  # that a recall is of


class RiskGroup(Struct, frozen=True):
    """Kaplan and Meier's curve of a third of the rows by their held-out risk."""

    name: str
    rows: int
    events: int
    last: float  # time until which a row was followed
    times: list[float]  # at which the curve falls
    survival: list[float]  # from each of these on
    at_risk: list[int]  # rows at risk at the times of `RiskGroups.at`


class RiskGroups(Struct, frozen=True):
    """The thirds, and the times at which rows at risk are counted."""

    at: list[float]
    groups: list[RiskGroup]


class HeldOutRows(Struct, frozen=True, omit_defaults=True):
    """Held-out rows as a page draws them."""

    scatter: list[tuple[float, float]] | None = None  # of numbers: predicted, observed
    slope: float | None = None  # of survival times: of Cox's model of the risks
    tau: float | None = None  # time until which they are judged
    risk_groups: RiskGroups | None = None


class Performance(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Performance of a signature and its model on rows that they have not seen.

    Classes: balanced accuracy (key `bcr`), the recall of each class (of two classes specificity and
    sensitivity; the positive class is the last), and the AUC over pairs of rows within folds (of
    more than two classes the mean AUC of each class against the rest). Numbers: R^2, RMSE, MAE and
    Kendall's rank correlation. Survival times: Harrell's and Uno's C, integrated Brier score.
    """

    kind: TargetKind
    measures: list[Measure]  # the main one first
    chance: float  # what the main one is of a model that knows nothing
    kurtosis: float | None = None  # of the errors of numbers about 0 on new rows, 3 of normal ones

    @property
    def main(self) -> Measure:
        """The main measure."""
        return self.measures[0]

    @property
    def recalls(self) -> list[Measure]:
        """Share of the rows of each class that are predicted right; none of another target."""
        return [one for one in self.measures if one.key == "recall"]

    @property
    def above_chance(self) -> bool:
        """Whether the main measure is larger than that of a model that knows nothing."""
        return self.main.rate is not None and self.main.rate > self.chance

    def __getitem__(self, key: str) -> Measure:
        """The measure of a key, of recalls the first.

        Raises
        ------
        KeyError
            There is none; the message names those that there are.
        """
        for one in self.measures:
            if one.key == key:
                return one
        known = ", ".join(dict.fromkeys(one.key for one in self.measures))
        raise KeyError(f"the measures are {known}. Got {key!r}")

    def frame(self) -> pd.DataFrame:
        """The measures, one row each: measure, class, rate, low, high, rows."""
        content = [
            (one.key, one.of_class or "", one.rate, one.low, one.high, one.rows)
            for one in self.measures
        ]
        columns = ["measure", "class", "rate", "low", "high", "rows"]
        frame = pd.DataFrame(content, columns=columns)
        return frame.astype(dict.fromkeys(("rate", "low", "high"), float))


class NestedPerformance(Performance, frozen=True, kw_only=True, omit_defaults=True):
    """Performance by nested cross-validation, and how the size was chosen inside of it.

    None where no fold has rows that tell it, as one of times without a comparable pair.
    """

    inner: float | None  # main measure of the chosen size, by the cross-validation that chose it
    optimism: float | None  # inner value less the nested one, both of models without one fold
    # what was added to the nested value, as models of all rows learn from more, see
    # hetsel.signature.nested.nested_performance; 0 where the size was given
    learning: float | None
    folds: int
    runs: int  # cross-validations
    # low end of the main interval without the test against chance; None where it moved nothing
    low_alone: float | None
    shown: HeldOutRows | None = None

    def aligned_with_test(self, above_chance: bool) -> "NestedPerformance":
        """The same with the interval of the main measure on the side of chance of the test.

        Both err in 2.5 % of tables of noise, the test more exactly there and with more power: where
        it rejects, the interval begins at chance or above; where it does not, at chance or below.
        Values above chance are held as often as before, or more often. A value that is no larger
        than chance is left as it is, whatever the test says. R^2 is raised by no test: a model that
        knows something may be worse than the mean.
        """
        low = self.main.low
        raised = above_chance and self.kind != "numbers"
        if low is None or not self.above_chance or (above_chance and not raised):
            return self
        moved = (max if raised else min)(low, self.chance)
        if moved == low:
            return self
        first = replace(self.main, low=moved)
        return replace(self, measures=[first, *self.measures[1:]], low_alone=low)


def nested_performance(
    kind: TargetKind,
    measures: list[Measure],
    chance: float,
    inner: float,
    plain: float,
    folds: int,
    runs: int,
    shown: HeldOutRows | None = None,
) -> NestedPerformance:
    """The performance by its measures and `plain`, the main one of models without a fold."""
    return NestedPerformance(
        kind=kind,
        measures=measures,
        chance=chance,
        inner=number_or_none(inner),
        optimism=number_or_none(inner - plain),
        learning=number_or_none(measures[0].value - plain),
        folds=folds,
        runs=runs,
        low_alone=None,
        shown=shown,
    )


def interval_of(one: RateInterval) -> Interval:
    """A value with its interval, as an answer has it."""
    return Interval(*_parts(one))


def measure_of(
    key: str, label: str, one: RateInterval, rows: int, of_class: str | None = None
) -> Measure:
    """A measure by its interval."""
    return Measure(*_parts(one), key=key, label=label, rows=rows, of_class=of_class)


def _parts(one: RateInterval) -> tuple[float | None, ...]:
    return tuple(map(number_or_none, (one.rate, one.low, one.high, one.level)))


def class_measures(
    bcr: RateInterval,
    recalls: Sequence[RateInterval],
    auc: RateInterval,
    classes: Sequence[str],
    rows: Sequence[int],
) -> list[Measure]:
    """The measures of classes, with the rows of each."""
    each = zip(recalls, classes, rows, strict=True)
    return [
        measure_of("bcr", "balanced accuracy", bcr, sum(rows)),
        *(measure_of("recall", "recall", one, count, label) for one, label, count in each),
        measure_of("auc", "AUC", auc, sum(rows)),
    ]


def number_or_none(value: float) -> float | None:
    """None for what is not known."""
    return float(value) if isfinite(value) else None
