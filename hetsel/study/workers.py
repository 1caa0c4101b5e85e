"""Cells in worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hetsel.study.batches import AHEAD, Outcomes, Packed, run_batch
from hetsel.study.cell import CellFailure
from hetsel.study.data_set import StudyData
from hetsel.study.queue import CellQueue, Job, Work
from hetsel.study.table_folder import table_folder

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)


def begin(parent: int) -> None:
    """Never hear Ctrl-C, and end as soon as the process that started this one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        if sys.platform == "win32":  # where getppid goes on naming a parent that is gone
            starter = multiprocessing.parent_process()
            assert starter is not None
            starter.join()
        else:
            while os.getppid() == parent:
                time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def in_workers(queue: CellQueue, workers: int) -> Generator[Outcomes]:
    """Compute in worker processes of this machine, and outlive a cell that kills its process."""

    def start(count: int) -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        own = os.getpid()
        return ProcessPoolExecutor(count, env=ONE_THREAD, initializer=begin, initargs=(own,))

    with own_modules_only(), table_folder() as folder:
        yield from Pools(queue, workers, start, folder).outcomes()


@contextmanager
def own_modules_only() -> Iterator[None]:
    """Processes started here load no module from the working directory, which may hold a json.py.

    loky and multiprocessing start them by -m and -c. A worker gets the import path of this process
    after that, and finds what this process finds.
    """
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Processes started here never hear Ctrl-C, which a terminal sends to all of a group.

    The process that runs the study hears it afterwards, and ends them. Where signals cannot be
    blocked, as on Windows, a worker ignores it only once it has begun.
    """
    if sys.platform == "win32" or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # started later, from the first pool, it would end the deafness
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Pools:
    """Batches through pools of worker processes.

    When a process dies, the cells that were on their way are suspects: they go one by one through a
    pool of one process, and the cell that kills it again becomes a failure.

    Parameters
    ----------
    queue : CellQueue
    workers : int
    start : callable
        Called with a number of processes; returns an executor.
    folder : Path
        Where data sets are put down for the workers.
    """

    def __init__(
        self, queue: CellQueue, workers: int, start: Callable[[int], Any], folder: Path
    ) -> None:
        self._queue, self._workers, self._start, self._folder = queue, workers, start, folder
        self._suspects: deque[Work] = deque()
        self._flying: dict[Future[Any], Work] = {}
        self._packed: dict[str, Packed] = {}

    def outcomes(self) -> Generator[Outcomes]:
        """Outcomes as they are ready."""
        while self._queue or self._suspects:
            alone = bool(self._suspects)
            pool = self._start(1 if alone else self._workers)
            try:
                yield from self._through(pool, alone)
            except BrokenProcessPool:
                lost = [(data, [job]) for data, jobs in self._flying.values() for job in jobs]
                self._flying.clear()
                if alone:
                    yield [_death(job) for _, jobs in lost for job in jobs]
                else:
                    self._suspects.extend(lost)
            finally:
                pool.shutdown(wait=True, kill_workers=True)

    def _through(self, pool: Any, alone: bool) -> Generator[Outcomes]:
        """Outcomes of one pool, until nothing waits or a process dies."""
        most = 1 if alone else AHEAD * self._workers
        waiting = self._suspects if alone else self._queue
        while waiting or self._flying:
            while waiting and len(self._flying) < most:
                data, jobs = self._suspects.popleft() if alone else self._queue.take()
                try:
                    with interrupts_blocked():
                        future = pool.submit(run_batch, self._pack(data), jobs)
                except BrokenProcessPool:
                    self._suspects.extend((data, [job]) for job in jobs)
                    raise
                self._flying[future] = (data, jobs)
            for done in wait(self._flying, return_when=FIRST_COMPLETED).done:
                outcomes = done.result()
                del self._flying[done]
                yield outcomes

    def _pack(self, data: StudyData) -> Packed:
        if data.fingerprint not in self._packed:
            path = self._folder / data.fingerprint
            path.write_bytes(pickle.dumps(data))
            self._packed[data.fingerprint] = Packed(data.fingerprint, str(path))
        return self._packed[data.fingerprint]


def _death(job: Job) -> CellFailure:
    reason = "the worker process died (out of memory, or a crash in compiled code)"
    return CellFailure(job[2], reason, reason)
