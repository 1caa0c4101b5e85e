"""Estimators of scikit-learn and scikit-survival as judges, against their own fit and predict."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR
from sksurv.ensemble import RandomSurvivalForest
from sksurv.linear_model import CoxPHSurvivalAnalysis, IPCRidge
from sksurv.metrics import concordance_index_censored
from sksurv.svm import FastSurvivalSVM

from hetsel import Table
from hetsel.ground.errors import TableError
from hetsel.judging.judges import (
    cox,
    judge_by,
    predict_by,
    predicts,
    refuse_weights_for,
    ridge,
    risk_by,
    why_no_judge,
)
from hetsel.models.train_test_arrays import Split
from hetsel.statistics.performance.scores import area_under_curve
from hetsel.tables import survival

N, TRAIN = 150, 100
SUBSETS = [np.array(s) for s in ([0], [2, 0], [3, 0, 2], [0, 1, 2, 3, 4])]
OF_FOUR = [np.array(s) for s in ([0], [2, 0], [1, 0, 2], [0, 1, 2, 3])]
NUMBERS, LEVELS = ("a", "c", "e"), ("b", "d")


class Nearest(ClassifierMixin, BaseEstimator):
    """A classifier that has classes only, neither decision values nor probabilities."""

    def fit(self, X, y):
        self.means_ = np.array([X[y == c].mean(axis=0) for c in np.unique(y)])
        return self

    def predict(self, X):
        return ((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)


def mixed(n_classes):
    rng = np.random.default_rng(n_classes)
    y = np.arange(N) % n_classes
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=N) * 50 + 20 * y,
            "b": rng.choice(list("uvw"), N),
            "c": rng.normal(size=N) + 0.5 * y,
            "d": np.where(rng.random(N) < 0.5, np.array(list("xyz"))[y % 3], "x"),
            "e": rng.exponential(size=N) * 1e-3,
        }
    )
    return frame, y


def halves(frame, y, **options):
    table = Table.read(frame)
    train, test = table.take(rows=slice(TRAIN)), table.take(rows=slice(TRAIN, N))
    return Split.of(train, test, y[:TRAIN], **options)


def expected(estimator, frame, y, subset):
    """What its package does by itself: its own scaler and encoder of the training rows."""
    columns = [frame.columns[f] for f in np.sort(subset)]
    prepared = make_column_transformer(
        (StandardScaler(), [c for c in columns if c in NUMBERS]),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector("[bd]")),
    )
    left, right = frame[columns][:TRAIN], frame[columns][TRAIN:]
    model = make_pipeline(prepared, clone(estimator)).fit(left, y[:TRAIN])
    return model, right


@pytest.mark.seconds
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(C=0.1, tol=1e-10, max_iter=10_000),
        SVC(C=2.0, tol=1e-9),
        RidgeClassifier(),
        KNeighborsClassifier(4),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_predictions_and_decision_values_are_those_of_scikit_learn(estimator, n_classes):
    frame, y = mixed(n_classes)
    frame.loc[N - 1, "b"] = "never seen"
    codes, values = judge_by(estimator, halves(frame, y), SUBSETS, seed=0)
    for k, subset in enumerate(SUBSETS):
        model, right = expected(estimator, frame, y, subset)
        assert np.array_equal(codes[k], model.predict(right))
        if hasattr(model, "decision_function"):
            wanted = model.decision_function(right)
        else:
            wanted = model.predict_proba(right)
            wanted = wanted[:, 1] - wanted[:, 0] if n_classes == 2 else wanted
        np.testing.assert_allclose(values[k], wanted.reshape(len(right), -1), atol=1e-6)
        if n_classes == 2:
            area = area_under_curve(values[k : k + 1], y[TRAIN:])[0]
            assert area == pytest.approx(roc_auc_score(y[TRAIN:], wanted))


def test_a_classifier_without_decision_values_has_no_area_under_the_curve():
    for n_classes in (2, 3):
        frame, y = mixed(n_classes)
        codes, values = judge_by(Nearest(), halves(frame, y), SUBSETS, seed=0)
        model, right = expected(Nearest(), frame, y, SUBSETS[-1])
        assert np.array_equal(codes[-1], model.predict(right))
        assert np.isnan(area_under_curve(values, y[TRAIN:])).all()


def test_values_of_pairs_of_classes_are_none_for_classes():
    frame, y = mixed(4)
    pairs = SVC(decision_function_shape="ovo")
    _, values = judge_by(pairs, halves(frame, y), SUBSETS[:1], seed=0)
    assert values.shape == (1, N - TRAIN, 4)
    assert np.isnan(values).all()


def test_whole_columns_are_numbers_as_they_are_and_categories():
    frame, y = mixed(2)
    frame.loc[N - 1, "b"] = "never seen"
    seen = []

    class Looking(Nearest):
        def fit(self, X, y):
            seen.append(X)
            self.seen_ = True
            return self

        def predict(self, X):
            seen.append(X)
            return np.zeros(len(X), dtype=int)

    rows = halves(frame, y)
    judge_by(Looking(), rows, SUBSETS, seed=0, encoding="whole")
    left, right = seen[-2:]
    assert list(left.columns) == ["x0", "x1", "x2", "x3", "x4"]
    assert np.array_equal(right["x0"], frame["a"][TRAIN:])
    for part, own in ((left, frame["b"][:TRAIN]), (right, frame["b"][TRAIN : N - 1])):
        assert part["x1"].dtype == left["x1"].dtype
        assert (
            pd.crosstab(part["x1"][: len(own)].to_numpy(), own.to_numpy()).gt(0).sum().eq(1).all()
        )
    boosted = HistGradientBoostingClassifier(max_iter=5, categorical_features="from_dtype")
    codes, _ = judge_by(boosted, rows, SUBSETS, seed=3, encoding="whole")
    model = clone(boosted).set_params(random_state=3).fit(left, y[:TRAIN])
    assert np.array_equal(codes[-1], model.predict(right))


def test_the_seed_decides_what_is_drawn_and_the_order_of_a_subset_nothing():
    frame, y = mixed(2)
    rows = halves(frame, y)
    forest = RandomForestClassifier(5, max_features=1)
    one, same, other = (judge_by(forest, rows, SUBSETS, seed=s)[1] for s in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    turned = judge_by(forest, rows, [subset[::-1] for subset in SUBSETS], seed=1)[1]
    assert np.array_equal(one, turned)


def test_a_missing_number_as_a_value_of_its_own():
    frame, y = mixed(2)
    frame.loc[[3, 7, TRAIN + 2], "a"] = np.nan
    frame.loc[TRAIN + 4, "c"] = np.nan  # no training row teaches it
    table = Table.read(frame).resolve_missing("separate")
    train, test = table.take(rows=slice(TRAIN)), table.take(rows=slice(TRAIN, N))
    model = LogisticRegression(tol=1e-10)
    codes, values = judge_by(model, Split.of(train, test, y[:TRAIN]), [np.array([0, 2])], seed=0)
    cells = frame[["a", "c"]].to_numpy()
    scaled = (cells - np.nanmean(cells[:TRAIN], axis=0)) / np.nanstd(cells[:TRAIN], axis=0)
    wide = np.column_stack([np.nan_to_num(scaled[:, 0]), np.isnan(cells[:, 0]), scaled[:, 1]])
    wide = np.nan_to_num(wide)
    own = clone(model).fit(wide[:TRAIN], y[:TRAIN])
    np.testing.assert_allclose(values[0, :, 0], own.decision_function(wide[TRAIN:]), atol=1e-6)
    assert np.array_equal(codes[0], own.predict(wide[TRAIN:]))


def test_weights_of_rows():
    frame, y = mixed(2)
    weights = np.linspace(0.2, 3.0, TRAIN)
    rows = halves(frame, y, weights=weights)
    model = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-10))
    _, values = judge_by(model, rows, [np.array([0, 2])], seed=0)
    left, right = frame[["a", "c"]].to_numpy()[:TRAIN], frame[["a", "c"]].to_numpy()[TRAIN:]
    own = clone(model).fit(left, y[:TRAIN], logisticregression__sample_weight=weights)
    np.testing.assert_allclose(values[0, :, 0], own.decision_function(right), atol=1e-6)
    for unable in (KNeighborsClassifier(), make_pipeline(StandardScaler(), Nearest())):
        with pytest.raises(
            TableError, match="does not support row weights: its fit has no sample_weight"
        ):
            refuse_weights_for(unable)
        with pytest.raises(TableError, match="does not support row weights"):
            judge_by(unable, rows, SUBSETS, seed=0)


def test_an_inner_cv_holds_groups_of_rows_together():
    frame, y = mixed(2)
    groups = np.arange(TRAIN) // 5
    search = GridSearchCV(LogisticRegression(), {"C": [1e-4, 1e-2, 1.0, 100.0]}, cv=4)
    rows = halves(frame, y, row_groups=groups)
    codes, values = judge_by(search, rows, [np.array([0, 2])], seed=5)
    cells = StandardScaler().fit(frame[["a", "c"]].to_numpy()[:TRAIN])
    left, right = (
        cells.transform(frame[["a", "c"]].to_numpy()[part])
        for part in (slice(TRAIN), slice(TRAIN, N))
    )
    folds = StratifiedGroupKFold(4, shuffle=True, random_state=5).split(left, y[:TRAIN], groups)
    own = clone(search).set_params(cv=list(folds)).fit(left, y[:TRAIN])
    np.testing.assert_allclose(values[0, :, 0], own.decision_function(right), atol=1e-5)
    assert np.array_equal(codes[0], own.predict(right))


def test_what_is_no_classifier_is_refused():
    assert why_no_judge(LogisticRegression()) == ""
    assert "regressor" in why_no_judge(LinearRegression())
    assert "no methods fit and predict" in why_no_judge(StandardScaler())
    frame, y = mixed(2)
    with pytest.raises(TableError, match="predict must return classes of the training rows"):
        judge_by(LinearRegression(), halves(frame, y), SUBSETS, seed=0)
    with pytest.raises(TableError, match="encoding must be 'one-hot' or 'whole'"):
        judge_by(LogisticRegression(), halves(frame, y), SUBSETS, seed=0, encoding="hot")


@pytest.mark.parametrize(
    "estimator", [Ridge(2.0), LinearRegression(), KNeighborsRegressor(4), SVR(C=3.0, tol=1e-9)]
)
def test_predicted_numbers_are_those_of_scikit_learn(estimator):
    frame, y = mixed(3)
    numbers = y + 0.01 * frame["a"].to_numpy()
    rows = halves(frame, y, numbers=numbers[:TRAIN])
    found = predict_by(estimator, rows, SUBSETS, seed=0)
    for subset, predicted in zip(SUBSETS, found, strict=True):
        model, right = expected(estimator, frame, numbers, subset)
        np.testing.assert_allclose(predicted, model.predict(right), rtol=1e-6, atol=1e-8)


def test_ridge_is_that_of_scikit_learn_on_a_grid():
    frame, y = mixed(3)
    numbers = 7.0 * y + 0.1 * frame["a"].to_numpy() - 1000.0
    rows = halves(frame, y, numbers=numbers[:TRAIN])
    found = ridge(rows, SUBSETS, alpha=0.5)
    own = predict_by(Ridge(0.5), rows, SUBSETS, seed=0)
    span = np.ptp(numbers[:TRAIN])
    assert np.abs(found - own).max() <= span * 2.0**-25 * 1.0001
    steps = (found - numbers[:TRAIN].min()) / span * 2**24
    np.testing.assert_allclose(steps, np.rint(steps), atol=1e-3)


def test_what_predicts_classes_or_numbers():
    for estimator, kind in ((Ridge(), "numbers"), (SVC(), "classes"), (StandardScaler(), None)):
        assert predicts(estimator) == kind
    search = GridSearchCV(make_pipeline(StandardScaler(), Ridge()), {})
    assert predicts(search) == "numbers"
    assert why_no_judge(search, "numbers") == why_no_judge(SVC(), None) == ""
    assert why_no_judge(SVC(), "numbers") == "SVC is not a regressor: it is a classifier"
    assert "not a regressor: it has no methods fit" in why_no_judge(StandardScaler(), "numbers")


def test_predictions_that_are_no_numbers_are_refused():
    class Odd(Ridge):
        def predict(self, X):
            return np.full(len(X), np.nan)

    frame, y = mixed(2)
    with pytest.raises(TableError, match="Odd.predict must return a finite number for each of 50"):
        predict_by(Odd(), halves(frame, y, numbers=y[:TRAIN] * 1.0), SUBSETS, seed=0)


def followed():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=N) * 50,
            "b": rng.choice(list("uvw"), N),
            "c": rng.normal(size=N),
            "d": rng.choice(list("xy"), N),
        }
    )
    rates = np.exp(frame["a"] / 50 + (frame["b"] == "u"))
    happened, seen = rng.exponential(size=N) / rates, 2 * rng.exponential(size=N)
    return frame, survival(np.ceil(20 * np.minimum(happened, seen)), happened <= seen)


def of_times(frame, y, **options):
    told = {"times": y["time"][:TRAIN], "events": y["event"][:TRAIN]}
    return halves(frame, y["event"] * 1, **told, **options)


@pytest.mark.parametrize("alpha", [0.5, 20.0])
def test_cox_is_that_of_scikit_survival_on_a_grid(alpha):
    frame, y = followed()
    frame.loc[N - 1, "b"] = "never seen"
    risks = cox(of_times(frame, y), OF_FOUR, alpha=alpha)
    for found, subset in zip(risks, OF_FOUR, strict=True):
        known = CoxPHSurvivalAnalysis(alpha=alpha, ties="breslow", tol=1e-14)
        model, right = expected(known, frame, y, subset)
        np.testing.assert_allclose(
            np.diff(found), np.diff(model.predict(right)), atol=2.0**-22, rtol=0
        )
    np.testing.assert_array_equal(risks, np.rint(risks * 2.0**24) / 2.0**24)
    found = concordance_index_censored(y["event"][TRAIN:], y["time"][TRAIN:], risks[-1])[0]
    assert found > 0.7


def test_cox_weighs_rows():
    frame, y = followed()
    weights = 1.0 + np.arange(TRAIN) % 3
    weighed = cox(of_times(frame, y, weights=weights), OF_FOUR[-1:], alpha=2.0)
    assert np.abs(weighed - cox(of_times(frame, y), OF_FOUR[-1:], alpha=2.0)).max() > 1e-3
    same = cox(of_times(frame, y, weights=np.ones(TRAIN)), OF_FOUR[-1:], alpha=2.0)
    np.testing.assert_array_equal(same, cox(of_times(frame, y), OF_FOUR[-1:], alpha=2.0))


@pytest.mark.seconds
@pytest.mark.parametrize(
    "estimator",
    [
        RandomSurvivalForest(20, random_state=0),
        FastSurvivalSVM(random_state=0),
        FastSurvivalSVM(0.01, rank_ratio=0.0, fit_intercept=True, tol=1e-4, random_state=0),
        IPCRidge(),
        make_pipeline(StandardScaler(), IPCRidge()),
    ],
    ids=["forest", "ranking", "regression", "times", "pipeline"],
)
@pytest.mark.parametrize("encoding", ["one-hot", "whole"])
def test_any_estimator_of_scikit_survival_gives_risk_scores(estimator, encoding):
    frame, y = followed()
    y["time"] += 1  # of logarithms
    forest = isinstance(estimator, RandomSurvivalForest)  # the order of the columns matters
    subsets = OF_FOUR[:2] if encoding == "whole" or forest else OF_FOUR
    risks = risk_by(estimator, of_times(frame, y), subsets, seed=0, encoding=encoding)
    if encoding == "whole":
        assert np.isfinite(risks).all()
        return
    for found, subset in zip(risks, subsets, strict=True):
        model, right = expected(estimator, frame, y, subset)
        own = concordance_index_censored(y["event"][TRAIN:], y["time"][TRAIN:], found)[0]
        assert own == pytest.approx(model.score(right, y[TRAIN:]), abs=1e-12)


def test_what_judges_survival_times():
    assert why_no_judge(IPCRidge(), "survival") == ""
    assert why_no_judge(make_pipeline(StandardScaler(), RandomSurvivalForest()), "survival") == ""
    assert "is a survival model" in why_no_judge(IPCRidge(), "numbers")
    assert "is a classifier" in why_no_judge(LogisticRegression(), "survival")
    assert "is a regressor" in why_no_judge(Ridge(), "survival")


def test_impossible_options_are_named():
    frame, y = followed()
    with pytest.raises(TableError, match="alpha must be a positive number. Got 0"):
        cox(of_times(frame, y), OF_FOUR, alpha=0)
    with pytest.raises(TableError, match="does not support row weights"):
        risk_by(FastSurvivalSVM(), of_times(frame, y, weights=np.ones(TRAIN)), OF_FOUR, seed=0)
