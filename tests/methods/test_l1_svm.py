"""Where features enter the path of the L1 machine: against cvxpy, by hand, and what is the same."""

import cvxpy
import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame

from hetsel import L1SVM, L1LogisticSelector


def standardized(frame):
    return ((frame - frame.mean()) / frame.std(ddof=0)).to_numpy()


def weights_at(penalty, z, y):
    """The machine by a general solver, its intercept as good as free."""
    w, b = cvxpy.Variable(z.shape[1]), cvxpy.Variable()
    loss = cvxpy.sum_squares(cvxpy.pos(1 - cvxpy.multiply(y, z @ w + b))) / len(y)
    objective = loss + penalty * (cvxpy.norm1(w) + cvxpy.abs(b) / 100)
    cvxpy.Problem(cvxpy.Minimize(objective)).solve(solver="CLARABEL")
    return w.value


def test_the_first_entry_is_the_difference_of_the_means():
    frame, y = mixed_frame(60, 5, 0)
    z = standardized(frame)
    found = L1SVM().fit(frame, y)
    # of two classes of equal size: 2/n |sum y z|
    expected = np.abs(z[y == 1].mean(axis=0) - z[y == 0].mean(axis=0)).max()
    assert found.importances_.max() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_entries_on_the_path_are_those_of_a_general_solver(classes):
    frame, y = mixed_frame(60, 8, 0, seed=3, classes=classes)
    y = np.where(np.arange(60) < 6, 0, y)  # uneven classes: the intercept matters
    z = standardized(frame)
    found = L1SVM(steps=8, shortest=0.1).fit(frame, y)
    entry, first = np.zeros(8), found.importances_.max()
    for step in range(1, 9):
        penalty = first * 0.1 ** (step / 8)
        for k in range(1, 2) if classes == 2 else range(classes):
            inside = np.abs(weights_at(penalty, z, np.where(y == k, 1.0, -1.0))) > 1e-5
            entry[inside & (entry == 0)] = penalty
    np.testing.assert_allclose(found.answer_.extras["entry"], entry, rtol=1e-5)
    into = entry > 0
    assert into.any()
    assert (found.importances_[into] >= entry[into] - 1e-6).all()
    assert (found.importances_[into] <= entry[into] * 0.1 ** (-1 / 8) + 1e-6).all()


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
def test_a_path_of_more_steps_has_nearly_the_same_entries(classes):
    frame, y = mixed_frame(90, 4, 4, classes=classes, seed=5)
    rough = L1SVM(steps=40).fit(frame, y).importances_
    fine = L1SVM(steps=160).fit(frame, y).importances_
    np.testing.assert_allclose(rough, fine, rtol=0.08, atol=0.002)


def test_the_strongest_enter_first_as_in_the_logistic_path():
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    strength = np.array([0.0, 2.0, 1.0, 0.5])
    frame = pd.DataFrame(rng.normal(size=(100, 4)) + np.outer(2 * y - 1, strength))
    found, logistic = L1SVM().fit(frame, y), L1LogisticSelector().fit(frame, y)
    assert found.answer_.order[:2].tolist() == logistic.answer_.order[:2].tolist() == [1, 2]


def test_copies_share_their_importance_whatever_unit_sign_and_kind():
    frame, y = mixed_frame(60, 3, 3)
    frame["two"] = pd.Series(np.where(np.arange(60) % 7 < 3, y, 0)).astype(str)
    frame["the same"] = frame["two"].astype(float) * -12.5 + 3
    frame["c0 in inches"] = frame["c0"] / -2.54
    frame["n2 renamed"] = frame["n2"].cat.rename_categories(lambda level: level[::-1])
    found = pd.Series(L1SVM().fit(frame, y).importances_, index=frame.columns)
    assert found["two"] == found["the same"] > 0
    assert found["c0"] == found["c0 in inches"] > 0
    assert found["n2"] == found["n2 renamed"]


@pytest.mark.seconds
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_units_and_signs_change_nothing(classes):
    frame, y = mixed_frame(70, 5, 4, classes=classes, seed=2)
    plain = L1SVM().fit(frame, y)
    turn = np.random.default_rng(0).permutation(70)
    numbers = [name for name in frame if name.startswith("c")]
    other = frame.assign(**{name: -0.3048 * frame[name] + 17 for name in numbers})
    for found in (L1SVM().fit(frame.iloc[turn], y[turn]), L1SVM().fit(other, y)):
        np.testing.assert_array_equal(found.ranking_, plain.ranking_)
        np.testing.assert_allclose(found.importances_, plain.importances_, atol=1.1 * 2.0**-20)


def test_what_no_column_tells_alone_has_no_path():
    bits = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    found = L1SVM().fit(bits.astype(float), bits[:, 0] ^ bits[:, 1])
    assert found.importances_.tolist() == [0.0, 0.0]
    assert found.answer_.order.tolist() == [0, 1]


def test_constant_columns_come_last():
    frame, y = mixed_frame(60, 3, 2, seed=1)
    frame.insert(0, "flat", 1.0)
    found = L1SVM().fit(frame, y)
    assert found.answer_.order[-1] == 0
    assert found.importances_[0] == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "steps .*Got 0"),
        ({"shortest": 1.0}, "shortest must be a number above 0 and below 1. Got 1.0"),
        ({"tolerance": 0.0}, "tolerance must be a number above 0 and below 1. Got 0.0"),
        ({"normalize": "range"}, "normalize must be one of trace, norm, none. Got 'range'"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        L1SVM(**options).fit([[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1])


def test_a_tolerance_out_of_reach_is_said():
    frame, y = mixed_frame(40, 2, 1)
    with pytest.warns(UserWarning, match="missed the tolerance of 1e-30"):
        found = L1SVM(steps=1, tolerance=1e-30).fit(frame, y)
    assert found.answer_.order[0] in (0, 2)
