"""Check what a study expects, and complete it from a table."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.ground import TableError, did_you_mean, is_number, positive, whole_number
from hetsel.signature.performance import NestedPerformance
from hetsel.statistics.sample_size import development_criteria
from hetsel.tables import Classes, Survival, TargetKind, TypedTarget

UNKNOWN = 0.15  # Nagelkerke's R^2 if nothing is known, as Riley et al. suggest
PERFORMANCE = ("c_statistic", "r2", "nagelkerke_r2")
OF_TIMES = ("event_rate", "follow_up", "horizon")


@dataclass(frozen=True)
class Anticipated:
    """Hold what a study expects, see :func:`hetsel.plan_rows`.

    Examples
    --------
    >>> one = anticipated({"candidates": 24, "prevalence": 0.174, "c_statistic": 0.89})
    >>> one.kind, one.shares[-1], round(one.cox_snell_r2(), 3)
    ('classes', 0.174, 0.291)
    """

    candidates: int | None = None
    prevalence: float | tuple[float, ...] | None = None
    c_statistic: float | None = None
    r2: float | None = None
    nagelkerke_r2: float | None = None
    event_rate: float | None = None
    follow_up: float | None = None
    horizon: float | None = None
    mean: float | None = None
    deviation: float | None = None
    shrinkage: float = development_criteria.LIMITS.shrinkage
    optimism: float = development_criteria.LIMITS.optimism
    margin: float = development_criteria.LIMITS.margin

    @property
    def kind(self) -> TargetKind:
        """Kind of the target, by its prevalence (classes) or event rate (survival times)."""
        if self.prevalence is not None:
            return "classes"
        return "survival" if self.event_rate is not None else "numbers"

    @property
    def shares(self) -> tuple[float, ...]:
        """Proportion of the rows of each class; of two the last is the prevalence."""
        if isinstance(self.prevalence, float):
            return (1 - self.prevalence, self.prevalence)
        return tuple(float(share) for share in self.prevalence or ())

    @property
    def two_classes(self) -> bool:
        """Whether the target has two classes."""
        return self.kind == "classes" and len(self.shares) == 2

    @property
    def unknown(self) -> bool:
        """Whether the expected performance is not specified."""
        return all(getattr(self, name) is None for name in PERFORMANCE)

    @property
    def events_a_row(self) -> float | None:
        """Events, or rows of the rarest class, per row; None for numbers."""
        if self.kind == "classes":
            return self.shares[-1] if self.two_classes else min(self.shares)
        if self.event_rate is None or self.follow_up is None:
            return None
        return self.event_rate * self.follow_up

    def largest(self) -> float:
        """Return the largest Cox-Snell R^2; 1 for numbers."""
        if self.kind == "classes":
            return development_criteria.largest_r2(self.shares)
        if self.event_rate is None or self.follow_up is None:
            return 1.0
        return development_criteria.largest_survival_r2(self.event_rate, self.follow_up)

    def cox_snell_r2(self) -> float:
        """Return the Cox-Snell R^2; for numbers R^2."""
        if self.r2 is not None:
            return self.r2
        if self.c_statistic is not None and self.two_classes:
            return development_criteria.r2_of_c_statistic(self.c_statistic, self.shares[-1])
        nagelkerke = UNKNOWN if self.nagelkerke_r2 is None else self.nagelkerke_r2
        return nagelkerke * self.largest()

    def pair_r2(self) -> list[float]:
        """Return the Cox-Snell R^2 of each pair of more than two classes."""
        k, found = len(self.shares), []
        for i in range(k):
            for j in range(i + 1, k):
                phi = self.shares[j] / (self.shares[i] + self.shares[j])
                if self.c_statistic is not None:
                    found.append(development_criteria.r2_of_c_statistic(self.c_statistic, phi))
                else:
                    share = self.cox_snell_r2() / self.largest()
                    found.append(share * development_criteria.largest_r2((1 - phi, phi)))
        return found


def anticipated(given: dict[str, Any], *, beside_table: bool = False) -> Anticipated:
    """Check what a study expects.

    It is given by the names of :class:`Anticipated`; None means not specified. A TableError is
    raised for unknown names, and for values that are missing, out of range or inconsistent. With
    `beside_table`, a table supplies missing values.
    """
    known = [one.name for one in fields(Anticipated)]
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            raise TableError(
                f"{name!r} is no expected value. Specify one of {', '.join(known)}{hint}"
            )
    said = {name: value for name, value in given.items() if value is not None}
    for name in (*PERFORMANCE, "shrinkage", "optimism", "margin"):
        if name in said:
            said[name] = _between(name, said[name], 0.5 if name == "c_statistic" else 0.0)
    for name in (*OF_TIMES, "deviation"):
        if name in said:
            said[name] = positive(name, said[name])
    if "mean" in said:
        said["mean"] = _number("mean", said["mean"])
    if "candidates" in said:
        said["candidates"] = whole_number("candidates", said["candidates"], 1)
    if "prevalence" in said:
        said["prevalence"] = _prevalence(said["prevalence"])
    if len(named := [name for name in PERFORMANCE if name in said]) > 1:
        raise TableError(
            f"at most one of {', '.join(PERFORMANCE)} can be specified. Got {' and '.join(named)}"
        )
    found = Anticipated(**said)
    if not beside_table:
        _refuse_lacking(found)
        return _with_r2(found)
    return found


def _refuse_lacking(one: Anticipated) -> None:
    """Refuse missing values that only a table could supply."""
    if one.candidates is None:
        raise TableError(
            "candidates is needed without a table: the number of parameters that the selection "
            "may choose from. A column of k levels has k - 1"
        )
    if one.prevalence is not None and one.event_rate is not None:
        raise TableError("prevalence is for classes, event_rate is for survival times. Got both")
    if one.kind == "survival":
        lacking = [name for name in OF_TIMES if getattr(one, name) is None]
        if lacking:
            raise TableError(
                "survival times need event_rate, follow_up and horizon. Missing: "
                f"{', '.join(lacking)}"
            )
    if one.kind == "numbers" and one.r2 is None:
        raise TableError(
            "without a table, the kind of target must be known. Specify prevalence for classes, "
            "event_rate for survival times, or r2 for numbers"
        )
    if (one.mean is None) != (one.deviation is None):
        raise TableError("mean and deviation must be specified together. Got one of them")
    if one.c_statistic is not None and one.kind != "classes":
        raise TableError(
            "c_statistic is for classes. Specify r2 or nagelkerke_r2 for survival times"
        )
    if one.unknown:
        raise TableError(
            f"the expected performance is needed. Specify {', '.join(PERFORMANCE[:-1])} or "
            f"{PERFORMANCE[-1]}; Riley et al. use nagelkerke_r2 {UNKNOWN} if nothing is known"
        )


def _with_r2(one: Anticipated) -> Anticipated:
    """Check that R^2 is in its range, and return the same."""
    r2, most = one.cox_snell_r2(), one.largest()
    if r2 >= most:
        raise TableError(f"r2 must be below {most:.3f}, the largest possible value. Got {r2:.4g}")
    if not 0 < r2 < one.shrinkage:
        raise TableError(f"r2 must be above 0 and below shrinkage, {one.shrinkage}. Got {r2:.4g}")
    if one.kind != "numbers" and r2 + one.optimism * most >= 1:
        raise TableError(f"optimism must be smaller for an R^2 of {r2:.3f}. Got {one.optimism}")
    return one


def refuse_foreign(one: Anticipated, target: TypedTarget) -> None:
    """Refuse values for another kind of target than that of the table."""
    kinds = {"classes": ("prevalence",), "survival": OF_TIMES, "numbers": ("mean", "deviation")}
    foreign = [
        name
        for kind, names in kinds.items()
        for name in names
        if kind != target.kind and getattr(one, name) is not None
    ]
    if foreign:
        raise TableError(
            f"{', '.join(foreign)} {'is' if len(foreign) == 1 else 'are'} not for this target. "
            f"Got a target of {target.kind}"
        )


def anticipate_from_table(
    one: Anticipated, data: EncodedData, performance: NestedPerformance
) -> tuple[Anticipated, tuple[str, ...]]:
    """Complete what a study expects from a table; return it with the names of the completed values.

    The performance is that of the signature of all rows.
    """
    target = data.target
    own: dict[str, Any] = {"candidates": parameters_of(data)}
    if isinstance(target, Classes):
        shares = target.counts / len(target)
        own["prevalence"] = float(shares[-1]) if len(shares) == 2 else tuple(shares.tolist())
        if len(shares) == 2 and 0.5 < performance["auc"].value < 1:
            own["c_statistic"] = performance["auc"].value
    elif isinstance(target, Survival):
        own["event_rate"] = float(target.events.sum() / target.times.sum())
        own["follow_up"] = float(target.times.mean())
        own["horizon"] = float(np.median(target.times))
    else:
        # the mean is not taken from the table, since it depends on the origin of the scale
        if one.mean is not None:
            own["deviation"] = float(target.values.std())
        if performance.main.value > 0:
            own["r2"] = performance.main.value
    if not one.unknown:
        own = {name: value for name, value in own.items() if name not in PERFORMANCE}
    own = {name: value for name, value in own.items() if getattr(one, name) is None}
    found = replace(one, **own)
    return found, tuple(own)


def parameters_of(data: EncodedData) -> int:
    """Count the parameters of a regression on all columns: k - 1 for k nominal levels, else 1."""
    columns = data.table.schema.columns
    return sum(max(1, len(c.levels) - 1) if c.kind == "nominal" else 1 for c in columns)


def refuse_r2(one: Anticipated) -> str:
    """Return why a table's performance does not allow the criteria; empty if it does."""
    if one.kind == "numbers" and one.r2 is None:
        return "the nested R² is not above 0. Name the r2 that you expect"
    if one.two_classes and one.unknown:
        return "the nested AUC is at most 1/2, or 1. Name the c_statistic that you expect"
    try:
        _with_r2(one)
    except TableError as reason:
        return str(reason)
    return ""


def _number(name: str, value: object) -> float:
    if not is_number(value):
        raise TableError(f"{name} must be a number. Got {value!r}")
    if not np.isfinite(value) or value == 0:
        raise TableError(f"{name} must be a finite number other than 0. Got {value!r}")
    return float(value)


def _between(name: str, value: object, low: float) -> float:
    if not is_number(value) or not low < value < 1:
        raise TableError(f"{name} must be a number above {low:g} and below 1. Got {value!r}")
    return float(value)


def _prevalence(given: object) -> float | tuple[float, ...]:
    """Check a proportion in (0, 1), or those of several classes, which are scaled to sum to 1."""
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray):
        return _between("prevalence", given, 0.0)
    each = [_between("prevalence", share, 0.0) for share in given]
    if len(each) == 1:
        return each[0]
    if abs(sum(each) - 1) > 0.01:
        raise TableError(f"prevalence of the classes must have the sum 1. Got {sum(each):.3g}")
    whole = sum(each)
    return each[1] / whole if len(each) == 2 else tuple(share / whole for share in each)
