"""Runs computations on an engine: in this process, or in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Protocol

import joblib

from hetsel.errors import TableError
from hetsel.study.cell import CellFailure, Computation
from hetsel.study.data_set import StudyData
from hetsel.study.engines import computed
from hetsel.study.queue import CellQueue, PlannedCell
from hetsel.tables.validation import refuse_no_jobs

Say = Callable[[int, int], None]  # (finished, all)


class Numbered(Computation, Protocol):
    """A computation whose numbers are 0 to its length."""

    def __len__(self) -> int: ...


def all_results(
    data: StudyData,
    computations: Mapping[str, Numbered],
    n_jobs: int | None,
    say: Say | None = None,
) -> dict[str, dict[int, Any]]:
    """Results of computations on one table, by name and number.

    Parameters
    ----------
    data : StudyData
    computations : mapping of str to computation
        Their methods have labels of their own.
    n_jobs : int or None
        Processes, as scikit-learn counts them: None or 1 is this one, -1 takes every processor.
    say : callable, optional
        Told how many are finished, and of how many.

    Raises
    ------
    TableError
        What a method raised.
    """
    planned = {
        f"{name} {number}": (name, number)
        for name, computation in computations.items()
        for number in range(len(computation))
    }
    cells = [
        PlannedCell(data, computations[name], number, key)
        for key, (name, number) in planned.items()
    ]
    results: dict[str, dict[int, Any]] = {name: {} for name in computations}
    queue = CellQueue(cells)
    jobs = workers(n_jobs)
    finished = 0
    with closing(computed(queue, list(computations.values()), jobs=jobs)) as outcomes:
        for batch in outcomes:
            for outcome in batch:
                if isinstance(outcome, CellFailure):
                    raise TableError(f"a part of the rows cannot be computed: {outcome.reason}")
                name, number = planned[outcome.key]
                results[name][number] = outcome
                queue.learn(outcome)
            finished += len(batch)
            if say is not None:
                say(finished, len(cells))
    return results


def workers(n_jobs: int | None) -> int:
    """Worker processes; 0 is none.

    Raises
    ------
    TableError
        No number of processes.

    Examples
    --------
    >>> workers(None), workers(1), workers(4)
    (0, 0, 4)
    """
    refuse_no_jobs("n_jobs", n_jobs)
    if n_jobs is None or n_jobs == 1:
        return 0
    return max(1, joblib.cpu_count() + 1 + n_jobs) if n_jobs < 0 else n_jobs
