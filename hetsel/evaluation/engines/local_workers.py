"""Cells in worker processes of this machine."""

import queue
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from hetsel.evaluation.computation import CellFailure
from hetsel.evaluation.engines.cell_queue import TICK, Heard, Lost, Order
from hetsel.evaluation.engines.worker_process import WorkerProcess
from hetsel.ground.signals import held_back

TRIES = 3  # processes in a row that may die before they have begun


class Workers:
    """Worker processes: one that dies, or is killed at a time limit, takes one cell with it.

    One starts when there is work for it, at the most `count`; the limit is in seconds a cell.
    """

    def __init__(self, count: int, program: str, limit: float | None) -> None:
        self._count, self._program, self._limit = count, program, limit
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._running: list[WorkerProcess] = []
        self._waiting: deque[Sequence[Order]] = deque()
        self._stillborn = 0  # processes in a row that died before they had begun

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way."""
        return not self._waiting and not any(worker.orders for worker in self._running)

    @property
    def room(self) -> bool:
        """Whether another batch can be sent."""
        free = self._count - sum(bool(worker.orders) for worker in self._running)
        return len(self._waiting) < free

    def send(self, orders: Sequence[Order]) -> None:
        """Send a batch: to a worker that has none, or to a new one."""
        self._waiting.append(orders)
        self._hand_out()

    def _hand_out(self) -> None:
        for worker in self._running:
            if self._waiting and worker.ready and not worker.orders:
                worker.send(self._waiting.popleft())
        starting = sum(not worker.ready for worker in self._running)
        while len(self._waiting) > starting and len(self._running) < self._count:
            with held_back():  # one that nobody knows would leave its files
                self._running.append(WorkerProcess(self._program, self._news))
            starting += 1

    def hear(self) -> list[Heard]:
        """What has come back; waits for a moment where nothing has."""
        heard: list[Heard] = []
        try:
            said = self._news.get(timeout=TICK)
            while True:
                heard += self._understood(*said)
                said = self._news.get_nowait()
        except queue.Empty:
            if not heard:  # some went without a word, as what a method has left holds the pipe
                gone = [worker for worker in self._running if worker.gone]
                heard = [one for worker in gone for one in self._died(worker)]
            for worker in self._running:  # what a late one has said before is heard next
                if time.monotonic() > worker.deadline:
                    worker.deadline, worker.late = float("inf"), True
                    worker.kill()
        self._hand_out()
        return heard

    def _understood(self, worker: WorkerProcess, said: tuple[Any, ...] | None) -> list[Heard]:
        if worker not in self._running:
            return []
        limit = float("inf") if self._limit is None else self._limit
        match said:
            case None:
                return self._died(worker)
            case ("ready",):
                worker.ready = True
                self._stillborn = 0
            case ("begins", loading):
                worker.deadline, worker.late = time.monotonic() + limit + loading, False
            case ("outcome", outcome):
                worker.orders.popleft()
                worker.deadline, worker.late = float("inf"), False
                return [outcome]
        return []

    def _died(self, worker: WorkerProcess) -> list[Heard]:
        how = worker.how_it_ended()
        worker.kill()
        self._running.remove(worker)
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn < TRIES:  # another one starts for what waits
                return []
            raise RuntimeError(
                f"a worker process cannot begin ({how}): `{self._program}` must be able to import "
                "hetsel, and have the memory for it. jobs=0 computes in this process"
            )
        if not worker.orders:
            return []
        first = worker.orders.popleft()
        if worker.orders:  # another one has to compute what is left
            self._waiting.append(list(worker.orders))
        if not worker.late:
            return [Lost(first.key, how)]
        reason = f"the cell took longer than the time limit of {self._limit:g} s"
        return [CellFailure(first.key, reason, reason)]

    def stop(self) -> list[Heard]:
        """Kill all of them, and Ctrl-C waits for it; what was finished by then."""
        with held_back():
            for worker in self._running:
                worker.kill()
        heard: list[Heard] = []
        while not self._news.empty():
            worker, said = self._news.get()
            if worker in self._running and said is not None and said[0] == "outcome":
                heard.append(said[1])
        self._running.clear()
        self._waiting.clear()
        return heard

    def close(self) -> None:
        """End all of them, those with a cell at once."""
        try:
            for worker in self._running:
                worker.kill() if worker.orders or not worker.ready else worker.let_go()
            for worker in self._running:
                worker.end()
        except KeyboardInterrupt:
            self.stop()
            raise
        self._running.clear()


class KeptWorkers(Workers):
    """Workers that outlive a queue and wait for the next one, so that they start once for several.

    At the end of a queue those with a cell end at once; the others forget what they were sent.
    """

    @property
    def begun(self) -> bool:
        return bool(self._running)

    def close(self) -> None:
        self._waiting.clear()
        with held_back():
            for worker in [one for one in self._running if one.orders]:
                worker.kill()
                self._running.remove(worker)
        for worker in self._running:
            worker.forget()

    def end(self) -> None:
        super().close()
