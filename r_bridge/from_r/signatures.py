"""Signatures for R as plain vectors, and predictions from the text of a signature."""

import os
import sys
import time
from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np
import pandas as pd
from msgspec.structs import replace

from hetsel.evaluation.progress import StepProgress, StepsTold, clock
from hetsel.ground.sealed_json import plain_values
from hetsel.methods.registry import get_method, method_keys
from hetsel.questions.of_a_table import Scale
from hetsel.questions.option import asked_in
from hetsel.questions.select import Probabilities, Procedure, Select, SelectedTarget
from hetsel.signature.estimator import Signature
from hetsel.signature.performance import NestedPerformance, Performance
from hetsel.signature.points.signature_points import PointsFacts
from hetsel.signature.saved_signature import signature_of
from hetsel.signature.signature_facts import Effect, SignatureFacts
from hetsel.tables import Schema
from hetsel.words.signature_sentences import sentences
from r_bridge.from_r.asked import parameters_of, refuse_unknown, strings, usable_jobs, whole
from r_bridge.from_r.described import settings, with_r_labels
from r_bridge.from_r.probability_tables import probabilities_of
from r_bridge.from_r.r_words import text_of, with_r_values
from r_bridge.r_vectors import (
    RVector,
    Values,
    as_vector,
    fields,
    kinds,
    matrix,
    named_list,
    table,
    texts,
)

PIECE = kinds(str, "feature", "class", "level")
PIECE |= kinds(float, "low", "high", "effect_low", "effect_high") | {"rows": int}
BAND = kinds(str, "feature", "value") | {"points": int, "effect": float, "rows": int}
TOTAL = kinds(int, "low", "high") | kinds(float, "probability_low", "probability_high")
TOTAL |= {"rows": int, "observed": float}
COST = {"measure": str} | kinds(float, "model", "points", "difference", "standard_error")
UNIT = kinds(float, "unit", "constant") | kinds(int, "largest", "cut")
FEATURE = {"feature": str, "kind": str, "frequency": float}
PERFORMANCE = (
    kinds(str, "measure", "class") | kinds(float, "estimate", "low", "high") | {"rows": int}
)
METHODS = {"method": str, "nested": int, "inner": float}
IN_R = "the model of the signature"  # what R calls the text of a saved signature
# options of a signature, without those that an entry point takes itself
OPTIONS = tuple(
    one.name
    for record in (Procedure, Scale, SelectedTarget, Probabilities)
    for one in asked_in(record, "R")
    if one.name not in ("size", "progress", "by")
)
ARGUMENTS = [one.name for one in asked_in(Select, "R")]
SHORT = {"bcr": "BCR", "auc": "AUC"}  # what R calls a measure, where not by its label
EVERY = 5.0  # seconds between two lines of progress


def effects_of(schema: Schema, pieces: Sequence[Effect], classes: Sequence[str]) -> Values:
    """Return `effects`, the pieces of the effect curves, and `levels` of categorical features.

    A piece has a `level`, or "missing", or it extends from `low` to `high`; positions of levels
    count from 1.
    """
    columns = {column.name: column for column in schema.columns}
    rows = [f"rows {label}" for label in classes]
    content = []
    for piece in pieces:
        kind = columns[piece.feature].kind
        low, high, level = piece.low, piece.high, ""
        if kind == "nominal" or isinstance(low, str) or isinstance(high, str):
            ends: dict[str, float | None] = {"low": None, "high": None}
            level = text_of(low)
        else:
            first = kind == "ordinal"
            ends = {"low": low + first, "high": high + first}
        counts = dict(zip(rows, piece.class_rows, strict=True))
        content.append({**plain_values(piece), **counts, "level": level, **ends})
    levels = {n: texts(map(text_of, c.levels)) for n, c in columns.items() if c.levels}
    return {"effects": table(content, PIECE | kinds(int, *rows)), "levels": levels}


def points_of(facts: PointsFacts) -> Values:
    """Return the point score, its totals, and the loss by rounding, with levels as in R."""
    bands = [
        {
            **plain_values(band),
            "feature": one.feature,
            "value": ", ".join(map(text_of, band.levels)) or band.value,
        }
        for one in facts.features
        for band in one.bands
    ]
    costs = ({**one, "measure": one["label"]} for one in plain_values(facts.cost))
    return {
        "values": table(bands, BAND),
        "totals": table(plain_values(facts.totals), TOTAL),
        "cost": table(costs, COST),
        **{
            name: as_vector(None if facts.reason else getattr(facts, name), kind)
            for name, kind in UNIT.items()
        },
        "reason": facts.reason,
    }


def signature_asked(
    method: str | list[str],
    size: str | float | None,
    kinds: Values | None = None,
    seed: float = 0,
    options: Values | None = None,
    jobs: float | None = 1,
    parameters: Values | None = None,
    **treatment: Any,
) -> Signature:
    """Create the estimator of a call with one or several methods; None options are left out."""
    own = parameters or {}
    every = [{"key": key, "params": parameters_of(key, own, ARGUMENTS)} for key in strings(method)]
    known = {name: value for name, value in (options or {}).items() if value is not None}
    given = {name: value if name == "C" else whole(value) for name, value in known.items()}
    for name in given:
        refuse_unknown(name, OPTIONS, "hetsel_select")
    workers = usable_jobs(jobs)
    return Signature(
        every if len(every) > 1 else every[0],
        whole(size),
        random_state=whole(seed),
        n_jobs=-1 if workers is None else max(workers, 1),
        **treatment,
        **(kinds or {}),
        **given,
    )


def lines_on_stderr() -> StepProgress:
    """Report every few seconds which step is running, and its progress."""
    start = last = time.perf_counter()
    told = StepsTold()

    def say(finished: int, every: int, step: str) -> None:
        nonlocal last
        told(finished, every, step)
        now = time.perf_counter()
        if now - last >= EVERY:
            last = now
            passed = f"{told.words()}, {clock(now - start)} elapsed"
            print(f"hetsel: {passed}", file=sys.stderr, flush=True)

    return say


def contents(found: Signature, told: Values) -> Values:
    """Convert a fitted signature like :meth:`hetsel.Signature.facts`, with labels as in R."""
    answer = facts_in_r(found.facts())
    facts, one, classes = plain_values(answer), answer.performance, [*map(str, answer.classes)]
    inner = "inner_auc" if answer.kind == "classes" else "inner"
    sizes = facts["sizes"] or {"sizes": (), "nested": (), inner: ()}
    methods = facts["methods"] or {"tried": (), "nested": (), "inner": ()}
    effects = effects_of(found.model_.schema_, answer.effects, classes)
    names, halves = found.schema_.names, () if found.selected_ is None else found.selected_
    weights, stability = answer.effective_sample_size or (), facts["stability"]
    return {
        **fields(answer, "verdict", "reason"),
        "sentences": texts(sentences(answer)),
        "features": table(facts["features"], FEATURE),
        "performance": performance_of(one),
        "probabilities": probabilities_of(answer.probabilities, classes),
        "estimate": None if one is None else _estimate(one),
        **fields(answer, "permutation_test"),
        "sizes": table({"size": sizes["sizes"], **sizes}, {"size": int, inner: float}),
        "nested": as_vector(sizes["nested"], tuple[int, ...]),
        "methods": table({"method": methods["tried"], **methods}, METHODS),
        "frequency": table(answer.frequency.items(), {"feature": str, "frequency": float}),
        "half_samples": [texts(names[j] for j in np.flatnonzero(half)) for half in halves],
        "stability": stability and named_list(stability, float),
        **fields(answer, "stable", "alternatives"),
        "effects": effects["effects"],
        "points": points_of(answer.points),
        "effective_sample_size": table(
            {"class": (classes or [""]) if weights else (), "rows": weights},
            {"class": str, "rows": float},
        ),
        "levels": effects["levels"],
        "rule": answer.rule or "",
        "positive": facts["positive"] or "",
        **fields(answer, "always", "groups"),
        "parameters": answer.parameters,
        "model": found.saved().to_json(),  # by which :func:`predict_signature` predicts
        **told,
    }


def facts_of_method(found: Signature) -> Values:
    """Describe the method and the parameters of the call."""
    key = found.method_.key
    own = get_method(key).about if key in method_keys() else None
    given, defaults = found.get_params(deep=False), Signature().get_params(deep=False)
    return {
        "method": key,
        "size": found.size_,
        "title": key if own is None else own.line,
        "paper": "" if own is None else own.paper,
        "draws": True,  # folds and half-samples
        "seed": (float(given["random_state"]),),  # as requested
        **settings(given, {name: defaults[name] for name in ("size", *OPTIONS)}),
    }


def predict_signature(model: str, columns: pd.DataFrame) -> Values:
    """Predict classes, decision values and probabilities with the text of a signature."""
    saved = signature_of(str(model), IN_R)
    rows = saved.rows_of(columns)
    if saved.kind != "classes":
        return {"decision": saved.predict(rows), "class": None, "probabilities": None}
    decisions, labels = saved.reported_decisions(rows), saved.facts.classes
    found = predicted(labels, saved.predict(rows), decisions)
    if saved.calibration is None:
        return found
    shares = matrix(saved.calibration.of(decisions), map(text_of, labels))
    return found | {"probabilities": shares}  # a column for each class


def predicted(
    labels: Sequence[object], classes: np.ndarray, decisions: np.ndarray
) -> dict[str, object]:
    """:func:`predict_signature` with these labels, without probabilities.

    Decisions of two classes are a vector, above 0 for the last one; of more they are a matrix.
    """
    of_two = decisions.ndim == 1 or decisions.shape[1] == 1
    return {
        "decision": decisions.ravel() if of_two else matrix(decisions, map(text_of, labels)),
        "class": texts(map(text_of, classes.tolist())),
        "probabilities": None,
    }


def signature_report(model: str, path: str, target: str = "") -> str:
    """Write the report of a signature from its text and return its path."""
    from hetsel.report.pages.signature_page import write_signature_report  # loads matplotlib

    facts = replace(facts_in_r(signature_of(str(model), IN_R).facts), target=target)
    return os.path.abspath(write_signature_report(facts, path))


def facts_in_r(facts: SignatureFacts) -> SignatureFacts:
    """Return the facts with classes as R writes them."""
    names = {str(label): text_of(label) for label in facts.classes}
    flags = set(names) == {"False", "True"}
    return replace(
        with_r_labels(facts, names),
        classes=[*names.values()],
        positive=None if facts.positive is None else text_of(facts.positive),
        reason=with_r_values(facts.reason) if flags else facts.reason,
    )


def performance_of(one: Performance | None) -> RVector:
    """Return the measures of :meth:`hetsel.signature.performance.Performance.frame`."""
    records = (
        {
            **plain_values(measure),
            "measure": SHORT.get(measure.key, measure.label),
            "class": measure.of_class or "",
        }
        for measure in (() if one is None else one.measures)
    )
    return table(records, PERFORMANCE)


def _estimate(one: NestedPerformance) -> Values:
    """Describe the estimate of performance; NaN where no fold has a value."""
    told = {"inner": one.inner, "optimism": one.optimism, "training_gain": one.training_gain}
    found = {name: nan if value is None else value for name, value in told.items()}
    rest = {name: getattr(one, name) for name in ("folds", "runs", "low_without_test")}
    if one.kind == "classes":
        return {"inner_bcr": found.pop("inner"), **found, **rest}
    return {"chance_level": one.chance_level, **found, **rest}
