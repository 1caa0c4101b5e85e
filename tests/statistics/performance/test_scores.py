"""Scores of classes and of numbers of many sizes at once are scikit-learn's of each size."""

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

from hetsel.statistics.performance.scores import (
    accuracy,
    area_under_curve,
    balanced_rate,
    confusion_counts,
    number_scores,
    recalls,
)


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
