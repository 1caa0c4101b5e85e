"""Support vector machines and multiple kernel learning for R, and the kernel they work with."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
import numpy as np
import pandas as pd
from msgspec import UNSET, Struct, UnsetType

from hetsel.ground.errors import TableError
from hetsel.ground.sealed_json import plain_values, read_json, refuse_changed, sealed_json
from hetsel.kernels.clinical_kernel import clinical_kernel
from hetsel.models.clinical_machines import ClinicalMKL, ClinicalSVC
from hetsel.signature.effect_pieces import effects_by_piece
from hetsel.signature.reported_values import effects_of as pieces_of
from hetsel.signature.saved_content import check_model
from hetsel.signature.saved_signature import model_content, model_of
from hetsel.tables import Classes, Table
from r_bridge.from_r.asked import Column, Frame, Kinds, Target, row_weights_of
from r_bridge.from_r.described import Facts, facts_of_call, settings, text_of, weighed
from r_bridge.from_r.signatures import Prediction, effects_of, predicted, with_labels
from r_bridge.r_vectors import INLINE, RVector, matrix

FORMAT = "hetsel model 2"
PAPER = "Paul, D'Ambrosio and Dupont 2015"


class WeightedFeature(Struct):
    """A feature, and the weight of its kernel."""

    feature: str
    kind: str
    weight: float


class Step(Struct):
    """A step of multiple kernel learning."""

    objective: float
    gap: float


class MachineAnswer(Struct, kw_only=True):
    """A fitted machine."""

    features: tuple[WeightedFeature, ...]
    intercept: dict[str, float]  # of each two-class problem
    dual: RVector  # (n, problems), alpha_i y_i; 0 in rows of weight 0
    effects: RVector
    levels: dict[str, tuple[str, ...]]
    positive: str
    model: str  # the text by which :func:`predict_model` predicts
    facts: Annotated[Facts, INLINE]
    gap: float | UnsetType = UNSET  # the relative duality gap
    trace: tuple[Step, ...] | UnsetType = UNSET


def svm(
    columns: Frame,
    target: Target,
    kinds: Kinds | None = None,
    row_weights: Column | None = None,
    **options: Any,
) -> MachineAnswer:
    """Fit a support vector machine with the clinical kernel; see :class:`hetsel.ClinicalSVC`."""
    told = {
        "method": "svm",
        "title": "Support vector machine on the clinical kernel",
        "paper": f"{PAPER}, Eq. 1 to 3",
    }
    return _machine(ClinicalSVC(**options, **(kinds or {})), columns, target, row_weights, told)


def mkl(
    columns: Frame,
    target: Target,
    kinds: Kinds | None = None,
    row_weights: Column | None = None,
    **options: Any,
) -> MachineAnswer:
    """Learn the weight of each feature's kernel and a machine; see :class:`hetsel.ClinicalMKL`."""
    told = {
        "method": "mkl",
        "title": "Multiple kernel learning, a clinical kernel for each feature",
        "paper": f"{PAPER}, Eq. 6 to 8",
    }
    machine = ClinicalMKL(**options, **(kinds or {}))
    answer = _machine(machine, columns, target, row_weights, told)
    steps = tuple(Step(float(objective), float(gap)) for objective, gap in machine.trace_)
    return msgspec.structs.replace(answer, gap=float(machine.gap_), trace=steps)


def _machine(
    machine: ClinicalSVC | ClinicalMKL,
    frame: pd.DataFrame,
    y: Any,
    row_weights: Any,
    told: Mapping[str, Any],
) -> MachineAnswer:
    weights = row_weights_of(row_weights)
    machine.fit(frame, y, weights)
    table, y, _ = weighed(weights, machine.schema_.encode(frame), y)
    classes = Classes.of(y, fewest=1).with_positive()
    model = machine.in_order(classes.labels.tolist())
    names = {str(label): text_of(label) for label in model.classes_.tolist()}
    labels = [*names.values()]
    problems = labels[1:] if len(labels) == 2 else labels
    dual = np.zeros((len(frame), len(problems)))
    dual[slice(None) if weights is None else weights > 0] = np.transpose(model.dual_coef_)
    effects, levels = _effects(model, table, classes, names)
    defaults = type(machine)().get_params(deep=False)
    left_out = ("nominal", "ordinal", "continuous", "schema")
    return MachineAnswer(
        features=tuple(
            WeightedFeature(column.name, column.kind, float(weight))
            for column, weight in zip(table.schema.columns, model.weights_, strict=True)
        ),
        intercept=dict(zip(problems, model.intercept_.tolist(), strict=True)),
        dual=matrix(dual, problems),
        effects=effects,
        levels=levels,
        positive=labels[-1] if len(labels) == 2 else "",
        model=sealed_json({"format": FORMAT, "model": plain_values(model_content(model))}),
        facts=facts_of_call(
            table,
            y,
            str(model.missing),
            model.scale,
            size=len(table.names),
            draws=False,
            **told,
            **settings(
                model.get_params(deep=False),
                {name: value for name, value in defaults.items() if name not in left_out},
            ),
        ),
    )


def _effects(
    model: Any, table: Table, y: Classes, names: Mapping[str, str]
) -> tuple[RVector, dict[str, tuple[str, ...]]]:
    """The effect curves in pieces, with the rows that each rests on, and levels of features."""
    rows = table.resolve_missing("impute") if model.missing == "impute" else table
    pieces = effects_by_piece(model.effect_curves(), rows, y)
    return effects_of(model.schema_, with_labels(pieces_of(pieces), names), [*names.values()])


def predict_model(model: str, columns: Frame) -> Prediction:
    """Classes and decision values of rows, by the text of a model.

    Raises
    ------
    TableError
        The text is that of no model.
    """
    where = "the text of the model"
    content = read_json(str(model), where)
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise TableError(f"{where} is not what hetsel saved: its format must be {FORMAT!r}")
    refuse_changed(content, where)
    fitted = model_of(check_model(where, content.get("model"), "classes"))
    decisions = fitted.decision_function(columns)
    return predicted(fitted.classes_.tolist(), fitted.predict(columns), decisions)


def kernel(
    columns: Frame,
    training: Frame | None = None,
    kinds: Kinds | None = None,
    missing: str = "impute",
    unseen: str = "error",
) -> np.ndarray:
    """The clinical kernel (n, m) between rows and training rows, or the rows themselves."""
    return clinical_kernel(columns, training, **(kinds or {}), missing=missing, unseen=unseen)
