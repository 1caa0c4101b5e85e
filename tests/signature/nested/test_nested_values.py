"""Nested cross-validation of numbers and risks: who predicts what, and what is told of it."""

import numpy as np
import pytest
from scipy.stats import kendalltau
from sklearn.metrics import r2_score
from sksurv.metrics import concordance_index_censored, integrated_brier_score
from statsmodels.duration.hazard_regression import PHReg

from hetsel import survival
from hetsel.evaluation.target_scores import held_out_concordance, rank_correlations
from hetsel.ground.errors import TableError
from hetsel.signature.nested.nested_performance import learning_factor, with_learning
from hetsel.signature.nested.nested_values import nested_values
from hetsel.signature.nested.number_performance import number_performance, scatter_points
from hetsel.signature.nested.survival_performance import (
    brier_rows,
    cox_curves,
    last_followed,
    risk_groups,
    survival_performance,
    third_of,
)
from hetsel.statistics.performance.loss_intervals import told_interval
from hetsel.statistics.performance.scores import explained, spread_of
from hetsel.statistics.survival.curves_and_martingale_residuals import kaplan_meier
from hetsel.tables import Survival

SIZES = (1, 2, 5)


def scripted(fold, error):
    """Predictions by who is left out: row + 100 size + 10,000 (folds left out, as digits)."""
    n_folds = int(fold.max()) + 1
    given = {}
    for first in range(n_folds):
        for second in range(first, n_folds):
            out = tuple(sorted({first, second}))
            rows = np.flatnonzero(np.isin(fold, out))
            mark = 10_000 * int("".join(str(k + 1) for k in out))
            given[out] = np.array([rows + 100 * size + mark + error for size in SIZES], dtype=float)
    return given


def test_no_row_is_predicted_by_what_has_seen_it_and_sizes_come_from_the_other_folds():
    fold = np.array([0, 1, 2, 0, 1, 2])
    seen = []

    def scoring(rows, predicted):
        seen.append((set(np.flatnonzero(rows)), predicted[0, 0] // 10_000))
        return np.array([0.1, 0.9, 0.2]) if rows[0] else np.array([0.9, 0.2, 0.1])

    found = nested_values(
        fold, SIZES, scripted(fold, 0.0), lambda s, t: s[int(t.mean(0).argmax())], scoring
    )
    assert found.chosen.of_fold == (1, 2, 2)
    less = found.chosen.with_less
    assert [less[k][k] for k in range(3)] == [1, 2, 2]
    assert less[0] == (1, 1, 1)
    assert less[1] == (1, 2, 2)
    assert less[2] == (1, 2, 2)
    rows = np.arange(6)
    sizes = np.array(found.chosen.of_fold)[fold]
    np.testing.assert_array_equal(found.predicted, rows + 100 * sizes + 10_000 * (fold + 1))
    for k in range(3):
        for j in range(3):
            mark = 10_000 * int("".join(str(f + 1) for f in sorted({j, k})))
            own, other = rows[fold == k], rows[fold == j]
            if j == k:
                assert np.isnan(found.with_less[j, own]).all()
                assert np.isnan(found.inner[k, own]).all()
                continue
            expected = own + 100 * less[k][j] + mark
            np.testing.assert_array_equal(found.with_less[j, own], expected)
            expected = other + 100 * found.chosen.of_fold[k] + mark
            np.testing.assert_array_equal(found.inner[k, other], expected)
    for rows_of, mark in seen[:6]:  # of the choice: two folds are left out
        assert mark >= 12
        assert {fold[row] + 1 for row in rows_of} <= {int(digit) for digit in str(int(mark))}


def test_a_given_size_needs_no_models_without_two_folds():
    fold = np.arange(6) % 3
    single = {out: part for out, part in scripted(fold, 0.0).items() if len(out) == 1}
    found = nested_values(fold, SIZES, single, 2, lambda rows, part: np.zeros(3))
    assert not found.in_pairs
    assert found.chosen.of_fold == (2, 2, 2)
    np.testing.assert_array_equal(found.inner[0, fold == 1], found.predicted[fold == 1])


def test_a_size_without_a_signature_is_refused():
    fold = np.arange(6) % 3
    given = scripted(fold, 0.0)
    given[(1,)][1] = np.nan
    with pytest.raises(TableError, match="no signature of the sizes 2"):
        nested_values(fold, SIZES, given, 2, lambda rows, part: np.zeros(3))


def drawn_runs(y, error, rng, folds=5, runs=2, pairs=True):
    found = []
    for _ in range(runs):
        fold = rng.permutation(len(y)) % folds
        out = [(k,) for k in range(folds)]
        if pairs:
            out += [(j, k) for k in range(folds) for j in range(k)]
        given = {}
        for left in out:
            rows = np.isin(fold, left)
            noise = error * (0.8 + 0.2 * len(left)) * rng.normal(size=(2, rows.sum()))
            given[left] = y[rows] + noise
        rule = (lambda s, t: 1) if pairs else 1
        found.append(nested_values(fold, (1, 2), given, rule, lambda r, p: np.zeros(2)))
    return found


def test_what_is_told_of_numbers_is_that_of_scikit_learn_and_scipy():
    rng = np.random.default_rng(0)
    y = rng.normal(size=80)
    runs = drawn_runs(y, 0.7, rng, pairs=False)
    found = number_performance(runs, y, None, 0.5)
    told = [r2_score(y, run.predicted) for run in runs]
    assert found["r2"].estimate == pytest.approx(np.mean(told))
    assert found.training_gain == pytest.approx(0.0)
    assert found["rmse"].estimate ** 2 == pytest.approx(
        np.mean([np.mean((y - run.predicted) ** 2) for run in runs])
    )
    assert found["mae"].estimate == pytest.approx(
        np.mean([np.mean(np.abs(y - run.predicted)) for run in runs])
    )
    ranks = [
        kendalltau(y[run.fold == k], run.predicted[run.fold == k])[0]
        for run in runs
        for k in range(5)
    ]
    assert found["rank"].estimate == pytest.approx(np.mean(ranks))  # folds of one size
    assert found.main == found["r2"]
    for measure in found.measures:
        assert measure.low < measure.estimate < measure.high


def test_what_more_rows_teach_is_added_row_by_row():
    rng = np.random.default_rng(1)
    y = rng.normal(size=100)
    runs = drawn_runs(y, 0.4, rng)
    found = number_performance(runs, y, None, 0.5)
    factor = learning_factor(5)
    plain = np.mean([(y - run.predicted) ** 2 for run in runs], axis=0)
    less = np.mean([np.nanmean((y - run.with_less) ** 2, axis=0) for run in runs], axis=0)
    loss = np.mean(plain + factor * (plain - less))
    assert found["r2"].estimate == pytest.approx(1 - loss / spread_of(y))
    assert found.training_gain == pytest.approx(factor * np.mean(less - plain) / spread_of(y))
    assert found.training_gain > 0
    np.testing.assert_array_equal(with_learning(plain, plain * np.nan, factor), plain)


@pytest.mark.parametrize("size", [1, 4])
def test_the_interval_of_r2_is_by_the_variance_of_new_numbers(size):
    """That of 24 units over 23, whatever the rows of each: `numpy.var` has it."""
    rng = np.random.default_rng(5)
    units = rng.normal(size=24)
    groups = np.arange(24).repeat(size)
    y = units[groups]
    runs = drawn_runs(y, 0.7, rng, pairs=False)
    found = number_performance(runs, y, groups, 0.5)["r2"]
    losses = np.mean([(y - run.predicted) ** 2 for run in runs], axis=0)
    away = (y - y.mean()) ** 2 * units.var(ddof=1) / units.var()
    new = told_interval(losses, away, groups=groups)
    assert (found.low, found.high) == pytest.approx((new.low, new.high), rel=2e-3)
    assert found.estimate == pytest.approx(np.mean([r2_score(y, run.predicted) for run in runs]))


def test_rank_correlations_of_many_predictions_at_once():
    rng = np.random.default_rng(2)
    y, predicted = rng.normal(size=30), rng.normal(size=(4, 30))
    predicted[3, 0] = np.nan
    found = rank_correlations(y, predicted)
    known = [kendalltau(y, row)[0] for row in predicted[:3]]
    np.testing.assert_allclose(found[:3], known, atol=1e-12)
    assert np.isnan(found[3])
    assert np.isnan(rank_correlations(np.ones(30), predicted)).all()
    assert rank_correlations(y, np.ones((1, 30)))[0] == 0.0


def test_a_score_by_the_spread_of_all_rows_keeps_sizes_without_a_signature_apart():
    found = explained(np.array([1.0, 2.0]), np.array([[1.0, 2.0], [np.nan, 1.0]]), 2.0)
    assert found[0] == 1.0
    assert np.isnan(found[1])


def test_a_scatter_has_at_most_400_rows_and_few_digits():
    rng = np.random.default_rng(3)
    y, predicted = rng.normal(size=2000), rng.normal(size=2000)
    pairs = np.array(scatter_points(y, predicted))
    assert pairs.shape == (400, 2)
    assert (np.diff(pairs[:, 0]) >= 0).all()
    assert pairs[0, 0] == pytest.approx(predicted.min(), rel=1e-4)


def drawn_times(rng, n=120, ties=False):
    risk = rng.normal(size=n)
    times, stop = rng.exponential(np.exp(-risk)) * 5, rng.exponential(size=n) * 9
    events, times = times <= stop, np.minimum(times, stop)
    return Survival(np.ceil(times) if ties else times, events), risk


@pytest.mark.parametrize("ties", [False, True])
def test_concordance_of_held_out_rows_is_that_of_scikit_survival_fold_by_fold(ties):
    rng = np.random.default_rng(4)
    target, risk = drawn_times(rng, ties=ties)
    fold = np.arange(120) % 4
    right, pairs = held_out_concordance(target, fold, risk[None])
    share, count = 0.0, 0.0
    for k in range(4):
        rows = fold == k
        known = concordance_index_censored(target.events[rows], target.times[rows], risk[rows])
        share += known[0] * sum(known[1:4])
        count += sum(known[1:4])
    assert right.sum() / pairs.sum() == pytest.approx(share / count, abs=1e-12)


def test_curves_of_a_risk_are_those_of_coxs_model():
    rng = np.random.default_rng(5)
    target, risk = drawn_times(rng, ties=True)
    grid = np.unique(target.times[target.events])
    model = PHReg(target.times, risk[:, None], target.events.astype(int), ties="breslow").fit()
    (hazard,) = model.baseline_cumulative_hazard
    own = cox_curves(target.times, target.events, risk, np.array([0.3]), grid)
    steps = np.searchsorted(hazard[0], grid, "right") - 1
    known = np.exp(-hazard[1][steps] * np.exp(model.params[0] * 0.3))
    # statsmodels has the hazard just before each of its times
    np.testing.assert_allclose(own[0, :-1], known[1:], atol=1e-6)


def test_the_brier_score_is_that_of_scikit_survival():
    """One fold is judged at a time by curves of the others; scikit-survival takes G(t), not G(t-),
    which is the same where no row is censored at the time of an event."""
    rng = np.random.default_rng(6)
    target, risk = drawn_times(rng)
    runs = drawn_runs(risk, 0.3, rng, folds=4, runs=1)
    tau = last_followed(target.times)
    own, known = brier_rows(runs, target, tau, None)
    grid = np.unique(target.times[target.events & (target.times <= tau)])
    (run,) = runs
    y = survival(target.times, target.events)
    for k in range(4):
        rows, others = run.fold == k, run.fold != k
        given = (target.times[others], target.events[others])
        curves = cox_curves(*given, run.inner[k, others], run.predicted[rows], grid)
        inside = (grid >= target.times[rows].min()) & (grid < target.times[rows].max())
        part = brier_rows_on(run, target, grid[inside], rows, curves[:, inside])
        reached = integrated_brier_score(y, y[rows], curves[:, inside], grid[inside])
        assert part.mean() == pytest.approx(reached, rel=1e-9)
        flat = np.tile(kaplan_meier(*given).at(grid[inside]), (rows.sum(), 1))
        part = brier_rows_on(run, target, grid[inside], rows, flat)
        reached = integrated_brier_score(y, y[rows], flat, grid[inside])
        assert part.mean() == pytest.approx(reached, rel=1e-9)
    assert own.mean() < known.mean()


def brier_rows_on(run, target, grid, rows, curves):
    from hetsel.statistics.survival.curves_and_martingale_residuals import (
        integrated_brier_rows,
        kaplan_meier_of_censoring,
    )

    censoring = kaplan_meier_of_censoring(target.times, target.events)
    return integrated_brier_rows(target.times[rows], target.events[rows], curves, grid, censoring)


def test_the_performance_of_times_holds_together():
    rng = np.random.default_rng(7)
    target, risk = drawn_times(rng)
    runs = drawn_runs(risk, 0.4, rng, folds=5, runs=2)
    found = survival_performance(runs, target, None, 0.8)
    for key in ("harrell", "uno", "ibs", "skill"):
        assert found[key].low < found[key].estimate < found[key].high
    assert found["skill"].estimate == pytest.approx(
        1 - found["ibs"].estimate / found["ibs_km"].estimate
    )
    assert found.chance_level == 0.5
    assert found.training_gain > 0  # models without two folds are worse
    assert found.shown.slope > 0
    same = survival_performance(runs, Survival(target.times * 365.25, target.events), None, 0.8)
    for key in ("harrell", "uno", "ibs", "skill"):
        assert same[key].estimate == pytest.approx(found[key].estimate, rel=1e-9)
        assert same[key].low == pytest.approx(found[key].low, rel=1e-9)


def test_weights_that_are_alike_change_nothing_and_groups_of_one_row_hardly():
    rng = np.random.default_rng(8)
    target, risk = drawn_times(rng)
    runs = drawn_runs(risk, 0.4, rng, folds=5, runs=1)
    plain = survival_performance(runs, target, None, 0.8)
    weighted = survival_performance(runs, target, None, 0.8, weights=np.ones(120))
    grouped = survival_performance(runs, target, np.arange(120), 0.8)
    for one, other, last in zip(plain.measures, weighted.measures, grouped.measures, strict=True):
        assert other.estimate == pytest.approx(one.estimate)
        assert last.estimate == pytest.approx(one.estimate)
        if one.low is not None:
            assert other.low == pytest.approx(one.low)
            assert last.low == pytest.approx(one.low)


def test_thirds_know_the_rank_inside_of_the_fold_only():
    rng = np.random.default_rng(9)
    target, risk = drawn_times(rng)
    runs = drawn_runs(risk, 0.2, rng, folds=5, runs=2)
    third = third_of(runs)
    assert np.bincount(third).tolist() == pytest.approx([40, 40, 40], abs=4)
    for run in runs:  # another level and unit of each model
        run.predicted[:] = run.predicted * (1 + run.fold) + 100 * run.fold
    np.testing.assert_array_equal(third_of(runs), third)
    found = risk_groups(runs, target)
    assert [group.name for group in found.groups] == ["low risk", "middle", "high risk"]
    assert sum(group.rows for group in found.groups) == 120
    assert sum(group.events for group in found.groups) == target.events.sum()
    ends = [group.survival[-1] for group in found.groups]
    assert ends[0] > ends[2]
    for group in found.groups:
        assert group.at_risk[0] == group.rows
        assert (np.diff(group.at_risk) <= 0).all()
