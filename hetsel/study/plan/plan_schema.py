"""The JSON schema of a plan, by which an editor completes and checks the TOML file."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import msgspec

from hetsel.datasets import NAMES
from hetsel.methods.registry import get_method, method_keys
from hetsel.selection.base import BaseSelector
from hetsel.study.plan.entry_reading import plain
from hetsel.study.plan.entry_shapes import CLASSIFIERS, EstimatorEntry, PlanEntry
from hetsel.study.plan.planned_methods import settable
from hetsel.study.plan.settings import COUNTS
from hetsel.study.plan.treated_data_sets import OF_ROWS

DIALECT = "http://json-schema.org/draft-07/schema#"  # the newest that editors of TOML agree on
OPPOSED = [("test_share", name) for name in COUNTS] + [("train_count", "train_per_class")]
IMPORT_PATH = {"type": "string", "pattern": r"^[^.]+(\.[^.]+)+$"}


def plan_schema() -> dict[str, Any]:
    """The JSON schema (draft 7) of the TOML file of a plan, with the methods installed here."""
    kinds = [PlanEntry, EstimatorEntry, *CLASSIFIERS.values()]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/definitions/{name}")
    parts = _without_null(parts)
    methods = {key: _params_of(get_method(key)) for key in method_keys()}
    classifiers = {key: _ref(kind.__name__) for key, kind in CLASSIFIERS.items()}
    parts["MethodKey"] = {"anyOf": [{"enum": list(methods)}, IMPORT_PATH]}
    estimator = {"if": {"type": "object", "required": ["key"]}, "then": _ref("EstimatorEntry")}
    parts["MethodEntry"]["allOf"] = [
        *_by_key({key: {"params": one, "encoding": False} for key, one in methods.items()}),
        _then(IMPORT_PATH, {"params": {"additionalProperties": estimator}}),
    ]
    parts["EstimatorEntry"]["properties"]["params"]["additionalProperties"] = estimator
    parts["ClassifierEntry"]["allOf"] = _by_key({k: {"params": p} for k, p in classifiers.items()})
    _one_source(parts["DataEntry"])
    for name in ("SplitEntry", "ResamplingsEntry"):
        parts[name]["not"] = {"anyOf": [{"required": list(pair)} for pair in OPPOSED]}
    parts["ResamplingsEntry"]["not"]["anyOf"] += _not_of_this_kind()
    plan = parts.pop("PlanEntry")
    return {"$schema": DIALECT, **plan, "definitions": parts}


def _not_of_this_kind() -> list[dict[str, Any]]:
    """What resamplings must not say for a kind of split."""
    stratified, k_fold = {"const": "stratified"}, {"const": "k-fold"}
    timed = {"properties": {"kind": {"const": "time-ordered"}}}
    return [
        {"required": ["train_per_class", "kind"], "properties": {"kind": {"not": stratified}}},
        {"required": ["folds", "kind"], "properties": {"kind": {"not": k_fold}}},
        {"required": ["folds"], "not": {"required": ["kind"]}},
        *(
            {"required": ["kind", size], "properties": {"kind": k_fold}}
            for size in ("test_share", *COUNTS)
        ),
        {"required": ["kind", "train_count"], "not": {"required": ["test_count"]}, **timed},
    ]


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/definitions/{name}"}


def _params_of(method: type[BaseSelector]) -> dict[str, Any]:
    """The parameters of a method by name; what a value may be is the method's to say."""
    declared = inspect.signature(method).parameters
    legal = {name: {"default": plain(declared[name].default)} for name in settable(method)}
    return {"properties": legal, "additionalProperties": False}


def _by_key(shapes: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [_then({"const": key}, properties) for key, properties in shapes.items()]


def _then(key: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """What else holds for an entry whose key is such."""
    return {
        "if": {"properties": {"key": key}, "required": ["key"]},
        "then": {"properties": properties},
    }


def _one_source(entry: dict[str, Any]) -> None:
    """A file needs a target, and has a name by itself; without a file the name is one of ours.

    A treatment has any name; without a file it says nothing of rows and classes, and of how the
    file is read only what a data set of a file allows, which is not for a schema to know.
    """
    known = {"name": {"enum": sorted(NAMES)}}
    said = {"anyOf": [{"required": [key]} for key in OF_ROWS if key != "y"]}
    entry["if"] = {"required": ["file"]}
    entry["then"] = {"required": ["target"]}
    entry["else"] = {
        "required": ["name"],
        "anyOf": [{"properties": known}, {"required": ["treatment_of"], "not": said}],
    }
    del entry["required"]


def _without_null(part: Any) -> Any:
    """A schema without null, which TOML lacks, and without defaults that say as much."""
    if isinstance(part, list):
        return [_without_null(p) for p in part]
    if not isinstance(part, dict):
        return part
    empty = "default" in part and part["default"] in (None, (), [])
    part = {k: _without_null(v) for k, v in part.items() if not (empty and k == "default")}
    choice = [p for p in part.get("anyOf", ()) if p != {"type": "null"}]
    if len(choice) == 1:
        del part["anyOf"]
        return choice[0] | part
    return part
