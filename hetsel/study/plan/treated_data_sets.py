"""The data sets of a plan; an entry with `treatment_of` is a treatment of another data set.

A treatment without a separate table takes over all options of the other data set except those that
it specifies. Options that determine rows and their roles cannot be changed, because the scores of a
data set and its treatments are compared split by split.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hetsel import datasets
from hetsel.evaluation.data.data_entry import BY_ROW, READING, TARGET, DataSpec
from hetsel.ground import PlanError, plan_entries
from hetsel.ground import plan_entries as check

KINDS = ("nominal", "ordinal", "continuous")
# these options are the same for a data set and its treatments
OF_ROWS = ("y", *TARGET, "drop_unlabeled", "split", "test_rows", *BY_ROW)


def read_data_sets(
    where: str, entries: Any, folder: Path, place: plan_entries.ItemPlace
) -> tuple[DataSpec, ...]:
    """Read the data sets of a plan; `where` names the list in errors, `place` its items."""
    if isinstance(entries, Mapping) or hasattr(entries, "X"):
        entries = [entries]
    given = check.items(where, entries)
    places = [place(where, i) for i in range(len(given))]
    tables = {
        i: DataSpec.of(places[i], entry, folder)
        for i, entry in enumerate(given)
        if _treated(entry) is None
    }
    bases = {spec.name: spec for spec in tables.values()}
    specs = []
    for i, entry in enumerate(given):
        if i in tables:
            specs.append(tables[i])
            continue
        base = bases[_base(places[i], _treated(entry), bases, given)]
        spec = _treatment(places[i], entry, base, folder)
        if spec.split != base.split:
            raise PlanError(
                f"{places[i]}.split must be the same as that of {base.name!r}. Leave it out"
            )
        specs.append(spec)
    check.refuse_repeated_names(where, (s.name for s in specs), "give one of them another name")
    return tuple(specs)


def _treated(entry: Any) -> Any:
    """Return the data set that an entry is a treatment of, or None."""
    if isinstance(entry, Mapping):
        return entry.get("treatment_of")
    return getattr(entry, "treatment_of", None)


def _base(where: str, name: Any, bases: Iterable[str], entries: Iterable[Any]) -> str:
    """Return the name of a data set that is not a treatment."""
    where = f"{where}.treatment_of"
    name = plan_entries.read_value(where, name, plan_entries.Text)
    for entry in entries:
        other = _treated(entry)
        own = entry.get("name") if isinstance(entry, Mapping) else getattr(entry, "name", None)
        if other is not None and own == name:
            raise PlanError(
                f"{where} must name a data set that is not a treatment. Got {name!r}, "
                f"a treatment of {other!r}"
            )
    if not (known := [*bases]):
        raise PlanError(
            f"{where} must name another data set of the plan. The plan has no other one"
        )
    return check.one_of(where, name, known)


def _treatment(where: str, entry: Any, base: DataSpec, folder: Path) -> DataSpec:
    """Read a treatment with the options that it takes over."""
    if not isinstance(entry, Mapping):
        return DataSpec.of(where, entry, folder)
    own = {key: value for key, value in entry.items() if value is not None}
    if {"X", "file"} & set(own) or own.get("name") in datasets.NAMES:
        return DataSpec.of(where, own, folder)
    for key in OF_ROWS:
        if key in own:
            raise PlanError(
                f"{where}.{key}: a treatment has the rows, target and splits of {base.name!r}. "
                f"Leave {key} out"
            )
    taken = msgspec.structs.asdict(base) | _kinds_left(where, base, own)
    del taken["name"]
    said = {key: value for key, value in taken.items() if not _is_nothing(value)} | own
    return DataSpec.of(where, said, Path())  # the path of the file is already complete


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, list | tuple | dict | str) and not len(value))


def _kinds_left(where: str, base: DataSpec, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the kinds of columns without those that the treatment drops or specifies."""
    if not {"drop", *KINDS} & set(own):
        return {}
    named = [column for key in ("drop", *KINDS) for column in _columns(own.get(key))]
    left = {kind: getattr(base, kind) for kind in KINDS if kind not in own}
    several = [*named, *(column for given in left.values() for column in _columns(given))]
    if any(_columns(given) for given in left.values()) and not all(
        isinstance(column, str) for column in several
    ):
        raise PlanError(
            f"{where}: {base.name!r} and its treatment must name columns. Got positions of columns"
        )
    gone = set(named)
    return {
        kind: {c: levels for c, levels in given.items() if c not in gone}
        if isinstance(given, Mapping)
        else [column for column in _columns(given) if column not in gone]
        for kind, given in left.items()
    }


def _columns(given: Any) -> list[Any]:
    """Return the columns of an option as a list."""
    if given is None:
        return []
    return list(given) if isinstance(given, Mapping | list | tuple | np.ndarray) else [given]


def with_table_of(spec: DataSpec, base: DataSpec, *, before: DataSpec) -> DataSpec:
    """Return a treatment with the table of `base`, unless it has a separate table."""
    own = spec.table_name == spec.name if spec.X is spec.file is None else spec.file != before.file
    if own or spec.X is not before.X:
        return spec
    source = {key: getattr(base, key) for key in ("X", "file", *OF_ROWS, *READING)}
    return msgspec.structs.replace(spec, **source)


def treatments_in(plan: Mapping[str, Any], names: Iterable[str]) -> dict[str, str]:
    """Return the untreated data set of each treatment among these data sets.

    If an untreated data set is missing, the first of its treatments replaces it.

    Examples
    --------
    >>> plan = {"datasets": [{"name": n, "treatment_of": "a"} for n in "bcd"] + [{"name": "a"}]}
    >>> treatments_in(plan, "abc"), treatments_in(plan, "bc"), treatments_in(plan, "b")
    ({'b': 'a', 'c': 'a'}, {'c': 'a'}, {})
    """
    treats = {e["name"]: e["treatment_of"] for e in plan["datasets"] if "treatment_of" in e}
    names = list(names)
    there, found = set(names), {}
    for name in names:
        base = treats.get(name)
        if base in there:
            found[name] = base
        elif base is not None:
            there.add(base)
    return found
