"""Packed text: one file of gzip, bzip2, xz or zip, unpacked within bounds."""

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
SUSPICIOUS = 2**30  # bytes from which on a table is not this much larger than its file
MOST = 200
COPIES = 3  # of a whole text besides its bytes: as text, as lines, as cells


@contextmanager
def opened(path: Path, packing: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The content of a file, packed in a way of PACKED or in none, and the file as it is."""
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
    """Name of the one file in a zip archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _member(archive, path).filename
    except FAULTS as reason:
        raise cannot_unpack(path, reason) from None


def _member(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    members = [
        member
        for member in archive.infolist()
        # what macOS adds
        if not member.is_dir() and not member.filename.startswith("__MACOSX/")
    ]
    if len(members) != 1:
        names = listed([member.filename for member in members]) or "none"
        raise TableError(
            f"{path.name} must hold one file. It holds {len(members)} ({names}): unpack it first"
        )
    if members[0].flag_bits & 1:
        raise TableError(f"{path.name} has a password: unpack it first")
    return members[0]


def pieces(path: Path, packing: str, instead: str) -> Iterator[bytes]:
    """The content of a file, a piece at a time; `instead` is what to do where it is too large."""
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
    """Refuse a content of more than `size` bytes that no table or no memory is. `copies` are those
    that reading it takes besides; `instead` is what the user can do."""
    packed = max(1, path.stat().st_size)
    if size > max(SUSPICIOUS, MOST * packed):
        raise TableError(
            f"{path.name} has {bytes_in_words(packed)} and holds more than {bytes_in_words(size)}, "
            f"as a table that is not all blank does not: {instead}"
        )
    free = available_memory()
    if free is not None and copies * size > max(free, WORTH):
        raise TableError(
            f"{path.name} holds more than {bytes_in_words(size)}, which needs "
            f"{bytes_in_words(copies * size)} of memory, and {bytes_in_words(free)} are free: "
            "leave columns or rows out of it"
        )


def cannot_unpack(path: Path, reason: BaseException) -> TableError:
    """The error of a file that cannot be read or unpacked."""
    if isinstance(reason, OSError) and reason.strerror:
        return TableError(f"{path} cannot be read: {reason.strerror}")
    return TableError(
        f"{path.name} cannot be unpacked: it is damaged, or no file of that kind "
        f"({first_line(reason):.200})"
    )


def first_line(reason: BaseException) -> str:
    """The first line of what another library says, or the name of its error."""
    return str(reason).splitlines()[0] if str(reason) else type(reason).__name__
