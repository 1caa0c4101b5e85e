"""Rates of held-out rows, their intervals, and what more rows would teach."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from hetsel.signature.nested.nested_cross_validation import NestedRun
from hetsel.signature.nested.nested_performance import class_performance, learning_factor
from hetsel.statistics.performance.rate_intervals import (
    RateInterval,
    balanced_interval,
    design_effect,
    effective_rows,
    few_groups_effect,
    variance_ratio,
    wilson_interval,
)
from hetsel.tables import Classes


@pytest.mark.parametrize(
    ("one", "two"), [((56, 70), (48, 80)), ((10, 10), (0, 20)), ((9, 10), (3, 10))]
)
def test_the_interval_of_a_balanced_rate_is_newcombes_of_a_difference(one, two):
    """BCR = (1 + p_1 - p_2) / 2 with p_2 the share of the second class that is predicted wrong."""
    (a, n), (b, m) = one, two
    low, high = confint_proportions_2indep(a, n, b, m, method="newcomb")
    found = balanced_interval([wilson_interval(a / n, n), wilson_interval(1 - b / m, m)])
    assert [2 * found.low - 1, 2 * found.high - 1] == pytest.approx([low, high], abs=1e-12)


def test_newcombes_own_example():
    """56 of 70 against 48 of 80: 0.0524 to 0.3339 (Newcombe 1998, example a, method 10)."""
    found = balanced_interval([wilson_interval(56 / 70, 70), wilson_interval(32 / 80, 80)])
    assert [round(2 * end - 1, 4) for end in (found.low, found.high)] == [0.0524, 0.3339]


def test_the_design_effect_is_the_ratio_of_the_variances_of_a_mean():
    draw = np.random.default_rng(0)
    groups = np.arange(80) % 16
    right = ((draw.normal(size=16)[groups] + draw.normal(size=80)) > 0).astype(float)
    model = sm.OLS(right, np.ones(80))
    clustered = model.fit(cov_type="cluster", cov_kwds={"groups": groups}).cov_params()[0, 0]
    plain = right.var() / 80
    assert design_effect(right, groups) == pytest.approx(clustered / plain, rel=1e-12)
    assert design_effect(right, np.arange(80)) == pytest.approx(80 / 79)
    assert design_effect(right, None) == 1.0
    assert design_effect(np.ones(12), np.arange(12) // 3) == 3.0
    assert design_effect(np.ones(12), np.repeat([0, 1, 2], [8, 2, 2])) == 12 / 2


def test_unequal_groups_have_the_variance_of_the_jackknife():
    draw = np.random.default_rng(1)
    groups, weights = np.repeat(np.arange(9), np.arange(1, 10)), draw.uniform(0.2, 3, 45)
    right = (draw.normal(size=9)[groups] + draw.normal(size=45) > 0).astype(float)
    without = [np.average(right[groups != g], weights=weights[groups != g]) for g in range(9)]
    whole = np.average(right, weights=weights)
    variance = 8 / 9 * sum((one - whole) ** 2 for one in without)
    plain = np.cov(right, aweights=weights, ddof=0) / effective_rows(weights)
    found = design_effect(right, groups, weights)
    assert found == pytest.approx(variance / plain, rel=1e-12)


def test_few_groups_have_the_quantiles_of_student():
    t, z = stats.t.ppf(0.975, 11), stats.norm.ppf(0.975)
    groups = np.arange(36) // 3
    assert few_groups_effect(groups, 0.95, np.ones(36)) == pytest.approx((t / z) ** 2)
    assert few_groups_effect(None, 0.95, np.ones(36)) == 1.0


def test_errors_that_are_few_have_a_high_end_of_their_own():
    """Of one class it is Jeffreys'; of two alike that of twice the rows."""
    one = wilson_interval(0.95, 30)
    alone = balanced_interval([one], [30]).high
    assert alone == pytest.approx(proportion_confint(28.5, 30, method="jeffreys")[1])
    both = balanced_interval([one, one], [30, 30]).high
    assert both == pytest.approx(proportion_confint(57, 60, method="jeffreys")[1])
    assert both > balanced_interval([one, one]).high
    right = wilson_interval(1.0, 30)
    assert balanced_interval([right, right], [30, 30]).high == 1.0


def test_the_ratio_of_variances_is_that_of_clustered_means():
    draw = np.random.default_rng(0)
    groups, weights = np.sort(draw.integers(0, 15, 80)), draw.uniform(0.1, 4, 80)
    plain = (draw.random(80) < 0.7).astype(float)
    corrected = plain + 0.8 * (plain - draw.random(80))
    for group in (groups, np.arange(80)):
        one, other = (
            sm.WLS(x, np.ones(80), weights=weights)
            .fit(cov_type="cluster", cov_kwds={"groups": group})
            .cov_params()[0, 0]
            for x in (corrected, plain)
        )
        found = variance_ratio(corrected, plain, group, weights)
        assert found == pytest.approx(one / other, rel=1e-12)
    assert variance_ratio(corrected, plain, None, weights) == pytest.approx(found, rel=1e-12)
    assert variance_ratio(plain, corrected, groups, weights) == 1.0


@pytest.mark.parametrize("folds", [3, 5, 10])
def test_an_error_that_falls_as_1_over_n_is_followed_to_all_rows(folds):
    def rate(n):
        return 0.9 - 4.0 / n

    n = 100.0
    one, two = (rate(n * (folds - k) / folds) for k in (1, 2))
    assert one + learning_factor(folds) * (one - two) == pytest.approx(rate(n))


AREA = RateInterval(0.8, 0.7, 0.9, 0.95)


def run_of(fold, right, less):
    nothing = np.zeros(len(fold), dtype=int)
    return NestedRun(fold, (1,) * 4, nothing, nothing, right, less, np.zeros((4, 1)))


def test_performance_by_hand():
    truth, fold = np.repeat([0, 1], [40, 20]), np.tile(np.arange(4), 15)
    right, less = np.ones(60), np.ones(60)
    right[:8] = right[40:50] = 0  # recalls 0.8 and 0.5
    less[:12] = less[40:52] = 0  # 0.7 and 0.4 with less to learn from
    target = Classes(truth, np.array(["no", "yes"]))
    found = class_performance([run_of(fold, right, less)], AREA, target, ["no", "yes"], None, 0.7)
    factor = (4 / 3 - 1) / (2 - 4 / 3)
    recalls = [0.8 + factor * 0.1, 0.5 + factor * 0.1]
    assert [one.estimate for one in found.recalls] == pytest.approx(recalls)
    corrected = right + factor * (right - less)
    for one, own in zip(found.recalls, (truth == 0, truth == 1), strict=True):
        # half of the rows count, less what the correction varies more
        rows = own.sum() / 2 * right[own].var() / corrected[own].var()
        low, high = proportion_confint(one.estimate * rows, rows, method="wilson")
        other = proportion_confint(one.estimate * rows, rows, method="jeffreys")[1]
        assert [one.low, one.high] == pytest.approx([low, max(high, other)])
    assert found.main.estimate == pytest.approx(np.mean(recalls))
    assert found.training_gain == pytest.approx(factor * 0.1)
    assert found.optimism == pytest.approx(0.7 - 0.65)
    # the classes in the other order are told in the other order
    turned = class_performance([run_of(fold, right, less)], AREA, target, ["yes", "no"], None, 0.7)
    assert turned.recalls == found.recalls[::-1]
    assert turned.frame()["class"].tolist() == ["", "yes", "no", ""]


def test_rows_of_a_person_count_as_one():
    truth, fold = np.repeat([0, 1], 40), np.tile(np.arange(4), 20)
    persons = np.arange(80) // 4
    right = (persons % 3 > 0).astype(float)  # all recordings of a person alike
    target = Classes(truth, np.array(["a", "b"]))
    given = [[run_of(fold, right, right)], AREA, target, ["a", "b"]]
    alone, together = (class_performance(*given, one, 0.5) for one in (None, persons))
    assert alone.main.estimate == together.main.estimate
    few = few_groups_effect(persons[truth == 0], 0.95, np.ones(40))
    by_person = wilson_interval(alone.recalls[0].estimate, 40 / 2 / (4 * 10 / 9) / few)
    assert together.recalls[0].low == pytest.approx(by_person.low)
