"""The table, the target and the method of a call, as every answer to R describes them."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from msgspec import UNSET, Struct, UnsetType

from hetsel import __version__
from hetsel.ground.text import listed
from hetsel.pitfalls.caution import Caution, in_lines
from hetsel.pitfalls.cautions_on_columns import cautions
from hetsel.selection.problem import MARTINGALE
from hetsel.tables import Classes, Numbers, Survival, Table, read_target
from hetsel.tables.column import open_questions
from r_bridge.from_r.r_words import in_r
from r_bridge.r_vectors import RVector, table, texts

Plain = Mapping[str, Any]  # of a record, by its fields


class ColumnFacts(Struct):
    """A column of the table, and what its missing cells are filled with."""

    name: str
    kind: str
    levels: int
    missing: int
    filled: str
    note: str


class Facts(Struct, kw_only=True):
    """What every result says of its call."""

    columns: tuple[ColumnFacts, ...]  # in the order of the table
    cautions: tuple[str, ...]
    questions: tuple[str, ...]  # on kinds, one line for all columns with the same note
    method: str = ""
    title: str
    paper: str
    size: int
    options: Mapping[str, object]
    changed: tuple[str, ...]  # options that are not at their defaults
    seed: tuple[float, ...] | None = None
    draws: bool
    missing: str
    scale: str
    rows: int
    classes: RVector  # rows of each, by name; of another target none
    version: str = __version__
    numbers: str | UnsetType = UNSET  # in words, of a target of numbers
    survival: str | UnsetType = UNSET


def facts_of_call(
    table: Table, y: Any, missing: str, scale: Any, groups: Any = None, **of_method: Any
) -> Facts:
    """What is known of the rows, the columns and the target: classes as they are, or a Target.

    Cautions leave out the questions about kinds that stand with the columns, unless text among
    numbers made levels of them.
    """
    found = cautions(table, y, scale=scale, groups=groups)
    said = [one for one in found if one.what != "kind" or _names_marks(one)]
    open_ones = open_questions(table.schema.columns)
    return Facts(
        columns=described(table, missing),
        cautions=tuple(in_lines(said, in_r)),
        questions=tuple(f"{listed(names)}: {note.in_words(in_r)}" for names, note in open_ones),
        missing=missing,
        scale=str(scale),
        rows=len(table.values),
        **_target(y),
        **of_method,
    )


def _target(y: Any) -> dict[str, Any]:
    """The rows of each class, or another target in words."""
    if isinstance(y, Numbers):
        ends = y.values.min(), y.values.max()
        told = {"numbers": f"{y.distinct} values from {ends[0]:.6g} to {ends[1]:.6g}"}
    elif isinstance(y, Survival):
        events = f"{y.events.sum()} of {len(y)} with an event"
        told = {"survival": f"{events}, up to {y.times.max():.6g}"}
    else:
        counts = pd.Series(y).value_counts().sort_index()
        return {"classes": named_counts(map(text_of, counts.index), counts)}
    return {"classes": named_counts((), ())} | told


def named_counts(names: Iterable[str], counts: Iterable[int]) -> RVector:
    """Whole numbers by names, which need not differ."""
    return RVector("integer", np.array([*counts], dtype=np.int32), {"names": texts(names)})


def _names_marks(caution: Caution) -> bool:
    return any(fix.option == "missing_marks" for fix in caution.note.fixes)


def as_told(y: Any, n: int, kind: Any = None) -> Any:
    """Numbers or Survival where the target of n rows holds them, else its cells as they are.

    Survival times stay what they are where a method is given their residuals.
    """
    found = read_target(y, n, None if kind == MARTINGALE else kind)
    return y if isinstance(found, Classes) else found


def weighed(
    weights: np.ndarray | None, table: Table, y: Any, groups: Any = None
) -> tuple[Table, Any, Any]:
    """A table, a target and groups without the rows of weight 0."""
    if weights is None or weights.all():
        return table, y, groups
    rows = np.flatnonzero(weights)
    y = y.take(rows)
    if isinstance(y, pd.Series):
        y = y.reset_index(drop=True)
        if isinstance(y.dtype, pd.CategoricalDtype):
            y = y.cat.remove_unused_categories()
    return table.take(rows=rows), y, groups[rows] if isinstance(groups, np.ndarray) else groups


def described(table: Table, missing: str) -> tuple[ColumnFacts, ...]:
    """The columns of a table, and what their missing cells are filled with."""
    columns = table.schema.columns
    gaps = np.isnan(table.values).sum(axis=0)
    filled = [""] * len(columns)
    if missing == "impute" and gaps.any():
        fill = table.resolve_missing("impute").fill
        assert fill is not None
        for j in np.flatnonzero(gaps):
            levels = columns[j].levels
            number = f"{fill[j]:.17g}" if columns[j].time else f"{fill[j]:.6g}"
            filled[j] = _level(levels[int(fill[j])]) if levels else number
    return tuple(
        ColumnFacts(
            column.name,
            column.kind,
            len(column.levels),
            int(gaps[j]),
            filled[j],
            "" if column.note is None else column.note.in_words(in_r),
        )
        for j, column in enumerate(columns)
    )


def _level(level: object) -> str:
    return text_of(level) if isinstance(level, bool | np.bool_) else str(level)


def settings(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """`options`, parameters as they were, and `changed`, those that are not at their defaults."""
    options = {name: _plain(values[name]) for name in defaults}
    changed = [name for name, value in options.items() if value != _plain(defaults[name])]
    return {"options": options, "changed": tuple(changed)}


def text_of(label: object) -> str:
    """A class or a level the way R writes it.

    Examples
    --------
    >>> text_of(True), text_of(0.1 + 0.2), text_of(7), text_of("True")
    ('TRUE', '0.3', '7', 'True')
    """
    if isinstance(label, bool | np.bool_):
        return str(label).upper()
    return f"{label:.15g}" if isinstance(label, float) else str(label)


def rows_of(records: Iterable[Mapping[str, Any]], kinds: Mapping[str, type]) -> RVector:
    """Records as a data frame of R; what a record does not have is NA."""
    each = [*records]
    return table({name: [record.get(name) for record in each] for name in kinds}, kinds)


def kinds_of_columns(kind: type, *names: str) -> dict[str, type]:
    """Columns of one type."""
    return dict.fromkeys(names, kind)


def _plain(value: Any) -> Any:
    """A parameter as vectors of R can have it; of an object the text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)
