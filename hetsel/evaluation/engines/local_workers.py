"""Cells in worker processes of this machine."""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hetsel.evaluation.computation import CellFailure
from hetsel.evaluation.engines.cell_queue import TICK, Heard, Lost, Order
from hetsel.evaluation.engines.worker_loop import LAST
from hetsel.ground import errors, signals, writing

TRIES = 3  # processes in a row that may die before they have begun
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)
# the folders to import from are those of this session
BEGIN = (
    "import sys; folder, *sys.path[:] = sys.argv[1:]; del sys.argv[1:]; "
    "from hetsel.evaluation.engines.worker_loop import serve; serve(folder)"
)


def python() -> str | None:
    """The program that a worker is: this Python; None where it is not known, as in some R's."""
    folder = Path(sys.prefix) / "bin"
    for program in (sys.executable, str(folder / "python3"), str(folder / "python")):
        named = bool(program) and Path(program).name.lower().startswith("python")
        if named and os.access(program, os.X_OK):
            return program
    return None


class WorkerProcess:
    """A Python process that computes cells, one after the other.

    It never hears Ctrl-C, which a terminal sends to all of a group: it has a group of its own, with
    which all ends that a method has started, and a folder for temporary files, with which those of
    a method go, R's among them. It ends by itself when this process is gone. `news` gets (this
    worker, what it says) for all that it says, and None at its end.
    """

    def __init__(self, program: str, news: queue.SimpleQueue[Any]) -> None:
        self.ready = False  # whether it has begun
        self.orders: deque[Order] = deque()  # what it has to compute; the first is on the way
        self.deadline = float("inf")  # when that must be done, by the monotonic clock
        self.late = False  # whether it was ended because that was not
        self._held: set[str] = set()
        self._folder = writing.own_folder()
        alone: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            alone = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        self._process = subprocess.Popen(
            # no module of the working directory is loaded, which may hold a json.py
            [program, *flags, "-P", "-c", BEGIN, self._folder, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ONE_THREAD, "PYTHONSAFEPATH": "1"},
            **alone,
        )
        self._listener = threading.Thread(target=self._listen, args=(news,), daemon=True)
        signals.start_deaf(self._listener.start)

    def _listen(self, news: queue.SimpleQueue[Any]) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stdout, suppress(Exception):  # half of a message: it is gone
            while True:
                news.put((self, pickle.load(stdout)))
        news.put((self, None))

    def send(self, orders: Sequence[Order]) -> None:
        """Send cells; only where it is ready and has none, so that it reads at once."""
        self.orders.extend(orders)
        with suppress(OSError):  # it is gone, and the news will say so
            for order in orders:
                for parcel in (order.data, order.recipe):
                    if parcel.name not in self._held:
                        self._held.add(parcel.name)
                        self._write("hold", parcel.name, parcel.packed())
                self._write("compute", order.data.name, order.recipe.name, *order.place)

    def forget(self) -> None:
        """Let go of the data sets and recipes that it was sent; only where it has no cell."""
        if self._held:
            self._held.clear()
            with suppress(OSError):  # it is gone, and the news will say so
                self._write("forget")

    def _write(self, *said: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(said, self._process.stdin)
        self._process.stdin.flush()

    @property
    def gone(self) -> bool:
        """Whether it has ended, also where a process that a method has left keeps the pipe."""
        return self._process.poll() is not None

    def how_it_ended(self) -> str:
        """The signal or the exit code of one that is no longer heard of."""
        with suppress(subprocess.TimeoutExpired):  # its last word comes before its end
            self._process.wait(1.0)
        code = self._process.poll()
        if code is None:
            return "no longer heard of"
        if code < 0:
            with suppress(ValueError):
                return signal.Signals(-code).name
        return f"exit code {code}"

    def kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.let_go()
        writing.remove_folder(self._folder)
        self._listener.join(1.0)  # no longer, as what a method has started may hold the pipe

    def let_go(self) -> None:
        """Nothing more will be sent: if it has nothing to do, it ends in its own way, R and all."""
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def end(self) -> None:
        """Wait until it ends in its own way; with it ends what it has started."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST + 1.0)
        self.kill()


class WorkerError(errors.ErrorWithFixes, RuntimeError):
    """Worker processes cannot begin."""


class Workers:
    """Worker processes, `count` at the most: one that dies, or is late, takes one cell with it.

    `alone` is the number of jobs by which a user computes in this process.
    """

    def __init__(self, count: int, program: str, limit: float | None, alone: int = 0) -> None:
        self._count, self._program, self._limit, self._alone = count, program, limit, alone
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
            with signals.held_back():  # one that nobody knows would leave its files
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
            raise WorkerError(
                f"a worker process cannot begin ({how}): `{self._program}` must be able to import "
                "hetsel, and have the memory for it",
                errors.Fix("jobs", self._alone, "to compute in this process"),
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
        with signals.held_back():
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
    """Workers that wait for the next queue, having forgotten the last; those with a cell end."""

    @property
    def begun(self) -> bool:
        return bool(self._running)

    def close(self) -> None:
        self._waiting.clear()
        with signals.held_back():
            for worker in [one for one in self._running if one.orders]:
                worker.kill()
                self._running.remove(worker)
        for worker in self._running:
            worker.forget()

    def end(self) -> None:
        super().close()
