"""Concordance is R's and scikit-survival's, and that of all pairs one by one."""

import numpy as np
import pytest
from r_numbers import numbers_of_r
from sksurv.metrics import (
    concordance_index_censored,
    concordance_index_ipcw,
    cumulative_dynamic_auc,
)
from sksurv.util import Surv
from twins.concordance import concordance_fraction

from hetsel.ground.errors import TableError
from hetsel.statistics.survival.concordance import (
    area_of_marks,
    case_control_marks,
    concordance,
    uno_weights,
)
from hetsel.statistics.survival.curves_and_martingale_residuals import kaplan_meier_of_censoring


def rows(seed, n=60, ties=True):
    """Times, events, three vectors of risks with ties, whole weights."""
    rng = np.random.default_rng(seed)
    times = rng.exponential(5.0, n)
    risk = np.round(rng.normal(size=(3, n)) - 0.3 * times, 0 if ties else 6)
    return (
        np.ceil(times) if ties else times,
        rng.random(n) < 0.6,
        risk,
        rng.integers(0, 4, n).astype(float),
    )


@pytest.mark.parametrize("ties", [False, True])
def test_every_pair_counts_as_by_the_definition(ties):
    t, d, risk, w = rows(0, ties=ties)
    u = np.random.default_rng(9).integers(0, 9, len(t)) / 8
    for weights in (None, w):
        for pairs in (None, u):
            known = [float(concordance_fraction(t, d, r, weights, pairs)) for r in risk]
            np.testing.assert_allclose(concordance(t, d, risk, weights, pairs), known, rtol=1e-13)


@pytest.mark.parametrize("ties", [False, True])
def test_harrells_is_scikit_survivals(ties):
    for seed in range(5):
        t, d, risk, _ = rows(seed, ties=ties)
        known = [concordance_index_censored(d, t, r)[0] for r in risk]
        np.testing.assert_allclose(concordance(t, d, risk), known, rtol=1e-12)


@pytest.mark.parametrize("quantile", [0.5, 0.8, None])
def test_unos_is_scikit_survivals_with_weights_from_training_rows(quantile):
    t, d, _, _ = rows(1, 90, ties=False)
    t[0], d[0] = 1000.0, False  # followed for longer than all test rows
    times, events, risk, _ = rows(2, ties=False)
    tau = None if quantile is None else np.quantile(times, quantile)
    train, test = Surv.from_arrays(d, t), Surv.from_arrays(events, times)
    known = [concordance_index_ipcw(train, test, r, tau=tau)[0] for r in risk]
    G = kaplan_meier_of_censoring(t, d)
    u = uno_weights(times, events, G, np.inf if tau is None else tau)
    np.testing.assert_allclose(concordance(times, events, risk, pair_weights=u), known, rtol=1e-12)


def test_the_area_at_a_time_is_scikit_survivals():
    t, d, _, _ = rows(3, 90, ties=False)
    t[0], d[0] = 1000.0, False
    times, events, risk, _ = rows(4, ties=False)
    G = kaplan_meier_of_censoring(t, d)
    for at in np.quantile(times, [0.1, 0.5, 0.9]):
        known = [
            cumulative_dynamic_auc(Surv.from_arrays(d, t), Surv.from_arrays(events, times), r, at)
            for r in risk
        ]
        marks = case_control_marks(times, events, G, at)
        np.testing.assert_allclose(
            area_of_marks(marks, risk), [one[0][0] for one in known], rtol=1e-12
        )


def test_weights_of_rows_in_the_area_are_so_many_rows():
    t, d, risk, w = rows(5)
    marks = case_control_marks(t, d, kaplan_meier_of_censoring(t, d), 4.0)
    many = w.astype(int)
    np.testing.assert_allclose(
        area_of_marks(marks, risk, w),
        area_of_marks(np.repeat(marks, many), np.repeat(risk, many, axis=1)),
        rtol=1e-12,
    )


@pytest.mark.seconds
@pytest.mark.parametrize("seed", [6, 7])
def test_harrells_and_unos_are_rs_with_ties_and_weights(seed, tmp_path):
    t, d, risk, w = rows(seed)
    w += 1
    cells = np.column_stack([t, d, w, *risk])
    np.savetxt(tmp_path / "d.csv", cells, "%.17g", ",", header="t,d,w,a,b,c", comments="")
    script = """suppressMessages(library(survival))
    d <- read.csv("d.csv")
    for (r in c("a", "b", "c")) {
      f <- as.formula(paste("Surv(t, d) ~", r))
      cat(sprintf("%.17g", c(
        concordance(f, d, reverse = TRUE)$concordance,
        concordance(f, d, weights = w, reverse = TRUE)$concordance,
        concordance(f, d, reverse = TRUE, timewt = "n/G2")$concordance,
        concordance(f, d, weights = w, reverse = TRUE, timewt = "n/G2")$concordance)), "\\n")
    }"""
    known = numbers_of_r(script, tmp_path).T
    for place, weights in ((0, None), (1, w)):
        np.testing.assert_allclose(concordance(t, d, risk, weights), known[place], rtol=1e-12)
        u = uno_weights(t, d, kaplan_meier_of_censoring(t, d, weights))
        found = concordance(t, d, risk, weights, u)
        np.testing.assert_allclose(found, known[place + 2], rtol=1e-10)


def test_nothing_to_compare_and_unknown_risks_have_no_concordance():
    assert np.isnan(concordance([1.0, 2.0], [False, True], [1.0, 2.0])).all()
    assert np.isnan(concordance([1.0, 1.0], [True, True], [1.0, 2.0])).all()
    found = concordance([1.0, 2.0], [True, True], [[2.0, 1.0], [np.nan, 1.0]])
    np.testing.assert_array_equal(found, [1.0, np.nan])
    assert np.isnan(area_of_marks([0.0, 1.0], [1.0, 2.0])).all()
    with pytest.raises(TableError, match=r"\(k, 2\)"):
        concordance([1.0, 2.0], [True, True], [1.0, 2.0, 3.0])


def test_ten_thousand_rows_are_one_pass():
    rng = np.random.default_rng(8)
    t, d = rng.exponential(size=10_000), rng.random(10_000) < 0.5
    np.testing.assert_array_equal(concordance(t, d, [-t, t, 0 * t]), [1.0, 0.0, 0.5])
