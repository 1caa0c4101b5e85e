"""Compute one result of each external method and judge again, to find those that differ."""

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from hetsel.evaluation.by_key import judges_by_key
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.computation import CellFailure, Computation
from hetsel.evaluation.engines.cell_queue import CellQueue, Outcomes, PlannedCell
from hetsel.study.cell import (
    CellResult,
    Known,
)
from hetsel.study.planned_cells import judgments_of
from hetsel.study.store import sqlite_store, stored_cells

Compute = Callable[[CellQueue, list[Computation]], Generator[Outcomes]]


def repeat(
    file: sqlite_store.Store, cells: Sequence[PlannedCell], new: Collection[str], compute: Compute
) -> list[str]:
    """Compute one result of each external method and judge again; return cautions if they differ.

    A method may use a generator without a seed or depend on the order of a set or on its process.
    With workers, the second computation is in another process. Only results of this run (the keys
    `new`) are repeated, because earlier ones may come from other versions.
    """
    known: dict[str, list[str]] = file.about("repeated") or {}
    if not new:
        return []
    seconds = {key: took for key, took in file.seconds().items() if key in new}
    due = {key: (cell, judge) for key, cell, judge in _due(cells, known, seconds)}
    if not due:
        return []

    def recalled(again: PlannedCell) -> Known:
        cell, judge = due[again.key]
        if judge is None:
            return Known(None, ())
        return Known(next(file.selections([cell.key])), (judge,))

    repeated = [replace(cell, key=key) for key, (cell, _) in due.items()]
    found: dict[str, list[str]] = {}
    queue = CellQueue(repeated, recalled)
    with closing(compute(queue, [cell.recipe for cell in repeated])) as outcomes:
        for batch in outcomes:
            for outcome in batch:
                found[outcome.key] = _differences(file, outcome, due[outcome.key][1])
    file.write_facts({"repeated": known | found})
    places = stored_cells.CellPlaces(
        file.plan(), {name: file.about(name) for name in stored_cells.FACTS}
    ).rows()
    return [
        f"{places.get(key, key)}: {stored_cells.repeated_in_words(found[key])}"
        for key in due
        if found[key]
    ]


def _due(
    cells: Sequence[PlannedCell], known: Mapping[str, Any], seconds: Mapping[str, float]
) -> Iterator[tuple[str, PlannedCell, int | None]]:
    """Yield the fastest new result of each external method and judge that was not repeated yet.

    A result has its key and its cell; that of a judge has the position of the judge.
    """
    groups: dict[tuple[str, int | None], list[tuple[str, PlannedCell]]] = {}
    every: dict[int, MethodSpec | judges_by_key.ClassifierSpec] = {}
    for cell in cells:
        every[id(cell.recipe.method)] = cell.recipe.method
        every |= {id(judge): judge for judge in cell.recipe.classifiers}
    external = {
        key: own.is_foreign if isinstance(own, MethodSpec) else bool(own.code.digest)
        for key, own in every.items()
    }
    for cell in cells:
        method, judges = cell.recipe.method, cell.recipe.classifiers
        if external[id(method)]:
            groups.setdefault((method.label, None), []).append((cell.key, cell))
        if not any(external[id(judge)] for judge in judges):
            continue
        for place, (judge, key) in enumerate(zip(judges, judgments_of(cell), strict=True)):
            if external[id(judge)]:
                groups.setdefault((judge.label, place), []).append((key, cell))
    for (_, position), group in groups.items():
        finished = [result for result in group if result[0] in seconds]
        if finished and not any(key in known for key, _ in group):
            yield (*min(finished, key=lambda result: seconds[result[0]]), position)


def _differences(file: sqlite_store.Store, outcome: Any, judge: int | None) -> list[str]:
    """Name the parts in which the second outcome differs from the first."""
    found = outcome
    if isinstance(outcome, CellResult):
        found = outcome.selection if judge is None else outcome.judgments[judge]
    if isinstance(found, CellFailure):
        return [f"its failure ({found.sentence})"]
    table = "selections" if judge is None else "judgments"
    ((_, _, _, first),) = file.kept(table, [found.key])
    return stored_cells.different_results(table, first, stored_cells.pack(found, 0.0))
