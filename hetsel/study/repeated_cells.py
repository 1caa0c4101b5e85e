"""One cell of each method that is not hetsel's, computed twice: whether the answers are the same.

A method may draw from a generator without a seed, or depend on the order of a set or on the process
that it runs in. So the second time is in a process of its own, where there are workers. Of the
cells that a run has computed it is the quickest one of a method, once for each code.
"""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing
from typing import Any

from hetsel.evaluation.computation import CellFailure, Computation
from hetsel.evaluation.engines.cell_queue import CellQueue, Outcomes, PlannedCell
from hetsel.study.cell import CellResult
from hetsel.study.store.sqlite_store import Store
from hetsel.study.store.stored_cells import other_answers, pack, repeated_in_words

Compute = Callable[[CellQueue, list[Computation]], Generator[Outcomes]]


def repeat(
    file: Store, cells: Sequence[PlannedCell], new: Collection[str], compute: Compute
) -> list[str]:
    """Compute cells a second time and keep what differs; cautions, by method.

    Only cells whose keys are `new`, computed by this run: earlier ones may be of other versions.
    """
    known: dict[str, list[str]] = file.about("repeated") or {}
    seconds = {key: took for key, took in file.seconds().items() if key in new}
    chosen = {cell.key: cell for cell in _due(cells, known, seconds)}
    if not chosen:
        return []
    found: dict[str, list[str]] = {}
    queue = CellQueue(chosen.values())
    with closing(compute(queue, [cell.recipe for cell in chosen.values()])) as outcomes:
        for batch in outcomes:
            found |= {outcome.key: _differences(file, outcome) for outcome in batch}
    file.write_facts({"repeated": known | found})
    return [
        f"{cell.place[1]} on {cell.place[0]}, resampling {cell.resampling}: "
        f"{repeated_in_words(found[key])}"
        for key, cell in chosen.items()
        if found[key]
    ]


def _due(
    cells: Sequence[PlannedCell], known: Mapping[str, Any], seconds: Mapping[str, float]
) -> list[PlannedCell]:
    """The quickest cell of each method that is not hetsel's, and has none that is known.

    Where only judges are not hetsel's, the quickest cell of all.
    """
    by_method: dict[str, list[PlannedCell]] = {}
    for cell in cells:
        by_method.setdefault(cell.place[1], []).append(cell)
    own = [group for group in by_method.values() if group[0].recipe.method.is_foreign]
    judges = {id(judge): judge for cell in cells for judge in cell.recipe.classifiers}
    if not own and any(judge.code.digest for judge in judges.values()):
        own = [list(cells)]
    due = []
    for group in own:
        finished = [cell for cell in group if cell.key in seconds]
        if finished and not any(cell.key in known for cell in group):
            due.append(min(finished, key=lambda cell: seconds[cell.key]))
    return due


def _differences(file: Store, outcome: Any) -> list[str]:
    """In what the second outcome of a cell differs from the first."""
    if isinstance(outcome, CellFailure):
        return [f"that it failed ({outcome.line})"]
    assert isinstance(outcome, CellResult)
    ((_, _, first),) = file.kept([outcome.key])
    return other_answers(first, pack(outcome, 0.0))
