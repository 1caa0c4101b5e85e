"""Ctrl-C, and the signals that ask a program to end, as a KeyboardInterrupt of the main thread."""

from __future__ import annotations

import _thread
import ctypes
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

# Ctrl-C, `kill`, a terminal that is closed
ENDING = tuple(getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n))

_getsig = ctypes.pythonapi["PyOS_getsig"]  # a function of our own: others' types stay theirs
_getsig.restype = ctypes.c_void_p
_getsig.argtypes = (ctypes.c_int,)
_setsig = ctypes.pythonapi["PyOS_setsig"]
_setsig.restype = ctypes.c_void_p
_setsig.argtypes = (ctypes.c_int, ctypes.c_void_p)


class Pressed(KeyboardInterrupt):
    """A signal was heard."""


class Hearing:
    """Handler of signals that raises KeyboardInterrupt at once, and remembers what it heard.

    While that is on its way further signals only count: three in a row must not tear the cleaning
    up after the first. One that arises in a callback of compiled code, such as the deletion of an
    object, is printed and dropped there, so it is raised again. Amid an import it waits for the end
    of that: modules that refer to one another would be left in halves, for good.

    Parameters
    ----------
    patient : bool
        Whether it only counts.
    lasting : bool
        Whether the process goes on afterwards: then it waits for the end of numba's work, too. That
        takes new definitions from iterators, and what is lost of these never comes again.

    Attributes
    ----------
    heard : list of int
        The signals that came.
    patient, lasting : bool
        As above.
    """

    def __init__(self, *, patient: bool = False, lasting: bool = False) -> None:
        self.heard: list[int] = []
        self.patient = patient
        self.lasting = lasting
        self._flying: weakref.ref[Pressed] | None = None

    def __call__(self, number: int, frame: FrameType | None = None) -> None:
        self.heard.append(number)
        if self.patient or self._flying is not None:
            return
        if _amid_an_import(frame) or (self.lasting and _amid_numba(frame)):
            self._later()
        else:
            raise self._raised()  # in no variable: a frame that holds it keeps it alive

    def _raised(self) -> Pressed:
        reason = Pressed()
        self._flying = weakref.ref(reason, self._dropped)
        return reason

    def _dropped(self, _: object) -> None:
        self._flying = None
        self._later()  # as what is raised in this callback would be dropped as well

    def _later(self) -> None:
        start_deaf(lambda: _thread.start_new_thread(self._again, ()))

    def _again(self) -> None:
        time.sleep(0.01)
        if not self.patient:
            _thread.interrupt_main(signal.Signals(self.heard[0]))


def _amid_an_import(frame: FrameType | None) -> bool:
    """Whether a module is being loaded in this frame or in one that called it."""
    return any(file == "<frozen importlib._bootstrap>" for file in _files(frame))


def _amid_numba(frame: FrameType | None) -> bool:
    """Whether this frame, or one that called it, is of numba."""
    numba = sys.modules.get("numba")
    folder = os.path.join(numba.__path__[0], "") if numba is not None else None
    return folder is not None and any(file.startswith(folder) for file in _files(frame))


def _files(frame: FrameType | None) -> Iterator[str]:
    """The file of a frame and of each that called it."""
    while frame is not None:
        yield frame.f_code.co_filename
        frame = frame.f_back


def start_deaf(start: Callable[[], object]) -> None:
    """Start a thread to which the system delivers none of the signals.

    A handler of C runs in the thread that the system picks, which is another one than the main
    thread where that has a signal still to handle. That of R leaves a wait by a long jump: from
    another thread it would tear the stack, and R with it.

    Parameters
    ----------
    start : callable
        Starts one thread or more, such as the method `start` of one.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows delivers none to threads
        start()
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:  # a KeyboardInterrupt may come out of any of these lines
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def c_handler(number: int) -> int | None:
    """Address of what hears a signal: of Python's own function, or of another one, as in R."""
    address: int | None = _getsig(number)
    return address


def handlers(number: int) -> tuple[Any, int | None]:
    """What hears a signal, in Python and in C."""
    return signal.getsignal(number), c_handler(number)


def put_back(number: int, before: tuple[Any, int | None]) -> None:
    """Let a signal be heard as it was: that of R or reticulate is a handler of C."""
    default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    signal.signal(number, default if before[0] is None else before[0])
    _setsig(number, before[1])


@contextmanager
def heard(numbers: Iterable[int] = ENDING) -> Iterator[Hearing]:
    """The signals are KeyboardInterrupts within, and what they were before afterwards.

    One that is ignored, as SIGINT in the background of a shell or SIGHUP under nohup, stays so.
    """
    hearing = Hearing()
    before = {number: handlers(number) for number in numbers}
    if threading.current_thread() is not threading.main_thread():
        before = {}
    before = {n: old for n, old in before.items() if old[0] not in (None, signal.SIG_IGN)}
    try:
        for number in before:
            signal.signal(number, hearing)
        yield hearing
    finally:
        hearing.patient = True
        for number, old in before.items():
            put_back(number, old)
