"""A final classifier in the plan of a study: it judges the selected features."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from hetsel.ground.entry_reading import Count, Params, Positive, Text, read_entry
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split

_PositiveOr = Annotated[float, Meta(gt=0, le=sys.float_info.max)]  # whose title says it all
Penalty = Annotated[
    _PositiveOr | Literal["radius"],
    Meta(title="a positive number or 'radius', the default of SVMlight"),
]
Width = Annotated[
    _PositiveOr | Literal["size"],
    Meta(title="a positive number or 'size', 1 / (number of selected features)"),
]
BalancedOr = Annotated[Literal["balanced"] | None, Meta(title="'balanced', or nothing")]
ClassifierKey = Literal[
    "clinical-svm", "linear-svm", "gaussian-svm", "random-forest", "naive-bayes", "5nn"
]


class ClinicalSVM(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "clinical-svm"."""

    C: Positive = 10.0
    class_weight: BalancedOr = None


class LinearSVM(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "linear-svm"."""

    C: Penalty = 1.0


class GaussianSVM(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "gaussian-svm"."""

    C: Penalty = 1.0
    gamma: Width = "size"


class RandomForest(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "random-forest"."""

    trees: Count = 500


class NaiveBayes(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "naive-bayes"."""

    smoothing: Positive = 1.0
    var_smoothing: Positive = 1e-9


class Neighbors(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "5nn"."""

    neighbors: Count = 5


CLASSIFIERS: dict[str, type[Struct]] = {
    "clinical-svm": ClinicalSVM,
    "linear-svm": LinearSVM,
    "gaussian-svm": GaussianSVM,
    "random-forest": RandomForest,
    "naive-bayes": NaiveBayes,
    "5nn": Neighbors,
}


class ClassifierEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A final classifier, which judges the selected features."""

    key: ClassifierKey
    params: Annotated[Params, Meta(description="parameters of the classifier")] = {}
    label: Annotated[Text | None, Meta(description="what reports call it")] = None


@dataclass(frozen=True)
class ClassifierSpec:
    """A final classifier, which judges the selected features."""

    key: str
    label: str
    params: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, where: str, entry: Any) -> ClassifierSpec:
        """From the entry of a plan: a key, or a mapping."""
        if isinstance(entry, ClassifierSpec):
            return entry
        if not isinstance(entry, Mapping):
            entry = {"key": entry}
        found = read_entry(where, entry, ClassifierEntry)
        params = read_entry(f"{where}.params", found.params, CLASSIFIERS[found.key])
        given = msgspec.structs.asdict(params)
        values = sorted((name, value) for name, value in given.items() if value is not None)
        return cls(found.key, found.label or found.key, tuple(values))

    def classify(self, split: Split, subsets: Sequence[np.ndarray], *, seed: int) -> np.ndarray:
        """Decision values (subsets, test rows, d); see :mod:`hetsel.models.final_classifiers`."""
        return classify(self.key, split, subsets, seed=seed, params=dict(self.params))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"key": self.key, "label": self.label, "params": dict(self.params)}
