"""What rounding costs, by rows that took no part; and what a total says of the class."""

from types import SimpleNamespace

import numpy as np
import pytest
from frames import mixed_frame, told_frame
from scipy.special import expit
from sklearn.metrics import balanced_accuracy_score, r2_score, roc_auc_score

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.signature.nested.fold_models import OuterFold
from hetsel.signature.points.held_out_points import cost_of_rounding, points_without
from hetsel.signature.points.points_of_model import PointsTable
from hetsel.signature.points.risk_by_total import bands_of_totals, risk_by_total, risks_of_totals
from hetsel.signature.probabilities.asked_probabilities import ClassProbabilities
from hetsel.statistics.performance.rate_intervals import OVERLAP
from hetsel.tables import Classes, Numbers, Table


def told(codes, weights=None, groups=None):
    target = Classes(np.asarray(codes), np.array(["no", "yes"]))
    return SimpleNamespace(target=target, weights=weights, row_groups=groups)


def judged(n, runs, folds, seed=0):
    """Classes, outer folds with decision values, and those of points, some of them equal."""
    draw = np.random.default_rng(seed)
    codes = draw.permutation(np.arange(n) % 2)
    by_points = np.rint(draw.normal(size=(runs, n)) * 2 + codes)
    outer = []
    for run in range(runs):
        fold = draw.permutation(np.arange(n) % folds)
        for k in range(folds):
            values = draw.normal(size=(int((fold == k).sum()), 1)) + codes[fold == k][:, None]
            outer.append(OuterFold(run, fold == k, np.arange(1), values))
    return codes, outer, by_points


@pytest.mark.parametrize("weighed", [False, True])
def test_areas_and_rates_are_those_of_scikit_learn_in_the_folds(weighed):
    codes, outer, by_points = judged(120, 2, 3)
    weights = np.random.default_rng(1).uniform(0.5, 2.0, 120) if weighed else None
    auc, bcr = cost_of_rounding(told(codes, weights), outer, by_points)
    areas, rates, mass = np.zeros(2), np.zeros((2, 2)), 0.0
    for one in outer:
        rows = one.held_out
        own = None if weights is None else weights[rows]
        both = (one.values[:, 0], by_points[one.run, rows])
        each = [roc_auc_score(codes[rows], values, sample_weight=own) for values in both]
        pairs = np.prod([(np.ones(120) if weights is None else weights)[rows & (codes == c)].sum()
                         for c in (0, 1)])  # fmt: skip
        areas, mass = areas + pairs * np.array(each), mass + pairs
    by_model = np.empty_like(by_points)
    for one in outer:
        by_model[one.run, one.held_out] = one.values[:, 0]
    for run in range(2):
        for row, values in enumerate((by_model[run], by_points[run])):
            right = balanced_accuracy_score(codes, values > 0, sample_weight=weights)
            rates[row, run] = right
    assert (auc.model, auc.points) == pytest.approx(areas / mass)
    assert (bcr.model, bcr.points) == pytest.approx(rates.mean(axis=1))
    assert auc.difference == pytest.approx(auc.points - auc.model)


@pytest.mark.seconds
def test_the_standard_errors_are_those_of_leaving_out_each_row():
    codes, outer, by_points = judged(300, 1, 1)
    found = cost_of_rounding(told(codes), outer, by_points)
    by_model, n = outer[0].values[:, 0], len(codes)
    for one, measure in zip(
        found,
        (roc_auc_score, lambda truth, values: balanced_accuracy_score(truth, values > 0)),
        strict=True,
    ):
        without = []
        for i in range(n):
            rows = np.arange(n) != i
            both = [measure(codes[rows], values[rows]) for values in (by_points[0], by_model)]
            without.append(both[0] - both[1])
        variance = (n - 1) / n * ((without - np.mean(without)) ** 2).sum()
        assert one.standard_error == pytest.approx(np.sqrt(OVERLAP * variance), rel=0.01)


def test_groups_of_equal_rows_are_no_more_than_one_row_each():
    codes, outer, by_points = judged(200, 1, 1)
    single = cost_of_rounding(told(codes), outer, by_points)
    rows = np.repeat(np.arange(200), 3)
    thrice = OuterFold(0, np.ones(600, dtype=bool), np.arange(1), outer[0].values[rows])
    again = cost_of_rounding(told(codes[rows], None, rows), [thrice], by_points[:, rows])
    for one, other in zip(single, again, strict=True):
        assert other.standard_error == pytest.approx(one.standard_error)
        assert other.difference == pytest.approx(one.difference)


def test_of_numbers_it_is_r2():
    draw = np.random.default_rng(3)
    truth, model, points = draw.normal(size=(3, 90)) + draw.normal(size=90)
    data = SimpleNamespace(target=Numbers(truth), weights=None, row_groups=None)
    outer = [OuterFold(0, np.ones(90, dtype=bool), np.arange(1), model[:, None])]
    (found,) = cost_of_rounding(data, outer, points[None])
    for one, values in ((found.model, model), (found.points, points)):
        assert one == pytest.approx(r2_score(truth, values))


@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("target", ["classes", "numbers", "survival"])
def test_held_out_rows_have_no_part_in_their_points(target, missing):
    n = 90
    if target == "classes":
        frame, y = mixed_frame(n, 3, 2, missing=0.1, seed=2)
        y = Classes.of(y)
    else:
        frame, y = told_frame(target, n, 3, 2, missing=0.1, seed=2)
        y = Numbers.of(y) if target == "numbers" else read_survival(y)
    held_out = np.arange(n) % 3 == 0
    fold = OuterFold(0, held_out, np.array([0, 2, 3, 4]), np.empty((30, 1)))
    table = Table.read(frame)
    plain, rest = points_without(EncodedData("", table, y, missing, ""), fold, 1.0)
    values = table.values.copy()
    values[held_out] = values[held_out][::-1] * [9.0, -5.0, 1e3, 1.0, 1.0]
    poisoned = Table(values, table.schema)
    order = np.arange(n)
    order[held_out] = order[held_out][::-1]  # their labels, numbers or times among themselves
    spoiled = EncodedData("", poisoned, y.take(order), missing, "")
    again, _ = points_without(spoiled, fold, 1.0)
    assert again == plain
    assert plain.largest > 0
    assert rest.shape == (30, 4)
    other = EncodedData("", table, y.take(np.arange(n)[::-1]), missing, "")
    assert points_without(other, fold, 1.0)[0] != plain  # those of the others do


def read_survival(y):
    from hetsel.tables import Survival

    return Survival.of(y, len(y))


@pytest.mark.parametrize("apart", [0.5, 5.0])
def test_the_logistic_risk_is_that_of_statsmodels(apart):
    import statsmodels.api as sm

    draw = np.random.default_rng(4)
    truth = (np.arange(80) % 3 == 0).astype(int)
    values = np.stack([3.0 + 2.0 * draw.normal(size=80) + apart * truth for _ in range(2)])
    fold = np.stack([draw.permutation(np.arange(80) % 4) for _ in range(2)])
    known = ClassProbabilities(None, (53 / 80, 27 / 80))
    found = risk_by_total(values, fold, truth, np.ones(80), None, known)
    assert found.map.key == "logistic"
    aims = np.where(truth == 1, 28 / 29, 1 / 55)
    model = sm.GLM(np.tile(aims, 2), sm.add_constant(values.ravel()), sm.families.Binomial())
    expected = model.fit(tol=1e-14).params
    assert found.map.parameters[0] == pytest.approx(expected, rel=1e-6)
    table = PointsTable((), 0.5, -1.0)
    assert risks_of_totals(table, found) == pytest.approx([expit(expected[0] - expected[1])])


def test_totals_are_in_lines_that_hold_every_row():
    draw = np.random.default_rng(5)
    totals, truth = draw.binomial(28, 0.5, size=300), draw.random(300) < 0.3
    risks = expit(-3.0 + 0.2 * np.arange(29))
    bands = bands_of_totals(totals, truth, np.ones(300), 28, risks)
    assert sum(band.rows for band in bands) == 300
    assert (bands[0].low, bands[-1].high) == (0, 28)
    assert [band.low for band in bands[1:]] == [band.high + 1 for band in bands[:-1]]
    assert len(bands) <= 8
    for band in bands:
        inside = (totals >= band.low) & (totals <= band.high)
        assert band.observed == pytest.approx(truth[inside].mean())
        assert (band.probability_low, band.probability_high) == (risks[band.low], risks[band.high])
