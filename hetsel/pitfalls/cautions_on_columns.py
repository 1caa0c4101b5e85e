"""Columns and rows that mislead a ranking, noted before it is made."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hetsel.pitfalls import cautions_on_rows, stretched_columns, target_leaks
from hetsel.pitfalls.caution import Caution, Cautions
from hetsel.pitfalls.copied_columns import CopyFinder
from hetsel.pitfalls.identifiers_and_outcomes import identifiers, outcomes
from hetsel.pitfalls.kinds_in_doubt import kinds_in_doubt, labels_alike
from hetsel.pitfalls.repeated_rows import find_repeated_rows
from hetsel.pitfalls.target_leaks import ClassesOfRows
from hetsel.tables import (
    ScaleKey,
    Table,
    group_codes,
    parts_of_columns,
    refuse_other_rows,
    survival_times,
    validation,
)
from hetsel.tables.column import ColumnNames
from hetsel.tables.target import Classes, Numbers, Survival, TargetKind, TypedTarget, read_target

CELLS = 2**21  # that are sorted at once
COUNTED = 2**13  # of nominal columns whose tables of counts are made at once


def cautions(
    X: Any,
    y: Any = None,
    *,
    nominal: ColumnNames = None,
    ordinal: ColumnNames = None,
    continuous: ColumnNames = None,
    scale: ScaleKey = "range",
    target_kind: TargetKind | None = None,
    groups: Any = None,
) -> Cautions:
    """Say which rows and columns may mislead a ranking: copies, far cells, what tells too much.

    A selector does not look for these by itself and never warns of them: ask before fitting it.
    The shell and R print what is found with every ranking and search.

    - rows: rows are equal to others or nearly so, or equal in columns of many values, far more than
      rows that are drawn one by one; see :mod:`hetsel.pitfalls.repeated_rows`. `groups` holds the
      group of each. Facts: rows, groups, largest, equal.
    - identifier: the name is that of an identifier (id, patient, case no, mother) and the column
      has many whole numbers or levels; or, in one column only, whole numbers that are all
      different, or the same within the groups of repeated rows, and close to one another; or
      levels that at least 80 % of the rows have alone. Facts: distinct, rows. Or ten values or more
      of as many rows each, which are alike in most of the other columns. Facts: alike, too.
    - group: a nominal column each level of which stands in one of the row groups only.
      Facts: levels.
    - outcome: the name is that of an outcome or of the time to it (follow-up, survival, relapse);
      or it may be one (event, OS; time, boat or body alone; a beginning `t.` or the like) and the
      column, or the rows in which it is known, goes with the target: p <= 1e-4.
    - labels: classes that differ by case or blanks only.
    - sentinel: the largest or smallest value of a continuous column has the form of a mark for a
      missing cell (-1, nines only, a power of ten from 10^6 on, a limit of whole numbers), and the
      gap before it is more than the range of all others. One cell alone only beyond 99.
      Facts: value, rows, share_of_range.
    - outlier: of 20 rows or more, one cell or at most 1 % of them lie apart, by a gap of at least
      the range of all others, and these have at most 1/8 of the whole range. Facts: lowest,
      highest, rows, share_of_range.
    - heavy tail: the middle 90 % of 20 rows or more vary, but have less than 1/10 of the range.
      Facts: share_of_range, that of the other rows.
    - leak: a column alone tells at least 95 % of the rows right, the mean over classes: numbers by
      one cut between two classes, missing cells above or below all others; levels by the other
      rows of the level. Or its cells are known, or missing, in rows of one class only. In each
      case chance would do as well in any column with a probability of at most 1/1000, by a bound
      that counts the possible cuts. Facts: rate, or known_rows or missing_rows, and rows_of_class.
      Of numbers: it orders the rows as they do, by an absolute rank correlation of 0.99 or more in
      20 rows or more, or its values part them into ranges that do not overlap, with as small a
      chance. Facts: rank_correlation. Of survival times: it tells the rows with an event from
      those without as it would tell two classes, or orders the times of the events.
    - copy: a column has the numbers of an earlier one up to their unit, its groups of rows up to
      their names, or an absolute rank correlation of 0.999 or more with it; the latter in tables of
      up to 2^25 cells and 2^36 products. Facts: rank_correlation.
    - kind: what the schema notes on a column (few whole numbers, numbers mixed with text), unless a
      caution above advises the same.
    - codes: more than ten whole numbers, continuous, in a column whose name is that of codes
      (region, district, code). Facts: distinct.
    - order: levels of a nominal column that read in an order (low, medium, high; I, II, III; 18-24,
      25-34, 35+). Facts: levels.
    - indicators: three neighboring columns or more of which each row has exactly one 1.
      Facts: columns.

    A column gets the first of sentinel, outlier and heavy tail that it meets. The order of the rows
    changes nothing, nor does a unit, but for the form of a mark.

    Parameters
    ----------
    X : Table, DataFrame or array of shape (n, p)
    y : array-like of shape (n,), optional
        The target: class labels, numbers, or survival times (:func:`hetsel.survival`). Without it
        there are no leaks to see, nor with fewer than five rows a class on average.
    nominal, ordinal, continuous
        As :meth:`hetsel.Schema.infer` takes them; a Table has its kinds.
    scale : {"range", "quantile", "robust"}
        What continuous columns are measured by in the ranking: outliers and heavy tails stretch
        the range only, and are no cautions on another scale.
    target_kind : {"classes", "numbers", "survival"}, optional
        What y holds; None takes it as selectors do.
    groups : array-like of shape (n,), "copies" or "rows", optional
        The row groups that are asked for: what they hold together is no caution.

    Returns
    -------
    Cautions
        A tuple of Caution: rows, identifiers, groups, outcomes, those that stretch, leaks, copies,
        kinds. Each prints as a sentence with what to do, all of them a line for each kind.

    Raises
    ------
    TableError
        A table or a target that cannot be used.

    Examples
    --------
    >>> import pandas as pd
    >>> ages = [54, 61, 47, 58, 66, 39, 9999, 52, 70, 44]
    >>> caution = cautions(pd.DataFrame({"age": ages}))[0]
    >>> caution.what, caution.columns, caution.facts["value"], caution.facts["rows"]
    ('sentinel', ('age',), 9999.0, 1)
    >>> print(str(caution).partition(";")[0])
    age: 1 cell is 9999: all others lie in 0.31 % of the range
    """
    refuse_other_rows(X, y=y, groups=groups)
    if not isinstance(X, Table):
        X = Table.read(X, nominal=nominal, ordinal=ordinal, continuous=continuous)
    target = None if y is None else _target(y, len(X.values), target_kind)
    return cautions_on_table(X, target, scale, groups)


def _target(y: Any, n: int, kind: TargetKind | None) -> TypedTarget:
    """The target of n rows; a class may have one row only."""
    measured = (
        kind is None and not survival_times.is_survival(y) and not isinstance(y, Classes | Numbers)
    )
    if measured and not validation.is_measured(validation.target_cells(y, n)):
        kind = "classes"
    if kind == "classes" or isinstance(y, Classes):
        return Classes.of(y, n, fewest=1)
    return read_target(y, n, kind)


def cautions_on_table(
    table: Table, target: TypedTarget | None = None, scale: ScaleKey = "range", groups: Any = None
) -> Cautions:
    """The cautions on a table, the target and the groups of its rows; see :func:`cautions`."""
    n = len(table.values)
    repeats = find_repeated_rows(table, target)
    part = None if repeats is None else cautions_on_rows.parted(repeats, table, groups)
    of_rows = (
        [] if part is None else [cautions_on_rows.repeats_caution(part, n, groups is not None)]
    )
    named = identifiers(table, None if repeats is None else repeats.groups)
    of_rows += [one for one in named if not cautions_on_rows.together(one.groups, groups)]
    by_word = groups is None or (
        isinstance(groups, str) and groups in (cautions_on_rows.COPIES, cautions_on_rows.ROWS)
    )
    labels = None if by_word else group_codes(groups, n)
    of_rows += cautions_on_rows.levels_of_groups(table, labels)
    of_rows += [] if target is None else [*outcomes(table, target), *labels_alike(target)]
    different = n if repeats is None else int(repeats.groups.max()) + 1
    found = (*of_rows, *_of_cells(table, target, scale, different))
    return Cautions((*found, *kinds_in_doubt(table, found)))


def _of_cells(
    table: Table, target: TypedTarget | None, scale: ScaleKey, different: int
) -> tuple[Caution, ...]:
    """Columns that stretch, leak or are copies; so many rows are `different`."""
    n, p = table.shape
    rows = ClassesOfRows.of(target, p)
    copies = CopyFinder(table, different)
    few_rows_stretch: list[Caution] = []
    leaks: list[tuple[int, Caution]] = []
    numbers, nominal = np.flatnonzero(~table.nominal), np.flatnonzero(table.nominal)
    for part in (numbers[some] for some in parts_of_columns(len(numbers), n, CELLS)):
        cells = np.ascontiguousarray(table.values[:, part].T)
        order = np.argsort(cells, axis=1)
        ascending = np.take_along_axis(cells, order, axis=1)
        columns = [table.schema.columns[j] for j in part]
        few_rows_stretch += stretched_columns.stretched(columns, ascending)
        copies.add_numbers(part, order, ascending)
        if rows is not None:
            telling = target_leaks.telling_numbers(columns, order, ascending, rows)
            leaks += [(int(part[j]), leak) for j, leak in telling]
    for some in parts_of_columns(len(nominal), n, CELLS):
        copies.add_levels(nominal[some])
    if rows is not None:
        leaks += _leaks_of_levels_and_gaps(table, rows, {j for j, _ in leaks})
    if isinstance(target, Numbers | Survival):
        known = {j for j, _ in leaks}
        leaks += [
            leak for leak in target_leaks.telling_measures(table, target) if leak[0] not in known
        ]
    if scale != "range":
        few_rows_stretch = [one for one in few_rows_stretch if one.what == "sentinel"]
    in_order = [leak for _, leak in sorted(leaks, key=lambda one: one[0])]
    return (*few_rows_stretch, *in_order, *copies.cautions())


def _leaks_of_levels_and_gaps(
    table: Table, rows: ClassesOfRows, known: set[int]
) -> Iterator[tuple[int, Caution]]:
    """Leaks of nominal columns, and of missing cells in columns that are not known to leak."""
    gaps = np.isnan(table.values)
    with_gaps = gaps.any(axis=0)
    tell = np.zeros(len(with_gaps), dtype=bool)
    nominal = np.flatnonzero(table.nominal)
    for part in (nominal[some] for some in parts_of_columns(len(nominal), len(gaps), COUNTED)):
        tell[part] = target_leaks.may_tell(table.values[:, part], rows)
    for j, column in enumerate(table.schema.columns):
        leak = target_leaks.telling_levels(column, table.values[:, j], rows) if tell[j] else None
        if leak is None and with_gaps[j] and j not in known:
            leak = target_leaks.known_in_one_class(column, gaps[:, j], rows)
        if leak is not None:
            yield j, leak
