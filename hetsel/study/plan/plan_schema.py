"""The JSON schema of a plan, with which editors complete and check the TOML file."""

import inspect
from collections.abc import Mapping
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from msgspec import Meta

from hetsel.datasets import NAMES
from hetsel.evaluation.by_key import import_paths, judges_by_key, methods_by_key
from hetsel.evaluation.data.data_entry import SurvivalColumns
from hetsel.ground.plan_entries import plain_parameter
from hetsel.methods.registry import get_method, method_keys
from hetsel.resampling.resampling_entry import COUNTS
from hetsel.selection import BaseSelector, column_choices
from hetsel.study.plan.plan import Plan
from hetsel.study.plan.treated_data_sets import OF_ROWS

DIALECT = "http://json-schema.org/draft-07/schema#"  # the newest that TOML editors support
OPPOSED = [
    *(("test_share", name) for name in COUNTS),
    ("train_count", "train_per_class"),
    ("column", "file"),
]
IMPORT_PATH = {"type": "string", "pattern": r"^[^.]+(\.[^.]+)+$"}


def plan_schema() -> dict[str, Any]:
    """Build the JSON schema (draft 7) of plan files, with the installed methods."""
    kinds = [
        _shape_of_plan(),
        import_paths.EstimatorEntry,
        SurvivalColumns,
        *judges_by_key.OWN.values(),
    ]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/definitions/{name}")
    parts = _without_null(parts)
    methods = {key: _params_of(get_method(key)) for key in method_keys()}
    classifiers = {key: _ref(kind.__name__) for key, kind in judges_by_key.OWN.items()}
    estimator = {"if": {"type": "object", "required": ["key"]}, "then": _ref("EstimatorEntry")}
    parts["EstimatorEntry"]["properties"]["params"]["additionalProperties"] = estimator
    for name, own in (("Method", methods), ("Classifier", classifiers)):
        parts[f"{name}Key"] = {"anyOf": [{"enum": list(own)}, IMPORT_PATH]}
        parts[f"{name}Entry"]["allOf"] = [
            *(
                _then({"const": k}, {"params": one, "encoding": False, **_tune_of(name, one)})
                for k, one in own.items()
            ),
            _then(IMPORT_PATH, {"params": {"additionalProperties": estimator}}),
        ]
    _one_source(parts["DataSpec"])
    for name in ("SplitSizes", "Resamplings"):
        parts[name]["not"] = {"anyOf": [{"required": list(pair)} for pair in OPPOSED]}
    parts["Resamplings"]["not"]["anyOf"] += _not_of_this_kind()
    plan = parts.pop("Plan")
    return {"$schema": DIALECT, **plan, "definitions": parts}


def _shape_of_plan() -> type[msgspec.Struct]:
    """Return the entries of a plan as a struct, with legal values and descriptions."""
    shapes, hints = [], get_type_hints(Plan, include_extras=True)
    for name in Plan.entries():
        kind, *notes, description = get_args(hints[name])
        kind = notes[0] if kind is Any else Annotated[kind, *notes]
        default = [getattr(Plan, name)] if hasattr(Plan, name) else []
        shapes.append((name, Annotated[kind, Meta(description=description)], *default))
    return msgspec.defstruct(
        "Plan",
        shapes,
        kw_only=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": (Plan.__doc__ or "").splitlines()[0]},
    )


def _not_of_this_kind() -> list[dict[str, Any]]:
    """Return the options of resamplings that contradict a kind of split."""
    stratified, k_fold = {"const": "stratified"}, {"const": "k-fold"}
    given = {"const": "given"}
    timed = {"properties": {"kind": {"const": "time-ordered"}}}
    return [
        {"required": ["train_per_class", "kind"], "properties": {"kind": {"not": stratified}}},
        {"required": ["folds", "kind"], "properties": {"kind": {"not": k_fold}}},
        {"required": ["folds"], "not": {"required": ["kind"]}},
        *(
            {"required": ["kind", size], "properties": {"kind": k_fold}}
            for size in ("test_share", *COUNTS)
        ),
        *(
            {"required": ["kind", size], "properties": {"kind": given}}
            for size in ("count", "test_share", *COUNTS)
        ),
        *(
            {"required": ["kind", source], "properties": {"kind": {"not": given}}}
            for source in ("column", "file")
        ),
        *({"required": [source], "not": {"required": ["kind"]}} for source in ("column", "file")),
        {"required": ["kind", "train_count"], "not": {"required": ["test_count"]}, **timed},
    ]


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/definitions/{name}"}


def _params_of(method: type[BaseSelector]) -> dict[str, Any]:
    """Return the parameters of a method by name; the method checks the values."""
    declared = inspect.signature(method).parameters
    legal = {
        name: {"default": plain_parameter(declared[name].default)}
        for name in methods_by_key.settable(method)
    }
    return {"properties": legal, "additionalProperties": False}


def _tune_of(name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lists of values by parameter of a method that an entry may tune."""
    if name != "Method":
        return {}
    tuned = {key: True for key in params["properties"] if key not in column_choices.EVERY}
    return {"tune": {"properties": tuned, "additionalProperties": False}}


def _then(key: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of entries with this key."""
    return {
        "if": {"properties": {"key": key}, "required": ["key"]},
        "then": {"properties": properties},
    }


def _one_source(entry: dict[str, Any]) -> None:
    """Require a target for a file, and a name that hetsel knows without a file.

    Properties without a description are for Python only. A treatment may have any name. Without a
    file it has no options of rows and classes; which reading options it may have depends on its
    data set, which a schema cannot check.
    """
    told = {name: p for name, p in entry["properties"].items() if "description" in p}
    entry["properties"] = told
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
    """Remove null, which TOML does not have, and defaults that equal it."""
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
