"""Intercept and slope of calibration are those of statsmodels and R; Firth's; their jackknife."""

import numpy as np
import pytest
import statsmodels.api as sm
from r_numbers import lines_of_r
from scipy.optimize import brentq, minimize
from scipy.special import expit

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.rate_intervals import student_quantile
from hetsel.statistics.probabilities.calibration import calibration_line
from hetsel.statistics.probabilities.calibration_maps import fit_map
from hetsel.statistics.probabilities.pooled_rows import logits, pooled_rows


def drawn(seed=0, n=120, place=0.0, units=None):
    rng = np.random.default_rng(seed)
    z = place + 1.5 * rng.normal(size=n)
    y = (rng.random(n) < expit(0.4 + 0.7 * z)).astype(float)
    if units is None:
        return y, expit(z), None
    return y, expit(z), rng.integers(0, units, n)


def errors(found, y, p, w, units):
    """Standard errors of intercept and slope, by the ends of their intervals."""
    quantile = student_quantile(np.ones(len(y)) if w is None else w, units, 0.95)
    middles = (found.intercept.estimate, found.likelihood_slope)
    ends = (found.intercept.high, found.slope.high)
    return [(high - middle) / quantile for high, middle in zip(ends, middles, strict=True)]


def models(y, p, w, rows=slice(None)):
    """The two regressions of statsmodels."""
    z, weights = logits(p)[rows], None if w is None else w[rows]
    ones = np.ones((len(z), 1))
    family = sm.families.Binomial()
    return (
        sm.GLM(y[rows], ones, family=family, offset=z, freq_weights=weights),
        sm.GLM(y[rows], np.column_stack([ones, z]), family=family, freq_weights=weights),
    )


def firth_by_search(y, z, w):
    """The maximum of the likelihood times the root of the determinant of the information."""
    x = np.column_stack([np.ones(len(z)), z])

    def lost(t):
        q = expit(x @ t)
        information = (x * (w * q * (1 - q))[:, None]).T @ x
        likelihood = (w * (y * np.log(q) + (1 - y) * np.log1p(-q))).sum()
        return -likelihood - np.log(np.linalg.det(information)) / 2

    tight = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 4000}
    return minimize(lost, [0.0, 0.5], method="Nelder-Mead", options=tight).x[1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("place", [0.0, -2.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_estimates_are_those_of_statsmodels_and_the_slope_is_firths(seed, place, weighted):
    y, p, _ = drawn(seed, 60, place=place)
    w = np.random.default_rng(9).uniform(0.2, 3, len(y)) if weighted else np.ones(60)
    found = calibration_line(pooled_rows(y, p, w))
    large, line = (model.fit(tol=1e-14, maxiter=200) for model in models(y, p, w))
    assert found.intercept.estimate == pytest.approx(large.params[0], abs=1e-9)
    assert found.likelihood_slope == pytest.approx(line.params[1], abs=1e-8)
    assert found.slope.low + found.slope.high == pytest.approx(2 * line.params[1], abs=1e-8)
    scaled = w / w.mean() * w.sum() ** 2 / (w**2).sum() / 60  # Kish's number of rows
    assert found.slope.estimate == pytest.approx(firth_by_search(y, logits(p), scaled), abs=1e-6)
    assert abs(found.slope.estimate) < abs(found.likelihood_slope)


def test_firths_slope_of_two_values_has_half_a_row_more_in_each_cell():
    """A model with a coefficient for each cell: Jeffreys' prior adds 1/2, whatever the counts."""
    y = np.repeat([0, 1, 0, 1], [7, 2, 1, 12])
    p = np.repeat([0.3, 0.8], [9, 13])
    apart = np.log(12.5 / 1.5) - np.log(2.5 / 7.5)
    z = logits([0.3, 0.8])
    found = calibration_line(pooled_rows(y, p))
    assert found.slope.estimate == pytest.approx(apart / (z[1] - z[0]), abs=1e-9)
    parted = calibration_line(
        pooled_rows([0] * 9 + [1] * 13, p)
    ).slope  # where the likelihood is without end
    apart = np.log(13.5 / 0.5) - np.log(0.5 / 9.5)
    assert parted.estimate == pytest.approx(apart / (z[1] - z[0]), abs=1e-9)
    assert np.isnan([parted.low, parted.high]).all()


@pytest.mark.seconds
def test_the_mean_slope_of_many_tables_of_few_rows_is_the_true_one():
    """The likeliest one is too large in the mean."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(1000):
        z = 1.5 * rng.normal(size=40)
        y = rng.random(40) < expit(1.4 * z)
        line = calibration_line(pooled_rows(y, expit(z)))
        found.append((line.slope.estimate, line.likelihood_slope))
    found = np.array(found)
    error = found[:, 0].std() / np.sqrt(len(found))
    assert abs(found[:, 0].mean() - 1.4) < 3 * error
    assert np.nanmean(found[:, 1]) > 1.4 + 5 * error


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("units", [None, 20])
@pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.ConvergenceWarning")
def test_the_errors_are_those_of_one_step_of_statsmodels_without_each_unit(weighted, units):
    """One iteration of iterated weighted least squares is one Newton step."""
    y, p, unit = drawn(1, 80, units=units)
    w = np.random.default_rng(9).uniform(0.2, 3, len(y)) if weighted else None
    found = calibration_line(pooled_rows(y, p, w, unit))
    code = np.arange(len(y)) if unit is None else unit
    known = []
    for kind in (0, 1):
        whole = models(y, p, w)[kind].fit(tol=1e-14, maxiter=200).params
        moved = [
            models(y, p, w, code != g)[kind].fit(start_params=whole, maxiter=1).params - whole
            for g in np.unique(code)
        ]
        count = len(moved)
        known.append(np.sqrt((np.array(moved) ** 2).sum(axis=0) * (count - 1) / count)[-1])
    np.testing.assert_allclose(errors(found, y, p, w, unit), known, rtol=1e-6)


@pytest.mark.parametrize("units", [None, 400])
def test_of_many_rows_the_errors_are_the_sandwich_of_statsmodels(units):
    y, p, unit = drawn(2, 4000, units=units)
    code = np.arange(len(y)) if unit is None else unit
    found = errors(calibration_line(pooled_rows(y, p, None, unit)), y, p, None, unit)
    for error, model in zip(found, models(y, p, None), strict=True):
        known = model.fit(cov_type="cluster", cov_kwds={"groups": code}).bse[-1]
        assert error == pytest.approx(known, rel=0.01)


def folds_of(y, p, folds=5):
    """A fold of each row, and the mean and standard deviation of logits by a map of the fold."""
    rng = np.random.default_rng(8)
    fold = rng.permutation(len(y)) % folds
    middle, scale = rng.normal(size=folds), rng.uniform(0.7, 2.0, folds)
    return middle[fold], scale[fold]


def test_folds_of_one_scale_change_nothing():
    y, p, _ = drawn(10)
    plain = calibration_line(pooled_rows(y, p))
    scaled = calibration_line(pooled_rows(y, p), middle=np.full(120, -0.7), scale=np.full(120, 2.5))
    for one in ("estimate", "low", "high"):
        known = getattr(plain.slope, one)
        assert getattr(scaled.slope, one) == pytest.approx(known, abs=1e-8)
    assert scaled.likelihood_slope == pytest.approx(plain.likelihood_slope, abs=1e-8)
    assert scaled.intercept == plain.intercept


@pytest.mark.seconds
@pytest.mark.parametrize("weighted", [False, True])
def test_each_row_counts_by_the_scale_of_its_fold(weighted):
    """How far a row moves the slope is the derivative by its weight, by statsmodels."""
    y, p, _ = drawn(11, 80)
    w = np.random.default_rng(9).uniform(0.2, 3, 80) if weighted else np.ones(80)
    middle, scale = folds_of(y, p)
    found = calibration_line(pooled_rows(y, p, w), middle=middle, scale=scale)
    x = np.column_stack([np.ones(80), (logits(p) - middle) / scale])

    def fitted(weights):
        model = sm.GLM(y, x, family=sm.families.Binomial(), freq_weights=weights)
        return model.fit(tol=1e-15, maxiter=300).params[1]

    step, known = 1e-4, float(fitted(w) * np.average(1 / scale, weights=w))
    for i in range(80):
        more = step * (np.arange(80) == i)
        known += (fitted(w * (1 + more)) - fitted(w * (1 - more))) / (2 * step) / scale[i]
    assert found.likelihood_slope == pytest.approx(known, abs=1e-6)
    assert found.slope.low < found.slope.estimate < found.likelihood_slope < found.slope.high
    # the jackknife with a fit anew without each row
    moves = [found.likelihood_slope - without(i, y, p, w, middle, scale) for i in range(80)]
    other = fitted(w) * np.sqrt(
        np.average((1 / scale - np.average(1 / scale, weights=w)) ** 2, weights=w)
    )
    error = np.hypot(np.sqrt(np.sum(np.square(moves)) * 79 / 80), other)
    apart = (found.slope.high - found.likelihood_slope) / student_quantile(w, None, 0.95)
    assert apart == pytest.approx(error, rel=0.1)


def without(i, y, p, w, middle, scale):
    """The likeliest slope without a row."""
    kept = np.arange(len(y)) != i
    given = {"middle": middle[kept], "scale": scale[kept]}
    return calibration_line(pooled_rows(y[kept], p[kept], w[kept]), **given).likelihood_slope


def test_rows_of_a_map_that_tells_nothing_are_left_out_of_the_slope():
    y, p, _ = drawn(12)
    middle, scale = folds_of(y, p)
    known = scale != scale[0]
    found = calibration_line(pooled_rows(y, p), middle=middle, scale=np.where(known, scale, np.nan))
    apart = calibration_line(
        pooled_rows(y[known], p[known]), middle=middle[known], scale=scale[known]
    )
    assert found.slope.estimate == pytest.approx(apart.slope.estimate, abs=1e-12)
    assert found.intercept == calibration_line(pooled_rows(y, p)).intercept
    nothing = calibration_line(pooled_rows(y, p), middle=middle, scale=np.full(120, np.nan))
    assert np.isnan(nothing.slope.estimate)


@pytest.mark.seconds
def test_maps_learned_from_the_other_folds_are_judged_without_bias():
    """Where the rows of a fold show much by chance, the map of the others is too even."""
    rng, folds = np.random.default_rng(0), 10
    found = []
    for _ in range(250):
        y = np.repeat([0, 1], 50)
        f, fold = 2 * y + rng.normal(size=100), np.arange(100) % folds
        z, middle, scale = np.empty((3, 100))
        for k in range(folds):
            out = fold == k
            own = logits(fit_map("logistic", f[~out, None], y[~out], 2).probabilities(f[:, None]))
            z[out], middle[out], scale[out] = own[out, 1], own[~out, 1].mean(), own[~out, 1].std()
        truth = 2 / fit_map("logistic", f[:, None], y, 2).parameters[0][-1]
        lines = (
            calibration_line(pooled_rows(y, expit(z)), middle=middle, scale=scale),
            calibration_line(pooled_rows(y, expit(z))),
        )
        found.append([line.slope.estimate - truth for line in lines])
    found = np.array(found)
    one, other = found.mean(axis=0) / found.std(axis=0) * np.sqrt(len(found))
    assert abs(one) < 2
    assert other < -4


def test_a_row_of_several_runs_counts_once():
    """Each with its share of the weight, and one unit."""
    y, p, _ = drawn(3)
    once = calibration_line(pooled_rows(y, p))
    given = (np.full(600, 0.2), np.tile(np.arange(120), 5))
    five = calibration_line(pooled_rows(np.tile(y, 5), np.tile(p, 5), *given), repeats=5)
    for name in ("intercept", "slope", "observed_expected_ratio"):
        one, other = getattr(once, name), getattr(five, name)
        np.testing.assert_allclose(
            [one.estimate, one.low, one.high], [other.estimate, other.low, other.high], atol=1e-9
        )


def test_it_is_that_of_rs_glm_and_of_rms(tmp_path):
    y, p, _ = drawn(4)
    np.savetxt(tmp_path / "d.csv", np.column_stack([y, p]), "%.17g", ",", header="y,p", comments="")
    script = """d <- read.csv("d.csv"); z <- qlogis(d$p)
    tight <- glm.control(epsilon = 1e-14)
    a <- coef(glm(y ~ 1, binomial, d, offset = z, control = tight))
    b <- coef(glm(y ~ z, binomial, d, control = tight))
    v <- c(NA, NA)
    if (suppressMessages(requireNamespace("rms", quietly = TRUE)))
      v <- rms::val.prob(d$p, d$y, pl = FALSE)[c("Intercept", "Slope")]
    cat(sprintf("%.17g", c(a, b[2], v[2])), "\\n")"""
    known = [
        np.nan if one == "NA" else float(one) for one in lines_of_r(script, tmp_path)[0].split()
    ]
    found = calibration_line(pooled_rows(y, p))
    own = [found.intercept.estimate, found.likelihood_slope]
    np.testing.assert_allclose(own, known[:2], atol=1e-8)
    if not np.isnan(known[2]):
        assert own[1] == pytest.approx(known[2], abs=1e-4)


def test_observed_over_expected_has_the_error_of_a_poisson_regression_with_an_offset():
    """Its score is that of the ratio, its sandwich HC0; ours has n / (n - 1) of it."""
    y, p, _ = drawn(5)
    found = calibration_line(pooled_rows(y, p)).observed_expected_ratio
    assert found.estimate == pytest.approx(y.sum() / p.sum(), rel=1e-12)
    model = sm.GLM(y, np.ones(len(y)), family=sm.families.Poisson(), offset=np.log(p))
    fit = model.fit(cov_type="HC0", tol=1e-14)
    assert np.log(found.estimate) == pytest.approx(fit.params[0], abs=1e-9)
    apart = np.log(found.high / found.estimate) / student_quantile(np.ones(len(y)), None, 0.95)
    # to the first order without row i, whose weight is 1 / n
    assert apart == pytest.approx(fit.bse[0] * np.sqrt(len(y) / (len(y) - 1)), rel=1e-9)


def test_of_well_calibrated_probabilities_nothing_is_to_be_moved():
    """Both classes in each row, with the weights p and 1 - p."""
    p = np.linspace(0.05, 0.95, 30)
    found = calibration_line(
        pooled_rows(np.repeat([1, 0], 30), np.tile(p, 2), np.concatenate([p, 1 - p]))
    )
    assert found.intercept.estimate == pytest.approx(0, abs=1e-9)
    assert found.likelihood_slope == pytest.approx(1, abs=1e-9)
    assert found.observed_expected_ratio.estimate == pytest.approx(1, abs=1e-12)


def test_of_rows_sampled_by_class_a_known_prevalence_gives_the_line_of_all():
    """logit P = 0.4 + 0.7 z in each of many rows, of whose cases ten times as many are taken."""
    z = np.linspace(-5, 1, 200)
    g = expit(0.4 + 0.7 * z)
    y, p = np.repeat([1, 0], 200), np.tile(expit(z), 2)
    every = calibration_line(pooled_rows(y, p, np.concatenate([g, 1 - g])))
    found = calibration_line(
        pooled_rows(y, p, np.concatenate([10 * g, 1 - g])), prevalence=g.mean()
    )
    for one in (every, found):
        assert one.likelihood_slope == pytest.approx(0.7, abs=1e-8)
    assert found.intercept.estimate == pytest.approx(every.intercept.estimate, abs=1e-9)
    ratio = found.observed_expected_ratio.estimate
    assert ratio == pytest.approx(g.mean() / expit(z).mean(), rel=1e-9)


def test_the_share_of_the_rows_as_prevalence_changes_nothing():
    y, p, _ = drawn(7)
    one, other = (
        calibration_line(pooled_rows(y, p)),
        calibration_line(pooled_rows(y, p), prevalence=y.mean()),
    )
    assert other.slope.low == pytest.approx(one.slope.low, abs=1e-9)
    assert other.intercept.high == pytest.approx(one.intercept.high, abs=1e-9)
    with pytest.raises(TableError, match="rows of both classes"):
        calibration_line(pooled_rows([0, 0], [0.1, 0.2]), prevalence=0.1)


@pytest.mark.parametrize("factor", [0.01, 30.0])
def test_far_away_too_the_likelihood_has_its_maximum_there(factor):
    """Its derivatives are 0; statsmodels does not get there."""
    y, p, _ = drawn(6, 300)
    odds = expit(logits(p) * factor + 5)
    found, z = calibration_line(pooled_rows(y, odds)), logits(odds)
    assert (y - expit(found.intercept.estimate + z)).sum() == pytest.approx(0, abs=1e-6)
    # the best a' of the slope, where its derivative by b is 0 too
    b = found.likelihood_slope
    best = brentq(lambda a: (y - expit(a + b * z)).sum(), -500, 500, xtol=1e-13)
    assert z @ (y - expit(best + b * z)) == pytest.approx(0, abs=1e-4)
    assert np.isfinite([found.intercept.low, found.slope.low, found.slope.estimate]).all()


def test_there_is_no_estimate_of_one_class_or_one_probability():
    one_class = calibration_line(pooled_rows([0, 0, 0], [0.1, 0.5, 0.2]))
    assert np.isnan(one_class.intercept.estimate)
    assert np.isnan(one_class.slope.estimate)
    assert one_class.observed_expected_ratio.estimate == 0
    assert one_class.observed_expected_ratio.high > 1
    alike = calibration_line(pooled_rows([0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5]))
    assert np.isnan([alike.slope.estimate, alike.likelihood_slope]).all()
    assert np.isfinite(alike.intercept.estimate)
    assert calibration_line(
        pooled_rows([0, 1, 0, 1], [0.0, 1.0, 1.0, 0.0])
    ).intercept.estimate == pytest.approx(0)
    assert calibration_line(pooled_rows([1, 0], [0.4, 0.4], units=[3, 3])).intercept.low == -np.inf


@pytest.mark.parametrize("p", [[0.1, 0.2, 0.8, 0.9], [0.1, 0.5, 0.5, 0.9], [0.0, 0.0, 1.0, 1.0]])
def test_where_a_value_parts_the_classes_firths_slope_is_known_without_an_interval(p):
    found = calibration_line(pooled_rows([0, 0, 1, 1], p))
    assert found.slope.estimate > 0
    assert np.isnan([found.slope.low, found.slope.high, found.likelihood_slope]).all()
    turned = calibration_line(pooled_rows([0, 0, 1, 1], p[::-1]))
    assert turned.slope.estimate == pytest.approx(-found.slope.estimate, abs=1e-9)


def test_what_differs_by_rounding_is_equal():
    """Else the slope is that of the last digits, or no equations have a solution."""
    draw = np.random.default_rng(3)
    y = np.repeat([0.0, 1.0], [30, 16])
    nearly = 0.35 + 1e-15 * draw.integers(-4, 5, 46)
    assert len(set(nearly)) > 3
    found = calibration_line(pooled_rows(y, nearly))
    assert np.isnan(found.slope.estimate)
    assert found.intercept.estimate == pytest.approx(
        calibration_line(pooled_rows(y, np.full(46, 0.35))).intercept.estimate
    )
    apart = np.where(y == 1, 0.7, 0.2)
    apart[[0, 45]] = 0.5 + 1e-15, 0.5 - 1e-15  # the one pair that overlaps
    found = calibration_line(pooled_rows(y, apart))
    assert np.isnan([found.likelihood_slope, found.slope.low]).all()
    apart[[0, 45]] = 0.5
    assert found.slope.estimate == pytest.approx(
        calibration_line(pooled_rows(y, apart)).slope.estimate
    )


def test_what_is_no_probability_is_refused():
    refused = {
        r"probability must be in \[0, 1\]. Got 1.5": ([0, 1], [0.2, 1.5]),
        r"probability must be in \[0, 1\]. Got nan": ([0, 1], [0.2, np.nan]),
        "truth must be 0 or 1": ([0, 2], [0.2, 0.5]),
        "Got .2,. and .1,.": ([0, 1], [0.2]),
        "weights must be positive": ([0, 1], [0.2, 0.3], [1, 0]),
        "units must be of shape": ([0, 1], [0.2, 0.3], None, [1]),
    }
    for message, arguments in refused.items():
        with pytest.raises(TableError, match=message):
            pooled_rows(*arguments)
