"""scikit-learn's own checks of an estimator, for every one that hetsel has, counted."""

import importlib
import pkgutil

import pytest
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectKBest
from sklearn.utils.estimator_checks import check_estimator

import hetsel
from hetsel import (
    ClinicalMKL,
    ClinicalSVC,
    ClinicalSVR,
    ScikitSelector,
    Signature,
    SubsetSearch,
    get_method,
    method_keys,
)
from hetsel.evaluation.tuned_selector import TunedSelector
from hetsel.kernels.clinical_kernel import ClinicalKernel

BASES = {
    "AdditiveModel",
    "BaseSelector",
    "ClinicalElimination",
    "EnsembleSelector",
    "ForwardInformationFilter",
    "GroupLassoSelector",
    "HybridSelector",
    "InformationFilter",
    "PathSelector",
    "RedundancyFilter",
    "ScaleFactorSelector",
    "MachineFactorSelector",
    "UnivariateFilter",
    "WeighingSelector",
}
# the one check that scikit-learn runs only under a variable of its own
SKIPPED = {"check_array_api_input"}


FEWER = {
    "fisher-exact": {"samples": 2_000},
    "random-forest": {"n_estimators": 10},
    "random-forest-gini": {"n_estimators": 10},
}


def selector(key):
    """A quick selector, which takes the float arrays that are fitted to it."""
    method = get_method(key)
    numbers = "continuous" in method.about.takes
    options = {**method.about.trial, **FEWER.get(key, {})}
    return method(**options, nominal=None if numbers else slice(None))


OTHERS = {
    "SubsetSearch": SubsetSearch(search="sfs", criterion="1nn", folds=2),
    "ScikitSelector": ScikitSelector(estimator=SelectKBest(k=1)),
    "TunedSelector": TunedSelector(method=get_method("rfe-svm")(), tune={"C": [0.1]}),
    "ClinicalKernel": ClinicalKernel(),
    "ClinicalSVC": ClinicalSVC(),
    "ClinicalMKL": ClinicalMKL(tolerance=1e-10),
    "ClinicalSVR": ClinicalSVR(),
}
# scikit-learn's checks know no target of survival times
OF_TIMES = {"ClinicalSurvivalSVM", "CoxRegression"}


def counted(estimator, **expected):
    """How many checks of an estimator pass, and how many fail as expected; others raise."""
    results = check_estimator(estimator, on_skip=None, expected_failed_checks=expected)
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= SKIPPED
    return [sum(r["status"] == status for r in results) for status in ("passed", "xfail")]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Fisher's exact test takes too long")  # 20 levels in 20 rows
@pytest.mark.filterwarnings("ignore:a support vector machine on all features predicts no row")
@pytest.mark.parametrize("key", [*method_keys(), *OTHERS])
def test_every_check_passes(key):
    estimator = OTHERS[key] if key in OTHERS else selector(key)
    passed, failed = counted(estimator)
    assert failed == 0
    assert passed >= 45


@pytest.mark.parametrize("key", ["chi-square", "fisher-exact"])
def test_a_method_for_levels_fails_where_a_float_array_is_fitted_and_nowhere_else(key):
    """Its columns are continuous unless it is said that they are levels: then all checks pass."""
    results = check_estimator(get_method(key)(), on_skip=None, on_fail=None)
    failed = [r["exception"] for r in results if r["status"] == "failed"]
    assert len(failed) == 25
    assert sum(r["status"] == "passed" for r in results) == 21
    reason = "takes nominal and ordinal columns. Got continuous columns"
    assert all(reason in f"{error} {error.__cause__}" for error in failed)


QUICK = {"method": "rfe-svm", "size": 1, "folds": 3, "repeats": 1, "permutations": 0, "pairs": 0}
OF_SIGNATURES = {
    "check_sample_weight_equivalence_on_dense_data": "only ratios of weights count: C is that of a "
    "row of mean weight, and folds are drawn of rows as they are",
    "check_classifiers_train": "one of two features does not reach the accuracy that is asked for",
}


@pytest.mark.slow
def test_a_signature_passes_all_but_what_its_contract_excludes():
    assert counted(Signature(**QUICK), **OF_SIGNATURES) == [62, 4]


def test_no_estimator_is_left_unchecked():
    modules = pkgutil.walk_packages(hetsel.__path__, "hetsel.")
    found = {
        kind
        for module in modules
        if not module.name.endswith("__main__")
        for kind in vars(importlib.import_module(module.name)).values()
        if isinstance(kind, type) and issubclass(kind, BaseEstimator)
    }
    own = {
        c for c in found if c.__module__.startswith("hetsel.") and not c.__name__.startswith("_")
    }
    checked = {get_method(key) for key in method_keys()} | {type(one) for one in OTHERS.values()}
    assert {c.__name__ for c in own - checked} == BASES | OF_TIMES | {"Signature"}
