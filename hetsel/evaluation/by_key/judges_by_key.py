"""A judge in the plan of a study: one of hetsel, scikit-learn or scikit-survival."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Literal, get_args

import msgspec
import numpy as np
from msgspec import Meta, Struct

from hetsel.evaluation.by_key import code_of_methods, import_paths
from hetsel.ground import PlanError, listed
from hetsel.ground import plan_entries as check
from hetsel.ground.plan_entries import Count, ParamsTable, Positive, Text, read_entry
from hetsel.judging import judges
from hetsel.models.final_classifiers import classify, predicted_classes
from hetsel.models.train_test_arrays import Split
from hetsel.tables import TargetKind, TypedTarget

_PositiveOr = Annotated[float, Meta(gt=0, le=sys.float_info.max)]  # titles follow below
Penalty = Annotated[
    _PositiveOr | Literal["radius"],
    Meta(title="a positive number or 'radius', the default of SVMlight"),
]
Width = Annotated[
    _PositiveOr | Literal["size"],
    Meta(title="a positive number or 'size', 1 / (number of selected features)"),
]
BalancedOr = Annotated[Literal["balanced"] | None, Meta(title="'balanced', or nothing")]
ClassifierKey = Annotated[
    str,
    Meta(
        title="the key of a classifier, e.g. 'clinical-svm', or an import path",
        extra_json_schema={"$ref": "#/definitions/ClassifierKey"},
    ),
]


class ClinicalSVM(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "clinical-svm"; see DEFAULTS_BY_KIND for other targets than classes."""

    C: Positive = 10.0
    class_weight: BalancedOr = None
    epsilon: Positive | None = None


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


class Ridge(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "ridge"."""

    alpha: Positive = 1.0


class Cox(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "cox"."""

    alpha: Positive = 1.0


# parameters of "clinical-svm" for one kind of target, and defaults by kind of target
OF_ONE_KIND = {"class_weight": "classes", "epsilon": "numbers"}
DEFAULTS_BY_KIND: dict[tuple[str, str], dict[str, Any]] = {
    ("clinical-svm", "numbers"): {"C": 3.0, "epsilon": 0.1},
    ("clinical-svm", "survival"): {"C": 1.0},
}
# judges by key; see hetsel.judging.judges
OWN: dict[str, type[Struct]] = {
    "clinical-svm": ClinicalSVM,
    "linear-svm": LinearSVM,
    "gaussian-svm": GaussianSVM,
    "random-forest": RandomForest,
    "naive-bayes": NaiveBayes,
    "5nn": Neighbors,
    "ridge": Ridge,
    "cox": Cox,
}


class ClassifierEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge: a classifier, regressor or survival model on the selected features."""

    key: Annotated[ClassifierKey, Meta(description="key of a judge of hetsel, or an import path")]
    params: Annotated[ParamsTable, Meta(description="parameters of the judge")] = {}
    label: Annotated[Text | None, Meta(description="name in reports")] = None
    encoding: Annotated[
        judges.Encoding | None,
        Meta(description="encoding of categorical columns for an estimator of scikit-learn"),
    ] = None


@dataclass(frozen=True)
class ClassifierSpec:
    """A judge of selected features: a classifier, regressor or survival model."""

    key: str  # one of OWN, or the import path of the estimator
    label: str
    params: tuple[tuple[str, Any], ...]  # in their written form
    estimator: Any = None  # of scikit-learn or scikit-survival
    encoding: Any = ""  # "one-hot" or "whole": encoding of nominal columns
    # parameters in the plan; others have defaults
    named: frozenset[str] = field(default=frozenset(), compare=False)

    @classmethod
    def in_file(cls, where: str, entry: Any) -> "ClassifierSpec | import_paths.NotImported":
        """Read an entry as :meth:`of`, but do not import external judges."""
        keys = dict.fromkeys(OWN, True)
        return import_paths.NotImported.of(where, entry, ClassifierEntry, keys) or cls.of(
            where, entry
        )

    @classmethod
    def of(cls, where: str, entry: Any) -> "ClassifierSpec":
        """Read the entry of a plan: a key, an estimator or a mapping."""
        if isinstance(entry, ClassifierSpec):
            return entry
        if not isinstance(entry, Mapping):
            entry = {"key": entry}
        check.check_keys(where, entry, ClassifierEntry.__struct_fields__)
        wanted = "classifier, regressor or survival model"
        estimator = import_paths.estimator_in(where, entry, OWN, wanted)
        if estimator is not None:
            return cls._foreign(where, estimator, entry)
        if entry.get("key") is not None:
            check.one_of(f"{where}.key", entry["key"], OWN)
        found = read_entry(where, entry, ClassifierEntry)
        if found.encoding is not None:
            raise PlanError(
                f"{where}.encoding needs an estimator of scikit-learn. Got {found.key}. Leave it "
                "out"
            )
        params = read_entry(f"{where}.params", found.params, OWN[found.key])
        given = msgspec.structs.asdict(params)
        values = sorted((name, value) for name, value in given.items() if value is not None)
        return cls(
            found.key, found.label or found.key, tuple(values), named=frozenset(found.params)
        )

    def for_kind(self, kind: TargetKind) -> "ClassifierSpec":
        """Return the judge with its defaults for this kind of target.

        Examples
        --------
        >>> found = ClassifierSpec.of("", "clinical-svm")
        >>> [dict(found.for_kind(kind).params)["C"] for kind in ("classes", "survival")]
        [10.0, 1.0]
        """
        own = DEFAULTS_BY_KIND.get((self.key, kind), {})
        others = {name: value for name, value in own.items() if name not in self.named}
        params = tuple(sorted((dict(self.params) | others).items()))
        return self if not others or params == self.params else replace(self, params=params)

    @classmethod
    def _foreign(cls, where: str, estimator: Any, entry: Mapping[str, Any]) -> "ClassifierSpec":
        """Build the judge from an estimator of scikit-learn."""
        if reason := judges.why_no_judge(estimator, None):
            raise PlanError(f"{where}.key: {reason}")
        key = import_paths.path_of(type(estimator))
        found = read_entry(where, {**entry, "key": key}, ClassifierEntry)
        if found.params and not isinstance(entry["key"], str):
            raise PlanError(f"{where}.params need an import path. Set parameters in the estimator")
        params = import_paths.described(where, estimator)["params"]  # part of the keys of cells
        label = found.label or type(estimator).__name__
        return cls(key, label, tuple(params.items()), estimator, found.encoding or "one-hot")

    @property
    def home(self) -> str:
        """The package of the judge."""
        return "hetsel" if self.estimator is None else self.key.partition(".")[0]

    def classify(self, split: Split, subsets: Sequence[np.ndarray], *, seed: int) -> np.ndarray:
        """Return decision values (subsets, rows, d) of a classifier of hetsel."""
        return classify(self.key, split, subsets, seed=seed, params=dict(self.params))

    def judge(
        self, split: Split, subsets: Sequence[np.ndarray], present: np.ndarray, n: int, *, seed: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return classes (subsets, rows) and decision values (subsets, rows, d) for n classes."""
        if self.estimator is None:
            return predicted_classes(self.classify(split, subsets, seed=seed), present, n)
        option = {"seed": seed, "encoding": self.encoding}
        codes, values = judges.judge_by(self.estimator, split, subsets, **option)
        return present[codes], predicted_classes(values, present, n)[1]

    def predict(self, split: Split, subsets: Sequence[np.ndarray], *, seed: int) -> np.ndarray:
        """Return predicted numbers (subsets, rows), or risk scores for survival times."""
        kind = judges.told_kind(split)
        if self.estimator is None:
            return judges.predict(self.key, split, subsets, seed=seed, params=dict(self.params))
        by = judges.risk_by if kind == "survival" else judges.predict_by
        return by(self.estimator, split, subsets, seed=seed, encoding=self.encoding)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of targets that it predicts; all kinds if the estimator does not declare it."""
        if self.estimator is None:
            return judges.kinds_of(self.key)
        kind = judges.predicts(self.estimator)
        return tuple(judges.JUDGES) if kind is None else (kind,)

    def refuse_target(self, where: str, target: TypedTarget) -> None:
        """Raise an error for a kind of target that it does not predict."""
        if target.kind in self.kinds:
            for name in sorted(self.named):
                if self.estimator is None and OF_ONE_KIND.get(name, target.kind) != target.kind:
                    raise PlanError(
                        f"{where}: {self.label}: {name} needs a target of {OF_ONE_KIND[name]}. Got "
                        f"{target.in_words()}. Leave it out"
                    )
            return
        wanted = judges.JUDGES[target.kind]
        own = " or a ".join(judges.JUDGES[kind] for kind in self.kinds)
        home = "scikit-survival" if target.kind == "survival" else "scikit-learn"
        raise PlanError(
            f"{where} must name a {wanted}, because the target holds {target.in_words()}. Got "
            f"{self.label}, a {own}. Use {listed(judges.JUDGES_BY_KIND[target.kind])} or a "
            f"{wanted} of {home}"
        )

    def refuse_weights(self, kind: TargetKind | None = None) -> None:
        """Raise an error if it cannot use row weights for this kind of target (None: any)."""
        if self.estimator is None:
            judges.refuse_weights_of_judge(self.key, kind)
        else:
            judges.refuse_weights_for(self.estimator)

    def identity(self) -> list[Any]:
        """Return what cells depend on."""
        if self.estimator is None:
            return [self.key, dict(self.params)]
        known = import_paths.described(self.key, self.estimator, import_paths.path_in_keys)
        code = self.code.digest
        return [known["key"], known["params"], self.encoding, *([code] if code else [])]

    @property
    def code(self) -> code_of_methods.Code:
        """The current code of an external judge."""
        return code_of_methods.code_of(self.estimator)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON; except the code, they define the judge."""
        content = {"key": self.key, "label": self.label, "params": dict(self.params)}
        if self.estimator is None:
            return content
        code = self.code.digest
        return content | {"encoding": self.encoding} | ({"code": code} if code else {})


@cache
def default_judges(kind: TargetKind) -> tuple[ClassifierSpec, ...]:
    """Return the default judge of a kind of target."""
    return (ClassifierSpec.of("classifiers", judges.DEFAULT_KEYS[kind]).for_kind(kind),)


def is_default(judges: Any) -> bool:
    """Return whether judges are defaults, not equal judges that the plan names."""
    return any(judges is default_judges(kind) for kind in get_args(TargetKind))
