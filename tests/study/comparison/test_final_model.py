"""Whatever a method does on all rows, a report has its page."""

import numpy as np
import pytest
from study.studies import misbehave, small_study

from hetsel import Ranking, write_study_report
from hetsel.selection import About, BaseSelector
from hetsel.study import model_on_all_rows as numbers
from hetsel.study.model_on_all_rows import ModelOnAllRows, final_model

ROWS = 60  # of the small study


class OnAllRows(BaseSelector):
    """Ranks the columns as they come, but misbehaves on the whole table."""

    how: str = ""

    about = About("misbehaves on all rows")

    def _select(self, problem):
        if problem.n == ROWS:
            match self.how:
                case "memory":
                    raise MemoryError
                case "assert":
                    raise AssertionError("of a method")
                case "index":
                    raise IndexError("of a method")
            misbehave(self.how)
        return Ranking.from_importance(-np.arange(float(problem.p)))


def results_of(tmp_path, how, time_limit=None):
    study = small_study(methods=[OnAllRows(how=how)], resamplings=2, sizes=[1, 2])
    jobs = 0 if time_limit is None else 1
    path = tmp_path / "a.sqlite"
    return study.run(path, n_jobs=jobs, time_limit=time_limit, progress=False)


def said(results):
    return final_model(results, "mixed", "OnAllRows", 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "fact"),
    [
        ("memory", "MemoryError"),
        ("assert", "AssertionError: of a method"),
        ("index", "IndexError: of a method"),
        ("sys.exit", "SystemExit"),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
        ("abort", "SIGABRT"),
        ("leaves", "exit code 0"),
    ],
)
def test_a_method_that_fails_on_all_rows_costs_its_figure(tmp_path, how, fact):
    results = results_of(tmp_path, how)
    found = said(results)
    assert isinstance(found, str)
    assert found.startswith("no final model: OnAllRows on all rows: ")
    assert fact in found


@pytest.mark.slow
def test_the_time_limit_of_the_study_holds_for_the_report(tmp_path):
    results = results_of(tmp_path, "spins", time_limit=1.0)
    assert results.time_limit == 1.0
    page = write_study_report(results, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "OnAllRows on all rows: the cell took longer than the time limit of 1 s" in page
    assert results.status()["finished"] == 2


@pytest.mark.slow
@pytest.mark.parametrize(("least", "cells", "limit"), [(1.0, 0.0, "1 s"), (0.0, 1.0, "")])
def test_a_report_of_a_study_without_a_limit_has_one_for_methods_of_others(
    tmp_path, monkeypatch, least, cells, limit
):
    results = results_of(tmp_path, "spins")
    monkeypatch.setattr(numbers, "LEAST_SECONDS", least)
    monkeypatch.setattr(numbers, "CELLS", cells)
    assert results.time_limit is None
    longest = results.frame()["rank_seconds"].max()
    expected = limit or f"{longest:g} s"
    assert said(results).endswith(f"the cell took longer than the time limit of {expected}")


@pytest.mark.slow
def test_the_model_of_a_worker_is_that_of_this_process(tmp_path):
    study = small_study(methods=["rfe-svm"], resamplings=2, sizes=[1, 2])
    results = study.run(tmp_path / "a.sqlite", n_jobs=0, progress=False)
    here = final_model(results, "mixed", "rfe-svm", 2)
    results.time_limit = 60.0
    there = final_model(results, "mixed", "rfe-svm", 2)
    assert isinstance(there, ModelOnAllRows)
    assert there.names == here.names
    for one, other in zip(there.curves, here.curves, strict=True):
        np.testing.assert_array_equal(one.values, other.values)
