"""The area under the ROC curve with its interval, against scikit-learn, R's pROC and simulation."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from hetsel.statistics.performance.concordance_intervals import (
    area_interval,
    concordant_sums,
    placement_sums,
)


def sums_of(own, values, weights=None):
    right, pairs = placement_sums(own, values, weights)
    return right[0], right[0], pairs


@pytest.mark.parametrize("weighted", [False, True])
def test_the_area_is_that_of_scikit_learn(weighted):
    draw = np.random.default_rng(3)
    own = draw.random(80) < 0.3
    values = np.round(draw.normal(size=80) + own, 1)  # with ties
    weights = draw.uniform(0.2, 3, 80) if weighted else None
    found = area_interval([sums_of(own, values, weights)], weights)
    area = roc_auc_score(own, values, sample_weight=weights)
    assert found.rate == pytest.approx(area, rel=1e-12)
    assert 0 < found.low < area < found.high < 1


def test_sums_by_sorting_are_those_of_all_pairs():
    draw = np.random.default_rng(0)
    own, weights = draw.random(50) < 0.3, draw.random(50)
    values = np.round(draw.normal(size=(3, 50)), 1)
    right, pairs = placement_sums(own, values, weights)
    slow = concordant_sums(np.where(own, 0, 1), own.astype(float), values, weights)
    assert np.allclose(right, slow[0], rtol=1e-12)
    assert np.allclose(pairs, slow[1], rtol=1e-12)


def test_the_variance_is_that_of_delong():
    draw = np.random.default_rng(5)
    own = np.arange(400) < 150
    values = draw.normal(size=400) + 1.2 * own
    found = area_interval([sums_of(own, values)], spread=1.0)
    pairs = (values[own][:, None] > values[~own]).astype(float)  # DeLong's two components
    of_class, of_others = pairs.mean(axis=1), pairs.mean(axis=0)
    variance = of_class.var(ddof=1) / 150 + of_others.var(ddof=1) / 250
    area, quantile = pairs.mean(), stats.t.ppf(0.975, 399)
    width = np.log(found.high / (1 - found.high)) - np.log(found.low / (1 - found.low))
    error = width / 2 / quantile * area * (1 - area)
    assert error == pytest.approx(np.sqrt(variance), rel=0.01)


def test_of_three_classes_it_is_the_mean_of_one_against_the_rest():
    draw = np.random.default_rng(7)
    truth = draw.integers(0, 3, 120)
    values = draw.normal(size=(120, 3)) + np.eye(3)[truth]
    each = [sums_of(truth == c, values[:, c]) for c in range(3)]
    found = area_interval(each)
    areas = [roc_auc_score(truth == c, values[:, c]) for c in range(3)]
    assert found.rate == pytest.approx(np.mean(areas), rel=1e-12)
    alone = [area_interval([one]) for one in each]
    assert found.high - found.low < min(one.high - one.low for one in alone)


def test_rows_of_a_group_make_it_wider_and_no_pair_makes_none():
    own = np.tile([True, False], 30)
    values = np.random.default_rng(1).normal(size=60) + own
    alone = area_interval([sums_of(own, values)])
    copied = [np.repeat(part, 3) for part in (own, values)]
    groups = np.repeat(np.arange(60), 3)
    together = area_interval([sums_of(*copied)], groups=groups)
    assert together.rate == pytest.approx(alone.rate)
    assert together.high - together.low > 0.98 * (alone.high - alone.low)
    assert np.isnan(area_interval([sums_of(own & False, values)]).rate)
