"""Criteria by name, for the options of a search."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from hetsel.errors import TableError
from hetsel.search.criteria.contract import Criterion
from hetsel.search.criteria.estimator_rate import EstimatorRate
from hetsel.search.criteria.several_criteria import Ensemble
from hetsel.text import did_you_mean

# name -> file and class
HOMES: Mapping[str, tuple[str, str]] = {
    "alignment": ("alignment", "Alignment"),
    "bhattacharyya": ("gaussian_distances", "Bhattacharyya"),
    "class-separability": ("gram_criteria", "ClassSeparability"),
    "consistency": ("consistency", "Consistency"),
    "divergence": ("gaussian_distances", "Divergence"),
    "frobenius": ("gram_criteria", "FrobeniusProduct"),
    "gaussian-alignment": ("gram_criteria", "GaussianAlignment"),
    "gaussian-svm": ("svm_rate", "GaussianSVMRate"),
    "hsic": ("hsic_value", "HSICValue"),
    "mahalanobis": ("gaussian_distances", "Mahalanobis"),
    "mutual-information": ("joint_information", "JointInformation"),
    "naive-bayes": ("naive_bayes_rate", "NaiveBayesRate"),
    "ridge": ("ridge_leave_one_out", "RidgeLeaveOneOut"),
    "svm": ("svm_rate", "ClinicalSVMRate"),
}
NEAREST = re.compile(r"([1-9][0-9]*)nn")


def criterion_of(given: Any, settings: Mapping[str, Any]) -> Criterion:
    """A criterion by its name, as it is, or an ensemble of several.

    Parameters
    ----------
    given : str, Criterion or sequence of these
        A name such as "5nn" (nearest neighbors, any number of them) or "naive-bayes"; "1nn,5nn"
        names the members of an ensemble, as a list does. A classifier of scikit-learn is fitted to
        the columns of the subset.
    settings : mapping
        Parameters of the criteria named; a criterion that is given as an object has its own.

    Raises
    ------
    TableError
        No criterion of that name; a setting that none of the criteria has.
    """
    if isinstance(given, str) and "," in given:
        given = [name.strip() for name in given.split(",")]
    if isinstance(given, Sequence) and not isinstance(given, str):
        if not given:
            raise TableError("an ensemble needs a criterion or more. Got none")
        matches = [NEAREST.fullmatch(name) if isinstance(name, str) else None for name in given]
        if all(matches):  # one search for neighbors serves all
            numbers = tuple(int(match[1]) for match in matches if match)
            return _build("neighbors_rate", "NeighborsRates", "nn", settings, numbers)
        return Ensemble(tuple(criterion_of(member, settings) for member in given))
    if not isinstance(given, str):
        if hasattr(given, "fit") and hasattr(given, "predict"):
            return EstimatorRate(given, **settings)
        if settings:
            raise TableError(
                f"{', '.join(settings)}: a criterion that is given as an object has its own "
                "settings; set them there"
            )
        if not hasattr(given, "start"):
            raise TableError(f"criterion must be a name or have a method start. Got {given!r}")
        return given
    if nearest := NEAREST.fullmatch(given):
        return _build("neighbors_rate", "NeighborsRate", given, settings, int(nearest[1]))
    if given not in HOMES:
        names = ["5nn (or 1nn, 3nn, ...)", *sorted(HOMES)]
        hint = did_you_mean(given, ["5nn", *HOMES])
        raise TableError(f"criterion must be one of {', '.join(names)}. Got {given!r}{hint}")
    return _build(*HOMES[given], given, settings)


def _build(file: str, name: str, given: str, settings: Mapping[str, Any], *first: Any) -> Criterion:
    built = getattr(importlib.import_module(f"hetsel.search.criteria.{file}"), name)
    known = {field.name for field in fields(built)}
    wrong = sorted(set(settings) - known)
    if wrong:
        raise TableError(f"the criterion {given!r} has no {', '.join(wrong)}")
    return built(*first, **settings)
