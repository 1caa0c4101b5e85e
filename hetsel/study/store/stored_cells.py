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
from hetsel.study.cell import Judgment, Seconds, Selection, judgment_key
from hetsel.tables import column, target

# what selections and judgments hold, in words; their times and warnings differ from run to run
_IN_WORDS = {
    "selections": {
        "ranking": "order of the features",
        "subsets": "signatures",
        "cuts": "verdicts on cuts",
        "test": "held-out rows",
        "truth": "target of the held-out rows",
        "shape": "shape of the results or the chosen parameters",
    },
    "judgments": {
        "predictions": "predictions",
        "decisions": "decision values",
        "shape": "shape of the predictions",
    },
}
_OF_RUN = ("processor_seconds", "elapsed_seconds", "warnings", "finished")
CONTENTS = {table: (*names, *_OF_RUN) for table, names in _IN_WORDS.items()}


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


def results_in(table: str, contents: Sequence[Any]) -> dict[str, Any]:
    """Return the results in a row, without times and warnings."""
    return dict(zip(_IN_WORDS[table], contents, strict=False))


def checksum_of_results(table: str, contents: Sequence[Any]) -> bytes:
    """Return the checksum of the results in a row, without times and warnings."""
    return checksum(results_in(table, contents).values())


def different_results(table: str, first: Sequence[Any], second: Sequence[Any]) -> list[str]:
    """Name the results in which two rows differ."""
    one, other = results_in(table, first), results_in(table, second)
    return [_IN_WORDS[table][name] for name in one if one[name] != other[name]]


def repeated_in_words(differs: Sequence[str]) -> str:
    """Describe a cell whose two computations differ."""
    return (
        f"two computations of a cell differ in {listed(differs)}. The method depends on more than "
        "rows and seed, for example on a generator without a seed, so its results cannot be "
        "reproduced"
    )


def pack(found: Selection | Judgment, finished: float) -> tuple[Any, ...]:
    """Return the contents of a row in the order of :data:`CONTENTS`."""
    shape: list[Any]
    arrays: tuple[bytes, ...]
    if isinstance(found, Selection):
        subsets = np.packbits(found.subsets, axis=1).tobytes()
        cuts = bytes(VERDICTS.index(cut) for cut in found.ranked_cuts)
        shape = [found.p, found.least, len(found.subsets)]
        if found.truth.dtype.kind == "f":  # numeric targets and survival times
            shape.append(found.training_mean)
        if found.chosen_params:
            shape.append(dict(found.chosen_params))
        arrays = (_packed(found.order), subsets, cuts, _packed(found.test), _packed(found.truth))
    else:
        shape = [found.predictions.dtype.kind, *found.decisions.shape]
        arrays = (_packed(found.predictions), _packed(found.decisions))
    seconds = (float(found.seconds.processor), float(found.seconds.elapsed))
    return (*arrays, json.dumps(shape), *seconds, json.dumps(found.warnings), finished)


def _packed(values: np.ndarray) -> bytes:
    kind = "<f8" if values.dtype.kind == "f" else "<i4"
    return np.ascontiguousarray(values, dtype=kind).tobytes()


def selection_in(key: str, versions: Mapping[str, str], contents: Sequence[Any]) -> Selection:
    """Return the selection in a row."""
    order, subsets, cuts, test, truth, shape, processor, elapsed, notes, _ = contents
    p, least, count, *mean = json.loads(shape)
    chosen = mean.pop() if mean and isinstance(mean[-1], dict) else {}
    bits = np.frombuffer(subsets, dtype=np.uint8).reshape(count, (p + 7) // 8)
    return Selection(
        key,
        p,
        least,
        np.frombuffer(order, dtype="<i4"),
        np.unpackbits(bits, axis=1, count=p).astype(bool),
        tuple(VERDICTS[cut] for cut in cuts),
        np.frombuffer(test, dtype="<i4"),
        np.frombuffer(truth, dtype="<f8" if mean else "<i4"),
        mean[0] if mean else None,
        Seconds(processor, elapsed),
        tuple(json.loads(notes)),
        versions,
        chosen,
    )


def judgment_in(key: str, versions: Mapping[str, str], contents: Sequence[Any]) -> Judgment:
    """Return the judgment in a row."""
    predictions, decisions, shape, processor, elapsed, notes, _ = contents
    kind, *values = json.loads(shape)
    return Judgment(
        key,
        np.frombuffer(predictions, dtype="<f8" if kind == "f" else "<i4").reshape(values[:2]),
        np.frombuffer(decisions, dtype="<f8").reshape(values),
        Seconds(processor, elapsed),
        tuple(json.loads(notes)),
        versions,
    )


class CellPlaces:
    """The keys of the cells of a plan: of the selection and of a judgment by each judge."""

    def __init__(
        self, cells: Iterable[tuple[str, str, str, int]], facts: Mapping[str, Any]
    ) -> None:
        self.cells = list(cells)  # key of the selection, data set, method, resampling
        judges: list[str] = (facts["identities"] or {}).get("judges", [])
        labels = [judge["label"] for judge in (facts["plan"] or {}).get("classifiers", [])]
        self._labels = list(zip(judges, labels, strict=True))
        # with several kinds of targets, a data set has the judges of its kind
        self._judges = {about["name"]: about.get("judges") for about in facts["datasets"] or ()}
        self._sizes = facts["sizes"] or {}

    def judges_of(self, dataset: str) -> list[tuple[str, str]]:
        """Return identity and label of each judge of a data set, in the order of the plan."""
        own = self._judges.get(dataset)
        return [judge for judge in self._labels if own is None or judge[0] in own]

    def judgments(self, key: str, dataset: str) -> list[str]:
        """Return the keys of the judgments of a selection, one for each judge."""
        judges = [judge for judge, _ in self.judges_of(dataset)]
        return [judgment_key(key, judge, self._sizes[dataset]) for judge in judges]

    def rows(self) -> dict[str, str]:
        """Describe the selection or judgment of each key."""
        found = {}
        for key, dataset, method, resampling in self.cells:
            found[key] = f"{method!r} on {dataset!r}, resampling {resampling}"
            labels = [label for _, label in self.judges_of(dataset)]
            for label, other in zip(labels, self.judgments(key, dataset), strict=True):
                found[other] = f"{found[key]}, judge {label!r}"
        return found

    def labels_of_rows(self) -> dict[str, str]:
        """Return the method or the judge of each key."""
        found = {}
        for key, dataset, method, _ in self.cells:
            found[key] = method
            labels = [label for _, label in self.judges_of(dataset)]
            for label, other in zip(labels, self.judgments(key, dataset), strict=True):
                found[other] = f"judge {label}"
        return found


# The facts of a study in a store are checked before use. The seal detects damage, but a file from
# elsewhere may have a valid seal and any content.
FACTS = (
    "plan",
    "datasets",
    "sizes",
    "identities",
    "parts",
    "time_limit",
    "repeated",
    "asked_judges",
)


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
    judges: list[str] | None = None  # their identities; None: all judges of the plan
    class_weights: list[float] | None = None
    row_weights: list[float] | None = None
    test_counts: list[WholeNumber] | None = None
    test_share: float | None = None
    given_resamplings: Count | None = None
    training_rows: Count | None = None
    smaller_part_of: str | None = None
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


class Identities(Struct, frozen=True):
    """What selections depend on besides table, split, seed and sizes; the same of judgments."""

    methods: list[str]
    judges: list[str]


def check_facts_of_store(
    path: Path, facts: Mapping[str, Any], cells: Iterable[tuple[str, str, str, int]]
) -> None:
    """Raise an error if facts (see :data:`FACTS`) do not fit the cells of the plan."""
    try:
        plan = read_as(f"{path}: its plan", facts["plan"], StoredPlan)
        data = read_as(f"{path}: its data sets", facts["datasets"], list[DataFacts])
        sizes = read_as(f"{path}: its sizes", facts["sizes"], dict[str, list[Count]])
        identities = read_as(f"{path}: its identities", facts["identities"], Identities)
        dealt = facts["parts"]
        parts = None if dealt is None else read_as(f"{path}: its parts", dealt, StoredParts)
        if facts["asked_judges"] is not None:
            read_as(f"{path}: its judges", facts["asked_judges"], list[Labeled])
        if facts["time_limit"] is not None:
            read_as(f"{path}: its time limit", facts["time_limit"], Positive)
        repeated = facts["repeated"] or {}
        read_as(f"{path}: its cells that were computed twice", repeated, dict[str, list[str]])
    except TableError as reason:
        raise StoreError(reason.sentence) from None
    cells = list(cells)
    names = sorted(one.name for one in data)
    labels = [one.label for one in plan.methods]
    planned_names = sorted(one.name for one in plan.datasets)
    if names != sorted(sizes) or planned_names != sorted(
        one.name for one in data if one.smaller_part_of is None
    ):
        raise _other(path, "the data sets of its plan, facts and sizes", names)
    if len(set(names)) < len(names) or len(set(labels)) < len(labels):
        raise _other(path, "unique names", [*names, *labels])
    if any(dataset not in names or method not in labels for _, dataset, method, _ in cells):
        raise _other(path, "cells of these data sets and methods", [*names, *labels])
    planned = [len(plan.methods), len(plan.classifiers)]
    if [len(identities.methods), len(identities.judges)] != planned:
        raise _other(path, "an identity of each method and judge", [identities])
    if parts is not None and (
        len(parts.numbers) != len(cells) or parts.of > len(cells) or max(parts.numbers) > parts.of
    ):
        raise _other(path, f"one of {parts.of} parts for each of {len(cells)} cells", parts.numbers)
    if any(judge not in identities.judges for one in data for judge in one.judges or ()):
        raise _other(path, "judges of data sets that the plan has", identities.judges)
    for one in data:
        if one.smaller_part_of not in (None, *planned_names):
            raise _other(path, f"the data set that {one.name!r} is a part of", planned_names)
        own = sizes[one.name]
        if not own or own != sorted(set(own)) or own[-1] > len(one.features):
            raise _other(path, f"ascending sizes up to {len(one.features)} of {one.name!r}", own)
        if len(one.kinds) != len(one.features) or len(one.class_counts) != len(one.classes):
            raise _other(path, f"a kind for each feature of {one.name!r}", one.kinds)
        if one.row_weights is not None and len(one.row_weights) != one.rows:
            raise _other(path, f"{one.rows} weights of rows of {one.name!r}", one.row_weights)


def _other(path: Path, wanted: str, got: list[Any]) -> StoreError:
    return StoreError(f"{path} was not written by hetsel. It must have {wanted}. Got {listed(got)}")
