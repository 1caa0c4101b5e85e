"""Classes and functions by import path, and their parameters.

Importing a module runs its code, so import paths are only imported when a plan is run.
"""

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import ModuleType
from typing import Annotated, Any, Self

from msgspec import Meta, Struct

from hetsel.ground import PlanError
from hetsel.ground import plan_entries as check
from hetsel.ground.plan_entries import ParamsTable, plain_parameter, read_entry, read_value

ImportPath = Annotated[
    str,
    Meta(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)+$", title="an import path, e.g. 'sklearn.svm.SVC'"),
]
# legal parameters of estimators have one of these: estimators, kernels and splits of rows
OF_PARAMETERS = ("fit", "get_params", "get_n_splits")
# what scikit-learn has only after the import of a module of `sklearn.experimental`
EXPERIMENTAL = {
    "HalvingGridSearchCV": "enable_halving_search_cv",
    "HalvingRandomSearchCV": "enable_halving_search_cv",
    "IterativeImputer": "enable_iterative_imputer",
}


class EstimatorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An estimator of scikit-learn as a parameter, such as the estimator of RFE."""

    key: Annotated[ImportPath, Meta(description="import path of its class")]
    params: Annotated[ParamsTable, Meta(description="its parameters")] = {}


@dataclass(frozen=True)
class NotImported:
    """A method or judge of a plan that is read but not run, so that nothing is imported."""

    where: str  # name of the entry in errors
    entry: Mapping[str, Any]  # as in the plan
    label: str

    @classmethod
    def of(
        cls, where: str, entry: Any, kind: type[Struct], keys: Mapping[str, bool]
    ) -> Self | None:
        """Read the entry of an external method; `keys` maps keys to whether they are hetsel's."""
        said = {"key": entry} if isinstance(entry, str) else entry
        if not isinstance(said, Mapping) or not isinstance(said.get("key"), str):
            return None
        if keys.get(said["key"], "." not in said["key"]):
            return None
        read_entry(where, said, kind)
        if said["key"] not in keys:
            read_value(f"{where}.key", said["key"], ImportPath)
        target = said.get("target")
        name = _name_in(said) + (f" ({target})" if target else "")
        name += " (tuned)" if said.get("tune") else ""
        return cls(where, said, said.get("label") or name)

    def for_kind(self, _: Any) -> Self:
        """Return itself, since its defaults are not known."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of the plan as plain values, without defaults of the class."""
        said = {
            name: plain_parameter(value) for name, value in self.entry.items() if value is not None
        }
        return {**said, "label": self.label}

    def as_in(self, written: Mapping[str, Any] | None) -> Any:
        """Return the entry of a run, updated by this one."""
        return _as_in(written, self.to_dict())


def _as_in(written: Any, given: Any) -> Any:
    """Return written values, with defaults and public paths, updated by the plan."""
    if isinstance(written, Mapping):
        said = {"key": given} if isinstance(given, str) else given
        if isinstance(said, Mapping) and _may_be_one(said, written):
            both = {name: _as_in(written.get(name), value) for name, value in said.items()}
            return {**written, **both, **({"key": written["key"]} if "key" in written else {})}
    if isinstance(written, list) and isinstance(given, list) and len(written) == len(given):
        return list(map(_as_in, written, given))
    return given


def _may_be_one(said: Mapping[str, Any], written: Mapping[str, Any]) -> bool:
    """Return whether two paths have one name, in a package and one of its modules."""
    first, second = (f"{str(e.get('key', '')).rpartition('.')[0]}." for e in (said, written))
    near = first.startswith(second) or second.startswith(first)
    return near and _name_in(said) == _name_in(written)


def _name_in(entry: Mapping[str, Any]) -> str:
    """Return the last part of the path of an entry."""
    return str(entry.get("key", "")).rpartition(".")[2]


def estimator_in(where: str, entry: Mapping[str, Any], known: Collection[str], wanted: str) -> Any:
    """Return the estimator that a key is or names by its import path; None for a known key."""
    given = entry.get("key")
    if hasattr(given, "fit") and not isinstance(given, type):
        return given
    if not isinstance(given, str) or "." not in given or given in known:
        return None
    read_value(f"{where}.key", given, ImportPath)
    params = read_value(f"{where}.params", entry.get("params") or {}, ParamsTable)
    found = _named(where, given)
    if not isinstance(found, type) or not callable(getattr(found, "fit", None)):
        raise PlanError(
            f"{where}.key must be the import path of a {wanted}, a class with a method fit. Got "
            f"{given}"
        )
    return _built(where, found, params)


def _named(where: str, path: str) -> Any:
    module, _, name = path.rpartition(".")
    try:
        if name in EXPERIMENTAL and module.startswith("sklearn."):
            importlib.import_module(f"sklearn.experimental.{EXPERIMENTAL[name]}")
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as reason:
        raise PlanError(f"{where}: {path!r} cannot be imported: {reason}") from None


def _parameter(where: str, path: str, params: Mapping[str, Any]) -> Any:
    """Return what a parameter names: an instance of a class, or a function."""
    found = _named(where, path)
    if not isinstance(found, type):
        if params:
            raise PlanError(f"{where}: {path!r} is a function, which has no params. Leave them out")
        return found
    if not any(callable(getattr(found, name, None)) for name in OF_PARAMETERS):
        raise PlanError(
            f"{where} must be a class with a method {' or '.join(OF_PARAMETERS)}. Got {path}"
        )
    return _built(where, found, params)


def _built(where: str, found: type, params: Mapping[str, Any]) -> Any:
    """Build an instance of a class with these parameters.

    A parameter that is a mapping with a key is an estimator or a function. If the default of a
    parameter is a function, text is the import path of a function.
    """
    legal = inspect.signature(found).parameters
    check.check_keys(f"{where}.params", params, legal)
    made = {name: _made(f"{where}.params.{name}", v, legal[name]) for name, v in params.items()}
    try:
        return found(**made)
    except TypeError as reason:
        raise PlanError(f"{where}: {reason}") from None


def made(where: str, value: Any) -> Any:
    """Return a value of a plan, with the estimators and functions that it names by `key`."""
    return _made(where, value, inspect.Parameter("value", inspect.Parameter.KEYWORD_ONLY))


def _made(where: str, value: Any, parameter: inspect.Parameter) -> Any:
    if isinstance(value, Mapping) and "key" in value:
        inner = read_entry(where, value, EstimatorEntry)
        return _parameter(where, inner.key, inner.params)
    if isinstance(value, str) and "." in value and callable(parameter.default):
        return _parameter(where, value, {})
    if isinstance(value, list):  # such as the steps of a pipeline
        return [_made(where, item, parameter) for item in value]
    if isinstance(value, Mapping):  # such as the values that a search tries
        return {name: _made(where, item, parameter) for name, item in value.items()}
    return value


def described(where: str, value: Any, path: Callable[[Any], str] | None = None) -> Any:
    """Return an estimator, function or plain value as the entry of a plan that defines it."""
    path = path or path_of
    if hasattr(value, "get_params") and not isinstance(value, type):
        params = value.get_params(deep=False)
        inner = {k: described(f"{where}.{k}", v, path) for k, v in sorted(params.items())}
        return {"key": path(type(value)), "params": inner}
    if isinstance(value, list | tuple):
        return [described(where, item, path) for item in value]
    if isinstance(value, Mapping):
        return {str(name): described(where, item, path) for name, item in value.items()}
    if callable(value):
        # partials and callable objects have no name; the name of a method lacks its object
        whole = isinstance(getattr(value, "__self__", None), ModuleType | None)
        name = path(value) if whole and hasattr(value, "__qualname__") else "<no name>"
        if "<" in name:
            raise PlanError(
                f"{where} must be a function with an import path, since a study identifies cells "
                f"by their written form. Got {value!r:.80}. Use a function that is defined by `def`"
            )
        return {"key": name, "params": {}}
    return plain_form(where, value)


def plain_form(where: str, value: Any) -> Any:
    """Return the plain form of a parameter, which must describe it completely."""
    form = plain_parameter(value)
    if re.search(r" at 0x[0-9a-fA-F]+", str(form)):
        raise PlanError(
            f"{where} must be a number, text, or a list or mapping of these, since a study "
            f"identifies cells by their written form. Got {value!r:.80}"
        )
    return form


def path_of(thing: Any) -> str:
    """Return the import path of a class or function, without private modules if possible.

    Examples
    --------
    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> path_of(HistGradientBoostingClassifier)
    'sklearn.ensemble.HistGradientBoostingClassifier'
    """
    module, name = str(thing.__module__), thing.__qualname__
    parts = module.split(".")
    public = next((k for k, part in enumerate(parts) if part.startswith("_")), len(parts))
    for shorter in (_public(parts), ".".join(parts[:public])):
        try:
            if attrgetter(name)(sys.modules[shorter]) is thing:
                return f"{shorter}.{name}"
        except (KeyError, AttributeError):
            continue
    return f"{module}.{name}"


def path_in_keys(thing: Any) -> str:
    """Return the import path in keys of cells, which is stable for scikit-learn."""
    parts = str(thing.__module__).split(".")
    return f"{_public(parts)}.{thing.__qualname__}" if parts[0] == "sklearn" else path_of(thing)


def _public(parts: Sequence[str]) -> str:
    return ".".join(part for part in parts if not part.startswith("_"))
