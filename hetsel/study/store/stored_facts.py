"""What a store says of its study, checked before anything is made of it.

The seal of a store tells damage; one that somebody else wrote may have a seal and hold anything.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from hetsel.ground.entry_reading import Count, Positive, Whole
from hetsel.ground.errors import StoreError, TableError
from hetsel.ground.sealed_json import read_as
from hetsel.ground.text import listed
from hetsel.tables import column, target

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
    seed: Whole = 0


class DataFacts(Struct, frozen=True):
    """A data set without its cells."""

    name: str
    fingerprint: str
    rows: Count
    features: Annotated[list[str], Meta(min_length=1)]
    kinds: list[column.Kind]
    target: target.Kind
    classes: list[str]
    class_counts: list[Whole]
    missing_cells: Whole
    missing: str
    scale: str = "range"
    class_weights: list[float] | None = None
    row_weights: list[float] | None = None
    test_counts: list[Whole] | None = None
    test_share: float | None = None
    row_groups: Count | None = None
    largest_row_group: Count | None = None
    repeated_rows: Whole | None = None
    repeated_groups: Whole | None = None
    events: Whole | None = None
    longest: float | None = None
    median_time: float | None = None
    least: float | None = None
    largest: float | None = None
    mean: float | None = None
    deviation: float | None = None


class Parts(Struct, frozen=True):
    """How the cells were dealt to parts."""

    of: Count
    numbers: list[Count]


def check_facts_of_store(
    path: Path, facts: Mapping[str, Any], cells: Iterable[tuple[str, str, str, int]]
) -> None:
    """Refuse facts that are none of a study.

    Parameters
    ----------
    path : Path
        Of the store.
    facts : mapping
        Those named in :data:`FACTS` as they are stored.
    cells : iterable of tuple
        Key, data set, method and resampling of each cell of the plan.

    Raises
    ------
    StoreError
    """
    try:
        plan = read_as(f"{path}: its plan", facts["plan"], StoredPlan)
        data = read_as(f"{path}: its data sets", facts["datasets"], list[DataFacts])
        sizes = read_as(f"{path}: its sizes", facts["sizes"], dict[str, list[Count]])
        dealt = facts["parts"]
        parts = None if dealt is None else read_as(f"{path}: its parts", dealt, Parts)
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
        raise _other(path, "names, each of which is there once", [*names, *labels])
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
    return StoreError(f"{path} is not what hetsel wrote: it must have {wanted}. Got {listed(got)}")
