"""Failed cells count as the baseline, if that is wanted, and the report says so."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from study.studies import Told, run, small_study

from hetsel import compare_methods, write_study_report
from hetsel.ground.errors import TableError
from hetsel.shell.main import main
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.comparison.study_summary import Summary

PLACE = ["dataset", "method", "resampling"]


class Moody(ClassifierMixin, BaseEstimator):
    """Naive Bayes that fails where the first row of training is in the second class."""

    def fit(self, X, y):
        if y[0] == np.unique(y)[1]:
            raise ArithmeticError("moody")
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Results of a method and a judge that fail on some resamplings of two tables."""
    folder = tmp_path_factory.mktemp("failed")
    (folder / "flag").touch()
    X, y = mixed_frame(n=60, continuous=3, nominal=2)
    datasets = [{"name": "one", "X": X, "y": y}, {"name": "two", "X": X[::-1], "y": y[::-1]}]
    study = small_study(
        datasets=datasets,
        methods=["hsic", Told(flag=str(folder / "flag"))],
        classifiers=["clinical-svm", Moody()],
        resamplings=12,
        sizes=[2, 5],
    )
    return run(study, folder / "a.sqlite")


def slowly(results, judge):
    """Mean BCR by data set and method, failed cells at 1/2, by a loop over the frame."""
    frame = results.frame()
    frame = frame[(frame["classifier"] == judge) & (frame["size"] == 2)]
    scores = {tuple(row[PLACE]): row["bcr"] for _, row in frame.iterrows()}
    failed = results.failures()
    for _, row in failed[failed["judge"].isin(["", judge])].iterrows():
        assert tuple(row[PLACE]) not in scores
        scores[tuple(row[PLACE])] = 0.5
    return pd.Series(scores).groupby(level=[0, 1]).agg(["mean", "count"])


@pytest.mark.parametrize("judge", ["clinical-svm", "Moody"])
def test_failed_cells_have_the_scores_of_the_baseline(results, judge):
    failures = results.failures()
    assert {"", "Moody"} == set(failures["judge"])
    summary = Summary(results, classifier=judge, fallback="baseline")
    found = summary.shared_scores.query("size == 2").set_index(["dataset", "method"])
    expected = slowly(results, judge).reindex(found.index)
    np.testing.assert_allclose(found["value"], expected["mean"], atol=1e-12)
    assert found["number"].tolist() == expected["count"].tolist()
    lost = failures[failures["judge"].isin(["", judge])]
    # where both methods failed there is no other one to take the baseline of the split from
    kept = summary.frame[PLACE].drop_duplicates()
    assert (
        summary.fallen_back
        == len(kept)
        - results.frame()[lambda t: t["classifier"] == judge][PLACE].drop_duplicates().shape[0]
    )
    assert 0 < summary.fallen_back <= len(lost)
    assert summary.counts.equals(Summary(results, classifier=judge).counts)


def test_stability_and_seconds_are_those_of_finished_cells(results):
    with_it, without = (Summary(results, fallback=f) for f in ("baseline", None))
    for clock, table in without.seconds.items():
        pd.testing.assert_frame_equal(with_it.seconds[clock], table)
    pd.testing.assert_frame_equal(with_it.stability, without.stability)


def test_the_page_states_the_fallback(results, tmp_path):
    page = write_study_report(results, tmp_path / "page.md", fallback="baseline").read_text()
    summary = Summary(results, fallback="baseline")
    stated = f"{summary.fallen_back} failed cells have the BCR of the baseline"
    assert page.count(stated) == 2  # above the figures and in words
    assert "All other numbers below are from finished cells" in " ".join(page.split())
    without = write_study_report(results, tmp_path / "without.md").read_text()
    assert stated not in without
    assert "All numbers below are from finished cells" in " ".join(without.split())
    ranks = compare_methods(results, fallback="baseline").ranks
    assert not ranks.equals(compare_methods(results).ranks)
    plan, out = str(results.path), str(tmp_path / "out")
    assert main(["study", "export", plan, "--fallback", "baseline", "--out", out]) == 0
    exported = pd.read_csv(tmp_path / "out" / "comparison_ranks.csv")
    np.testing.assert_allclose(exported["mean_rank"], ranks["mean_rank"])


def test_what_has_no_baseline_is_refused(results):
    with pytest.raises(TableError, match="a baseline: bcr, accuracy. Got auc. Leave fallback out"):
        compare_methods(results, score="auc", fallback="baseline")
    with pytest.raises(TableError, match="fallback must be baseline. Got 'worst'"):
        compare_methods(results, fallback="worst")
    assert all(set(one.baselines) <= set(one.names) for one in SCORES.values())
