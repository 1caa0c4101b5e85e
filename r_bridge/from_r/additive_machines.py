"""Support vector machines, multiple kernel learning and the clinical kernel for R."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.ground.sealed_json import plain_values, read_json, refuse_changed, sealed_json
from hetsel.kernels.clinical_kernel import clinical_kernel
from hetsel.models.clinical_machines import ClinicalMKL, ClinicalSVC
from hetsel.signature.effect_pieces import effects_by_piece
from hetsel.signature.reported_values import effects_of as pieces_of
from hetsel.signature.saved_content import check_model
from hetsel.signature.saved_signature import model_content, restore_model
from hetsel.tables import Classes
from r_bridge.from_r.asked import Cells, Labels, weights_of
from r_bridge.from_r.described import facts_of_call, settings, weighed, with_r_labels
from r_bridge.from_r.r_words import text_of
from r_bridge.from_r.signatures import effects_of, predicted
from r_bridge.r_vectors import Values, as_vector, kinds, matrix, table

FORMAT = "hetsel model 2"
PAPER = "Paul, D'Ambrosio and Dupont 2015, Eq. %s"
TOLD = ("method", "title", "paper")
SVM = ("svm", "Support vector machine on the clinical kernel", PAPER % "1 to 3")
MKL = ("mkl", "Multiple kernel learning, a clinical kernel for each feature", PAPER % "6 to 8")
FEATURE = kinds(str, "feature", "kind") | {"weight": float}  # of its kernel
STEP = kinds(float, "objective", "gap")


def svm(columns: pd.DataFrame, target: Labels, **asked: Any) -> Values:
    """Fit a support vector machine with the clinical kernel; see :class:`hetsel.ClinicalSVC`."""
    return _machine(ClinicalSVC, SVM, columns, target, **asked)


def mkl(columns: pd.DataFrame, target: Labels, **asked: Any) -> Values:
    """Fit multiple kernel learning with the clinical kernel; see :class:`hetsel.ClinicalMKL`."""
    return _machine(ClinicalMKL, MKL, columns, target, **asked)


def _machine(
    kind: type[ClinicalSVC | ClinicalMKL],
    told: tuple[str, str, str],
    frame: pd.DataFrame,
    target: Labels,
    kinds: Values | None = None,
    row_weights: Cells | None = None,
    **options: Any,
) -> Values:
    machine = kind(**options, **(kinds or {}))
    weights = weights_of(row_weights)
    machine.fit(frame, target, weights)
    read, y, _ = weighed(weights, machine.schema_.encode(frame), target)
    classes = Classes.of(y, fewest=1).with_positive()
    model = machine.in_order(classes.labels.tolist())
    names = {str(label): text_of(label) for label in model.classes_.tolist()}
    labels = [*names.values()]
    problems = labels[1:] if len(labels) == 2 else labels
    dual = np.zeros((len(frame), len(problems)))
    dual[slice(None) if weights is None else weights > 0] = np.transpose(model.dual_coef_)
    rows = read.resolve_missing("impute") if model.missing == "impute" else read
    pieces = pieces_of(effects_by_piece(model.effect_curves(), rows, classes))
    labeled = [with_r_labels(piece, names) for piece in pieces]
    given, defaults = machine.get_params(deep=False), kind().get_params(deep=False)
    for name in ("nominal", "ordinal", "continuous", "schema"):
        del defaults[name]
    more = {**dict(zip(TOLD, told, strict=True)), **settings(given, defaults)}
    more |= {"size": len(read.names), "draws": False}
    intercept = dict(zip(problems, model.intercept_.tolist(), strict=True))
    columns = zip(read.schema.columns, model.weights_, strict=True)
    found = {
        "features": table(((one.name, one.kind, weight) for one, weight in columns), FEATURE),
        "intercept": as_vector(intercept, dict[str, float]),  # of each two-class problem
        "dual": matrix(dual, problems),  # (n, problems), alpha_i y_i; 0 for rows of weight 0
        **effects_of(model.schema_, labeled, labels),
        "positive": labels[-1] if len(labels) == 2 else "",
        # the text by which :func:`predict_model` predicts
        "model": sealed_json({"format": FORMAT, "model": plain_values(model_content(model))}),
        **facts_of_call(read, y, model.missing, model.scale, None, more),
    }
    if isinstance(machine, ClinicalMKL):
        return {**found, "gap": machine.gap_, "trace": table(machine.trace_, STEP)}
    return found


def predict_model(model: str, columns: pd.DataFrame) -> Values:
    """Predict classes and decision values of rows with the text of a model."""
    where = "object$model"
    content = read_json(str(model), where)
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise TableError(f"{where} is not what hetsel saved: its format must be {FORMAT!r}")
    refuse_changed(content, where)
    fitted = restore_model(check_model(where, content.get("model"), "classes"))
    decisions = fitted.decision_function(columns)
    return predicted(fitted.classes_.tolist(), fitted.predict(columns), decisions)


def kernel(
    columns: pd.DataFrame,
    training: pd.DataFrame | None = None,
    kinds: Values | None = None,
    missing: str = "impute",
    unseen: str = "error",
) -> np.ndarray:
    """Compute the clinical kernel (n, m) between rows and training rows, or among the rows."""
    return clinical_kernel(columns, training, **(kinds or {}), missing=missing, unseen=unseen)
