"""Support vector machines and multiple kernel learning for R, and the kernel they work with."""

from collections.abc import Mapping, Sequence
from typing import Any

from hetsel.ground.errors import TableError
from hetsel.ground.sealed_json import plain_values, read_json, refuse_changed, sealed_json
from hetsel.kernels.clinical_kernel import clinical_kernel
from hetsel.models.clinical_machines import ClinicalMKL, ClinicalSVC
from hetsel.signature.effect_pieces import effects_by_piece
from hetsel.signature.reported_values import effects_of
from hetsel.signature.saved_content import check_model
from hetsel.signature.saved_signature import model_content, model_of
from hetsel.tables import Classes
from r_bridge.from_r.answering import answer
from r_bridge.from_r.described import facts_of_call, settings, text_of, weighed
from r_bridge.from_r.effects import effects_by_column, with_labels
from r_bridge.from_r.fitted import row_weights_of
from r_bridge.from_r.signatures import predicted
from r_bridge.from_r.vectors import frame_of, kinds_of, target_of

FORMAT = "hetsel model 2"
PAPER = "Paul, D'Ambrosio and Dupont 2015"


@answer
def svm(
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    kinds: Mapping[str, Any] | None = None,
    row_weights: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Fit a support vector machine with the clinical kernel; as :class:`hetsel.ClinicalSVC` does.

    Parameters
    ----------
    columns, target, kinds
        As :func:`r_bridge.from_r.entry_points.rank` takes them.
    row_weights : dict, optional
        A column with the weight of each row.
    options
        C, class_weight, missing, scale and unseen of the class.

    Returns
    -------
    dict
        ``classes``; ``intercept`` of each two-class problem; ``weight`` of each feature's kernel;
        ``dual``, beta_i = alpha_i y_i, one vector a problem; ``effects`` and ``levels``, see
        :func:`r_bridge.from_r.effects.effects_by_column`; ``model``, the text by which
        :func:`predict_model` predicts; facts about the call.
    """
    return _machine(ClinicalSVC, columns, target, kinds, row_weights, options) | {
        "method": "svm",
        "title": "Support vector machine on the clinical kernel",
        "paper": f"{PAPER}, Eq. 1 to 3",
    }


@answer
def mkl(
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    kinds: Mapping[str, Any] | None = None,
    row_weights: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Learn the weight of each feature's kernel and a machine; as :class:`hetsel.ClinicalMKL` does.

    Parameters
    ----------
    columns, target, kinds, row_weights
        As :func:`svm` takes them.
    options
        C, q, tolerance, class_weight, missing, scale and unseen of the class.

    Returns
    -------
    dict
        As :func:`svm`; and ``gap``, the relative duality gap, with a ``trace`` of ``objective``
        and ``gap`` after each step.
    """
    return _machine(ClinicalMKL, columns, target, kinds, row_weights, options) | {
        "method": "mkl",
        "title": "Multiple kernel learning, a clinical kernel for each feature",
        "paper": f"{PAPER}, Eq. 6 to 8",
    }


def _machine(
    kind: type[ClinicalSVC] | type[ClinicalMKL],
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    kinds: Mapping[str, Any] | None,
    row_weights: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    frame, y = frame_of(columns), target_of(target)
    weights = row_weights_of(row_weights)
    model = kind(**options, **kinds_of(kinds or {})).fit(frame, y, weights)
    table, y, _ = weighed(weights, model.schema_.encode(frame), y)
    classes = Classes.of(y, fewest=1).with_positive()
    model = model.in_order(classes.labels.tolist())
    labels = model.classes_.tolist()
    names = {str(label): text_of(label) for label in labels}
    own = [name for name in kind().get_params(deep=False) if name in options]
    found = {
        "labels": list(names.values()),
        "intercept": model.intercept_.tolist(),
        "weight": model.weights_.tolist(),
        "dual": [row.tolist() for row in model.dual_coef_],
        "positive": names[str(labels[-1])] if len(labels) == 2 else "",
        **_effects(model, table, classes, names),
        "model": sealed_json({"format": FORMAT, "model": plain_values(model_content(model))}),
        **facts_of_call(table, y, str(model.missing), model.scale),
        **settings(model.get_params(deep=False), {k: getattr(kind(), k) for k in own}),
        "size": len(table.names),
        "draws": False,
    }
    if isinstance(model, ClinicalMKL):
        objective, gap = zip(*model.trace_, strict=True)
        found |= {"gap": float(model.gap_)}
        found |= {"trace": {"objective": list(map(float, objective)), "gap": list(map(float, gap))}}
    return found


def _effects(model: Any, table: Any, y: Classes, names: Mapping[str, str]) -> dict[str, Any]:
    """The effect curves in pieces, with the rows that each rests on."""
    rows = table.resolve_missing("impute") if model.missing == "impute" else table
    pieces = effects_by_piece(model.effect_curves(), rows, y)
    own = with_labels(effects_of(pieces), names)
    return effects_by_column(model.schema_, own, list(names.values()))


@answer
def predict_model(model: str, columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Classes and decision values of rows, by the text of a model.

    Returns
    -------
    dict
        See :func:`r_bridge.from_r.signatures.predictions`.

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
    frame = frame_of(columns)
    decisions = fitted.decision_function(frame)
    return predicted(fitted.classes_.tolist(), fitted.predict(frame), decisions)


@answer
def kernel(
    columns: Sequence[Mapping[str, Any]],
    training: Sequence[Mapping[str, Any]] | None = None,
    kinds: Mapping[str, Any] | None = None,
    missing: str = "impute",
    unseen: str = "error",
) -> dict[str, Any]:
    """The clinical kernel between rows; as :func:`hetsel.clinical_kernel` has it.

    Parameters
    ----------
    columns, kinds
        As :func:`r_bridge.from_r.entry_points.rank` takes them.
    training : list of dict, optional
        The columns of the training rows, from which the ranges are; None takes the rows themselves.
    missing : {"impute", "separate", "error"}
    unseen : {"error", "separate"}

    Returns
    -------
    dict
        ``kernel``, the bytes of n m doubles, column by column.
    """
    rows = frame_of(columns)
    others = None if training is None else frame_of(training)
    own = kinds_of(kinds or {})
    found = clinical_kernel(rows, others, **own, missing=missing, unseen=unseen)
    return {"kernel": bytearray(found.tobytes(order="F"))}  # as raw bytes: quick, and exact
