"""Runs computations on an engine: in this process, or in worker processes."""

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

ALONE = 1  # by scikit-learn's count, one job is this process
STARTING = 2.0  # seconds that processes must save: they take as many to begin


class _Kept:
    """What computes for several calls: worker processes, or a Dask cluster at an address."""

    def __init__(self, workers: local_workers.KeptWorkers | None, dask: str | None) -> None:
        self.workers, self.dask = workers, dask
        self._cluster: dask_cluster.KeptCluster | None = None

    def engine(
        self, recipes: Sequence[Computation]
    ) -> local_workers.KeptWorkers | dask_cluster.KeptCluster | None:
        """The one that these computations are for."""
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


_KEPT: ContextVar[_Kept | None] = ContextVar("_KEPT", default=None)


class Numbered(Computation, Protocol):
    """A computation whose numbers are 0 to its length."""

    def __len__(self) -> int: ...


@contextmanager
def kept_workers(n_jobs: int | None, dask: str | None = None) -> Iterator[None]:
    """Within it, one set of workers, or a cluster, serves all calls of :func:`all_results`."""
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
    """Results of computations on one table, by name and number.

    Their methods have labels of their own. Worker processes begin where they save more time than
    they take to begin. `then`, called with the results when all is finished, as often as that is,
    gives the computations that are to follow, none at the end. A TableError says what was raised.
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
                    raise TableError(f"a part of the rows cannot be computed: {outcome.sentence}")
                name, number = planned[outcome.key]
                results[name][number] = outcome
                queue.learn(outcome)
            finished += len(batch)
            if finished == len(planned) and then is not None:
                queue.add(cells_of(then(results)))  # the engine looks again before it ends
            if progress is not None:
                progress(finished, len(planned))
    return results


def workers(n_jobs: int | None) -> int:
    """Worker processes by scikit-learn's count: None or 1 is this process, 0, -1 every processor.

    Examples
    --------
    >>> workers(None), workers(1), workers(4)
    (0, 0, 4)
    """
    n_jobs = number_of_jobs("n_jobs", n_jobs)
    if n_jobs is None or n_jobs == ALONE:
        return 0
    return max(1, joblib.cpu_count() + 1 + n_jobs) if n_jobs < 0 else n_jobs
