"""The loop of a worker process: it reads orders from stdin and writes outcomes to stdout."""

import atexit
import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO, NoReturn

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.evaluation import computation
from hetsel.evaluation.engines.cell_queue import LOADING, resumed
from hetsel.ground import signals, writing

Tell = Callable[..., None]
LAST = 2.0  # seconds to end


def serve(folder: str) -> None:
    """Compute orders until the pipe is closed; remove the folder of temporary files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if folder:
        os.environ["TMPDIR"] = folder
        atexit.register(writing.remove_folder, folder)  # R is registered later and ends earlier
    orders, answers = _own_pipes()
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    signals.start_deaf(
        threading.Thread(target=_listen, args=(orders, inbox, folder), daemon=True).start
    )

    def tell(*said: object) -> None:
        try:
            answers.write(pickle.dumps(said))
            answers.flush()
        except BrokenPipeError:
            _leave(folder)  # the parent process is gone

    tell("ready")
    held: dict[str, Any] = {}
    while (order := inbox.get()) is not None:
        if order[0] == "hold":
            held[order[1]] = order[2]
            continue
        if order[0] == "forget":
            held.clear()
            continue
        with threadpool_limits(limits=1):
            outcome = _computed(held, tell, *order[1:])
        tell("outcome", outcome)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes; methods read an empty stdin and print to stderr."""
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # no stderr
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
    os.close(nothing)
    return orders, answers


def _listen(orders: BinaryIO, inbox: queue.SimpleQueue[Any], folder: str) -> None:
    """Queue orders; end the process soon after its parent is gone."""
    with contextlib.suppress(Exception):  # including a table that exceeds the memory
        while True:
            inbox.put(pickle.load(orders))
    inbox.put(None)
    time.sleep(LAST)
    _leave(folder)  # also during a cell, since nobody waits for it


def _leave(folder: str) -> NoReturn:
    """End at once with all child processes, and remove temporary files."""
    writing.remove_folder(folder)
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _computed(
    held: dict[str, Any],
    tell: Tell,
    data: str,
    recipe: str,
    resampling: int,
    key: str,
    loading: float,
    known: Any = None,
) -> computation.ComputedResult | computation.CellFailure:
    """Return the outcome of a cell; report before each step its extra time."""
    try:
        tell("begins", LOADING)
        for name in (data, recipe):
            if isinstance(held[name], bytes):
                held[name] = pickle.loads(held[name])
        kind = held[data].target.kind
        computation.warm_up_classifiers(held[recipe], kind)
        tell("begins", loading)
        computation.warm_up(held[recipe], kind)
        tell("begins", 0.0)
        return resumed(held[recipe], known).run(held[data], resampling, key)
    except BaseException as reason:  # workers are not interrupted: a method raised it
        return computation.CellFailure(key, *computation.reason_and_trace(reason))
