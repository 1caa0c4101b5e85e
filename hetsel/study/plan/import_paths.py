"""Classes and functions by their import path, and what they are made with."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from hetsel.ground import entry_reading as check
from hetsel.ground.entry_reading import Params, plain, read, read_entry
from hetsel.ground.errors import PlanError

ImportPath = Annotated[
    str,
    Meta(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)+$", title="an import path, e.g. 'sklearn.svm.SVC'"),
]


class EstimatorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An estimator of scikit-learn as a parameter, such as the one inside RFE."""

    key: Annotated[ImportPath, Meta(description="import path of its class")]
    params: Annotated[Params, Meta(description="its parameters")] = {}


def estimator_in(where: str, entry: Mapping[str, Any], known: Collection[str]) -> Any:
    """The estimator that the key of an entry is or names by its path; None for a known key."""
    given = entry.get("key")
    if hasattr(given, "fit") and not isinstance(given, type):
        return given
    if not isinstance(given, str) or "." not in given or given in known:
        return None
    read(f"{where}.key", given, ImportPath)
    return imported(where, given, read(f"{where}.params", entry.get("params") or {}, Params))


def imported(where: str, path: str, params: Mapping[str, Any]) -> Any:
    """What an import path names: a class made with these parameters, or a function as it is.

    A parameter that is a mapping with a key is an estimator or a function of its own; where the
    class has a function for a default, text is the path of one.
    """
    module, _, name = path.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as reason:
        raise PlanError(f"{where}: {path!r} cannot be imported: {reason}") from None
    if not isinstance(found, type):
        if params:
            raise PlanError(f"{where}: {path!r} is no class: it takes no params")
        return found
    legal = inspect.signature(found).parameters
    check.check_keys(f"{where}.params", params, legal)
    made = {name: _made(f"{where}.params.{name}", v, legal[name]) for name, v in params.items()}
    try:
        return found(**made)
    except TypeError as reason:
        raise PlanError(f"{where}: {reason}") from None


def _made(where: str, value: Any, parameter: inspect.Parameter) -> Any:
    if isinstance(value, Mapping) and "key" in value:
        inner = read_entry(where, value, EstimatorEntry)
        return imported(where, inner.key, inner.params)
    if isinstance(value, str) and "." in value and callable(parameter.default):
        return imported(where, value, {})
    if isinstance(value, list):  # such as the steps of a pipeline
        return [_made(where, item, parameter) for item in value]
    return value


def described(where: str, value: Any) -> Any:
    """An estimator, a function or a plain value as an entry of a plan that makes it again."""
    if hasattr(value, "get_params") and not isinstance(value, type):
        params = value.get_params(deep=False)
        inner = {k: described(f"{where}.{k}", v) for k, v in sorted(params.items())}
        return {"key": path_of(type(value)), "params": inner}
    if isinstance(value, list | tuple):
        return [described(where, item) for item in value]
    if callable(value):
        path = path_of(value)
        if "<" in path or path.startswith("functools"):
            raise PlanError(
                f"{where} must be a function with an import path: a study knows its cells by what "
                f"is written down. Got {value!r:.80}"
            )
        return {"key": path, "params": {}}
    return plain(value)


def path_of(thing: Any) -> str:
    """Import path of a class or a function; the public one of scikit-learn's."""
    module = ".".join(p for p in str(thing.__module__).split(".") if not p.startswith("_"))
    return f"{module}.{thing.__qualname__}"
