"""Columns of classes at the edge of scikit-learn, whatever the labels and the positive class."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.inspection import permutation_importance
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline

from hetsel import RFEMKL, ClinicalMKL, ClinicalSVC, Signature, load_signature

ROWS = np.random.default_rng(5)
CODES = np.tile([0, 1, 1, 0, 1], 12)
X = pd.DataFrame(
    {
        "age": ROWS.normal(size=60) + 1.5 * CODES,
        "dose": ROWS.normal(size=60),
        "stage": ROWS.choice(list("pqr"), 60),
    }
)
TEXT = np.array(["ill", "well"])
LABELS = {
    "bool": [False, True],
    "0/1": [0, 1],
    "1/2": [1, 2],
    "-1/1": [-1, 1],
    "float": [0.0, 1.0],
}


def classes(labels, codes=CODES):
    return np.array(labels)[codes]


KINDS = {
    **{name: (classes(labels), labels) for name, labels in LABELS.items()},
    "categories": (pd.Series(pd.Categorical(classes(TEXT), ["ill", "well"])), TEXT),
    "other order": (pd.Series(pd.Categorical(classes(TEXT), ["well", "ill"])), TEXT),
    "ordered": (pd.Series(pd.Categorical(classes(TEXT), ["well", "ill"], ordered=True)), TEXT),
    "polars": (pl.Series(classes(TEXT).tolist()), TEXT),
    "polars Enum": (pl.Series(classes(TEXT).tolist(), dtype=pl.Enum(["well", "ill"])), TEXT),
    "Arrow": (pa.chunked_array([classes(TEXT).tolist()]), TEXT),
    "Arrow dictionary": (pa.array(classes(TEXT).tolist()).dictionary_encode(), TEXT),
}


def signature(**options):
    return Signature(size=2, folds=3, repeats=1, permutations=0, pairs=0, **options)


def scorers(larger):
    """The scorers of scikit-learn, about the larger of two labels where they are about one."""
    for name in get_scorer_names():
        scorer = get_scorer(name)
        function, options = scorer._score_func, dict(scorer._kwargs)
        binary = options.get("average", "binary") == "binary"
        if binary and "pos_label" in inspect.signature(function).parameters:
            options |= {"pos_label": larger}
        response = scorer._response_method
        yield name, make_scorer(function, response_method=response, **options)


def scores(model, y, larger):
    """What each scorer that takes text says of a fitted model."""
    y = np.asarray(y)
    left = set() if hasattr(model, "predict_proba") else {"predict_proba"}
    return {
        name: float(scorer(model, X, y))
        for name, scorer in scorers(larger)
        if name in OF_TEXT and scorer._response_method not in left
    }


def score_names():
    """Scorers that take classes of text."""
    model = ClinicalSVC().fit(X, classes(TEXT))
    probable = CalibratedClassifierCV(model, cv=2).fit(X, classes(TEXT))
    found = []
    for name, scorer in scorers("well"):
        try:
            scorer(probable, X, classes(TEXT))
        except (ValueError, TypeError, UserWarning):
            continue  # of numbers
        found.append(name)
    return found


OF_TEXT = score_names()


def test_the_scorers_are_those_of_classes():
    assert {"roc_auc", "neg_log_loss", "average_precision", "f1", "neg_brier_score"} < {*OF_TEXT}
    assert len(OF_TEXT) > 25


@pytest.fixture(scope="module")
def expected():
    """The scores by text, and probabilities."""
    model = signature().fit(X, classes(TEXT))
    return scores(model, classes(TEXT), "well"), model.predict_proba(X)


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("kind", "positive"),
    [*((kind, 0) for kind in KINDS), ("other order", 1), ("other order", None), ("1/2", 1)],
)
def test_scorers_of_a_signature_are_those_of_text(kind, positive, expected):
    y, labels = KINDS[kind]
    named = None if positive is None else labels[positive]
    model = signature(positive=named).fit(X, y)
    assert model.classes_.tolist() == np.unique(labels).tolist()
    if positive is not None:
        assert model.positive_ == labels[positive]
        assert model.facts().positive == labels[positive]
    np.testing.assert_allclose(model.predict_proba(X), expected[1], atol=1e-9)
    assert scores(model, y, labels[1]) == pytest.approx(expected[0], abs=1e-9)
    above = 1 * (model.decision_function(X) > 0)
    assert model.predict(X).tolist() == classes(labels, above).tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "model", [ClinicalSVC(), ClinicalMKL(), make_pipeline(RFEMKL(2), ClinicalSVC())]
)
def test_decision_values_and_curves_speak_for_the_last_of_the_sorted_classes(kind, model):
    y, labels = KINDS[kind]
    known, found = clone(model).fit(X, classes(TEXT)), clone(model).fit(X, y)
    assert found.classes_.tolist() == np.unique(labels).tolist()
    np.testing.assert_array_equal(found.decision_function(X), known.decision_function(X))
    predicted = found.decision_function(X) > 0
    assert found.predict(X).tolist() == classes(labels, predicted.astype(int)).tolist()


@pytest.mark.parametrize("kind", ["1/2", "other order"])
def test_so_do_they_of_a_saved_signature(kind, tmp_path):
    y, labels = KINDS[kind]
    found = signature(positive=labels[0]).fit(X, y)
    found.save(tmp_path / "s.json")
    saved = load_signature(tmp_path / "s.json")
    assert saved.classes_.tolist() == found.classes_.tolist() == [*labels]
    assert saved.positive_ == found.positive_ == labels[0]
    np.testing.assert_array_equal(saved.predict_proba(X), found.predict_proba(X))
    np.testing.assert_array_equal(saved.decision_function(X), found.decision_function(X))
    np.testing.assert_array_equal(saved.predict(X), found.predict(X))
    first = found.effects()
    assert set(first["class"]) == {str(labels[0])}
    parts = sum(np.interp(X["age"], c.knots, c.values[0]) for c in found.effect_curves()[:1])
    toward = first[first["feature"] == "age"].iloc[0]["effect_low"]
    assert np.sign(toward) == -np.sign(parts[np.argmin(X["age"])])


def test_more_classes_keep_their_columns():
    names = np.array(["low", "mid", "high"])[np.arange(60) % 3]
    shifted = X.assign(age=X["age"] + 2.0 * (np.arange(60) % 3))
    y = pd.Series(pd.Categorical(names, ["low", "mid", "high"]))
    text, found = (signature().fit(shifted, one) for one in (names, y))
    assert found.classes_.tolist() == ["high", "low", "mid"]
    assert found.facts().classes == ["low", "mid", "high"]
    assert found.positive_ is None
    np.testing.assert_allclose(found.predict_proba(shifted), text.predict_proba(shifted), atol=1e-6)
    np.testing.assert_allclose(
        found.decision_function(shifted), text.decision_function(shifted), atol=1e-9
    )


@pytest.mark.seconds
def test_what_scikit_learn_builds_on_classifiers_gives_what_it_gives_of_text():
    y, labels = KINDS["other order"]
    folds = StratifiedKFold(2)

    def found(y, labels, positive):
        model = signature(positive=positive)
        about = {"pos_label": labels[1], "response_method": "predict_proba"}
        area = make_scorer(get_scorer("f1")._score_func, pos_label=labels[1])
        calibrated = CalibratedClassifierCV(model, cv=folds).fit(X, y)
        fixed = FixedThresholdClassifier(model, threshold=0.7, **about).fit(X, y)
        tuned = TunedThresholdClassifierCV(model, scoring=area, cv=2, random_state=0).fit(X, y)
        drop = permutation_importance(model.fit(X, y), X, y, scoring="roc_auc", random_state=0)
        return [
            cross_val_score(model, X, y, scoring="roc_auc", cv=folds),
            calibrated.predict_proba(X)[:, 1],
            fixed.predict(X) == labels[1],
            tuned.predict(X) == labels[1],
            tuned.best_threshold_,
            drop.importances_mean,
        ]

    each = zip(found(y, labels, labels[0]), found(classes(TEXT), TEXT, None), strict=True)
    for one, known in each:
        np.testing.assert_allclose(one, known, atol=1e-9)


def test_a_stack_hands_on_codes_of_the_labels():
    y, labels = KINDS["other order"]
    stacks = [
        StackingClassifier([("s", ClinicalSVC())], cv=2).fit(X, one) for one in (y, classes(labels))
    ]
    np.testing.assert_array_equal(*(stack.predict_proba(X) for stack in stacks))


def test_scores_take_labels_in_a_column_of_objects():
    y = classes([1, 2])
    for model in (ClinicalSVC(), signature()):
        found = model.fit(X, y.astype(object))
        assert found.score(X, y.astype(object)) == found.score(X, y) > 0.6
        assert found.predict(X).dtype == y.dtype
