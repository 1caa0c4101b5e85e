"""Cells on a Dask cluster.

Each worker of the cluster starts a separate worker process. A method that crashes or hangs ends
this process, not the worker of the cluster, which other users may need.
"""

import dataclasses
import logging
import queue
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from hetsel.evaluation.by_key.code_of_modules import CodeFacts
from hetsel.evaluation.computation import CellFailure, in_a_line
from hetsel.evaluation.engines.cell_queue import TICK, Heard, Lost, Order, Parcel, code_difference
from hetsel.evaluation.engines.local_workers import Workers, python
from hetsel.ground import TableError, need
from hetsel.ground.signals import start_deaf

AHEAD = 2  # batches per worker, so that no worker is idle
ASK_EVERY = 2.0  # seconds between two checks of the workers
ADDRESS = re.compile(r"inproc://\S+|(\w+://)?\S+:\d+")
PATIENCE = 30.0  # seconds that a cluster may lack its scheduler or all workers
IDLE = 60.0  # seconds without a batch after which the process ends, since its run may be gone


@dataclass
class Beside:
    """The worker process of a run on this machine, with its results of a batch."""

    workers: Workers
    found: list[Heard] = field(default_factory=list)
    computing: threading.Lock = field(default_factory=threading.Lock)
    batches: int = 0

    def rest(self, batches: int) -> None:
        """End the process if it has received no other batch."""
        with self.computing:
            if self.batches == batches:
                self.workers.close()


_BESIDE: dict[str, Beside] = {}
_ENDED: set[str] = set()


def compute_batch(
    run: str, data: Parcel, orders: Sequence[Order], limit: float | None, code: CodeFacts
) -> list[Heard] | str:
    """Return the outcomes of a batch, or the reason why this worker cannot be used."""
    if differs := code_difference(code):
        return differs
    program = python()
    if program is None:
        return "its Python program, which a worker process would run, is unknown"
    beside = _BESIDE.setdefault(run, Beside(Workers(1, program, limit)))
    with beside.computing:
        beside.found = []
        beside.batches += 1
        try:
            beside.workers.send([dataclasses.replace(order, data=data) for order in orders])
            while run not in _ENDED and not beside.workers.idle:
                beside.found += beside.workers.hear()
        finally:
            if not beside.workers.idle:  # it was ended or cannot start
                beside.found += beside.workers.stop()
        resting = threading.Timer(IDLE, beside.rest, (beside.batches,))
        resting.daemon = True
        start_deaf(resting.start)
        return beside.found


def end(run: str) -> list[Heard]:
    """End the worker process of a run; return its results of an unfinished batch."""
    _ENDED.add(run)
    beside = _BESIDE.pop(run, None)
    if beside is None:
        return []
    with beside.computing:  # it ends soon
        return [*beside.found, *beside.workers.stop()]


class DaskCluster:
    """A running Dask cluster, whose workers must have the `code` of this process."""

    def __init__(self, address: str, limit: float | None, code: CodeFacts) -> None:
        Client = need("distributed").Client
        if not isinstance(address, str) or not ADDRESS.fullmatch(address):
            raise TableError(
                "dask must be the address of a Dask cluster, such as tcp://host:8786. "
                f"Got {address!r:.60}"
            )
        self._address, self._limit, self._code = address, limit, code
        self._run = uuid.uuid4().hex
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._flying: dict[Any, Sequence[Order]] = {}
        self._scattered: dict[str, Any] = {}
        self._well = self._asked = time.monotonic()
        self._speak_again = _silence()
        try:
            self._client = Client(address, timeout=20, set_as_default=False)
        except (OSError, ValueError) as reason:
            self._speak_again()
            text = f"no Dask cluster answers at {address} ({in_a_line(str(reason))})"
            raise RuntimeError(text) from None
        try:
            self._workers = self._usable()
        except BaseException:
            self.close()
            raise

    def _usable(self) -> int:
        """Return the number of workers after checking their threads and code."""
        threads = self._client.nthreads()
        if not threads:
            raise RuntimeError(f"the Dask cluster at {self._address} has no worker. Start one")
        if max(threads.values()) > 1:
            raise RuntimeError(
                f"the workers of the Dask cluster at {self._address} must run one thread each "
                f"(--nthreads 1). Got {max(threads.values())}"
            )
        answers = self._client.run(code_difference, self._code, on_error="return")
        for worker, differs in answers.items():
            if isinstance(differs, BaseException):
                differs = f"hetsel cannot be used there ({type(differs).__name__}: {differs})"
            if differs:
                raise self._refused(worker, differs)
        return len(threads)

    def _refused(self, worker: str, differs: str) -> RuntimeError:
        return RuntimeError(
            f"worker {worker} of the Dask cluster must have the same software as this session. Got "
            f"{in_a_line(differs)}. Install the same versions there"
        )

    @property
    def idle(self) -> bool:
        return not self._flying

    @property
    def room(self) -> bool:
        return len(self._flying) < AHEAD * self._workers

    def send(self, orders: Sequence[Order]) -> None:
        """Send a batch to the first free worker."""
        packed = [
            Order(Parcel("", b""), Parcel(self._named(o.recipe), o.recipe.packed()), *o.place)
            for o in orders
        ]
        with self._heard():
            data = self._place(orders[0].data)
            given = (self._run, data, packed, self._limit, self._code)
            future = self._client.submit(compute_batch, *given, pure=False)
            self._flying[future] = orders
            future.add_done_callback(self._news.put)

    def _named(self, parcel: Parcel) -> str:
        """Return the name of a recipe or table on the workers."""
        return parcel.name

    def _place(self, data: Parcel) -> Any:
        """Return the table on the workers; it is sent once unless all copies are lost."""
        held = self._scattered.get(data.name)
        if held is None or held.status != "finished":
            name = self._named(data)
            named = {f"hetsel-{name}": Parcel(name, data.packed())}
            (held,) = self._client.scatter(named, broadcast=True, hash=False).values()
            self._scattered[data.name] = held
        return held

    def hear(self) -> list[Heard]:
        with self._heard():
            try:
                return self._settled(self._news.get(timeout=TICK))
            except queue.Empty:
                self._look_up()
                return []

    def _settled(self, future: Any) -> list[Heard]:
        self._well = time.monotonic()
        orders = self._flying.pop(future, ())
        if future.status == "finished":
            found = future.result()
            if isinstance(found, str):
                raise self._refused("that has joined", found)
            return list(found)
        if self._client.status != "running":
            self._flying[future] = orders  # cancelled because the scheduler is gone
            raise self._lost("scheduler")
        reason = future.exception() if future.status == "error" else None
        kind = type(reason).__name__
        if reason is None or kind in ("KilledWorker", "FutureCancelledError", "CancelledError"):
            return [Lost(order.key, "on the cluster") for order in orders]
        text = in_a_line(f"on the cluster: {kind}: {reason}")
        if kind == "RuntimeError":  # not caused by a cell
            raise RuntimeError(text)
        return [CellFailure(order.key, text, text) for order in orders]

    def _look_up(self) -> None:
        """Check whether scheduler and workers still exist."""
        now = time.monotonic()
        if now < self._asked + ASK_EVERY:
            return
        self._asked = now
        running = self._client.status == "running"
        if running and _within(PATIENCE, self._client.nthreads):
            self._well = now
        elif now > self._well + PATIENCE:
            raise self._lost("workers" if running else "scheduler")

    def _lost(self, what: str) -> RuntimeError:
        return RuntimeError(
            f"the Dask cluster at {self._address} has lost its {what}. Finished cells are kept. "
            "Run again on a working cluster to compute the others"
        )

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Convert errors of a lost connection."""
        from distributed.comm.core import CommClosedError

        try:
            yield
        except (CommClosedError, OSError):
            raise self._lost("scheduler") from None

    def stop(self) -> list[Heard]:
        """End the worker processes; return what was finished."""
        heard: list[Heard] = []
        wanted = {order.key for orders in self._flying.values() for order in orders}
        with suppress(Exception):
            _within(PATIENCE, self._end, heard)
        self._flying.clear()
        # two workers may have computed one batch
        found = {one.key: one for one in heard if one.key in wanted}
        return [one for one in found.values() if not isinstance(one, Lost)]

    def _end(self, heard: list[Heard]) -> None:
        with suppress(RuntimeError):
            while not self._news.empty():
                heard += self._settled(self._news.get())
        self._client.cancel(list(self._flying))
        answers = self._client.run(end, self._run, on_error="ignore")
        heard += [one for found in answers.values() for one in found]

    def close(self) -> None:
        there = self._client.status == "running"
        if there:
            self.stop()
        with suppress(Exception):
            self._client.close(timeout=2)
        if there:  # otherwise its client logs errors until the program ends
            self._speak_again()


class KeptCluster(DaskCluster):
    """A cluster for several queues, each with its own names."""

    _queues = 0

    def _named(self, parcel: Parcel) -> str:
        return f"{self._queues} {parcel.name}"

    def close(self) -> None:
        """Prepare for the next queue; do not wait for running batches."""
        self._queues += 1
        self._scattered.clear()
        if not self.idle:
            self.stop()
            self._run, self._news = uuid.uuid4().hex, queue.SimpleQueue()  # this run has ended

    def end(self) -> None:
        super().close()


def _within(seconds: float, ask: Callable[..., Any], *values: Any) -> Any:
    """Return the answer of the cluster within a time, since a stopped one never answers."""
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def wait() -> None:
        try:
            answers.put((ask(*values), None))
        except Exception as reason:
            answers.put((None, reason))

    start_deaf(threading.Thread(target=wait, daemon=True).start)
    try:
        answer, reason = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if reason is not None:
        raise reason
    return answer


def _silence() -> Callable[[], None]:
    """Stop Dask from logging tracebacks that it also raises; return a function to undo it."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)

    def speak_again() -> None:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)

    return speak_again
