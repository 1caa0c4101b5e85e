"""What methods print is kept with their cells; the terminal has the progress only."""

import subprocess
import sys
from contextlib import redirect_stderr
from io import StringIO

import pytest
from sklearn.linear_model import LogisticRegression
from study.studies import AsTheyCome, small_study

from hetsel.evaluation.printed_text import KEPT, printed


class Talks(AsTheyCome):
    """Print on both streams; fail for a long text."""

    times: int = 1

    def _select(self, problem):
        print("a step\nof two", flush=True)
        print("a hint " * self.times, file=sys.stderr)
        subprocess.run([sys.executable, "-c", ""], check=True, stdout=sys.stdout)
        if self.times > 1000:
            raise ValueError("too much")
        return super()._select(problem)


class TalkingJudge(LogisticRegression):
    """Print in each fit."""

    def fit(self, X, y, sample_weight=None):
        print("judging")
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("jobs", [0, pytest.param(1, marks=pytest.mark.seconds)])
def test_a_run_keeps_what_is_printed_and_shows_its_progress(tmp_path, capfd, jobs):
    methods = [Talks, {"key": Talks, "params": {"times": 10**6}, "label": "long"}]
    study = small_study(
        methods=methods, classifiers=[TalkingJudge()], resamplings=2, sizes=[1], datasets="heart"
    )
    results = study.run(tmp_path / "a.sqlite", n_jobs=jobs)
    shown = "".join(capfd.readouterr())
    for text in ("step", "hint", "judging"):
        assert text not in shown
    assert "hetsel: 4 of 4 cells to compute" in shown
    notes = results.warnings()
    assert notes["warning"].tolist() == ["printed: a step of two a hint", "printed: judging"]
    assert notes["cells"].tolist() == [2, 2]
    (trace, _) = results.failures()["trace"]
    assert "too much" in trace
    assert "printed: a step of two a hint" in trace
    assert len(trace) < 10_000


def test_a_long_text_is_cut_and_counted():
    with printed() as told:
        for _ in range(1000):
            print("x" * 99)
    assert len(told.text) < KEPT + 50
    assert told.text.endswith("... (100000 characters)")


def test_without_a_stream_below_there_is_no_file():
    with redirect_stderr(StringIO()), printed() as told:
        assert not told.isatty()
        with pytest.raises(OSError, match="fileno"):
            sys.stdout.fileno()
