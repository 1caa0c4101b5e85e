"""What of a store's earlier runs still holds, in words."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hetsel.ground import Fix, StoreError
from hetsel.study.plan.plan import changes


def lost_cells(
    before: Iterable[tuple[str, str, str, int]], finished: set[str], now: set[str]
) -> Iterator[str]:
    """The finished cells of an earlier plan that this one leaves out, by data set and method."""
    kept = finished - now
    gone: dict[str, Counter[str]] = {}
    for key, dataset, method, _ in before:
        if key in kept:
            gone.setdefault(dataset, Counter())[method] += 1
    for dataset, counts in sorted(gone.items()):
        methods = ", ".join(f"{method} {count}" for method, count in sorted(counts.items()))
        yield f"no longer part of the study, but kept: cells of {dataset}: {methods}"


def changed_tables(
    before: Iterable[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """The data sets whose name stood for another table before, and how the two differ.

    Examples
    --------
    >>> one, two = ({"name": "own", "fingerprint": f, "rows": n} for f, n in (("a", 9), ("b", 8)))
    >>> list(changed_tables([one], [two]))
    ["the table of data set 'own': rows: 9 -> 8"]
    >>> list(changed_tables([one], [one | {"fingerprint": "c"}]))
    ["the table of data set 'own': other values in its cells, its target or its test rows"]
    """
    known = {data["name"]: data for data in before}
    for data in now:
        old = known.get(data["name"], data)
        if old["fingerprint"] != data["fingerprint"]:
            same = {"fingerprint": ""}
            differs = "; ".join(changes({**old, **same}, {**data, **same}))
            unseen = "other values in its cells, its target or its test rows"
            yield f"the table of data set {data['name']!r}: {differs or unseen}"


def other_versions(before: Sequence[Mapping[str, str]], now: Mapping[str, str]) -> str:
    """How the versions of a cell differ from those of the last cells of its method before.

    Examples
    --------
    >>> old, new = {"python": "3.11", "numpy": "1.26"}, {"python": "3.11", "numpy": "2.4"}
    >>> other_versions([old], new), other_versions([old, new], new), other_versions([], new)
    ('numpy 1.26 -> 2.4', '', '')
    """
    if not before or now in before:
        return ""
    last = before[-1]
    names = [name for name in {**last, **now} if last.get(name) != now.get(name)]
    return ", ".join(f"{n} {last.get(n, 'none')} -> {now.get(n, 'none')}" for n in names)


# The file of a store: where it may be, and what the system says of it in words.
def check_place(path: Path, writing: bool) -> None:
    """Refuse what can be no store before anything is opened."""
    if str(path) in ("", ".", ":memory:"):
        raise StoreError(f"a store is a file, which outlives the run. Got {str(path)!r}: name one")
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file in it")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is a device or a pipe: name a file")
    if not writing and not path.exists():
        raise StoreError(f"no such store: {path}", Fix("run", then="to make it"))
    if not path.absolute().parent.is_dir():
        raise StoreError(f"there is no folder {path.absolute().parent}")


def left_beside(path: Path) -> list[Path]:
    """What a killed run left beside the file that belongs to it."""
    beside = [path.with_name(path.name + end) for end in ("-wal", "-journal")]
    return [other for other in beside if other.is_file() and other.stat().st_size]


def is_busy(reason: BaseException) -> bool:
    """Whether another program holds the file."""
    return _code(reason) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_closed(reason: BaseException) -> bool:
    """Whether the file or its folder cannot be written to, or not be opened."""
    return _code(reason) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def _code(reason: BaseException) -> int:
    return getattr(reason, "sqlite_errorcode", 0) & 0xFF


def sentence(path: Path, reason: BaseException) -> str:
    """What SQLite says of a file, and what to do."""
    code = _code(reason)
    if isinstance(reason, MemoryError):
        return f"{path} is damaged, or larger than the memory: take a copy of it"
    if is_busy(reason):
        return f"{path} is held by another program: try again when that has ended"
    if code == sqlite3.SQLITE_FULL:
        return f"{path}: the disk is full; what was finished before is kept: make room and go on"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"{path} is no store of a study, or a damaged one: {reason}"
    if is_closed(reason) and (left := left_beside(path)):
        names = ", ".join(other.name for other in left)
        return (
            f"{path} was left by a run that was killed, and its folder cannot be written to: copy "
            f"it into another folder together with {names}"
        )
    if is_closed(reason) or code == sqlite3.SQLITE_IOERR:
        return f"{path} cannot be read or written: {reason}"
    return f"{path} cannot be used as a store of a study: {reason}"
