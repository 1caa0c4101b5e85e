"""What will not fit into memory is refused before it is taken; tables in blocks of columns."""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hetsel.ground.errors import TableError

FRUGAL_CLASSIFIERS = "naive-bayes or random-forest"
WORTH = 2**26  # bytes; nothing is asked for less
PROC, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")

CELLS = 2**21  # of a block: 16 MB of numbers


def refuse_squares(what: str, n: int, squares: float, instead: str) -> None:
    """Refuse a classifier whose matrices of n x n numbers do not fit into the memory that is free.

    `squares` is the number of such matrices that it holds at once; `instead` names what needs less.
    """
    needed = 8.0 * squares * n * n
    refuse_bytes(what, n, needed, lambda _: f"what grows less than with their square: {instead}")


def refuse_bytes(what: str, n: int, needed: float, instead: Callable[[int], str]) -> None:
    """Refuse what needs more bytes for n rows than are free; `instead` names what needs no more."""
    if needed < WORTH:
        return
    free = available_memory()
    if free is not None and needed > free:
        raise TableError(
            f"{what} needs {bytes_in_words(needed)} of memory for {n:,} rows, and "
            f"{bytes_in_words(free)} are free. Take fewer rows, or {instead(free)}"
        )


def available_memory() -> int | None:
    """Bytes that this process can still take, the least of what the machine has free, its control
    groups (containers) and its limit of address space leave; None where the system does not say."""
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
    """What each control group leaves, those above it included; files in cache can be dropped."""
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
    """A size in bytes.

    >>> bytes_in_words(38.4e9), bytes_in_words(12_300_000)
    ('38 GB', '12 MB')
    """
    return f"{size / 1e9:.2g} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


@contextmanager
def no_collection() -> Iterator[None]:
    """Let no garbage in cycles be looked for: a table of many thousand columns makes as many
    objects, none of them garbage, and the looks took a third of the time of reading it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def column_blocks(n: int, p: int) -> list[slice]:
    """Slices of p columns of n rows, of at most 2^21 cells but of two columns at least: numpy adds
    the numbers of a single column in another order than those of several."""
    width = max(2, CELLS // max(n, 1))
    starts = list(range(0, max(p - 1, 1), width))
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], p], strict=True)]
