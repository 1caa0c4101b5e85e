"""Scores of predicted risks are scikit-survival's, of one size after the other."""

import numpy as np
import pytest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import (
    concordance_index_censored,
    concordance_index_ipcw,
    cumulative_dynamic_auc,
    integrated_brier_score,
)
from sksurv.nonparametric import kaplan_meier_estimator
from sksurv.util import Surv

from hetsel.statistics.performance.scores import SCORES, survival_scores
from hetsel.statistics.survival.cox_curves import survival_columns


def parts(seed=0, n=100, m=60, k=3):
    rng = np.random.default_rng(seed)
    told = rng.normal(size=n + m)
    times = rng.exponential(np.exp(-told))
    censored = rng.exponential(2.0, n + m)
    events, times = times <= censored, np.minimum(times, censored)
    times[0], events[0] = 1000.0, False
    risk = told + rng.normal(size=(k, n + m)) * np.arange(k)[:, None]
    train, test = np.arange(n), np.arange(n, n + m)
    return [(times[rows], events[rows], risk[:, rows]) for rows in (train, test)]


def test_each_score_is_scikit_survivals():
    (t, d, ours), (times, events, theirs) = parts()
    found = survival_scores(
        np.where(events, times, -times),
        theirs,
        survival_columns(t, d, times, events, ours, theirs),
    )
    own = Surv.from_arrays(d, t), Surv.from_arrays(events, times)
    tau = times.max()
    grid = np.unique(t[d & (t >= times.min()) & (t < tau)])
    for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        model = CoxPHSurvivalAnalysis(tol=1e-13).fit(one[:, None], own[0])
        curves = [c(grid) for c in model.predict_survival_function(other[:, None])]
        known = {
            "concordance": concordance_index_censored(events, times, other)[0],
            "uno": concordance_index_ipcw(*own, other, tau=tau)[0],
            "ibs": integrated_brier_score(*own, curves, grid),
            "auc": cumulative_dynamic_auc(*own, other, np.median(t[d]))[0][0],
        }
        for name, value in known.items():
            assert found[name][k] == pytest.approx(value, rel=1e-6), name
    when, values = kaplan_meier_estimator(d, t)
    curve = np.tile(values[np.searchsorted(when, grid)], (len(times), 1))
    known = integrated_brier_score(*own, curve, grid)
    np.testing.assert_allclose(found["ibs_of_kaplan_meier"], known, rtol=1e-12)
    np.testing.assert_array_equal(found["concordance_by_chance"], 0.5)
    assert list(found) == list(SCORES["survival"].columns)


def test_weights_of_test_rows_are_so_many_rows():
    (t, d, ours), (times, events, theirs) = parts(1)
    weights = np.random.default_rng(2).integers(1, 4, len(times))
    rows = np.repeat(np.arange(len(times)), weights)
    columns = survival_columns(t, d, times, events, ours, theirs)
    signed = np.where(events, times, -times)
    here = survival_scores(signed, theirs, columns, None, weights.astype(float))
    there = survival_scores(signed[rows], theirs[:, rows], columns[:, rows])
    for name in here:
        np.testing.assert_allclose(here[name], there[name], rtol=1e-12)


def test_a_row_that_is_censored_at_once_is_no_event():
    truth = np.array([-0.0, 1.0, 2.0, -3.0])
    risk = np.array([[0.0, 3.0, 2.0, 1.0]])
    for signed, known in ((truth, 1.0), (np.append(0.0, truth[1:]), 0.5)):
        events = ~np.signbit(signed)
        columns = survival_columns(np.abs(signed), events, np.abs(signed), events, risk, risk)
        assert survival_scores(signed, risk, columns)["concordance"] == known


def test_what_cannot_be_scored_is_missing():
    (t, d, ours), (times, events, theirs) = parts(3)
    theirs[1] = np.nan
    columns = survival_columns(t, d, times, events, ours, theirs)
    found = survival_scores(np.where(events, times, -times), theirs, columns)
    for name in ("concordance", "uno", "ibs", "auc"):
        assert np.isnan(found[name]).tolist() == [False, True, False]
    found = survival_scores(-times, theirs, columns)  # no event
    assert np.isnan(found["concordance"]).all()
    assert np.isnan(found["concordance_by_chance"]).all()
