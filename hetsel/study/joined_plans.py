"""The plan of several stores of one study: the union of their methods, judges and data sets.

Seed, kind and sizes of the splits, and signature sizes must be equal, as must be the tables,
methods and judges of one name. The keys of the cells are computed again from what the stores say of
tables, methods and judges, so that cells that no store has are known as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from hetsel.evaluation.data.train_and_test_rows import splits_of
from hetsel.ground import Fix, StoreError, listed
from hetsel.resampling.resampling_entry import Resamplings, SplitSizes
from hetsel.study.cell import selection_keys
from hetsel.study.plan.plan import changes
from hetsel.study.store import runs_in_words, stored_cells
from hetsel.study.store.sqlite_store import KeptFailure, Store

MOST = 8  # maximum number of differences in an error
# what a plan compares, the name of its entries and that of their identities
PARTS = (("method", "methods", "methods"), ("judge", "classifiers", "judges"))
PlanRow = tuple[str, str, str, int]  # key of the selection, data set, method, resampling


@dataclass(frozen=True, eq=False)
class StoreContent:
    """The content of a store."""

    path: Path
    facts: dict[str, Any]
    plan: list[PlanRow]
    results: dict[str, bytes]  # checksum of each selection and judgment
    tables: dict[str, str]  # table of each of them, "selections" or "judgments"
    versions: dict[str, dict[str, str]]  # versions that computed each of them
    failures: list[KeptFailure]

    @classmethod
    def of(cls, file: Store) -> "StoreContent":
        """Read an open store and check each of its selections and judgments."""
        facts = {name: file.about(name) for name in stored_cells.FACTS}
        if facts["plan"] is None:
            raise StoreError(f"{file.path} holds no study yet", Fix("run", then="to start one"))
        stored_cells.check_facts_of_store(file.path, facts, file.plan())
        results, tables = {}, {}
        for name in stored_cells.CONTENTS:
            for table, key, _, contents in file.kept(name, file.keys(name)):
                results[key], tables[key] = stored_cells.checksum_of_results(table, contents), table
        others = file.versions(), file.kept_failures()
        return cls(file.path, facts, file.plan(), results, tables, *others)

    @property
    def places(self) -> stored_cells.CellPlaces:
        """The keys of the results of the plan; they determine all that the results depend on."""
        return stored_cells.CellPlaces(self.plan, self.facts)

    @property
    def hetsel(self) -> list[str]:
        """The versions of hetsel that computed its results."""
        return sorted({versions.get("hetsel", "unknown") for versions in self.versions.values()})


def joined_plan(every: Sequence[StoreContent]) -> tuple[dict[str, Any], list[PlanRow]]:
    """Return the facts and the rows of the plan with the cells of all stores.

    Raises
    ------
    StoreError
        If two stores do not belong to one study.
    """
    first = every[0]
    for one in every[1:]:
        if differences := _differences(first, one):
            more = len(differences) - MOST
            shown = [*differences[:MOST], *([f"and {more} more"] if more > 0 else [])]
            raise _other_study(first, one, "; ".join(shown))
    plan, identities = dict(first.facts["plan"]), {}
    counts = [one.facts["plan"]["resamplings"].get("count") for one in every]
    if None not in counts:  # given folds have their own number
        plan["resamplings"] = {**plan["resamplings"], "count": max(counts)}
    for _, part, labels in PARTS:
        found: dict[str, Any] = {}
        for one in every:
            by = one.facts["identities"][labels]
            for entry, identity in zip(one.facts["plan"][part], by, strict=True):
                found.setdefault(identity, entry)
        plan[part], identities[labels] = list(found.values()), list(found)
    entries: dict[str, Any] = {}
    data: dict[str, Any] = {}
    sizes: dict[str, Any] = {}
    for one in every:
        sizes = {**one.facts["sizes"], **sizes}
        entries = {**{entry["name"]: entry for entry in one.facts["plan"]["datasets"]}, **entries}
        for about in one.facts["datasets"]:
            known = data.setdefault(about["name"], about)
            if "judges" in known:  # with several kinds of targets
                judges = dict.fromkeys([*known["judges"], *about["judges"]])
                data[about["name"]] = {**known, "judges": list(judges)}
    names = list(dict.fromkeys(name for one in every for name in one.facts["sizes"]))
    plan["datasets"] = [entries[name] for name in names if name in entries]
    facts = {
        **first.facts,
        "plan": plan,
        "datasets": [data[name] for name in names],
        "sizes": {name: sizes[name] for name in names},
        "identities": identities,
        "asked_judges": _asked_judges(every, plan["classifiers"]),
    }
    rows = planned_cells(facts)
    keys = {key for key, *_ in rows}
    for one in every:
        if not keys.issuperset(key for key, *_ in one.plan):
            versions = " and ".join(listed(held.hetsel) or "unknown" for held in (first, one))
            same = f"plans and data are the same, but the code is not (hetsel {versions})"
            raise _other_study(first, one, same)
    return facts, rows


def _other_study(first: StoreContent, one: StoreContent, differences: str) -> StoreError:
    return StoreError(
        f"{one.path} and {first.path} belong to different studies, so nothing was merged. "
        f"Differences: {differences}. Stores can differ in methods, judges, data sets and the "
        "number of resamplings. Run all with the same other options, data and version of hetsel"
    )


def planned_cells(facts: dict[str, Any]) -> list[PlanRow]:
    """Return the rows of a plan from its facts, resamplings outermost."""
    plan = facts["plan"]
    resamplings = Resamplings.of("the plan", plan["resamplings"])
    entries = {entry["name"]: entry for entry in plan["datasets"]}
    rows = []
    for data in facts["datasets"]:
        name = data["name"]
        entry = entries[data.get("smaller_part_of") or name]
        split = SplitSizes(**entry["split"]) if entry.get("split") else None
        place = data["fingerprint"], len(data["features"]), facts["sizes"][name]
        for method, identity in zip(plan["methods"], facts["identities"]["methods"], strict=True):
            splits = splits_of(resamplings, split, data)
            drawn = splits, plan.get("seed", 0), splits.count
            keys = selection_keys(identity, *place, *drawn)
            rows.append([(key, name, method["label"], r) for r, key in enumerate(keys)])
    return [row for cells in zip_longest(*rows) for row in cells if row is not None]


def _differences(one: StoreContent, other: StoreContent) -> list[str]:
    """Name what keeps two stores from being joined."""
    plans = [dict(held.facts["plan"]) for held in (one, other)]
    for plan in plans:
        plan["resamplings"] = {**plan["resamplings"], "count": None}
        for part in ("name", "datasets", "methods", "classifiers"):
            del plan[part]
    found = list(changes(plans[0], plans[1]))
    both = [held.facts for held in (one, other)]
    found += runs_in_words.changed_tables(*(facts["datasets"] for facts in both))
    for name in both[0]["sizes"].keys() & both[1]["sizes"].keys():
        sizes = [facts["sizes"][name] for facts in both]
        if sizes[0] != sizes[1] and "sizes" not in {text.partition(":")[0] for text in found}:
            found.append(f"sizes of {name!r}: {listed(sizes[0])} -> {listed(sizes[1])}")
    named = [
        {a["fingerprint"]: a["name"] for a in f["datasets"] if not a.get("smaller_part_of")}
        for f in both
    ]
    for content in named[0].keys() & named[1].keys():
        if named[0][content] != named[1][content]:
            names = f"{named[0][content]!r} -> {named[1][content]!r}"
            found.append(f"names of one table: {names}")
    kinds = [sorted({about["target"] for about in facts["datasets"]}) for facts in both]
    if kinds[0] != kinds[1]:
        found.append(f"target: {listed(kinds[0])} -> {listed(kinds[1])}")
    for what, part, labels in (
        ("method", "methods", "methods"),
        ("judge", "classifiers", "judges"),
    ):
        by = [dict(zip(_labels(f, part), f["identities"][labels], strict=True)) for f in both]
        for label in by[0].keys() & by[1].keys():
            if by[0][label] != by[1][label]:
                entries = [next(e for e in f["plan"][part] if e["label"] == label) for f in both]
                differs = "; ".join(changes(entries[0], entries[1])) or "its code differs"
                found.append(f"{what} {label!r}: {differs}")
    return found


def _asked_judges(every: Sequence[StoreContent], joined: list[Any]) -> list[Any] | None:
    """Return the judges as the plans name them, or those of the joined plan if one has none."""
    asked = [one.facts["asked_judges"] for one in every]
    if all(judges == asked[0] for judges in asked):
        return asked[0] if asked[0] is None else list(asked[0])
    if None in asked:
        return joined
    return list({judge["label"]: judge for judges in reversed(asked) for judge in judges}.values())


def other_labels(facts: Mapping[str, Any], one: StoreContent) -> Iterator[tuple[str, str, str]]:
    """Yield methods and judges of a store that have another label in the joined plan."""
    for what, part, labels in PARTS:
        kept = dict(zip(facts["identities"][labels], _labels(facts, part), strict=True))
        own = zip(one.facts["identities"][labels], _labels(one.facts, part), strict=True)
        yield from ((what, label, kept[by]) for by, label in own if kept[by] != label)


def _labels(facts: Mapping[str, Any], part: str) -> list[str]:
    return [entry["label"] for entry in facts["plan"][part]]
