"""A large text as blocks of whole lines, each looked at before a fast parser takes it."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

LONGEST_LINE = 2**26  # bytes
_QUOTE, _LINE, _ZERO = ord('"'), ord("\n"), ord("0")
# a whole number that is -0, -07 or -0x7; not 1e-05
_MINUS_ZERO = re.compile(rb"-0(?<![eE]-0)[^.]")
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


def line_blocks(path: Path, packed: bool, size: int) -> Iterator[Block]:
    """The lines of a file in blocks of about `size` bytes, without the mark of the byte order.

    Raises
    ------
    Unfit
        No UTF-8, zero bytes, a line that has no end, a file that cannot be read.
    """
    whole = max(1, path.stat().st_size)
    rest, first, more = b"", True, True
    try:
        with path.open("rb") as raw:
            file = gzip.GzipFile(fileobj=raw) if packed else raw
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
    except (OSError, EOFError, zlib.error):
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


def checked(content: bytes, separator: bytes) -> tuple[bytes, bool]:
    """The lines as any parser takes them apart, and whether a number may be no plain one.

    Quotation marks stand around whole cells, with none and no line's end between; no blank stands
    before a cell. What may be no plain number: blanks at its ends, +5, 007, -0, 0x1A.

    Raises
    ------
    Unfit
        There is no telling how other parsers take these lines.

    Examples
    --------
    >>> checked(b'1, "a b"\\n', b",")
    (b'1,"a b"\\n', False)
    >>> checked(b'007,"a"\\n', b",")[1]
    True
    """
    content = _without_leading_blanks(content, separator)
    array = np.frombuffer(b"\n" + content, dtype=np.uint8)
    quotes = _quotes(content, array)
    _check_quotes(array, quotes, separator[0])
    return content, _odd(content, array, len(quotes) > 0, separator)


def _quotes(content: bytes, array: np.ndarray) -> np.ndarray:
    return np.flatnonzero(array == _QUOTE) if b'"' in content else np.empty(0, dtype=np.intp)


def _without_leading_blanks(content: bytes, separator: bytes) -> bytes:
    """The lines without blanks before their cells."""
    borders = (separator, b"\n")
    tabs = separator != b"\t" and b"\t" in content
    if tabs and (content[:1] == b"\t" or any(before + b"\t" in content for before in borders)):
        raise Unfit  # some parsers skip it, some do not
    if separator == b" " or b" " not in content:
        return content
    while content.startswith(b" ") or any(before + b" " in content for before in borders):
        array = np.frombuffer(content, dtype=np.uint8)
        before = np.concatenate([np.array([_LINE], dtype=np.uint8), array[:-1]])
        leading = (array == ord(" ")) & ((before == separator[0]) | (before == _LINE))
        places = np.flatnonzero(leading)
        inside = np.searchsorted(_quotes(content, array), places) % 2 == 1
        if inside.all():  # in quotes they belong to the cell
            break
        content = np.delete(array, places[~inside]).tobytes()
    return content


def _check_quotes(array: np.ndarray, quotes: np.ndarray, separator: int) -> None:
    """Refuse quotation marks that are not at both ends of a cell; `array` begins with a line's."""
    if len(quotes) % 2:
        raise Unfit
    opening, closing = quotes[0::2], quotes[1::2]
    for beside in (array[opening - 1], array[closing + 1]):
        if not ((beside == separator) | (beside == _LINE)).all():
            raise Unfit
    lines = np.flatnonzero(array == _LINE)
    if (np.searchsorted(lines, opening) != np.searchsorted(lines, closing)).any():
        raise Unfit


def _odd(content: bytes, array: np.ndarray, quoted: bool, separator: bytes) -> bool:
    """Whether a number may be no plain one."""
    borders = [separator, b"\n", b'"'] if quoted else [separator, b"\n"]
    for blank in {b" ", b"\t"} - {separator}:
        if blank in content and any(
            blank + border in content or (border == b'"' and border + blank in content)
            for border in borders
        ):
            return True
    if b"+" in content and (content[:1] == b"+" or any(b + b"+" in content for b in borders)):
        return True
    if b"0x" in content or b"0X" in content or _MINUS_ZERO.search(content):
        return True
    border = (array == separator[0]) | (array == _LINE)
    if quoted:
        border |= array == _QUOTE
    zeros = border[:-2] & (array[1:-1] == _ZERO)
    zeros &= (array[2:] - np.uint8(_ZERO)) < 10
    return bool(zeros.any())
