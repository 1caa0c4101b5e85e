"""A worker process, seen from the one that starts it."""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hetsel.evaluation.engines.cell_queue import Order
from hetsel.evaluation.engines.worker_loop import LAST
from hetsel.ground.signals import start_deaf
from hetsel.ground.writing import own_folder, remove

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
        self._folder = own_folder()
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
        start_deaf(self._listener.start)

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
        remove(self._folder)
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
