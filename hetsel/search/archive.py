"""Every evaluation of a search, kept in memory and, where a file is named, on disk at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from hetsel.errors import TableError

FIRST = "hetsel search archive 1"


class Archive:
    """Values of the criteria by subset, in the order in which they were computed.

    Parameters
    ----------
    path : path, optional
        File that every value is written to as soon as it is known, one line each; what it holds is
        read first, so that a search that was killed goes on where it was. None keeps nothing.
    about : str
        What was searched, with which criterion: an archive of something else is refused.

    Raises
    ------
    TableError
        A file that is no archive, or one of another search, or one that another process writes; no
        such folder.

    Notes
    -----
    A line that was cut off by a crash is dropped. Values are written as hexadecimal numbers, so
    that they come back to the last bit.

    Examples
    --------
    >>> archive = Archive()
    >>> archive.add(0b101, (0.75,))
    >>> archive[5], len(archive), 4 in archive
    ((0.75,), 1, False)
    """

    def __init__(self, path: str | Path | None = None, about: str = "") -> None:
        self._values: dict[int, tuple[float, ...]] = {}
        self._file: IO[bytes] | None = None
        if path is None:
            return
        folder = Path(path).absolute().parent
        if not folder.is_dir():
            raise TableError(f"archive: there is no folder {folder}")
        self._lock = FileLock(f"{path}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise TableError(
                f"another search writes {path}: wait for it, or name another"
            ) from None
        try:
            self._open(Path(path), about)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, path: Path, about: str) -> None:
        head = f"{FIRST} {about}\n".encode()
        content = path.read_bytes() if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if whole and not whole.startswith(FIRST.encode()):
            raise TableError(f"{path} is no archive of a search: name another file")
        if whole and not whole.startswith(head):
            raise TableError(
                f"{path} is the archive of another search (another table, seed, criterion or "
                "version): name another file, or remove it"
            )
        for line in whole[len(head) :].decode().splitlines():
            subset, *values = line.split(" ")
            self._values[int(subset, 16)] = tuple(float.fromhex(value) for value in values)
        self._file = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(len(whole))
        self._file.seek(len(whole))
        if not whole:
            self._file.write(head)
            self._file.flush()

    @property
    def kept(self) -> bool:
        """Whether the values go into a file."""
        return self._file is not None

    def add(self, subset: int, values: Sequence[float]) -> None:
        """Keep the values of a subset; :meth:`flush` hands them to the system."""
        self._values[subset] = tuple(map(float, values))
        if self._file is not None:
            words = [f"{subset:x}", *map(float.hex, self._values[subset])]
            self._file.write((" ".join(words) + "\n").encode())

    def flush(self) -> None:
        """Hand what was added to the system: it outlives this process."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Close the file; the values stay."""
        if self._file is not None:
            self._file.close()
            self._file = None
            self._lock.release()

    def __getitem__(self, subset: int) -> tuple[float, ...]:
        return self._values[subset]

    def get(self, subset: int) -> tuple[float, ...] | None:
        """Values of a subset; None if it was not evaluated."""
        return self._values.get(subset)

    def __contains__(self, subset: int) -> bool:
        return subset in self._values

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[int]:
        return iter(self._values)

    @property
    def values(self) -> Mapping[int, tuple[float, ...]]:
        """The values by subset, in the order in which they came."""
        return self._values
