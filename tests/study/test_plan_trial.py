"""Plans are tried on few rows before the first cell; a good plan is never refused for few rows."""

import os
import time

import numpy as np
import pytest
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from study.studies import AsTheyCome, Rotated, run, small_study

from hetsel import Study
from hetsel.evaluation.data.train_and_test_rows import few_of
from hetsel.ground.errors import PlanError


class Broken(AsTheyCome):
    """Fail by a fault of its code, or as some parameter says."""

    how: str = ""
    least: int = 0
    rows = ()

    def _select(self, problem):
        Broken.rows += (problem.n,)
        match self.how:
            case "attribute":
                return problem.tabel
            case "type":
                return "no answer"
            case "name":
                return undefined  # noqa: F821
            case "parameter":
                raise ValueError("how must be another word")
            case "odd rows":
                raise ArithmeticError("as it was told")
        if problem.n < self.least:
            raise ValueError(f"least: {self.least} rows are needed. Got {problem.n}")
        return super()._select(problem)


class NeedsRows(AsTheyCome):
    """Refuse few rows by an error of the class that a fault of the code has."""

    def _select(self, problem):
        if problem.n < 40:
            raise TypeError("too few rows")
        return super()._select(problem)


class NoFit(LogisticRegression):
    """A judge with a fault."""

    def fit(self, X, y, sample_weight=None):
        return self.fitt(X, y)


def entry(how):
    return {"key": Broken, "params": {"how": how}, "label": "broken"}


@pytest.mark.parametrize(
    ("method", "facts"),
    [
        (entry("attribute"), ("method 'broken'", "AttributeError", "tabel")),
        (entry("type"), ("method 'broken'", "TypeError", "_select must return")),
        (entry("name"), ("method 'broken'", "NameError", "undefined")),
        (entry("parameter"), ("method 'broken'", "ValueError: how must be")),
        (RFE(LogisticRegression(C=-1.0)), ("method 'RFE'", "InvalidParameterError", "C")),
        (
            GridSearchCV(make_pipeline(SelectKBest(k=1), SVC()), {"selectkbest__kk": [1]}),
            ("method 'GridSearchCV'", "kk"),
        ),
        (
            {"key": "rfe-svm", "tune": {"C": [1, -1]}},
            ("method 'rfe-svm (tuned)'", "C = -1", "C must be"),
        ),
    ],
)
def test_a_method_that_fails_in_every_cell_is_refused_at_once(tmp_path, method, facts):
    path = tmp_path / "a.sqlite"
    with pytest.raises(PlanError) as error:
        run(small_study(methods=["rfe-svm", method]), path)
    for fact in (*facts, "data set 'mixed'"):
        assert fact in str(error.value), str(error.value)
    assert not path.exists()


def test_a_judge_that_fails_in_every_cell_is_refused_at_once(tmp_path):
    for judge, facts in ((NoFit(), ("NoFit", "fitt")), (SVC(C=-1.0), ("SVC", "C"))):
        with pytest.raises(PlanError) as error:
            run(small_study(classifiers=["5nn", judge]), tmp_path / "a.sqlite")
        for fact in ("judge", *facts):
            assert fact in str(error.value), str(error.value)
    assert not (tmp_path / "a.sqlite").exists()


@pytest.mark.parametrize(
    ("method", "failed"),
    [
        (NeedsRows, 0),
        ({"key": Broken, "params": {"least": 40}}, 0),
        (entry("odd rows"), 4),
        ({"key": Rotated, "tune": {"first": [0, 1]}}, 0),
    ],
)
def test_few_rows_and_failures_of_rows_refuse_no_plan(tmp_path, method, failed):
    results = run(small_study(methods=method), tmp_path / "a.sqlite")
    assert results.status()["failed"] == failed


def test_a_judge_for_more_rows_is_not_refused(tmp_path):
    study = small_study(classifiers=KNeighborsClassifier(25))
    assert run(study, tmp_path / "a.sqlite").status()["failed"] == 0


def test_methods_with_results_are_not_tried_again(tmp_path):
    Broken.rows = ()
    study = small_study(methods=entry(""), resamplings=2)
    run(study, tmp_path / "a.sqlite")
    first = Broken.rows
    assert 20 in first
    Broken.rows = ()
    run(small_study(methods=entry(""), resamplings=3), tmp_path / "a.sqlite")
    assert 0 < len(Broken.rows) < len(first)
    assert 20 not in Broken.rows


class FailsWithFewRows(AsTheyCome):
    """End the process of a trial, or wait there."""

    hangs: bool = False

    def _select(self, problem):
        if problem.n == 20 and self.hangs:
            time.sleep(3600)
        elif problem.n == 20:
            os._exit(3)
        return super()._select(problem)


@pytest.mark.seconds
@pytest.mark.parametrize("hangs", [False, True])
def test_a_crash_or_a_hang_ends_the_trial_only(tmp_path, monkeypatch, hangs):
    monkeypatch.setattr("hetsel.study.plan_trial.SECONDS", 1.0)
    method = {"key": FailsWithFewRows, "params": {"hangs": hangs}}
    study = small_study(methods=["rfe-svm", method], resamplings=1)
    results = study.run(tmp_path / "a.sqlite", n_jobs=1, progress=False)
    assert results.status()["finished"] == 2


@pytest.mark.seconds
def test_a_trial_in_a_worker_refuses_as_well(tmp_path):
    study = small_study(methods=["rfe-svm", entry("attribute")])
    with pytest.raises(PlanError, match="method 'broken' fails in every cell: AttributeError"):
        study.run(tmp_path / "a.sqlite", n_jobs=1, progress=False)
    assert not (tmp_path / "a.sqlite").exists()


def test_few_rows_have_the_same_number_of_each_stratum():
    strata = np.repeat([0, 1, 2], [50, 30, 3])
    rows = np.arange(1, 83)
    found = few_of(rows, strata)
    assert np.bincount(strata[found]).tolist() == [7, 7, 3]
    assert set(found) <= set(rows)
    assert len(few_of(rows, np.arange(83) // 4)) == 42


def test_a_plan_of_methods_of_hetsel_is_not_tried(monkeypatch, tmp_path):
    def fail(*_):
        raise AssertionError

    monkeypatch.setattr("hetsel.study.plan_trial.Trial", fail)
    study = Study(datasets=["heart"], methods=["cmim"], resamplings=2, sizes=[1])
    assert run(study, tmp_path / "a.sqlite").status()["finished"] == 2
