"""Standard streams that are closed or full: a command ends with an exit code all the same."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NAMES = ("stdin", "stdout", "stderr")


class _Stream:
    """A stream whose errors name it, or are none."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream, self._name = stream, name
        self._failed: OSError | None = None

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream, attribute)

    def write(self, text: str) -> int:
        """Write."""
        self._try(self._stream.write, text)
        return len(text)

    def flush(self) -> None:
        """Flush; a write that has failed is told again, as argparse hides it."""
        self._try(self._stream.flush)
        if self._failed is not None:
            raise self._failed

    def _try(self, action: Any, *arguments: str) -> None:
        try:
            action(*arguments)
        except OSError as reason:
            _to_nowhere(self._stream)
            if self._name != "stderr":  # what a command says on the way ends no work
                self._failed = type(reason)(reason.errno, reason.strerror, self._name)
                raise self._failed from None


@contextmanager
def standard_streams() -> Iterator[None]:
    """Within, stdout names itself in its errors, stderr has none, and each of them is open.

    A closed one, as by `>&-`, is opened on nothing: a file that a command opens would take its
    number, and with it whatever is printed there.
    """
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is None:
            _open(number)
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))  # noqa: SIM115
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Stream(sys.stdout, "stdout"), _Stream(sys.stderr, "stderr")
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _open(number: int) -> None:
    """A descriptor on nothing, unless it is open."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def _to_nowhere(stream: Any) -> None:
    """Drop what a stream still holds, which Python would write at its end, and what comes later."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
