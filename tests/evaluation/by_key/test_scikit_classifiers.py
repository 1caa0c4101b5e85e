"""A study takes any classifier of scikit-learn: cell by cell what it finds by itself."""

import json

import numpy as np
import pytest
from frames import mixed_frame
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from study.studies import Told, small_study

from hetsel import Study, write_study_report
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.evaluation.data.train_and_test_rows import train_and_test
from hetsel.ground.errors import PlanError
from hetsel.study.cell import Recipe

PATH = "sklearn.linear_model.LogisticRegression"
ENTRY = {"key": PATH, "params": {"C": 0.1}, "label": "ridge"}


class Halves(ClassifierMixin, BaseEstimator):
    """The second class above the mean of all columns; no decision values."""

    def fit(self, X, y):
        self.middle_ = X.mean()
        return self

    def predict(self, X):
        return (X.mean(axis=1) > self.middle_).astype(int)


def numbers(**changes):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [50, 40])
    X = rng.normal(size=(90, 3)) + 0.6 * y[:, None] * [1, 0, 1]
    own = {"name": "own", "X": X, "y": y}
    return Study(**({"datasets": own, "methods": Told, "resamplings": 5} | changes))


@pytest.mark.slow
def test_scores_of_a_study_are_those_of_scikit_learn(tmp_path):
    judges = {"ridge": LogisticRegression(C=0.1), "KNeighborsClassifier": KNeighborsClassifier(3)}
    study = numbers(classifiers=[ENTRY, judges["KNeighborsClassifier"], "naive-bayes"], seed=4)
    frame = study.run(tmp_path / "a.sqlite").frame().set_index(["classifier", "resampling", "size"])
    data = prepare(study.datasets[0])
    X, y = data.table.values, data.target.codes
    for resampling in range(5):
        train, test, _ = train_and_test(data, study.resamplings, 4, resampling)
        for size in (1, 2, 3):
            for label, model in judges.items():
                own = make_pipeline(StandardScaler(), clone(model)).fit(X[train, :size], y[train])
                row = frame.loc[label, resampling, size]
                rate = balanced_accuracy_score(y[test], own.predict(X[test, :size]))
                assert row["bcr"] == pytest.approx(rate)
                area = roc_auc_score(y[test], own.predict_proba(X[test, :size])[:, 1])
                assert row["auc"] == pytest.approx(area)


def test_a_path_and_an_object_are_one_classifier_and_what_is_written_makes_it_again():
    named = numbers(classifiers=[ENTRY, "5nn"])
    given = numbers(classifiers=[{"key": LogisticRegression(C=0.1), "label": "ridge"}, "5nn"])
    assert named.to_dict() == given.to_dict()
    told = json.loads(json.dumps(named.to_dict()))["classifiers"]
    assert told[0] | {"params": {}} == ENTRY | {"params": {}, "encoding": "one-hot"}
    assert told[0]["params"]["C"] == 0.1
    again = numbers(classifiers=told)
    assert again.to_dict() == named.to_dict()
    assert again.classifiers[0].estimator.C == 0.1
    plain = numbers(classifiers=[LogisticRegression(), make_pipeline(StandardScaler(), Halves())])
    assert [spec.label for spec in plain.classifiers] == ["LogisticRegression", "Pipeline"]


def test_a_cell_is_known_by_the_classifier_its_parameters_and_the_encoding():
    def key(*classifiers):
        study = numbers(classifiers=list(classifiers))
        recipe = Recipe(study.methods[0], (1,), study.classifiers, study.resamplings, 0)
        return recipe.judgments("f" * 64)[0]

    found = [
        key(ENTRY),
        key(ENTRY | {"params": {"C": 0.2}}),
        key(ENTRY | {"encoding": "whole"}),
        key({"key": "sklearn.linear_model.Perceptron"}),
        key("5nn"),
    ]
    assert len(set(found)) == len(found)
    assert key("5nn", ENTRY) == key("5nn")
    assert key(ENTRY) == key(ENTRY | {"label": "other", "encoding": "one-hot"})


@pytest.mark.slow
def test_a_classifier_without_decision_values_has_rates_and_no_auc(tmp_path):
    study = small_study(classifiers=[Halves(), "5nn"])
    results = study.run(tmp_path / "a.sqlite")
    frame = results.frame()
    own = frame["classifier"] == "Halves"
    assert frame.loc[own, "auc"].isna().all()
    assert frame.loc[~own, "auc"].notna().all()
    assert frame["bcr"].notna().all()
    page = write_study_report(results, tmp_path / "page.html").read_text()
    assert "test_scikit_classifiers.Halves, encoding" in page


@pytest.mark.slow
def test_the_same_numbers_run_by_run(tmp_path):
    forest = {"key": "sklearn.ensemble.RandomForestClassifier", "params": {"n_estimators": 5}}
    classifiers = [forest]
    one = small_study(classifiers=classifiers).run(tmp_path / "a.sqlite")
    other = small_study(classifiers=classifiers).run(tmp_path / "b.sqlite", n_jobs=0)
    assert one.digest() == other.digest()
    assert one.failures().empty


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("sklearn.svm.SVX", "cannot be imported"),
        ("nowhere.SVC", "cannot be imported"),
        ("a..b", r"classifiers\[0\].key must be an import path"),
        ({"key": PATH, "params": {"c": 1}}, "params has no key 'c'. The keys are"),
        ({"key": PATH, "params": 3}, "params must be a table of"),
        ({"key": PATH, "encoding": "hot"}, "encoding must be one of one-hot, whole"),
        ({"key": "5nn", "encoding": "whole"}, "encoding needs .* Got 5nn"),
        (
            StandardScaler(),
            "not a classifier, regressor or survival model: it has no methods fit and predict",
        ),
        ("sklearn.feature_selection.f_classif", "a classifier, .* Got .*f_classif"),
        ({"key": LogisticRegression(), "params": {"C": 1}}, "params need an import path"),
        (make_pipeline(Halves(), f_classif), "not a classifier"),
    ],
)
def test_what_cannot_judge_is_refused_by_the_plan(entry, message):
    with pytest.raises(PlanError, match=message):
        small_study(classifiers=[entry])


def test_weights_of_rows_are_refused_where_fit_takes_none():
    X, y = mixed_frame(n=60, continuous=3, nominal=2)
    weighted = {"name": "mixed", "X": X, "y": y, "row_weights": np.linspace(1, 2, 60)}
    small_study(datasets=weighted, methods="rfe-svm", classifiers=[ENTRY])
    with pytest.raises(PlanError, match="KNeighborsClassifier does not support row weights"):
        small_study(datasets=weighted, methods="rfe-svm", classifiers=[KNeighborsClassifier()])
