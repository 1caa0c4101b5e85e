"""The store of a study: one SQLite file, one writer, finished cells committed at once.

What is committed stands in the file itself, by a rollback journal: a process that is killed leaves
the cells that were committed and nothing else, a copy of the file holds them, and a folder that
cannot be written to is no hindrance to reading. The writer keeps SQLite's own lock, which holds
whatever name the file was reached by and which the operating system releases however the run ends.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import starmap
from pathlib import Path
from typing import Any

from hetsel.evaluation.computation import CellFailure
from hetsel.ground import Fix, StoreError, listed
from hetsel.study.cell import CellResult
from hetsel.study.store.runs_in_words import check_place, is_busy, is_closed, left_beside, sentence
from hetsel.study.store.stored_cells import CONTENTS, checksum, pack, unpack

KeptCell = tuple[str, str, tuple[Any, ...]]  # key, versions as JSON, contents
KeptFailure = tuple[str, str, str, float]  # key, reason, traceback, when
FORMAT = "4"
READER_WAITS = 60.0  # seconds, for a commit
COMMIT_WAITS = 600.0  # seconds, for those who read
BRIEFLY = 0.2  # seconds, for whoever holds the lock when a run begins
_TABLES = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE plan (
    position INTEGER PRIMARY KEY, key TEXT NOT NULL, dataset TEXT NOT NULL, method TEXT NOT NULL,
    resampling INTEGER NOT NULL)""",
    "CREATE TABLE versions (id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE)",
    """CREATE TABLE failures (
    key TEXT PRIMARY KEY, reason TEXT NOT NULL, trace TEXT NOT NULL, finished REAL NOT NULL)""",
)
_CELLS = """CREATE TABLE cells (
    key TEXT PRIMARY KEY, checksum BLOB NOT NULL, versions INTEGER NOT NULL, ranking BLOB NOT NULL,
    chosen BLOB NOT NULL, cuts BLOB NOT NULL, test BLOB NOT NULL, truth BLOB NOT NULL,
    shape TEXT NOT NULL, predictions BLOB NOT NULL, decisions BLOB NOT NULL,
    rank_seconds REAL NOT NULL, classify_seconds REAL NOT NULL, warnings TEXT NOT NULL,
    finished REAL NOT NULL) WITHOUT ROWID"""
# what the seal of a store covers, the first columns of each table; the checksum of a cell covers
# all of the cell
_SEALED = {
    "about": "name, value",
    "plan": "position, key, dataset, method, resampling",
    "versions": "id, content",
    "failures": "key, reason, trace, finished",
    "cells": "key, checksum, versions",
}
_OPEN = ("format", "seal", "run")  # facts that the seal leaves out


class Store:
    """One SQLite file; `writing` takes the lock of the store, and makes the file if there is none.

    Else it is only read, also while a run writes: all that is read until it is closed is of one
    moment. Every method raises a StoreError where the file is damaged, or the system does not let
    it be read or written.
    """

    def __init__(self, path: str | Path, *, writing: bool = False) -> None:
        self.path = Path(path)
        self._seal = 0
        self._format: str | None = None
        self._writing = writing
        check_place(self.path, writing)
        self._connection = self._connect("mode=rwc" if writing else "mode=rw")
        try:
            if writing:
                self._begin_to_write()
            else:
                self._begin_to_read()
        except BaseException:
            self._connection.close()
            raise

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?{mode}"
        try:
            return sqlite3.connect(address, uri=True, timeout=BRIEFLY, isolation_level=None)
        except sqlite3.Error as reason:
            raise StoreError(sentence(self.path, reason)) from None

    def _begin_to_read(self) -> None:
        self._ask(f"PRAGMA busy_timeout = {1000 * READER_WAITS:.0f}")
        try:
            self._connection.execute("BEGIN")
            self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except (sqlite3.Error, UnicodeDecodeError) as reason:
            # the log of earlier versions needs a folder to write to, even where the log is empty
            if not is_closed(reason) or left_beside(self.path):
                raise StoreError(sentence(self.path, reason)) from None
            self._connection.close()
            self._connection = self._connect("mode=ro&immutable=1")
        self._read_format()
        if self._format is None:
            raise StoreError(f"{self.path} holds no study yet", Fix("run", then="to start one"))

    def _begin_to_write(self) -> None:
        self._read_format()  # before anything is written
        # all in one file; a journal that stays until the end makes a commit four times as fast
        self._ask("PRAGMA journal_mode = PERSIST")
        # a commit survives the death of the process; the file survives the loss of power
        self._ask("PRAGMA synchronous = NORMAL")
        self._lock()
        self._read_format()
        if self._format is not None and self._run():
            # it was killed, or is just then between two commits, where it lets go for microseconds
            self._ask("ROLLBACK")
            time.sleep(BRIEFLY)
            self._lock()
        with self._change():
            if self._format is None:
                for table in (*_TABLES, _CELLS):
                    self._ask(table)
                self._insert("about", ("format", FORMAT))
            else:
                self.verify()
            self._remove("about", "name = 'run'")
            self._insert("about", ("run", str(os.getpid())))

    def _read_format(self) -> None:
        """The format, None of an empty file; refused if it is no store, or of another version."""
        tables = {name for (name,) in self._ask("SELECT name FROM sqlite_master")}
        self._format = None
        if not tables:
            return
        if not tables >= set(_SEALED):
            raise StoreError(f"{self.path} is no store of a study: it has tables of something else")
        found = self._ask("SELECT value FROM about WHERE name = 'format'")
        self._format = found[0][0] if found else "unknown"
        if self._format != FORMAT:
            raise StoreError(
                f"{self.path} was written by another version of hetsel (format {self._format}, "
                f"this one reads {FORMAT}): run into a new file"
            )

    def _lock(self) -> None:
        """Begin a transaction that keeps every other writer out, and no reader."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as reason:
            if not is_busy(reason):
                raise StoreError(sentence(self.path, reason)) from None
            raise StoreError(
                f"another run (process {self._run() or 'unknown'}) works on {self.path}: wait "
                "until it is done, or run into another file"
            ) from None

    def refuse_writer(self) -> None:
        """Refuse a store that is being written: what is read is of one moment of a run."""
        for pause in (0.0, BRIEFLY) if self._run() else ():
            time.sleep(pause)  # a run lets go between two commits, the next of which waits for this
            with closing(self._connect("mode=rw")) as other:
                try:
                    other.execute("BEGIN IMMEDIATE")
                except sqlite3.Error as reason:
                    if is_busy(reason):
                        raise StoreError(
                            f"a run (process {self._run()}) still works on {self.path}: wait until "
                            "it is done, or stop it"
                        ) from None

    def _run(self) -> str:
        """Number of the process that writes, or that was killed as it did; none: empty."""
        if not self._ask("SELECT 1 FROM sqlite_master"):
            return ""
        found = self._ask("SELECT value FROM about WHERE name = 'run'")
        return str(found[0][0]) if found else ""

    def _ask(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows of an answer; what SQLite cannot do ends in a sentence that names the file."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except (sqlite3.Error, MemoryError, OverflowError, UnicodeDecodeError) as reason:
            raise StoreError(sentence(self.path, reason)) from None

    @contextmanager
    def _change(self) -> Iterator[None]:
        """All changes are committed, or none of them; the lock is kept."""
        before = self._seal
        try:
            yield
            self._ask("INSERT OR REPLACE INTO about VALUES ('seal', ?)", (f"{self._seal:064x}",))
            self._commit()
        except BaseException:
            self._seal = before
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            raise
        self._lock()

    def _commit(self) -> None:
        """Wait for those who read; between the attempts Ctrl-C is heard."""
        latest = time.monotonic() + COMMIT_WAITS
        while True:
            try:
                self._connection.execute("COMMIT")
                return
            except sqlite3.Error as reason:
                if not is_busy(reason) or time.monotonic() > latest:
                    raise StoreError(sentence(self.path, reason)) from None

    def _insert(self, table: str, row: tuple[Any, ...]) -> None:
        self._ask(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        self._seal ^= _print_of(table, row[: _SEALED[table].count(",") + 1])

    def _remove(self, table: str, where: str, *values: Any) -> None:
        for row in self._ask(f"SELECT {_SEALED[table]} FROM {table} WHERE {where}", values):
            self._seal ^= _print_of(table, row)
        self._ask(f"DELETE FROM {table} WHERE {where}", values)

    def close(self) -> None:
        """Close the file and release the lock."""
        with suppress(sqlite3.Error):  # of a full disk; the number of the process stays
            if self._writing and self._connection.in_transaction:
                self._connection.execute("DELETE FROM about WHERE name = 'run'")
                self._connection.execute("COMMIT")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def about(self, name: str) -> Any:
        """A fact about the study, None if it was never written."""
        # not by the index, which the seal does not cover
        found = dict(self._ask("SELECT name, value FROM about")).get(name)
        try:
            return None if found is None else json.loads(found)
        except (TypeError, ValueError, RecursionError):
            raise StoreError(f"{self.path} is damaged: what it says of {name} is no JSON") from None

    def write_plan(
        self,
        facts: dict[str, Any],
        plan: Iterable[tuple[str, str, str, int]],
        cells: Iterable[KeptCell] = (),
        failures: Iterable[KeptFailure] = (),
    ) -> None:
        """Write down what the study is now: facts by name; key, data set, method, resampling.

        Cells and failures are taken over as other stores keep them: all is written, or nothing.
        """
        with self._change():
            self._write_facts(facts)
            self._remove("plan", "TRUE")
            for position, cell in enumerate(plan):
                self._insert("plan", (position, *cell))
            for key, versions, contents in cells:
                self._remove("failures", "key = ?", key)
                self._insert_cell(key, versions, contents)
            for row in failures:
                self._insert("failures", row)

    def write_facts(self, facts: dict[str, Any]) -> None:
        """Write facts about the study down, by name."""
        with self._change():
            self._write_facts(facts)

    def _write_facts(self, facts: dict[str, Any]) -> None:
        for name, value in facts.items():
            self._remove("about", "name = ?", name)
            self._insert("about", (name, json.dumps(value)))

    def plan(self) -> list[tuple[str, str, str, int]]:
        """Key, data set, method and resampling of each cell of the plan, in order."""
        return self._ask("SELECT key, dataset, method, resampling FROM plan ORDER BY position")

    def finished(self) -> set[str]:
        """Keys of the cells that have a result, whether or not the plan still wants them."""
        return {key for (key,) in self._ask("SELECT key FROM cells")}

    def seconds(self) -> dict[str, float]:
        """Key -> processor time of the cells that have a result."""
        return dict(self._ask("SELECT key, rank_seconds + classify_seconds FROM cells"))

    def failed(self) -> dict[str, tuple[str, str]]:
        """Key -> reason and traceback of the cells that failed."""
        return {key: (reason, trace) for key, reason, trace, _ in self.kept_failures()}

    def kept_failures(self) -> list[KeptFailure]:
        """The cells that failed as they are kept."""
        return self._ask("SELECT key, reason, trace, finished FROM failures")

    def add(self, outcomes: Sequence[CellResult | CellFailure]) -> None:
        """Write outcomes, all or none of them, and commit."""
        with self._change():
            for outcome in outcomes:
                self._remove("failures", "key = ?", outcome.key)
                if isinstance(outcome, CellFailure):
                    row = (outcome.key, outcome.line, outcome.trace, time.time())
                    self._insert("failures", row)
                else:
                    self._remove("cells", "key = ?", outcome.key)
                    content = json.dumps(outcome.versions, sort_keys=True)
                    self._insert_cell(outcome.key, content, pack(outcome, time.time()))

    def _insert_cell(self, key: str, versions: str, contents: tuple[Any, ...]) -> None:
        if not self._ask("SELECT 1 FROM versions WHERE content = ?", (versions,)):
            (last,) = self._ask("SELECT COALESCE(MAX(id), 0) FROM versions")[0]
            self._insert("versions", (last + 1, versions))
        (number,) = self._ask("SELECT id FROM versions WHERE content = ?", (versions,))[0]
        self._insert("cells", (key, checksum((key, versions, *contents)), number, *contents))

    def _versions(self) -> dict[int, str]:
        return dict(self._ask("SELECT id, content FROM versions"))

    def versions(self) -> dict[str, dict[str, str]]:
        """Key -> versions that a cell was computed with."""
        contents = {number: json.loads(content) for number, content in self._versions().items()}
        rows = self._ask("SELECT key, versions FROM cells ORDER BY versions")
        if unknown := [key for key, number in rows if number not in contents]:
            raise self._damage(unknown)
        return {key: contents[number] for key, number in rows}

    def results(self, keys: Iterable[str]) -> Iterator[CellResult]:
        """Results of these cells."""
        return starmap(unpack, self.kept(keys))

    def kept(self, keys: Iterable[str]) -> Iterator[KeptCell]:
        """These cells as they are kept; a StoreError names one that is not what was written."""
        versions = self._versions()
        for key in keys:
            if (found := self._kept(key, versions)) is None:
                raise self._damage([key], Fix("run", "retry", "to compute damaged cells again"))
            yield found

    def _kept(self, key: str, versions: dict[int, str]) -> KeptCell | None:
        """A cell, None if it is not what was written."""
        ask = f"SELECT checksum, versions, {', '.join(CONTENTS)} FROM cells WHERE key = ?"
        for written, number, *contents in self._ask(ask, (key,)):
            content = versions.get(number, "")
            if written == checksum((key, content, *contents)):
                return key, content, tuple(contents)
        return None

    def damaged(self) -> list[str]:
        """Keys of the cells that are not what was written."""
        versions = self._versions()
        return [
            key for key in sorted(self.finished(), key=str) if self._kept(key, versions) is None
        ]

    def drop(self, keys: Iterable[str]) -> None:
        """Take cells out, so that the next run computes them once more."""
        with self._change():
            for key in keys:
                self._remove("cells", "key = ?", key)
                self._remove("failures", "key = ?", key)

    def verify(self) -> None:
        """Check that all of the store but the contents of its cells is what was written."""
        total = 0
        for table, columns in _SEALED.items():
            for row in self._ask(f"SELECT {columns} FROM {table}"):
                total ^= _print_of(table, row)
        if self._ask("SELECT value FROM about WHERE name = 'seal'") != [(f"{total:064x}",)]:
            raise self._damage(self.damaged())
        self._seal = total

    def _damage(self, keys: list[str], *fixes: Fix) -> StoreError:
        places = {
            key: f"{method!r} on {dataset!r}, resampling {resampling} (key {str(key)[:12]})"
            for key, dataset, method, resampling in self.plan()
        }
        named = listed([places.get(key, f"key {str(key)[:12]}") for key in keys])
        what = f"the cell {named}" if keys else "what it says of the plan or lists as cells"
        advice = "" if fixes else ": take a copy of it, or run into another file"
        return StoreError(f"{self.path} is damaged: {what} is not what was written{advice}", *fixes)


def _print_of(table: str, row: Sequence[Any]) -> int:
    """What a row adds to the seal of a store, which is the same in any order of the rows."""
    if table == "about" and row[0] in _OPEN:
        return 0
    return int.from_bytes(checksum((table, *row)))
