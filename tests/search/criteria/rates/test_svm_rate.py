"""Held-out machines against those of scikit-learn on kernels computed by loops."""

import numpy as np
import pytest
from search.criteria.test_states import KINDS, problem_of
from search.criteria.test_states import mixed as cells_of
from sklearn.dummy import DummyClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.preprocessing import minmax_scale
from sklearn.svm import SVC
from twins import svm_rates as slow

from hetsel.models.clinical_machines import ClinicalSVC
from hetsel.search.criteria.rates.svm_rate import ClinicalSVMRate, GaussianSVMRate

TIGHT = {"folds": 4, "repeats": 2}


def mixed(n_classes=2, missing=0.0):
    """The problem of the tables of `test_states`, without the copy of a column."""
    values, y = cells_of(n_classes, missing, 44)
    return problem_of(values[:, :6], y, KINDS[:6])


def check(state, kernel, C, one_against_rest):
    """Every prediction with a feature more or less is that of scikit-learn, but at the margin."""
    for f in (0, 1, 3):
        state.add(f)
    wanted = [(2, 1.0), (4, 1.0), (5, 1.0), (0, -1.0), (1, -1.0), (None, 0.0)]
    for f, sign in wanted:
        subset = [g for g in state.subset if sign >= 0 or g != f] + ([f] if sign > 0 else [])
        gram = kernel(subset)
        for fold, found in zip(state.fold, state.predict(f, sign), strict=True):
            classes, near = slow.held_out_classes(gram, state.y, fold, C, 1e-5, one_against_rest)
            assert (near > 1e-3).mean() > 0.8
            np.testing.assert_array_equal(found[near > 1e-3], classes[near > 1e-3])


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_clinical_machines_predict_as_those_of_scikit_learn(n_classes, missing):
    problem = mixed(n_classes, missing)
    values, nominal = problem.table.values, problem.table.nominal

    def kernel(subset):
        subset = [f for f in subset if f != 5 or missing]  # else it is constant
        return slow.clinical_kernel(values[:, subset], nominal[subset])

    check(ClinicalSVMRate(C=3.0, **TIGHT).start(problem), kernel, 3.0, True)


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("gamma", ["scale", "auto", 0.7])
def test_gaussian_machines_predict_as_those_of_scikit_learn(gamma, n_classes, missing):
    problem = mixed(n_classes, missing)
    away = slow.column_distances(problem.table.values, problem.table.nominal)

    def kernel(subset):
        total = away[subset].sum(axis=0)
        share = {"scale": 2.0 / total.mean(), "auto": 1.0 / len(subset)}.get(gamma, gamma)
        return np.exp(-share * total)

    check(GaussianSVMRate(gamma=gamma, **TIGHT).start(problem), kernel, 1.0, False)


@pytest.mark.parametrize("gamma", ["scale", "auto"])
def test_on_numbers_the_gaussian_rate_is_that_of_the_machine_of_scikit_learn(gamma):
    problem = mixed(3)
    state = GaussianSVMRate(gamma=gamma, **TIGHT).start(problem, (0, 2))
    scaled = minmax_scale(problem.table.values[:, [0, 2]])
    # its own "scale" is of the variance of each fold's training cells
    width = 0.5 / scaled.var(axis=0).mean() if gamma == "scale" else gamma
    model, y = SVC(gamma=width, tol=1e-7), problem.target.codes
    rates = [
        balanced_accuracy_score(y, cross_val_predict(model, scaled, y, cv=PredefinedSplit(fold)))
        for fold in state.fold
    ]
    assert state.value == pytest.approx(np.mean(rates), abs=1e-9)


def test_the_clinical_machine_is_the_classifier_of_hetsel():
    problem = mixed(3)
    state = ClinicalSVMRate(folds=3).start(problem, range(6))  # the last one is constant
    table = problem.table.take(columns=range(5))
    fold, y = state.fold[0], problem.target.codes
    span = [
        np.flatnonzero(problem.table.values[:, f] == v(problem.table.values[:, f]))[0]
        for f in (0, 2, 3)
        for v in (np.min, np.max)
    ]
    fold = np.where(np.isin(np.arange(len(y)), span), 3, np.minimum(fold, 2))  # ranges for all
    state.fold = fold[None]
    for k in range(3):
        held = fold == k
        model = ClinicalSVC(C=10.0).fit(table.take(~held), y[~held])
        decision = np.sort(model.decision_function(table.take(held)), axis=1)
        clear = decision[:, -1] - decision[:, -2] > 0.02
        assert clear.mean() > 0.8
        found = state.predict()[0][held]
        np.testing.assert_array_equal(found[clear], model.predict(table.take(held))[clear])


@pytest.mark.parametrize("criterion", [ClinicalSVMRate(folds=3), GaussianSVMRate(folds=3)])
def test_without_features_the_most_frequent_class_of_the_other_folds_wins(criterion):
    problem = problem_of(np.zeros((12, 1)), np.array([0, 1, 2, 2] * 3), KINDS[:1])
    state = criterion.start(problem)
    cv = PredefinedSplit(state.fold[0])
    found = cross_val_predict(DummyClassifier(), np.zeros((12, 1)), state.y, cv=cv)
    np.testing.assert_array_equal(state.predict()[0], found)
    assert not found.any()  # the largest class is the first


@pytest.mark.parametrize("name", ["C", "gamma"])
def test_a_parameter_that_is_not_positive_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} must be a positive number"):
        GaussianSVMRate(**{name: 0.0}).start(mixed())


def test_a_gamma_of_another_name_is_refused():
    with pytest.raises(ValueError, match="'scale' or 'auto'. Got 'scaled'"):
        GaussianSVMRate(gamma="scaled").start(mixed())


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", [ClinicalSVMRate(folds=3), GaussianSVMRate(folds=3)])
def test_a_class_that_is_only_in_the_fold_held_out_is_never_predicted(criterion, n_classes):
    state = criterion.start(mixed(n_classes), (0, 1))
    state.fold = state.y[None].copy()
    assert (state.predict() != state.y).all()
    assert state.value == 0.0
