"""Columns of doubtful kind: notes of the schema, codes by name, orders, indicators."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from hetsel.ground import Fix
from hetsel.pitfalls.caution import Caution
from hetsel.tables import Classes, Note, Table, TypedTarget
from hetsel.tables.column import split_name
from hetsel.tables.infer import alike_texts

CODES = {"code", "codes", "fips", "fip", "sic", "naics", "isco", "icd", "zip", "zipcode"}
CODES |= {"postcode", "region", "district", "county", "province", "country", "state", "village"}
CODES |= {"municipality", "site", "hospital", "center", "centre", "clinic", "ward", "station"}
CODES |= {"zone", "tract", "sector", "industry", "occupation", "category", "brand", "language"}
CODES |= {"nationality", "stratum", "strata", "cluster", "batch", "lot", "religion", "ethnicity"}
MOST_INDICATORS = 100
ENDS = ("code", "fips", "fip")
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
MOST_OF_LETTER = 6  # most grades after a single letter (T0 to T4, G1 to G5); more are codes
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


def kinds_in_doubt(table: Table, cautions: Sequence[Caution]) -> Iterator[Caution]:
    """Yield cautions on kinds, unless `cautions` already give the same advice."""
    advice: dict[str, set[str]] = {}
    for one in cautions:
        if one.what in ("identifier", "sentinel", "outlier"):
            options = {fix.option for fix in one.note.fixes}
            advice.setdefault(one.columns[0], set()).update(options)
    for column in table.schema.columns:
        if column.note is not None:
            options = {fix.option for fix in column.note.fixes}
            if not options or not options <= advice.get(column.name, set()):
                yield Caution("kind", (column.name,), {}, column.note)
    for one in codes_by_name(table):
        if "drop" not in advice.get(one.columns[0], ()):  # an identifier by name
            yield one
    yield from orders(table)
    yield from indicators(table)


def labels_alike(target: TypedTarget) -> Iterator[Caution]:
    """Yield a caution on classes that differ by case or blanks only."""
    if isinstance(target, Classes) and (alike := alike_texts(target.labels.tolist())):
        yield Caution("labels", (), {}, Note((f"classes that {alike}",)))


def codes_by_name(table: Table) -> Iterator[Caution]:
    """Yield continuous columns of whole numbers without a note, named like codes."""
    for j, column in enumerate(table.schema.columns):
        words = split_name(column.name)
        if column.kind != "continuous" or column.note is not None or not words:
            continue
        if words[-1] not in CODES and not words[-1].endswith(ENDS):
            continue
        cells = table.values[:, j]
        known = cells[~np.isnan(cells)]
        distinct = np.unique(known)
        whole = (distinct == np.round(distinct)).all()
        if whole and 2 < len(distinct) <= len(known) / 2 and distinct[0] >= 0:
            name = (column.name,)
            said = (len(distinct), " whole numbers, named like codes, treated as continuous")
            note = Note(said, (Fix("nominal", name, "if they are codes"),))
            yield Caution("codes", name, {"distinct": len(distinct)}, note)


def orders(table: Table) -> Iterator[Caution]:
    """Yield nominal columns whose levels look ordered."""
    for column in table.schema.columns:
        if column.kind == "nominal" and (order := reading_order(column.levels)):
            name = (column.name,)
            note = Note(
                ("levels that look ordered, treated as nominal",),
                (Fix("ordinal", name, "if this is their order", levels=order),),
            )
            yield Caution("order", name, {"levels": len(order)}, note)


def indicators(table: Table) -> Iterator[Caution]:
    """Yield sets of 3 to 100 neighboring 0/1 columns with exactly one 1 per known row."""
    with np.errstate(invalid="ignore"):
        binary = ((table.values == 0) | (table.values == 1) | np.isnan(table.values)).all(axis=0)
    binary &= ~table.nominal
    ones = np.append(0, np.cumsum(binary * (table.values == 1).sum(axis=0)))
    known = (~np.isnan(table.values)).sum(axis=0)
    j, p = 0, table.shape[1]
    while j < p:
        enough = ones[min(j + MOST_INDICATORS, p)] - ones[j] >= known[j]
        found = _partition(table.values, binary, j) if enough and binary[j] else j
        if found > j + 2:
            names = tuple(table.names[j:found])
            said = " columns with exactly one 1 per row, like indicators of one factor. They are "
            advice = "ranked separately. Merge them into one nominal column to rank the factor"
            note = Note((len(names), said, advice))
            yield Caution("indicators", names, {"columns": len(names)}, note)
            j = found
        else:
            j += 1


def _partition(values: np.ndarray, binary: np.ndarray, start: int) -> int:
    """Return the end of the columns from `start` on that partition the rows, or `start`."""
    ones = np.zeros(len(values))
    for j in range(start, values.shape[1]):
        column = values[:, j]
        if not binary[j] or np.nansum(column) == 0:
            return start
        ones += np.nan_to_num(column)
        if ones.max() > 1:
            return start
        gaps = np.isnan(values[:, start])
        if (ones[~gaps] == 1).all() and (np.isnan(values[:, start : j + 1]) == gaps[:, None]).all():
            return j + 1
    return start


def reading_order(levels: Sequence[object]) -> tuple[str, ...] | None:
    """Return the levels in the order that they suggest, or None."""
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
    """Read grades: a common word and numbers, or Roman numbers, from 0 or 1 on without gaps."""
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
    """Read ranges and numbers without overlap; the first and last range may be open."""
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
