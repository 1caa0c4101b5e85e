"""Find rows and columns that can mislead a selection, before it is made."""

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

CELLS = 2**21  # values that are sorted at once
COUNTED = 2**13  # values of nominal columns that are counted at once


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
    """Find rows and columns that can mislead a selection.

    Selectors neither search for these problems nor warn of them, so call this function before you
    fit one. The shell and R print the cautions with every ranking and search. The kinds are:

    - rows: rows that equal other rows or nearly equal them, or that are equal in columns of many
      values, far more often than independent rows would; see :mod:`hetsel.pitfalls.repeated_rows`.
      `groups` holds the group of each row. Facts: rows, groups, largest, equal.
    - identifier: a column with the name of an identifier (id, patient, case no, mother) and many
      whole numbers or levels. Or the only column whose whole numbers all differ, or are equal
      within groups of duplicate rows, and lie close together. Or levels such that at least 80% of
      the rows have a level that no other row has. Facts: distinct, rows. Or at least ten values
      with equally many rows, which are alike in most other columns. Facts: also alike.
    - group: a nominal column whose levels each occur in one row group only. Facts: levels.
    - outcome: a column with the name of an outcome or of a time to it (follow-up, survival,
      relapse). Or a column whose name may mean an outcome (event, OS; time, boat or body alone; a
      name that begins with `t.` or the like) and whose values, or whose missing values, are
      associated with the target: p <= 1e-4.
    - labels: classes that differ by case or blanks only.
    - sentinel: a continuous column whose largest or smallest value looks like a mark of missing
      values (-1, nines only, a power of ten from 10^6 on, a limit of whole numbers) and lies
      farther from the next value than the range of all others. A single such value counts only
      beyond 99. Facts: value, rows, share_of_range.
    - outlier: with at least 20 rows, one value or at most 1% of the values lie apart from the
      others by at least the range of the others, and the others span at most 1/8 of the full
      range. Facts: lowest, highest, rows, share_of_range.
    - heavy tail: with at least 20 rows, the middle 90% of the values vary but span less than 1/10
      of the range. Facts: share_of_range, the part of the range that the other rows span.
    - leak: a column that alone predicts the classes with a balanced accuracy of at least 95%.
      Numbers predict by one cut between two classes, with missing values above or below all
      others; levels predict by the other rows of the level. Or a column that is known, or missing,
      in rows of one class only. In each case the probability that chance does as well in any column
      is at most 1/1000, by a bound that counts the possible cuts. Facts: rate; or known_rows or
      missing_rows, and rows_of_class. For a numeric target: an absolute rank correlation of at
      least 0.99 in at least 20 rows, or values that split the target into ranges without overlap,
      with an equally small probability. Facts: rank_correlation. For survival times: a column that
      separates events from censored rows as it would two classes, or that orders the event times.
    - copy: a column with the numbers of an earlier column up to the unit, with the same groups of
      rows up to their names, or with an absolute rank correlation of at least 0.999; the last in
      tables of up to 2^25 values and 2^36 products. Facts: rank_correlation.
    - kind: a note of the schema on a column (few whole numbers, numbers mixed with text), unless a
      caution above gives the same advice.
    - codes: a continuous column with more than ten whole numbers and the name of codes (region,
      district, code). Facts: distinct.
    - order: a nominal column whose levels look ordered (low, medium, high; I, II, III; 18-24,
      25-34, 35+). Facts: levels.
    - indicators: at least three neighboring columns with exactly one 1 per row. Facts: columns.

    A column gets only the first of sentinel, outlier and heavy tail. The cautions do not depend on
    the order of the rows, nor on units except for the form of a mark.

    Parameters
    ----------
    X : Table, DataFrame or array of shape (n, p)
        The features.
    y : array-like of shape (n,), optional
        The target: class labels, numbers, or survival times (:func:`hetsel.survival`). Leaks are
        found only with a target that has at least five rows per class on average.
    nominal, ordinal, continuous : sequence, mapping or slice, optional
        Kinds of columns as in :meth:`hetsel.Schema.infer`; a Table has its own.
    scale : {"range", "quantile", "robust"}
        Scale of continuous columns in the selection. Outliers and heavy tails are cautions on the
        scale "range" only.
    target_kind : {"classes", "numbers", "survival"}, optional
        Kind of the target; None infers it as selectors do.
    groups : array-like of shape (n,), "copies" or "rows", optional
        Specified row groups. Duplicate rows within one row group are no caution.

    Returns
    -------
    Cautions
        A tuple of Caution, in this order: rows, identifiers, groups, outcomes, labels, stretched
        ranges, leaks, copies, kinds. It prints one line for each kind, with the advice.

    Raises
    ------
    TableError
        A table or a target that cannot be used.

    See Also
    --------
    hetsel.Schema : The inferred kinds of the columns and the notes on them.
    hetsel.Rescaling : Scales that outliers and heavy tails do not stretch.

    Examples
    --------
    >>> import pandas as pd
    >>> ages = [54, 61, 47, 58, 66, 39, 9999, 52, 70, 44]
    >>> caution = cautions(pd.DataFrame({"age": ages}))[0]
    >>> caution.what, caution.columns, caution.facts["value"], caution.facts["rows"]
    ('sentinel', ('age',), 9999.0, 1)
    >>> print(caution)
    age: 1 value is 9999. All others lie in 0.31% of the range. If it marks missing values, set '9999' to missing when you read the table
    """  # noqa: E501
    refuse_other_rows(X, y=y, groups=groups)
    if not isinstance(X, Table):
        X = Table.read(X, nominal=nominal, ordinal=ordinal, continuous=continuous)
    target = None if y is None else _target(y, len(X.values), target_kind)
    return cautions_on_table(X, target, scale, groups)


def _target(y: Any, n: int, kind: TargetKind | None) -> TypedTarget:
    """Read the target of n rows; a class may have only one row."""
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
    """Find the cautions on a table, target and row groups; see :func:`cautions`."""
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
    """Find stretched columns, leaks and copies; `different` is the number of distinct rows."""
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
    """Yield leaks by levels, and by missing values of columns without another leak."""
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
