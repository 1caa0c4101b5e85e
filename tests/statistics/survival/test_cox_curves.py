"""Brier scores, Cox's model of one risk and the columns beside a prediction, by other packages."""

import numpy as np
import pytest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import integrated_brier_score
from sksurv.util import Surv
from statsmodels.duration.hazard_regression import PHReg

from hetsel.ground.errors import TableError
from hetsel.statistics.survival import cox_curves
from hetsel.statistics.survival.cox_curves import cox_hazard, cox_slopes, survival_columns
from hetsel.statistics.survival.curves_and_martingale_residuals import (
    integrated_brier_rows,
    kaplan_meier_of_censoring,
)


def parts(seed=0, n=120, m=50):
    """Training and test rows: times, events and two risks, one that tells and one that does not."""
    rng = np.random.default_rng(seed)
    told = rng.normal(size=n + m)
    times = rng.exponential(np.exp(-told))
    censored = rng.exponential(1.5, n + m)
    events, times = times <= censored, np.minimum(times, censored)
    times[0], events[0] = 1000.0, False
    risk = np.array([told + rng.normal(size=n + m), rng.normal(size=n + m)])
    return (times[:n], events[:n], risk[:, :n]), (times[n:], events[n:], risk[:, n:])


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_slope_is_that_of_statsmodels(ties, weighted):
    (t, d, risk), _ = parts()
    t = np.ceil(10 * t) if ties else t
    weights = np.random.default_rng(1).integers(1, 4, len(t)).astype(float) if weighted else None
    many = np.ones(len(t), dtype=int) if weights is None else weights.astype(int)
    found = cox_slopes(t, d, risk, weights)
    for slope, own in zip(found, risk, strict=True):
        model = PHReg(np.repeat(t, many), np.repeat(own, many)[:, None], np.repeat(d, many))
        known = model.fit(method="newton", tol=1e-12, disp=0).params[0]
        assert slope == pytest.approx(known, rel=1e-6)


def test_the_curves_are_scikit_survivals():
    (t, d, risk), (_, _, other) = parts()
    model = CoxPHSurvivalAnalysis(tol=1e-13).fit(risk[:1].T, Surv.from_arrays(d, t))
    slope = cox_slopes(t, d, risk[:1])[0]
    assert slope == pytest.approx(model.coef_[0], rel=1e-7)
    at = np.linspace(0.01, 2, 9)
    hazard = cox_hazard(t, d, slope * (risk[0] - risk[0].mean()), at)
    known = [curve(at) for curve in model.predict_survival_function(other[:1].T)]
    found = np.exp(-np.outer(np.exp(slope * (other[0] - risk[0].mean())), hazard))
    np.testing.assert_allclose(found, known, rtol=1e-6)


def test_no_maximum_and_no_slope():
    t, d = np.arange(1.0, 9.0), np.ones(8, dtype=bool)
    falling, still = -t, np.full(8, 3.0)
    steep, none, turned = cox_slopes(t, d, [falling, still, t])
    assert steep > 2
    assert none == 0
    assert turned == pytest.approx(-steep)
    np.testing.assert_array_equal(cox_slopes(t, ~d, falling), [0.0])
    assert cox_slopes(t, d, 1e6 * falling)[0] == pytest.approx(1e-6 * steep)


def test_brier_scores_of_rows_have_scikit_survivals_mean():
    (t, d, _), (times, events, _) = parts()
    grid = np.unique(t[d & (t >= times.min()) & (t < times.max())])
    survival = np.sort(np.random.default_rng(2).random((len(times), len(grid))), axis=1)[:, ::-1]
    own = Surv.from_arrays(d, t), Surv.from_arrays(events, times)
    found = integrated_brier_rows(times, events, survival, grid, kaplan_meier_of_censoring(t, d))
    assert found.mean() == pytest.approx(integrated_brier_score(*own, survival, grid), rel=1e-12)


def test_in_parts_of_the_rows_the_columns_are_the_same(monkeypatch):
    (t, d, risk), (times, events, other) = parts()
    whole = survival_columns(t, d, times, events, risk, other)
    monkeypatch.setattr(cox_curves, "MOST_CELLS", 100)
    np.testing.assert_allclose(
        survival_columns(t, d, times, events, risk, other), whole, rtol=1e-12
    )


def test_nothing_is_taken_after_the_follow_up_that_both_parts_share():
    t, d = np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, True, True, False])
    times, events = np.array([0.5, 2.5, 3.5, 7.0, 9.0]), np.array([True, True, True, True, False])
    risk, other = np.zeros((1, 4)), np.zeros((1, 5))
    columns = survival_columns(t, d, times, events, risk, other)[0]
    np.testing.assert_array_equal(columns[:, 2], [1, 1, 1, 0, 0])  # tau is 4
    np.testing.assert_array_equal(columns[:, 3], [1, -1, -1, -1, -1])  # the median is 2
    late = survival_columns(t, d, times + 3, events, risk, other)[0]
    assert np.isnan(late[:, :2]).all()
    np.testing.assert_array_equal(late[:, 2:], [[1, 0], *[[0, 0]] * 4])


def test_the_unit_of_time_and_unknown_risks():
    (t, d, risk), (times, events, other) = parts()
    here = survival_columns(t, d, times, events, risk, other)
    there = survival_columns(8 * t, d, 8 * times, events, 5 * risk + 3, 5 * other + 3)
    np.testing.assert_allclose(here, there, rtol=1e-9)
    other[1, 3] = np.nan
    gaps = survival_columns(t, d, times, events, risk, other)
    assert np.isnan(gaps[1, :, 0]).all()
    np.testing.assert_array_equal(gaps[0], here[0])
    np.testing.assert_array_equal(gaps[1, :, 1:], here[1, :, 1:])


def test_shapes_that_disagree_are_refused():
    times, events = [1.0, 2.0], [True, True]
    with pytest.raises(TableError, match=r"\(k, 2\)"):
        survival_columns(times, events, times, events, [1.0, 2.0], [1.0])
    G = kaplan_meier_of_censoring(times, events)
    with pytest.raises(TableError, match="ascending"):
        integrated_brier_rows(times, events, [0.5, 0.5], [1.0, 1.0], G)
    with pytest.raises(TableError, match=r"\(2, 2\)"):
        integrated_brier_rows(times, events, [0.5, 0.5, 0.5], [1.0, 2.0], G)
