"""Run computations in this process, in worker processes or on a Dask cluster."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from math import inf
from typing import Any, Protocol

import joblib

from hetsel.evaluation.computation import CellFailure, Computation
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines import cell_queue, choice_of_engine, dask_cluster, local_workers
from hetsel.evaluation.progress import OnProgress, Pace
from hetsel.ground import TableError, number_of_jobs

ResultsByName = dict[str, dict[int, Any]]  # by name and number

ALONE = 1  # as in scikit-learn, one job means this process
STARTING = 2.0  # seconds that workers must save, since they take as long to start


class _Kept:
    """An engine for several calls: worker processes or a Dask cluster."""

    def __init__(self, workers: local_workers.KeptWorkers | None, dask: str | None) -> None:
        self.workers, self.dask = workers, dask
        self._cluster: dask_cluster.KeptCluster | None = None

    def engine(
        self, recipes: Sequence[Computation]
    ) -> local_workers.KeptWorkers | dask_cluster.KeptCluster | None:
        """Return the engine for these computations."""
        if self.dask is None:
            return self.workers
        if self._cluster is None:
            self._cluster = dask_cluster.KeptCluster(
                self.dask, None, cell_queue.code_of_recipes(recipes)
            )
        return self._cluster

    def end(self) -> None:
        for engine in (self.workers, self._cluster):
            if engine is not None:
                engine.end()


_OF_PARAMETER = re.compile(r"\w+ must ")  # an error that begins so is about no rows
_KEPT: ContextVar[_Kept | None] = ContextVar("_KEPT", default=None)


class Numbered(Computation, Protocol):
    """A computation with numbers from 0 to its length minus one."""

    def __len__(self) -> int: ...


@contextmanager
def kept_workers(n_jobs: int | None, dask: str | None = None) -> Iterator[None]:
    """Keep one engine for all calls of :func:`all_results` in this context."""
    jobs, program = workers(n_jobs), local_workers.python()
    if _KEPT.get() is not None or (dask is None and (not jobs or program is None)):
        yield
        return
    own = (
        local_workers.KeptWorkers(jobs, program, None, ALONE)
        if dask is None and program is not None
        else None
    )
    kept = _Kept(own, dask)
    token = _KEPT.set(kept)
    try:
        yield
    finally:
        _KEPT.reset(token)
        kept.end()


def all_results(
    data: EncodedData,
    computations: Mapping[str, Numbered],
    n_jobs: int | None,
    progress: OnProgress | None = None,
    then: Callable[[ResultsByName], Mapping[str, Numbered]] | None = None,
) -> ResultsByName:
    """Return results of computations on one table by name and number.

    The labels of their methods differ. Worker processes start if they save more time than their
    start takes. Whenever all computations are finished, `then` is called with the results and
    returns further computations, or none. An error in a computation becomes a TableError.
    """
    planned: dict[str, tuple[str, int]] = {}
    results: ResultsByName = {}
    labels: set[str] = set()

    def cells_of(given: Mapping[str, Numbered]) -> list[cell_queue.PlannedCell]:
        new = {
            f"{name} {number}": (name, number)
            for name, computation in given.items()
            for number in range(len(computation))
        }
        for computation in given.values():
            if computation.method.label in labels:  # a worker holds one computation by each
                raise RuntimeError(f"two computations with the label {computation.method.label!r}")
            labels.add(computation.method.label)
        planned.update(new)
        results.update({name: {} for name in given})
        return [
            cell_queue.PlannedCell(data, given[name], number, key)
            for key, (name, number) in new.items()
        ]

    queue = cell_queue.CellQueue(cells_of(computations))
    jobs = workers(n_jobs)
    finished = 0
    recipes = list(computations.values())
    pace: Pace | None = None

    def enough() -> bool:
        nonlocal pace
        if not finished:
            return False
        pace = pace or Pace(finished)
        return STARTING < pace.left(finished, len(planned)) * (1.0 - 1.0 / max(1, jobs)) < inf

    kept = _KEPT.get()
    waiting = kept is not None and kept.workers is not None and not kept.workers.begun
    engine = choice_of_engine.computed(
        queue,
        recipes,
        jobs=jobs,
        dask=None if kept is None else kept.dask,
        kept=None if kept is None else kept.engine(recipes),
        enough=enough if waiting else None,
        alone=ALONE,
    )
    with closing(engine) as outcomes:
        for batch in outcomes:
            for outcome in batch:
                if isinstance(outcome, CellFailure):
                    part = "the computation on a part of the rows failed: "
                    of_parameter = _OF_PARAMETER.match(outcome.sentence)
                    raise TableError(f"{'' if of_parameter else part}{outcome.sentence}")
                name, number = planned[outcome.key]
                results[name][number] = outcome
                queue.learn(outcome)
            finished += len(batch)
            if finished == len(planned) and then is not None:
                queue.add(
                    cells_of(then(results))
                )  # the engine checks the queue again before it ends
            if progress is not None:
                progress(finished, len(planned))
    return results


def workers(n_jobs: int | None) -> int:
    """Return the number of worker processes as in scikit-learn: None or 1 means this process.

    Examples
    --------
    >>> workers(None), workers(1), workers(4)
    (0, 0, 4)
    """
    n_jobs = number_of_jobs("n_jobs", n_jobs)
    if n_jobs is None or n_jobs == ALONE:
        return 0
    return max(1, joblib.cpu_count() + 1 + n_jobs) if n_jobs < 0 else n_jobs
