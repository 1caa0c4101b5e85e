"""Sentences on earlier runs of a store and on its file."""

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
    """Describe finished cells of an earlier plan that are not in this plan."""
    kept = finished - now
    gone: dict[str, Counter[str]] = {}
    for key, dataset, method, _ in before:
        if key in kept:
            gone.setdefault(dataset, Counter())[method] += 1
    for dataset, counts in sorted(gone.items()):
        methods = ", ".join(f"{method} {count}" for method, count in sorted(counts.items()))
        yield f"kept, but no longer in the plan: cells of {dataset} ({methods})"


def changed_tables(
    before: Iterable[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """Describe data sets whose table differs from the earlier table of the same name.

    Examples
    --------
    >>> one, two = ({"name": "own", "fingerprint": f, "rows": n} for f, n in (("a", 9), ("b", 8)))
    >>> list(changed_tables([one], [two]))
    ["the table of data set 'own': rows: 9 -> 8"]
    >>> list(changed_tables([one], [one | {"fingerprint": "c"}]))
    ["the table of data set 'own': values, target or held-out rows differ"]
    """
    known = {data["name"]: data for data in before}
    for data in now:
        old = known.get(data["name"], data)
        if old["fingerprint"] != data["fingerprint"]:
            same = {"fingerprint": ""}
            differs = "; ".join(changes({**old, **same}, {**data, **same}))
            unseen = "values, target or held-out rows differ"
            yield f"the table of data set {data['name']!r}: {differs or unseen}"


def other_versions(before: Sequence[Mapping[str, str]], now: Mapping[str, str]) -> str:
    """Describe how versions differ from those of the last earlier cells of a method.

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


# Checks of the file of a store, and sentences for errors of the system.
def check_place(path: Path, writing: bool) -> None:
    """Raise an error if a path cannot be a store, before it is opened."""
    if str(path) in ("", ".", ":memory:"):
        raise StoreError(f"store must be a file. Got {str(path)!r}. Name a file")
    if path.is_dir():
        raise StoreError(f"store must be a file. Got the folder {path}. Name a file in it")
    if path.exists() and not path.is_file():
        raise StoreError(f"store must be a file. Got the device or pipe {path}. Name a file")
    if not writing and not path.exists():
        raise StoreError(f"no such store: {path}", Fix("run", then="to make it"))
    if not path.absolute().parent.is_dir():
        raise StoreError(f"there is no folder {path.absolute().parent}. Create it first")


def left_beside(path: Path) -> list[Path]:
    """Return the files that a killed run left beside its store."""
    beside = [path.with_name(path.name + end) for end in ("-wal", "-journal")]
    return [other for other in beside if other.is_file() and other.stat().st_size]


def is_busy(reason: BaseException) -> bool:
    """Return whether another program is using the file."""
    return _code(reason) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_closed(reason: BaseException) -> bool:
    """Return whether the file or its folder cannot be written or opened."""
    return _code(reason) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def _code(reason: BaseException) -> int:
    return getattr(reason, "sqlite_errorcode", 0) & 0xFF


def sentence(path: Path, reason: BaseException) -> str:
    """Describe an error of SQLite and what to do."""
    code = _code(reason)
    if isinstance(reason, MemoryError):
        return f"{path} is damaged or larger than the memory. Use a copy of it"
    if is_busy(reason):
        return f"{path} is in use by another program. Try again when it has ended"
    if code == sqlite3.SQLITE_FULL:
        return f"{path}: the disk is full. Finished cells are kept. Free space and run again"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"{path} is not the store of a study, or it is damaged ({reason})"
    if is_closed(reason) and (left := left_beside(path)):
        names = ", ".join(other.name for other in left)
        return (
            f"{path} was left by a killed run, and its folder cannot be written to. Copy it to "
            f"another folder together with {names}"
        )
    if is_closed(reason) or code == sqlite3.SQLITE_IOERR:
        return f"{path} cannot be read or written ({reason})"
    return f"{path} cannot be used as the store of a study ({reason})"
