"""One entry of a plan each: a data set, a method, a final classifier, the resamplings."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hetsel import datasets
from hetsel.datasets.dataset import Dataset
from hetsel.errors import PlanError
from hetsel.methods.registry import get_method, key_of, method_keys
from hetsel.models.by_size import Split, classify
from hetsel.selection.base import SHARED, BaseSelector
from hetsel.study import fields as check
from hetsel.study.entries import (
    CLASSIFIERS,
    ClassifierEntry,
    DataEntry,
    EstimatorEntry,
    ImportPath,
    MethodEntry,
    ResamplingsEntry,
    Text,
)
from hetsel.study.fields import read, read_entry
from hetsel.text import listed

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


@dataclass(frozen=True, eq=False)
class MethodSpec:
    """A selection method with its parameters and the label that reports show."""

    selector: type[BaseSelector]
    params: Mapping[str, Any]
    label: str

    @classmethod
    def of(cls, where: str, entry: Any) -> MethodSpec:
        """From the entry of a plan: a key, a selector (class or instance), or a mapping."""
        if isinstance(entry, MethodSpec):
            return entry
        if isinstance(entry, BaseSelector):
            chosen = {k: v for k, v in entry.get_params(deep=False).items() if k not in SHARED}
            return cls(type(entry), _usable(where, type(entry), chosen), _label(type(entry)))
        if isinstance(entry, str | type):
            entry = {"key": entry}
        if not isinstance(entry, Mapping):
            raise PlanError(
                f"{where} must be the key of a method, a selector (a BaseSelector) or a mapping. "
                f"Got {entry!r:.60}"
            )
        check.check_keys(where, entry, MethodEntry.__struct_fields__)
        given = entry.get("key")
        found = read_entry(where, {**entry, "key": _key(where, given)}, MethodEntry)
        selector = given if isinstance(given, type) else _registered(where, found)
        if found.encoding is not None:
            raise PlanError(
                f"{where}.encoding: {found.key} takes columns as they are: leave it out"
            )
        check.check_keys(f"{where}.params", found.params, settable(selector))
        params = _usable(f"{where}.params", selector, found.params)
        return cls(selector, params, found.label or _label(selector))

    @property
    def key(self) -> str:
        """Key of the method."""
        return key_of(self.selector)

    @property
    def revision(self) -> int:
        """Revision of the method; a new one makes new cells."""
        return self.selector.about.revision

    def parameters(self) -> dict[str, Any]:
        """All parameters that may change a ranking, defaults included."""
        every = self.build().get_params(deep=False)
        return {name: every[name] for name in sorted(every) if name not in {*SHARED, "n_jobs"}}

    def build(self) -> BaseSelector:
        """A fresh selector."""
        return self.selector(**self.params)

    def trial(self) -> BaseSelector:
        """A fresh selector that is quick, to load what the method needs."""
        return self.selector(**{**self.params, **self.selector.about.trial})

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        parameters = {name: plain(value) for name, value in self.parameters().items()}
        return {
            "key": self.key,
            "label": self.label,
            "params": parameters,
            "revision": self.revision,
        }


def _label(selector: type[BaseSelector]) -> str:
    """Key of a registered method, else the name of the class."""
    return key_of(selector).rpartition(".")[2]


def _usable(where: str, selector: type[BaseSelector], params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters whose written form says all of them; whole numbers become what the default is."""
    legal = inspect.signature(selector).parameters
    usable = {}
    for name, value in params.items():
        if re.search(r" at 0x[0-9a-f]+>", str(plain(value))):
            raise PlanError(
                f"{where}: {name} must be a number, text, or a list or mapping of these: a study "
                f"knows its cells by what is written down. Got {value!r:.80}"
            )
        fractional = name in legal and isinstance(legal[name].default, float)
        usable[name] = float(value) if fractional and type(value) is int else value
    return usable


def settable(selector: type[BaseSelector]) -> list[str]:
    """Names of the parameters of a method that a plan may set."""
    return sorted(set(selector._get_param_names()) - set(SHARED))


def _key(where: str, given: Any) -> str:
    """The key in an entry; from Python a class may stand there."""
    if isinstance(given, str):
        return given
    if not isinstance(given, type):
        return check.one_of(f"{where}.key", given, method_keys())
    if not issubclass(given, BaseSelector):
        raise PlanError(
            f"{where}: {given.__name__} is no method: a method is a subclass of BaseSelector that "
            "overrides _select"
        )
    return key_of(given)


def _registered(where: str, entry: MethodEntry) -> type[BaseSelector]:
    """The method of a key."""
    keys = method_keys()
    if "." in entry.key and entry.key not in keys:
        read(f"{where}.key", entry.key, ImportPath)
        _check_estimators(f"{where}.params", entry.params)
        raise PlanError(
            f"{where}.key must be one of {listed(keys, 30)}. Got the import path {entry.key!r}: a "
            "plan names methods of hetsel and those that packages register"
        )
    return get_method(check.one_of(f"{where}.key", entry.key, keys))


def _check_estimators(where: str, params: Mapping[str, Any]) -> None:
    """A parameter with a key is an estimator, and so may its own parameters be."""
    for name, value in params.items():
        if isinstance(value, Mapping) and "key" in value:
            inner = read_entry(f"{where}.{name}", value, EstimatorEntry)
            _check_estimators(f"{where}.{name}.params", inner.params)


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


def plain(value: Any) -> Any:
    """A parameter as JSON can write it; what JSON does not know becomes its repr."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)
