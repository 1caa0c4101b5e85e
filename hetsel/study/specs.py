"""One entry of a plan each: a data set, a method, a final classifier, the resamplings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hetsel import datasets
from hetsel.datasets.dataset import Dataset
from hetsel.errors import PlanError
from hetsel.models.by_size import classify
from hetsel.models.train_and_test import Split
from hetsel.study import fields as check
from hetsel.study.entries import (
    CLASSIFIERS,
    ClassifierEntry,
    DataEntry,
    ResamplingsEntry,
    Text,
)
from hetsel.study.fields import plain, read, read_entry

READING = ("missing_marks", "separator", "encoding", "decimal", "header")


class Resamplings(ResamplingsEntry, frozen=True):
    """How many splits into training and test rows, how large and of which kind.

    Parameters
    ----------
    count : int
    test_share : float
        Share of the rows that are test rows.
    kind : {"stratified", "random"}
    """

    @classmethod
    def of(cls, where: str, entry: Any) -> Resamplings:
        """From the entry of a plan: a number, or a mapping."""
        if isinstance(entry, Resamplings):
            return entry
        return read_entry(where, entry if isinstance(entry, Mapping) else {"count": entry}, cls)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return msgspec.structs.asdict(self)


class DataSpec(DataEntry, frozen=True, eq=False, kw_only=True):
    """Where a table comes from and what its columns are; see :class:`hetsel.study.plan.Plan`."""

    X: Any = None
    y: Any = None
    target: Any = None  # of a frame: a name or a position

    @classmethod
    def of(cls, where: str, entry: Any, folder: Path) -> DataSpec:
        """From the entry of a plan: a name, a Dataset, or a mapping."""
        if isinstance(entry, DataSpec):
            return entry
        if isinstance(entry, Dataset):
            return cls(name=entry.name, X=entry.X, y=entry.y)
        if isinstance(entry, str):
            entry = {"name": entry}
        if not isinstance(entry, Mapping):
            raise PlanError(
                f"{where} must be the name of a data set, a Dataset or a mapping. Got {entry!r:.60}"
            )
        spec = read_entry(where, _spelled_out(where, entry), cls)
        spec.check_source(where)
        if spec.file is None:
            return spec
        file = folder / spec.file
        if not file.is_file():
            raise PlanError(f"{where}.file: no such file: {file}")
        return msgspec.structs.replace(spec, file=str(file))

    def check_source(self, where: str) -> None:
        """A table has one source: a frame, a file, or a name that hetsel knows."""
        if self.X is not None:
            if self.file is not None or self.reading:
                raise PlanError(f"{where} gives a table X: leave file and how it is read out")
            if (self.y is None) == (self.target is None):
                raise PlanError(
                    f"{where} needs y, the classes, or target, the column that has them"
                )
        elif self.file is not None:
            if self.target is None:
                raise PlanError(f"{where} lacks target, the column with the class of each row")
            read(f"{where}.target", self.target, Text)
        else:
            if self.name not in datasets.NOT_PUBLIC:  # loading it says so
                check.one_of(f"{where}.name", self.name, sorted(datasets.LOADERS))
            if self.reading or self.y is not None:
                raise PlanError(f"{where} names a data set of hetsel: it is read as it is")

    @property
    def reading(self) -> dict[str, Any]:
        """How the file is read, as far as the plan says it."""
        given = {key: getattr(self, key) for key in READING}
        return {key: value for key, value in given.items() if value not in (None, ())}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; a table given from Python is not written out."""
        content: dict[str, Any] = {"name": self.name}
        for key in ("target", "nominal", "ordinal", "continuous", "drop", "missing"):
            value = plain(getattr(self, key))
            if value not in (None, []):
                content[key] = value
        if self.file is not None:
            content["file"] = Path(self.file).name
        return content | plain(self.reading)


def _spelled_out(where: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a data set with its name, and with lists where one thing stands for a list."""
    entry = dict(entry)
    if isinstance(entry.get("file"), os.PathLike):
        entry["file"] = os.fspath(entry["file"])
    if isinstance(entry.get("file"), str) and entry.get("name") is None:
        entry["name"] = Path(entry["file"]).stem
    if isinstance(entry.get("missing_marks"), str):
        entry["missing_marks"] = [entry["missing_marks"]]
    if entry.get("drop") is not None:
        entry["drop"] = tuple(check.items(f"{where}.drop", entry["drop"]))
    return entry


@dataclass(frozen=True)
class ClassifierSpec:
    """A final classifier, which judges the selected features."""

    key: str
    label: str
    params: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, where: str, entry: Any) -> ClassifierSpec:
        """From the entry of a plan: a key, or a mapping."""
        if isinstance(entry, ClassifierSpec):
            return entry
        if not isinstance(entry, Mapping):
            entry = {"key": entry}
        found = read_entry(where, entry, ClassifierEntry)
        params = read_entry(f"{where}.params", found.params, CLASSIFIERS[found.key])
        values = sorted(msgspec.structs.asdict(params).items())
        return cls(found.key, found.label or found.key, tuple(values))

    def classify(self, split: Split, subsets: Sequence[np.ndarray], *, seed: int) -> np.ndarray:
        """Decision values (subsets, test rows, d); see :mod:`hetsel.models.by_size`."""
        return classify(self.key, split, subsets, seed=seed, params=dict(self.params))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"key": self.key, "label": self.label, "params": dict(self.params)}
