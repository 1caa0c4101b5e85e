"""A method that gives another answer the second time is told; cells are computed anew on demand."""

import itertools
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.linear_model import LogisticRegression
from study.studies import Told, cells_in, small_study

from hetsel import Ranking, Results, merge_stores
from hetsel.ground.errors import PlanError, StoreError
from hetsel.selection import About, BaseSelector
from hetsel.shell.main import main
from hetsel.study.store.sqlite_store import Store

CALLS = itertools.count()


class Draws(BaseSelector):
    """Ranks by other numbers at each call."""

    about = About("draws")

    def _select(self, problem):
        return Ranking.from_importance(np.random.default_rng(next(CALLS)).normal(size=problem.p))


class ByProcess(BaseSelector):
    """Ranks by the number of the process."""

    about = About("by process")

    def _select(self, problem):
        order = np.random.default_rng(os.getpid()).permutation(problem.p)
        return Ranking.from_importance(order.astype(float))


class Counts(BaseSelector):
    """Ranks the columns as they come, and counts its calls on tables of the study in a file."""

    about = About("counts")
    file: str = ""

    def _select(self, problem):
        if problem.n not in (20, 96):  # not few rows of a trial, nor the table of the warm-up
            with open(self.file, "a", encoding="utf-8") as file:
                file.write(".")
        return Ranking.from_importance(np.arange(float(problem.p)))


class Guesses(LogisticRegression):
    """A judge whose coefficients are others at each fit."""

    def fit(self, X, y):
        super().fit(X, y)
        self.coef_ = np.random.default_rng(next(CALLS)).normal(size=self.coef_.shape)
        return self


def wide_study(**changes):
    """Fifteen columns: two drawn orders are the same once in 10^12 times, of five once in 120."""
    X, y = mixed_frame(n=60, continuous=9, nominal=6, missing=0.05)
    return small_study(**{"datasets": {"name": "mixed", "X": X, "y": y}} | changes)


def in_process(path, methods, **options):
    changes = {"methods": methods, "sizes": [1, 2], **options.pop("plan", {})}
    return wide_study(**changes).run(path, n_jobs=0, progress=True, **options)


def repeated(path):
    with Store(path) as file:
        return file.about("repeated")


def test_a_generator_without_a_seed_is_told_and_kept(tmp_path, capsys):
    path = tmp_path / "a.sqlite"
    results = in_process(path, [Draws(), Told(), "rfe-svm"])
    said = [line for line in capsys.readouterr().err.splitlines() if "caution" in line]
    assert len(said) == 1
    assert "'Draws' on 'mixed'" in said[0]
    (warned,) = results.warnings().itertuples()
    assert (warned.dataset, warned.method, warned.cells) == ("mixed", "Draws", 1)
    assert "two computations of a cell differ" in warned.warning
    assert results.status()["failed"] == 0
    known = repeated(path)
    assert sorted(map(bool, known.values())) == [False, True]  # Draws and Told, not rfe-svm
    digest = results.digest()
    again = in_process(path, [Draws(), Told(), "rfe-svm"])
    assert (repeated(path), again.digest()) == (known, digest)
    assert "caution" not in capsys.readouterr().err
    merged = merge_stores([path], tmp_path / "all.sqlite", progress=False)
    assert merged.warnings().equals(results.warnings())


def test_one_cell_of_each_code_is_computed_twice(tmp_path):
    path, calls = tmp_path / "a.sqlite", tmp_path / "calls"
    method = Counts(file=str(calls))
    in_process(path, [method])
    assert len(calls.read_text()) == 4 + 1
    in_process(path, [method], plan={"resamplings": 6})
    assert len(calls.read_text()) == 5 + 2
    in_process(path, [method], anew="Counts", plan={"resamplings": 6})
    assert len(calls.read_text()) == 7 + 6 + 1


def test_a_judge_of_its_own_is_repeated_too(tmp_path):
    results = in_process(tmp_path / "a.sqlite", "rfe-svm", plan={"classifiers": [Guesses()]})
    assert len(results.warnings()) == 1
    assert "order of the features" not in results.warnings()["warning"][0]
    fine = {"classifiers": [LogisticRegression()]}
    in_process(tmp_path / "b.sqlite", "rfe-svm", plan=fine)
    assert repeated(tmp_path / "b.sqlite") is None


@pytest.mark.slow
def test_the_second_time_is_in_another_process(tmp_path):
    results = wide_study(methods=[ByProcess()], resamplings=2, sizes=[2]).run(
        tmp_path / "a.sqlite", n_jobs=1, progress=False
    )
    assert list(results.warnings()["method"]) == ["ByProcess"]


def test_cells_are_computed_anew_by_the_label_of_their_method(tmp_path):
    path = tmp_path / "a.sqlite"
    before = in_process(path, [Draws(), "rfe-svm"]).digest()
    with Store(path) as file:
        first = {row[1]: row[3] for row in file.kept("selections", file.keys("selections"))}
    with pytest.raises(
        PlanError, match=r"anew must be one of Draws, clinical-svm, rfe-svm\. Got 'draws'"
    ):
        in_process(path, [Draws(), "rfe-svm"], anew=["draws"])
    after = in_process(path, [Draws(), "rfe-svm"], anew=["Draws"]).digest()
    with Store(path) as file:
        rows = file.kept("selections", file.keys("selections"))
        same = [first[key] == contents for _, key, _, contents in rows]
    assert sorted(same) == [False] * 4 + [True] * 4
    assert before != after


def test_failed_cells_are_computed_anew(tmp_path):
    flag = tmp_path / "flag"
    flag.touch()
    method = Told(flag=str(flag))
    failed = in_process(tmp_path / "a.sqlite", method, plan={"resamplings": 6}).status()["failed"]
    assert failed
    flag.unlink()
    option = {"anew": "Told", "plan": {"resamplings": 6}}
    assert in_process(tmp_path / "a.sqlite", method, **option).status()["finished"] == 6


OWN = """
import numpy as np
from hetsel import Ranking
from hetsel.selection import About, BaseSelector
class Sel(BaseSelector):
    about = About("own")
    def _select(self, problem):
        return Ranking.from_importance({} * np.arange(float(problem.p)))
"""
PLAN = """
datasets = [{name = "own", file = "own.csv", target = "y", nominal = ["code"]}]
methods = ["own_sel.Sel"]
resamplings = RESAMPLINGS
sizes = [1]
"""


@pytest.mark.parametrize("jobs", ["0", pytest.param("2", marks=pytest.mark.slow)])
def test_halves_of_two_codes_never_meet(tmp_path, monkeypatch, capsys, jobs):
    rows = [f"{i % 7},{(i // 3) % 4},{'yes' if i % 7 > 3 else 'no'}" for i in range(60)]
    (tmp_path / "own.csv").write_text("x,code,y\n" + "\n".join(rows) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def first_features(sign, resamplings, *options):
        monkeypatch.delitem(sys.modules, "own_sel", raising=False)
        Path("own_sel.py").write_text(OWN.format(sign))
        Path("plan.toml").write_text(PLAN.replace("RESAMPLINGS", str(resamplings)))
        assert main(["study", "run", "plan.toml", "--jobs", jobs, *options]) == 0
        results = Results("plan.sqlite")
        return [int(cell.order[0]) for _, cell in cells_in(results, "own", "Sel")]

    assert first_features("1", 2) == [1, 1]
    assert first_features("-1 * 1", 4) == [0, 0, 0, 0]
    assert "changed: methods.Sel.code" in capsys.readouterr().err
    assert first_features("-1 * 1", 4, "--anew", "Sel") == [0, 0, 0, 0]
    assert "4 of 4 cells to compute" in capsys.readouterr().err
    assert first_features("1", 2) == [1, 1]  # the cells of the first code are kept
    assert "nothing to compute" in capsys.readouterr().err


def test_a_store_with_other_facts_is_refused(tmp_path):
    path = tmp_path / "a.sqlite"
    in_process(path, "rfe-svm")
    for facts in ({"repeated": {"key": 3}}, {"time_limit": -1.0}):
        with Store(path, writing=True) as file:
            file.write_facts({"repeated": None, "time_limit": None, **facts})
        with pytest.raises(StoreError):
            Results(path)
