"""Intervals of losses: the variance is that of the jackknife, the center that of others."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error
from statsmodels.stats.proportion import proportion_confint

from hetsel.statistics.performance.loss_intervals import (
    jackknife_variance,
    loss_interval,
    told_interval,
)
from hetsel.statistics.performance.rate_intervals import student_quantile, wilson_interval
from hetsel.statistics.performance.scores import explained, spread_of


def drawn(n=400, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x + rng.normal(size=n), x, rng.uniform(0.3, 3, n), np.arange(n) % (n // 5)


def test_the_variance_of_a_mean_is_that_of_clustered_rows():
    """Those of statsmodels, with its G / (G - 1)."""
    y, _, _, groups = drawn()
    moves = (y - y.mean()) / len(y)
    model = sm.OLS(y, np.ones(len(y)))
    clustered = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    number = groups.max() + 1
    known = clustered.cov_params()[0, 0] * number / (number - 1)
    assert jackknife_variance(moves, np.ones(len(y)), groups) == pytest.approx(known, rel=1e-12)
    alone = jackknife_variance(moves, np.ones(len(y)))
    assert alone == pytest.approx(y.var(ddof=1) / len(y), rel=1e-12)


def log_ratio(y, predicted, weights):
    errors = np.average((y - predicted) ** 2, weights=weights)
    mean = np.average(y, weights=weights)
    return np.log(errors / np.average((y - mean) ** 2, weights=weights))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_interval_of_r2_is_the_jackknife_of_the_logarithm_of_what_is_not_told(
    weighted, grouped
):
    y, predicted, weights, groups = drawn()
    weights = weights if weighted else np.ones(len(y))
    parts = groups if grouped else np.arange(len(y))
    number = parts.max() + 1
    without = np.array(
        [log_ratio(*(part[parts != g] for part in (y, predicted, weights))) for g in range(number)]
    )
    error = np.sqrt((number - 1) / number * ((without - without.mean()) ** 2).sum())
    mean = np.average(y, weights=weights)
    found = told_interval(
        (y - predicted) ** 2, (y - mean) ** 2, weights, groups if grouped else None
    )
    quantile = student_quantile(weights, groups if grouped else None, 0.95)
    share = 1 - found.estimate
    width = np.log((1 - found.low) / share)
    assert width == pytest.approx(quantile * np.sqrt(1 + 2 * share**2) * error, rel=0.02)
    assert 1 - (1 - found.high) / share == pytest.approx(width)
    assert found.estimate == pytest.approx(r2_score(y, predicted, sample_weight=weights))


def test_the_quantile_is_students_with_as_many_rows_as_count():
    weights = np.array([1.0, 1.0, 2.0, 4.0, 1.0, 1.0])
    free = weights.sum() ** 2 / (weights**2).sum() - 1
    assert student_quantile(weights, None, 0.9) == pytest.approx(stats.t.ppf(0.95, free))
    assert student_quantile(np.ones(8), np.arange(8) // 2, 0.95) == pytest.approx(
        stats.t.ppf(0.975, 3)
    )


def test_errors_are_those_of_scikit_learn():
    y, predicted, weights, _ = drawn(60)
    root = loss_interval((y - predicted) ** 2, weights, power=0.5)
    mean = loss_interval(np.abs(y - predicted), weights)
    assert root.estimate == pytest.approx(
        root_mean_squared_error(y, predicted, sample_weight=weights)
    )
    assert mean.estimate == pytest.approx(mean_absolute_error(y, predicted, sample_weight=weights))
    for one in (root, mean):
        assert one.low < one.estimate < one.high
        assert 1 - one.low / one.estimate <= np.log(one.high / one.estimate) + 1e-12


def test_the_unit_of_the_target_moves_errors_and_not_r2():
    y, predicted, _, _ = drawn(60)
    plain = told_interval((y - predicted) ** 2, (y - y.mean()) ** 2)
    for factor in (1e-8, 1.0, 1e8):
        losses, away = (factor * (y - predicted)) ** 2, (factor * (y - y.mean())) ** 2
        told, root = told_interval(losses, away), loss_interval(losses, power=0.5)
        assert (told.low, told.high) == pytest.approx((plain.low, plain.high), rel=1e-9)
        assert root.estimate / factor == pytest.approx(np.sqrt(np.mean((y - predicted) ** 2)))


def test_perfect_predictions_have_no_width_and_one_group_no_end():
    y = np.arange(10.0)
    found = told_interval(np.zeros(10), (y - y.mean()) ** 2)
    assert (found.estimate, found.low, found.high) == (1.0, 1.0, 1.0)
    assert jackknife_variance(np.zeros(4), np.ones(4), np.zeros(4, dtype=int)) == np.inf


def test_the_mean_over_folds_of_what_is_told_is_that_of_all_rows():
    y, predicted, _, _ = drawn(60)
    spread, fold = spread_of(y), np.arange(60) % 6
    parts = [explained(y[fold == k], predicted[None, fold == k], spread)[0] for k in range(6)]
    whole = explained(y, predicted[None], spread)[0]
    assert np.mean(parts) == pytest.approx(whole, rel=1e-12)
    assert whole == pytest.approx(r2_score(y, predicted))


def test_the_loss_of_the_mean_has_no_part_in_what_cross_validation_shares():
    """Predictions like those of the mean leave the interval of independent rows."""
    y, predicted, _, _ = drawn()
    away, alone = (y - y.mean()) ** 2, loss_interval((y - y.mean()) ** 2, power=0.5)
    shared = loss_interval(away, references=away, power=0.5)
    assert (shared.low, shared.high) == pytest.approx((alone.low, alone.high), rel=1e-12)
    losses = (y - predicted) ** 2
    plain, held = loss_interval(losses), loss_interval(losses, references=away)
    moves = losses / losses.mean() - away / away.mean()
    more = 2 * (losses.mean() / away.mean()) ** 2 * moves.var(ddof=1) / 400
    ratio = (losses / losses.mean()).var(ddof=1) / 400
    assert (1 - held.low / held.estimate) / (1 - plain.low / plain.estimate) == pytest.approx(
        np.sqrt(1 + more / ratio), rel=1e-3
    )


def test_the_upper_end_of_skewed_losses_solves_halls_cubic():
    losses = np.random.default_rng(4).standard_t(4, size=40) ** 2
    found = loss_interval(losses)
    mean, error = losses.mean(), losses.std(ddof=1) / np.sqrt(40)
    g = stats.skew(losses) / np.sqrt(40)
    t = (mean - found.high) / error  # of a mean that lies at the upper end
    cubic = t + g * t**2 / 3 + g**2 * t**3 / 27 + g / 6
    assert cubic == pytest.approx(-stats.t.ppf(0.975, 39), rel=1e-9)
    assert found.high > mean * np.exp(stats.t.ppf(0.975, 39) * error / mean)
    assert loss_interval(losses, bounded=True).high < found.high


def test_the_rmse_of_errors_with_heavy_tails_is_held_in_nine_of_ten_tables():
    """50 new rows, errors of t with 5 degrees of freedom; of the logarithm it is 0.876."""
    rng = np.random.default_rng(8)
    found = [loss_interval(rng.standard_t(5, 50) ** 2, power=0.5) for _ in range(800)]
    truth = np.sqrt(5 / 3)
    assert np.mean([one.low <= truth <= one.high for one in found]) > 0.905


def test_units_of_no_weight_are_none():
    moves = np.array([0.2, -0.1, -0.1, 0.0, 0.0])
    known = jackknife_variance(moves[:3], np.ones(3), [0, 1, 1])
    weights = np.array([1.0, 1.0, 1.0, 0.0, 0.0])
    with np.errstate(all="raise"):
        assert jackknife_variance(moves, weights, [0, 1, 1, 2, 3]) == known
        assert jackknife_variance(moves, weights, [0, 0, 0, 2, 3]) == np.inf


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_wilsons_interval_is_that_of_statsmodels(level):
    rng = np.random.default_rng(0)
    for rate in (0.0, 1.0, *rng.random(20)):
        for rows in (0.3, 1, 7, 40.5, 1e6):
            found = wilson_interval(rate, rows, level)
            low, high = proportion_confint(rate * rows, rows, alpha=1 - level, method="wilson")
            assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12, abs=1e-15)


def test_no_rows_know_nothing():
    found = wilson_interval(0.5, 0)
    assert (found.low, found.high) == (0.0, 1.0)
