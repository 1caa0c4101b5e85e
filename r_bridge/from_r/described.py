"""The table and the classes of a call, as every answer to R describes them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hetsel import __version__
from hetsel.ground.text import listed
from hetsel.pitfalls.caution import Caution, in_lines
from hetsel.pitfalls.cautions_on_columns import cautions
from hetsel.selection.problem import MARTINGALE
from hetsel.tables import Classes, Numbers, Survival, Table, read_target
from hetsel.tables.column import open_questions
from r_bridge.from_r.r_words import in_r

NONE = float("nan")  # R drops a None beside numbers


def facts_of_call(
    table: Table, y: Any, missing: str, scale: Any = "range", groups: Any = None
) -> dict[str, Any]:
    """What is known of the rows, the columns and the target: classes as they are, or a Target.

    Cautions leave out the questions about kinds that stand with the columns, unless text among
    numbers made levels of them.

    Returns
    -------
    dict
        ``columns`` with ``name``, ``kind``, ``levels``, ``missing``, ``filled``, ``note``, in the
        order of the table; ``cautions``; ``questions``, a line for all columns with the same note;
        ``handling`` of missing cells; ``scale``; ``rows``;
        ``classes`` and their ``counts``, or what ``numbers`` or ``survival`` times there are;
        ``version``.
    """
    told: dict[str, Any] = {"classes": [], "counts": []}
    if isinstance(y, Numbers):
        ends = y.values.min(), y.values.max()
        told["numbers"] = f"{y.distinct} values from {ends[0]:.6g} to {ends[1]:.6g}"
    elif isinstance(y, Survival):
        told["survival"] = f"{y.events.sum()} of {len(y)} with an event, up to {y.times.max():.6g}"
    else:
        counts = pd.Series(y).value_counts().sort_index()
        told["classes"] = [f"{v:.15g}" if isinstance(v, float) else str(v) for v in counts.index]
        told["counts"] = [int(v) for v in counts]
    found = cautions(table, y, scale=scale, groups=groups)
    said = [one for one in found if one.what != "kind" or _names_marks(one)]
    return {
        "columns": described(table, missing),
        "cautions": in_lines(said, in_r),
        "questions": [
            f"{listed(names)}: {note.in_words(in_r)}"
            for names, note in open_questions(table.schema.columns)
        ],
        "handling": missing,
        "scale": str(scale),
        "rows": len(table.values),
        **told,
        "version": __version__,
    }


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


def described(table: Table, missing: str) -> dict[str, list[Any]]:
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
            filled[j] = str(levels[int(fill[j])]) if levels else number
    return {
        "name": table.names,
        "kind": [c.kind for c in columns],
        "levels": [len(c.levels) for c in columns],
        "missing": [int(v) for v in gaps],
        "filled": filled,
        "note": ["" if c.note is None else c.note.in_words(in_r) for c in columns],
    }


def settings(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as they were, and the names of those that are not at their defaults."""
    options = {name: _plain(values[name]) for name in defaults}
    changed = [name for name, value in options.items() if value != _plain(defaults[name])]
    return {"options": options, "changed": changed}


def text_of(label: Any) -> str:
    """A class or a level the way R writes it.

    Examples
    --------
    >>> text_of(True), text_of(0.1 + 0.2), text_of(7), text_of("True")
    ('TRUE', '0.3', '7', 'True')
    """
    if isinstance(label, bool):
        return str(label).upper()
    return f"{label:.15g}" if isinstance(label, float) else str(label)


def by_column(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, list[Any]]:
    """Rows as one list a column.

    Examples
    --------
    >>> by_column([{"a": 1, "b": 2}, {"a": None}], ["a"])
    {'a': [1, nan]}
    """
    return {name: or_nan([record.get(name) for record in records]) for name in names}


def or_nan(values: Sequence[Any]) -> list[Any]:
    """The values, NaN in place of None."""
    return [NONE if value is None else value for value in values]


def _plain(value: Any) -> Any:
    """A parameter as vectors of R can have it; of an object the text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)
