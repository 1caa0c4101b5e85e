"""Cells one after the other in this process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.study.batches import Outcomes
from hetsel.study.cell import run_cell
from hetsel.study.queue import CellQueue


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
