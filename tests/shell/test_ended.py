"""Commands that are ended by a signal, or whose standard streams are closed or full."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from hetsel.ground import signals, writing

REDIRECTED = [">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full", ">&- 2>/dev/full"]
COMMAND = f"{sys.executable} -m hetsel"


def shell(command, folder):
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("how", REDIRECTED)
def test_closed_and_full_streams_change_no_exit_code(how, tmp_path):
    for command, code in (("--version", 0), ("inspect", 2)):
        done = shell(f"{COMMAND} {command} {how}", tmp_path)
        assert done.returncode == code, done
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["--version", "--help", "inspect heart --save-schema s.json"])
def test_a_full_stdout_is_said_in_one_sentence(command, tmp_path):
    done = shell(f"{COMMAND} {command} >/dev/full", tmp_path)
    assert done.returncode == 1, done
    errors = [line for line in done.stderr.splitlines() if "note" not in line]
    assert errors == ["hetsel: error: stdout: no space left on device"]
    assert (tmp_path / "s.json").exists() == command.startswith("inspect")


@pytest.mark.slow
def test_a_file_does_not_take_the_place_of_a_closed_stream(table, tmp_path):
    what = f"rank {table} --target relapse --drop id --method variance --out ranks.csv"
    assert shell(f"{COMMAND} {what} <&- >&- 2>&-", tmp_path).returncode == 0
    assert (tmp_path / "ranks.csv").read_text().startswith("rank,feature,kind,importance\n1,")


@pytest.mark.parametrize("number", signals.ENDING)
def test_a_signal_leaves_no_draft(run, table, number, monkeypatch):
    before = signal.getsignal(number)
    monkeypatch.setattr(writing.os, "fsync", lambda _: signal.raise_signal(number))
    options = ("--target", "relapse", "--drop", "id", "--method", "variance", "--out")
    code, out, err = run("rank", table, *options, table.parent / "ranks.csv")
    assert (code, out) == (128 + number, "")
    word = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}.get(number, "hung up")
    assert err.splitlines()[-1] == f"hetsel: {word}"
    assert [path.name for path in table.parent.iterdir()] == [table.name]
    assert signal.getsignal(number) is before


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found by /proc")
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_study_with_workers_that_is_ended_leaves_nothing_behind(number, tmp_path):
    (tmp_path / "tmp").mkdir()
    plan = 'datasets = ["heart"]\nmethods = ["variance", "hsic"]\nresamplings = 500\n'
    (tmp_path / "plan.toml").write_text(plan)
    process = subprocess.Popen(
        [sys.executable, "-m", "hetsel", "study", "run", "plan.toml", "--jobs", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        start_new_session=True,
    )
    while not finished_cells(tmp_path / "plan.sqlite"):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    assert processes_of(tmp_path / "tmp") >= 3  # two workers
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (128 + number, b""), errors
    assert b"Traceback" not in errors
    assert not any((tmp_path / "tmp").iterdir())
    end = time.monotonic() + 30
    while processes_of(tmp_path / "tmp"):
        assert time.monotonic() < end, "a worker is left"
        time.sleep(0.05)


def finished_cells(path):
    """Number of cells in a store, 0 while there is none."""
    address = f"{path.as_uri()}?mode=ro"
    with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as file:
        return file.execute("SELECT COUNT(*) FROM selections").fetchone()[0]
    return 0


def processes_of(temporary):
    """Number of processes whose temporary files are in this folder."""
    count = 0
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it is gone
            count += f"TMPDIR={temporary}\0".encode() in environment.read_bytes()
    return count
