"""Cells one after the other in this process, and the first Ctrl-C of a run."""

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.evaluation.engines.cell_queue import CellQueue
from hetsel.evaluation.engines.sent_cells import Outcomes
from hetsel.ground.signals import handlers, put_back, start_deaf

PATIENCE = 2.0  # seconds that a cell has to end in after Ctrl-C


def in_process(queue: CellQueue, enough: Callable[[], bool] | None = None) -> Generator[Outcomes]:
    """Compute one cell after the other; Ctrl-C waits a moment for the end of a cell.

    `enough`, asked between two batches, says whether others are to go on.
    """
    with threadpool_limits(limits=1), first_interrupt(PATIENCE) as interrupted:
        while queue and not (enough is not None and enough()):
            data, jobs = queue.take()
            outcomes: Outcomes = []
            try:
                for recipe, resampling, key in jobs:
                    outcomes.append(recipe.run(data, resampling, key))
                    if interrupted.is_set():
                        break
            except KeyboardInterrupt:
                yield outcomes
                raise
            yield outcomes
            if interrupted.is_set():
                raise KeyboardInterrupt


@contextmanager
def first_interrupt(patience: float | None = None) -> Iterator[threading.Event]:
    """The first Ctrl-C sets an event; the next one interrupts at once, as it did before.

    One that came too late for anybody to look at the event interrupts at the end.

    A KeyboardInterrupt may be lost: one that arises while compiled code is being loaded is printed
    and ignored there, and the run would go on.

    Parameters
    ----------
    patience : float, optional
        Seconds after which the first one interrupts as well.
    """
    heard = threading.Event()
    before = handlers(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before[0] in (None, signal.SIG_IGN):
        yield heard  # not ours to hear, as in the background of a shell
        return
    again = threading.Timer(patience or 0.0, _interrupt)
    again.daemon = True

    def hear(*_: object) -> None:
        heard.set()
        put_back(signal.SIGINT, before)
        if patience is not None:
            start_deaf(again.start)

    signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        again.cancel()
        put_back(signal.SIGINT, before)
    if heard.is_set():
        raise KeyboardInterrupt


def _interrupt() -> None:
    """Ctrl-C for the main thread, also in a sleep."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGINT)
