"""Describe the table, the target and the method of a call for R."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeVar

import numpy as np
import pandas as pd
from msgspec import Struct
from msgspec.structs import replace

from hetsel import __version__
from hetsel.ground.text import listed
from hetsel.pitfalls.caution import in_lines
from hetsel.pitfalls.cautions_on_columns import cautions
from hetsel.selection.problem import MARTINGALE
from hetsel.signature.probabilities.probability_facts import PartWorth, ProbabilityFacts
from hetsel.tables import Classes, Numbers, Survival, Table, TargetKind, read_target
from hetsel.tables.column import open_questions
from hetsel.tables.rescaling import ScaleKey
from r_bridge.from_r.asked import Labels
from r_bridge.from_r.r_words import in_r, text_of, with_r_values
from r_bridge.r_vectors import RVector, Values, kinds, table, texts

AskedKind = TargetKind | Literal["martingale"]
Groups = np.ndarray | str | None
Record = TypeVar("Record", bound=Struct)
FLAGS = {"False": "FALSE", "True": "TRUE"}
COLUMN = (
    kinds(str, "name", "kind") | kinds(int, "levels", "missing") | kinds(str, "imputed", "note")
)
OF_METHOD = ("method", "title", "paper", "size", "options", "changed", "seed", "draws")


def facts_of_call(
    table: Table,
    y: Labels | Numbers,
    missing: object,
    scale: ScaleKey,
    groups: Groups,
    more: Values,
) -> Values:
    """Describe the rows, the columns, the target and the method (`more`) of a call.

    The target is an array of classes or a TypedTarget. Cautions exclude notes on kinds, which are
    reported with the columns, unless text among numbers made a column nominal.
    """
    found = cautions(table, y, scale=scale, groups=groups)
    marks = [any(fix.option == "missing_marks" for fix in one.note.fixes) for one in found]
    said = [one for one, k in zip(found, marks, strict=True) if one.what != "kind" or k]
    open_ones = open_questions(table.schema.columns)
    return {
        "columns": described(table, str(missing)),
        "cautions": texts(in_lines(said, in_r)),
        "questions": texts(f"{listed(names)}: {note.in_words(in_r)}" for names, note in open_ones),
        **{name: more.get(name) for name in OF_METHOD},
        "missing": str(missing),
        "scale": str(scale),
        "rows": len(table.values),
        **_target(y),
    }


def _target(y: Labels | Numbers) -> Values:
    """Count the rows of each class, or describe another target in words."""
    none = {"classes": named_counts((), ()), "version": __version__}
    if isinstance(y, Numbers):
        ends = y.values.min(), y.values.max()
        return none | {"numbers": f"{y.distinct} values from {ends[0]:.6g} to {ends[1]:.6g}"}
    if isinstance(y, Survival):
        events = f"{y.events.sum()} of {len(y)} with an event"
        return none | {"survival": f"{events}, up to {y.times.max():.6g}"}
    counts = pd.Series(y).value_counts().sort_index()
    return none | {"classes": named_counts(map(text_of, counts.index), counts)}


def named_counts(names: Iterable[str], counts: Iterable[int]) -> RVector:
    """Create whole numbers with names, which may repeat."""
    return RVector("integer", np.array([*counts], dtype=np.int32), {"names": texts(names)})


def as_told(y: Labels, n: int, kind: AskedKind | None = None) -> Labels | Numbers:
    """Convert the target of n rows to Numbers or Survival; classes stay unchanged."""
    found = read_target(y, n, None if kind == MARTINGALE else kind)
    return y if isinstance(found, Classes) else found


def weighed(
    weights: np.ndarray | None, table: Table, y: Labels | Numbers, groups: Groups = None
) -> tuple[Table, Labels | Numbers, Groups]:
    """Remove the rows of weight 0 from a table, a target and groups."""
    if weights is None or weights.all():
        return table, y, groups
    rows = np.flatnonzero(weights)
    y = y.take(rows)
    if isinstance(y, pd.Series):
        y = y.reset_index(drop=True)
        if isinstance(y.dtype, pd.CategoricalDtype):
            y = y.cat.remove_unused_categories()
    return table.take(rows=rows), y, groups[rows] if isinstance(groups, np.ndarray) else groups


def described(read: Table, missing: str) -> RVector:
    """Describe the columns of a table and the values that replace missing ones."""
    columns = read.schema.columns
    gaps = np.isnan(read.values).sum(axis=0)
    imputed = [""] * len(columns)
    if missing == "impute" and gaps.any():
        fill = read.resolve_missing("impute").fill
        assert fill is not None
        for j in np.flatnonzero(gaps):
            imputed[j] = f"{fill[j]:.17g}" if columns[j].time else f"{fill[j]:.6g}"
            if columns[j].levels:
                level = columns[j].levels[int(fill[j])]
                imputed[j] = text_of(level) if isinstance(level, bool | np.bool_) else str(level)
    notes = ["" if one.note is None else one.note.in_words(in_r) for one in columns]
    every = zip(columns, gaps, imputed, notes, strict=True)
    return table(((c.name, c.kind, len(c.levels), *more) for c, *more in every), COLUMN)


def settings(values: Values, defaults: Values) -> Values:
    """Return `options`, all parameters, and `changed`, those that differ from their defaults."""
    options = {name: _plain(values[name]) for name in defaults}
    changed = [name for name, value in options.items() if value != _plain(defaults[name])]
    return {"options": options, "changed": texts(changed)}


def _plain(value: object) -> object:
    """Convert a parameter to plain values; an object becomes text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def with_r_labels(record: Record, names: Mapping[str, str]) -> Record:
    """Write classes and logical levels in a record as R does."""
    changed: dict[str, object] = {}
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if name == "of_class" and value is not None:
            changed[name] = names.get(str(value), "")
        elif isinstance(record, ProbabilityFacts) and name == "by":
            changed[name] = _parts_in_r(record)
        elif isinstance(value, Struct):
            changed[name] = with_r_labels(value, names)
        elif isinstance(value, list) and value and isinstance(value[0], Struct):
            changed[name] = [with_r_labels(one, names) for one in value]
    return replace(record, **changed)


def _parts_in_r(facts: ProbabilityFacts) -> list[PartWorth]:
    flags = {one.column for one in facts.by}
    flags -= {one.column for one in facts.by if one.level not in (*FLAGS, "missing")}
    told = with_r_values if isinstance(facts.classes[0].of_class, bool) else str
    return [
        replace(
            one,
            level=FLAGS.get(one.level, one.level) if one.column in flags else one.level,
            few=told(one.few),
        )
        for one in facts.by
    ]
