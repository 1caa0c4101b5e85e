"""Selectors of scikit-learn by kind of target, in pipelines and in searches over parameters."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SequentialFeatureSelector,
    VarianceThreshold,
    f_classif,
    f_regression,
    mutual_info_regression,
)
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    RandomizedSearchCV,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from hetsel import ScikitSelector, Table
from hetsel.ground.errors import TableError
from hetsel.selection import Problem
from hetsel.selection.scikit_estimators import EVERY_KIND, target_limits
from hetsel.selection.scikit_selectors import one_hot
from hetsel.tables import Classes, Numbers, Survival

FRAME, CLASSES = mixed_frame(80, 4, 2)
NUMBERS = FRAME["c0"] * 2 - FRAME["c2"] + (FRAME["n0"] == FRAME["n0"].iloc[0])
TABLE = Table.read(FRAME)
ENCODED = one_hot(TABLE)
TARGETS = {
    "classes": Classes.of(CLASSES),
    "numbers": Numbers.of(NUMBERS),
    "survival": Survival(np.abs(NUMBERS.to_numpy()) + 0.1, np.arange(80) % 3 > 0),
}


def solve(estimator, target="numbers", groups=None):
    problem = Problem(TABLE, TARGETS[target], (1,), row_groups=groups)
    return ScikitSelector(estimator=estimator).solve(problem)


def of_features(values, merge):
    """The values of encoded columns, merged by feature."""
    return pd.Series(values).groupby(ENCODED.owner).agg(merge).to_numpy()


@pytest.mark.parametrize("function", [f_regression, mutual_info_regression])
def test_scores_for_numbers_are_those_of_scikit_learn(function):
    def scored(X, y):
        more = {"random_state": 0} if function is mutual_info_regression else {}
        found = function(X, y, **more)
        return found[0] if isinstance(found, tuple) else found

    found = solve(SelectKBest(scored, k=2))
    np.testing.assert_allclose(
        found.importance, of_features(scored(ENCODED.values, NUMBERS.to_numpy()), "sum")
    )


def test_an_elimination_by_a_regressor_is_that_of_scikit_learn():
    found = solve(RFE(Ridge(), n_features_to_select=1))
    ranks = RFE(Ridge(), n_features_to_select=1).fit(ENCODED.values, NUMBERS).ranking_
    expected = np.argsort(of_features(ranks, "min"), kind="stable")
    assert found.order.tolist() == expected.tolist()


def test_coefficients_of_a_lasso_are_those_of_scikit_learn():
    found = solve(SelectFromModel(Lasso(0.01)))
    own = Lasso(0.01).fit(ENCODED.values, NUMBERS).coef_
    np.testing.assert_allclose(found.importance, of_features(np.abs(own), "sum"))


def test_a_sequential_search_by_a_regressor_is_that_of_scikit_learn():
    selector = SequentialFeatureSelector(Ridge(), n_features_to_select=2, cv=3)
    found = solve(selector)
    own = selector.fit(ENCODED.values, NUMBERS).get_support()
    expected = np.unique(ENCODED.owner[own])
    assert found.signature(len(expected)).tolist() == expected.tolist()


def test_an_elimination_by_a_cox_model_is_that_of_scikit_survival():
    linear = pytest.importorskip("sksurv.linear_model")
    rfe = RFE(linear.CoxPHSurvivalAnalysis(alpha=0.1), n_features_to_select=1)
    found = solve(rfe, "survival")
    target = TARGETS["survival"]
    y = np.array(
        list(zip(target.events, target.times, strict=True)), dtype=[("e", bool), ("t", float)]
    )
    ranks = rfe.fit(ENCODED.values, y).ranking_
    assert found.order.tolist() == np.argsort(of_features(ranks, "min"), kind="stable").tolist()


@pytest.mark.parametrize(
    ("selector", "kinds"),
    [
        (SelectKBest(), ("classes",)),
        (SelectKBest(f_regression), ("numbers",)),
        (SelectKBest(lambda X, y: np.ones(X.shape[1])), EVERY_KIND),
        (VarianceThreshold(), EVERY_KIND),
        (RFE(Ridge()), ("numbers",)),
        (RFE(make_pipeline(StandardScaler(), LogisticRegression())), ("classes",)),
        (SelectFromModel(GridSearchCV(Lasso(), {})), ("numbers",)),
        (SequentialFeatureSelector(SVC()), ("classes",)),
        (make_pipeline(StandardScaler(), RFE(Ridge())), ("numbers",)),
        (make_pipeline(SelectKBest(f_regression), Ridge()), ("numbers",)),
        (GridSearchCV(make_pipeline(SelectKBest(), SVC()), {}), ("classes",)),
        (GridSearchCV(RFE(Ridge()), {}), ("numbers",)),
    ],
)
def test_the_kinds_of_targets_follow_from_the_parts(selector, kinds):
    assert {kind for kind, _ in target_limits(selector)} in ({*kinds}, set())
    for kind, target in TARGETS.items():
        if kind in kinds:
            ScikitSelector(estimator=selector).refuse_target(target)
            continue
        with pytest.raises(TableError, match=f"needs {kinds[0]} as its target, since") as error:
            ScikitSelector(estimator=selector).refuse_target(target)
        assert type(selector).__name__ in str(error.value)


def test_parts_for_different_kinds_are_refused():
    pipeline = make_pipeline(SelectKBest(f_classif), Ridge())
    for target in TARGETS.values():
        with pytest.raises(TableError, match="f_classif scores classes, Ridge is a regressor"):
            ScikitSelector(estimator=pipeline).refuse_target(target)


MODEL = Pipeline([("select", SelectFromModel(Lasso())), ("model", Ridge())])
ALPHAS = {"select__estimator__alpha": [0.3, 0.03, 0.003]}


@pytest.mark.parametrize(
    "search",
    [
        GridSearchCV(MODEL, ALPHAS, cv=3),
        RandomizedSearchCV(MODEL, ALPHAS, n_iter=2, cv=3, random_state=5),
        HalvingGridSearchCV(MODEL, ALPHAS, cv=3, random_state=5, factor=2),
        GridSearchCV(
            SelectFromModel(Lasso()),
            {"estimator__alpha": [0.3, 0.03]},
            cv=3,
            scoring=lambda fitted, X, y: -fitted.get_support().sum(),
        ),
    ],
)
def test_a_search_over_parameters_has_the_selector_of_its_best_estimator(search):
    found = solve(search)
    best = search.fit(ENCODED.values, NUMBERS.to_numpy()).best_estimator_
    selector = best["select"] if isinstance(best, Pipeline) else best
    expected = of_features(np.abs(selector.estimator_.coef_), "sum")
    np.testing.assert_allclose(found.importance, expected)


def test_a_search_without_a_best_estimator_is_refused():
    with pytest.raises(TableError, match="GridSearchCV must fit its best estimator.*refit"):
        solve(GridSearchCV(MODEL, ALPHAS, refit=False))


class Seen(Ridge):
    """Keeps the training rows of each fit."""

    rows = ()

    def fit(self, X, y, sample_weight=None):
        Seen.rows += (np.asarray(y),)
        return super().fit(X, y)


@pytest.mark.parametrize("cv", [None, 4, GroupKFold(4)])
def test_folds_of_a_search_hold_row_groups_together(cv):
    groups = np.arange(80) // 4
    Seen.rows = ()
    search = GridSearchCV(
        make_pipeline(SelectKBest(f_regression, k=2), Seen()), {"seen__alpha": [1]}
    )
    solve(search.set_params(cv=cv), groups=groups)
    assert len(Seen.rows) == (5 if cv is None else 4) + 1
    for trained in Seen.rows:
        inside = np.isin(NUMBERS, trained)  # the numbers differ from row to row
        assert all(len(set(inside[groups == k])) == 1 for k in np.unique(groups))
    with pytest.raises(TableError, match="cv must hold out the rows of a group together"):
        solve(search.set_params(cv=KFold(4, shuffle=True, random_state=0)), groups=groups)
