"""A compiled walk over the bytes of delimited text."""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled, inlined

ODD, UNFIT = 1, 2
_LINE, _QUOTE, _BLANK, _TAB = 10, 34, 32, 9
_PLUS, _MINUS, _POINT, _ZERO, _NINE = 43, 45, 46, 48, 57
_BEGIN, _CELL, _QUOTED, _CLOSED = 0, 1, 2, 3


@inlined
def odd_begin(text, i):
    """Whether a cell that begins at i begins as +5, 007, 0x1A, -0 or -07 do, or with a blank."""
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
        It is filled with the text without blanks that stand before a cell.

    Returns
    -------
    found : int
        0; ODD if a cell is there of which parsers of numbers may differ; UNFIT if there is no
        telling where cells end: quotation marks not around whole cells, or around ends of lines,
        or tabs before a cell.
    size : int
        Length of what is kept.

    Examples
    --------
    >>> text = np.frombuffer(b'1, "a"\n007,b\n', dtype=np.uint8)
    >>> kept = np.empty_like(text)
    >>> found, size = scan(text, 44, kept)
    >>> found, kept[:size].tobytes()
    (1, b'1,"a"\n007,b\n')
    """
    found, size, state, fresh = 0, 0, _BEGIN, False
    before = text[0]
    for i in range(len(text)):
        c = text[i]
        if state == _QUOTED:
            if c == _LINE:
                return UNFIT, size
            if c == _QUOTE:
                state = _CLOSED
                if before in (_BLANK, _TAB):
                    found = ODD
            elif fresh and odd_begin(text, i):
                found = ODD
            fresh = False
        elif c in (separator, _LINE):
            if state == _CELL and (before in (_BLANK, _TAB)):
                found = ODD
            state = _BEGIN
        elif c == _QUOTE:
            if state != _BEGIN:
                return UNFIT, size
            state, fresh = _QUOTED, True
        elif state == _BEGIN:
            if c == _BLANK:
                continue
            if c == _TAB:
                return UNFIT, size
            state = _CELL
            if odd_begin(text, i):
                found = ODD
        elif state == _CLOSED:
            return UNFIT, size
        kept[size] = c
        size += 1
        before = c
    return (UNFIT if state == _QUOTED else found), size
