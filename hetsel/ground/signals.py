"""Turn Ctrl-C and the termination signals into a KeyboardInterrupt of the main thread."""

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

# Ctrl-C, `kill`, closing the terminal
ENDING = tuple(getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n))
ENDED_BY = {
    getattr(signal, "SIGHUP", 1): "hung up",
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "terminated",
}

_getsig = ctypes.pythonapi["PyOS_getsig"]  # our own object: other users keep their types
_getsig.restype = ctypes.c_void_p
_getsig.argtypes = (ctypes.c_int,)
_setsig = ctypes.pythonapi["PyOS_setsig"]
_setsig.restype = ctypes.c_void_p
_setsig.argtypes = (ctypes.c_int, ctypes.c_void_p)


def exit_code(number: int) -> int:
    """Return the exit code of a program that a signal ended: 130, 143 or 129."""
    return 128 + number


class Pressed(KeyboardInterrupt):
    """A KeyboardInterrupt that :class:`Hearing` raised."""


class Hearing:
    """Signal handler that raises KeyboardInterrupt at once and records the signals received.

    Further signals during cleanup are recorded only, so that they do not interrupt it. A signal
    that Python drops in a callback of compiled code is raised again. A signal during an import
    waits for its end, since the module would be left half loaded. A patient handler only records.
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
            raise self._raised()  # not in a variable: its frame would keep it alive

    def _raised(self) -> Pressed:
        reason = Pressed()
        self._flying = weakref.ref(reason, self._dropped)
        return reason

    def _dropped(self, _: object) -> None:
        self._flying = None
        self._later()  # an exception raised in this callback would be dropped, too

    def _later(self) -> None:
        start_deaf(lambda: _thread.start_new_thread(self._again, ()))

    def _again(self) -> None:
        time.sleep(0.01)
        if not self.patient:
            _thread.interrupt_main(signal.Signals(self.heard[0]))


def _amid_an_import(frame: FrameType | None) -> bool:
    """Check whether this frame, or one of its callers, is loading a module."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def start_deaf(start: Callable[[], object]) -> None:
    """Start a thread that receives none of the signals.

    The system runs a C handler in a thread of its choice. R's handler ends a wait by a long jump,
    which would corrupt the stack of another thread.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows delivers no signals to threads
        start()
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:  # each of these lines may raise a KeyboardInterrupt
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def c_handler(number: int) -> int | None:
    """Return the address of the C handler of a signal: Python's, or another one as in R."""
    address: int | None = _getsig(number)
    return address


def handlers(number: int) -> tuple[Any, int | None]:
    """Return the handlers of a signal, in Python and in C."""
    return signal.getsignal(number), c_handler(number)


def restore_handler(number: int, before: tuple[Any, int | None]) -> None:
    """Restore the handlers of a signal; those of R and reticulate are C handlers."""
    default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    signal.signal(number, default if before[0] is None else before[0])
    _setsig(number, before[1])


@contextmanager
def heard() -> Iterator[Hearing]:
    """Turn the signals into KeyboardInterrupts within the block and restore them afterwards.

    An ignored signal stays ignored, as in the background of a shell or under nohup. A dropped
    KeyboardInterrupt is not reported.
    """
    hearing = Hearing()
    report = sys.unraisablehook
    before = {number: handlers(number) for number in ENDING}
    if threading.current_thread() is not threading.main_thread():
        before = {}
    before = {n: old for n, old in before.items() if old[0] not in (None, signal.SIG_IGN)}
    try:
        sys.unraisablehook = lambda one: None if one.exc_type is Pressed else report(one)
        for number in before:
            signal.signal(number, hearing)
        yield hearing
    finally:
        hearing.patient = True
        sys.unraisablehook = report
        for number, old in before.items():
            restore_handler(number, old)


@contextmanager
def held_back() -> Iterator[None]:
    """Hold Ctrl-C back within the block and deliver it to the outer handler at its end."""
    held = Hearing(patient=True)
    try:
        with installed(held):
            yield
    except KeyboardInterrupt:
        held.heard = [n for n in held.heard if n != signal.SIGINT]  # it was delivered already
        raise
    finally:
        for number in set(held.heard):
            signal.raise_signal(number)


@contextmanager
def installed(handler: Callable[..., Any], also: Iterable[int] = ()) -> Iterator[None]:
    """Install a handler within the block, for the handled signals and those in `also`."""
    outer = {n: handlers(n) for n in ENDING if is_heard(n) or (n in also and _is_default(n))}
    for number in outer:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, before in outer.items():
            restore_handler(number, before)


def is_heard(number: int = signal.SIGINT) -> bool:
    """Check whether a signal has a handler in this thread other than the default."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return c_handler(number) not in (None, int(signal.SIG_IGN))


def _is_default(number: int) -> bool:
    """Check whether a signal would end the process and Python may handle it."""
    main = threading.current_thread() is threading.main_thread()
    return main and c_handler(number) is None
