"""Python's collection of garbage, held back while many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Let no garbage in cycles be looked for: each look goes over all objects of the process.

    A table of many thousand columns makes as many objects, and none of them is garbage; the looks
    took a third of the time of reading it.

    Examples
    --------
    >>> with no_collection():
    ...     gc.isenabled()
    False
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
