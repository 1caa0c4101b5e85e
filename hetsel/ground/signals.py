"""Ctrl-C, and the signals that ask a program to end, as a KeyboardInterrupt of the main thread."""

import _thread
import ctypes
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
ENDED_BY = {
    getattr(signal, "SIGHUP", 1): "hung up",
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "terminated",
}

_getsig = ctypes.pythonapi["PyOS_getsig"]  # a function of our own: others' types stay theirs
_getsig.restype = ctypes.c_void_p
_getsig.argtypes = (ctypes.c_int,)
_setsig = ctypes.pythonapi["PyOS_setsig"]
_setsig.restype = ctypes.c_void_p
_setsig.argtypes = (ctypes.c_int, ctypes.c_void_p)


def exit_code(number: int) -> int:
    """What a program ends with that a signal ended, as shells tell it: 130, 143, 129."""
    return 128 + number


class Pressed(KeyboardInterrupt):
    """A signal was heard."""


class Hearing:
    """Handler of signals that raises KeyboardInterrupt at once, and remembers what it heard.

    Further signals on the way only count, so that three in a row do not tear the cleaning up. One
    that Python drops, in a callback of compiled code, is raised again; one amid an import waits for
    its end, as modules would be left in halves. A patient handler only counts.
    """

    def __init__(self, *, patient: bool = False) -> None:
        self.heard: list[int] = []
        self.patient = patient
        self._flying: weakref.ref[Pressed] | None = None

    def __call__(self, number: int, frame: FrameType | None = None) -> None:
        self.heard.append(number)
        if self.patient or self._flying is not None:
            return
        if _amid_an_import(frame):
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
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def start_deaf(start: Callable[[], object]) -> None:
    """Start a thread to which the system delivers none of the signals. A handler of C runs in the
    thread that the system picks; R's leaves a wait by a long jump, which tears another's stack."""
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


def restore_handler(number: int, before: tuple[Any, int | None]) -> None:
    """Let a signal be heard as it was: that of R or reticulate is a handler of C."""
    default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    signal.signal(number, default if before[0] is None else before[0])
    _setsig(number, before[1])


@contextmanager
def heard() -> Iterator[Hearing]:
    """The signals are KeyboardInterrupts within, and what they were before afterwards. One that is
    ignored, in the background of a shell or under nohup, stays so; of a dropped one nothing is
    said."""
    hearing = Hearing()
    told = sys.unraisablehook
    before = {number: handlers(number) for number in ENDING}
    if threading.current_thread() is not threading.main_thread():
        before = {}
    before = {n: old for n, old in before.items() if old[0] not in (None, signal.SIG_IGN)}
    try:
        sys.unraisablehook = lambda one: None if one.exc_type is Pressed else told(one)
        for number in before:
            signal.signal(number, hearing)
        yield hearing
    finally:
        hearing.patient = True
        sys.unraisablehook = told
        for number, old in before.items():
            restore_handler(number, old)


@contextmanager
def held_back() -> Iterator[None]:
    """Ctrl-C waits within, and comes at the end to whoever would have heard it."""
    held = Hearing(patient=True)
    try:
        with installed(held):
            yield
    except KeyboardInterrupt:
        held.heard = [n for n in held.heard if n != signal.SIGINT]  # it has come already
        raise
    finally:
        for number in set(held.heard):
            signal.raise_signal(number)


@contextmanager
def installed(handler: Callable[..., Any], also: Iterable[int] = ()) -> Iterator[None]:
    """A handler of the signals that are heard, and of others; afterwards those of before."""
    outer = {n: handlers(n) for n in ENDING if is_heard(n) or (n in also and _is_default(n))}
    for number in outer:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, before in outer.items():
            restore_handler(number, before)


def is_heard(number: int = signal.SIGINT) -> bool:
    """Whether somebody handles a signal here: in the main thread, and not by default."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return c_handler(number) not in (None, int(signal.SIG_IGN))


def _is_default(number: int) -> bool:
    """Whether a signal ends the process, and Python may handle it."""
    main = threading.current_thread() is threading.main_thread()
    return main and c_handler(number) is None
