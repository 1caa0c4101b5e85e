"""Cox regression with a ridge penalty: against R, scikit-survival, statsmodels, and by hand."""

import subprocess

import numpy as np
import pytest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from statsmodels.duration.hazard_regression import PHReg
from twins import cox_regression as slow

from hetsel.ground.errors import TableError
from hetsel.solvers.cox_ridge import RiskOrder, cox_ridge, left_out_scores, newton
from hetsel.tables import survival


def followed(n=90, d=4, seed=0, ties=True):
    """Columns of different units, times (many alike) and events."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, d)) * np.geomspace(0.5, 5, d) + np.arange(d)
    z[:, -1] = rng.random(n) < 0.2
    rates = np.exp(0.8 * z[:, 0] - 0.5 * z[:, -1])
    happened, seen = rng.exponential(size=n) / rates, rng.exponential(size=n) * 1.5
    times = np.minimum(happened, seen)
    return z, np.ceil(8 * times) if ties else times, happened <= seen


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 1.0, 30.0])
def test_coefficients_and_baseline_are_those_of_scikit_survival(alpha, ties):
    z, times, events = followed(ties=ties)
    fit = cox_ridge(z, times, events, alpha=alpha)
    known = CoxPHSurvivalAnalysis(alpha=alpha, ties="breslow", tol=1e-14)
    known.fit(z, survival(times, events))
    assert fit.converged
    np.testing.assert_allclose(fit.coefficients, known.coef_, atol=1e-9)
    steps = known.cum_baseline_hazard_(fit.times)
    np.testing.assert_allclose(fit.hazard, steps, rtol=1e-8)
    at = np.array([0.0, times.min(), np.median(times), times.max() + 1])
    curves = known.predict_survival_function(z[:3])
    inside = np.clip(at, times.min(), times.max())
    expected = [curve(inside) for curve in curves]
    found = fit.survival(z[:3] @ fit.coefficients, at)
    np.testing.assert_allclose(found[:, 1:], np.array(expected)[:, 1:], rtol=1e-8)
    assert found[:, 0].tolist() == [1.0] * 3


def test_without_a_penalty_it_is_that_of_statsmodels():
    z, times, events = followed()
    fit = cox_ridge(z, times, events, alpha=0.0)
    known = PHReg(times, z, status=events, ties="breslow").fit(disp=False)
    np.testing.assert_allclose(fit.coefficients, known.params, atol=1e-6)
    order = RiskOrder.of(times, events)
    x = np.ascontiguousarray((z - z.mean(axis=0))[order.rows])
    (*_, loss, _, hessian), _ = newton(x, order[1:], 0.0, fit.coefficients.copy())
    assert -loss == pytest.approx(known.llf, abs=1e-9)
    np.testing.assert_allclose(np.linalg.inv(hessian), known.cov_params(), rtol=1e-5)


@pytest.mark.slow
def test_penalty_and_weights_are_those_of_r(tmp_path):
    z, times, events = followed()
    weights = 1.0 + np.arange(90) % 3
    table = np.column_stack([times, events, weights, z])
    np.savetxt(tmp_path / "table.csv", table, delimiter=",", header="t,e,w,a,b,c,d", comments="")
    script = """
        suppressMessages(library(survival))
        x <- read.csv("table.csv")
        control <- coxph.control(eps = 1e-14, iter.max = 100)
        for (theta in c(0.7, 20)) {
          m <- coxph(Surv(t, e) ~ ridge(a, b, c, d, theta = theta, scale = FALSE), x,
                     weights = w, ties = "breslow", control = control)
          cat(sprintf("%.12f", coef(m)), sep = ",")
          cat("\\n")
        }"""
    run = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    known = np.array([line.split(",") for line in run.stdout.split()], dtype=float)
    for theta, expected in zip((0.7, 20.0), known, strict=True):
        fit = cox_ridge(z, times, events, alpha=theta, weights=weights)
        np.testing.assert_allclose(fit.coefficients, expected, atol=1e-7)


def test_a_row_of_weight_two_is_two_rows():
    z, times, events = followed(60)
    weights = 1.0 + np.arange(60) % 3
    rows = np.repeat(np.arange(60), weights.astype(int))
    here = cox_ridge(z, times, events, alpha=2.0, weights=weights)
    there = cox_ridge(z[rows], times[rows], events[rows], alpha=2.0)
    np.testing.assert_allclose(here.coefficients, there.coefficients, rtol=1e-9)
    np.testing.assert_allclose(here.hazard, there.hazard, rtol=1e-9)


def test_the_minimum_is_that_of_the_twin_and_the_start_does_not_matter():
    z, times, events = followed(40)
    expected = slow.coefficients(z, times, events, 1.5)
    for start in (None, np.array([3.0, -2.0, 5.0, 1.0])):
        fit = cox_ridge(z, times, events, alpha=1.5, start=start)
        assert fit.converged
        np.testing.assert_allclose(fit.coefficients, expected, atol=1e-5)


def test_more_columns_than_rows_and_none():
    z, times, events = followed(30, 50)
    fit = cox_ridge(z, times, events, alpha=1.0)
    known = CoxPHSurvivalAnalysis(alpha=1.0, ties="breslow", tol=1e-14)
    np.testing.assert_allclose(
        fit.coefficients, known.fit(z, survival(times, events)).coef_, atol=1e-8
    )
    none = cox_ridge(z[:, :0], times, events, alpha=1.0)
    assert none.coefficients.shape == (0,)
    # Nelson and Aalen's estimate
    assert none.hazard[0] == pytest.approx(
        (events & (times == none.times[0])).sum() / (times >= none.times[0]).sum()
    )


def test_events_that_are_told_apart_have_no_maximum_without_a_penalty():
    z = np.arange(6.0)[:, None]
    times, events = 6.0 - np.arange(6), np.ones(6, dtype=bool)
    assert cox_ridge(z, times, events, alpha=0.0).coefficients[0] > 10
    assert cox_ridge(z, times, events, alpha=1.0).converged


def test_what_has_no_answer_is_refused():
    z, times, events = followed(20)
    with pytest.raises(TableError, match="alpha must be 0 or larger. Got -1"):
        cox_ridge(z, times, events, alpha=-1)
    z[:, 1] = 0.0
    with pytest.raises(TableError, match="alpha must be positive if columns"):
        cox_ridge(z, times, events, alpha=0.0)


# Left-out rows


def left_out(z, times, events, alpha):
    """Left-out scores in the order of the rows, the coefficients and the Hessian of all rows."""
    order = RiskOrder.of(times, events)
    x = np.ascontiguousarray((z - z.mean(axis=0))[order.rows])
    beta = np.zeros(z.shape[1])
    found, _ = newton(x, order[1:], alpha, beta)
    scores = np.empty(len(z))
    scores[order.rows] = left_out_scores(x, order[1:], found)
    return scores, beta, found[-1]


def scores_of_refits(z, times, events, alpha, start):
    """Score of each row by a fit to the others."""
    fits = []
    for i in range(len(z)):
        rest = np.arange(len(z)) != i
        fits.append(cox_ridge(z[rest], times[rest], events[rest], alpha=alpha, start=start))
    return np.array([row @ fit.coefficients for row, fit in zip(z, fits, strict=True)])


@pytest.mark.parametrize("ties", [False, True])
def test_left_out_scores_are_those_of_the_twin(ties):
    z, times, events = followed(50, ties=ties)
    times[3], events[3] = times.min() / 2, False  # at risk at no event
    scores, beta, hessian = left_out(z, times, events, 2.0)
    expected = slow.left_out_scores(z, times, events, beta, hessian)
    np.testing.assert_allclose(scores, expected, atol=1e-10)


@pytest.mark.parametrize(("n", "d", "near"), [(60, 3, 0.35), (120, 12, 0.35), (300, 6, 0.2)])
@pytest.mark.parametrize("seed", range(3))
def test_left_out_scores_are_nearly_those_of_fits_without_each_row(n, d, near, seed):
    """Nearer than the scores of the fit to all rows, by far; so is their concordance."""
    z, times, events = followed(n, d, seed)
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    scores, beta, _ = left_out(z, times, events, 0.05 * events.sum())
    exact = scores_of_refits(z, times, events, 0.05 * events.sum(), beta)
    fitted = z @ beta
    assert np.linalg.norm(scores - exact) < near * np.linalg.norm(fitted - exact)
    true, found, naive = (
        concordance_index_censored(events, times, s)[0] for s in (exact, scores, fitted)
    )
    assert abs(found - true) < 0.25 * (naive - true) + 0.002


def test_at_the_penalty_of_searches_a_rare_level_leaves_a_tenth_of_the_optimism():
    """Means over tables; of a single one more may be left."""
    sums = np.zeros(2)
    for seed in range(10):
        z, times, events = followed(60, 6, seed)
        z[:, -1] = np.random.default_rng(seed).permutation(60) < 3
        z = (z - z.mean(axis=0)) / z.std(axis=0)
        alpha = 0.01 * events.sum()
        scores, beta, _ = left_out(z, times, events, alpha)
        exact = scores_of_refits(z, times, events, alpha, beta)
        true, found, naive = (
            concordance_index_censored(events, times, s)[0] for s in (exact, scores, z @ beta)
        )
        sums += [naive - true, found - true]
    assert 0 <= sums[1] < 0.15 * sums[0]
