"""Learning curves: the procedure on subsets, a law, and a band that says no more than it knows."""

from dataclasses import replace

import numpy as np
import pytest
from frames import mixed_frame
from scipy.special import expit, logit

import hetsel
from hetsel.ground.errors import TableError
from hetsel.resampling.row_parts import nested_subsets
from hetsel.signature.performance import Measure, Performance
from hetsel.signature.planning.asked_rows import for_rate
from hetsel.signature.planning.learning_curve import (
    SUBSETS,
    CurvePoint,
    LearningCurve,
    learning_curve,
    rows_of_data,
)
from hetsel.signature.planning.row_plan import _read, plan_rows
from hetsel.signature.procedure import judge
from hetsel.statistics.sample_size.power_law import PowerLaw

QUICK = {"method": "rfe-svm", "folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}


def read(frame, y, **given):
    return _read(frame, y, "rows", hetsel.Signature(**{**QUICK, **given}))


def made(law, laws=(), rate=0.8, low=0.7, high=0.88):
    main = Measure(rate, low, high, 0.95, key="r2", label="R²", rows=100)
    whole = Performance(kind="numbers", measures=[main], chance_level=0.0)
    points = tuple(CurvePoint(m, float(law(m)), 0.01, 0.01, 3) for m in (50, 71, 100))
    return LearningCurve(points, law, laws, whole, 2)


@pytest.fixture(scope="module")
def table():
    frame, y = mixed_frame(80, 3, 2, seed=4)
    return frame, np.where(y == 1, "ill", "well")


@pytest.mark.seconds
def test_the_last_point_is_the_nested_rate_of_all_rows(table):
    data, procedure = read(*table, size=2)
    found = learning_curve(data, procedure, 2)
    whole = judge(data, procedure).performance
    assert found.points[-1].estimate == whole.main.estimate
    assert found.points[-1].rows == 80
    fitted = hetsel.Signature(**{**QUICK, "size": 2}).fit(*table, groups="rows")
    assert fitted.performance_.main.estimate == whole.main.estimate


@pytest.mark.seconds
def test_a_point_has_the_mean_and_spread_of_its_subsets_by_hand(table):
    data, procedure = read(*table, size=2)
    found = learning_curve(data, procedure, 2, shares=(0.5, 0.7, 1.0))
    rates = []
    streams = np.random.SeedSequence(procedure.seed, spawn_key=(SUBSETS,)).spawn(2)
    for stream in streams:
        drawing, seeding = stream.spawn(2)
        rng = np.random.default_rng(drawing)
        rows = nested_subsets(data.target.strata, (40, 56), rng)[0]
        seed = int(seeding.generate_state(1)[0] >> 1)
        part = rows_of_data(data, np.flatnonzero(rows))
        rates.append(judge(part, replace(procedure, runs=1, seed=seed)).performance.main.estimate)
    point = found.points[0]
    assert (point.rows, point.repeats) == (40, 2)
    assert point.estimate == pytest.approx(np.mean(rates))
    assert point.spread == pytest.approx(np.std(rates, ddof=1))
    assert point.standard_error == pytest.approx(point.spread / np.sqrt(2))


@pytest.mark.seconds
def test_order_of_rows_and_columns_and_units_change_nothing(table):
    frame, y = table
    given = {"signature": hetsel.Signature(**QUICK), "repeats": 2, "find_effect": 1.0}
    given |= {"plantings": 4, "groups": "rows"}
    first = plan_rows(frame, y, **given).facts()
    order = np.random.default_rng(1).permutation(len(y))
    other = frame.iloc[order, ::-1].copy()
    numbers = other.select_dtypes("number").columns[0]
    other[numbers] = 3.0 * other[numbers] + 7.0
    second = plan_rows(other, y[order], **given).facts()
    assert first.curve == second.curve
    assert first.found == second.found
    assert first.criteria == second.criteria


@pytest.mark.seconds
def test_groups_stay_together_in_subsets():
    frame, y = mixed_frame(60, 3, 1, seed=5)
    frame, y = frame.loc[np.repeat(np.arange(60), 2)], np.repeat(y, 2)
    groups = np.repeat(np.arange(60), 2)
    asked = hetsel.Signature(**{**QUICK, "size": 1})
    data, procedure = _read(frame.reset_index(drop=True), y, groups, asked)
    found = learning_curve(data, procedure, 2)
    assert all(point.rows % 2 == 0 for point in found.points)


def test_the_law_of_more_rows_and_its_band():
    law = PowerLaw(0.85, 0.05, 1.0, 100)
    curve = made(law)
    middle, low, high = curve.band([50, 100, 400])
    np.testing.assert_allclose(middle, [0.75, 0.8, 0.8375])
    np.testing.assert_allclose(middle - low, 0.1)  # that of the table alone: one law
    np.testing.assert_allclose(high - middle, 0.08)
    assert curve.rows_for(0.825)[0] == pytest.approx(200)
    assert curve.rows_for(0.849) == (np.inf, pytest.approx(61.7, abs=1), np.inf)


def test_the_band_widens_with_what_the_subsets_leave_open():
    law = PowerLaw(0.85, 0.05, 1.0, 100)
    laws = tuple(PowerLaw(0.85 + shift, 0.05, 1.0, 100) for shift in np.linspace(-0.06, 0.06, 41))
    _, low, high = made(law, laws).band(200)
    np.testing.assert_allclose(0.825 - low, np.hypot(0.1, 0.057), atol=1e-3)
    np.testing.assert_allclose(high - 0.825, np.hypot(0.08, 0.057), atol=1e-3)


def test_nothing_is_said_beyond_four_times_the_rows():
    curve = made(PowerLaw(0.85, 0.05, 1.0, 100))
    assert curve.farthest == 400
    with pytest.raises(TableError, match="400"):
        curve.band(401)
    assert made(PowerLaw(0.85, 0.05, 0.25, 100)).rows_for(0.825)[0] == np.inf  # 1,600 rows
    assert curve.rows_for(0.2) == (50, 50, 50)  # nor of fewer than the smallest subset


@pytest.mark.seconds
@pytest.mark.parametrize("kind", ["numbers", "survival"])
def test_numbers_and_survival_times_have_curves_of_their_own_measure(kind):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 3))
    signal = x[:, 0] + 0.5 * rng.normal(size=60)
    y = signal if kind == "numbers" else hetsel.survival(np.exp(signal), np.arange(60) % 5 > 0)
    asked = hetsel.Signature(
        "univariate-tests", 1, folds=3, repeats=1, target_kind=kind, random_state=0
    )
    plan = plan_rows(x, y, signature=asked, repeats=2, width=0.1, groups="rows")
    facts = plan.facts()
    assert facts.target_kind == kind
    assert facts.curve.points[-1].rows == 60
    assert facts.curve.measure != "balanced accuracy"
    whole = facts.curve.whole
    wide = whole.high - whole.low
    asks = next(one for one in facts.criteria if one.purpose == "interval")
    if kind == "numbers":
        assert asks.rows == int(np.ceil(60 * (wide / 0.1) ** 2))
        return
    middle, low = logit([whole.estimate, whole.low])  # of ten folds the variance is 1.3 times that
    wider = [(middle - low) * (1.3 * 60 / n) ** 0.5 for n in (asks.rows, asks.rows - 1)]
    enough, less = (expit(middle + half) - expit(middle - half) for half in wider)
    assert enough <= 0.1 < less


def test_too_few_rows_have_no_curve():
    frame, y = mixed_frame(12, 2, 1, seed=1)
    y = np.repeat([0, 1], [8, 4])
    with pytest.raises(TableError, match="too few"):
        plan_rows(frame, y, signature=hetsel.Signature(**QUICK), groups="rows")


def test_rows_of_data_keep_weights_groups_and_target_together(table):
    data, _ = read(*table)
    data = replace(data, row_groups=np.arange(80) // 2, weights=np.arange(80.0) + 1)
    rows = np.array([5, 5, 9, 40])
    part = rows_of_data(data, rows)
    assert part.weights.tolist() == [6, 6, 10, 41]
    assert part.row_groups.tolist() == [0, 0, 1, 2]
    labels = data.target.labels[data.target.codes[rows]]
    assert part.target.labels[part.target.codes].tolist() == labels.tolist()


def test_rows_for_a_rate_are_those_of_the_low_end_of_the_band():
    """By hand: 0.9 - 0.1 (m / 100)^-1 less 0.05 is 0.82 at 333 rows, the law itself at 125."""
    curve = made(PowerLaw(0.9, 0.1, 1.0, 100), rate=0.8, low=0.75, high=0.85)
    assert curve.rows_for(0.82)[0] == pytest.approx(125)
    assert 330 < for_rate(curve, 0.82).rows < 337
    assert for_rate(curve, 0.88).rows == np.inf
