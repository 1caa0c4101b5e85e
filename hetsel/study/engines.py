"""Where cells are computed: in this process, in worker processes, or on a Dask cluster.

An engine takes batches of cells and hands back their outcomes as they are ready. Which engine it is
changes no result: cells know nothing of it, and libraries of linear algebra run on one thread.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.study.cells import CellFailure, CellResult, Recipe, run_batch
from hetsel.study.data import StudyData

Job = tuple[Recipe, int, str]  # recipe, number of the resampling, key
Outcomes = list[CellResult | CellFailure]
Work = tuple[StudyData, Sequence[Job]]

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)
AHEAD = 2  # batches that wait for each worker, so that none is idle


def in_process(batches: Sequence[Work]) -> Iterator[Outcomes]:
    """Compute one cell after the other in this process."""
    with threadpool_limits(limits=1):
        for data, jobs in batches:
            for job in jobs:
                yield run_batch(data, [job])


_HELD: dict[str, StudyData] = {}


def run_packed(data: Any, jobs: Sequence[Job], parent: int | None) -> Outcomes:
    """Compute a batch in a worker; it ends with the process that started it."""
    held = _HELD.setdefault(data.fingerprint, data)
    with threadpool_limits(limits=1):
        outcomes: Outcomes = []
        for job in jobs:
            if parent is not None and os.getppid() != parent:
                os._exit(1)
            outcomes += run_batch(held, [job])
        return outcomes


def in_workers(batches: Sequence[Work], workers: int) -> Iterator[Outcomes]:
    """Compute in worker processes of this machine; see :func:`surviving`."""

    def start(count: int) -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        return ProcessPoolExecutor(max_workers=count, env=ONE_THREAD)

    yield from surviving(batches, workers, start)


def surviving(
    batches: Sequence[Work], workers: int, start: Callable[[int], Any]
) -> Iterator[Outcomes]:
    """Run batches through pools of processes, and outlive a cell that kills its process.

    When a process dies, the batches that were in flight are suspects: their cells go one by one
    through a pool of one process each, and the cell that kills it again becomes a failure.
    """
    waiting = deque(batches)
    suspects: deque[Work] = deque()
    parent = os.getpid()
    while waiting or suspects:
        alone = bool(suspects)
        pool = start(1 if alone else workers)
        queue = suspects if alone else waiting
        flying: dict[Future[Any], Work] = {}
        try:
            while queue or flying:
                while queue and len(flying) < (1 if alone else AHEAD * workers):
                    data, jobs = queue.popleft()
                    try:
                        flying[pool.submit(run_packed, data, jobs, parent)] = (data, jobs)
                    except BrokenProcessPool:
                        queue.appendleft((data, jobs))
                        break
                for done in wait(flying, return_when=FIRST_COMPLETED).done:
                    outcomes = done.result()
                    del flying[done]
                    yield outcomes
            pool.shutdown(wait=True)
        except BrokenProcessPool:
            pool.shutdown(wait=True, kill_workers=True)
            singles = [(data, [job]) for data, jobs in flying.values() for job in jobs]
            if alone:
                yield [_death(job) for _, jobs in singles for job in jobs]
            else:
                suspects.extend(singles)
        except BaseException:
            pool.shutdown(wait=True, kill_workers=True)
            raise


def _death(job: Job) -> CellFailure:
    reason = "the worker process died (out of memory, or a crash in compiled code)"
    return CellFailure(job[2], reason, reason)


def on_cluster(batches: Sequence[Work], address: str) -> Iterator[Outcomes]:
    """Compute on an existing Dask cluster.

    Raises
    ------
    ImportError
        Dask is not installed.
    RuntimeError
        No cluster answers, it has no worker, or a worker runs more than one thread.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ImportError("a Dask cluster needs the extra: pip install 'hetsel[dask]'") from None
    try:
        client = Client(address, timeout=20)
    except (OSError, ValueError) as reason:
        raise RuntimeError(f"no Dask cluster answers at {address}: {reason}") from None
    try:
        threads = client.nthreads()
        if not threads:
            raise RuntimeError(f"the Dask cluster at {address} has no worker")
        if max(threads.values()) > 1:
            raise RuntimeError(
                f"the workers of the Dask cluster at {address} must run one thread each "
                f"(--nthreads 1). Got {max(threads.values())}"
            )
        yield from _through(client, batches, len(threads))
    finally:
        client.close()


def _through(client: Any, batches: Sequence[Work], workers: int) -> Iterator[Outcomes]:
    from distributed import as_completed

    held: dict[str, Any] = {}
    waiting = deque(batches)
    ready = as_completed()
    flying: dict[str, Sequence[Job]] = {}

    def submit() -> None:
        data, jobs = waiting.popleft()
        if data.fingerprint not in held:
            held[data.fingerprint] = client.scatter(data, broadcast=True, hash=False)
        future = client.submit(
            run_packed, held[data.fingerprint], list(jobs), None, pure=False, retries=0
        )
        flying[future.key] = jobs
        ready.add(future)

    try:
        while waiting and len(flying) < AHEAD * workers:
            submit()
        while flying:
            future = next(ready)
            jobs = flying.pop(future.key)
            if waiting:
                submit()
            if future.status == "error":  # not of a cell, which are caught: of the worker itself
                yield [CellFailure(j[2], str(future.exception()), "") for j in jobs]
            else:
                yield future.result()
    finally:
        client.cancel([f for f in ready.futures])
