"""Unpack a file of gzip, bzip2, xz or zip within limits of size."""

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hetsel.ground import TableError, listed
from hetsel.ground.memory import WORTH, available_memory, bytes_in_words

PACKED = (".gz", ".bz2", ".xz", ".zip")
FAULTS = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError)
CHUNK = 2**24  # bytes that are unpacked at once
SUSPICIOUS = 2**30  # bytes; a larger table is at most MOST times as large as its packed file
MOST = 200
COPIES = 3  # of a whole text besides its bytes: text, lines, values


@contextmanager
def opened(path: Path, packing: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open the content of a packed or plain file, and the file itself."""
    readers: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    with path.open("rb") as raw:
        if packing == ".zip":
            with zipfile.ZipFile(raw) as archive, archive.open(_member(archive, path)) as content:
                yield content, raw
        elif packing:
            with readers[packing](raw) as content:
                yield content, raw
        else:
            yield raw, raw


def packed_name(path: Path) -> str:
    """Return the name of the only file in a zip archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _member(archive, path).filename
    except FAULTS as reason:
        raise cannot_unpack(path, reason) from None


def _member(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    members = [
        member
        for member in archive.infolist()
        # added by macOS
        if not member.is_dir() and not member.filename.startswith("__MACOSX/")
    ]
    if len(members) != 1:
        names = listed([member.filename for member in members]) or "none"
        raise TableError(
            f"{path.name} must contain one file. Got {len(members)} ({names}): unpack it first"
        )
    if members[0].flag_bits & 1:
        raise TableError(f"{path.name} has a password. Unpack it first")
    return members[0]


def pieces(path: Path, packing: str, instead: str) -> Iterator[bytes]:
    """Yield the content of a file in pieces; `instead` is the advice if it is too large."""
    size = 0
    try:
        with opened(path, packing) as (content, _):
            while piece := content.read(CHUNK):
                size += len(piece)
                refuse_expansion(path, size, COPIES, instead)
                yield piece
    except FAULTS as reason:
        raise cannot_unpack(path, reason) from None


def refuse_expansion(path: Path, size: int, copies: int, instead: str) -> None:
    """Raise an error for a content that is too large for a table or for the memory.

    Reading needs `copies` of the content; `instead` is the advice to the user.
    """
    packed = max(1, path.stat().st_size)
    if size > max(SUSPICIOUS, MOST * packed):
        raise TableError(
            f"{path.name} has {bytes_in_words(packed)} but contains more than "
            f"{bytes_in_words(size)}, which is implausible for a table: {instead}"
        )
    free = available_memory()
    if free is not None and copies * size > max(free, WORTH):
        raise TableError(
            f"{path.name} contains more than {bytes_in_words(size)} and needs "
            f"{bytes_in_words(copies * size)} of memory, but only {bytes_in_words(free)} are free. "
            "Remove columns or rows from the file"
        )


def cannot_unpack(path: Path, reason: BaseException) -> TableError:
    """Return the error of a file that cannot be read or unpacked."""
    if isinstance(reason, OSError) and reason.strerror:
        return TableError(f"{path} cannot be read: {reason.strerror}")
    return TableError(
        f"{path.name} cannot be unpacked, since it is damaged or not of this format "
        f"({first_line(reason):.200}). Copy or download it again"
    )


def first_line(reason: BaseException) -> str:
    """Return the first line of the message of an error, or the name of its class."""
    return str(reason).splitlines()[0] if str(reason) else type(reason).__name__
