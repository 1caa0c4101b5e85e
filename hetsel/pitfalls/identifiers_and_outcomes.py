"""Columns whose names, and what stands in them, say that they are identifiers or outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from scipy import stats

from hetsel.ground.errors import Fix
from hetsel.pitfalls.caution import Caution
from hetsel.tables.column import Column, Note
from hetsel.tables.table import Table
from hetsel.tables.target import Classes, Survival, Target

FEWEST = 20  # rows
UNITS = 10  # patients, samples, cases
DENSE = 1.5  # numbers that are all different, in a range of so many times their number at most
ID = {"id", "ids", "identifier", "uuid", "guid", "mrn", "rowid", "rownames", "rowname", "rownum"}
OF_ONE = (  # what is numbered
    {"patient", "patients", "subject", "case", "sample", "record", "person", "participant", "row"}
    | {"individual", "animal", "donor", "specimen", "subj", "pat", "proband", "probe", "sujet"}
)
NUMBER = {"nr", "no", "num", "number", "code", "key", "nummer", "numero"}
# words of German and French among them
SINGLE = ({"nr"}, {"no"}, {"index"}, {"idx"}, {"barcode"})
AFTER = (
    {"survival", "followup", "os", "dfs", "rfs", "dmfs", "pfs", "efs", "ttp", "futime", "fustat"}
    | {"relapse", "relapsed", "recurrence", "died", "death", "dead", "deceased", "mortality"}
    | {"outcome", "event", "events", "censor", "censored", "censoring", "lifeboat", "autopsy"}
    | {"überleben", "ueberleben", "nachbeobachtung", "tod", "verstorben", "rezidiv"}
    | {"survie", "suivi", "deces", "décès", "rechute"}
)
PAIRS = ({"follow", "up"}, {"vital", "status"}, {"time", "to"}, {"last", "contact"})
ALONE = {"time", "boat", "body", "status", "metastasis", "metastases", "days", "months"}
OF_TIME = re.compile(r"(t|time|days|months|years|futime|tstop)[._]", re.IGNORECASE)
BEFORE = {"history", "previous", "prior", "before", "family", "baseline", "since"}
CHANCE = 1e-4  # of the relation of a time to the target, where its name alone does not tell


def words_of(name: str) -> list[str]:
    """The words of a column's name, in small letters.

    Examples
    --------
    >>> words_of("PatientID"), words_of("t.tdm"), words_of("follow-up time (months)")
    (['patient', 'id'], ['t', 'tdm'], ['follow', 'up', 'time', 'months'])
    """
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[\W\d_]+", parts.lower()) if word]


def names_rows(name: str) -> bool:
    """Whether a name is that of an identifier.

    Examples
    --------
    >>> [name for name in ("ID", "patient", "patient no", "number of children") if names_rows(name)]
    ['ID', 'patient', 'patient no']
    """
    words = set(words_of(name))
    return bool(words & ID or (words & OF_ONE and words <= OF_ONE | NUMBER)) or words in SINGLE


def names_outcome(name: str) -> bool:
    """Whether a name is that of an outcome, or of the time to it.

    Examples
    --------
    >>> names = ("time", "follow-up time", "relapse", "history of relapse", "prothrombin time")
    >>> [name for name in names if names_outcome(name)]
    ['time', 'follow-up time', 'relapse']
    """
    words = set(words_of(name))
    if words & BEFORE:
        return False
    told = bool(words & AFTER) or any(pair <= words for pair in PAIRS)
    return told or (len(words) == 1 and words <= ALONE)


def of_units(table: Table) -> int | None:
    """The column that says by its name which rows are of one patient, sample or case; None if none.

    Ten numbers of groups of rows or more, or names of at most ten rows on average: fewer numbers,
    and levels of which each has more, may be kinds. Of several columns the one that most rows
    share, then the one of fewest groups.

    Parameters
    ----------
    table : Table of shape (n, p)
    """
    n, found = len(table.values), []
    for j, column in enumerate(table.schema.columns):
        if not set(words_of(column.name)) & (ID | OF_ONE):  # "no" and "index" say too little
            continue
        distinct = _named_numbers(table, j)
        if distinct is None or len(distinct) < max(UNITS, n / 10 * table.nominal[j]):
            continue
        alone = int((np.unique(table.values[:, j], return_counts=True)[1] == 1).sum())
        found.append((alone, len(distinct), j))
    return min(found)[-1] if found and min(found)[0] < n else None


def _named_numbers(table: Table, j: int) -> np.ndarray | None:
    """The numbers of a column that is an identifier by its name; None if it is none."""
    cells, column = table.values[:, j], table.schema.columns[j]
    if not names_rows(column.name) or not _may_number(cells, column, bool(table.nominal[j])):
        return None
    distinct = np.unique(cells)
    return distinct if len(distinct) >= max(5, len(cells) / 50) else None


def _may_number(cells: np.ndarray, column: Column, nominal: bool) -> bool:
    """Whether cells are those of an identifier: names or whole numbers, none missing, no dates."""
    if len(cells) < FEWEST or column.date or np.isnan(cells).any():
        return False
    return nominal or bool((cells == np.round(cells)).all())


def identifiers(table: Table, groups: np.ndarray | None = None) -> Iterator[Caution]:
    """Columns that number the rows, or groups of them.

    Parameters
    ----------
    table : Table of shape (n, p)
    groups : ndarray of int, shape (n,), optional
        Of rows that are equal or nearly so.
    """
    dense = []
    for j, column in enumerate(table.schema.columns):
        cells = table.values[:, j]
        if table.nominal[j] and not names_rows(column.name):
            continue
        if not _may_number(cells, column, bool(table.nominal[j])):
            continue
        distinct = np.unique(cells)
        running = len(distinct) == len(cells) and np.ptp(distinct) < DENSE * len(cells)
        if _named_numbers(table, j) is not None:
            yield _identifier(column, len(distinct), len(cells))
        elif not table.nominal[j] and (running or _numbers_groups(cells, distinct, groups)):
            dense.append((column, len(distinct)))
    if len(dense) == 1 < table.shape[1]:  # ranks in place of numbers are dense in several columns
        yield _identifier(*dense[0], len(table.values))


def _numbers_groups(cells: np.ndarray, distinct: np.ndarray, groups: np.ndarray | None) -> bool:
    """Whether whole numbers are the same within groups of rows, and close to one another."""
    if groups is None or np.ptp(distinct) >= DENSE * len(distinct):
        return False
    count = np.bincount(groups)
    several = count[groups] > 1
    pairs = len(np.unique(np.stack([groups[several], cells[several]]), axis=1).T)
    return bool(
        several.any()
        and pairs <= 1.05 * len(np.unique(groups[several]))
        and len(np.unique(cells[several])) >= 0.95 * len(np.unique(groups[several]))
    )


def _identifier(column: Column, distinct: int, n: int) -> Caution:
    name = (column.name,)
    if distinct == n:
        said: tuple[str | float, ...] = ("a different number or name in each row",)
        fixes: tuple[Fix, ...] = (Fix("drop", name, "if it identifies the row"),)
    else:
        said = (distinct, f" numbers or names in {n} rows")
        fixes = (
            Fix("row_groups", name, "if rows of one belong together"),
            Fix("drop", name, "if it identifies rows"),
        )
    note = Note((*said, ": it looks like an identifier"), fixes)
    return Caution("identifier", name, {"distinct": distinct, "rows": n}, note)


def outcomes(table: Table, target: Target) -> Iterator[Caution]:
    """Columns that may be known only after the outcome, by their names.

    Parameters
    ----------
    table : Table of shape (n, p)
    target : Classes, Numbers or Survival
        Of the rows.
    """
    for j, column in enumerate(table.schema.columns):
        told = names_outcome(column.name)
        if not told and OF_TIME.match(column.name) and not set(words_of(column.name)) & BEFORE:
            told = _goes_with(table.values[:, j], target)
        if told:
            said = "by name an outcome, or a time to it: check that it is known before the target"
            fix = Fix("drop", (column.name,), "if not")
            yield Caution("outcome", (column.name,), {}, Note((said,), (fix,)))


def _goes_with(cells: np.ndarray, target: Target) -> bool:
    """Whether a time, which is nowhere negative, goes with the target.

    It differs between two classes, or has a rank correlation with the numbers, or with the times of
    the rows that had an event.
    """
    known = ~np.isnan(cells)
    if (cells[known] < 0).any():
        return False
    if isinstance(target, Classes):
        if len(target.labels) != 2:
            return False
        a, b = (cells[known & (target.codes == c)] for c in (0, 1))
        return bool(len(a) and len(b) and stats.mannwhitneyu(a, b).pvalue <= CHANCE)
    known &= target.events if isinstance(target, Survival) else True
    values = target.times if isinstance(target, Survival) else target.values
    a, b = cells[known], values[known]
    if len(a) < 3 or not (np.ptp(a) and np.ptp(b)):
        return False
    return bool(stats.spearmanr(a, b).pvalue <= CHANCE)
