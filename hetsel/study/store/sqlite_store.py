"""The store of a study: one SQLite file, one writer, finished cells committed at once.

The file has a rollback journal, so committed cells are in the file itself. A killed process leaves
exactly the committed cells, a copy of the file contains them, and the file can be read in a folder
without write permission. The writer keeps the lock of SQLite. This lock works for any path of the
file, and the operating system releases it when the run ends in any way.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from hetsel.evaluation.computation import CellFailure
from hetsel.ground import Fix, StoreError, listed
from hetsel.study.cell import CellResult, Judgment, Selection
from hetsel.study.store.runs_in_words import check_place, is_busy, is_closed, left_beside, sentence
from hetsel.study.store.stored_cells import (
    CONTENTS,
    CellPlaces,
    checksum,
    judgment_in,
    pack,
    selection_in,
)

KeptRow = tuple[str, str, str, tuple[Any, ...]]  # table, key, versions as JSON, contents
KeptFailure = tuple[str, str, str, float]  # key, reason, traceback, when
FORMAT = "5"
READER_WAITS = 60.0  # seconds that a reader waits for a commit
COMMIT_WAITS = 600.0  # seconds that a commit waits for readers
BRIEFLY = 0.2  # seconds that a new run waits for the lock
_TABLES = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE plan (
    position INTEGER PRIMARY KEY, key TEXT NOT NULL, dataset TEXT NOT NULL, method TEXT NOT NULL,
    resampling INTEGER NOT NULL)""",
    "CREATE TABLE versions (id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE)",
    """CREATE TABLE failures (
    key TEXT PRIMARY KEY, reason TEXT NOT NULL, trace TEXT NOT NULL, finished REAL NOT NULL)""",
)
_OF_RUN = """processor_seconds REAL NOT NULL, elapsed_seconds REAL NOT NULL,
    warnings TEXT NOT NULL, finished REAL NOT NULL"""
_RESULTS = (
    f"""CREATE TABLE selections (
    key TEXT PRIMARY KEY, checksum BLOB NOT NULL, versions INTEGER NOT NULL, ranking BLOB NOT NULL,
    subsets BLOB NOT NULL, cuts BLOB NOT NULL, test BLOB NOT NULL, truth BLOB NOT NULL,
    shape TEXT NOT NULL, {_OF_RUN}) WITHOUT ROWID""",
    f"""CREATE TABLE judgments (
    key TEXT PRIMARY KEY, checksum BLOB NOT NULL, versions INTEGER NOT NULL,
    predictions BLOB NOT NULL, decisions BLOB NOT NULL, shape TEXT NOT NULL, {_OF_RUN})
    WITHOUT ROWID""",
)
# the seal of a store covers these first columns of each table; the checksum of a selection or
# judgment covers all of it
_SEALED = {
    "about": "name, value",
    "plan": "position, key, dataset, method, resampling",
    "versions": "id, content",
    "failures": "key, reason, trace, finished",
    "selections": "key, checksum, versions",
    "judgments": "key, checksum, versions",
}
_OPEN = ("format", "seal", "run")  # facts that the seal leaves out


def is_store(path: str | Path) -> bool:
    """Return whether a file is one of SQLite, by its first bytes."""
    try:
        with open(path, "rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


class Store:
    """The SQLite file of a study; `writing` takes its lock and creates the file if needed.

    Without `writing` the file is only read, also while a run writes. All data that are read until
    the store is closed are of one moment. Every method raises a StoreError if the file is damaged
    or cannot be read or written.
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
            # the log of earlier versions needs write permission in the folder, even if it is empty
            if not is_closed(reason) or left_beside(self.path):
                raise StoreError(sentence(self.path, reason)) from None
            self._connection.close()
            self._connection = self._connect("mode=ro&immutable=1")
        self._read_format()
        if self._format is None:
            raise StoreError(f"{self.path} holds no study yet", Fix("run", then="to start one"))

    def _begin_to_write(self) -> None:
        self._read_format()  # before anything is written
        # one file only; a persistent journal makes commits four times as fast
        self._ask("PRAGMA journal_mode = PERSIST")
        # commits survive a killed process; the file survives a loss of power
        self._ask("PRAGMA synchronous = NORMAL")
        self._lock()
        self._read_format()
        if self._format is not None and self._run():
            # the run was killed, or it is between two commits, without the lock for microseconds
            self._ask("ROLLBACK")
            time.sleep(BRIEFLY)
            self._lock()
        with self._change():
            if self._format is None:
                for table in (*_TABLES, *_RESULTS):
                    self._ask(table)
                self._insert("about", ("format", FORMAT))
            else:
                self.verify()
            self._remove("about", "name = 'run'")
            self._insert("about", ("run", str(os.getpid())))

    def _read_format(self) -> None:
        """Read the format (None of an empty file); raise an error if it is not this version's."""
        tables = {name for (name,) in self._ask("SELECT name FROM sqlite_master")}
        self._format = None
        if not tables:
            return
        if not tables >= set(_SEALED):
            raise StoreError(f"{self.path} is not the store of a study: it has other tables")
        found = self._ask("SELECT value FROM about WHERE name = 'format'")
        self._format = found[0][0] if found else "unknown"
        if self._format != FORMAT:
            raise StoreError(
                f"{self.path} was written by another version of hetsel (format {self._format}; "
                f"this version reads format {FORMAT}). Run the study into a new file"
            )

    def _lock(self) -> None:
        """Begin a transaction that excludes other writers but not readers."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as reason:
            if not is_busy(reason):
                raise StoreError(sentence(self.path, reason)) from None
            raise StoreError(
                f"another run (process {self._run() or 'unknown'}) is using {self.path}. Wait "
                "until it has ended, or run into another file"
            ) from None

    def refuse_writer(self) -> None:
        """Raise an error if a run is writing to the store."""
        for pause in (0.0, BRIEFLY) if self._run() else ():
            time.sleep(pause)  # a run releases the lock between two commits
            with closing(self._connect("mode=rw")) as other:
                try:
                    other.execute("BEGIN IMMEDIATE")
                except sqlite3.Error as reason:
                    if is_busy(reason):
                        raise StoreError(
                            f"a run (process {self._run()}) is still using {self.path}. Wait until "
                            "it has ended, or stop it"
                        ) from None

    def _run(self) -> str:
        """Return the number of the process that writes or was killed while writing, or ""."""
        if not self._ask("SELECT 1 FROM sqlite_master"):
            return ""
        found = self._ask("SELECT value FROM about WHERE name = 'run'")
        return str(found[0][0]) if found else ""

    def _ask(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of an answer; errors of SQLite become a StoreError."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except (sqlite3.Error, MemoryError, OverflowError, UnicodeDecodeError) as reason:
            raise StoreError(sentence(self.path, reason)) from None

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Commit all changes or none; keep the lock."""
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
        """Commit, waiting for readers; Ctrl-C works between attempts."""
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
        with suppress(sqlite3.Error):  # full disk: the number of the process stays
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
        """Return a fact about the study, or None if it was never written."""
        # without the index, which the seal does not cover
        found = dict(self._ask("SELECT name, value FROM about")).get(name)
        try:
            return None if found is None else json.loads(found)
        except (TypeError, ValueError, RecursionError):
            raise StoreError(f"{self.path} is damaged: its entry {name} is not JSON") from None

    def write_plan(
        self,
        facts: dict[str, Any],
        plan: Iterable[tuple[str, str, str, int]],
        rows: Iterable[KeptRow] = (),
        failures: Iterable[KeptFailure] = (),
    ) -> None:
        """Write facts by name and the plan: key, data set, method and resampling of each cell.

        Results and failures of other stores are added unchanged. All is written or nothing.
        """
        with self._change():
            self._write_facts(facts)
            self._remove("plan", "TRUE")
            for position, cell in enumerate(plan):
                self._insert("plan", (position, *cell))
            for table, key, versions, contents in rows:
                self._remove("failures", "key = ?", key)
                self._insert_row(table, key, versions, contents)
            for row in failures:
                self._insert("failures", row)

    def write_facts(self, facts: dict[str, Any]) -> None:
        """Write facts about the study by name."""
        with self._change():
            self._write_facts(facts)

    def _write_facts(self, facts: dict[str, Any]) -> None:
        for name, value in facts.items():
            self._remove("about", "name = ?", name)
            self._insert("about", (name, json.dumps(value)))

    def plan(self) -> list[tuple[str, str, str, int]]:
        """Return key, data set, method and resampling of each cell of the plan, in order."""
        return self._ask("SELECT key, dataset, method, resampling FROM plan ORDER BY position")

    def finished(self) -> set[str]:
        """Return the keys of all selections and judgments, also of cells that left the plan."""
        return {key for table in CONTENTS for (key,) in self._ask(f"SELECT key FROM {table}")}

    def seconds(self) -> dict[str, float]:
        """Return the CPU time of selections and judgments by key."""
        asked = "SELECT key, processor_seconds FROM "
        return {key: took for table in CONTENTS for key, took in self._ask(asked + table)}

    def failed(self) -> dict[str, tuple[str, str]]:
        """Return reason and traceback of failed selections and judgments by key."""
        return {key: (reason, trace) for key, reason, trace, _ in self.kept_failures()}

    def kept_failures(self) -> list[KeptFailure]:
        """Return the failures as they are stored."""
        return self._ask("SELECT key, reason, trace, finished FROM failures")

    def add(self, outcomes: Sequence[CellResult | CellFailure]) -> None:
        """Write all outcomes or none, and commit; a selection that is there stays as it is."""
        with self._change():
            for outcome in outcomes:
                found: Sequence[Any] = [outcome]
                if isinstance(outcome, CellResult):
                    found = [outcome.selection, *outcome.judgments]
                for part in found:
                    if isinstance(part, CellFailure):
                        self._remove("failures", "key = ?", part.key)
                        row = (part.key, part.sentence, part.trace, time.time())
                        self._insert("failures", row)
                    elif part is not None:
                        self._add_row(part)

    def _add_row(self, found: Selection | Judgment) -> None:
        table = "selections" if isinstance(found, Selection) else "judgments"
        self._remove("failures", "key = ?", found.key)
        if table == "judgments":
            self._remove(table, "key = ?", found.key)
        elif self._ask("SELECT 1 FROM selections WHERE key = ?", (found.key,)):
            return
        content = json.dumps(found.versions, sort_keys=True)
        self._insert_row(table, found.key, content, pack(found, time.time()))

    def _insert_row(self, table: str, key: str, versions: str, contents: tuple[Any, ...]) -> None:
        if not self._ask("SELECT 1 FROM versions WHERE content = ?", (versions,)):
            (last,) = self._ask("SELECT COALESCE(MAX(id), 0) FROM versions")[0]
            self._insert("versions", (last + 1, versions))
        (number,) = self._ask("SELECT id FROM versions WHERE content = ?", (versions,))[0]
        self._insert(table, (key, checksum((key, versions, *contents)), number, *contents))

    def _versions(self) -> dict[int, str]:
        return dict(self._ask("SELECT id, content FROM versions"))

    def versions(self) -> dict[str, dict[str, str]]:
        """Return the versions that computed each selection and judgment by key."""
        contents = {number: json.loads(content) for number, content in self._versions().items()}
        asked = "SELECT key, versions FROM {} ORDER BY versions"
        rows = [row for table in CONTENTS for row in self._ask(asked.format(table))]
        if unknown := [key for key, number in rows if number not in contents]:
            raise self._damage(unknown)
        return {key: contents[number] for key, number in rows}

    def selections(self, keys: Iterable[str]) -> Iterator[Selection]:
        """Yield the selections of these keys."""
        read = {content: json.loads(content) for content in self._versions().values()}
        for _, key, versions, contents in self.kept("selections", keys):
            yield selection_in(key, read[versions], contents)

    def judgments(self, keys: Iterable[str]) -> Iterator[Judgment]:
        """Yield the judgments of these keys."""
        read = {content: json.loads(content) for content in self._versions().values()}
        for _, key, versions, contents in self.kept("judgments", keys):
            yield judgment_in(key, read[versions], contents)

    def kept(self, table: str, keys: Iterable[str]) -> Iterator[KeptRow]:
        """Yield rows as they are stored; raise a StoreError for a damaged one."""
        versions = self._versions()
        for key in keys:
            if (found := self._kept(table, key, versions)) is None:
                raise self._damage([key], Fix("run", "retry", "to compute damaged cells again"))
            yield found

    def _kept(self, table: str, key: str, versions: dict[int, str]) -> KeptRow | None:
        """Return a row as it is stored, or None if it is damaged."""
        ask = f"SELECT checksum, versions, {', '.join(CONTENTS[table])} FROM {table} WHERE key = ?"
        for written, number, *contents in self._ask(ask, (key,)):
            content = versions.get(number, "")
            if written == checksum((key, content, *contents)):
                return table, key, content, tuple(contents)
        return None

    def keys(self, table: str) -> list[str]:
        """Return all keys of the selections or judgments, ascending."""
        return sorted((key for (key,) in self._ask(f"SELECT key FROM {table}")), key=str)

    def damaged(self) -> list[str]:
        """Return the keys of damaged selections and judgments."""
        versions = self._versions()
        return [
            key
            for table in CONTENTS
            for key in self.keys(table)
            if self._kept(table, key, versions) is None
        ]

    def drop(self, keys: Iterable[str]) -> None:
        """Remove selections and judgments, so that the next run computes them again."""
        with self._change():
            for key in keys:
                for table in (*CONTENTS, "failures"):
                    self._remove(table, "key = ?", key)

    def verify(self) -> None:
        """Check that the store, except the contents of its cells, is not damaged."""
        total = 0
        for table, columns in _SEALED.items():
            for row in self._ask(f"SELECT {columns} FROM {table}"):
                total ^= _print_of(table, row)
        if self._ask("SELECT value FROM about WHERE name = 'seal'") != [(f"{total:064x}",)]:
            raise self._damage(self.damaged())
        self._seal = total

    def _damage(self, keys: list[str], *fixes: Fix) -> StoreError:
        places: dict[str, str] = {}
        with suppress(StoreError, LookupError, TypeError, ValueError):  # of a damaged plan
            names_of_facts = ("plan", "datasets", "sizes", "identities")
            facts = {name: self.about(name) for name in names_of_facts}
            places = CellPlaces(self.plan(), facts).rows()
        names = [
            f"{places[key]} (key {str(key)[:12]})" if key in places else f"key {str(key)[:12]}"
            for key in keys
        ]
        what = f"the cell {listed(names)}" if keys else "its plan or its list of cells"
        advice = "" if fixes else ". Use a copy of it, or run into another file"
        return StoreError(f"{self.path} is damaged: {what} has changed{advice}", *fixes)


def _print_of(table: str, row: Sequence[Any]) -> int:
    """Return what a row adds to the seal; the order of rows does not matter."""
    if table == "about" and row[0] in _OPEN:
        return 0
    return int.from_bytes(checksum((table, *row)))
