"""Values at a threshold are scikit-learn's; intervals are Wilson's with the design effect."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit, logit
from scipy.stats import t as student
from sklearn.metrics import class_likelihood_ratios, precision_score, recall_score

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.rate_intervals import (
    RateInterval,
    design_effect,
    effective_rows,
    few_groups_effect,
    wilson_interval,
)
from hetsel.statistics.probabilities.pooled_rows import pooled_rows
from hetsel.statistics.probabilities.threshold_values import (
    SHARES,
    moved_probabilities,
    net_benefit,
    rates_at,
    ratio_interval,
    threshold_values,
    wider,
)

NAMES = (
    "share_above",
    "sensitivity",
    "specificity",
    "positive_predictive_value",
    "negative_predictive_value",
)


def drawn(seed=0, n=120):
    rng = np.random.default_rng(seed)
    z = -0.5 + 1.5 * rng.normal(size=n)
    y = (rng.random(n) < expit(z)).astype(int)
    return y, expit(z), rng.uniform(0.3, 3, n), rng.integers(0, 30, n)


def parts(y, above):
    """Rows that are wanted and that are held, by name."""
    every = np.ones(len(y), dtype=bool)
    wanted = (above, above, ~above, y == 1, y == 0)
    held = (every, y == 1, y == 0, above, ~above)
    return zip(NAMES, wanted, held, strict=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_values_are_scikit_learns(weighted):
    y, p, w, _ = drawn()
    w = w if weighted else None
    found, above = threshold_values(pooled_rows(y, p, w), 0.4), (p >= 0.4).astype(int)
    known = {
        "share_above": np.average(above, weights=w),
        "sensitivity": recall_score(y, above, sample_weight=w),
        "specificity": recall_score(y, above, sample_weight=w, pos_label=0),
        "positive_predictive_value": precision_score(y, above, sample_weight=w),
        "negative_predictive_value": precision_score(y, above, sample_weight=w, pos_label=0),
    }
    ratios = class_likelihood_ratios(y, above, sample_weight=w)
    known |= {"positive_likelihood_ratio": ratios[0], "negative_likelihood_ratio": ratios[1]}
    for name, value in known.items():
        assert getattr(found, name).estimate == pytest.approx(value, rel=1e-12), name


def test_the_intervals_are_wilsons():
    y, p, _, _ = drawn(1)
    found = threshold_values(pooled_rows(y, p), 0.4, spread=2.0)
    for name, wanted, held in parts(y, p >= 0.4):
        known = wilson_interval(wanted[held].mean(), held.sum() / 2)
        one = getattr(found, name)
        assert (one.low, one.high) == pytest.approx((known.low, known.high)), name


@pytest.mark.parametrize("weighted", [False, True])
def test_of_units_they_are_wilsons_with_the_design_effect(weighted):
    y, p, w, unit = drawn(2)
    w = w if weighted else np.ones(len(y))
    found = threshold_values(pooled_rows(y, p, w, unit), 0.4)
    for name, wanted, held in parts(y, p >= 0.4):
        x, own, groups = wanted[held].astype(float), w[held], unit[held]
        effect = design_effect(x, groups, own) * few_groups_effect(groups, 0.95, own)
        known = wilson_interval(np.average(x, weights=own), effective_rows(own) / effect)
        one = getattr(found, name)
        assert (one.low, one.high) == pytest.approx((known.low, known.high)), name


def test_weights_that_go_with_the_class_make_rows_uncertain():
    """As units of one row each."""
    y, p, _, _ = drawn(3)
    w = np.where(y, 5.0, 0.5)
    one, other = (
        threshold_values(pooled_rows(y, p, w), 0.4),
        threshold_values(pooled_rows(y, p, w, np.arange(120)), 0.4),
    )
    assert one == other


def test_light_rows_alone_tell_little_of_what_heavy_ones_would_be():
    """Cases of one weight and others of fifty: above the threshold there are seven cases."""
    y, p = np.repeat([1, 0], [10, 100]), np.repeat([0.9, 0.1], [7, 103])
    w = np.where(y, 1.0, 50.0)
    found = threshold_values(pooled_rows(y, p, w), 0.5).positive_predictive_value
    assert found.estimate == 1.0
    assert found.low == pytest.approx(few_rows_low(7 / 50, np.ones(7)))
    # equal weights know nothing of that
    assert threshold_values(pooled_rows(y, p), 0.5).positive_predictive_value == wilson_interval(
        1.0, 7
    )


def few_rows_low(rows, weights):
    return wilson_interval(1.0, rows / few_groups_effect(np.arange(7), 0.95, weights)).low


def test_of_a_known_prevalence_predictive_values_are_bayes_rule():
    y, p, _, _ = drawn(4)
    q, found = 0.03, threshold_values(pooled_rows(y, p), 0.4, prevalence=0.03)
    s, c = found.sensitivity, found.specificity
    above = q * s.estimate + (1 - q) * (1 - c.estimate)
    assert found.share_above.estimate == pytest.approx(above)
    assert found.positive_predictive_value.estimate == pytest.approx(q * s.estimate / above)
    assert found.negative_predictive_value.estimate == pytest.approx(
        (1 - q) * c.estimate / (1 - above)
    )
    plus = found.positive_likelihood_ratio
    odds = q / (1 - q) * np.array([plus.low, plus.high])
    ends = found.positive_predictive_value.low, found.positive_predictive_value.high
    assert ends == pytest.approx(tuple(odds / (1 + odds)))
    own = threshold_values(pooled_rows(y, p), 0.4, prevalence=y.mean())
    for name in NAMES:
        assert getattr(own, name).estimate == pytest.approx(
            getattr(threshold_values(pooled_rows(y, p), 0.4), name).estimate
        )


def test_the_interval_of_a_ratio_is_nearly_that_of_its_logarithm():
    """Simel's, of many rows."""
    s, f = wilson_interval(0.8, 2000), wilson_interval(0.3, 3000)
    found = ratio_interval(s, f)
    apart = 1.96 * np.sqrt(0.2 / (2000 * 0.8) + 0.7 / (3000 * 0.3))
    assert np.log(found.high / found.estimate) == pytest.approx(apart, rel=0.03)
    assert np.log(found.estimate / found.low) == pytest.approx(apart, rel=0.03)


def test_nobody_above_and_nobody_below_have_no_predictive_value():
    found = threshold_values(pooled_rows([0, 1, 1], [0.1, 0.2, 0.3]), 0.5)
    assert np.isnan(found.positive_predictive_value.estimate)
    one = found.positive_predictive_value
    assert (one.low, one.high) == (0.0, 1.0)
    assert (found.sensitivity.estimate, found.specificity.estimate) == (0.0, 1.0)
    assert np.isnan(found.positive_likelihood_ratio.estimate)
    every = threshold_values(pooled_rows([0, 1, 1], [0.1, 0.2, 0.3]), 0.0, prevalence=0.5)
    assert np.isnan(every.negative_predictive_value.estimate)
    assert every.positive_predictive_value.estimate == 0.5
    only = threshold_values(pooled_rows([1, 1, 1], [0.1, 0.2, 0.3], units=[1, 2, 2]), 0.2)
    assert np.isnan(only.specificity.estimate)
    assert only.sensitivity.estimate == pytest.approx(2 / 3)


def test_a_ratio_over_0_has_no_upper_end():
    share, none = RateInterval(0.5, 0.3, 0.7, 0.95), RateInterval(0.0, 0.0, 0.2, 0.95)
    found = ratio_interval(share, none)
    assert (found.estimate, found.low, found.high) == (np.inf, pytest.approx(1.5), np.inf)
    assert ratio_interval(none, share).high == pytest.approx(2 / 3)


def test_what_is_no_threshold_or_prevalence_is_refused():
    with pytest.raises(TableError, match="threshold must be in"):
        threshold_values(pooled_rows([0, 1], [0.1, 0.2]), 1.1)
    with pytest.raises(TableError, match="prevalence must be between"):
        threshold_values(pooled_rows([0, 1], [0.1, 0.2]), 0.5, prevalence=1)


DRAW = np.random.default_rng(5)
Z = DRAW.normal(size=400) - 0.5
Y = (DRAW.random(400) < expit(Z)).astype(float)
P = expit(Z)


def test_maps_have_the_error_of_a_logistic_regression():
    # at the fit itself the sandwich over rows is that of statsmodels
    fit = sm.GLM(Y, sm.add_constant(Z), family=sm.families.Binomial()).fit()
    p = fit.fittedvalues
    z = logit(p)
    fitted = sm.GLM(Y, sm.add_constant(z - z.mean()), family=sm.families.Binomial())
    covariance = fitted.fit(cov_type="HC0").cov_params() * 400 / 399
    moved = logit(moved_probabilities(pooled_rows(Y, p)))
    t = student.ppf(0.975, 399)
    b = np.ptp(moved, axis=1) / np.ptp(z) - 1
    a = moved[:, 0] - z.mean() - (1 + b) * (z[0] - z.mean())
    ends = np.column_stack([a, b])
    apart = np.einsum("ij,jk,ik->i", ends, np.linalg.inv(covariance), ends)
    assert apart == pytest.approx(np.full(16, t**2), rel=1e-4)


def test_repeats_of_a_row_count_once():
    once = moved_probabilities(pooled_rows(Y, P))
    units = np.tile(np.arange(400), 3)
    rows = pooled_rows(np.tile(Y, 3), np.tile(P, 3), np.full(1200, 1 / 3), units)
    assert moved_probabilities(rows)[:, :400] == pytest.approx(once)


def test_equal_probabilities_move_together_and_no_order_is_reversed():
    flat = moved_probabilities(pooled_rows(Y, np.full(400, 0.4)))
    assert np.ptp(flat, axis=1) == pytest.approx(np.zeros(16))
    few = moved_probabilities(pooled_rows(Y[:12], 0.4 + P[:12] / 1000))
    assert (np.diff(few[:, np.argsort(P[:12])], axis=1) >= -1e-12).all()


def test_rates_are_those_of_threshold_values():
    w = DRAW.uniform(0.5, 2, 400)
    rates = rates_at(P[None], Y, w, 0.3)
    values, benefit = (
        threshold_values(pooled_rows(Y, P, w), 0.3),
        net_benefit(pooled_rows(Y, P, w), [0.3])[0],
    )
    expected = {
        "above": values.share_above,
        "sensitivity": values.sensitivity,
        "specificity": values.specificity,
        "positive_predictive_value": values.positive_predictive_value,
        "negative_predictive_value": values.negative_predictive_value,
        "net_benefit": benefit.model,
        "over_better": benefit.over_better,
    }
    assert {key: one.estimate for key, one in expected.items()} == pytest.approx(
        {key: float(own[0]) for key, own in rates.items()}
    )


def test_ends_by_hand():
    one = RateInterval(0.9, 0.6, 0.96, 0.95)
    found = wider(one, np.array([0.5, 0.98, np.nan]), SHARES)
    assert (found.low, found.high) == pytest.approx((0.4, 1.0))
    assert wider(one, np.array([])) == one
    assert wider(one, np.array([0.95])).low == pytest.approx(0.6)
