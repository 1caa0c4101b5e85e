"""Refuse computations that do not fit into memory; split tables into blocks of columns."""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hetsel.ground.errors import TableError

FRUGAL_CLASSIFIERS = "naive-bayes or random-forest"
WORTH = 2**26  # bytes; smaller requests are not checked
PROC, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")

CELLS = 2**21  # values of a block: 16 MB


def refuse_squares(what: str, n: int, squares: float, instead: str) -> None:
    """Refuse a classifier whose n x n matrices do not fit into the free memory.

    `squares` is the number of matrices that it holds at once; `instead` names methods that need
    less.
    """
    needed = 8.0 * squares * n * n
    refuse_bytes(
        what, n, needed, lambda _: f"a method whose memory grows more slowly than n^2: {instead}"
    )


def refuse_bytes(what: str, n: int, needed: float, instead: Callable[[int], str]) -> None:
    """Refuse what needs more bytes for n rows than are free; `instead` names methods that fit."""
    if needed < WORTH:
        return
    free = available_memory()
    if free is not None and needed > free:
        raise TableError(
            f"{what} needs {bytes_in_words(needed)} of memory for {n:,} rows. Only "
            f"{bytes_in_words(free)} are free. Use fewer rows, or {instead(free)}"
        )


def available_memory() -> int | None:
    """Return the bytes that this process can still allocate, or None if unknown.

    It is the smallest of three limits: the free memory of the machine, that of its control groups
    (containers) and that of its address space.
    """
    found = [*_of_machine(), *_of_groups(), *_of_address_space()]
    return max(0, min(found)) if found else None


def _of_machine() -> Iterator[int]:
    with suppress(OSError, ValueError, KeyError):
        lines = (PROC / "meminfo").read_text().splitlines()
        sizes = {name: rest.split() for name, _, rest in (line.partition(":") for line in lines)}
        yield int(sizes["MemAvailable"][0]) * 1024
        return
    with suppress(OSError, ValueError, AttributeError):  # no Linux: all memory of the machine
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _of_groups() -> Iterator[int]:
    """Yield the free memory of each control group and its parents; cached files count as free."""
    with suppress(OSError):
        for line in (PROC / "self" / "cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "":
                top, names = GROUPS, ("memory.max", "memory.current", "inactive_file")
            elif "memory" in controllers.split(","):
                top = GROUPS / "memory"
                names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            else:
                continue
            here = top / path.lstrip("/")
            for folder in (here, *here.parents):
                yield from _left(folder, *names)
                if folder == top:
                    break


def _left(folder: Path, limit: str, used: str, cached: str) -> Iterator[int]:
    with suppress(OSError, ValueError):  # "max" is no number: no limit
        most = int((folder / limit).read_text())
        stat = (line.split() for line in (folder / "memory.stat").read_text().splitlines())
        cache = {name: int(number) for name, number in stat}
        yield most - int((folder / used).read_text()) + cache.get(cached, 0)


def _of_address_space() -> Iterator[int]:
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            pages = int((PROC / "self" / "statm").read_text().split()[0])
            yield most - pages * resource.getpagesize()


def bytes_in_words(size: float) -> str:
    """Write a size in bytes.

    >>> bytes_in_words(38.4e9), bytes_in_words(12_300_000)
    ('38 GB', '12 MB')
    """
    return f"{size / 1e9:.2g} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the search for reference cycles.

    A table of many thousand columns creates as many objects, none of them garbage; the search took
    a third of the time of reading it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def column_blocks(n: int, p: int) -> list[slice]:
    """Return slices of p columns of n rows, with at most 2^21 values but at least two columns.

    numpy adds the numbers of a single column in another order than those of several.
    """
    width = max(2, CELLS // max(n, 1))
    starts = list(range(0, max(p - 1, 1), width))
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], p], strict=True)]
