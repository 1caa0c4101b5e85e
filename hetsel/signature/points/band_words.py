"""What the values of a band of points are called."""

from __future__ import annotations

from math import isinf
from typing import Any

from hetsel.ground.text import plain_number
from hetsel.signature.points.points_table import Band, FeaturePoints

DIGITS = 6


def words_of_band(feature: FeaturePoints, band: Band) -> str:
    """The values of a band as a reader of the table looks them up.

    Parameters
    ----------
    feature : FeaturePoints
    band : Band

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


def _of_levels(levels: tuple[Any, ...], band: Band) -> str:
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
