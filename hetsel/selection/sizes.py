"""Which sizes of signature are judged."""

from __future__ import annotations

from collections.abc import Sequence

EVERY = 40  # sizes of a ranking up to here are all judged, then each a tenth larger


def thinned_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """All sizes up to 40, then each about a tenth larger than the one before, and the last.

    Examples
    --------
    >>> thinned_sizes(range(1, 61))[38:]
    (39, 40, 44, 49, 54, 60)
    """
    out: list[int] = []
    for size in sizes:
        if not out or size <= EVERY or size >= out[-1] * 1.1 or size == sizes[-1]:
            out.append(int(size))
    return tuple(out)
