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

TRIES = 3  # consecutive processes that may die before they are ready
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)
# imports use the folders of this session
BEGIN = (
    "import sys; folder, *sys.path[:] = sys.argv[1:]; del sys.argv[1:]; "
    "from hetsel.evaluation.engines.worker_loop import serve; serve(folder)"
)


def python() -> str | None:
    """Return the Python program for workers; None if it is unknown, as in some R sessions."""
    folder = Path(sys.prefix) / "bin"
    for program in (sys.executable, str(folder / "python3"), str(folder / "python")):
        named = bool(program) and Path(program).name.lower().startswith("python")
        if named and os.access(program, os.X_OK):
            return program
    return None


class WorkerProcess:
    """A Python process that computes cells one after the other.

    It has a separate process group, so it does not receive Ctrl-C from a terminal, and ending the
    group ends all child processes of a method. It has a folder for temporary files, which are
    removed with it, also those of R. It ends when this process is gone. `news` receives (worker,
    message) for each message, and None at the end.
    """

    def __init__(self, program: str, news: queue.SimpleQueue[Any]) -> None:
        self.ready = False  # whether it has started
        self.orders: deque[Order] = deque()  # cells to compute; the first is being computed
        self.deadline = float("inf")  # deadline of this cell on the monotonic clock
        self.late = False  # whether it was ended at the deadline
        self._held: set[str] = set()
        self._folder = writing.own_folder()
        alone: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            alone = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        self._process = subprocess.Popen(
            # without modules of the working directory, which may have a json.py
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
        with (
            self._process.stdout as stdout,
            suppress(Exception),
        ):  # incomplete message: the process is gone
            while True:
                news.put((self, pickle.load(stdout)))
        news.put((self, None))

    def send(self, orders: Sequence[Order]) -> None:
        """Send cells to a worker that is ready and idle."""
        self.orders.extend(orders)
        with suppress(OSError):  # a dead worker is reported by `news`
            for order in orders:
                for parcel in (order.data, order.recipe):
                    if parcel.name not in self._held:
                        self._held.add(parcel.name)
                        self._write("hold", parcel.name, parcel.packed())
                self._write("compute", order.data.name, order.recipe.name, *order.place)

    def forget(self) -> None:
        """Delete data sets and recipes in an idle worker."""
        if self._held:
            self._held.clear()
            with suppress(OSError):  # a dead worker is reported by `news`
                self._write("forget")

    def _write(self, *said: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(said, self._process.stdin)
        self._process.stdin.flush()

    @property
    def gone(self) -> bool:
        """Whether it has ended, also if a child process of a method still has the pipe."""
        return self._process.poll() is not None

    def how_it_ended(self) -> str:
        """Return the signal or exit code of a worker that has ended."""
        with suppress(subprocess.TimeoutExpired):  # its last message precedes its end
            self._process.wait(1.0)
        code = self._process.poll()
        if code is None:
            return "no response"
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
        self._listener.join(1.0)  # not longer, since a child process of a method may have the pipe

    def let_go(self) -> None:
        """Close its stdin, so that an idle worker ends normally, including R."""
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def end(self) -> None:
        """Wait until it ends normally; then end its child processes."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST + 1.0)
        self.kill()


class WorkerError(errors.ErrorWithFixes, RuntimeError):
    """Worker processes cannot start."""


class Workers:
    """Up to `count` worker processes; a worker that dies or is late loses one cell.

    `alone` is the number of jobs by which users choose this process.
    """

    def __init__(self, count: int, program: str, limit: float | None, alone: int = 0) -> None:
        self._count, self._program, self._limit, self._alone = count, program, limit, alone
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._running: list[WorkerProcess] = []
        self._waiting: deque[Sequence[Order]] = deque()
        self._stillborn = 0  # consecutive processes that died before they were ready

    @property
    def idle(self) -> bool:
        """Whether no cell is waiting or being computed."""
        return not self._waiting and not any(worker.orders for worker in self._running)

    @property
    def room(self) -> bool:
        """Whether another batch can be sent."""
        free = self._count - sum(bool(worker.orders) for worker in self._running)
        return len(self._waiting) < free

    def send(self, orders: Sequence[Order]) -> None:
        """Send a batch to an idle worker or to a new one."""
        self._waiting.append(orders)
        self._hand_out()

    def _hand_out(self) -> None:
        for worker in self._running:
            if self._waiting and worker.ready and not worker.orders:
                worker.send(self._waiting.popleft())
        starting = sum(not worker.ready for worker in self._running)
        while len(self._waiting) > starting and len(self._running) < self._count:
            with signals.held_back():  # an unregistered worker would leave its files
                self._running.append(WorkerProcess(self._program, self._news))
            starting += 1

    def hear(self) -> list[Heard]:
        """Return what has come back; wait briefly if there is nothing."""
        heard: list[Heard] = []
        try:
            said = self._news.get(timeout=TICK)
            while True:
                heard += self._understood(*said)
                said = self._news.get_nowait()
        except queue.Empty:
            if not heard:  # workers without a last message, if a child process has the pipe
                gone = [worker for worker in self._running if worker.gone]
                heard = [one for worker in gone for one in self._died(worker)]
            for worker in self._running:  # earlier messages of a late worker follow
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
            if self._stillborn < TRIES:  # another worker starts for the waiting cells
                return []
            raise WorkerError(
                f"a worker process cannot start ({how}). `{self._program}` must be able to import "
                "hetsel and have enough memory",
                errors.Fix("jobs", self._alone, "to compute in this process"),
            )
        if not worker.orders:
            return []
        first = worker.orders.popleft()
        if worker.orders:  # another worker computes the rest
            self._waiting.append(list(worker.orders))
        if not worker.late:
            return [Lost(first.key, how)]
        reason = f"the cell took longer than the time limit of {self._limit:g} s"
        return [CellFailure(first.key, reason, reason)]

    def stop(self) -> list[Heard]:
        """Kill all workers, without interruption by Ctrl-C; return what was finished."""
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
        """End all workers; busy ones at once."""
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
    """Workers that wait for the next queue without earlier data; busy ones are ended."""

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
