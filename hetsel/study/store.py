"""The store of a study: one SQLite file, one writer, finished cells committed at once.

A process that is killed leaves the cells that were committed and nothing else. While a run works on
a store it holds a lock on a file beside it, which the operating system releases however the run
ends.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from filelock import BaseFileLock, FileLock, Timeout

from hetsel.errors import Fix, StoreError
from hetsel.study.cell import CellFailure, CellResult

FORMAT = 2
_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS plan (
    position INTEGER PRIMARY KEY, key TEXT NOT NULL, dataset TEXT NOT NULL, method TEXT NOT NULL,
    resampling INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS versions (id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY, ranking BLOB NOT NULL, chosen BLOB NOT NULL, test BLOB NOT NULL,
    truth BLOB NOT NULL, shape TEXT NOT NULL, predictions BLOB NOT NULL, decisions BLOB NOT NULL,
    rank_seconds REAL NOT NULL, classify_seconds REAL NOT NULL, warnings TEXT NOT NULL,
    versions INTEGER NOT NULL, finished REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failures (
    key TEXT PRIMARY KEY, reason TEXT NOT NULL, trace TEXT NOT NULL, finished REAL NOT NULL);
INSERT OR IGNORE INTO about VALUES ('format', '{FORMAT}');
COMMIT;
"""


class Store:
    """One SQLite file.

    Parameters
    ----------
    path : str or Path
    writing : bool
        Take the lock of the store and make the file if there is none; else it is only read, also
        while a run writes.

    Raises
    ------
    StoreError
        Another run works on the store, no such file, or a file that is no store.
    """

    def __init__(self, path: str | Path, *, writing: bool = False) -> None:
        self.path = Path(path)
        self._lock: BaseFileLock | None = None
        if writing:
            self._lock = take_lock(self.path)
        elif not self.path.is_file():
            raise StoreError(f"no such store: {self.path}", Fix("run", then="makes it"))
        try:
            self._open(writing)
        except (sqlite3.DatabaseError, StoreError) as reason:
            self.close()
            if isinstance(reason, StoreError):
                raise
            raise StoreError(f"{self.path} is no store of a study: {reason}") from None

    def _open(self, writing: bool) -> None:
        self._connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
        ask = self._connection.execute
        tables = {name for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "about" not in tables:
            raise StoreError(f"{self.path} is no store of a study: it has tables of something else")
        if writing:
            ask("PRAGMA journal_mode = WAL")
            # a commit survives the death of the process; the file survives the loss of power
            ask("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_TABLES)
        if not ask("SELECT 1 FROM sqlite_master WHERE name = 'about'").fetchone():
            raise StoreError(f"{self.path} holds no study yet", Fix("run", then="starts one"))
        row = ask("SELECT value FROM about WHERE name = 'format'").fetchone()
        if row is None or row[0] != str(FORMAT):
            raise StoreError(
                f"{self.path} was written by another version of hetsel (format "
                f"{row and row[0]}, this one reads {FORMAT}): run into a new file"
            )

    def close(self) -> None:
        """Close the file and release the lock."""
        if hasattr(self, "_connection"):
            self._connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def about(self, name: str) -> Any:
        """A fact about the study, None if it was never written."""
        row = self._connection.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def write_plan(self, facts: dict[str, Any], cells: Iterable[tuple[str, str, str, int]]) -> None:
        """Write down what the study is now: facts by name; key, data set, method, resampling."""
        write = self._connection.execute
        write("BEGIN IMMEDIATE")
        try:
            for name, value in facts.items():
                write("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, json.dumps(value)))
            write("DELETE FROM plan")
            self._connection.executemany(
                "INSERT INTO plan (key, dataset, method, resampling) VALUES (?, ?, ?, ?)", cells
            )
            write("COMMIT")
        except BaseException:
            write("ROLLBACK")
            raise

    def plan(self) -> list[tuple[str, str, str, int]]:
        """Key, data set, method and resampling of each cell of the plan, in order."""
        return self._connection.execute(
            "SELECT key, dataset, method, resampling FROM plan ORDER BY position"
        ).fetchall()

    def finished(self) -> set[str]:
        """Keys of the cells that have a result, whether or not the plan still wants them."""
        return {key for (key,) in self._connection.execute("SELECT key FROM cells")}

    def failed(self) -> dict[str, tuple[str, str]]:
        """Key -> reason and traceback of the cells that failed."""
        rows = self._connection.execute("SELECT key, reason, trace FROM failures")
        return {key: (reason, trace) for key, reason, trace in rows}

    def add(self, outcomes: Sequence[CellResult | CellFailure]) -> None:
        """Write outcomes, all or none of them, and commit."""
        write = self._connection.execute
        write("BEGIN IMMEDIATE")
        try:
            for outcome in outcomes:
                if isinstance(outcome, CellFailure):
                    row = (outcome.key, outcome.reason, outcome.trace, time.time())
                    write("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?)", row)
                else:
                    marks = ", ".join("?" * 13)
                    write(f"INSERT OR REPLACE INTO cells VALUES ({marks})", self._row(outcome))
                    write("DELETE FROM failures WHERE key = ?", (outcome.key,))
            write("COMMIT")
        except BaseException:
            write("ROLLBACK")
            raise

    def _row(self, result: CellResult) -> tuple[Any, ...]:
        arrays = (result.order, result.test, result.truth, result.predictions, result.decisions)
        order, test, truth, predictions, decisions = (
            np.ascontiguousarray(a, dtype="<f8" if a.dtype.kind == "f" else "<i4").tobytes()
            for a in arrays
        )
        chosen = np.packbits(result.chosen, axis=1).tobytes()
        shape = json.dumps([result.chosen.shape, result.decisions.shape])
        content = json.dumps(result.versions, sort_keys=True)
        self._connection.execute("INSERT OR IGNORE INTO versions (content) VALUES (?)", (content,))
        (version,) = self._connection.execute(
            "SELECT id FROM versions WHERE content = ?", (content,)
        ).fetchone()
        seconds = (result.rank_seconds, result.classify_seconds)
        notes = json.dumps(result.warnings)
        blobs = (order, chosen, test, truth, shape, predictions, decisions)
        return (result.key, *blobs, *seconds, notes, version, time.time())

    def versions(self) -> list[dict[str, str]]:
        """Every combination of versions that wrote cells."""
        rows = self._connection.execute("SELECT content FROM versions ORDER BY id")
        return [json.loads(content) for (content,) in rows]

    def results(self, keys: Iterable[str] | None = None) -> Iterator[CellResult]:
        """Results of these cells (None: of all) that are there."""
        content = dict(self._connection.execute("SELECT id, content FROM versions").fetchall())
        versions = {number: json.loads(text) for number, text in content.items()}
        columns = (
            "key, ranking, chosen, test, truth, shape, predictions, decisions, rank_seconds, "
            "classify_seconds, warnings, versions"
        )
        if keys is None:
            rows = self._connection.execute(f"SELECT {columns} FROM cells ORDER BY key")
            yield from (_result(row, versions) for row in rows)
            return
        for key in keys:
            ask = f"SELECT {columns} FROM cells WHERE key = ?"
            row = self._connection.execute(ask, (key,)).fetchone()
            if row is not None:
                yield _result(row, versions)


def _result(row: tuple[Any, ...], versions: dict[int, dict[str, str]]) -> CellResult:
    key, order, chosen, test, truth, shape, predictions, decisions, *others = row
    ranking, classifying, notes, used = others
    (sizes, p), values = json.loads(shape)
    bits = np.frombuffer(chosen, dtype=np.uint8).reshape(sizes, -1)
    return CellResult(
        key,
        np.frombuffer(order, dtype="<i4"),
        np.unpackbits(bits, axis=1, count=p).astype(bool),
        np.frombuffer(test, dtype="<i4"),
        np.frombuffer(truth, dtype="<i4"),
        np.frombuffer(predictions, dtype="<i4").reshape(values[:3]),
        np.frombuffer(decisions, dtype="<f8").reshape(values),
        ranking,
        classifying,
        tuple(json.loads(notes)),
        versions[used],
    )


def take_lock(path: Path) -> BaseFileLock:
    """The lock beside a store, held; it ends with the process that holds it.

    Raises
    ------
    StoreError
        Another process holds it, the folder is not there, or the place of the lock is taken by
        something else, such as a symbolic link.
    """
    beside = path.with_name(path.name + ".lock")
    if not beside.parent.is_dir():  # the lock would make it
        raise StoreError(f"there is no folder {path.absolute().parent}")
    # no soft lock where flock is lacking: a process that is killed would leave it behind
    lock = FileLock(beside, thread_local=False, preserve_lock_file=True, on_acquired=_sign)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise StoreError(
            f"another run (process {_holder(beside)}) works on {path}: wait until it is done, or "
            "run into another file"
        ) from None
    except OSError as reason:
        raise StoreError(f"the lock {beside} cannot be taken: {reason.strerror}") from None
    return lock


def _sign(lock: int) -> None:
    """Write this process's number behind the first byte, which Windows lets no other one read."""
    os.ftruncate(lock, 0)
    os.write(lock, b" %d\n" % os.getpid())


def _holder(beside: Path) -> str:
    """The number that the holder of a lock wrote."""
    try:
        with beside.open("rb", buffering=0) as file:
            file.seek(1)
            return (file.read(32) or b"").decode("ascii", "replace").strip() or "unknown"
    except OSError:
        return "unknown"
