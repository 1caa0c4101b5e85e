"""Check the requests on probabilities: prevalence, thresholds and the cost of a missed case."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct

from hetsel.ground import TableError, is_number, listed, positive
from hetsel.statistics.probabilities import calibration_maps, threshold_values
from hetsel.statistics.probabilities.prevalence import shifted

MARKS = (0.05, 0.1, 0.2, 0.3, 0.5)  # default thresholds
CURVE = 99  # thresholds of a decision curve


@dataclass(frozen=True)
class AskedProbabilities:
    """Hold the requests on the probabilities of classes."""

    # proportion of each class where the model is used, in the order of the labels; None for the
    # proportions among the rows
    prevalence: tuple[float, ...] | None = None
    thresholds: tuple[float, ...] = MARKS  # thresholds at which predictive values are reported
    named: bool = False  # whether they were specified
    # loss of a missed case over that of a needless treatment; for two classes
    harm_ratio: float | None = None

    @property
    def threshold(self) -> float | None:
        """The smallest probability at which treating is best; None without costs."""
        return (
            None if self.harm_ratio is None else threshold_values.threshold_of_cost(self.harm_ratio)
        )

    @property
    def marks(self) -> tuple[float, ...]:
        """The thresholds, including that of the costs."""
        own = [] if self.threshold is None else [self.threshold]
        return tuple(sorted({*self.thresholds, *own}))

    @property
    def curve(self) -> np.ndarray:
        """Thresholds of a decision curve: from the first to the last specified one, else all."""
        first, last = (min(self.marks), max(self.marks)) if self.named else (0.01, 0.99)
        if first == last:
            return np.array([first])
        return np.linspace(first, last, CURVE)


def asked_probabilities(
    labels: Sequence[object], prevalence: object, thresholds: object, harm_ratio: object
) -> AskedProbabilities:
    """Check the requests on probabilities.

    `labels` are in the reported order; a single number is the prevalence of the last of two.

    Examples
    --------
    >>> asked_probabilities(["no", "yes"], 0.02, None, 4).prevalence
    (0.98, 0.02)
    """
    if harm_ratio is not None and len(labels) != 2:
        raise TableError(
            f"harm_ratio is for two classes. Got a target of {len(labels)} classes. Leave it out"
        )
    if thresholds is None:
        marks: tuple[float, ...] = MARKS
    else:
        thresholds = thresholds.tolist() if isinstance(thresholds, np.ndarray) else thresholds
        one = isinstance(thresholds, str)
        given = [*thresholds] if isinstance(thresholds, Iterable) and not one else [thresholds]
        marks = tuple(float(t) for t in given if is_number(t) and 0 < t < 1)
        if not marks or len(marks) < len(given):
            raise TableError(f"thresholds must be probabilities in (0, 1). Got {thresholds!r:.80}")
    cost = None if harm_ratio is None else positive("harm_ratio", harm_ratio)
    found = AskedProbabilities(_shares(labels, prevalence), marks, thresholds is not None, cost)
    if cost is not None:
        threshold_values.threshold_of_cost(cost)
    return found


def _shares(labels: Sequence[object], prevalence: object) -> tuple[float, ...] | None:
    if prevalence is None:
        return None
    if isinstance(prevalence, Mapping):
        names = [str(label) for label in labels]
        given = {str(label): share for label, share in prevalence.items()}
        if sorted(given) != sorted(names):
            raise TableError(
                f"prevalence must have a proportion for each class: {listed(names)}. Got "
                f"{listed([*given])}"
            )
        shares = [given[name] for name in names]
    elif len(labels) == 2:
        shares = [1 - prevalence if is_number(prevalence) else prevalence, prevalence]
    else:
        raise TableError(
            f"prevalence must have a proportion for each class: {listed(list(map(str, labels)))}. "
            f"Got {prevalence!r:.60}"
        )
    found = tuple(float(one) for one in shares if is_number(one) and 0 < one < 1)
    if len(found) < len(shares) or abs(sum(found) - 1) > 1e-6:
        raise TableError(
            "prevalence must be between 0 and 1, and those of all classes must have the sum 1. "
            f"Got {prevalence!r:.80}"
        )
    return found


# From decision values of the final model to probabilities, at the requested prevalence.

ClosedShare = Annotated[float, Meta(ge=0, le=1)]


class MapContent(Struct, frozen=True):
    """A calibration map, as in a file."""

    map: calibration_maps.MapKey
    classes: Annotated[int, Meta(ge=2)]
    parameters: list[list[float]]
    class_proportions: list[ClosedShare]  # of each class among the training rows
    prevalence: list[ClosedShare] | None  # where the model is used


@dataclass(frozen=True)
class ClassProbabilities:
    """Predict probabilities of the classes with a final model."""

    map: calibration_maps.CalibrationMap
    shares: tuple[float, ...]  # weighted proportion of each class among the training rows
    # where the model is used, if it differs: each odds is multiplied by the ratio of the odds
    prevalence: tuple[float, ...] | None = None

    def of(self, decisions: np.ndarray) -> np.ndarray:
        """Compute probabilities (m, C) of decision values (m,) of two classes, or (m, C)."""
        return self.at_prevalence(self.map.probabilities(decisions.reshape(len(decisions), -1)))

    def at_prevalence(self, probabilities: np.ndarray) -> np.ndarray:
        """Shift probabilities (m, C) to the prevalence."""
        if self.prevalence is None:
            return probabilities
        return shifted(probabilities, self.shares, self.prevalence)

    def content(self) -> MapContent:
        """Return what a file keeps of it."""
        parameters = [part.tolist() for part in self.map.parameters]
        prevalence = None if self.prevalence is None else [*self.prevalence]
        kept = (self.map.key, self.map.classes, parameters, [*self.shares], prevalence)
        return MapContent(*kept)

    @classmethod
    def of_content(cls, content: MapContent) -> "ClassProbabilities":
        """Restore the probabilities from :meth:`content`."""
        parameters = tuple(np.array(part, dtype=np.float64) for part in content.parameters)
        wanted = content.prevalence
        return cls(
            calibration_maps.CalibrationMap(content.map, content.classes, parameters),
            tuple(content.class_proportions),
            None if wanted is None else tuple(wanted),
        )
