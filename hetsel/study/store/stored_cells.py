"""Cells as rows of a store, with checksums that detect damage."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct

from hetsel.ground import StoreError, TableError, listed
from hetsel.ground.plan_entries import Count, Positive, WholeNumber
from hetsel.ground.sealed_json import read_as
from hetsel.selection.verdicts_in_words import VERDICTS
from hetsel.study.cell import CellResult
from hetsel.tables import column, target

# results of a cell in words; CONTENTS adds what differs from run to run
_IN_WORDS = {
    "ranking": "order of the features",
    "chosen": "signatures",
    "cuts": "verdicts on cuts",
    "test": "held-out rows",
    "truth": "target of the held-out rows",
    "shape": "shape of the results",
    "predictions": "predictions",
    "decisions": "decision values",
}
CONTENTS = (*_IN_WORDS, "rank_seconds", "classify_seconds", "warnings", "finished")


def checksum(values: Iterable[Any]) -> bytes:
    """Return the SHA-256 of numbers, text and bytes, each with its type and length.

    Examples
    --------
    >>> checksum(["ab", b"c"]) == checksum(["a", b"bc"]), len(checksum([1, 2.5]))
    (False, 32)
    """
    parts = []
    for value in values:
        if not isinstance(value, bytes):
            text = value if isinstance(value, str) else repr(value)
            part = text.encode(errors="surrogatepass")
        else:
            part = value
        parts += [f"{type(value).__name__} {len(part)} ".encode(), part]
    return hashlib.sha256(b"".join(parts)).digest()


def answers_in(contents: Sequence[Any]) -> dict[str, Any]:
    """Return the results of a cell without times and warnings."""
    return dict(zip(_IN_WORDS, contents, strict=False))


def other_answers(first: Sequence[Any], second: Sequence[Any]) -> list[str]:
    """Name the results in which two cells differ."""
    one, other = answers_in(first), answers_in(second)
    return [_IN_WORDS[name] for name in one if one[name] != other[name]]


def repeated_in_words(differs: Sequence[str]) -> str:
    """Describe a cell whose two computations differ."""
    return (
        f"two computations of a cell differ in {listed(differs)}. The method depends on more than "
        "rows and seed, for example on a generator without a seed, so its results cannot be "
        "reproduced"
    )


def pack(result: CellResult, finished: float) -> tuple[Any, ...]:
    """Return the contents of a cell in the order of :data:`CONTENTS`."""
    arrays = (result.order, result.test, result.truth, result.predictions, result.decisions)
    order, test, truth, predictions, decisions = (
        np.ascontiguousarray(a, dtype="<f8" if a.dtype.kind == "f" else "<i4").tobytes()
        for a in arrays
    )
    chosen = np.packbits(result.chosen, axis=1).tobytes()
    cuts = bytes(VERDICTS.index(cut) for cut in result.cuts)
    shapes: list[Any] = [result.chosen.shape, result.decisions.shape]
    if result.truth.dtype.kind == "f":  # numeric targets and survival times
        mean = result.training_mean
        shapes.append(None if mean is None else float(mean))
    shape = json.dumps(shapes)
    seconds = (float(result.rank_seconds), float(result.classify_seconds))
    notes = json.dumps(result.warnings)
    blobs = (order, chosen, cuts, test, truth, shape, predictions, decisions)
    return (*blobs, *seconds, notes, finished)


def unpack(key: str, versions: str, contents: Sequence[Any]) -> CellResult:
    """Return the result in a row; `versions` is JSON."""
    order, chosen, cuts, test, truth, shape, predictions, decisions, *others = contents
    ranking, classifying, notes, _ = others
    (sizes, p), values, *mean = json.loads(shape)
    told = "<f8" if mean else "<i4"
    bits = np.frombuffer(chosen, dtype=np.uint8).reshape(sizes, -1)
    return CellResult(
        key,
        np.frombuffer(order, dtype="<i4"),
        np.unpackbits(bits, axis=1, count=p).astype(bool),
        tuple(VERDICTS[cut] for cut in cuts),
        np.frombuffer(test, dtype="<i4"),
        np.frombuffer(truth, dtype=told),
        np.frombuffer(predictions, dtype=told).reshape(values[:3]),
        np.frombuffer(decisions, dtype="<f8").reshape(values),
        ranking,
        classifying,
        tuple(json.loads(notes)),
        json.loads(versions),
        *mean,
    )


# The facts of a study in a store are checked before use. The seal detects damage, but a file from
# elsewhere may have a valid seal and any content.
FACTS = ("plan", "datasets", "sizes", "parts", "time_limit", "repeated")


class Labeled(Struct, frozen=True):
    """A method or judge of the plan."""

    key: str
    label: str
    params: dict[str, Any] = {}


class Named(Struct, frozen=True):
    """A data set of the plan."""

    name: str
    treatment_of: str | None = None
    split: dict[str, Any] | None = None


class StoredPlan(Struct, frozen=True):
    """The plan of the last run."""

    name: str
    resamplings: dict[str, Any]
    sizes: Literal["auto"] | list[Count]
    datasets: Annotated[list[Named], Meta(min_length=1)]
    methods: Annotated[list[Labeled], Meta(min_length=1)]
    classifiers: Annotated[list[Labeled], Meta(min_length=1)]
    seed: WholeNumber = 0


class DataFacts(Struct, frozen=True):
    """Facts of a data set without its values."""

    name: str
    fingerprint: str
    rows: Count
    features: Annotated[list[str], Meta(min_length=1)]
    kinds: list[column.ColumnKind]
    target: target.TargetKind
    classes: list[str]
    class_counts: list[WholeNumber]
    missing_cells: WholeNumber
    missing: str
    scale: str = "range"
    class_weights: list[float] | None = None
    row_weights: list[float] | None = None
    test_counts: list[WholeNumber] | None = None
    test_share: float | None = None
    row_groups: Count | None = None
    largest_row_group: Count | None = None
    repeated_rows: WholeNumber | None = None
    repeated_groups: WholeNumber | None = None
    events: WholeNumber | None = None
    longest: float | None = None
    median_time: float | None = None
    least: float | None = None
    largest: float | None = None
    mean: float | None = None
    deviation: float | None = None


class StoredParts(Struct, frozen=True):
    """Number of parts, and the part of each cell."""

    of: Count
    numbers: list[Count]


def check_facts_of_store(
    path: Path, facts: Mapping[str, Any], cells: Iterable[tuple[str, str, str, int]]
) -> None:
    """Raise an error if facts (see :data:`FACTS`) do not fit the cells of the plan."""
    try:
        plan = read_as(f"{path}: its plan", facts["plan"], StoredPlan)
        data = read_as(f"{path}: its data sets", facts["datasets"], list[DataFacts])
        sizes = read_as(f"{path}: its sizes", facts["sizes"], dict[str, list[Count]])
        dealt = facts["parts"]
        parts = None if dealt is None else read_as(f"{path}: its parts", dealt, StoredParts)
        if facts["time_limit"] is not None:
            read_as(f"{path}: its time limit", facts["time_limit"], Positive)
        repeated = facts["repeated"] or {}
        read_as(f"{path}: its cells that were computed twice", repeated, dict[str, list[str]])
    except TableError as reason:
        raise StoreError(reason.sentence) from None
    cells = list(cells)
    names = sorted(one.name for one in data)
    labels = [one.label for one in plan.methods]
    if names != sorted(one.name for one in plan.datasets) or names != sorted(sizes):
        raise _other(path, "the data sets of its plan, facts and sizes", names)
    if len(set(names)) < len(names) or len(set(labels)) < len(labels):
        raise _other(path, "unique names", [*names, *labels])
    if any(dataset not in names or method not in labels for _, dataset, method, _ in cells):
        raise _other(path, "cells of these data sets and methods", [*names, *labels])
    if parts is not None and (
        len(parts.numbers) != len(cells) or parts.of > len(cells) or max(parts.numbers) > parts.of
    ):
        raise _other(path, f"one of {parts.of} parts for each of {len(cells)} cells", parts.numbers)
    for one in data:
        own = sizes[one.name]
        if not own or own != sorted(set(own)) or own[-1] > len(one.features):
            raise _other(path, f"ascending sizes up to {len(one.features)} of {one.name!r}", own)
        if len(one.kinds) != len(one.features) or len(one.class_counts) != len(one.classes):
            raise _other(path, f"a kind for each feature of {one.name!r}", one.kinds)
        if one.row_weights is not None and len(one.row_weights) != one.rows:
            raise _other(path, f"{one.rows} weights of rows of {one.name!r}", one.row_weights)


def _other(path: Path, wanted: str, got: list[Any]) -> StoreError:
    return StoreError(f"{path} was not written by hetsel. It must have {wanted}. Got {listed(got)}")
