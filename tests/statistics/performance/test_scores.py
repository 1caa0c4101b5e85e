"""Scores of many sizes at once are scikit-learn's and scikit-survival's of each size."""

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    mean_absolute_error,
    r2_score,
    recall_score,
    roc_auc_score,
    root_mean_squared_error,
)
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import (
    concordance_index_censored,
    concordance_index_ipcw,
    cumulative_dynamic_auc,
    integrated_brier_score,
)
from sksurv.nonparametric import kaplan_meier_estimator
from sksurv.util import Surv

from hetsel.statistics.performance.scores import (
    SCORES,
    accuracy,
    area_under_curve,
    balanced_rate,
    confusion_counts,
    number_scores,
    recalls,
    survival_scores,
)
from hetsel.statistics.survival.cox_curves import survival_columns


@pytest.mark.parametrize("n_classes", [2, 4])
def test_recalls_and_rates(n_classes):
    rng = np.random.default_rng(n_classes)
    truth = np.repeat(np.arange(n_classes), 6)
    predicted = rng.integers(0, n_classes, (20, len(truth)))
    counts = np.array([confusion_matrix(truth, row) for row in predicted])
    expected = [recall_score(truth, row, average=None) for row in predicted]
    np.testing.assert_allclose(recalls(counts), expected, rtol=1e-12)
    balanced = [balanced_accuracy_score(truth, row) for row in predicted]
    np.testing.assert_allclose(balanced_rate(counts), balanced, rtol=1e-12)
    right = [accuracy_score(truth, row) for row in predicted]
    np.testing.assert_allclose(accuracy(counts), right, rtol=1e-12)


def test_area_under_curve_with_ties():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 30)
    decisions = rng.integers(0, 6, (15, 30, 1)).astype(float)
    expected = [roc_auc_score(truth, row[:, 0]) for row in decisions]
    np.testing.assert_allclose(area_under_curve(decisions, truth), expected, rtol=1e-12)


def test_scores_of_weighted_rows():
    rng = np.random.default_rng(1)
    truth, weights = rng.integers(0, 2, 30), rng.uniform(0.001, 0.1, 30)
    decisions = rng.integers(0, 6, (15, 30, 1)).astype(float)
    predicted = (decisions[:, :, 0] > 2).astype(int)
    confusion = confusion_counts(truth, predicted, 2, weights)
    expected = [balanced_accuracy_score(truth, row, sample_weight=weights) for row in predicted]
    np.testing.assert_allclose(balanced_rate(confusion), expected, rtol=1e-12)
    expected = [accuracy_score(truth, row, sample_weight=weights) for row in predicted]
    np.testing.assert_allclose(accuracy(confusion), expected, rtol=1e-12)
    areas = [roc_auc_score(truth, row[:, 0], sample_weight=weights) for row in decisions]
    np.testing.assert_allclose(area_under_curve(decisions, truth, weights), areas, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_of_numbers(weighted):
    rng = np.random.default_rng(4)
    truth, predicted = rng.normal(50, 9, 30), rng.normal(50, 9, (12, 30))
    weights = rng.uniform(0.001, 0.1, 30) if weighted else None
    found = number_scores(truth, predicted, np.empty((12, 30, 0)), 47.0, weights)
    scores = {"r2": r2_score, "mae": mean_absolute_error, "rmse": root_mean_squared_error}
    for name, score in scores.items():
        expected = [score(truth, row, sample_weight=weights) for row in predicted]
        np.testing.assert_allclose(found[name], expected, rtol=1e-12)
        by_mean = score(truth, np.full(30, 47.0), sample_weight=weights)
        np.testing.assert_allclose(found[f"{name}_of_mean"], by_mean, rtol=1e-12)


def test_one_value_has_no_r2():
    found = number_scores(np.full(3, 0.1), np.array([[0.1, 0.2, 0.3]]), np.empty((1, 3, 0)), 0.2)
    assert np.isnan([found["r2"], found["r2_of_mean"]]).all()
    assert found["mae"] == pytest.approx(0.1)


def parts(seed=0, n=100, m=60, k=3):
    rng = np.random.default_rng(seed)
    told = rng.normal(size=n + m)
    times = rng.exponential(np.exp(-told))
    censored = rng.exponential(2.0, n + m)
    events, times = times <= censored, np.minimum(times, censored)
    times[0], events[0] = 1000.0, False
    risk = told + rng.normal(size=(k, n + m)) * np.arange(k)[:, None]
    train, test = np.arange(n), np.arange(n, n + m)
    return [(times[rows], events[rows], risk[:, rows]) for rows in (train, test)]


def test_each_score_is_scikit_survivals():
    (t, d, ours), (times, events, theirs) = parts()
    found = survival_scores(
        np.where(events, times, -times),
        theirs,
        survival_columns(t, d, times, events, ours, theirs),
    )
    own = Surv.from_arrays(d, t), Surv.from_arrays(events, times)
    tau = times.max()
    grid = np.unique(t[d & (t >= times.min()) & (t < tau)])
    for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        model = CoxPHSurvivalAnalysis(tol=1e-13).fit(one[:, None], own[0])
        curves = [c(grid) for c in model.predict_survival_function(other[:, None])]
        known = {
            "concordance": concordance_index_censored(events, times, other)[0],
            "uno": concordance_index_ipcw(*own, other, tau=tau)[0],
            "ibs": integrated_brier_score(*own, curves, grid),
            "auc": cumulative_dynamic_auc(*own, other, np.median(t[d]))[0][0],
        }
        for name, value in known.items():
            assert found[name][k] == pytest.approx(value, rel=1e-6), name
    when, values = kaplan_meier_estimator(d, t)
    curve = np.tile(values[np.searchsorted(when, grid)], (len(times), 1))
    known = integrated_brier_score(*own, curve, grid)
    np.testing.assert_allclose(found["ibs_of_kaplan_meier"], known, rtol=1e-12)
    np.testing.assert_array_equal(found["concordance_by_chance"], 0.5)
    assert list(found) == list(SCORES["survival"].columns)


def test_weights_of_test_rows_are_so_many_rows():
    (t, d, ours), (times, events, theirs) = parts(1)
    weights = np.random.default_rng(2).integers(1, 4, len(times))
    rows = np.repeat(np.arange(len(times)), weights)
    columns = survival_columns(t, d, times, events, ours, theirs)
    signed = np.where(events, times, -times)
    here = survival_scores(signed, theirs, columns, None, weights.astype(float))
    there = survival_scores(signed[rows], theirs[:, rows], columns[:, rows])
    for name in here:
        np.testing.assert_allclose(here[name], there[name], rtol=1e-12)


def test_a_row_that_is_censored_at_once_is_no_event():
    truth = np.array([-0.0, 1.0, 2.0, -3.0])
    risk = np.array([[0.0, 3.0, 2.0, 1.0]])
    for signed, known in ((truth, 1.0), (np.append(0.0, truth[1:]), 0.5)):
        events = ~np.signbit(signed)
        columns = survival_columns(np.abs(signed), events, np.abs(signed), events, risk, risk)
        assert survival_scores(signed, risk, columns)["concordance"] == known


def test_what_cannot_be_scored_is_missing():
    (t, d, ours), (times, events, theirs) = parts(3)
    theirs[1] = np.nan
    columns = survival_columns(t, d, times, events, ours, theirs)
    found = survival_scores(np.where(events, times, -times), theirs, columns)
    for name in ("concordance", "uno", "ibs", "auc"):
        assert np.isnan(found[name]).tolist() == [False, True, False]
    found = survival_scores(-times, theirs, columns)  # no event
    assert np.isnan(found["concordance"]).all()
    assert np.isnan(found["concordance_by_chance"]).all()
