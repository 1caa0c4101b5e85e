"""What methods are ranked by, and a comparison with its place in the report."""

from __future__ import annotations

from dataclasses import dataclass

from hetsel.report.numbers.rank_tests import RankTest


@dataclass(frozen=True)
class Measure:
    """A quantity that methods are ranked by; larger is better.

    Parameters
    ----------
    key : str
        Column of the results, or a part of identifiers.
    label : str
        In the heads of tables.
    name : str
        On the axis of a figure.
    phrase : str
        In a sentence.
    quality : str
        What of a method it measures.
    limits : (float, float)
        Its least and its largest value.
    """

    key: str
    label: str
    name: str
    phrase: str
    quality: str
    limits: tuple[float, float]


KI = Measure("ki", "KI", "Kuncheva index", "stability, Kuncheva's index", "Stability", (-1.0, 1.0))


@dataclass(frozen=True)
class Analysis:
    """A comparison of the methods over blocks.

    Parameters
    ----------
    key : str
        Of its section and figure.
    head : str
        In the heads of tables.
    where : str
        Begins a sentence.
    test : RankTest
    """

    key: str
    head: str
    where: str
    test: RankTest
