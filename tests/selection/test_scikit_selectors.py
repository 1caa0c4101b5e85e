"""Selectors of scikit-learn as methods: what they know, feature by feature."""

# ruff: noqa: NPY002

import random
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    RFECV,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    SequentialFeatureSelector,
    VarianceThreshold,
    f_classif,
    mutual_info_classif,
)
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from hetsel import Ranking, ScikitSelector, SearchPath, Table
from hetsel.ground.errors import TableError
from hetsel.selection import Problem
from hetsel.selection.scikit_selectors import answer_of, one_hot, with_categories
from hetsel.tables import Classes


def solve(estimator, frame, y, encoding="one-hot", seed=0):
    problem = Problem(Table.read(frame), Classes.of(y), (1,), seed)
    return ScikitSelector(estimator=estimator, encoding=encoding).solve(problem)


def test_scores_of_the_columns_of_a_feature_are_summed():
    frame, y = mixed_frame(60, 3, 3)
    found = solve(SelectKBest(f_classif, k=1), frame, y)
    outside = pd.get_dummies(frame, dtype=float)
    scores, _ = f_classif(outside, y)
    by_feature = pd.Series(scores, index=outside.columns.str.replace("_.*", "", regex=True))
    expected = by_feature.groupby(level=0).sum().reindex(frame.columns)
    np.testing.assert_allclose(found.importance, expected)
    assert found.complete


def test_one_hot_columns_are_those_of_scikit_learn():
    frame, _ = mixed_frame(40, 0, 4)
    encoded = one_hot(Table.read(frame))
    np.testing.assert_array_equal(
        encoded.values, OneHotEncoder(sparse_output=False).fit_transform(frame)
    )
    assert encoded.owner.tolist() == [0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3]


def test_a_ranking_is_the_best_of_the_ranks_of_a_feature():
    frame, y = mixed_frame(80, 4, 2)
    rfe = RFE(LogisticRegression(max_iter=1000), n_features_to_select=1)
    found = solve(rfe, frame, y)
    encoded = one_hot(Table.read(frame))
    ranks = rfe.fit(encoded.values, y).ranking_
    best = [ranks[encoded.owner == f].min() for f in range(6)]
    assert found.order.tolist() == np.argsort(best, kind="stable").tolist()


def test_features_of_one_rank_are_ordered_by_the_coefficients():
    frame, y = mixed_frame(80, 6, 0)
    rfe = RFE(LogisticRegression(), n_features_to_select=4)
    found = solve(rfe, frame, y)
    rfe.fit(frame.to_numpy(), y)
    kept = np.flatnonzero(rfe.support_)
    by_coefficient = kept[np.argsort(-np.abs(rfe.estimator_.coef_[0]), kind="stable")]
    assert found.order[:4].tolist() == by_coefficient.tolist()


def test_importances_of_the_estimator_inside():
    frame, y = mixed_frame(80, 4, 0)
    forest = RandomForestClassifier(20, random_state=3)
    found = solve(SelectFromModel(forest), frame, y)
    np.testing.assert_allclose(
        found.importance, forest.fit(frame.to_numpy(), y).feature_importances_
    )


def split_counts(boosting):
    """How many splits of a boosting's trees use each column."""
    nodes = [tree.nodes for trees in boosting._predictors for tree in trees]
    used = np.concatenate([n["feature_idx"][n["is_leaf"] == 0] for n in nodes])
    return np.bincount(used, minlength=boosting.n_features_in_)


def test_categories_reach_a_boosting_whole():
    frame, y = mixed_frame(200, 3, 3)
    boosting = HistGradientBoostingClassifier(max_iter=20, categorical_features="from_dtype")
    selector = SelectFromModel(boosting, importance_getter=split_counts)
    found = solve(selector, frame, y, encoding="whole")
    assert found.complete
    assert set(found.order[:2]) & {0, 3}
    whole = with_categories(Table.read(frame)).values
    assert whole.dtypes.map(str).tolist() == ["float64"] * 3 + ["category"] * 3


def test_support_alone_is_one_signature():
    class Support:
        def get_support(self):
            return np.array([True, False, False, True, True])

    found = answer_of(Support(), np.array([0, 1, 2, 2, 3]), 4)
    assert isinstance(found, SearchPath)
    assert found.sizes == (3,)
    assert found.signature(3).tolist() == [0, 2, 3]


def test_the_best_subset_of_each_size_of_a_sequential_search():
    subsets = {
        1: {"feature_idx": (3,), "avg_score": 0.6},
        2: {"feature_idx": (2, 3), "avg_score": 0.8},  # two levels of one feature
        3: {"feature_idx": (0, 2, 3), "avg_score": 0.7},
    }
    found = answer_of(SimpleNamespace(subsets_=subsets), np.array([0, 1, 2, 2]), 3)
    assert found.sizes == (1, 2)
    assert (found.signature(1).tolist(), found.score(1)) == ([2], 0.8)
    assert found.signature(2).tolist() == [0, 2]
    assert found.best_size == 1


def test_pipelines_that_keep_the_columns():
    frame, y = mixed_frame(60, 4, 2)
    found = solve(make_pipeline(StandardScaler(), SelectKBest(f_classif, k=2)), frame, y)
    plain = solve(SelectKBest(f_classif, k=2), frame, y)
    np.testing.assert_allclose(found.importance, plain.importance)
    more = make_pipeline(PolynomialFeatures(2, include_bias=False), SelectKBest(f_classif, k=2))
    with pytest.raises(TableError, match="must keep the columns"):
        solve(more, frame[["c0", "c1", "c2"]], y)


def test_the_seed_reaches_what_draws():
    frame, y = mixed_frame(60, 4, 0)
    forest = SelectFromModel(RandomForestClassifier(10))
    runs = [solve(forest, frame, y, seed=s).importance.tolist() for s in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert forest.estimator.random_state is None  # a clone got it


def test_a_column_without_a_score_comes_last():
    frame, y = mixed_frame(40, 3, 0)
    frame.insert(0, "still", 1.0)
    with pytest.warns(UserWarning, match="constant"), np.errstate(all="ignore"):
        found = solve(SelectPercentile(f_classif), frame, y)
    assert found.order[-1] == 0
    assert np.isfinite(found.importance).all()
    spread = solve(VarianceThreshold(), frame, y)
    np.testing.assert_allclose(spread.importance, frame.var(ddof=0))


def test_what_is_no_selector_is_refused_by_name():
    frame, y = mixed_frame(40, 3, 0)
    with pytest.raises(TableError, match="estimator must be a selector .* Got LogisticRegression"):
        solve(LogisticRegression(), frame, y)
    with pytest.raises(TableError, match="estimator must have a method fit"):
        solve("SelectKBest", frame, y)
    with pytest.raises(TableError, match="estimator must have a method fit"):
        solve(SelectKBest, frame, y)
    with pytest.raises(TableError, match="encoding must be .*Got 'dummy'"):
        solve(SelectKBest(), frame, y, encoding="dummy")


def test_as_an_estimator_on_a_data_frame():
    frame, y = mixed_frame(60, 3, 2)
    selector = ScikitSelector(size=2, estimator=SelectKBest(mutual_info_classif, k=1)).fit(frame, y)
    assert isinstance(selector.answer_, Ranking)
    assert selector.transform(frame).shape == (60, 2)


def _scores(*values):
    return lambda X, y: np.array(values)


def test_a_score_that_is_no_number_is_no_ranking_unless_the_column_is_constant():
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [2.0, 1, 1, 2], "c": [7.0] * 4})
    y = [0, 0, 1, 1]
    found = ScikitSelector(estimator=SelectKBest(_scores(1.0, 2.0, np.nan), k=1)).fit(frame, y)
    assert found.importances_.tolist() == [1.0, 2.0, 0.0]
    selector = ScikitSelector(estimator=SelectKBest(_scores(1.0, np.nan, 3.0), k=1))
    with pytest.raises(TableError, match=r"SelectKBest: importances must be numbers .* NaN for b"):
        selector.fit(frame, y)


def test_what_draws_from_the_global_generators_gets_the_seed_and_they_stay_as_they_were():
    def drawn(X, y):
        return np.random.random(X.shape[1]) + random.random()

    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 5)))
    y = np.arange(20) % 2
    np.random.seed(5)
    random.seed(5)
    expected = np.random.random(), random.random()
    np.random.seed(5)
    random.seed(5)

    def importances(seed):
        selector = ScikitSelector(estimator=SelectKBest(drawn, k=1), random_state=seed)
        return selector.fit(frame, y).importances_

    one, again, other = (importances(seed) for seed in (1, 1, 2))
    assert (np.random.random(), random.random()) == expected
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def recordings(persons=20, each=4):
    rng = np.random.default_rng(0)
    person = np.repeat(np.arange(persons), each)
    x = rng.normal(size=(persons, 4))[person] + 0.1 * rng.normal(size=(len(person), 4))
    return Table.read(pd.DataFrame(x)), person % 2, person


class Folds(RFECV):
    """Keeps the splits that it is given."""

    seen = ()

    def fit(self, X, y):
        Folds.seen = [] if isinstance(self.cv, int | None) else list(self.cv)
        return super().fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize("cv", [None, 4, GroupKFold(4)])
@pytest.mark.parametrize("inside", [False, True])
def test_rows_of_a_group_are_held_out_together_by_a_selector_that_holds_out(cv, inside):
    table, y, person = recordings()
    selector = Folds(LogisticRegression(), cv=cv)
    if inside:
        selector = make_pipeline(StandardScaler(), selector)
    problem = Problem(table, Classes.of(y), (1,), row_groups=person)
    ScikitSelector(estimator=selector).solve(problem)
    assert len(Folds.seen) == (5 if cv is None else 4)
    for train, test in Folds.seen:
        assert not np.intersect1d(person[train], person[test]).size


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (
            RFECV(LogisticRegression(), cv=StratifiedKFold(4)),
            "cv must hold out the rows",
        ),
        (
            SequentialFeatureSelector(LogisticRegressionCV(cv=3), cv=4),
            "estimator__cv must not lie inside another cv",
        ),
    ],
)
def test_a_selector_that_cannot_hold_groups_together_is_refused(selector, message):
    table, y, person = recordings()
    problem = Problem(table, Classes.of(y), (1,), row_groups=person)
    with pytest.raises(TableError, match=message):
        ScikitSelector(estimator=selector).solve(problem)
