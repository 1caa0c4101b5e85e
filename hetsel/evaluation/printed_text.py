"""What a method prints: kept with its cell, not on the terminal."""

import contextlib
import io
import sys
from collections.abc import Iterator
from typing import Any

KEPT = 300  # most characters of a cell


class PrintedText(io.TextIOBase):
    """Keep the beginning of a text that is written, and count its characters.

    Programs that a method starts with this stream still write to the stream below.
    """

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, below: Any) -> None:
        self._below, self._count = below, 0
        self._parts: list[str] = []

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, text: str) -> int:
        """Keep a text if there is room."""
        if self._count < KEPT:
            self._parts.append(text[: KEPT - self._count])
        self._count += len(text)
        return len(text)

    def fileno(self) -> int:
        """Return the file number of the stream below."""
        if self._below is None:
            raise io.UnsupportedOperation("fileno")
        return int(self._below.fileno())

    @property
    def buffer(self) -> Any:
        """The bytes of the stream below."""
        return self._below.buffer

    @property
    def text(self) -> str:
        """The kept text in one line; a longer text ends with its number of characters."""
        kept = " ".join("".join(self._parts).split())
        return f"{kept} ... ({self._count} characters)" if self._count > KEPT else kept


@contextlib.contextmanager
def printed() -> Iterator[PrintedText]:
    """Keep what Python code prints on stdout and stderr within the block.

    Examples
    --------
    >>> with printed() as told:
    ...     print("a step")
    ...     print("a hint", file=sys.stderr)
    >>> told.text
    'a step a hint'
    """
    told = PrintedText(sys.stderr)
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        yield told
