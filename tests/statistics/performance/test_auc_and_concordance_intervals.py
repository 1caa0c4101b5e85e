"""Concordance inside of folds and its variance: scipy's, scikit-survival's, R's."""

import numpy as np
import pytest
from r_numbers import numbers_of_r
from scipy import stats
from scipy.stats import kendalltau, t
from sklearn.metrics import roc_auc_score
from sksurv.metrics import concordance_index_censored, concordance_index_ipcw

from hetsel import survival
from hetsel.statistics.performance.auc_and_concordance_intervals import (
    area_interval,
    concordance_interval,
    concordant_sums,
    placement_sums,
    sums_of_units,
)
from hetsel.statistics.performance.loss_intervals import jackknife_variance
from hetsel.statistics.survival.concordance import uno_weights
from hetsel.statistics.survival.curves_and_martingale_residuals import kaplan_meier_of_censoring
from hetsel.tables import Survival


def drawn(n=70, seed=0, ties=True):
    rng = np.random.default_rng(seed)
    risk = rng.normal(size=n)
    times = rng.exponential(np.exp(-risk)) * 5
    if ties:
        times, risk = np.ceil(times), np.round(risk, 1)
    return Survival(times, rng.random(n) < 0.6), risk


def moves(right, pairs):
    whole = pairs.sum()
    return 2 * (right - right.sum() / whole * pairs) / whole


def test_of_numbers_it_is_kendalls():
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    predicted = y + rng.normal(size=50)
    order = np.unique(y, return_inverse=True)[1]
    right, pairs = concordant_sums(order, np.ones(50), -predicted[None])
    assert pairs.tolist() == [49.0] * 50
    share = right.sum() / pairs.sum()
    assert 2 * share - 1 == pytest.approx(kendalltau(y, predicted)[0], abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_of_times_it_is_harrells(ties):
    target, risk = drawn(ties=ties)
    once = target.events.astype(float)
    right, pairs = concordant_sums(target.content, once, risk[None])
    known = concordance_index_censored(target.events, target.times, risk, tied_tol=0.0)
    assert right.sum() / pairs.sum() == pytest.approx(known[0], abs=1e-12)
    assert pairs.sum() / 2 == sum(known[1:4])


def test_with_weights_of_pairs_it_is_unos():
    target, risk = drawn(ties=False)
    censoring = kaplan_meier_of_censoring(target.times, target.events)
    tau = float(np.quantile(target.times, 0.8))
    first = uno_weights(target.times, target.events, censoring, tau)
    right, pairs = concordant_sums(target.content, first, risk[None])
    y = survival(target.times, target.events)
    known = concordance_index_ipcw(y, y, risk, tau=tau)[0]
    assert right.sum() / pairs.sum() == pytest.approx(known, abs=1e-9)


def test_a_row_of_weight_two_counts_as_two_rows_but_for_the_pair_of_both():
    target, risk = drawn(30, ties=False)
    twice = np.append(np.arange(30), 4)
    once = target.events.astype(float)
    weights = np.ones(30)
    weights[4] = 2.0
    own = concordant_sums(target.content, once, risk[None], weights)
    other = concordant_sums(target.content[twice], once[twice], risk[None, twice])
    assert own[0].sum() == pytest.approx(other[0].sum())
    assert own[1].sum() == pytest.approx(other[1].sum())


def test_many_risks_at_once_and_in_parts_are_those_one_by_one(monkeypatch):
    target, _ = drawn()
    risks = np.random.default_rng(1).normal(size=(3, 70))
    once = target.events.astype(float)
    whole = concordant_sums(target.content, once, risks)
    monkeypatch.setattr("hetsel.statistics.performance.auc_and_concordance_intervals.CELLS", 100)
    for k, risk in enumerate(risks):
        right, pairs = concordant_sums(target.content, once, risk[None])
        np.testing.assert_allclose(right[0], whole[0][k], atol=1e-12)
        np.testing.assert_allclose(pairs, whole[1], atol=1e-12)


@pytest.mark.seconds
@pytest.mark.parametrize("weighted", [False, True])
def test_the_variance_is_that_of_rs_concordance(weighted, tmp_path):
    """Its infinitesimal jackknife; ours has n / (n - 1) of it where rows weigh alike."""
    target, risk = drawn()
    weights = np.random.default_rng(2).uniform(0.3, 3, 70) if weighted else np.ones(70)
    cells = np.column_stack([target.times, target.events, risk, weights])
    np.savetxt(tmp_path / "d.csv", cells, "%.17g", ",", header="t,d,r,w", comments="")
    script = """suppressMessages(library(survival))
    d <- read.csv("d.csv")
    f <- concordance(Surv(t, d) ~ r, d, weights = w, reverse = TRUE, influence = 1)
    cat(sprintf("%.17g", c(f$concordance, f$dfbeta)), "\\n")"""
    known, *dfbeta = numbers_of_r(script, tmp_path)[0]
    once = target.events.astype(float)
    right, pairs = concordant_sums(target.content, once, risk[None], weights)
    assert right.sum() / pairs.sum() == pytest.approx(known, rel=1e-12)
    np.testing.assert_allclose(moves(right[0], pairs), np.array(dfbeta), atol=1e-12)
    if not weighted:
        found = jackknife_variance(moves(right[0], pairs), weights)
        assert found == pytest.approx(np.sum(np.square(dfbeta)) * 70 / 69, rel=1e-12)


def test_intervals_stay_inside_and_have_a_width_where_all_pairs_are_right():
    order = np.arange(40)
    right, pairs = concordant_sums(order, np.ones(40), -order[None].astype(float))
    found = concordance_interval(right[0], pairs)
    assert found.estimate == found.high == 1.0
    assert 0.6 < found.low < 0.99
    turned = concordance_interval(pairs - right[0], pairs)
    assert turned.high == pytest.approx(1 - found.low)


def error_of(found, free):
    """Standard error of C, of an interval on the logit."""
    width = np.log(found.high / (1 - found.high)) - np.log(found.low / (1 - found.low))
    return width / 2 / t.ppf(0.975, free) * found.estimate * (1 - found.estimate)


def test_sums_of_units_are_those_of_their_rows():
    target, risk = drawn()
    units, once = np.random.default_rng(3).integers(0, 9, 70), target.events.astype(float)
    weights = np.random.default_rng(4).uniform(0.3, 3, 70)
    given = (target.content, once, np.stack([risk, -risk]))
    right, pairs = sums_of_units(*given, np.arange(70), weights)
    rows = concordant_sums(*given, weights)
    np.testing.assert_allclose(right.sum(axis=1) + right.sum(axis=2), rows[0], rtol=1e-12)
    np.testing.assert_allclose(pairs.sum(axis=0) + pairs.sum(axis=1), rows[1], rtol=1e-12)
    member = np.eye(9)[units]
    grouped = sums_of_units(*given, units, weights)
    np.testing.assert_allclose(grouped[1], member.T @ pairs @ member, rtol=1e-12)
    np.testing.assert_allclose(grouped[0], member.T @ right @ member, rtol=1e-12)


def test_each_pair_counts_once_in_the_variance():
    """Aronow, Samii and Assenova's sum over all pairs of pairs that share a unit, by loops."""
    rng = np.random.default_rng(6)
    y, units = rng.normal(size=60), np.sort(rng.integers(0, 15, 60))
    order, risk = np.unique(y, return_inverse=True)[1], -y + rng.normal(size=60)
    right, pairs = sums_of_units(order, np.ones(60), risk[None], units)
    found = concordance_interval(right[0], pairs, groups=units, spread=1.0)
    share = right.sum() / pairs.sum()
    away = np.triu(np.sum([right[0], right[0].T], axis=0) - share * (pairs + pairs.T))
    np.fill_diagonal(away, away.diagonal() / 2)
    sizes, known = np.bincount(units), 0.0
    for g in range(15):
        own = (away[g, g:].sum() + away[:g, g].sum()) * 60 / (60 - sizes[g])
        known += 14 / 15 * own**2
        known -= (away[g, g + 1 :] ** 2).sum()
    free = 60**2 / (sizes**2).sum() - 1
    assert error_of(found, free) ** 2 == pytest.approx(known / pairs.sum() ** 2, rel=1e-9)


def test_the_error_of_pairs_in_small_folds_is_that_of_many_tables():
    """Noise in folds of four rows: the jackknife alone is a third too large."""
    rng, shares, errors = np.random.default_rng(0), [], []
    for _ in range(400):
        right, pairs = np.zeros((40, 40)), np.zeros((40, 40))
        for start in range(0, 40, 4):
            at = np.ix_(*(range(start, start + 4),) * 2)
            given = (rng.permutation(4), np.ones(4), rng.normal(size=(1, 4)), np.arange(4))
            own = sums_of_units(*given)
            right[at], pairs[at] = own[0][0], own[1]
        found = concordance_interval(right, pairs, spread=1.0)
        shares.append(found.estimate)
        errors.append(error_of(found, 39))
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.std(shares), rel=0.1)


def test_the_middle_of_the_scale_has_no_least_variance_of_a_share():
    """Kendall's variance without ties is less than half of C (1 - C) / n."""
    rng, n = np.random.default_rng(2), 60
    found = []
    for _ in range(60):
        given = (rng.permutation(n), np.ones(n), rng.normal(size=(1, n)), np.arange(n))
        right, pairs = sums_of_units(*given)
        found.append(error_of(concordance_interval(right[0], pairs, spread=1.0), n - 1) ** 2)
    known = (2 * n + 5) / (18 * n * (n - 1))  # of tau 4 times this
    assert np.mean(found) == pytest.approx(known, rel=0.1)


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_variance_of_cross_validated_pairs_follows_the_noise(sign):
    """By numpy's correlation of normal numbers of the same tau; three times at chance and below."""
    rng, n, r = np.random.default_rng(3), 400, 0.6
    y = rng.normal(size=n)
    risk = -sign * (r * y + np.sqrt(1 - r**2) * rng.normal(size=n))
    given = (np.unique(y, return_inverse=True)[1], np.ones(n), risk[None], np.arange(n))
    right, pairs = sums_of_units(*given)
    alone, shared = (concordance_interval(right[0], pairs, spread=s) for s in (1.0, None))
    more = (error_of(shared, n - 1) / error_of(alone, n - 1)) ** 2
    noise = 1.0 if sign < 0 else 1 - np.corrcoef(risk, y)[0, 1] ** 2
    assert more == pytest.approx(1 + 2 * noise**2, rel=0.05)


def sums_of(own, values, weights=None):
    right, pairs = placement_sums(own, values, weights)
    return right[0], right[0], pairs


@pytest.mark.parametrize("weighted", [False, True])
def test_the_area_is_that_of_scikit_learn(weighted):
    draw = np.random.default_rng(3)
    own = draw.random(80) < 0.3
    values = np.round(draw.normal(size=80) + own, 1)  # with ties
    weights = draw.uniform(0.2, 3, 80) if weighted else None
    found = area_interval([sums_of(own, values, weights)], weights)
    area = roc_auc_score(own, values, sample_weight=weights)
    assert found.estimate == pytest.approx(area, rel=1e-12)
    assert 0 < found.low < area < found.high < 1


def test_sums_by_sorting_are_those_of_all_pairs():
    draw = np.random.default_rng(0)
    own, weights = draw.random(50) < 0.3, draw.random(50)
    values = np.round(draw.normal(size=(3, 50)), 1)
    right, pairs = placement_sums(own, values, weights)
    slow = concordant_sums(np.where(own, 0, 1), own.astype(float), values, weights)
    assert np.allclose(right, slow[0], rtol=1e-12)
    assert np.allclose(pairs, slow[1], rtol=1e-12)


def test_the_variance_is_that_of_delong():
    draw = np.random.default_rng(5)
    own = np.arange(400) < 150
    values = draw.normal(size=400) + 1.2 * own
    found = area_interval([sums_of(own, values)], spread=1.0)
    pairs = (values[own][:, None] > values[~own]).astype(float)  # DeLong's two components
    of_class, of_others = pairs.mean(axis=1), pairs.mean(axis=0)
    variance = of_class.var(ddof=1) / 150 + of_others.var(ddof=1) / 250
    area, quantile = pairs.mean(), stats.t.ppf(0.975, 399)
    width = np.log(found.high / (1 - found.high)) - np.log(found.low / (1 - found.low))
    error = width / 2 / quantile * area * (1 - area)
    assert error == pytest.approx(np.sqrt(variance), rel=0.01)


def test_of_three_classes_it_is_the_mean_of_one_against_the_rest():
    draw = np.random.default_rng(7)
    truth = draw.integers(0, 3, 120)
    values = draw.normal(size=(120, 3)) + np.eye(3)[truth]
    each = [sums_of(truth == c, values[:, c]) for c in range(3)]
    found = area_interval(each)
    areas = [roc_auc_score(truth == c, values[:, c]) for c in range(3)]
    assert found.estimate == pytest.approx(np.mean(areas), rel=1e-12)
    alone = [area_interval([one]) for one in each]
    assert found.high - found.low < min(one.high - one.low for one in alone)


def test_rows_of_a_group_make_it_wider_and_no_pair_makes_none():
    own = np.tile([True, False], 30)
    values = np.random.default_rng(1).normal(size=60) + own
    alone = area_interval([sums_of(own, values)])
    copied = [np.repeat(part, 3) for part in (own, values)]
    groups = np.repeat(np.arange(60), 3)
    together = area_interval([sums_of(*copied)], groups=groups)
    assert together.estimate == pytest.approx(alone.estimate)
    assert together.high - together.low > 0.98 * (alone.high - alone.low)
    assert np.isnan(area_interval([sums_of(own & False, values)]).estimate)
