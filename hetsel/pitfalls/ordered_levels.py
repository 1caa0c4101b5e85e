"""Levels that read in an order: words of a scale, numbered grades, Roman numerals, ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

FEWEST = 3  # levels; the order of two does not matter
SCALES = tuple(
    {word: place for place, words in enumerate(scale.split()) for word in words.split("/")}
    for scale in (
        "none/no/nil very-low/lowest low/lower low-medium/medium-low "
        "medium/moderate/mid/middle/average/normal/intermediate medium-high/high-medium "
        "high/higher very-high/highest",
        "none/no/absent/normal minimal/trace mild/slight moderate marked severe "
        "very-severe/critical",
        "never almost-never rarely/rare/seldom/hardly-ever sometimes/occasionally/occasional "
        "often/frequently/frequent usually/very-often almost-always always",
        "terrible/awful very-poor/very-bad poor/bad fair/average/neutral/ok good "
        "very-good premium excellent/outstanding ideal",
        "strongly-disagree/disagree-strongly/completely-disagree disagree somewhat-disagree "
        "neutral/undecided/not-sure/neither/neither-agree-nor-disagree somewhat-agree agree "
        "strongly-agree/agree-strongly/completely-agree",
        "very-dissatisfied dissatisfied neutral satisfied very-satisfied",
        "tiny/very-small/extra-small small medium/mid/average large/big "
        "very-large/extra-large/huge",
        "xs s m l xl xxl",
        "short medium/average/mid long/tall",
        "light medium/moderate heavy",
        "thin medium/average thick",
        "slow medium/moderate fast",
        "cold cool warm hot",
        "weak medium/moderate/average strong",
        "young middle/middle-aged/adult old/elderly/senior",
        "well moderately/moderate poor/poorly undifferentiated",
        "none primary/elementary/basic secondary/high-school tertiary/higher/university/college",
        "first second third fourth fifth",
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th",
        "lowest lower middle upper highest",
        "lower lower-middle middle upper-middle upper",
    )
)
GRADES = re.compile(
    r"([GTNQF]|(?i:grade|stage|level|class|tier|quartile|tertile|quintile|decile|asa|nyha|ecog|phase))?"
    r"[\s_-]*(?:(\d{1,2})|((?i:i{1,3}|iv|v|vi{1,3}|ix|x)))([A-Ca-c]?)"
)
MOST_OF_LETTER = 6  # grades after a letter alone: T0 to T4, G1 to G5; more are codes
ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
UNIT = r"(?:k|%|years?|yrs?|yo|mm|cm|kg)?"
NUMBER = rf"\$?(\d+(?:\.\d+)?)\s*{UNIT}"
RANGE = re.compile(rf"[\[(]?\s*{NUMBER}\s*(?:-|–|to|,|;|\.\.\.?)\s*{NUMBER}\s*[\])]?")
BELOW = re.compile(
    rf"(?:<=?|≤|under|below|less than|up to)\s*{NUMBER}"
    rf"|{NUMBER}\s*(?:or|and)\s*(?:less|under|below|fewer|younger)"
)
ABOVE = re.compile(
    rf"(?:>=?|≥|over|above|more than)\s*{NUMBER}"
    rf"|{NUMBER}\s*(?:\+\s*{UNIT}|(?:or|and)\s*(?:more|over|above|older|up))"
)


def in_order(levels: Sequence[object]) -> tuple[str, ...] | None:
    """The levels in the order in which they read; None if they read in none.

    Examples
    --------
    >>> in_order(["High", "Low", "Medium"]), in_order(["II", "I", "III"])
    (('Low', 'Medium', 'High'), ('I', 'II', 'III'))
    >>> in_order(["25-34", "18-24", "35+"]), in_order(["blue", "green", "red"])
    (('18-24', '25-34', '35+'), None)
    """
    if not FEWEST <= len(levels) <= 20 or not all(isinstance(level, str) for level in levels):
        return None
    texts = [str(level).strip() for level in levels]
    for placed in (_on_a_scale, _as_grades, _as_ranges):
        places = placed(texts)
        if places is not None and len({*places}) == len(places):
            order = sorted(range(len(levels)), key=places.__getitem__)
            return tuple(str(levels[i]) for i in order)
    return None


def _on_a_scale(texts: Sequence[str]) -> list[int] | None:
    words = [re.sub(r"[\s_]+", "-", text.lower()) for text in texts]
    for scale in SCALES:
        if all(word in scale for word in words):
            return [scale[word] for word in words]
    return None


def _as_grades(texts: Sequence[str]) -> list[tuple[int, str]] | None:
    """Numbers after one word of grades, or Roman ones, from 0 or 1 on without a gap."""
    found = [GRADES.fullmatch(text) for text in texts]
    if any(one is None for one in found):
        return None
    parts = [one.groups() for one in found if one is not None]
    if len({(prefix, digits is None) for prefix, digits, *_ in parts}) > 1:
        return None
    prefix, digits = parts[0][:2]
    if prefix is None and digits is not None:  # plain numbers, or codes such as 1a
        return None
    if prefix is not None and len(prefix) == 1 and len(texts) > MOST_OF_LETTER:
        return None
    numbers = [int(d) if d is not None else ROMAN[roman.lower()] for _, d, roman, _ in parts]
    distinct = sorted({*numbers})
    if distinct[0] > 1 or distinct[-1] - distinct[0] != len(distinct) - 1 or len(distinct) < FEWEST:
        return None
    return [(number, part[3]) for number, part in zip(numbers, parts, strict=True)]


def _as_ranges(texts: Sequence[str]) -> list[tuple[float, int]] | None:
    """Ranges and numbers that do not overlap; the first range and the last one may be open."""
    places: list[tuple[float, int]] = []
    ends: list[tuple[float, float]] = []
    for text in (re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()) for text in texts):
        if one := re.fullmatch(r"\d+", text):
            ends.append((float(text), float(text)))
            places.append((float(text), -1))
        elif one := RANGE.fullmatch(text):
            ends.append((float(one[1]), float(one[2])))
            places.append((float(one[1]), 0))
        elif one := ABOVE.fullmatch(text):
            places.append((float(one[1] or one[2]), 1))
        elif one := BELOW.fullmatch(text):
            places.append((float(one[1] or one[2]), -2))
        else:
            return None
    kinds = [kind for _, kind in places]
    if len(ends) < 2 or kinds.count(-1) == len(kinds) or kinds.count(1) > 1 or kinds.count(-2) > 1:
        return None
    ends.sort()
    rising = all(low < high or (low == high and (low, -1) in places) for low, high in ends)
    apart = all(one[1] <= other[0] and one[0] < other[0] for one, other in pairwise(ends))
    above = all(value >= ends[-1][0] for value, kind in places if kind == 1)
    below = all(value <= ends[0][1] for value, kind in places if kind == -2)
    return places if rising and apart and above and below else None
