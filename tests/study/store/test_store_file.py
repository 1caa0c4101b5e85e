"""The file of a store: locked by every name, whole in one file, of one moment, damage noticed."""

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from study.studies import small_study

from hetsel import Results
from hetsel.evaluation.computation import CellFailure
from hetsel.ground.errors import StoreError
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.cell import CellResult, Judgment, Seconds, Selection, judgment_key, selection_keys
from hetsel.study.store.sqlite_store import Store

NUMBERS = {"name": "numbers", "X": np.eye(20)[:, :3], "y": [0, 1] * 10}
PLAN = {
    "name": "drawn",
    "resamplings": {"count": 5},
    "datasets": [{"name": "one"}],
    "sizes": "auto",
    "methods": [{"key": "t-test", "label": "first"}, {"key": "variance", "label": "second"}],
    "classifiers": [{"key": "5nn", "label": "only"}],
}
DATA = {"name": "one", "features": list("abc"), "kinds": ["continuous"] * 3, "rows": 40}
DATA |= {"classes": ["no", "yes"], "class_counts": [20, 20], "target": "classes"}
DATA |= {"fingerprint": "0" * 64, "missing_cells": 0, "missing": "impute"}


SPLITS = Resamplings(count=1000)
METHODS = [json.dumps({"use_of_sizes": "unused", "method": m["key"]}) for m in PLAN["methods"]]
KEYS = [selection_keys(m, "0" * 64, 3, (1, 2), SPLITS, 0, 1000) for m in METHODS]
JUDGE = "a judge"


def key_of(number):
    return KEYS[number % 2][number // 2]


def judged_key_of(number):
    return judgment_key(key_of(number), JUDGE, (1, 2))


def drawn_cell(number, rows=10):
    """A cell of three features and two sizes, as if a method had drawn it."""
    rng = np.random.default_rng(number)
    of_run = (Seconds(0.5, 0.75), ("UserWarning: drawn",), {"hetsel": "1", "numpy": "2"})
    selection = Selection(
        key_of(number),
        3,
        1,
        rng.permutation(3).astype(np.int32),
        np.zeros((0, 3), dtype=bool),
        ("proved", ("tie", "open", "")[number % 3]),
        np.arange(rows, dtype=np.int32),
        np.arange(rows, dtype=np.int32) % 2,
        None,
        *of_run,
    )
    judgment = Judgment(
        judged_key_of(number),
        rng.integers(2, size=(2, rows)).astype(np.int32),
        rng.normal(size=(2, rows, 1)),
        *of_run,
    )
    return CellResult(key_of(number), (1, 2), selection, (judgment,))


def changed_cell(cell, **changes):
    """The same cell with other attributes of its selection and its judgment."""
    (judgment,) = cell.judgments
    parts = [cell.selection, judgment]
    for k, part in enumerate(parts):
        own = {name: value for name, value in changes.items() if hasattr(part, name)}
        parts[k] = replace(part, **own)
    return replace(cell, selection=parts[0], judgments=(parts[1],))


def write_plan(store, count=10):
    identities = {"methods": METHODS, "judges": [JUDGE]}
    facts = {"plan": PLAN, "datasets": [DATA], "sizes": {"one": [1, 2]}, "identities": identities}
    methods = [method["label"] for method in PLAN["methods"]]
    cells = [(key_of(i), "one", methods[i % 2], i // 2) for i in range(count)]
    store.write_plan(facts, cells)


@pytest.fixture
def path(tmp_path):
    """A store of ten cells of which nine have a result and one has failed."""
    with Store(tmp_path / "a.sqlite", writing=True) as store:
        write_plan(store)
        store.add([drawn_cell(i) for i in range(9)])
        store.add([CellFailure(key_of(9), "ValueError: drawn", "trace")])
    return tmp_path / "a.sqlite"


def other_run(path):
    """What another process gets that wants to write."""
    code = (
        "import sys; from hetsel.study.store.sqlite_store import Store; "
        "Store(sys.argv[1], writing=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    return done.stderr.strip().splitlines()[-1] if done.returncode else "written"


@pytest.mark.slow
def test_a_store_is_locked_by_every_name_it_has(path, tmp_path):
    (tmp_path / "soft.sqlite").symlink_to(path)
    os.link(path, tmp_path / "hard.sqlite")
    with Store(path, writing=True) as store:
        assert f"another run (process {os.getpid()}) is using" in other_run(path)
        for name in ("a.sqlite", "soft.sqlite", "hard.sqlite"):
            with pytest.raises(StoreError, match=rf"process {os.getpid()}\) is using .*{name}"):
                Store(tmp_path / name, writing=True)
        store.add([drawn_cell(9)])
        with pytest.raises(StoreError, match="another run"):
            Store(path, writing=True)
    with Store(tmp_path / "soft.sqlite", writing=True) as store:
        assert len(store.keys("selections")) == 10


def test_a_run_that_is_between_two_commits_keeps_its_store(path, monkeypatch):
    with Store(path, writing=True) as store:
        store._connection.execute("COMMIT")  # for some microseconds nobody has the lock
        with monkeypatch.context() as patch:
            patch.setattr("hetsel.study.store.sqlite_store.time.sleep", lambda _: store._lock())
            with pytest.raises(StoreError, match=rf"another run \(process {os.getpid()}\)"):
                Store(path, writing=True)
        store.add([drawn_cell(9)])


@pytest.mark.slow
def test_a_copy_of_a_store_in_use_or_of_a_killed_run_holds_all_that_is_finished(tmp_path):
    """The one file is enough, and nothing stands beside it once the run has ended."""
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[2])\n"
        "import study.store.test_store_file as drawn\n"
        "store = drawn.Store(sys.argv[1], writing=True); drawn.write_plan(store)\n"
        "for i in range(7): store.add([drawn.drawn_cell(i)])\n"
        "print('seven', flush=True); sys.stdin.readline(); os.kill(os.getpid(), 9)"
    )
    path, tests = tmp_path / "a.sqlite", str(Path(__file__).parents[2])
    command = [sys.executable, "-c", code, str(path), tests]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"seven\n"
        shutil.copy(path, tmp_path / "in-use.sqlite")
        process.stdin.write(b"\n")
        process.stdin.close()
        assert process.wait() == -signal.SIGKILL
    shutil.copy(path, tmp_path / "killed.sqlite")
    digests = {Results(tmp_path / f"{name}.sqlite").digest() for name in ("a", "in-use", "killed")}
    assert len(digests) == 1
    assert Results(path).status()["finished"] == 7
    with Store(path, writing=True) as store:
        store.add([drawn_cell(i) for i in range(7, 10)])
    assert sorted(tmp_path.glob("a.sqlite*")) == [path]


@contextmanager
def closed_folder(folder):
    """A folder that cannot be written to, not even by root."""
    folder.chmod(0o555)
    files = list(folder.iterdir())
    for file in files:
        file.chmod(0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.fixture
def open_parents(tmp_path):
    """Lets everybody into the folders above."""
    above = [parent for parent in tmp_path.parents if parent.stat().st_uid == os.getuid()]
    modes = [parent.stat().st_mode for parent in above]
    for parent in (tmp_path, *above):
        parent.chmod(parent.stat().st_mode | 0o111)
    yield
    for parent, mode in zip(above, modes, strict=True):
        parent.chmod(mode)


def test_a_folder_that_cannot_be_written_to_is_read(path, tmp_path, open_parents):
    """Stores of this version, and those of earlier ones, which have a log."""
    digest = Results(path).digest()
    with closed_folder(tmp_path):
        assert Results(path).digest() == digest
    path.chmod(0o644)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with closed_folder(tmp_path):
        assert Results(path).digest() == digest
    path.chmod(0o644)
    (tmp_path / "a.sqlite-wal").write_bytes(b"cells")
    with closed_folder(tmp_path), pytest.raises(StoreError, match=r"together with a.sqlite-wal"):
        Results(path)


def test_results_are_of_one_moment(path):
    with Store(path, writing=True) as store:
        store.drop([key_of(3), key_of(4)])
        before = Results(path)
        digest, scores = before.digest(), before.frame()
        store.add([drawn_cell(3)])
        assert before.digest() == digest
        assert before.frame().equals(scores)
        assert Results(path).digest() != digest
        store.add([drawn_cell(4)])
        write_plan(store, 6)
        assert before.status()["cells"] == 10
        assert before.digest() == digest
    assert len(Results(path).frame()) == 6 * 2


def test_what_is_no_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    for name in ("", ":memory:", "/dev/null", "pipe", str(tmp_path)):
        for writing in (True, False):
            with pytest.raises(StoreError) as caught:
                Store(name, writing=writing)
            assert (name or ".") in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("written", ["3", "4", "99"])
def test_a_store_of_another_version_is_refused_and_stays_as_it_is(path, written):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE about SET value = ? WHERE name = 'format'", (written,))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.commit()
    before = path.read_bytes()
    for ask in (Results, lambda path: Store(path, writing=True)):
        with pytest.raises(
            StoreError, match=rf"hetsel \(format {written}; this version reads format 5\)\. Run"
        ):
            ask(path)
    assert path.read_bytes() == before


def flip(path, column, number):
    """Turn a bit in a column of a selection."""
    with closing(sqlite3.connect(path)) as connection:
        ask = f"SELECT {column} FROM selections WHERE key = ?"
        ((content,),) = connection.execute(ask, (key_of(number),)).fetchall()
        turned = bytes([content[0] ^ 4]) + content[1:]
        write = f"UPDATE selections SET {column} = ? WHERE key = ?"
        connection.execute(write, (turned, key_of(number)))
        connection.commit()


def test_what_is_read_is_what_was_written(path):
    with Store(path) as store:
        kinds = ((store.selections, key_of), (store.judgments, judged_key_of))
        for place, (read, key) in enumerate(kinds):
            for number, found in enumerate(read(map(key, range(9)))):
                cell = drawn_cell(number)
                written = vars([cell.selection, *cell.judgments][place])
                for name, value in vars(found).items():
                    assert np.array_equal(value, written[name]), name


def test_a_damaged_cell_is_named_and_computed_anew_by_a_run_with_retry(path):
    digest = Results(path).digest()
    flip(path, "ranking", 4)
    sentence = r"a.sqlite is damaged: the cell 'first' on 'one', resampling 2 .*\(retry=True\)"
    for ask in (Results.digest, Results.frame, Results.warnings):
        with pytest.raises(StoreError, match=sentence):
            ask(Results(path))
    with Store(path, writing=True) as store:
        assert store.damaged() == [key_of(4)]
        store.drop(store.damaged())
        store.add([drawn_cell(4)])
    assert Results(path).digest() == digest


def test_a_run_with_retry_computes_damaged_cells_anew(tmp_path):
    study, path = small_study(methods="t-test", datasets=NUMBERS, resamplings=2), tmp_path / "a"
    digest = study.run(path, n_jobs=0, progress=False).digest()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE judgments SET decisions = predictions")
        connection.commit()
    with pytest.raises(StoreError, match="a is damaged: the cell 't-test' on 'numbers'"):
        study.run(path, n_jobs=0, progress=False).digest()
    assert study.run(path, n_jobs=0, progress=False, retry=True).digest() == digest


@pytest.mark.parametrize("column", ["key", "checksum", "versions"])
@pytest.mark.parametrize("value", ["NULL", "7", "x'00'", "2.5", "'text'"])
@pytest.mark.parametrize("table", ["selections", "judgments"])
def test_a_damaged_column_of_any_type_is_refused_by_the_name_of_the_file(
    path, column, value, table
):
    key = key_of(4) if table == "selections" else judged_key_of(4)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"ALTER TABLE {table} RENAME TO old")
        connection.execute(f"CREATE TABLE {table} AS SELECT * FROM old")
        connection.execute(f"UPDATE {table} SET {column} = {value} WHERE key = ?", (key,))
        connection.commit()
    with pytest.raises(StoreError, match=r"a.sqlite is damaged"):
        Results(path)


def found_in(path):
    """All that a study prints and writes."""
    results = Results(path)
    tables = [t.to_csv() for t in (results.frame(), results.failures(), results.warnings())]
    return results.digest(), results.status(), results.versions(), tables


@pytest.mark.seconds
def test_of_flipped_bits_every_one_that_changes_a_number_is_refused(path):
    whole, draw = path.read_bytes(), random.Random(7)
    expected = found_in(path)
    refused = []
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        try:
            assert found_in(path) == expected
        except StoreError as reason:
            refused.append(str(reason))
    assert len(refused) > 5
    assert all("a.sqlite" in reason for reason in refused)


@pytest.fixture
def little_room(monkeypatch):
    """Files that grow no larger, as on a full disk."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # Python would keep half of a module
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))

    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_leaves_what_was_finished(path, little_room):
    digest = Results(path).digest()
    with Store(path, writing=True) as store:
        little_room(path.stat().st_size)
        with pytest.raises(StoreError, match="a.sqlite"):
            store.add([drawn_cell(i, rows=5000) for i in range(10, 15)])
        assert len(store.finished()) == 18
    little_room(resource.RLIM_INFINITY)
    assert Results(path).digest() == digest
    with Store(path, writing=True) as store:
        store.add([drawn_cell(9)])


def test_a_store_that_another_program_holds_is_waited_for_and_then_named(path, monkeypatch):
    monkeypatch.setattr("hetsel.study.store.sqlite_store.COMMIT_WAITS", 0.0)
    monkeypatch.setattr("hetsel.study.store.sqlite_store.READER_WAITS", 0.1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        with Store(path, writing=True) as store:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM selections").fetchall()
            with pytest.raises(StoreError, match="a.sqlite is in use by another program"):
                store.add([drawn_cell(9)])
            other.execute("ROLLBACK")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="a.sqlite is in use by another program"):
            Results(path)
    assert Results(path).status()["finished"] == 9


def test_a_table_that_holds_something_else_is_refused(tmp_path):
    """Right names, other columns."""
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for name in ("about", "plan", "versions", "failures", "selections", "judgments"):
            connection.execute(f"CREATE TABLE {name} (patient TEXT)")
    before = path.read_bytes()
    for writing in (True, False):
        with pytest.raises(StoreError, match="a.sqlite"):
            Store(path, writing=writing)
    assert path.read_bytes() == before


def test_versions_are_those_of_the_cells_of_the_plan(path):
    assert Results(path).versions() == [{"hetsel": "1", "numpy": "2"}]
    with closing(sqlite3.connect(path)) as connection:
        (content,) = connection.execute("SELECT content FROM versions").fetchone()
    assert json.loads(content) == {"hetsel": "1", "numpy": "2"}
