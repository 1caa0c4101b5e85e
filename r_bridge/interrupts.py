"""Handle Ctrl-C while Python calls R or R calls Python: only the one that computes handles it.

An interrupt of R that unwinds through Python's frames crashes the process.
"""

import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hetsel.ground.signals import ENDING, Hearing, held_back, installed, is_heard, start_deaf

_END = b"\0"  # no signal has this number
_OTHERS = set(ENDING) - {signal.SIGINT}


@contextmanager
def ctrl_c_heard() -> Iterator[None]:
    """Raise Ctrl-C as a KeyboardInterrupt inside, and restore its handler afterwards.

    With reticulate, R and Python compete for it, so it may be lost or become another error.
    Compiled code may print it and continue, so it is raised again at the end.
    """
    hearing = Hearing()
    try:
        with _as_interrupt(hearing), installed(hearing, _OTHERS):
            try:
                if _held_back_by_r():
                    hearing(signal.SIGINT)
                yield
            finally:
                hearing.patient = True  # a further one must not tear the way out
    finally:
        for number in set(hearing.heard) - {signal.SIGINT}:
            signal.raise_signal(number)


@contextmanager
def passed_to_r(library: ctypes.CDLL) -> Iterator[None]:
    """Let Ctrl-C interrupt R inside, where R allows it, instead of waiting until R returns.

    While R computes, only Python's C code handles a signal. It writes the number of the signal into
    a pipe, and a thread that reads the pipe sets R's flag once; R then unwinds. If the handler is
    not Python's own, such as that of a study with a running cell, it gets the first Ctrl-C, and the
    second one interrupts R. R is uninterruptible except inside `allowInterrupts`, so an interrupt
    cannot unwind through the frames of Python.
    """
    suspended = ctypes.c_int.in_dll(library, "R_interrupts_suspended")
    outer, suspended.value = suspended.value, True
    try:
        if not any(map(is_heard, ENDING)):
            yield
            return
        before = signal.getsignal(signal.SIGINT)
        prompt = before in (None, signal.default_int_handler) or isinstance(before, Hearing)
        with held_back(), _watched(library, 1 if prompt else 2):
            yield
    finally:
        suspended.value = outer


@contextmanager
def _watched(library: ctypes.CDLL, needed: int) -> Iterator[None]:
    """Set R's interrupt flag after the given number of SIGINTs."""
    pending = ctypes.c_int.in_dll(library, "R_interrupts_pending")
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    told = threading.Event()

    def watch() -> None:
        presses = 0
        for number in iter(lambda: os.read(reading, 1), _END):
            presses += needed if number[0] in _OTHERS else number[0] == signal.SIGINT
            if presses >= needed and not told.is_set():
                told.set()
                pending.value = True
            if before >= 0:
                with suppress(BlockingIOError):  # full of news that nobody has read
                    os.write(before, number)  # an event loop of the user's may wait for it

    watcher = threading.Thread(target=watch, daemon=True)
    start_deaf(watcher.start)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.write(writing, _END)
        watcher.join()
        os.close(reading)
        os.close(writing)
        if told.is_set():
            pending.value = False  # it may have come too late for R


@contextmanager
def _as_interrupt(heard: Hearing) -> Iterator[None]:
    """Raise a KeyboardInterrupt after Ctrl-C, also if it was lost or became another error."""
    try:
        yield
    except Exception as reason:
        if heard.heard:
            raise KeyboardInterrupt from reason
        raise
    if heard.heard:
        raise KeyboardInterrupt


def _held_back_by_r() -> bool:
    """Whether the R around this Python has a pending interrupt; reading clears it."""
    if not is_heard():
        return False
    try:
        pending = ctypes.c_int.in_dll(ctypes.CDLL(None), "R_interrupts_pending")
    except (OSError, TypeError, ValueError):  # there is no R, or it is one of Windows
        return False
    waits, pending.value = bool(pending.value), False
    return waits
