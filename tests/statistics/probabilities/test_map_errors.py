"""What other maps do to values at a threshold, against statsmodels and by hand."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit, logit
from scipy.stats import t as student

from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.probabilities.pooled_rows import pooled_rows
from hetsel.statistics.probabilities.threshold_values import (
    SHARES,
    moved_probabilities,
    net_benefit,
    rates_at,
    threshold_values,
    wider,
)

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
    values, benefit = threshold_values(Y, P, 0.3, w), net_benefit(Y, P, [0.3], w)[0]
    expected = {
        "above": values.share_above,
        "sensitivity": values.sensitivity,
        "specificity": values.specificity,
        "positive_predictive_value": values.positive_predictive_value,
        "negative_predictive_value": values.negative_predictive_value,
        "net_benefit": benefit.model,
        "over_better": benefit.over_better,
    }
    assert {key: one.rate for key, one in expected.items()} == pytest.approx(
        {key: float(own[0]) for key, own in rates.items()}
    )


def test_ends_by_hand():
    one = RateInterval(0.9, 0.6, 0.96, 0.95)
    found = wider(one, np.array([0.5, 0.98, np.nan]), SHARES)
    assert (found.low, found.high) == pytest.approx((0.4, 1.0))
    assert wider(one, np.array([])) == one
    assert wider(one, np.array([0.95])).low == pytest.approx(0.6)
