"""Parameters chosen by inner resamplings: against scikit-learn, and by rule."""

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from study.studies import Rotated

from hetsel import ScikitSelector, Table, get_method
from hetsel.evaluation.tuned_selector import TunedSelector
from hetsel.ground.errors import TableError
from hetsel.selection import Problem, SearchPath
from hetsel.tables import Classes, Numbers


class OneSize(Rotated):
    """Select some columns."""

    size_of_it: int = 1

    def _select(self, problem):
        return SearchPath(problem.p, {self.size_of_it: np.arange(self.size_of_it)})


def table(n=60, p=4):
    return np.random.default_rng(3).normal(size=(n, p))


def chosen(tune, x, target, sizes=(1,), groups=None, weights=None, method=Rotated, seed=0):
    problem = Problem(Table.read(x), target, sizes, seed, weights, row_groups=groups)
    return TunedSelector(method=method(), tune=tune).solve(problem).chosen_params


@pytest.mark.parametrize("sizes", [(1,), (1, 2), (3, 4)])
@pytest.mark.parametrize("strongest", [1, 3])
def test_the_choice_has_the_best_inner_score_by_scikit_learn(sizes, strongest):
    """With three row groups and three folds, the folds are the groups."""
    x, groups = table(), np.arange(60) % 3
    noise = np.random.default_rng(4).normal(size=60)
    y = x[:, strongest] + 0.7 * x[:, 0] + 0.4 * x[:, 2] + noise
    means = []
    for first in range(4):
        scores = []
        for size in sizes:
            columns = [(first + k) % 4 for k in range(size)]
            model = make_pipeline(StandardScaler(), Ridge())
            folds = {"groups": groups, "cv": LeaveOneGroupOut()}
            predicted = cross_val_predict(model, x[:, columns], y, **folds)
            errors = [np.mean((y - predicted)[groups == k] ** 2) for k in range(3)]
            scores.append(1 - np.mean(errors) / y.var())
        means.append(np.mean(scores))
    found = chosen({"first": [0, 1, 2, 3]}, x, Numbers.of(y), sizes, groups)
    if sizes == (3, 4):  # the scores of all four columns are equal
        means = np.round(means, 9)
    assert found == {"first": int(np.argmax(means))}


def test_equal_scores_go_to_the_first_combination_by_name():
    x = table()
    tune = {"label": ["b", "a"], "first": [2, 1]}
    found = chosen(tune, x, Classes.of(np.arange(60) % 2), sizes=(4,))
    assert found == {"first": 2, "label": "b"}
    again = chosen(dict(reversed(tune.items())), x, Classes.of(np.arange(60) % 2), sizes=(4,))
    assert found == again


@pytest.mark.parametrize("key", ["rfe-svm", "relieff"])
def test_the_answer_is_that_of_the_method_with_the_chosen_parameters(key):
    frame, y = mixed_frame(60, 3, 2)
    values = {"rfe-svm": {"C": [0.01, 10.0], "step": [1, 0.5]}, "relieff": {"neighbors": [3, 9]}}
    problem = Problem(Table.read(frame), Classes.of(y), (1, 2, 3), 7)
    method = get_method(key)
    found = TunedSelector(method=method(), tune=values[key]).solve(problem)
    assert found.chosen_params.keys() == values[key].keys()
    plain = method(**found.chosen_params).solve(problem)
    assert found.order.tolist() == plain.order.tolist()
    np.testing.assert_array_equal(found.importance, plain.importance)
    assert found.cuts == plain.cuts
    assert plain.chosen_params == {}


def test_the_order_of_the_rows_makes_no_difference():
    x = table()
    y = x[:, 1] + x[:, 3] + np.random.default_rng(5).normal(size=60)
    rows = np.random.default_rng(6).permutation(60)
    tune = {"first": [0, 1, 2, 3]}
    found = [chosen(tune, x[r], Numbers.of(y[r]), (1, 2)) for r in (np.arange(60), rows)]
    assert found[0] == found[1]


def test_parameters_of_an_estimator_of_scikit_learn():
    frame, y = mixed_frame(80, 4, 1)
    method = ScikitSelector(estimator=RFE(LogisticRegression(), n_features_to_select=1))
    tune = {"estimator__C": [0.001, 1.0], "step": [1, 2]}
    tuned = TunedSelector(method=method, tune=tune, size=2).fit(frame, y)
    best = tuned.answer_.chosen_params
    assert set(best) == {"estimator__C", "step"}
    rfe = RFE(LogisticRegression(C=best["estimator__C"]), step=best["step"], n_features_to_select=1)
    expected = ScikitSelector(estimator=rfe, size=2).fit(frame, y)
    assert tuned.ranking_.tolist() == expected.ranking_.tolist()
    assert method.estimator.estimator.C == 1.0  # unchanged


def test_row_weights_reach_folds_and_scores():
    """Weights of nearly 0 make rows of another rule irrelevant."""
    x = table(90)
    y = np.where(np.arange(90) < 45, x[:, 1], 3 * x[:, 2])
    weights = np.where(np.arange(90) < 45, 1.0, 1e-6)
    tune = {"first": [0, 1, 2]}
    assert chosen(tune, x, Numbers.of(y), weights=weights) == {"first": 1}
    assert chosen(tune, x, Numbers.of(y), weights=weights[::-1].copy()) == {"first": 2}


def test_a_size_without_a_signature_does_not_count():
    target = Classes.of(np.arange(60) % 2)
    found = chosen({"size_of_it": [3, 2]}, table(), target, (2, 4), method=OneSize)
    assert found == {"size_of_it": 2}
    with pytest.raises(TableError, match="no combination has a signature .* sizes 4"):
        chosen({"size_of_it": [3, 2]}, table(), target, (4,), method=OneSize)


@pytest.mark.parametrize(
    ("tune", "message"),
    [
        ({"fist": [0, 1]}, "tune.*: Invalid parameter 'fist'"),
        ({"first": [0, "b"]}, "first = 'b': first must be a whole number"),
    ],
)
def test_what_a_method_refuses_is_refused_with_the_combination(tune, message):
    with pytest.raises(TableError, match=message):
        chosen(tune, table(), Classes.of(np.arange(60) % 2))


def test_a_class_of_one_row_has_no_folds():
    with pytest.raises(TableError, match="2 training rows of every class"):
        chosen({"first": [0, 1]}, table(), Classes.of([1, 1] + [0] * 59).take(np.arange(1, 61)))


def test_columns_and_targets_are_those_of_the_method():
    frame, y = mixed_frame(60, 2, 1)
    tuned = TunedSelector(method=get_method("t-test")(), tune={})
    with pytest.raises(TableError, match="nominal"):
        tuned.fit(frame, y)
    with pytest.raises(TableError, match="needs classes"):
        tuned.fit(frame[["c0", "c1"]], frame["c0"])
    skips = TunedSelector(method=get_method("t-test")(unsupported="skip"), tune={}, size=1)
    assert skips.fit(frame, y).signature()[0] in (0, 1)
    with pytest.raises(TableError, match="does not support row weights"):
        tuned.fit(frame[["c0", "c1"]], y, sample_weight=np.ones(60))
