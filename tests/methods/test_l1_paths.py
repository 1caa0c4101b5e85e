"""Where features enter the L1 paths: of the machine by cvxpy, of the logistic by scikit-learn."""

import cvxpy
import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.linear_model import LogisticRegression
from sklearn.svm import l1_min_c

from hetsel import L1SVM, L1Logistic


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
    found, logistic = L1SVM().fit(frame, y), L1Logistic().fit(frame, y)
    assert found.answer_.order[:2].tolist() == logistic.answer_.order[:2].tolist() == [1, 2]


def test_the_first_entry_of_the_logistic_path_is_that_of_scikit_learn():
    frame, y = mixed_frame(60, 5, 0)
    z = ((frame - frame.mean()) / frame.std(ddof=0)).to_numpy()
    found = L1Logistic().fit(frame, y)
    expected = 1 / (60 * l1_min_c(z, y, loss="log"))
    # the classes are of equal size: no intercept at the first step
    assert found.importances_.max() == pytest.approx(expected, abs=1e-6)


def test_entries_on_the_logistic_path_are_those_of_scikit_learn():
    frame, y = mixed_frame(80, 8, 0, seed=3)
    z = ((frame - frame.mean()) / frame.std(ddof=0)).to_numpy()
    found = L1Logistic(steps=25, shortest=0.1).fit(frame, y)
    entry, first = np.zeros(8), found.importances_.max()
    for step in range(1, 26):
        lasso = LogisticRegression(
            l1_ratio=1.0, C=1 / (80 * first * 0.1 ** (step / 25)), solver="saga", tol=1e-9
        ).set_params(max_iter=50_000, random_state=0)
        new = (np.abs(lasso.fit(z, y).coef_[0]) > 1e-6) & (entry == 0)
        entry[new] = first * 0.1 ** (step / 25)
    np.testing.assert_allclose(found.answer_.extras["entry"], entry, rtol=1e-4)
    into = entry > 0
    assert (found.importances_[into] >= entry[into] - 1e-6).all()
    assert (found.importances_[into] <= entry[into] * 0.1 ** (-1 / 25) + 1e-6).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_a_logistic_path_of_more_steps_has_nearly_the_same_entries(classes):
    frame, y = mixed_frame(90, 4, 4, classes=classes, seed=5)
    rough = L1Logistic(steps=60).fit(frame, y).importances_
    fine = L1Logistic(steps=240).fit(frame, y).importances_
    np.testing.assert_allclose(rough, fine, rtol=0.06, atol=0.002)


def test_on_the_logistic_path_missing_cells_are_kept_as_a_value():
    frame, y = mixed_frame(60, 2, 2, missing=0.2)
    found = L1Logistic(missing="separate").fit(frame, y).importances_
    filled = frame.assign(
        **{c: frame[c].fillna(frame[c].mean()) for c in ("c0", "c1")},
        **{c: frame[c].astype(object).fillna("gap").astype("category") for c in ("n0", "n1")},
    )
    by_hand = L1Logistic().fit(filled, y).importances_
    np.testing.assert_allclose(found, by_hand, atol=1e-5)


@pytest.mark.parametrize("method", [L1SVM, L1Logistic])
def test_copies_share_their_importance_whatever_unit_sign_and_kind(method):
    frame, y = mixed_frame(60, 3, 3)
    frame["two"] = pd.Series(np.where(np.arange(60) % 7 < 3, y, 0)).astype(str)
    frame["the same"] = frame["two"].astype(float) * -12.5 + 3
    frame["c0 in inches"] = frame["c0"] / -2.54
    frame["n2 renamed"] = frame["n2"].cat.rename_categories(lambda level: level[::-1])
    found = pd.Series(method().fit(frame, y).importances_, index=frame.columns)
    assert found["two"] == found["the same"] > 0
    assert found["c0"] == found["c0 in inches"] > 0
    assert found["n2"] == found["n2 renamed"]


@pytest.mark.seconds
@pytest.mark.parametrize("method", [L1SVM, L1Logistic])
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_units_and_signs_change_nothing(method, classes):
    frame, y = mixed_frame(70, 5, 4, classes=classes, seed=2)
    plain = method().fit(frame, y)
    turn = np.random.default_rng(0).permutation(70)
    numbers = [name for name in frame if name.startswith("c")]
    other = frame.assign(**{name: -0.3048 * frame[name] + 17 for name in numbers})
    for found in (method().fit(frame.iloc[turn], y[turn]), method().fit(other, y)):
        np.testing.assert_array_equal(found.ranking_, plain.ranking_)
        np.testing.assert_allclose(found.importances_, plain.importances_, atol=1.1 * 2.0**-20)


def test_what_no_column_tells_alone_has_no_path():
    bits = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    found = L1SVM().fit(bits.astype(float), bits[:, 0] ^ bits[:, 1])
    assert found.importances_.tolist() == [0.0, 0.0]
    assert found.answer_.order.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "steps .*Got 0"),
        ({"shortest": 1.0}, "shortest must be a number above 0 and below 1. Got 1.0"),
        ({"tolerance": 0.0}, "tolerance must be a number above 0 and below 1. Got 0.0"),
    ],
)
@pytest.mark.parametrize("method", [L1SVM, L1Logistic])
def test_bad_parameters(method, options, message):
    with pytest.raises(ValueError, match=message):
        method(**options).fit([[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1])


def test_an_unknown_normalization_is_named():
    with pytest.raises(ValueError, match="normalize must be one of trace, norm, none. Got 'range'"):
        L1SVM(normalize="range").fit([[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1])


@pytest.mark.parametrize("method", [L1SVM, L1Logistic])
def test_a_tolerance_out_of_reach_is_said(method):
    frame, y = mixed_frame(40, 2, 1)
    with pytest.warns(UserWarning, match="missed the tolerance of 1e-30"):
        found = method(steps=1, tolerance=1e-30).fit(frame, y)
    assert found.answer_.order[0] in (0, 2)
