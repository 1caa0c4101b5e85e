"""Criteria by name, for the options of a search."""

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from hetsel.ground import TableError, did_you_mean, listed
from hetsel.search.criteria.criterion import CriterionEnsemble, SubsetCriterion
from hetsel.search.criteria.rates.estimator_rate import EstimatorRate
from hetsel.tables import TypedTarget

# name -> file and class
HOMES: Mapping[str, tuple[str, str]] = {
    "alignment": ("alignment", "Alignment"),
    "bhattacharyya": ("gaussian_classes", "Bhattacharyya"),
    "class-separability": ("kernel_criteria", "ClassSeparability"),
    "consistency": ("partition_criteria", "Consistency"),
    "divergence": ("gaussian_classes", "Divergence"),
    "frobenius": ("kernel_criteria", "FrobeniusProduct"),
    "gaussian-alignment": ("kernel_criteria", "GaussianAlignment"),
    "gaussian-svm": ("rates.svm_rate", "GaussianSVMRate"),
    "hsic": ("kernel_criteria", "HSICValue"),
    "mahalanobis": ("gaussian_classes", "Mahalanobis"),
    "mutual-information": ("partition_criteria", "JointInformation"),
    "naive-bayes": ("rates.naive_bayes_rate", "NaiveBayesRate"),
    "ridge": ("rates.ridge_leave_one_out", "RidgeLeaveOneOut"),
    "svm": ("rates.svm_rate", "ClinicalSVMRate"),
}
NEAREST_NAMED = ("5nn", ("rates.neighbors_rate", "NeighborsRate"))
NEAREST = re.compile(r"([1-9][0-9]*)nn")

SETTINGS = ("folds", "repeats", "rate", "sample")  # of a search that a criterion may take


def criterion_of(
    given: Any, settings: Mapping[str, Any], option: str = "criterion"
) -> SubsetCriterion:
    """Return the criterion that an option names, the given object, or an ensemble of several.

    "1nn,5nn" or a list names the members of an ensemble. An estimator of scikit-learn is fitted to
    the columns of the subset. Settings apply to criteria by name; an object has its own.
    """
    if isinstance(given, str) and "," in given:
        given = [name.strip() for name in given.split(",")]
    if isinstance(given, Sequence) and not isinstance(given, str):
        if not given:
            raise TableError(f"{option} must name at least one criterion. Got {given!r}")
        matches = [NEAREST.fullmatch(name) if isinstance(name, str) else None for name in given]
        if all(matches):  # one search for neighbors serves all
            numbers = tuple(int(match[1]) for match in matches if match)
            return _build(option, "rates.neighbors_rate", "NeighborsRates", "nn", settings, numbers)
        return CriterionEnsemble(tuple(criterion_of(member, settings, option) for member in given))
    if not isinstance(given, str):
        if hasattr(given, "fit") and hasattr(given, "predict"):
            _refuse_unknown(option, type(given).__name__, EstimatorRate, settings)
            return EstimatorRate(given, **settings)
        if settings:
            raise TableError(
                f"{' and '.join(settings)}: a {option} that is an object has its own settings. Set "
                "them on the object"
            )
        if not hasattr(given, "start"):
            raise TableError(
                f"{option} must be a name, or an object with a method start. Got {given!r}"
            )
        return given
    if nearest := NEAREST.fullmatch(given):
        number = int(nearest[1])
        return _build(option, "rates.neighbors_rate", "NeighborsRate", given, settings, number)
    if given not in HOMES:
        names = ["5nn (or 1nn, 3nn, ...)", *sorted(HOMES)]
        hint = did_you_mean(given, ["5nn", *HOMES])
        raise TableError(f"{option} must be one of {', '.join(names)}. Got {given!r}{hint}")
    return _build(option, *HOMES[given], given, settings)


def refuse_other_target(criterion: Any, named: Any, target: TypedTarget, option: str) -> None:
    """Raise a TableError for a target that a criterion does not accept, and list those that do."""
    takes = getattr(criterion, "targets", ("classes",))
    if target.kind in takes:
        return
    called = named if isinstance(named, str) else type(criterion).__name__
    able = [NEAREST_NAMED[0]] if target.kind in _class_of(*NEAREST_NAMED[1]).targets else []
    kinds = {name: getattr(_class_of(*home), "targets", ()) for name, home in HOMES.items()}
    able += [name for name, taken in kinds.items() if target.kind in taken]
    cut = "Cut the numbers into classes, or use" if target.kind == "numbers" else "Use"
    raise TableError(
        f"{option} {called!r} needs {' or '.join(takes)} as its target. Got {target.in_words()}. "
        f"{cut} one of: {', '.join(able)}"
    )


def members_of(given: Any) -> int | None:
    """Return the number of named criteria; None for an object, which may be an ensemble itself."""
    if isinstance(given, str):
        return given.count(",") + 1
    if isinstance(given, Sequence):
        return len(given)
    return 1 if hasattr(given, "predict") else None


def _build(
    option: str, file: str, name: str, given: str, settings: Mapping[str, Any], *first: Any
) -> SubsetCriterion:
    built = _class_of(file, name)
    _refuse_unknown(option, given, built, settings)
    return built(*first, **settings)


def _class_of(file: str, name: str) -> Any:
    return getattr(importlib.import_module(f"hetsel.search.criteria.{file}"), name)


def _refuse_unknown(option: str, given: str, built: Any, settings: Mapping[str, Any]) -> None:
    known = [field.name for field in fields(built) if field.name in SETTINGS]
    wrong = sorted(set(settings) - {field.name for field in fields(built)})
    if wrong:
        some = f". Options of {given!r}: {listed(known)}" if known else ""
        names = " and ".join(wrong)
        raise TableError(f"{option} {given!r} has no option {names}. Leave {names} out{some}")
