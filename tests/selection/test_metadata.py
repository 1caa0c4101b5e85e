"""Weights and groups of rows by scikit-learn's metadata routing."""

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline

from hetsel import RFESVM, ClinicalSVC, SubsetSearch
from hetsel.signature.estimator import Signature

DRAW = np.random.default_rng(0)
X, PERSON = DRAW.normal(size=(60, 5)), np.arange(60) // 3
Y = (X[:, 1] + DRAW.normal(size=60) > 0).astype(int)
WEIGHTS = DRAW.uniform(0.1, 3, 60)
SEARCH = {"search": "sfs", "criterion": "1nn", "folds": 4}


@pytest.fixture(autouse=True)
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def weighing_pipeline():
    selector = RFESVM(size=2).set_fit_request(sample_weight=True, groups=False)
    model = ClinicalSVC().set_fit_request(sample_weight=True)
    model.set_score_request(sample_weight=True)
    return make_pipeline(selector, model)


def by_hand(train, C=10.0):
    selector = RFESVM(size=2).fit(X[train], Y[train], sample_weight=WEIGHTS[train])
    model = ClinicalSVC(C)
    return selector, model.fit(selector.transform(X[train]), Y[train], sample_weight=WEIGHTS[train])


def test_a_pipeline_hands_weights_to_selection_and_model():
    found = weighing_pipeline().fit(X, Y, sample_weight=WEIGHTS)
    selector, model = by_hand(np.arange(60))
    wanted = model.decision_function(selector.transform(X))
    assert np.array_equal(found.decision_function(X), wanted)
    plain = make_pipeline(RFESVM(size=2), ClinicalSVC()).fit(X, Y)
    assert not np.array_equal(plain.decision_function(X), wanted)


def test_a_pipeline_hands_groups_to_a_search():
    search = SubsetSearch(**SEARCH).set_fit_request(groups=True)
    twice, labels = np.repeat(X, 2, axis=0), np.repeat(DRAW.permutation(Y), 2)
    person = np.repeat(np.arange(60), 2)
    found = make_pipeline(search, ClinicalSVC()).fit(twice, labels, groups=person)[0].answer_
    wanted = SubsetSearch(**SEARCH).fit(twice, labels, groups=person).answer_
    assert found.evaluated == wanted.evaluated
    assert found.evaluated != SubsetSearch(**SEARCH).fit(twice, labels).answer_.evaluated


def test_cross_validation_hands_weights_and_groups_to_each_fold():
    folds = GroupKFold(3)
    given = {"sample_weight": WEIGHTS, "groups": PERSON}
    found = cross_validate(weighing_pipeline(), X, Y, cv=folds, params=given)["test_score"]
    for score, (train, test) in zip(found, folds.split(X, Y, PERSON), strict=True):
        selector, model = by_hand(train)
        wanted = model.score(selector.transform(X[test]), Y[test], sample_weight=WEIGHTS[test])
        assert score == wanted


def test_a_grid_search_over_the_size_hands_weights_and_groups_on():
    grid = GridSearchCV(weighing_pipeline(), {"rfesvm__size": [1, 2]}, cv=GroupKFold(3))
    found = grid.fit(X, Y, sample_weight=WEIGHTS, groups=PERSON)
    again = weighing_pipeline().set_params(**found.best_params_)
    wanted = again.fit(X, Y, sample_weight=WEIGHTS).decision_function(X)
    assert np.array_equal(found.decision_function(X), wanted)


def test_a_signature_gets_weights_and_groups():
    quick = {"method": "rfe-svm", "folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
    asked = Signature(**quick, size=2).set_fit_request(sample_weight=True, groups=True)
    found = make_pipeline(asked).fit(X, Y, sample_weight=WEIGHTS, groups=PERSON)[-1]
    wanted = Signature(**quick, size=2).fit(X, Y, sample_weight=WEIGHTS, groups=PERSON)
    assert found.groups_ == 20
    assert found.facts() == wanted.facts()
