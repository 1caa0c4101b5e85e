"""The file of a store: where it may be, and what the system says of it in words."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from hetsel.ground.errors import Fix, StoreError


def check_place(path: Path, writing: bool) -> None:
    """Refuse what can be no store before anything is opened.

    Raises
    ------
    StoreError
        No name of a file, a folder or a device; to be read and not there; no such folder.
    """
    if str(path) in ("", ".", ":memory:"):
        raise StoreError(f"a store is a file, which outlives the run. Got {str(path)!r}: name one")
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file in it")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is a device or a pipe: name a file")
    if not writing and not path.exists():
        raise StoreError(f"no such store: {path}", Fix("run", then="makes it"))
    if not path.absolute().parent.is_dir():
        raise StoreError(f"there is no folder {path.absolute().parent}")


def left_beside(path: Path) -> list[Path]:
    """What a killed run left beside the file that belongs to it."""
    beside = [path.with_name(path.name + end) for end in ("-wal", "-journal")]
    return [other for other in beside if other.is_file() and other.stat().st_size]


def is_busy(reason: BaseException) -> bool:
    """Whether another program holds the file."""
    return _code(reason) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_closed(reason: BaseException) -> bool:
    """Whether the file or its folder cannot be written to, or not be opened."""
    return _code(reason) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def _code(reason: BaseException) -> int:
    return getattr(reason, "sqlite_errorcode", 0) & 0xFF


def sentence(path: Path, reason: BaseException) -> str:
    """What SQLite says of a file, and what to do."""
    code = _code(reason)
    if isinstance(reason, MemoryError):
        return f"{path} is damaged, or larger than the memory: take a copy of it"
    if is_busy(reason):
        return f"{path} is held by another program: try again when that has ended"
    if code == sqlite3.SQLITE_FULL:
        return f"{path}: the disk is full; what was finished before is kept: make room and go on"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"{path} is no store of a study, or a damaged one: {reason}"
    if is_closed(reason) and (left := left_beside(path)):
        names = ", ".join(other.name for other in left)
        return (
            f"{path} was left by a run that was killed, and its folder cannot be written to: copy "
            f"it into another folder together with {names}"
        )
    if is_closed(reason) or code == sqlite3.SQLITE_IOERR:
        return f"{path} cannot be read or written: {reason}"
    return f"{path} cannot be used as a store of a study: {reason}"
