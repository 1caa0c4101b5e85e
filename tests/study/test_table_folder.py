"""Folders with tables for workers: removed at the end, or by the next run after a kill."""

import os
import signal
import subprocess
import sys
import time

import pytest
from study.studies import small_study

from hetsel.study import table_folder as folders
from hetsel.study.table_folder import table_folder

HOLD = """
import sys
from hetsel.study.table_folder import table_folder
with table_folder() as folder:
    (folder / "table").write_bytes(b"rows")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder for temporary files."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def test_a_killed_process_leaves_a_folder_that_the_next_one_removes(place):
    command = [sys.executable, "-c", HOLD]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        left = process.stdout.readline().decode().strip()
        with table_folder() as other:  # of a process that lives: it stays
            assert sorted(os.listdir(left)) == ["in-use", "table"]
            assert other.is_dir()
        assert os.path.isdir(left)
        process.send_signal(signal.SIGKILL)
    assert os.path.isdir(left)
    with table_folder() as folder:
        assert list(place.iterdir()) == [folder]
    assert list(place.iterdir()) == []


def test_what_is_not_a_folder_of_a_run_stays(place, monkeypatch):
    victim = place / "mine"
    victim.mkdir()
    (victim / "in-use").touch()
    (place / "hetsel-tables-link").symlink_to(victim)
    (place / "hetsel-tables-file").touch()
    (place / "hetsel-tables-new").mkdir()  # of a process that is just making it
    (place / "hetsel-other").mkdir()
    before = sorted(place.rglob("*"))
    with table_folder():
        pass
    assert sorted(place.rglob("*")) == before
    hours = time.time() + 2 * folders._UNFINISHED
    monkeypatch.setattr(folders.time, "time", lambda: hours)
    with table_folder():
        pass
    assert sorted(set(before) - set(place.rglob("*"))) == [place / "hetsel-tables-new"]
    monkeypatch.setattr(os, "getuid", lambda: -1)
    (place / "hetsel-tables-new").mkdir()
    with table_folder():
        pass
    assert (place / "hetsel-tables-new").is_dir()  # of another user


@pytest.mark.slow
def test_a_run_in_workers_removes_what_a_killed_one_left(place, tmp_path_factory):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.kill()
    assert len(list(place.iterdir())) == 1
    path = tmp_path_factory.mktemp("study") / "a.sqlite"
    small_study(resamplings=1).run(path, jobs=2, progress=False)
    assert not list(place.glob("hetsel-*"))
