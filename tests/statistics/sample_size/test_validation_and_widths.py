"""Rows to validate a model, and for intervals of a width: pmvalsampsize 0.1.0, papers, loops."""

import numpy as np
import pytest
from scipy.optimize import curve_fit
from scipy.special import expit
from scipy.stats import norm

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.auc_and_concordance_intervals import area_of_rows
from hetsel.statistics.performance.rate_intervals import (
    RateInterval,
    balanced_interval,
    wilson_interval,
)
from hetsel.statistics.sample_size.development_criteria import fewest_rows
from hetsel.statistics.sample_size.power_law import power_law, resampled_laws
from hetsel.statistics.sample_size.validation_criteria import (
    auc_variance,
    auc_width,
    balanced_rate_of_c,
    rows_for_auc_width,
    rows_for_balanced_width,
    rows_for_c_statistic,
    rows_for_logit_width,
    rows_for_observed_over_expected,
    rows_for_slope_by_c,
)


@pytest.mark.parametrize(
    ("prevalence", "width", "rows"), [(0.018, 1.0, 905), (0.3, 0.2, 898), (0.1, 0.4, 876)]
)
def test_observed_over_expected_is_that_of_pmvalsampsize_but_for_its_grid(prevalence, width, rows):
    found = rows_for_observed_over_expected(prevalence, width)
    error = (np.arcsinh(width / 2)) / 1.96
    assert rows <= found <= np.ceil(rows * (1 + 2e-4 / error)) + 1
    on_grid = np.ceil(error * 1e4 - 1e-9) / 1e4
    assert np.ceil((1 - prevalence) / (prevalence * on_grid**2)) == rows


def test_slope_by_a_c_statistic_is_that_of_pmvalsampsize():
    """Of a million drawn rows, whose mean is found by trial to 0.01."""
    assert abs(rows_for_slope_by_c(0.1, 0.8, 0.2) / 4188 - 1) < 0.01


def test_the_predictor_of_a_c_statistic_has_the_prevalence_and_is_calibrated():
    """Quantiles of both classes: the slope of their logistic regression is 1, by its score."""
    prevalence, c_statistic, points = 0.2, 0.75, 100_000
    variance = 2 * norm.ppf(c_statistic) ** 2
    z = norm.ppf((np.arange(points) + 0.5) / points) * variance**0.5
    middle = np.log(prevalence / (1 - prevalence))
    without, within = z + middle - variance / 2, z + middle + variance / 2
    risk = (1 - prevalence) * expit(without).mean() + prevalence * expit(within).mean()
    assert risk == pytest.approx(prevalence, abs=1e-5)
    score = prevalence * within.mean() - (1 - prevalence) * (without * expit(without)).mean()
    assert score == pytest.approx(prevalence * (within * expit(within)).mean(), abs=1e-4)
    parts = ((1 - prevalence, without), (prevalence, within))
    i00, i01, i11 = (
        sum(share * (x**k * expit(x) * expit(-x)).mean() for share, x in parts) for k in range(3)
    )
    rows = i00 / ((0.2 / 3.92) ** 2 * (i00 * i11 - i01**2))
    assert rows_for_slope_by_c(prevalence, c_statistic, 0.2) == pytest.approx(rows, rel=1e-3)


@pytest.mark.parametrize(
    ("given", "rows"),
    [((0.018, 0.8, 0.1), 4252), ((0.3, 0.75, 0.1), 433), ((0.1, 0.8, 0.1), 836)],
)
def test_c_statistic_is_that_of_pmvalsampsize(given, rows):
    assert rows_for_c_statistic(*given) == rows


def test_the_auc_of_hanley_and_mcneil_1982():
    """Their example, an area of 0.893 with 51 and 58 rows: 0.032 by its observed Q_1 and Q_2."""
    assert auc_variance(0.893, 51, 58) ** 0.5 == pytest.approx(0.032, abs=6e-4)


def test_the_standard_error_of_an_auc_is_that_of_exponential_values():
    """Drawn from the distributions by which Hanley and McNeil have Q_1 and Q_2."""
    rng, area, counts = np.random.default_rng(0), 0.8, (40, 25)
    without = rng.exponential(size=(8000, counts[0], 1))
    within = rng.exponential(area / (1 - area), size=(8000, 1, counts[1]))
    drawn = (within > without).mean(axis=(1, 2)).std()
    own = auc_variance(area, counts[1], counts[0]) ** 0.5
    assert own == pytest.approx(drawn, rel=0.02)


@pytest.mark.parametrize("factor", [1.0, 2.0, 3.7])
def test_rows_for_a_width_are_the_fewest(factor):
    recalls, shares, width = [0.75, 0.9], [0.7, 0.3], 0.12
    rows = rows_for_balanced_width(recalls, shares, width, factor)

    def wide(n):
        counts = [share * n / factor for share in shares]
        each = [wilson_interval(r, m) for r, m in zip(recalls, counts, strict=True)]
        found = balanced_interval(each, counts)
        return found.high - found.low

    assert wide(rows) <= width < wide(rows - 1)
    rows = rows_for_auc_width(0.8, 0.3, width, factor)
    assert auc_width(0.8, 0.3, rows, factor) <= width < auc_width(0.8, 0.3, rows - 1, factor)


@pytest.mark.parametrize(("area", "rows"), [(0.7, 60), (0.9, 90), (0.95, 200)])
def test_the_width_of_an_auc_is_that_of_the_interval_of_rows(area, rows):
    """The median of the intervals of exponential values, by DeLong's variance."""
    rng, truth = np.random.default_rng(4), np.arange(rows) % 2
    values = rng.exponential(size=(60, rows)) * np.where(truth, area / (1 - area), 1)
    found = [area_of_rows(truth, one[:, None]) for one in values]
    wide = np.median([one.high - one.low for one in found])
    assert auc_width(area, 0.5, rows) == pytest.approx(wide, rel=0.1)


def test_the_width_of_an_area_near_one_is_not_cut_by_it():
    """A symmetric interval of 21 rows would be 0.2 wide; that of the logit is three times that."""
    assert auc_width(0.985, 0.5, 21, 3.0) > 0.6
    assert rows_for_auc_width(0.985, 0.5, 0.2, 3.0) > 80


def test_an_interval_of_a_logit_is_narrower_with_the_root_of_the_rows():
    seen = RateInterval(0.9, 9 / 13, 36 / 37, 0.95)  # odds of 9, over and times 4
    rows = rows_for_logit_width(seen, 50, 0.15)

    def wide(n):
        half = np.log(4) * (50 / n) ** 0.5
        return expit(np.log(9) + half) - expit(np.log(9) - half)

    assert wide(rows) <= 0.15 < wide(rows - 1)
    assert rows_for_logit_width(seen, 50, 0.15, 2.0) in (2 * rows - 1, 2 * rows)
    assert rows_for_logit_width(seen, 50, 0.9) == 50  # no fewer than those at hand
    assert rows_for_logit_width(RateInterval(1.0, 0.8, 1.0, 0.95), 50, 0.1) > 50


def test_the_balanced_rate_of_a_c_statistic_is_that_of_the_best_threshold():
    c_statistic = 0.8
    mu = np.sqrt(2) * norm.ppf(c_statistic)
    cuts = np.linspace(-3, 5, 8001)
    best = ((norm.cdf(cuts) + norm.sf(cuts - mu)) / 2).max()
    assert balanced_rate_of_c(c_statistic) == pytest.approx(best, abs=1e-6)


def test_the_fewest_rows_are_those_of_a_loop():
    for least in (1, 2, 7, 100, 129):
        found = fewest_rows(lambda n, least=least: n >= least)
        assert found == next(n for n in range(1, 200) if n >= least)
    with pytest.raises(TableError, match="1,000,000,000 rows are not enough"):
        fewest_rows(lambda n: False)


@pytest.mark.parametrize("truth", [(0.85, 0.05, 0.5), (0.7, 0.1, 1.0), (0.95, 0.02, 1.7)])
def test_a_power_law_without_noise_is_found_as_by_curve_fit(truth):
    sizes = np.array([50.0, 70, 100, 141, 200])

    def law(m, a, b, c):
        return a - b * (m / 200) ** -c

    rates = law(sizes, *truth)
    found = power_law(sizes, rates, 200)
    own = (found.limit, found.loss, found.exponent)
    expected, _ = curve_fit(law, sizes, rates, p0=(0.8, 0.05, 0.8))
    np.testing.assert_allclose(own, expected, atol=2e-4)
    np.testing.assert_allclose(own, truth, atol=2e-4)
    assert found.rows_for(float(law(600, *truth))) == pytest.approx(600, rel=1e-2)
    assert found.rows_for(truth[0] + 0.04) == np.inf


def test_a_rate_that_falls_with_rows_is_a_flat_curve():
    found = power_law(np.array([50.0, 100, 200]), np.array([0.7, 0.68, 0.66]), 200)
    assert found.loss == pytest.approx(0, abs=1e-6)
    assert float(found(800)) == pytest.approx(found.limit, abs=1e-6)


def test_resampled_laws_hold_the_law_behind_noisy_repeats():
    rng = np.random.default_rng(3)
    sizes = np.array([50.0, 71, 100, 141, 200])
    rates = 0.85 - 0.05 * (sizes / 200) ** -0.8 + rng.normal(0, 0.01, (30, 5))
    laws = resampled_laws(sizes, rates, 200, np.random.default_rng(1), draws=60)
    low, high = np.quantile([float(one(400)) for one in laws], [0.01, 0.99])
    assert low < 0.85 - 0.05 * 2**-0.8 < high
