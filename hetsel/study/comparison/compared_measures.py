"""What methods are ranked by, and a comparison with its place in the report."""

from dataclasses import dataclass

import numpy as np

from hetsel.ground.text import plain_number
from hetsel.statistics.performance.scores import Scores
from hetsel.study.comparison.rank_tests import RankTest

NEGATIVE = "neg_"  # begins the name of a score of which less is better, turned round


@dataclass(frozen=True)
class Measure:
    """A quantity that methods are ranked by; larger is better.

    One that has the unit of the target has no mean over several data sets, and is printed in four
    digits; others have three decimals.
    """

    key: str  # column of the results, or a part of identifiers
    label: str  # in the heads of tables
    name: str  # on the axis of a figure
    phrase: str  # in a sentence
    quality: str  # what of a method it measures
    limits: tuple[float, float]  # its least and its largest value
    unit: bool = False

    def text(self, value: float) -> str:
        """A value as tables and sentences have it; a dash where there is none."""
        return in_text(value, self.unit).replace("-", "−") if np.isfinite(value) else "–"

    def signed(self, value: float) -> str:
        """A difference of two values, with its sign."""
        size = self.text(abs(value))
        return size if not size.strip("0.") else f"{'−' if value < 0 else '+'}{size}"


def in_text(value: float, unit: bool) -> str:
    """A score: four digits of one that has the unit of the target, three decimals of another.

    Examples
    --------
    >>> in_text(0.81234, False), in_text(1234567.8, True)
    ('0.812', '1,234,568')
    """
    return plain_number(value) if unit else f"{value:.3f}"


def measure_of(scores: Scores, name: str) -> Measure:
    """A score as methods are compared by it; of an error its negative, so that larger is better."""
    label = scores.labels[scores.names.index(name)]
    limits = scores.limits if name == scores.names[0] else (0.0, 1.0)
    quality = "Predictive performance"
    if name not in scores.losses:
        return Measure(name, label, label, label, quality, limits)
    label = f"negative {label}"
    named = (f"{NEGATIVE}{name}", label, label, label, quality)
    if name in scores.in_units:
        return Measure(*named, (-np.inf, 0.0), unit=True)
    return Measure(*named, (-limits[1], -limits[0]))


KI = Measure("ki", "KI", "Kuncheva index", "stability, Kuncheva's index", "Stability", (-1.0, 1.0))


@dataclass(frozen=True)
class Analysis:
    """A comparison of the methods over blocks."""

    key: str  # of its section and figure
    head: str  # in the heads of tables
    where: str  # begins a sentence
    test: RankTest
