"""Read the plan of a study from a list of R and the tables of its session."""

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hetsel.evaluation.data.data_entry import BY_ROW, DataSpec
from hetsel.ground.errors import PlanError
from hetsel.ground.plan_entries import check_keys, refuse_repeated_names
from hetsel.study.plan.plan import Plan
from hetsel.study.plan.treated_data_sets import with_table_of
from hetsel.study.run import Study
from r_bridge.from_r.asked import Parts, cells_of, frame_of, kinds_of, target_of, whole
from r_bridge.r_vectors import Values, plain

PlanAsked = str | Values  # the path of a TOML file, or the entries


def plan_of(plan: PlanAsked, tables: Sequence[Parts] = ()) -> Study:
    """Read a plan from a TOML file or a list, with the tables of the session.

    Import paths are imported when the study runs. A table replaces the data set of its name; a
    table that the plan does not name comes last. Errors count from 1, like R.
    """
    specs = [_spec(table) for table in tables]
    refuse_repeated_names("data", [table.name for table in specs], "give each table its own name")
    own = {table.name: table for table in specs}
    if not isinstance(plan, Mapping):
        study = Study.load(str(plan))
        return dataclasses.replace(study, datasets=_with_own(study.datasets, own)) if own else study
    content = _value(plan)
    check_keys("plan", content, Plan.entries())
    given = [_from_1(entry) for entry in _several(content.get("datasets", []))]
    content["datasets"] = _with_own(given, own)
    for needed in ("datasets", "methods"):
        if not content.get(needed):
            raise PlanError(f"plan must have the entry {needed!r}")
    for needed in ("methods", "classifiers"):
        if needed in content:
            content[needed] = [_with_params(entry) for entry in _several(content[needed])]
    return Study(**content, _where="plan", _place=_counted_from_1, _imports=False)


def _counted_from_1(where: str, i: int) -> str:
    """Write item i of a list as R counts."""
    return f"{where}[[{i + 1}]]"


def _several(entry: object) -> list[object]:
    return list(entry) if isinstance(entry, list | tuple) else [entry]


def _with_own(entries: Sequence[object], own: Mapping[str, DataSpec]) -> list[object]:
    """Put the tables of the session in their places in the data sets, or at the end."""
    left = dict(own)
    placed = [left.pop(name, e) if (name := _name(e)) in own else e for e in entries]
    replaced: Values = {name: e for e in entries if (name := _name(e)) in own}
    for i, entry in enumerate(placed):  # what a file has read of a table that is another one now
        if isinstance(entry, DataSpec) and entry.treatment_of in replaced:
            name = str(entry.treatment_of)
            placed[i] = with_table_of(entry, own[name], before=replaced[name])
    return [*placed, *left.values()]


def _from_1(entry: object) -> object:
    """Read a data set whose columns may be positions from 1 and whose file may begin with ~."""
    if not isinstance(entry, Mapping):
        return entry
    if isinstance(entry.get("file"), str):
        entry = {**entry, "file": os.path.expanduser(entry["file"])}
    options = ("nominal", "ordinal", "continuous", "drop")
    for option in ("target", *BY_ROW):
        given = entry.get(option)
        if isinstance(given, int | float) and not isinstance(given, bool):
            raise PlanError(f"{option} must be the name of a column. Got {given}")
    return {k: _shifted(k, v) if k in options else v for k, v in entry.items()}


def _shifted(option: str, given: object) -> object:
    if isinstance(given, Mapping):
        return given
    columns = []
    for column in _several(given):
        if isinstance(column, int) and not isinstance(column, bool):
            if column < 1:
                raise PlanError(f"{option} must be names, or positions from 1. Got {column}")
            column -= 1
        columns.append(column)
    return columns


def _name(entry: object) -> str:
    if isinstance(entry, Mapping):
        return str(entry.get("name"))
    return str(getattr(entry, "name", entry))


def _spec(table: Parts) -> DataSpec:
    """Read a table of the session from its parts; None is left out."""
    given = {part: vector for part, vector in table.items() if vector is not None}
    name = str(plain(given.pop("name")))
    entry: dict[str, object] = {"name": name, "y": target_of(given.pop("target"))}
    try:
        entry["X"] = frame_of(given.pop("columns"))
    except ValueError as reason:
        raise PlanError(f"data set {name!r}: {reason}") from None
    entry |= {kind: names for kind, names in kinds_of(given.pop("kinds")).items() if names}
    for part, vector in given.items():  # a column of its own, or the name of one of the table
        by_column = part in BY_ROW and (len(vector.values) > 1 or vector.kind != "character")
        entry[part] = cells_of(vector) if by_column else whole(plain(vector))
    return DataSpec.of(f"data set {name!r}", entry, Path())


def _value(value: Any) -> Any:
    """Convert an entry: whole doubles become integers, and None is left out."""
    if isinstance(value, Mapping):
        return {str(key): _value(v) for key, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_value(v) for v in value]
    return whole(value)


def _with_params(entry: object) -> object:
    """Read a method, classifier or estimator; an empty list of R is a mapping without names."""
    if not isinstance(entry, Mapping) or "params" not in entry:
        return entry
    params = entry["params"] if entry["params"] != [] else {}
    if isinstance(params, Mapping):
        params = {name: _with_params(value) for name, value in params.items()}
    return {**entry, "params": params}
