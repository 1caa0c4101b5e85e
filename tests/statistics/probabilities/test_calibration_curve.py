"""The curve of calibration is lowess of statsmodels, its distances are those of rms."""

import subprocess

import numpy as np
import pytest
from scipy.special import expit
from statsmodels.nonparametric.smoothers_lowess import lowess

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.rate_intervals import wilson_interval
from hetsel.statistics.probabilities.calibration import calibration_curve
from hetsel.statistics.probabilities.pooled_rows import pooled_rows


def drawn(seed=0, n=150):
    rng = np.random.default_rng(seed)
    z = 1.5 * rng.normal(size=n)
    return (rng.random(n) < expit(0.4 + 0.7 * z)).astype(float), expit(z)


@pytest.mark.parametrize("fraction", [0.2, 2 / 3, 1.0])
@pytest.mark.parametrize("ties", [False, True])
def test_it_is_lowess_of_statsmodels_without_robust_steps(fraction, ties):
    y, p = drawn()
    if ties:
        p = np.round(p, 2)
    grid = np.linspace(p.min(), p.max(), 41)
    known = lowess(y, p, frac=fraction, it=0, delta=0.0, xvals=grid)
    found = calibration_curve(pooled_rows(y, p), grid=grid, fraction=fraction)
    np.testing.assert_allclose(found.observed, np.clip(known, 0, 1), atol=1e-9)


def test_the_distances_are_those_of_the_curve_at_each_row():
    y, p = drawn(1)
    known = np.abs(np.clip(lowess(y, p, it=0, delta=0.0, return_sorted=False), 0, 1) - p)
    found = calibration_curve(pooled_rows(y, p))
    assert found.ici == pytest.approx(known.mean(), abs=1e-9)
    quantiles = np.quantile(known, [0.5, 0.9], method="inverted_cdf")
    np.testing.assert_allclose([found.e50, found.e90], quantiles, atol=1e-9)


def test_of_many_rows_the_curve_between_knots_is_as_near_as_makes_no_odds():
    y, p = drawn(2, 3000)
    known = np.abs(lowess(y, p, it=0, delta=0.0, return_sorted=False) - p)
    assert calibration_curve(pooled_rows(y, p)).ici == pytest.approx(known.mean(), abs=1e-5)


def test_the_distances_are_nearly_those_of_rms(tmp_path):
    """R's lowess leaves out points that are near each other, and takes another quantile."""
    y, p = drawn(3, 300)
    np.savetxt(tmp_path / "d.csv", np.column_stack([y, p]), "%.17g", ",", header="y,p", comments="")
    script = """if (!suppressMessages(requireNamespace("rms", quietly = TRUE))) quit("no", 3)
    d <- read.csv("d.csv")
    cat(sprintf("%.17g", rms::val.prob(d$p, d$y, pl = FALSE)[c("Eavg", "E90")]), "\\n")"""
    run = subprocess.run(["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True)
    if run.returncode == 3:
        pytest.skip('the R package rms is not installed: in R: install.packages("rms")')
    found = calibration_curve(pooled_rows(y, p))
    np.testing.assert_allclose(
        [found.ici, found.e90], np.fromstring(run.stdout, sep=" "), atol=2e-3
    )


def test_a_row_of_weight_two_counts_as_two_rows():
    """With a window of all of the weight."""
    y, p = drawn(4, 60)
    w = np.ones(60)
    w[:20] = 2.0
    twice = np.append(np.arange(60), np.arange(20))
    one = calibration_curve(pooled_rows(y, p, w), grid=[0.2, 0.5, 0.8], fraction=1.0)
    other = calibration_curve(pooled_rows(y[twice], p[twice]), grid=[0.2, 0.5, 0.8], fraction=1.0)
    np.testing.assert_allclose(one.observed, other.observed, atol=1e-12)
    assert one.ici == pytest.approx(other.ici, abs=1e-12)


def test_a_row_of_several_runs_counts_once():
    y, p = drawn(5)
    once = calibration_curve(pooled_rows(y, p))
    runs = calibration_curve(
        pooled_rows(np.tile(y, 4), np.tile(p, 4), np.full(600, 0.25), np.tile(np.arange(150), 4))
    )
    np.testing.assert_allclose(once.observed, runs.observed, atol=1e-9)
    assert once.ici == pytest.approx(runs.ici, abs=1e-9)
    # by residuals, and with Student's quantile
    widths = (runs.high - runs.low) / (once.high - once.low)
    assert ((widths > 0.9) & (widths < 1.6)).all()


def test_the_band_is_wilsons_of_the_rows_that_a_point_has():
    """Of the smoother's weights by statsmodels: the curve of one row that is 1 and others 0."""
    y, p = drawn(6, 60)
    grid = [0.2, 0.5, 0.8]
    a = np.array([lowess(one, p, it=0, delta=0.0, xvals=grid) for one in np.eye(60)])
    found = calibration_curve(pooled_rows(y, p), grid=grid, spread=2.0)
    for k, rows in enumerate(1 / (a**2).sum(axis=0)):
        known = wilson_interval(a[:, k] @ y, rows / 2)
        assert found.observed[k] == pytest.approx(known.estimate, abs=1e-9)
        assert found.low[k] == pytest.approx(known.low, abs=1e-9)
        assert found.high[k] == pytest.approx(known.high, abs=1e-9)


def test_the_band_has_a_width_where_all_rows_are_of_one_class():
    p = np.linspace(0.01, 0.3, 40)
    found = calibration_curve(pooled_rows(np.zeros(40), p))
    assert (found.observed == 0).all()
    assert (found.low == 0).all()
    assert (found.high > 0.05).all()


def test_equal_probabilities_have_the_mean_and_few_distinct_ones_theirs():
    found = calibration_curve(pooled_rows([0, 1, 1, 1], [0.3] * 4), grid=[0.3])
    assert found.observed[0] == 0.75
    assert found.ici == pytest.approx(0.45)
    y, p = np.array([0, 0, 1, 0, 1, 1]), np.array([0.2] * 3 + [0.8] * 3)
    found = calibration_curve(pooled_rows(y, p), grid=[0.2, 0.5, 0.8], fraction=0.4)
    np.testing.assert_allclose(found.observed, [1 / 3, 0.5, 2 / 3], atol=1e-12)
    assert calibration_curve(pooled_rows([1], [0.4])).observed.tolist() == [1.0] * 101


def test_rows_in_another_order_have_the_same_curve():
    y, p = drawn(7)
    order = np.random.default_rng(0).permutation(150)
    unit = np.arange(150) // 3
    one, other = (
        calibration_curve(pooled_rows(y, p, None, unit)),
        calibration_curve(pooled_rows(y[order], p[order], None, unit[order])),
    )
    np.testing.assert_allclose(one.high, other.high, atol=1e-12)
    assert one.e90 == pytest.approx(other.e90, abs=1e-12)


def test_of_a_known_prevalence_it_is_lowess_among_the_rows_shifted():
    """Odds times the ratio of those of the prevalence and of the share among the rows."""
    y, p = drawn(8)
    times = 0.05 / 0.95 / (y.mean() / (1 - y.mean()))
    odds, grid = p / (1 - p) * times, np.array([0.02, 0.05, 0.1])
    at = grid / (1 - grid) / times
    known = lowess(y, p, it=0, delta=0.0, xvals=at / (1 + at))
    known = known / (1 - known) * times
    found = calibration_curve(pooled_rows(y, odds / (1 + odds)), grid=grid, prevalence=0.05)
    np.testing.assert_allclose(found.observed, known / (1 + known), atol=1e-9)
    assert (found.low < found.observed).all()
    assert (found.high > found.observed).all()
    one, other = (
        calibration_curve(pooled_rows(y, p), prevalence=y.mean()),
        calibration_curve(pooled_rows(y, p)),
    )
    assert one.ici == pytest.approx(other.ici, abs=1e-9)
    np.testing.assert_allclose(one.high, other.high, atol=1e-9)


def test_what_is_no_grid_or_fraction_is_refused():
    with pytest.raises(TableError, match="fraction must be above 0"):
        calibration_curve(pooled_rows([0, 1], [0.1, 0.2]), fraction=0)
    with pytest.raises(TableError, match="grid must be probabilities"):
        calibration_curve(pooled_rows([0, 1], [0.1, 0.2]), grid=[2.0])
