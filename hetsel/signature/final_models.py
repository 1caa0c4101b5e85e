"""The final model of a signature, by the kind of its target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hetsel.models.clinical_machines import ClinicalSVC
from hetsel.models.clinical_regressors import ClinicalSVR


@dataclass(frozen=True)
class FinalModel:
    """What learns from the features of a signature, for a kind of target.

    Parameters
    ----------
    entry : callable
        Called with C; the classifier or regressor of a plan, which predicts rows that are held out.
    build : callable
        Called with C and what becomes of missing cells, scales and unseen levels; the estimator
        that learns from all rows, with `fit(table, target, weights)` and `effect_curves()`.
    words : str
        What a page calls it; C in the place of {C}.
    """

    entry: Callable[[float], Mapping[str, Any]]
    build: Callable[..., Any]
    words: str


FINAL_MODELS: dict[str, FinalModel] = {
    "classes": FinalModel(
        lambda C: {"key": "clinical-svm", "params": {"C": C, "class_weight": "balanced"}},
        lambda C, **treatment: ClinicalSVC(C, class_weight="balanced", **treatment),
        "support vector machine, clinical kernel, C = {C:g}, classes alike",
    ),
    "numbers": FinalModel(
        lambda C: {"key": "ridge", "params": {"alpha": 1.0}},
        lambda C, **treatment: ClinicalSVR(C, **treatment),
        "support vector regression, clinical kernel, C = {C:g}",
    ),
}
