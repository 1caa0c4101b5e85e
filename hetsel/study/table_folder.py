"""The temporary folder through which workers get their tables; what killed runs left is removed."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import lock_descriptor

PREFIX = "hetsel-tables-"
_LOCK = "in-use"  # held by the process that made the folder; the system lets it go
_UNFINISHED = 3600.0  # seconds after which a folder without that file was left by a killed process


@contextmanager
def table_folder() -> Iterator[Path]:
    """A folder of this process, removed at the end; first those that killed runs left are removed.

    Raises
    ------
    OSError
        No temporary folder can be made.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            _remove_if_left(left)
    folder, lock = _make()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)  # Windows keeps a file that is open


def _make() -> tuple[Path, int]:
    """A new folder, and the file in it that is held."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        if lock_descriptor(lock, blocking=False) and (folder / _LOCK).exists():
            return folder, lock
        os.close(lock)  # another run took the folder for one that was left


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of this user that no process holds; a link is none."""
    about = folder.lstat()
    mine = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    if not stat.S_ISDIR(about.st_mode) or not mine:
        return
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        if time.time() - about.st_mtime > _UNFINISHED:
            shutil.rmtree(folder)
        return
    try:
        if lock_descriptor(lock, blocking=False):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
