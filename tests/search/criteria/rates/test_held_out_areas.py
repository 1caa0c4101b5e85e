"""The AUC of held-out rows is that of scikit-learn's cross-validation on the same folds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import minmax_scale
from sklearn.svm import SVC

from hetsel import SubsetSearch, Table
from hetsel.ground.errors import TableError
from hetsel.search.criteria.criteria_by_name import criterion_of
from hetsel.search.criteria.rates.held_out_rates import Areas
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRates
from hetsel.selection import Problem
from hetsel.tables import Classes

SCORERS = {2: "roc_auc", 3: "roc_auc_ovo"}
LOGISTIC = LogisticRegression(C=2.0)
ORACLES = {
    "3nn": KNeighborsClassifier(3),
    "naive-bayes": GaussianNB(var_smoothing=1e-15),
    "logistic": LOGISTIC,
}


def example(n_classes, n=84, seed=0):
    rng = np.random.default_rng([seed, n_classes])
    y = rng.integers(0, n_classes, n)
    x = rng.normal(size=(n, 4))
    x[:, 1] += 0.8 * y
    x[:, 3] += 1.2 * (y == 1)
    return minmax_scale(x), y


def problem_of(x, y, groups=None):
    names = pd.DataFrame(x, columns=list("abcd")[: x.shape[1]])
    return Problem(Table.read(names), Classes.of(y), (1,), seed=5, row_groups=groups)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", ORACLES)
def test_it_is_that_of_scikit_learn_on_the_same_folds(name, n_classes):
    x, y = example(n_classes)
    settings = {"rate": "auc", "folds": 4, "repeats": 2}
    criterion = criterion_of(LOGISTIC if name == "logistic" else name, settings)
    state = criterion.start(problem_of(x, y), (1,))

    def expected(columns):
        return np.mean(
            [
                cross_val_score(
                    ORACLES[name],
                    x[:, columns],
                    y,
                    cv=PredefinedSplit(fold),
                    scoring=SCORERS[n_classes],
                )
                for fold in state.fold
            ]
        )

    assert state.value == pytest.approx(expected([1]), abs=1e-9)
    assert state.values_with([0, 3]) == pytest.approx([expected([0, 1]), expected([1, 3])])
    state.add(3)
    assert state.values_without([1])[0] == pytest.approx(expected([3]), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "n_classes"), [("svm", 2), ("gaussian-svm", 2), ("gaussian-svm", 3)]
)
def test_that_of_machines_is_that_of_the_decision_values_of_scikit_learn(name, n_classes):
    x, y = example(n_classes)
    state = criterion_of(name, {"rate": "auc", "folds": 4}).start(problem_of(x, y), (0, 1, 3))
    x = x[:, [0, 1, 3]]
    if name == "svm":
        gram, C = np.mean([1 - abs(c[:, None] - c) for c in x.T], axis=0), 10.0
    else:
        distances = ((x[:, None] - x) ** 2).sum(axis=2)
        gram, C = np.exp(-2 / distances.mean() * distances), 1.0
    areas = []
    for k in range(4):
        out, left = np.flatnonzero(state.fold[0] == k), np.flatnonzero(state.fold[0] != k)
        machine = SVC(C=C, kernel="precomputed", tol=1e-9).fit(gram[np.ix_(left, left)], y[left])
        scores = machine.decision_function(gram[np.ix_(out, left)]).reshape(len(out), -1)
        areas.append(mean_of_pairs(y[out], scores))
    assert state.value == pytest.approx(np.mean(areas), abs=1e-6)


def mean_of_pairs(y, scores):
    """Hand and Till's mean, of areas by scikit-learn."""
    if scores.shape[1] == 1:
        return roc_auc_score(y, scores[:, 0])
    areas = []
    for a in range(scores.shape[1]):
        for b in range(scores.shape[1]):
            if a != b:
                rows = (y == a) | (y == b)
                areas.append(roc_auc_score(y[rows] == a, scores[rows, a]))
    return np.mean(areas)


def test_rows_of_other_folds_take_no_part():
    """Each model's scores are shifted: nothing changes, where one ranking of all rows would."""
    rng = np.random.default_rng(1)
    y, fold, scores = rng.integers(0, 2, 40), np.arange(40)[None] % 4, rng.random((1, 40, 1))
    shifted = scores + 10 * fold[..., None]
    assert Areas(y, fold).of(shifted) == Areas(y, fold).of(scores)
    assert roc_auc_score(y, shifted.ravel()) != pytest.approx(float(Areas(y, fold).of(scores)))


@pytest.mark.parametrize("criterion", ["5nn", "naive-bayes", "svm", "gaussian-svm", LOGISTIC])
def test_no_features_order_no_rows(criterion):
    x, y = example(3)
    state = criterion_of(criterion, {"rate": "auc"}).start(problem_of(x, y))
    assert state.value == pytest.approx(0.5)


def test_folds_without_two_classes_are_left_out_and_refused_where_all_are():
    y, fold = np.array([0, 0, 1, 1, 0, 1]), np.array([[0, 0, 1, 1, 2, 2]])
    assert Areas(y, fold).of(np.array([[[0.1], [0.9], [0.8], [0.1], [0.3], [0.6]]])) == 1.0
    with pytest.raises(TableError, match="rate='auc'"):
        Areas(y[:4], fold[:, :4])


def test_several_numbers_of_neighbors_have_each_their_own():
    x, y = example(2)
    settings = {"rate": "auc", "folds": 3}
    several = NeighborsRates((1, 3, 9), **settings).start(problem_of(x, y), (1,))
    single = [criterion_of(f"{k}nn", settings).start(problem_of(x, y), (1,)) for k in (1, 3, 9)]
    assert several.value.tolist() == [state.value for state in single]
    found = several.values_with([0, 3]).T
    assert found.tolist() == [state.values_with([0, 3]).tolist() for state in single]


def test_a_classifier_without_scores_and_leave_one_out_are_refused():
    x, y = example(3)
    with pytest.raises(TableError, match="predict_proba for more than two classes"):
        SubsetSearch(criterion=RidgeClassifier(), rate="auc").fit(x, y)
    with pytest.raises(TableError, match="bcr, accuracy, press for classes"):
        SubsetSearch(criterion="ridge", rate="auc").fit(x, y)
    with pytest.raises(TableError, match="bcr, accuracy, auc for classes"):
        SubsetSearch(criterion="5nn", rate="r2").fit(x, y)


def test_an_archive_of_another_rate_is_refused(tmp_path):
    x, y = example(2)
    options = {"search": "sfs", "criterion": "3nn", "archive": tmp_path / "a"}
    found = SubsetSearch(rate="auc", **options).fit(x, y)
    again = SubsetSearch(rate="auc", **options).fit(x, y)
    assert dict(again.answer_.evaluated) == dict(found.answer_.evaluated)
    with pytest.raises(TableError, match="another search"):
        SubsetSearch(rate="bcr", **options).fit(x, y)
