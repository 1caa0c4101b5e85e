"""Clinical machines for numbers and survival times: values, units, effects, rows that weigh."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, sum_of_curves
from sklearn.metrics import accuracy_score, r2_score
from sklearn.svm import SVR
from sksurv.metrics import concordance_index_censored

from hetsel import ClinicalSurvivalSVM, ClinicalSVC, ClinicalSVR, clinical_kernel, survival
from hetsel.ground.errors import TableError
from hetsel.solvers.comparable_pairs import comparable_pairs
from hetsel.tables import Survival


def measured(n=90, missing=0.0):
    frame, y = mixed_frame(n, 4, 3, seed=5, missing=missing)
    rng = np.random.default_rng(5)
    return frame, 30.0 + 10.0 * (y + frame["c1"].fillna(0).to_numpy() + 0.3 * rng.normal(size=n))


def timed(n=90, missing=0.0):
    frame, y = mixed_frame(n, 4, 3, seed=6, missing=missing)
    rng = np.random.default_rng(6)
    times = np.ceil(10 * rng.exponential(np.exp(-1.5 * y))) / 10
    return frame, survival(times, rng.random(n) < 0.7)


MACHINES = [(ClinicalSVR, measured), (ClinicalSurvivalSVM, timed)]


def test_numbers_are_those_of_libsvm_on_the_clinical_kernel():
    frame, y = measured()
    found = ClinicalSVR(C=1.0, epsilon=0.25).fit(frame, y)
    kernel = clinical_kernel(frame)
    told = (y - y.mean()) / y.std()
    theirs = SVR(kernel="precomputed", C=1.0, epsilon=0.25, tol=1e-9).fit(kernel, told)
    wanted = y.mean() + y.std() * theirs.predict(kernel)
    np.testing.assert_allclose(found.predict(frame), wanted, atol=2e-5 * y.std())
    assert found.score(frame, y) > 0.5


def test_risks_minimize_the_loss_of_the_pairs():
    frame, y = timed()
    found = ClinicalSurvivalSVM(C=2.0).fit(frame, y)
    risks, target = found.predict(frame), Survival.of(y)
    assert abs(risks.mean()) < 1e-9
    # beta is what the pairs pull at each row: the condition of the optimum, by a loop
    gamma = comparable_pairs(target.content, 2.0).gamma
    pull = np.zeros(len(y))
    for i in range(len(y)):
        for j in range(len(y)):
            if target.events[i] and target.content[j] > target.content[i]:
                short = gamma * max(0.0, 1.0 - (risks[i] - risks[j]))
                pull[i] += short
                pull[j] -= short
    np.testing.assert_allclose(found.dual_coef_[0], pull, atol=1e-9)
    theirs = concordance_index_censored(y["event"], y["time"], risks)[0]
    assert found.score(frame, y) == pytest.approx(theirs, abs=1e-12)
    assert theirs > 0.65


@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize(("machine", "data"), MACHINES)
def test_the_effects_and_the_intercept_sum_up_to_what_is_predicted(machine, data, missing):
    frame, y = data(missing=0.05)
    found = machine(missing=missing).fit(frame, y)
    filled = (
        frame
        if missing == "separate"
        else frame.fillna(
            {
                name: cells.median() if cells.dtype.kind == "f" else cells.mode()[0]
                for name, cells in frame.items()
            }
        )
    )
    total = sum_of_curves(found, filled)
    np.testing.assert_allclose(total, found.predict(filled), rtol=1e-9, atol=1e-9)


def test_predictions_follow_the_unit_of_numbers():
    frame, y = measured()
    one = ClinicalSVR().fit(frame, y)
    for factor, shift in ((1000.0, -5.0), (-0.01, 3.0)):
        other = ClinicalSVR().fit(frame, shift + factor * y)
        np.testing.assert_allclose(
            other.predict(frame), shift + factor * one.predict(frame), rtol=1e-5
        )


@pytest.mark.parametrize("change", [lambda t: 365.25 * t, np.square, np.log1p])
def test_no_increasing_function_of_the_times_moves_a_risk(change):
    frame, y = timed()
    other = survival(change(y["time"]), y["event"])
    np.testing.assert_array_equal(
        ClinicalSurvivalSVM().fit(frame, other).predict(frame),
        ClinicalSurvivalSVM().fit(frame, y).predict(frame),
    )


@pytest.mark.parametrize(("machine", "data"), MACHINES)
def test_rows_of_weight_two_are_two_rows_and_those_of_weight_zero_are_none(machine, data):
    frame, y = data()
    weights = np.arange(len(y)) % 3
    rows = np.repeat(np.arange(len(y)), weights)
    weighed = machine(C=1.0).fit(frame, y, weights)
    written = machine(C=1.0, schema=weighed.schema_).fit(frame.iloc[rows], y[rows])
    np.testing.assert_allclose(weighed.predict(frame), written.predict(frame), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("machine", "data"), MACHINES)
def test_the_order_of_columns_and_the_names_of_levels_change_nothing(machine, data):
    frame, y = data()
    renamed = frame[frame.columns[::-1]].copy()
    for name in renamed.select_dtypes("category"):
        levels = renamed[name].cat.categories
        renamed[name] = renamed[name].cat.rename_categories(dict(zip(levels, levels[::-1])))  # noqa: B905
    found, wanted = (machine().fit(one, y).predict(one) for one in (renamed, frame))
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_other_targets_and_parameters_are_refused():
    frame, y = measured()
    with pytest.raises(TableError, match="C must be a positive number"):
        ClinicalSVR(C=0).fit(frame, y)
    with pytest.raises(TableError, match="epsilon must be a number above 0"):
        ClinicalSVR(epsilon=0).fit(frame, y)
    with pytest.raises(TableError, match=r"hetsel\.survival"):
        ClinicalSurvivalSVM().fit(frame, y)
    with pytest.raises(TableError, match="True and False"):
        ClinicalSVR().fit(frame, y > 30)
    with pytest.raises(TableError, match="the table"):
        ClinicalSVR().fit(frame, pd.Series(y[:-1]))
    with pytest.raises(TableError, match="classes or numbers here. Got survival times"):
        ClinicalSVR().fit(*timed())


WRONG_WEIGHTS = {
    "too few": (np.ones(89), "each of the 90 rows. Got 89"),
    "text": ("w", "each of the 90 rows, all numbers. Got 'w'"),
    "missing": (np.r_[np.nan, np.ones(89)], "numbers, 0 or larger. Got nan"),
    "below zero": (np.r_[-1.0, np.ones(89)], "numbers, 0 or larger. Got -1"),
    "zero": (np.zeros(90), "zero"),
}


@pytest.mark.parametrize(("weights", "words"), WRONG_WEIGHTS.values(), ids=WRONG_WEIGHTS)
def test_weights_that_count_no_rows_are_refused_at_the_fit_and_by_scores(weights, words):
    frame, y = measured()
    for machine, target in ((ClinicalSVR(), y), (ClinicalSVC(), y > 33)):
        with pytest.raises(TableError, match=words):
            machine.fit(frame, target, sample_weight=weights)
        machine.fit(frame, target)
        with pytest.raises(TableError, match=words):
            machine.score(frame, target, sample_weight=weights)


def test_scores_are_those_of_scikit_learn_by_weights():
    frame, y = measured()
    weights = np.arange(90.0)
    numbers, classes = ClinicalSVR().fit(frame, y), ClinicalSVC().fit(frame, y > 33)
    wanted = r2_score(y, numbers.predict(frame), sample_weight=weights)
    assert numbers.score(frame, pd.Series(y), weights.tolist()) == pytest.approx(wanted, rel=1e-12)
    wanted = accuracy_score(y > 33, classes.predict(frame), sample_weight=weights)
    assert classes.score(frame, y > 33, weights) == pytest.approx(wanted, rel=1e-12)
    for machine in (numbers, classes):
        with pytest.raises(TableError, match="Got survival times"):
            machine.score(*timed())
