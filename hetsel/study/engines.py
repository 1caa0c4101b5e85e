"""Where cells are computed: in this process, in worker processes, or on a Dask cluster.

An engine takes batches of cells from a queue and hands back their outcomes as they are ready. Which
engine it is changes no result: cells know nothing of it, and libraries of linear algebra run on one
thread.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.study.cell import CellFailure, CellResult, run_cell
from hetsel.study.data_set import StudyData
from hetsel.study.queue import CellQueue, Job, Work

Outcomes = list[CellResult | CellFailure]
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)
AHEAD = 2  # batches on the way for each worker, so that none is idle


def in_process(queue: CellQueue) -> Generator[Outcomes]:
    """Compute one cell after the other in this process; Ctrl-C waits for the end of a cell."""
    with threadpool_limits(limits=1), first_interrupt() as interrupted:
        while queue:
            data, jobs = queue.take()
            outcomes = []
            for recipe, resampling, key in jobs:
                outcomes.append(run_cell(data, recipe, resampling, key))
                if interrupted.is_set():
                    break
            yield outcomes
            if interrupted.is_set():
                raise KeyboardInterrupt


@contextmanager
def first_interrupt() -> Iterator[threading.Event]:
    """The first Ctrl-C sets an event; the next one interrupts at once, as it did before.

    A KeyboardInterrupt may be lost: one that arises while compiled code is being loaded is printed
    and ignored there, and the run would go on.
    """
    heard = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before in (None, signal.SIG_IGN):
        yield heard  # not ours to hear, as in the background of a shell
        return

    def hear(*_: object) -> None:
        heard.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class Packed:
    """A data set in a file, which each worker reads once."""

    fingerprint: str
    path: str

    def unpack(self) -> StudyData:
        """The data set."""
        with open(self.path, "rb") as file:
            data: StudyData = pickle.load(file)
        return data


_HELD: dict[str, StudyData] = {}


def run_batch(data: StudyData | Packed, jobs: Sequence[Job]) -> Outcomes:
    """Compute a batch in a worker."""
    if data.fingerprint not in _HELD:
        _HELD[data.fingerprint] = data.unpack() if isinstance(data, Packed) else data
    held = _HELD[data.fingerprint]
    with threadpool_limits(limits=1):
        return [run_cell(held, recipe, resampling, key) for recipe, resampling, key in jobs]


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

    with tempfile.TemporaryDirectory(prefix="hetsel-") as folder:
        yield from Pools(queue, workers, start, Path(folder)).outcomes()


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


def on_cluster(queue: CellQueue, address: str) -> Generator[Outcomes]:
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
        client = Client(address, timeout=20, set_as_default=False)
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
        yield from _through_cluster(client, queue, len(threads))
    finally:
        client.close()


def _through_cluster(client: Any, queue: CellQueue, workers: int) -> Generator[Outcomes]:
    from distributed import wait as wait_for

    held: dict[str, Any] = {}
    flying: dict[Any, list[Job]] = {}
    try:
        while queue or flying:
            while queue and len(flying) < AHEAD * workers:
                data, jobs = queue.take()
                if data.fingerprint not in held:
                    held[data.fingerprint] = client.scatter(data, broadcast=True, hash=False)
                place = held[data.fingerprint]
                future = client.submit(run_batch, place, jobs, pure=False)
                flying[future] = jobs
            with client.as_current():
                finished = wait_for(list(flying), return_when="FIRST_COMPLETED").done
            for done in finished:
                jobs = flying.pop(done)
                if done.status == "finished":
                    yield done.result()
                else:  # not of a cell, which catches its own: of the worker itself
                    text = " ".join(str(done.exception()).split())
                    yield [CellFailure(key, f"on the cluster: {text}", text) for *_, key in jobs]
    finally:
        client.cancel(list(flying))
