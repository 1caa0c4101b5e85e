"""Ctrl-C, and the signals that ask a program to end, as a KeyboardInterrupt of the main thread."""

from __future__ import annotations

import _thread
import signal
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

# Ctrl-C, `kill`, a terminal that is closed
ENDING = tuple(getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n))


class Pressed(KeyboardInterrupt):
    """A signal was heard."""


class Hearing:
    """Handler of signals that raises KeyboardInterrupt at once, and remembers what it heard.

    While that is on its way further signals only count: three in a row must not tear the cleaning
    up after the first. One that arises in a callback of compiled code, such as the deletion of an
    object, is printed and dropped there, so it is raised again.

    Attributes
    ----------
    heard : list of int
        The signals that came.
    patient : bool
        Whether it only counts.
    """

    def __init__(self, *, patient: bool = False) -> None:
        self.heard: list[int] = []
        self.patient = patient
        self._flying: weakref.ref[Pressed] | None = None

    def __call__(self, number: int, frame: object = None) -> None:
        self.heard.append(number)
        if not self.patient and self._flying is None:
            raise self._raised()  # in no variable: a frame that holds it keeps it alive

    def _raised(self) -> Pressed:
        reason = Pressed()
        self._flying = weakref.ref(reason, self._dropped)
        return reason

    def _dropped(self, _: object) -> None:
        self._flying = None
        # in a thread, as what is raised in this callback would be dropped as well
        _thread.start_new_thread(self._again, ())

    def _again(self) -> None:
        time.sleep(0.01)
        if not self.patient:
            _thread.interrupt_main(signal.Signals(self.heard[0]))


@contextmanager
def heard(numbers: Iterable[int] = ENDING) -> Iterator[Hearing]:
    """The signals are KeyboardInterrupts within, and what they were before afterwards.

    One that is ignored, as SIGINT in the background of a shell or SIGHUP under nohup, stays so.
    """
    hearing = Hearing()
    before = {number: signal.getsignal(number) for number in numbers}
    if threading.current_thread() is not threading.main_thread():
        before = {}
    before = {n: old for n, old in before.items() if old not in (None, signal.SIG_IGN)}
    try:
        for number in before:
            signal.signal(number, hearing)
        yield hearing
    finally:
        hearing.patient = True
        for number, old in before.items():
            signal.signal(number, old)
