"""A compiled walk over the bytes of delimited text."""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled, inlined

ODD, UNFIT = 1, 2
LONGEST_CELL = 2**17  # bytes; longer ones Python's csv may refuse
_LINE, _QUOTE, _BLANK, _TAB = 10, 34, 32, 9
_PLUS, _MINUS, _POINT, _ZERO, _NINE = 43, 45, 46, 48, 57


@inlined
def odd_begin(text, i):
    """Whether a cell from i on begins as +5, 007, 0x1A, -0 and -07 do, or with a blank."""
    c, after = text[i], text[i + 1]
    if c == _ZERO:
        return (_ZERO <= after <= _NINE) or after == 88 or after == 120
    if c == _MINUS and after == _ZERO:
        return text[i + 2] != _POINT
    return c in (_PLUS, _BLANK, _TAB)


@compiled
def scan(text: np.ndarray, separator: int, kept: np.ndarray) -> tuple[int, int]:
    r"""Walk over lines that end with a line feed each.

    Parameters
    ----------
    text : ndarray of uint8, shape (n,)
        It ends with a line feed.
    separator : int
    kept : ndarray of uint8, shape (n,)
        It is filled with the text without blanks that stand before a cell, if there are some.

    Returns
    -------
    found : int
        0; ODD if there is a cell that parsers of numbers may take in different ways; UNFIT if there
        is no telling where cells end (quotation marks not around whole cells, or around ends of
        lines, tabs before a cell), or one is very long.
    size : int
        Length of the text without them.

    Examples
    --------
    >>> text = np.frombuffer(b'1, "a"\n007,b\n', dtype=np.uint8)
    >>> kept = np.empty_like(text)
    >>> found, size = scan(text, 44, kept)
    >>> found, kept[:size].tobytes()
    (1, b'1,"a"\n007,b\n')
    """
    found, size, copying, i = 0, 0, False, 0
    while i < len(text):  # at the begin of a cell
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
