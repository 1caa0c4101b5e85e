"""One entry of a plan each: a data set, a method, a final classifier, the resamplings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import numpy as np

from hetsel import datasets
from hetsel.datasets.dataset import Dataset
from hetsel.methods.registry import get_method, key_of, method_keys
from hetsel.models.by_size import Split, classify
from hetsel.selection.base import SHARED, BaseSelector
from hetsel.study import fields as check
from hetsel.study.fields import PlanError
from hetsel.tables.table import Missing

KINDS = ("stratified", "random")
CLASSIFIERS: dict[str, dict[str, Any]] = {
    "clinical-svm": {"C": 10.0, "tolerance": 1e-5},
    "random-forest": {"trees": 500},
    "naive-bayes": {"smoothing": 1.0, "var_smoothing": 1e-9},
    "5nn": {"neighbors": 5},
}


@dataclass(frozen=True)
class Resamplings:
    """How many splits into training and test rows, how large and of which kind.

    Parameters
    ----------
    count : int
    test_share : float
        Share of the rows that are test rows.
    kind : {"stratified", "random"}
    """

    count: int = 200
    test_share: float = 0.1
    kind: str = "stratified"

    @classmethod
    def of(cls, where: str, entry: Any) -> Resamplings:
        """From the entry of a plan: a number, or a mapping."""
        if isinstance(entry, Resamplings):
            entry = entry.to_dict()
        if not isinstance(entry, Mapping):
            entry = {"count": entry}
        check.check_keys(where, entry, ("count", "test_share", "kind"))
        return cls(
            check.whole(f"{where}.count", entry.get("count", cls.count), 1),
            check.share(f"{where}.test_share", entry.get("test_share", cls.test_share)),
            check.one_of(f"{where}.kind", entry.get("kind", cls.kind), KINDS),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, eq=False)
class DataSpec:
    """Where a table comes from and what its columns are; see :class:`hetsel.study.plan.Plan`."""

    name: str
    file: Path | None = None
    X: Any = None
    y: Any = None
    target: str | None = None
    nominal: Any = None
    ordinal: Any = None
    continuous: Any = None
    drop: tuple[str, ...] = ()
    missing: str = "impute"
    reading: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, where: str, entry: Any, folder: Path) -> DataSpec:
        """From the entry of a plan: a name, a Dataset, or a mapping."""
        if isinstance(entry, DataSpec):
            return entry
        if isinstance(entry, Dataset):
            return cls(entry.name, X=entry.X, y=entry.y)
        if isinstance(entry, str):
            entry = {"name": entry}
        if not isinstance(entry, Mapping):
            raise PlanError(
                f"{where} must be the name of a data set, a Dataset or a mapping. Got {entry!r:.60}"
            )
        entry = dict(entry)
        reading_keys = ("missing_marks", "separator", "encoding", "decimal", "header")
        own = [f.name for f in dataclasses.fields(cls) if f.name != "reading"]
        check.check_keys(where, entry, [*own, *reading_keys])
        reading = {key: entry.pop(key) for key in reading_keys if key in entry}
        if "name" not in entry and "file" in entry:
            entry["name"] = Path(entry["file"]).stem
        entry["name"] = check.text(f"{where}.name", entry.get("name"))
        _check_source(where, entry, reading)
        if "missing" in entry:
            check.one_of(f"{where}.missing", entry["missing"], get_args(Missing))
        if entry.get("file") is not None:
            entry["file"] = folder / check.text(f"{where}.file", str(entry["file"]))
            if not entry["file"].is_file():
                raise PlanError(f"{where}.file: no such file: {entry['file']}")
        entry["drop"] = (
            tuple(check.items(f"{where}.drop", entry["drop"])) if "drop" in entry else ()
        )
        return cls(**entry, reading=reading)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; a table given from Python is not written out."""
        content: dict[str, Any] = {"name": self.name}
        for key in ("target", "nominal", "ordinal", "continuous", "drop", "missing"):
            value = getattr(self, key)
            if value not in (None, ()):
                content[key] = list(value) if isinstance(value, tuple) else value
        if self.file is not None:
            content["file"] = self.file.name
        return content | dict(self.reading)


def _check_source(where: str, entry: Mapping[str, Any], reading: Mapping[str, Any]) -> None:
    """A table has one source: a name that hetsel knows, a file, or a frame."""
    if entry.get("X") is not None:
        if entry.get("file") is not None or reading:
            raise PlanError(f"{where} gives a table X: leave file and how it is read out")
        if (entry.get("y") is None) == (entry.get("target") is None):
            raise PlanError(f"{where} needs y, the classes, or target, the column that has them")
    elif entry.get("file") is not None:
        if entry.get("target") is None:
            raise PlanError(f"{where} lacks target, the column with the class of each row")
        check.text(f"{where}.target", entry["target"])
    else:
        if entry["name"] not in datasets.NOT_PUBLIC:  # loading it says so
            check.one_of(f"{where}.name", entry["name"], sorted(datasets.LOADERS))
        if reading or entry.get("y") is not None:
            raise PlanError(f"{where} names a data set of hetsel: it is read as it is")


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
        check.check_keys(where, entry, ("key", "params", "label"))
        selector = _selector(where, entry.get("key"))
        params = entry.get("params", {})
        if not isinstance(params, Mapping):
            raise PlanError(f"{where}.params must be a table such as {{C = 0.1}}. Got {params!r}")
        legal = sorted(set(selector._get_param_names()) - set(SHARED))
        check.check_keys(f"{where}.params", params, legal)
        label = check.text(f"{where}.label", entry.get("label", _label(selector)))
        return cls(selector, _usable(f"{where}.params", selector, params), label)

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


def _selector(where: str, given: Any) -> type[BaseSelector]:
    if isinstance(given, type) and issubclass(given, BaseSelector):
        return given
    if isinstance(given, type):
        raise PlanError(
            f"{where}: {given.__name__} is no method: a method is a subclass of BaseSelector that "
            "overrides _select"
        )
    return get_method(check.one_of(f"{where}.key", given, method_keys()))


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
        check.check_keys(where, entry, ("key", "params", "label"))
        key = check.one_of(f"{where}.key", entry.get("key"), CLASSIFIERS)
        params = entry.get("params", {})
        if not isinstance(params, Mapping):
            raise PlanError(f"{where}.params must be a table such as {{C = 10}}. Got {params!r}")
        check.check_keys(f"{where}.params", params, CLASSIFIERS[key])
        merged = CLASSIFIERS[key] | dict(params)
        for name, value in merged.items():
            if name in ("trees", "neighbors"):
                check.whole(f"{where}.params.{name}", value, 1)
            else:
                merged[name] = check.positive(f"{where}.params.{name}", value)
        label = check.text(f"{where}.label", entry.get("label", key))
        return cls(key, label, tuple(sorted(merged.items())))

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
