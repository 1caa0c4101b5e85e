"""Columns whose kind is in doubt: what the table notes, codes by name, orders, indicators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hetsel.ground.errors import Fix
from hetsel.pitfalls.caution import Caution
from hetsel.pitfalls.ordered_levels import in_order
from hetsel.tables.column import Note
from hetsel.tables.infer import alike_texts
from hetsel.tables.names import words_of
from hetsel.tables.table import Table
from hetsel.tables.target import Classes, Target

CODES = {
    "code",
    "codes",
    "fips",
    "fip",
    "sic",
    "naics",
    "isco",
    "icd",
    "zip",
    "zipcode",
    "postcode",
}
CODES |= {"region", "district", "county", "province", "country", "state", "municipality", "village"}
CODES |= {"site", "hospital", "center", "centre", "clinic", "ward", "station", "zone", "tract"}
CODES |= {"sector", "industry", "occupation", "category", "brand", "language", "nationality"}
CODES |= {"stratum", "strata", "cluster", "batch", "lot", "religion", "ethnicity"}
MOST_INDICATORS = 100
ENDS = ("code", "fips", "fip")


def kinds_in_doubt(table: Table, cautions: Sequence[Caution]) -> Iterator[Caution]:
    """Cautions on kinds, but for what the `cautions` on the same column advise already."""
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


def labels_alike(target: Target) -> Iterator[Caution]:
    """Classes whose labels differ by case or blanks only."""
    if isinstance(target, Classes) and (alike := alike_texts(target.labels.tolist())):
        yield Caution("labels", (), {}, Note((f"classes that {alike}",)))


def codes_by_name(table: Table) -> Iterator[Caution]:
    """Continuous columns of whole numbers without a note, whose name is that of codes."""
    for j, column in enumerate(table.schema.columns):
        words = words_of(column.name)
        if column.kind != "continuous" or column.note is not None or not words:
            continue
        if words[-1] not in CODES and not words[-1].endswith(ENDS):
            continue
        cells = table.values[:, j]
        known = cells[~np.isnan(cells)]
        distinct = np.unique(known)
        if 2 < len(distinct) <= len(known) / 2 and distinct[0] >= 0 and _whole(distinct):
            name = (column.name,)
            said = (len(distinct), " whole numbers, codes by their name: taken as continuous")
            note = Note(said, (Fix("nominal", name, "if they are codes"),))
            yield Caution("codes", name, {"distinct": len(distinct)}, note)


def _whole(numbers: np.ndarray) -> bool:
    return bool((numbers == np.round(numbers)).all())


def orders(table: Table) -> Iterator[Caution]:
    """Nominal columns whose levels read in an order."""
    for column in table.schema.columns:
        if column.kind == "nominal" and (order := in_order(column.levels)):
            name = (column.name,)
            note = Note(
                ("levels that read in an order: taken as nominal",),
                (Fix("ordinal", name, "if that is their order", levels=order),),
            )
            yield Caution("order", name, {"levels": len(order)}, note)


def indicators(table: Table) -> Iterator[Caution]:
    """Neighboring columns of 0 and 1, 3 to 100, of which each row has exactly one 1.

    Rows that are missing in all of them do not count. Every column is in one set at most.
    """
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
            yield _indicators(table.names[j:found])
            j = found
        else:
            j += 1


def _partition(values: np.ndarray, binary: np.ndarray, start: int) -> int:
    """The end of the columns from `start` on that part the rows; `start` if none do."""
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


def _indicators(names: Sequence[str]) -> Caution:
    said = (len(names), " columns of which each row has exactly one 1, as indicators of one factor")
    note = Note((*said, ": they are ranked apart; one nominal column of them is ranked as a whole"))
    return Caution("indicators", tuple(names), {"columns": len(names)}, note)
