"""Blocks of columns, so that what passes over a table holds copies of a part of it at a time."""

from __future__ import annotations

CELLS = 2**21  # of a block: 16 MB of numbers


def column_blocks(n: int, p: int) -> list[slice]:
    """Slices of p columns of n rows, of at most 2^21 cells but of two columns at least.

    numpy adds the numbers of a single column in another order than those of several: a column has
    the same sum in a block as in the table.

    Examples
    --------
    >>> column_blocks(100, 20)
    [slice(0, 20, None)]
    >>> column_blocks(1_000_000, 7)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 7, None)]
    """
    width = max(2, CELLS // max(n, 1))
    starts = list(range(0, max(p - 1, 1), width))
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], p], strict=True)]
