"""Define the final model of a signature by the kind of its target."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from hetsel.ground import positive
from hetsel.models.clinical_machines import ClinicalSurvivalSVM, ClinicalSVC, ClinicalSVR
from hetsel.statistics.survival.concordance import concordance
from hetsel.tables import Survival, Table
from hetsel.tables.validation import codes_with_predicted, finite_numbers, weights_to_score

Model = ClinicalSVC | ClinicalSVR | ClinicalSurvivalSVM


@dataclass(frozen=True)
class FinalLearner:
    """Learn from the features of a signature, for one kind of target."""

    # called with C, `options` and the treatment of missing values, scales and unseen levels;
    # returns the estimator for all rows, with `fit(table, target, weights)` and `effect_curves()`
    machine: Callable[..., Model]
    judge: str  # the key of the same machine among the judges, which predicts held-out rows
    C: float  # the default
    words: str  # its name in reports, with {C} for C
    rule: str = "one-se"  # default rule for the size
    options: Mapping[str, object] = field(default_factory=dict)

    def build(self, C: float, **treatment: str) -> Model:
        """Return the estimator for all rows."""
        return self.machine(C, **self.options, **treatment)

    def entry(self, C: float) -> dict[str, object]:
        """Return the judge of a plan that predicts held-out rows."""
        return {"key": self.judge, "params": {"C": C, **self.options}}


FINAL_MODELS: dict[str, FinalLearner] = {
    "classes": FinalLearner(
        ClinicalSVC,
        "clinical-svm",
        10.0,
        "support vector machine, clinical kernel, C = {C:g}, classes weighted equally",
        "quarter-se",
        {"class_weight": "balanced"},
    ),
    "numbers": FinalLearner(
        ClinicalSVR,
        "clinical-svm",
        3.0,
        "support vector regression, clinical kernel, C = {C:g}, epsilon = 0.1 standard deviations",
    ),
    "survival": FinalLearner(
        ClinicalSurvivalSVM,
        "clinical-svm",
        1.0,
        "ranking support vector machine, clinical kernel, C = {C:g}",
    ),
}


def decisions_of(model: Model, rows: Table) -> np.ndarray:
    """Return decision values of classes, or the predictions for another target."""
    tell = model.decision_function if isinstance(model, ClinicalSVC) else model.predict
    return np.asarray(tell(rows))


def penalty_of(kind: str, C: object) -> float:
    """Return C of the final model for a kind of target, its default if C is None.

    Examples
    --------
    >>> penalty_of("classes", None), penalty_of("numbers", 3)
    (10.0, 3.0)
    """
    return FINAL_MODELS[kind].C if C is None else float(positive("C", C))


# The score of predictions by the kind of target, as in scikit-learn.


def score_of(kind: str, y: object, predicted: np.ndarray, weights: object = None) -> float:
    """Score predictions: balanced accuracy of classes, R^2 of numbers, Harrell's C of risk scores.

    Examples
    --------
    >>> score_of("numbers", [1.0, 2.0, 3.0], np.array([1.0, 2.0, 2.0]))
    0.5
    """
    weights = weights_to_score(weights, len(predicted))
    if kind == "survival":
        target = Survival.of(y)
        return float(concordance(target.times, target.events, predicted, weights)[0])
    from sklearn.metrics import balanced_accuracy_score, r2_score

    if kind == "classes":
        codes = codes_with_predicted(y, predicted)
        return float(balanced_accuracy_score(*codes, sample_weight=weights))
    return float(r2_score(finite_numbers(y, len(predicted)), predicted, sample_weight=weights))
