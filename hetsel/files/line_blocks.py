"""Read a large text in blocks of whole lines, and check each before a fast parser reads it."""

import codecs
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hetsel.compiling.compiled import compiled, inlined
from hetsel.files.unpacking import FAULTS, opened

LONGEST_LINE = 2**26  # bytes
_OTHER_MARKS = (
    codecs.BOM_UTF32_LE,
    codecs.BOM_UTF32_BE,
    codecs.BOM_UTF16_LE,
    codecs.BOM_UTF16_BE,
    codecs.BOM_UTF8,  # a second one
)
ODD, UNFIT = 1, 2
LONGEST_CELL = 2**17  # bytes; the csv module of Python may refuse longer values
_LINE, _QUOTE, _BLANK, _TAB = 10, 34, 32, 9
_PLUS, _MINUS, _POINT, _ZERO, _NINE = 43, 45, 46, 48, 57


class Unfit(Exception):
    """Raised if only the reader of whole texts can read a text."""


def line_blocks(path: Path, packing: str, size: int) -> Iterator[tuple[bytes, float]]:
    """Yield blocks of about `size` bytes of whole UTF-8 lines, and the proportion read so far.

    Raises Unfit if the file is not UTF-8, has zero bytes or a very long line, or cannot be read.
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
                    yield _with_line_feeds(content), raw.tell() / whole
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


def check_lines(content: bytes, separator: str) -> tuple[bytes, bool]:
    """Return lines that all parsers split alike, and whether some numbers may not be plain.

    Quotation marks enclose whole values without line ends, and no blank precedes a value. Numbers
    that are not plain have blanks around them, or are like +5, 007, -0 or 0x1A. Raises Unfit for
    lines that parsers may split differently.
    """
    text = np.frombuffer(content, dtype=np.uint8)
    kept = np.empty(len(text), dtype=np.uint8)
    found, size = scan(text, ord(separator), kept)
    if found == UNFIT:
        raise Unfit
    return content if size == len(content) else kept[:size].tobytes(), found == ODD


@inlined
def odd_begin(text, i):
    """Return whether a value at i begins like +5, 007, 0x1A, -0 or -07, or with a blank."""
    c, after = text[i], text[i + 1]
    if c == _ZERO:
        return (_ZERO <= after <= _NINE) or after == 88 or after == 120
    if c == _MINUS and after == _ZERO:
        return text[i + 2] != _POINT
    return c in (_PLUS, _BLANK, _TAB)


@compiled
def scan(text: np.ndarray, separator: int, kept: np.ndarray) -> tuple[int, int]:
    r"""Classify a text (n,) of bytes that ends with a line feed, and return its kept length.

    The result is 0, ODD if parsers may read a number differently, or UNFIT if the ends of values
    are unclear or a value is very long. `kept` (n,) receives the text without blanks before values,
    if there are any.

    >>> text = np.frombuffer(b'1, "a"\n007,b\n', dtype=np.uint8)
    >>> kept = np.empty_like(text)
    >>> found, size = scan(text, 44, kept)
    >>> found, kept[:size].tobytes()
    (1, b'1,"a"\n007,b\n')
    """
    found, size, copying, i = 0, 0, False, 0
    while i < len(text):  # at the beginning of a value
        begin = i
        while text[i] == _BLANK and separator != _BLANK:
            i += 1
        if i > begin and not copying:
            copying, size = True, begin
            kept[:begin] = text[:begin]
        if text[i] == _TAB and separator != _TAB:
            return UNFIT, size
        begin = i
        if text[i] == _QUOTE:
            i += 1
            first = i
            while text[i] != _QUOTE or text[i + 1] == _QUOTE:
                if text[i] == _LINE:
                    return UNFIT, size
                i += 2 if text[i] == _QUOTE else 1
            if text[i + 1] not in (separator, _LINE):
                return UNFIT, size
            end = i
            i += 1
        else:
            first = i
            while text[i] != separator and text[i] != _LINE:
                if text[i] == _QUOTE:
                    return UNFIT, size
                i += 1
            end = i
        if end - first >= LONGEST_CELL:
            return UNFIT, size
        if end > first and (text[end - 1] in (_BLANK, _TAB) or odd_begin(text, first)):
            found = ODD
        i += 1
        if copying:
            kept[size : size + i - begin] = text[begin:i]
            size += i - begin
    return found, size if copying else len(text)
