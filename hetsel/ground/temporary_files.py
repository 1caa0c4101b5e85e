"""Temporary files of other programs, which leave them behind where they are ended."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def own_folder() -> str:
    """A new folder for temporary files; empty where there is no place for one."""
    with suppress(OSError):
        return tempfile.mkdtemp(prefix="hetsel-")
    return ""


def remove(folder: str) -> None:
    """Remove a folder with all that is in it and can be removed."""
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def none_left() -> Iterator[dict[str, str]]:
    """Variables for programs that run within: of their temporary files none is left.

    R has a folder of such files, and removes it where it ends in its own way only.

    Examples
    --------
    >>> with none_left() as variables:
    ...     folder = variables["TMPDIR"]
    ...     os.path.isdir(folder)
    True
    >>> os.path.isdir(folder)
    False
    """
    folder = own_folder()
    try:
        yield {**os.environ, "TMPDIR": folder} if folder else dict(os.environ)
    finally:
        remove(folder)
