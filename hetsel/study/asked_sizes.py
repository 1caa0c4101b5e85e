"""The sizes that a study requests from a method, so that other sizes cost no other selection.

What a method does with the sizes is its `use_of_sizes`; see :mod:`hetsel.selection.base`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from hetsel.search.rankings.recursive_elimination import elimination_sizes

EVERY = 40  # an elimination is asked for all sizes up to here and for those of its steps
FEWEST = 100  # features that a forward selection ranks at least


class AskedSizes(NamedTuple):
    """Requested sizes, and what of them is part of the key of a selection."""

    requested: tuple[int, ...]
    in_key: tuple[int, ...]


def asked_sizes(use: str, sizes: Sequence[int], p: int) -> AskedSizes:
    """Return the sizes to request from a method for the sizes of a plan and p features.

    Examples
    --------
    >>> asked_sizes("unused", (2, 5), 60)
    AskedSizes(requested=(), in_key=())
    >>> asked_sizes("depth", (2, 150), 1000)
    AskedSizes(requested=(200,), in_key=(200,))
    >>> asked_sizes("subsets", (2, 5), 60)
    AskedSizes(requested=(2, 5), in_key=(2, 5))
    >>> asked_sizes("cuts", (2, 47), 60).in_key, asked_sizes("cuts", (2, 5), 60).in_key
    ((47,), ())
    """
    if use == "unused":
        return AskedSizes((), ())
    if use == "depth":
        depth = FEWEST
        while depth < min(max(sizes), p):
            depth *= 2
        return AskedSizes((min(depth, p),), (depth,) if depth > FEWEST else ())
    if use == "cuts":
        usual = {*range(1, min(EVERY, p) + 1), *elimination_sizes(p)}
        more = sorted({*sizes} - usual)
        return AskedSizes(tuple(sorted({*usual, *more})), tuple(more))
    return AskedSizes(tuple(sizes), tuple(sizes))
