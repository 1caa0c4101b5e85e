"""What a run says while it works, and how times read."""

from collections import Counter
from pathlib import Path

import pytest

from hetsel.evaluation import progress
from hetsel.evaluation.progress import LONG, SURE, Pace, RunProgress, clock

PLACE = ("heart", "t-test")


@pytest.fixture
def now(monkeypatch):
    """A clock that the test moves."""
    seconds = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: seconds[0])
    return seconds


def test_the_pace_is_told_by_some_parts_or_by_one_that_is_long(now):
    now[0] = 5.0
    pace = Pace(1)
    now[0] += 0.3 * SURE
    assert pace.left(SURE, 11) == float("inf")
    assert pace.left(SURE + 1, 11 + SURE) == pytest.approx(0.3 * 10)
    now[0] = 5.0 + 1.5 * LONG
    assert pace.left(1, 5) == float("inf")
    assert pace.left(2, 5) == pytest.approx(1.5 * LONG * 3)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (3599, "59 min 59 s"),
        (3600, "1 h 00 min"),
    ],
)
def test_times_in_words(seconds, said):
    assert clock(seconds) == said


def test_a_line_every_ten_seconds_with_what_is_left(now, capsys):
    shown = RunProgress(True)
    shown.start(Counter({PLACE: 4}), 6)
    now[0] = 9.0
    shown.cell(PLACE, False)
    assert "4 of 6" in capsys.readouterr().err
    now[0] = 20.0
    shown.cell(PLACE, True)
    (line,) = capsys.readouterr().err.splitlines()
    # two of six were there before, two more are done in 20 s, two are left
    for fact in ("4 of 6 cells", "1 failed", "20 s elapsed", "about 20 s left"):
        assert fact in line
    now[0] = 25.0
    shown.cell(PLACE, False)
    assert capsys.readouterr().err == ""


def test_the_end_counts_the_reasons_of_failures(now, capsys):
    shown = RunProgress(True)
    shown.start(Counter({PLACE: 3}), 3)
    shown.cell(PLACE, True)
    failed = [("rfe-mkl", "no 1"), ("rfe-mkl", "no 2"), ("rfe-mkl", "other"), ("cmim", "no 3")]
    shown.end(failed, 4, Path("study.sqlite"))
    said = capsys.readouterr().err.splitlines()
    assert sum("rfe-mkl: 2 cells failed: no" in line for line in said) == 1
    assert sum("rfe-mkl: 1 cell failed: other" in line for line in said) == 1
    assert sum("cmim: 1 cell failed: no 3" in line for line in said) == 1
    said = " ".join(said)
    assert "retry" in said


def test_the_end_tells_selections_and_judges_apart(now, capsys):
    shown = RunProgress(True)
    shown.start(Counter({PLACE: 2}), 2)
    for selecting, judging in ((1.5, 0.25), (90.0, 0.5)):
        shown.computed(selecting, judging)
        shown.cell(PLACE, False)
    now[0] = 50.0
    shown.stored(5.0)
    capsys.readouterr()
    shown.end([], 2, Path("study.sqlite"))
    (line,) = capsys.readouterr().err.splitlines()
    for fact in ("2 cells in 50 s", "selections 1 min 32 s", "judges 0.8 s", "10.0% for the store"):
        assert fact in line


def test_nothing_is_said_where_nothing_is_asked_for(now, capsys):
    silent = RunProgress(False)
    silent.start(Counter({PLACE: 1}), 1)
    now[0] = 60.0
    silent.cell(PLACE, True)
    silent.end([], 0, Path("study.sqlite"))
    assert capsys.readouterr().err == ""


def test_the_time_left_is_not_guessed_before_each_method_had_a_cell(now, capsys):
    shown = RunProgress(True)
    shown.start(Counter({PLACE: 3, ("heart", "rfe-mkl"): 3}), 6)
    now[0] = 600.0  # a slow one comes first
    shown.cell(("heart", "rfe-mkl"), False)
    assert "left" not in capsys.readouterr().err
    now[0] = 611.0
    shown.cell(PLACE, False)
    assert "about 20 min 22 s left" in capsys.readouterr().err


def test_one_cell_is_one_cell_and_after_the_last_nothing_is_left(now, capsys):
    shown = RunProgress(True)
    shown.start(Counter({PLACE: 1}), 1)
    now[0] = 20.0
    shown.cell(PLACE, False)
    shown.end({}, ["a"], Path("study.sqlite"))
    _, done, end = capsys.readouterr().err.splitlines()
    assert done == "hetsel: 1 of 1 cells, 20 s elapsed"
    assert end.startswith("hetsel: 1 cell in 20 s")
