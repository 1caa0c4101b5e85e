"""The store: one writer, crash-safe, and honest about failures and changed plans."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from frames import mixed_frame
from study.studies import Told, cells_in, small_study

from hetsel import Results, Study
from hetsel.ground.errors import StoreError, TableError
from hetsel.study.store.sqlite_store import Store

PLAN = """
datasets = ["heart"]
methods = ["rfe-svm", "rfe-mkl"]
resamplings = 120
"""


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "kill.toml"
    path.write_text(PLAN)
    return path


def start(plan, *options):
    command = [sys.executable, "-m", "hetsel", "study", "run", str(plan), *options]
    return subprocess.Popen(
        command, cwd=plan.parent, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def finished(path):
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT count(*) FROM selections").fetchone()[0]
    finally:
        connection.close()


@pytest.mark.seconds
def test_the_second_run_on_a_store_says_so(plan, tmp_path):
    path = tmp_path / "a.sqlite"
    with Store(path, writing=True):
        for _ in range(2):  # who fails leaves the number of the holder as it is
            holder = rf"another run \(process {os.getpid()}\) is using"
            with pytest.raises(StoreError, match=holder):
                small_study().run(path, progress=False)
        with Store(path) as read:  # reading is free
            assert read.plan() == []
    results = small_study().run(path, n_jobs=0, progress=False)
    assert results.status()["missing"] == 0


@pytest.mark.slow
def test_the_lock_ends_with_the_process_that_held_it(tmp_path):
    path = tmp_path / "a.sqlite"
    holding = (
        "import sys, time; from hetsel.study.store.sqlite_store import Store; "
        f"store = Store({str(path)!r}, writing=True); print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", holding], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match=rf"process {process.pid}\) is using"):
            Store(path, writing=True)
        process.kill()
    with Store(path, writing=True):
        assert path.is_file()


@pytest.mark.slow
def test_interrupted(plan):
    plan.write_text(PLAN.replace("120", "5000"))  # more than are done when the signal arrives
    process = start(plan, "--jobs", "1")
    for line in process.stderr:
        if "cells to compute" in line:
            break
    while not finished(plan.parent / "kill.sqlite"):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert 0 < finished(plan.parent / "kill.sqlite") < 10000


@pytest.mark.seconds
def test_failures_are_kept_apart_and_retried(tmp_path):
    flag = tmp_path / "flag"
    flag.touch()
    study = small_study(methods=["rfe-svm", Told(flag=str(flag))], resamplings=8)
    path = tmp_path / "a.sqlite"
    results = study.run(path, n_jobs=0, progress=False)
    failures = results.failures()
    status = results.status()
    assert 0 < status["failed"] == len(failures) < 8
    assert status["finished"] + status["failed"] == 16
    assert set(failures["method"]) == {"Told"}
    assert set(failures["reason"]) == {"ArithmeticError: as it was told"}
    assert failures["trace"].str.contains("Traceback").all()
    assert len(cells_in(results, "mixed", "Told")) == 8 - len(failures)
    before = results.digest()
    flag.unlink()
    assert study.run(path, n_jobs=0, progress=False).digest() == before  # not unless asked
    results = study.run(path, n_jobs=0, progress=False, retry=True)
    assert results.failures().empty
    assert results.status()["finished"] == 16
    fresh = study.run(tmp_path / "b.sqlite", n_jobs=0, progress=False)
    assert results.digest() == fresh.digest()


def test_a_run_tells_the_names_of_columns_without_a_header(tmp_path, capsys):
    X, y = mixed_frame(n=60, continuous=2, nominal=1)
    X.assign(y=y).to_csv(tmp_path / "own.csv", index=False, header=False)
    (tmp_path / "plan.toml").write_text(
        'datasets = [{name = "own", file = "own.csv", target = "x3", header = false}]\n'
        'methods = ["variance"]\nresamplings = 1\n'
    )
    Study.load(tmp_path / "plan.toml").run(tmp_path / "a.sqlite", n_jobs=0)
    assert "note: own: without a header, the columns are named x0, x1, x2, x3" in (
        capsys.readouterr().err
    )


def test_a_run_asks_about_the_columns_of_own_tables(tmp_path, capsys):
    X, y = mixed_frame(n=60, continuous=2, nominal=1)
    X["grade"], X["stage"] = [1, 2, 3] * 20, [0, 1] * 30
    datasets = [{"name": "own", "X": X, "y": y}, {"name": "heart"}]
    study = small_study(datasets=datasets, resamplings=1)
    study.run(tmp_path / "a.sqlite", n_jobs=0)
    said = capsys.readouterr().err
    assert "note: own: grade: only 3 distinct whole numbers" in said
    assert "note: own: stage: only 2 distinct whole numbers" in said
    assert "note: heart" not in said
    study = small_study(datasets={"name": "own", "X": X, "y": y, "nominal": ["grade", "stage"]})
    study.run(tmp_path / "b.sqlite", n_jobs=0)
    assert "note:" not in capsys.readouterr().err


def test_a_changed_plan_reuses_what_holds_and_says_what_does_not(tmp_path, capsys):
    path = tmp_path / "a.sqlite"
    small_study().run(path, n_jobs=0)
    capsys.readouterr()
    methods = [{"key": "rfe-svm", "params": {"C": 1.0}}, "rfe-mkl"]
    changed = small_study(methods=methods, resamplings=5).run(path, n_jobs=0)
    said = capsys.readouterr().err
    assert "4 of its 10 selections and 4 of its 10 judgments are in a.sqlite" in said
    assert "changed: methods.rfe-svm.params.C: 0.1 -> 1.0" in said
    assert "changed: resamplings.count: 4 -> 5" in said
    assert "kept, but no longer in the plan: cells of mixed (rfe-svm 4)" in said
    assert "6 of 10 cells to compute" in said
    assert changed.status()["cells"] == changed.status()["finished"] == 10
    fresh = small_study(methods=methods, resamplings=5).run(tmp_path / "b.sqlite", n_jobs=0)
    assert changed.digest() == fresh.digest()
    capsys.readouterr()
    small_study().run(path, n_jobs=0)  # and back: everything is still there
    assert "nothing to compute" in capsys.readouterr().err


def test_a_changed_table_is_named_as_such(tmp_path, capsys):
    X, y = mixed_frame(n=60, continuous=3, nominal=0)
    path = tmp_path / "a.sqlite"
    tables = {"first": X, "fewer rows": X[:50], "another value": X[:50] + 1.0}
    said = {}
    for name, table in tables.items():
        own = {"name": "own", "X": table, "y": y[: len(table)]}
        small_study(datasets=own, methods="variance", resamplings=1).run(path, n_jobs=0)
        lines = capsys.readouterr().err.splitlines()
        said[name] = [line for line in lines if "changed: the table of data set 'own'" in line]
    assert said["first"] == []
    assert "rows: 60 -> 50" in said["fewer rows"][0]
    assert "values, target or held-out rows differ" in said["another value"][0]


def test_a_resumed_run_says_once_that_versions_differ(tmp_path, capsys, monkeypatch):
    def run(resamplings, numpy):
        used = {"python": "3.11", "numpy": numpy}
        monkeypatch.setattr("hetsel.study.cell.versions", lambda *_: used)
        small_study(datasets=own, methods=["variance", "pearson"], resamplings=resamplings).run(
            tmp_path / "a.sqlite", n_jobs=0
        )
        return [line for line in capsys.readouterr().err.splitlines() if "versions" in line]

    X, y = mixed_frame(n=60, continuous=3, nominal=0)
    own = {"name": "own", "X": X, "y": y}
    assert run(1, "1.26") == []
    assert run(2, "1.26") == []
    (line,) = run(3, "2.4")
    assert line.endswith("from those of its earlier cells: numpy 1.26 -> 2.4")
    assert run(4, "2.4") == []
    used = Results(tmp_path / "a.sqlite").versions()  # the first that were used come first
    assert [versions["numpy"] for versions in used] == ["1.26", "2.4"]


def test_a_file_that_is_no_store(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_text("hello " * 100)
    with pytest.raises(StoreError, match="a.sqlite is not the store of a study"):
        small_study().run(path, progress=False)
    with pytest.raises(StoreError, match="no such store"):
        Results(tmp_path / "b.sqlite")
    with pytest.raises(StoreError, match="there is no folder"):
        small_study().run(tmp_path / "nowhere" / "b.sqlite", progress=False)
    assert not (tmp_path / "nowhere").exists()
    (tmp_path / "d.sqlite").touch()
    with pytest.raises(StoreError, match="holds no study yet"):
        Store(tmp_path / "d.sqlite")
    with Store(tmp_path / "c.sqlite", writing=True):
        pass
    with pytest.raises(StoreError, match="holds no study yet"):
        Results(tmp_path / "c.sqlite")
    connection = sqlite3.connect(tmp_path / "c.sqlite")
    connection.execute("UPDATE about SET value = '99' WHERE name = 'format'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"written by another version of hetsel \(format 99"):
        Store(tmp_path / "c.sqlite")


def test_a_database_of_something_else_stays_as_it_is(tmp_path):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE patients (name TEXT)")
    before = path.read_bytes()
    for writing in (True, False):
        with pytest.raises(StoreError, match="it has other tables"):
            Store(path, writing=writing)
    assert path.read_bytes() == before


def test_a_plan_that_cannot_be_used_leaves_no_store(tmp_path):
    X, _ = mixed_frame(n=60, continuous=2, nominal=1)
    study = small_study(datasets={"name": "own", "X": X, "y": ["no"] * 60})
    with pytest.raises(TableError, match="data set 'own': the target must have at least two"):
        study.run(tmp_path / "a.sqlite", progress=False)
    assert list(tmp_path.iterdir()) == []
