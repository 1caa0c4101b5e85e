"""Curves of survival and censoring, hazards, residuals, Brier scores are R's, with ties."""

import numpy as np
import pytest
from r_numbers import lines_of_r, numbers_of_r
from sksurv.nonparametric import kaplan_meier_estimator

from hetsel.ground.errors import TableError
from hetsel.statistics.survival.cox_curves import cox_hazard, cox_slopes
from hetsel.statistics.survival.curves_and_martingale_residuals import (
    integrated_brier_rows,
    kaplan_meier,
    kaplan_meier_of_censoring,
    martingale_residuals,
    nelson_aalen,
)

SCRIPT = """suppressMessages(library(survival))
d <- read.csv("d.csv")
row <- function(x) cat(sprintf("%.17g", x), "\\n")
for (w in list(rep(1, nrow(d)), d$w)) {
  for (y in list(Surv(d$t, d$d))) {
    f <- survfit(y ~ 1, weights = w, timefix = FALSE)
    row(summary(f, times = d$q, extend = TRUE)$surv)
    f <- survfit(y ~ 1, weights = w, stype = 2, ctype = 1, timefix = FALSE)
    row(summary(f, times = d$q, extend = TRUE)$cumhaz)
    row(residuals(coxph(y ~ 1, weights = w, ties = "breslow"), "martingale"))
  }
}
"""


def rows(seed, n=80, ties=True):
    """Times, tied by rounding, events and weights of rows."""
    rng = np.random.default_rng(seed)
    times = rng.exponential(5.0, n)
    return (
        np.ceil(times) if ties else times,
        rng.random(n) < 0.6,
        rng.integers(1, 5, n).astype(float),
    )


@pytest.fixture(scope="module")
def r_curves(tmp_path_factory):
    """R's answers for rows(0): survival, hazard and residuals, without and with weights."""
    folder = tmp_path_factory.mktemp("r")
    t, d, w = rows(0)
    query = np.random.default_rng(1).uniform(0, 20, len(t))
    query.sort()
    cells = np.column_stack([t, d, w, query])
    np.savetxt(folder / "d.csv", cells, "%.17g", ",", header="t,d,w,q", comments="")
    return query, [np.array(line.split(), dtype=float) for line in lines_of_r(SCRIPT, folder)]


@pytest.mark.seconds
@pytest.mark.parametrize("weighted", [False, True])
def test_curves_and_residuals_are_rs(r_curves, weighted):
    query, found = r_curves
    t, d, w = rows(0)
    own = w if weighted else None
    survival, hazard, residuals = found[3:] if weighted else found[:3]
    np.testing.assert_allclose(kaplan_meier(t, d, own).at(query), survival, rtol=1e-12)
    np.testing.assert_allclose(nelson_aalen(t, d, own).at(query), hazard, rtol=1e-12)
    np.testing.assert_allclose(martingale_residuals(t, d, own), residuals, atol=1e-12)
    assert np.average(residuals, weights=own) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_survival_and_censoring_are_scikit_survivals(ties):
    t, d, _ = rows(2, ties=ties)
    for curve, reverse in ((kaplan_meier(t, d), False), (kaplan_meier_of_censoring(t, d), True)):
        times, values = kaplan_meier_estimator(d, t, reverse=reverse)
        np.testing.assert_array_equal(curve.times, times)
        np.testing.assert_allclose(curve.values, values, rtol=1e-12)


def test_a_weight_is_so_many_rows_that_are_alike():
    t, d, w = rows(3)
    many = w.astype(int)
    for curve in (kaplan_meier, kaplan_meier_of_censoring, nelson_aalen):
        one, other = curve(t, d, w), curve(np.repeat(t, many), np.repeat(d, many))
        np.testing.assert_allclose(one.values, other.values, rtol=1e-12)
    assert kaplan_meier_of_censoring([1.0, 2.0], [False, False], [0.1, 0.3]).values[-1] == 0


def test_only_the_order_of_the_times_counts_for_residuals():
    t, d, _ = rows(4)
    np.testing.assert_array_equal(martingale_residuals(t, d), martingale_residuals(t**3 / 7, d))


def test_a_curve_between_its_steps():
    curve = kaplan_meier([1.0, 2.0, 2.0], [True, True, False])
    np.testing.assert_allclose(curve.at([[0.0, 1.0], [1.5, 9.0]]), [[1, 2 / 3], [2 / 3, 1 / 3]])
    np.testing.assert_allclose(curve.before([0.0, 1.0, 2.0, 3.0]), [1, 1, 2 / 3, 1 / 3])


@pytest.mark.parametrize(
    ("times", "events", "weights", "said"),
    [
        ([1.0, -1.0], [True, True], None, "-1.0"),
        ([1.0, np.nan], [True, True], None, "nan"),
        ([1.0, np.inf], [True, True], None, "inf"),
        ([1.0, 2.0], [True], None, r"\(2,\), \(1,\)"),
        ([], [], None, r"\(0,\)"),
        ([1.0, 2.0], [True, True], [1.0], "weights"),
        ([1.0, 2.0], [True, True], [1.0, -1.0], "weights"),
    ],
)
def test_what_is_no_survival_time_is_refused(times, events, weights, said):
    with pytest.raises(TableError, match=said):
        kaplan_meier(times, events, weights)


@pytest.mark.seconds
def test_brier_scores_at_a_time_are_rs(tmp_path):
    """With tied times, an event and a censored row of one time among them.

    Between the times: of a row censored at that very time R makes a control, Graf et al. nothing.
    """
    at_times = np.array([1.7, 2.7, 4.7, 6.7])
    rng = np.random.default_rng(3)
    risk = rng.normal(size=80)
    t, d = np.ceil(5 * rng.exponential(np.exp(-risk))), rng.random(80) < 0.6
    cells = np.column_stack([t, d, risk])
    np.savetxt(tmp_path / "d.csv", cells, "%.17g", ",", header="t,d,r", comments="")
    script = """suppressMessages(library(survival))
    d <- read.csv("d.csv")
    f <- coxph(Surv(t, d) ~ r, d, ties = "breslow", eps = 1e-13)
    brier <- if (exists("brier")) brier else survival:::brier
    cat(sprintf("%.17g", brier(f, c(1.7, 2.7, 4.7, 6.7))$brier), "\\n")"""
    known = numbers_of_r(script, tmp_path).reshape(2, 4)
    logs = cox_slopes(t, d, risk)[0] * risk
    cox = np.exp(-np.outer(np.exp(logs), cox_hazard(t, d, logs, at_times)))
    without = np.tile(kaplan_meier(t, d).at(at_times), (len(t), 1))
    G = kaplan_meier_of_censoring(t, d)
    for curves, scores in ((without, known[0]), (cox, known[1])):
        for k, at in enumerate(at_times):
            # no row has a time in between: the same error at both ends
            own = integrated_brier_rows(t, d, curves[:, [k, k]], [at, at + 0.1], G)
            assert own.mean() == pytest.approx(scores[k], rel=1e-9)
