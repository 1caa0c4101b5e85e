"""Final classifiers at every size, against scikit-learn and against each subset on its own."""

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from hetsel import Schema, Table
from hetsel.models.final_classifiers import FINAL, classify, predicted_classes
from hetsel.models.train_test_arrays import Split, growth
from hetsel.statistics.performance.scores import area_under_curve

PARAMS = {
    "clinical-svm": {"C": 10.0},
    "linear-svm": {"C": 1.0},
    "gaussian-svm": {"C": "radius", "gamma": "size"},
    "naive-bayes": {"smoothing": 1.0, "var_smoothing": 1e-9},
    "5nn": {"neighbors": 5},
    "random-forest": {"trees": 20},
}
FEW = [key for key in FINAL if key != "random-forest"]


def decisions(key, halves, subsets, **params):
    """Decision values of a final classifier, by default to many digits."""
    return classify(key, halves, subsets, seed=0, params=PARAMS[key] | params)


def numbers(seed=0, n=80, p=4):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p))
    X[:, 0] += 2 * y
    table = Schema.infer(X).encode(X)
    return table.take(rows=slice(60)), table.take(rows=slice(60, n)), y[:60]


def test_final_classifiers_against_scikit_learn():
    train, test, y = numbers()
    halves, order = Split.of(train, test, y), np.array([2, 0, 3, 1])
    subsets = [order[:size] for size in (1, 3, 4)]
    left, right = halves.train.T, halves.test.T
    for k, size in enumerate((1, 3, 4)):
        part = order[:size]
        bayes = GaussianNB(var_smoothing=1e-12).fit(left[:, part], y)
        expected = np.diff(bayes.predict_joint_log_proba(right[:, part]), axis=1)
        found = decisions("naive-bayes", halves, subsets, var_smoothing=1e-12)
        np.testing.assert_allclose(found[k], expected, rtol=1e-6)
        near = KNeighborsClassifier(5).fit(left[:, part], y)
        found = decisions("5nn", halves, subsets)
        assert np.array_equal(found[k, :, 0] > 0, near.predict(right[:, part]) == 1)
        gram = [[1 - np.abs(a - b).mean() for b in left[:, part]] for a in left[:, part]]
        cross = [[1 - np.abs(a - b).mean() for b in left[:, part]] for a in right[:, part]]
        outside = SVC(kernel="precomputed", C=10.0, tol=1e-9).fit(gram, y)
        found = decisions("clinical-svm", halves, subsets)
        np.testing.assert_allclose(found[k, :, 0], outside.decision_function(cross), atol=1e-5)


def test_subsets_that_are_not_nested_are_judged_as_if_alone():
    train, test, y = numbers(p=6)
    halves = Split.of(train, test, y)
    subsets = [np.array(s) for s in ([2], [0, 3], [3, 0, 5], [1, 2, 3, 4], [4, 3, 2, 1, 0])]
    for key in FEW:
        together = decisions(key, halves, subsets)
        for k, subset in enumerate(subsets):
            alone = decisions(key, halves, [np.sort(subset)])[0]
            np.testing.assert_allclose(together[k], alone, atol=2e-9)


def test_three_classes_against_scikit_learn():
    rng = np.random.default_rng(2)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 4)) * (1 + y[:, None]) + 0.5 * y[:, None]
    table = Schema.infer(X).encode(X)
    halves = Split.of(table.take(rows=slice(90)), table.take(rows=slice(90, 120)), y[:90])
    left, right, truth = halves.train.T, halves.test.T, y[90:]
    found = decisions("naive-bayes", halves, [np.arange(4)])
    shares = GaussianNB().fit(left, y[:90]).predict_proba(right)
    np.testing.assert_allclose(np.exp(found[0]), shares, rtol=1e-5)
    assert area_under_curve(found, truth)[0] == pytest.approx(
        roc_auc_score(truth, shares, multi_class="ovr")
    )
    found = decisions("5nn", halves, [np.arange(4)])[0]
    near = KNeighborsClassifier(5).fit(left, y[:90])
    shares, places = near.predict_proba(right), near.kneighbors(right, return_distance=False)
    tied = 0
    for row, votes, share in zip(found, y[:90][places], shares, strict=True):
        leaders = np.flatnonzero(share == share.max())
        best = next(c for c in votes if c in leaders)
        assert row.argmax() == best
        np.testing.assert_allclose(row - share, 0.1 * (np.arange(3) == best) * (len(leaders) > 1))
        tied += len(leaders) > 1
    assert tied > 3


def test_a_missing_test_cell_changes_no_other_row():
    X, y = mixed_frame(n=60, continuous=2, nominal=1)
    table = Schema.infer(X).encode(X).resolve_missing("separate")
    train, values = table.take(rows=slice(40)), table.values[40:].copy()
    found, subsets = [], [np.arange(1), np.arange(3)]
    for cell in (0.5, np.nan):
        values[1, 0] = cell
        halves = Split.of(train, Table(values.copy(), table.schema), y[:40])
        for key in FEW:
            found.append(decisions(key, halves, subsets)[:, 0])
    for one, other in zip(found[: len(FEW)], found[len(FEW) :], strict=True):
        np.testing.assert_array_equal(one, other)


def test_growth_by_hand():
    subsets = [np.array(s) for s in ([4, 1], [1, 4, 0], [0, 1, 4], [0, 1], [2])]
    found = [(new.tolist(), anew) for new, anew in growth(subsets)]
    assert found == [([4, 1], True), ([0], False), ([], False), ([0, 1], True), ([2], True)]


def test_levels_take_the_share_of_the_second_class_in_the_forest():
    """An unseen level is missing to the forest, whatever its code; a seen one counts by content."""
    X, y = mixed_frame(60, 0, 3)
    table = Schema.infer(X).encode(X)
    renamed = table.values.copy()
    renamed[:, 1] = np.array([2.0, 0.0, 1.0])[renamed[:, 1].astype(int)]
    found = []
    for values in (table.values, renamed):
        halves = Split.of(
            Table(values[:40], table.schema), Table(values[40:], table.schema), y[:40]
        )
        found.append(decisions("random-forest", halves, [np.array([1]), np.array([2, 1, 0])]))
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_two_classes_by_sign_and_more_by_the_largest(n_classes):
    if n_classes == 2:
        values, expected = np.array([[[0.3], [-0.1], [0.0]]]), [[1, 0, 0]]
    else:
        values, expected = np.array([[[0.1, 0.4, 0.4], [0.2, 0.1, 0.9]]]), [[1, 2]]
    codes, wide = predicted_classes(values, np.arange(n_classes), n_classes)
    assert codes.tolist() == expected
    np.testing.assert_array_equal(wide, values)


def test_a_class_without_training_rows_is_never_predicted():
    codes, wide = predicted_classes(np.array([[[0.3], [-0.1]]]), np.array([0, 2]), 3)
    assert codes.tolist() == [[2, 0]]
    np.testing.assert_array_equal(wide, [[[-0.3, np.nan, 0.3], [0.1, np.nan, -0.1]]])
