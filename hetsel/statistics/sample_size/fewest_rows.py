"""The fewest rows by which something holds that holds for all that are more."""

from __future__ import annotations

from collections.abc import Callable

from hetsel.ground.errors import TableError

MOST = 10**9  # rows that are looked at


def fewest_rows(enough: Callable[[int], bool], start: int = 1) -> int:
    """The smallest whole number from `start` on that is enough, by bisection.

    Parameters
    ----------
    enough : callable
        False, then true as numbers grow.
    start : int

    Raises
    ------
    TableError
        A thousand million are not.

    Examples
    --------
    >>> fewest_rows(lambda n: n * n >= 50)
    8
    """
    low, high = start - 1, start
    while not enough(high):
        if high > MOST:
            raise TableError(f"not even {MOST:,} rows are enough for what was asked")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
