"""Check the content of a signature's file before it is used.

Each value must be of its kind, each list of its length, each number finite. Entries that are
unknown here belong to other versions.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from hetsel.ground import TableError, plan_entries, sealed_json
from hetsel.signature.probabilities.asked_probabilities import MapContent
from hetsel.signature.signature_facts import ClassLabel, SignatureFacts
from hetsel.signature.validation import row_sketches, training_reference
from hetsel.statistics.probabilities.calibration_maps import maps_of
from hetsel.tables import Missing, ScaleKey, Schema, TargetKind

StoredNumbers = list[float]


class ModelContent(Struct, frozen=True):
    """A final model of p features, with m problems of two classes, or one problem."""

    schema: dict[str, object]
    classes: list[ClassLabel]
    C: plan_entries.Positive
    missing: Missing
    scale: ScaleKey
    knots: list[tuple[StoredNumbers, StoredNumbers]]
    unseen: Literal["error", "separate"]
    fill: StoredNumbers | None
    low: StoredNumbers
    half: list[row_sketches.NotNegative]
    intercept: StoredNumbers
    curves: list[tuple[StoredNumbers, list[StoredNumbers], StoredNumbers]]


def check_classes(where: str, facts: SignatureFacts, classes: list[ClassLabel]) -> None:
    """Refuse facts with other classes than the model's, and classes of mixed kinds."""
    if sorted(map(repr, facts.classes)) != sorted(map(repr, classes)):
        raise _other(where, "facts.classes", f"those of the model, {classes!r:.60}", facts.classes)
    if len({float if type(c) is int else type(c) for c in classes}) > 1:
        raise _other(where, "model.classes", "of one kind", classes)
    if facts.positive is not None and repr(facts.positive) not in map(repr, classes):
        raise _other(where, "facts.positive", "one of the classes", facts.positive)


def check_probabilities(where: str, facts: SignatureFacts) -> None:
    """Refuse facts without probabilities if the file has a calibration."""
    if facts.probabilities is None:
        raise _other(where, "facts.probabilities", "present, since there is a calibration", None)


def check_model(where: str, content: object, kind: TargetKind) -> ModelContent:
    """Check the content of a model.

    The content is JSON of :class:`ModelContent`. A TableError names a value of another kind, a list
    of another length, positions that do not ascend, or a level that does not exist.
    """
    own = sealed_json.read_as(f"{where}: model", content, ModelContent)
    schema = Schema.from_dict(own.schema)
    p, classes = len(schema.columns), len(own.classes)
    if kind == "classes" and (classes < 2 or len({repr(one) for one in own.classes}) < classes):
        raise _other(where, "model.classes", "two classes or more, each named once", own.classes)
    problems = classes if kind == "classes" and classes > 2 else 1
    _count(where, "model.intercept", own.intercept, problems)
    for name in ("knots", "low", "half", "curves"):
        _count(where, f"model.{name}", getattr(own, name), p)
    if own.fill is not None:
        _count(where, "model.fill", own.fill, p)
    if own.fill is None and own.missing == "impute":
        raise _other(where, "model.fill", "the values that replace missing values", None)
    for column, pair in zip(schema.columns, own.knots, strict=True):
        _same(where, f"model.knots of {column.name!r}", pair)
        for part in pair:
            _ascending(where, f"model.knots of {column.name!r}", part)
    for column, (knots, values, missing) in zip(schema.columns, own.curves, strict=True):
        name = f"model.curves of {column.name!r}"
        _ascending(where, name, knots)
        _count(where, name, missing, problems)
        _count(where, name, values, problems)
        for row in values:
            _count(where, name, row, len(knots))
        if column.kind == "nominal" and not set(knots) <= set(range(len(column.levels) + 1)):
            raise _other(where, name, f"positions of its {len(column.levels)} levels", knots)
        if column.kind != "nominal" and not knots:
            raise _other(where, name, "values at one position or more", knots)
    parts = [
        own.intercept,
        *(m for _, _, m in own.curves),
        *(v for _, rows, _ in own.curves for v in rows),
    ]
    if not np.isfinite(sum(max(map(abs, part), default=0.0) for part in parts)):
        raise _other(where, "model.curves", "finite in its sum", "overflow")
    return own


def check_calibration(where: str, content: object, classes: int) -> MapContent:
    """Check the content of a calibration for this number of classes."""
    own = sealed_json.read_as(f"{where}: calibration", content, MapContent)
    if own.classes != classes:
        raise _other(where, "calibration.classes", f"{classes}, as in the model", own.classes)
    if own.map not in maps_of(classes):
        raise _other(where, "calibration.map", f"a map of {classes} classes", own.map)
    for name in ("class_proportions", "prevalence"):
        if (shares := getattr(own, name)) is not None:
            _count(where, f"calibration.{name}", shares, classes)
            if not all(0 < share < 1 for share in shares):
                raise _other(where, f"calibration.{name}", "proportions between 0 and 1", shares)
    name, lengths = "calibration.parameters", [len(part) for part in own.parameters]
    if own.map == "isotonic":
        _count(where, name, own.parameters, 2 * (classes if classes > 2 else 1))
        for steps, shares in zip(own.parameters[::2], own.parameters[1::2], strict=True):
            _same(where, name, (steps, shares))
            _ascending(where, name, steps)
            if not steps or not all(0 <= share <= 1 for share in shares):
                raise _other(where, name, "steps, and proportions from 0 to 1", shares)
    elif lengths != ([classes, 3] if own.map == "beta" else [classes]):
        raise _other(where, name, f"the numbers of a {own.map} map", lengths)
    return own


def check_reference(where: str, content: object, schema: Schema) -> training_reference.Reference:
    """Check what a file keeps of the training rows of these features."""
    own = sealed_json.read_as(f"{where}: reference", content, training_reference.Reference)
    _count(where, "reference.features", own.features, len(schema.columns))
    for column, one in zip(schema.columns, own.features, strict=True):
        name = f"reference.features of {column.name!r}"
        if column.kind == "continuous":
            edges = [] if one.edges is None else one.edges
            _ascending(where, name, edges)
            _count(where, name, one.counts, max(len(edges) - 1, min(len(edges), 1)))
        else:
            _count(where, name, one.counts, len(column.levels))
        if one.covariance is not None:
            cells = 1 + min(len(one.counts), training_reference.CELLS)
            _count(where, f"{name}: covariance", one.covariance, cells)
            for row in one.covariance:
                _count(where, f"{name}: covariance", row, cells)
    for name, kept in (("all", own.all), ("own", own.own)):
        if kept is not None:
            columns = Schema.from_dict(kept.schema).columns
            for part in ("low", "span"):
                _count(where, f"reference.{name}.{part}", getattr(kept, part), len(columns))
            for row in kept.sketches:
                _count(where, f"reference.{name}.sketches", row, row_sketches.K)
    return own


def _count(where: str, name: str, values: Sequence[object], wanted: int) -> None:
    if len(values) != wanted:
        raise _other(where, name, f"{wanted} long", len(values))


def _same(where: str, name: str, pair: tuple[StoredNumbers, StoredNumbers]) -> None:
    if len(pair[0]) != len(pair[1]):
        raise _other(where, name, "two lists of one length", [len(part) for part in pair])


def _ascending(where: str, name: str, values: StoredNumbers) -> None:
    if (np.diff(values) < 0).any():
        raise _other(where, name, "ascending", values)


def _other(where: str, name: str, wanted: str, got: object) -> TableError:
    return TableError(f"{where}: {name} must be {wanted}. Got {got!r:.60}")
