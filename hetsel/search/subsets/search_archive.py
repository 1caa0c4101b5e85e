"""The archive of a search: every computed value, in a file that survives the process."""

import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from filelock import lock_descriptor

from hetsel.ground import TableError

FIRST = "hetsel search archive"
VERSION = "2"


class Archive:
    """Values of the criteria by subset, in the order in which they were computed.

    A file keeps every value as soon as it is known, one per line, and is read first. A line that
    was cut off by a crash is dropped. Values are hexadecimal, and each line ends with its CRC-32.
    The lock is on the file itself and ends with the process.
    """

    def __init__(self, path: str | Path | None = None, about: str = "") -> None:
        self.values: dict[int, tuple[float, ...]] = {}
        self._file: IO[bytes] | None = None
        if path is None:
            return
        self._path = Path(path)
        folder = self._path.absolute().parent
        if not folder.is_dir():
            raise TableError(
                f"archive must be a file in an existing folder. There is no folder {folder}"
            )
        if self._path.exists() and not self._path.is_file():
            raise TableError(f"archive must be a file. {path} is none. Specify another")
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self._path, flags, 0o666), "r+b")
        try:
            if not lock_descriptor(self._file.fileno(), blocking=False):
                raise TableError(
                    f"another search writes {path}. Wait until it ends, or specify another archive"
                )
            self._read(self._file, f"{FIRST} {VERSION} {about}\n".encode())
        except BaseException:
            self.close()
            raise

    def _read(self, file: IO[bytes], head: bytes) -> None:
        """Read the content of the file; a file that is no archive stays unchanged."""
        content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if content and not whole.startswith(f"{FIRST} ".encode()):
            raise TableError(f"{self._path} is not the archive of a search. Specify another file")
        if whole and not whole.startswith(head):
            raise TableError(
                f"{self._path} is the archive of another search (another table, seed, criterion or "
                "version). Specify another file, or remove this one"
            )
        for number, line in enumerate(whole[len(head) :].splitlines(), 2):
            text, _, check = line.rpartition(b" ")
            if check != _crc(text):
                raise TableError(
                    f"{self._path} is damaged in line {number}. Specify another file, or remove "
                    "this line"
                )
            subset, *values = text.decode().split(" ")
            self.values[int(subset, 16)] = tuple(float.fromhex(value) for value in values)
        file.truncate(len(whole))
        file.seek(len(whole))
        if not whole:
            file.write(head)
            self.flush()

    @property
    def kept(self) -> bool:
        """Whether the values go into a file."""
        return self._file is not None

    def add(self, subset: int, values: Sequence[float]) -> None:
        """Keep the values of a subset; :meth:`flush` passes them to the operating system."""
        self.values[subset] = tuple(map(float, values))
        if self._file is not None:
            line = " ".join([f"{subset:x}", *map(float.hex, self.values[subset])]).encode()
            self._file.write(line + b" " + _crc(line) + b"\n")

    def flush(self) -> None:
        """Pass the added values to the operating system, so that they survive this process."""
        if self._file is not None:
            try:
                self._file.flush()
            except OSError as reason:
                raise OSError(reason.errno, reason.strerror, str(self._path)) from None

    def close(self) -> None:
        """Close the file and keep the values."""
        if self._file is not None:
            with suppress(OSError):  # flush has reported it; unwritten values are dropped
                self._file.close()
            self._file = None


def _crc(line: bytes) -> bytes:
    return b"%08x" % zlib.crc32(line)
