"""Columns that are identifiers or outcomes by their names and values."""

import re
from collections.abc import Iterator

import numpy as np
from scipy import stats

from hetsel.ground import Fix
from hetsel.pitfalls.caution import Caution
from hetsel.tables import Classes, Column, Note, Survival, Table, TypedTarget
from hetsel.tables.column import split_name

FEWEST = 20  # rows
UNITS = 10  # patients, samples, cases
DENSE = 1.5  # largest range of distinct numbers, relative to their number
ID = {"id", "ids", "identifier", "uuid", "guid", "mrn", "rowid", "rownames", "rowname", "rownum"}
OF_ONE = (  # numbered units
    {"patient", "patients", "subject", "case", "sample", "record", "person", "participant", "row"}
    | {"individual", "animal", "donor", "specimen", "subj", "pat", "proband", "probe", "sujet"}
)
OF_RELATED = {"mother", "father", "mom", "mum", "dad", "sire", "dam", "family", "household"}
OF_RELATED |= {"woman", "child", "kid", "twin", "litter", "pupil", "student", "teacher"}
IN_ONE_WORD = re.compile(
    r"(u|u?subj?|subject|p|pt|pat|patient|case|rec|record|obs|person|fam|family|hh|household"
    r"|stud|student|mother|father|mom|dad|sire|dam)(id|nr|no|num|number)|seqn"
)
NUMBER = {"nr", "no", "num", "number", "code", "key", "nummer", "numero"}
# includes German and French words
SINGLE = ({"nr"}, {"barcode"})
AFTER = (  # outcomes by name, whatever the values
    {"survival", "followup", "futime", "fustat", "relapse", "relapsed", "recurrence"}
    | {"died", "dead", "deceased", "censor", "censored", "censoring", "lifeboat", "autopsy"}
    | {"überleben", "ueberleben", "nachbeobachtung", "verstorben", "rezidiv"}
    | {"survie", "suivi", "deces", "décès", "rechute"}
)
PAIRS = ({"follow", "up"}, {"vital", "status"})
# ambiguous words: outcomes only if the column is associated with the target
PERHAPS = {"os", "dfs", "rfs", "dmfs", "pfs", "efs", "ttp", "death", "mortality", "tod"}
PERHAPS |= {"outcome", "event", "events"}
PAIRS_PERHAPS = ({"time", "to"}, {"last", "contact"})
ALONE = {"time", "boat", "body", "status", "metastasis", "metastases", "days", "months"}
OF_TIME = re.compile(r"(t|time|days|months|years|futime|tstop)[._]", re.IGNORECASE)
BEFORE = {"history", "previous", "prior", "before", "family", "baseline", "since"}
TIMES = {"date", "day", "hour", "month", "quarter", "rank", "time", "week", "year", "years", "yr"}
CHANCE = 1e-4  # p-value of the association with the target, for ambiguous names
ALONE_ROWS = 0.8  # proportion of rows of an identifier whose level no other row has
NAMES = (
    ", like an identifier. The column may rank first since most levels identify one row, but it "
    "does not help to predict new rows"
)
FEWEST_GROUPS, ALIKE = 10, 1e-6  # fewest equal groups; p-value of alikeness


def names_rows(name: str) -> bool:
    """Check for the name of an identifier.

    >>> [name for name in ("ID", "patient", "patnr", "patient no", "children") if names_rows(name)]
    ['ID', 'patient', 'patnr', 'patient no']
    """
    words = set(split_name(name))
    units = OF_ONE | OF_RELATED
    numbered = bool(words & units) and words <= units | NUMBER
    return bool(words & ID) or numbered or words in SINGLE or _in_one_word(words)


def _in_one_word(words: set[str]) -> bool:
    return len(words) == 1 and IN_ONE_WORD.fullmatch(next(iter(words))) is not None


def names_outcome(name: str) -> bool | None:
    """Check for the name of an outcome or of a time to it; None if it is ambiguous.

    >>> [names_outcome(name) for name in ("follow-up time", "relapse", "history of relapse")]
    [True, True, False]
    >>> [names_outcome(name) for name in ("time", "prothrombin time", "OS.months")]
    [None, False, None]
    """
    words = set(split_name(name))
    if words & BEFORE:
        return False
    if words & AFTER or any(pair <= words for pair in PAIRS):
        return True
    perhaps = bool(words & PERHAPS) or any(pair <= words for pair in PAIRS_PERHAPS)
    perhaps |= OF_TIME.match(name) is not None or (len(words) == 1 and words <= ALONE)
    return None if perhaps else False


def of_units(table: Table, target: TypedTarget | None = None) -> int | None:
    """Return the column that names the patient, sample or case of each row, or None.

    It has at least ten numbers, or levels of at most ten rows on average; otherwise the values may
    be kinds. Numbers that may restart at 1 in parts of the table count only if rows of one number
    are alike in another column or in the target. Among several columns, the one with the fewest
    single rows is returned, then the one with the fewest groups.
    """
    n, found = len(table.values), []
    for j, column in enumerate(table.schema.columns):
        if not set(split_name(column.name)) & (ID | OF_ONE):  # "no" and "index" say too little
            continue
        distinct = _named_numbers(table, j)
        if distinct is None or len(distinct) < max(UNITS, n / 10 * table.nominal[j]):
            continue
        rows = np.unique(table.values[:, j], return_counts=True)[1]
        # the numbers may count the rows of each part of a table from 1 on: then none is left out,
        # and none has more rows than a smaller one
        dense = distinct[0] in (0, 1) and np.ptp(distinct) == len(distinct) - 1
        in_parts = not table.nominal[j] and dense and (rows[1:] <= rows[:-1]).all()
        if not in_parts or _alike_in_any(table, target, j):
            found.append((int((rows == 1).sum()), len(distinct), j))
    return min(found)[-1] if found and min(found)[0] < n else None


def _alike_in_any(table: Table, target: TypedTarget | None, j: int) -> bool:
    """Check whether rows of one value of column j are alike in another column or the target."""
    chance = CHANCE / table.shape[1]
    if columns_alike(table, j, chance)[0]:
        return True
    if target is None:
        return False
    if isinstance(target, Classes):
        cells = target.codes.astype(float)
    else:
        cells = target.times if isinstance(target, Survival) else target.values
    return alike_within(cells, isinstance(target, Classes), table.values[:, j]) <= chance


def _named_numbers(table: Table, j: int) -> np.ndarray | None:
    """Return the values of a column that is an identifier by its name, else None."""
    cells, column = table.values[:, j], table.schema.columns[j]
    nominal = bool(table.nominal[j])
    if not names_rows(column.name) or not _may_number(cells, column, nominal):
        return None
    words = set(split_name(column.name))
    rows_of_one = 20 if nominal else 50  # most on average
    if not words & (ID | OF_ONE | NUMBER) and not _in_one_word(words):
        rows_of_one = 5  # the age or the size of a family has fewer numbers
    distinct = np.unique(cells)
    return distinct if len(distinct) >= max(5, len(cells) / rows_of_one) else None


def _may_number(cells: np.ndarray, column: Column, nominal: bool) -> bool:
    """Check for values of an identifier: levels or whole numbers, none missing, no dates."""
    if len(cells) < FEWEST or column.time or np.isnan(cells).any():
        return False
    return nominal or bool((cells == np.round(cells)).all())


def identifiers(table: Table, groups: np.ndarray | None = None) -> Iterator[Caution]:
    """Yield columns that identify rows, or groups (n,) of nearly equal rows."""
    dense = []
    n = len(table.values)
    for j, column in enumerate(table.schema.columns):
        cells, nominal = table.values[:, j], bool(table.nominal[j])
        if _named_numbers(table, j) is not None:
            yield _identifier(column, len(np.unique(cells)), n)
            continue
        if nominal and (named := _names_of_rows(column, cells)) is not None:
            yield named
            continue
        if (nominal and len(column.levels) < FEWEST_GROUPS) or not _may_number(
            cells, column, nominal
        ):
            continue
        distinct, rows = np.unique(cells, return_counts=True)
        timed = bool(set(split_name(column.name)) & TIMES)
        running = not timed and len(distinct) == n and np.ptp(distinct / 2) < DENSE * n / 2
        if not nominal and (running or _numbers_groups(cells, distinct, groups)):
            dense.append((column, len(distinct)))
        elif not timed and len(distinct) >= FEWEST_GROUPS and 1 < rows.min() == rows.max():
            alike, every = columns_alike(table, j, ALIKE, fewest=3)
            if 2 * alike > every > 1:
                yield _groups_of_rows(column, cells, int(rows[0]), alike, every)
    if len(dense) == 1 < table.shape[1]:  # several dense columns are ranks, not identifiers
        yield _identifier(*dense[0], n)


def _names_of_rows(column: Column, cells: np.ndarray) -> Caution | None:
    """Make a caution on levels that nearly all occur in one row, unless they are numbers."""
    if len(column.levels) < ALONE_ROWS * FEWEST or len(cells) < FEWEST:
        return None
    # a note already suggests another kind: numbers, times, marks of missing values
    settled = column.note and any(fix.option != "drop" for fix in column.note.fixes)
    known = cells[~np.isnan(cells)]
    rows = np.unique(known, return_counts=True)[1]
    if settled or len(known) < FEWEST or (rows == 1).sum() < ALONE_ROWS * len(known):
        return None
    said = (len(rows), " levels in ", len(known), " rows", NAMES)
    facts = {"distinct": len(rows), "rows": len(cells)}
    fixes = (Fix("drop", (column.name,), "if the levels do not form groups"),)
    return Caution("identifier", (column.name,), facts, Note(said, fixes))


def _groups_of_rows(
    column: Column, cells: np.ndarray, rows: int, alike: int, every: int
) -> Caution:
    """Make a caution on values with equally many rows that are alike in other columns."""
    codes = np.unique(cells, return_inverse=True)[1]
    distinct = int(codes.max()) + 1
    said = (distinct, " values with ", rows, " rows each. Rows with the same value are alike in ")
    note = Note(
        (*said, alike, " of ", every, " other columns and may belong together"),
        (Fix("row_groups", (column.name,), "if they do"),),
    )
    facts = {"distinct": distinct, "rows": len(cells), "alike": alike}
    return Caution("identifier", (column.name,), facts, note, codes)


def _numbers_groups(cells: np.ndarray, distinct: np.ndarray, groups: np.ndarray | None) -> bool:
    """Check whether whole numbers are equal within groups of rows and close together."""
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
        said: tuple[str | float, ...] = ("a different value in each row",)
        fixes: tuple[Fix, ...] = (Fix("drop", name, "if it identifies the row"),)
    else:
        said = (distinct, f" distinct values in {n} rows")
        fixes = (
            Fix("row_groups", name, "if rows with the same value belong together"),
            Fix("drop", name, "if it identifies rows"),
        )
    note = Note((*said, ", like an identifier"), fixes)
    return Caution("identifier", name, {"distinct": distinct, "rows": n}, note)


def outcomes(table: Table, target: TypedTarget) -> Iterator[Caution]:
    """Yield columns that may be known only after the outcome, by their names."""
    for j, column in enumerate(table.schema.columns):
        told = names_outcome(column.name)
        if told is None:
            told = _goes_with(table.values[:, j], bool(table.nominal[j]), target)
        if told:
            said = "named like an outcome or a time to it. Check that it is known before the target"
            fix = Fix("drop", (column.name,), "if not")
            yield Caution("outcome", (column.name,), {}, Note((said,), (fix,)))


def _goes_with(cells: np.ndarray, nominal: bool, target: TypedTarget) -> bool:
    """Check whether a column, or where it is known, is associated with the target.

    The column differs between the classes; or the numbers, or the event times, differ between its
    levels or between tenths of its numbers.
    """
    if not nominal and (cells < 0).any():  # no time
        return False
    if isinstance(target, Classes):
        pairs = [(cells, nominal), (np.isnan(cells).astype(float), True)]
        return any(alike_within(one, levels, target.codes) <= CHANCE for one, levels in pairs)
    told = target.events if isinstance(target, Survival) else np.ones(len(cells), dtype=bool)
    values = (target.times if isinstance(target, Survival) else target.values)[told]
    cells = cells[told]
    gaps = np.isnan(cells)
    groups = np.full(len(cells), -1)
    if (~gaps).any():
        parts = np.unique(cells[~gaps], return_inverse=True)[1]
        groups[~gaps] = parts if nominal else parts * 10 // (int(parts.max()) + 1)
    return alike_within(values, False, groups) <= CHANCE


def alike_within(cells: np.ndarray, nominal: bool, groups: np.ndarray) -> float:
    """Return the p-value of the association of a column (n,) with groups (n,) of rows.

    For numbers it is the F-test of a one-way analysis of variance on ranks. For levels it is

        C = (n - 1) (L - 1) R^2,

    approximately chi-squared with (L - 1) (g - 1) degrees of freedom. R^2 is the proportion of the
    total variance of the L indicators that lies between the g groups (Light & Margolin, 1971,
    Journal of the American Statistical Association 66, 534-544). Missing values are left out.
    """
    known = ~np.isnan(cells)
    if known.sum() < 3:
        return 1.0
    cells, groups = cells[known], np.unique(groups[known], return_inverse=True)[1]
    n, g = len(cells), int(groups.max()) + 1
    count = np.bincount(groups)
    if nominal:
        levels = np.unique(cells, return_inverse=True)[1]
        c = int(levels.max()) + 1
        if c == 1 or g == 1:
            return 1.0
        table = np.bincount(groups * c + levels, minlength=g * c).reshape(g, c)
        whole = n - (np.bincount(levels) ** 2).sum() / n
        within = n - ((table**2).sum(axis=1) / count).sum()
        statistic = (n - 1) * (c - 1) * (1 - within / whole)
        return float(stats.chi2.sf(statistic, (c - 1) * (g - 1)))
    ranks = stats.rankdata(cells)
    ranks -= ranks.mean()
    whole = float((ranks**2).sum())
    between = float((np.bincount(groups, ranks) ** 2 / count).sum())
    if whole == 0 or not 1 < g < n:
        return 1.0
    within = max(whole - between, 0.0)
    if within <= 1e-12 * whole:
        return 0.0
    return float(stats.f.sf(between / (g - 1) / (within / (n - g)), g - 1, n - g))


def columns_alike(table: Table, but: int, chance: float, fewest: int = 2) -> tuple[int, int]:
    """Count the columns in which rows of one value of column `but` are alike, and all columns.

    Alike means a p-value of at most `chance`. Only columns with at least `fewest` values count; 3
    leaves out indicators.
    """
    groups = np.unique(table.values[:, but], return_inverse=True)[1]
    alike = every = 0
    for j in range(table.shape[1]):
        cells = table.values[:, j]
        if j == but or len(np.unique(cells[~np.isnan(cells)])) < fewest:
            continue
        every += 1
        alike += alike_within(cells, bool(table.nominal[j]), groups) <= chance
    return alike, every
