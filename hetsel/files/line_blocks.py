"""A large text as blocks of whole lines, each looked at before a fast parser takes it."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hetsel.files.unpacking import FAULTS, opened

LONGEST_LINE = 2**26  # bytes
_OTHER_MARKS = (
    codecs.BOM_UTF32_LE,
    codecs.BOM_UTF32_BE,
    codecs.BOM_UTF16_LE,
    codecs.BOM_UTF16_BE,
    codecs.BOM_UTF8,  # a second one
)


class Unfit(Exception):
    """What this text means is known to the reader of whole texts only."""


class Block(NamedTuple):
    """Whole lines of a text.

    Parameters
    ----------
    content : bytes
        They are UTF-8 and end with a line feed each.
    read : float
        Share of the file that is read by now.
    """

    content: bytes
    read: float


def line_blocks(path: Path, packing: str, size: int) -> Iterator[Block]:
    """The lines of a file in blocks of about `size` bytes, without the mark of the byte order.

    Raises
    ------
    Unfit
        No UTF-8, zero bytes, a line that has no end, a file that cannot be read.
    """
    whole = max(1, path.stat().st_size)
    rest, first, more = b"", True, True
    try:
        with opened(path, packing) as (file, raw):
            while more:
                taken = file.read(size)
                more = len(taken) > 0
                if first:
                    taken, first = taken.removeprefix(codecs.BOM_UTF8), False
                    if taken.startswith(_OTHER_MARKS):
                        raise Unfit
                content = rest + taken
                cut = content.rfind(b"\n") + 1
                if not more and cut < len(content):
                    content += b"\n"
                    cut = len(content)
                content, rest = content[:cut], content[cut:]
                if len(rest) > LONGEST_LINE:
                    raise Unfit
                if content:
                    yield Block(_with_line_feeds(content), raw.tell() / whole)
    except FAULTS:
        raise Unfit from None


def _with_line_feeds(content: bytes) -> bytes:
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"\0" in content:
        raise Unfit
    if not content.isascii():
        try:
            content.decode()
        except UnicodeDecodeError:
            raise Unfit from None
    return content


def checked(content: bytes, separator: str) -> tuple[bytes, bool]:
    """The lines as any parser takes them apart, and whether a number may be no plain one.

    Quotation marks stand around whole cells, with none and no line's end between; no blank stands
    before a cell. What may be no plain number: blanks at its ends, +5, 007, -0, 0x1A.

    Raises
    ------
    Unfit
        There is no telling how other parsers take these lines.

    Examples
    --------
    >>> checked(b'1, "a b"\\n', ",")
    (b'1,"a b"\\n', False)
    >>> checked(b'007,"a"\\n', ",")[1]
    True
    """
    from hetsel.files.byte_scan import ODD, UNFIT, scan  # compiled code, for large files only

    text = np.frombuffer(content, dtype=np.uint8)
    kept = np.empty(len(text), dtype=np.uint8)
    found, size = scan(text, ord(separator), kept)
    if found == UNFIT:
        raise Unfit
    return content if size == len(content) else kept[:size].tobytes(), found == ODD
