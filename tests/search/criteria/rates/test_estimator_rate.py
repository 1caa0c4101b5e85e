"""Held-out rates of estimators against cross-validation by scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, minmax_scale
from sklearn.tree import DecisionTreeClassifier

from hetsel import Table
from hetsel.search.criteria.rates.estimator_rate import EstimatorRate, estimator_columns
from hetsel.selection import Problem
from hetsel.tables import Classes

ESTIMATORS = [
    make_pipeline(StandardScaler(), RidgeClassifier()),
    GaussianNB(var_smoothing=0.1),
]


def problem_of(frame, y):
    return Problem(Table.read(frame).resolve_missing("separate"), Classes.of(y), (1,), seed=3)


def mixed(n_classes=2, n=60):
    rng = np.random.default_rng(n_classes)
    y = rng.permutation(np.arange(n) % n_classes)
    sex = np.where(rng.random(n) < 0.7, y % 2, rng.integers(0, 3, n))
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 9, n) + 8 * y,
            "sex": pd.Categorical.from_codes(sex, ["f", "m", "x"]),
            "dose": rng.integers(1, 9, n) + y,
            "site": pd.Categorical.from_codes(rng.integers(0, 4, n), list("abcd")),
        }
    )
    return frame, y


def by_hand(frame, names):
    """Numbers scaled to [0, 1], nominal columns as indicators, by pandas."""
    parts = [
        pd.get_dummies(frame[name])
        if frame[name].dtype == "category"
        else pd.DataFrame(minmax_scale(frame[[name]]))
        for name in names
    ]
    return np.hstack([part.to_numpy(float) for part in parts])


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(
    ("rate", "score"), [("bcr", balanced_accuracy_score), ("accuracy", accuracy_score)]
)
def test_the_rate_is_that_of_scikit_learn(rate, score, estimator, n_classes):
    frame, y = mixed(n_classes)
    criterion = EstimatorRate(estimator, folds=4, rate=rate, repeats=2)
    state = criterion.start(problem_of(frame, y), (1, 2))

    def expected(names):
        cells = by_hand(frame, names)
        rates = [
            score(y, cross_val_predict(estimator, cells, y, cv=PredefinedSplit(fold)))
            for fold in state.fold
        ]
        return pytest.approx(np.mean(rates), abs=1e-8)

    assert state.value == expected(["dose", "sex"])
    assert state.values_with([0, 3]).tolist() == [
        expected(["age", "dose", "sex"]),
        expected(["dose", "sex", "site"]),
    ]
    assert state.values_without([2])[0] == expected(["sex"])


def test_without_features_the_most_frequent_class_of_the_other_folds_wins():
    frame, _ = mixed(n=12)
    y = np.array([0, 1, 2, 2] * 3)
    state = EstimatorRate(GaussianNB(), folds=3).start(problem_of(frame, y))
    cv = PredefinedSplit(state.fold[0])
    found = cross_val_predict(DummyClassifier(), np.zeros((12, 1)), state.y, cv=cv)
    np.testing.assert_array_equal(state.predict()[0], found)


def test_columns_by_hand():
    cells = {"a": [2.0, None, 4.0, 3.5], "b": ["y", "x", None, "y"], "c": [1.0] * 4, "d": ["u"] * 4}
    frame = pd.DataFrame(cells)
    table = Table.read(frame).resolve_missing("separate")
    number, one_hot, *flat = estimator_columns(table, "one-hot")
    assert [block.shape for block in flat] == [(4, 0), (4, 0)]
    mean = (0 + 1 + 0.75) / 3
    np.testing.assert_allclose(number, [[0, 0], [mean, 1], [1, 0], [0.75, 0]], atol=1e-9)
    assert one_hot.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert estimator_columns(table, "codes")[1].tolist() == [[0], [1], [2], [0]]


def test_what_an_estimator_leaves_to_chance_follows_from_the_seed():
    frame, y = mixed()
    tree = make_pipeline(StandardScaler(), DecisionTreeClassifier(splitter="random", max_depth=2))
    criterion = EstimatorRate(tree)
    values = [criterion.start(problem_of(frame, y), (0, 3)).value for _ in range(5)]
    assert len(set(values)) == 1
    assert tree.get_params()["decisiontreeclassifier__random_state"] is None


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"encode": "ordinal"}, "encode must be 'one-hot' or 'codes'"),
        ({"estimator": 5}, "estimator must be a classifier"),
        ({"estimator": LogisticRegression}, "estimator must be a classifier"),
        ({"rate": "f1"}, "rate must be one of bcr, accuracy, auc for classes"),
    ],
)
def test_what_cannot_be_used_is_refused(options, named):
    with pytest.raises(ValueError, match=named):
        EstimatorRate(**{"estimator": GaussianNB(), **options}).start(problem_of(*mixed()))
