"""The plan that a store carries, as the entries of a plan and as a TOML file."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hetsel.datasets import NAMES
from hetsel.evaluation.by_key.judges_by_key import is_default
from hetsel.ground import PlanError, listed
from hetsel.ground.plan_entries import plain_parameter
from hetsel.study.plan.plan import Plan

# facts of a store that no plan states
NOT_IN_PLANS = ("revision", "code")


def asked_judges(plan: Plan) -> list[dict[str, Any]] | None:
    """Return the judges as the plan names them, before a kind of target; None for the default."""
    if is_default(plan.classifiers):
        return None
    entries = []
    for judge in plan.classifiers:
        entry = judge.to_dict()
        if getattr(judge, "estimator", True) is None:
            entry["params"] = {k: v for k, v in entry["params"].items() if k in judge.named}
        entries.append(plain_parameter(entry))
    return entries


def plan_content(
    written: Mapping[str, Any], judges: Sequence[Mapping[str, Any]] | None
) -> dict[str, Any]:
    """Return the entries of :class:`hetsel.study.plan.plan.Plan` from the plan in a store.

    The judges are those of :func:`asked_judges`.
    """
    content = {name: written[name] for name in Plan.entries() if name in written}
    content["classifiers"] = judges
    for part in ("methods", "classifiers") if judges is not None else ("methods",):
        content[part] = [
            {
                name: _without_none(value)
                for name, value in entry.items()
                if name not in NOT_IN_PLANS
            }
            for entry in content[part]
        ]
    return {name: value for name, value in content.items() if value is not None}


def _without_none(value: Any) -> Any:
    """Return a value without entries of None, which are defaults."""
    if isinstance(value, Mapping):
        return {name: _without_none(own) for name, own in value.items() if own is not None}
    return list(map(_without_none, value)) if isinstance(value, list) else value


def tables_of_python(written: Mapping[str, Any]) -> list[str]:
    """Return the data sets of a plan whose tables came from Python, which no file names."""
    return [
        entry["name"]
        for entry in written["datasets"]
        if "file" not in entry and entry["name"] not in NAMES and "treatment_of" not in entry
    ]


def files_of(written: Mapping[str, Any]) -> list[str]:
    """Return the names of the files with tables, each once."""
    return list(dict.fromkeys(e["file"] for e in written["datasets"] if "file" in e))


def plan_text(written: Mapping[str, Any], judges: Sequence[Mapping[str, Any]] | None = None) -> str:
    """Return the plan in a store, with its asked judges, as the text of a TOML file.

    Examples
    --------
    >>> plan = {"name": "a", "seed": 1, "resamplings": {"count": 5}, "sizes": [1, 2]}
    >>> plan |= {"datasets": [{"name": "heart"}]}
    >>> print(plan_text({**plan, "methods": [{"key": "cmim", "label": "cmim", "params": {}}]}))
    name = "a"
    seed = 1
    resamplings = { count = 5 }
    sizes = [1, 2]
    <BLANKLINE>
    [[datasets]]
    name = "heart"
    <BLANKLINE>
    [[methods]]
    key = "cmim"
    label = "cmim"
    <BLANKLINE>
    """
    content = plan_content(written, judges)
    lines = []
    if lacking := tables_of_python(written):
        lines += [f"# Tables given in Python: {listed(lacking)}. Add file and target to each", ""]
    parts = ("datasets", "methods", "classifiers")
    for name in ("name", "seed", "resamplings", "sizes"):
        if name in content:
            lines.append(f"{name} = {_toml(content[name])}")
    for part in parts:
        for entry in content.get(part, ()):
            lines += ["", f"[[{part}]]", *_lines(entry)]
    return "\n".join(lines) + "\n"


def _lines(entry: Mapping[str, Any]) -> Iterator[str]:
    for name, value in entry.items():
        if value not in ({}, None):
            yield f"{_key(name)} = {_toml(value)}"


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else _toml(name)


def _toml(value: Any) -> str:
    """Write a plain value in TOML; text is escaped as in JSON, which TOML reads."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(k)} = {_toml(v)}' for k, v in value.items())} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_toml, value))}]"
    raise PlanError(f"{value!r:.60} cannot be written in a plan")


def with_files_in(content: dict[str, Any], folders: Sequence[Path]) -> dict[str, Any]:
    """Return the entries with the path of each file, in the first folder that has it."""
    entries = []
    for entry in content["datasets"]:
        if "file" in entry:
            found = [folder / entry["file"] for folder in folders]
            existing = [path for path in found if path.is_file()]
            if not existing:
                raise PlanError(
                    f"the table {entry['file']} of data set {entry['name']!r} must be in "
                    f"{' or '.join(str(folder) for folder in folders)}. Copy it there"
                )
            entry = {**entry, "file": str(existing[0].absolute())}
        entries.append(entry)
    return {**content, "datasets": entries}
