"""Signatures for R: what was found as plain vectors, and predictions by its text."""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from math import nan
from typing import Annotated, Any, TypeVar

import numpy as np
import pandas as pd
from msgspec import Struct
from msgspec.structs import replace

from hetsel.evaluation.progress import StepProgress, StepsTold, clock
from hetsel.ground.errors import TableError
from hetsel.ground.sealed_json import plain_values
from hetsel.methods.registry import get_method, method_keys
from hetsel.questions.of_a_table import Scale
from hetsel.questions.option import asked_in
from hetsel.questions.select import Probabilities, Procedure, SelectedTarget
from hetsel.signature.estimator import Signature
from hetsel.signature.performance import NestedPerformance, Performance
from hetsel.signature.saved_signature import signature_of
from hetsel.signature.signature_facts import Effect, SignatureFacts
from hetsel.tables import Schema
from hetsel.words.signature_sentences import sentences
from r_bridge.from_r.asked import Options, parameters_of, strings, usable_jobs, whole
from r_bridge.from_r.described import Facts, Plain, rows_of, settings, text_of
from r_bridge.from_r.described import kinds_of_columns as kinds
from r_bridge.from_r.probability_tables import (
    ProbabilitiesAnswer,
    probabilities_in_r,
    probabilities_of,
)
from r_bridge.from_r.r_words import with_r_values
from r_bridge.r_vectors import INLINE, RVector, as_vector, matrix, table, texts

PIECE = kinds(str, "feature", "class", "level")
PIECE |= kinds(float, "low", "high", "effect_low", "effect_high") | {"rows": int}
BAND = kinds(str, "feature", "value") | {"points": int, "effect": float, "rows": int}
TOTAL = kinds(int, "low", "high") | kinds(float, "risk_low", "risk_high")
TOTAL |= {"rows": int, "share": float}
COST = {"measure": str} | kinds(float, "model", "points", "difference", "error")

UNIT = ("unit", "constant", "largest", "cut")


class PointsAnswer(Struct):
    """The bands of a model in points, what totals say, and what rounding costs."""

    values: RVector
    totals: RVector
    cost: RVector
    unit: float | None
    constant: float | None
    largest: int | None
    cut: int | None
    reason: str


def with_labels(pieces: Sequence[Effect], names: Mapping[str, str]) -> list[Effect]:
    """The pieces with the classes, if there are some, as in R."""
    return [replace(one, of_class=names.get(one.of_class, "")) for one in pieces]


def effects_of(
    schema: Schema, pieces: Sequence[Effect], classes: Sequence[str]
) -> tuple[RVector, dict[str, tuple[str, ...]]]:
    """The pieces of the effects, and the levels of the features that have some.

    `level` is a level, or "missing"; else a piece goes from `low` to `high`, places of levels
    counted from 1.
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
    levels = {n: tuple(map(text_of, c.levels)) for n, c in columns.items() if c.levels}
    return rows_of(content, PIECE | kinds(int, *rows)), levels


def points_of(facts: Plain) -> PointsAnswer:
    """The points of the facts of a signature; levels as R writes them."""
    bands = [
        {
            "feature": one["feature"],
            **band,
            "value": ", ".join(map(text_of, band["levels"])) or band["value"],
        }
        for one in facts["features"]
        for band in one["bands"]
    ]
    costs = [{**one, "measure": one["label"]} for one in facts["cost"]]
    return PointsAnswer(
        values=rows_of(bands, BAND),
        totals=rows_of(facts["totals"], TOTAL),
        cost=rows_of(costs, COST),
        **{name: None if facts["reason"] else facts[name] for name in UNIT},
        reason=facts["reason"],
    )


# of a signature, beside those that an entry point takes by themselves
OPTIONS = tuple(
    one.name
    for record in (Procedure, Scale, SelectedTarget, Probabilities)
    for one in asked_in(record, "R")
    if one.name not in ("size", "progress", "by")
)
SHORT = {"bcr": "BCR", "auc": "AUC"}  # what R calls a measure, where not by its label
EVERY = 5.0  # seconds between two lines of progress


def signature_asked(
    asked: Options,
    kinds: Options,
    seed: Any,
    options: Options,
    jobs: Any,
) -> Signature:
    """The estimator of a call; None in the options is left out.

    Raises
    ------
    TableError
        An option that a signature has not, or a value that says nothing.
    """
    given = {
        name: value if name == "C" else whole(value)
        for name, value in options.items()
        if value is not None
    }
    for name in given:
        if name not in OPTIONS:
            known = ", ".join(OPTIONS)
            raise TableError(f"hetsel_select has no option {name!r}; its options are: {known}")
    if given.get("unseen") not in (None, "error", "separate"):
        raise TableError(f"unseen must be 'error' or 'separate'. Got {given['unseen']!r}")
    workers = usable_jobs(jobs)
    return Signature(
        **asked,
        **kinds,
        **given,
        random_state=whole(seed),
        n_jobs=-1 if workers is None else max(workers, 1),
    )


def methods_asked(method: Any, parameters: Options) -> list[dict[str, Any]]:
    """The methods of a call, one or several, each with these parameters."""
    return [{"key": key, "params": parameters_of(key, parameters)} for key in strings(method)]


def lines_on_stderr() -> StepProgress:
    """Says every few seconds which step is at work, and how far it is."""
    start = last = time.perf_counter()
    told = StepsTold()

    def say(finished: int, every: int, step: str) -> None:
        nonlocal last
        told(finished, every, step)
        now = time.perf_counter()
        if now - last >= EVERY:
            last = now
            passed = f"{told.words()}, {clock(now - start)} passed"
            print(f"hetsel: {passed}", file=sys.stderr, flush=True)

    return say


class SignatureAnswer(Struct, kw_only=True):
    """What a fitted signature says; classes and levels are text as R writes it."""

    verdict: str
    reason: str
    sentences: tuple[str, ...]
    features: RVector
    performance: RVector
    probabilities: ProbabilitiesAnswer | None
    estimate: Mapping[str, object] | None  # how the performance was found
    chance: Mapping[str, object] | None
    sizes: RVector
    nested: tuple[int, ...]  # the sizes chosen within
    methods: RVector  # of several, which was chosen how often
    frequency: RVector
    halves: tuple[tuple[str, ...], ...]  # what each half of the rows selects
    stability: dict[str, tuple[float, ...]] | None
    stable: Mapping[str, object] | None
    alternatives: RVector
    effects: RVector
    points: PointsAnswer
    effective_rows: RVector  # of weighted rows
    levels: dict[str, tuple[str, ...]]
    rule: str
    positive: str
    always: tuple[str, ...]
    groups: int | None
    parameters: Mapping[str, object]
    model: str  # the text by which :func:`predictions` predicts
    facts: Annotated[Facts, INLINE]


PERFORMANCE = kinds(str, "measure", "class") | kinds(float, "rate", "low", "high") | {"rows": int}
SHARES = {"feature": str, "frequency": float}
PAIR = kinds(str, "feature", "alternative")
PAIR |= kinds(float, "frequency", "alternative_frequency", "both")


def contents(found: Signature, told: Facts) -> SignatureAnswer:
    """What a fitted signature says, as :meth:`hetsel.Signature.facts` has it."""
    answer = facts_in_r(found.facts())
    facts, one = plain_values(answer), answer.performance
    sizes, methods = facts["sizes"], facts["methods"]
    inner = "inner_auc" if answer.kind == "classes" else "inner"
    effects, levels = effects_of(found.model_.schema_, answer.effects, facts["classes"])
    stability, stable = facts["stability"], facts["stable"]
    weights = facts["effective_rows"] or ()
    return SignatureAnswer(
        verdict=facts["verdict"],
        reason=facts["reason"],
        sentences=tuple(sentences(answer)),
        features=rows_of(facts["features"], {"feature": str, "kind": str, "frequency": float}),
        performance=performance_of(one),
        probabilities=probabilities_of(answer.probabilities, facts["classes"]),
        estimate=None if one is None else _estimate(one),
        chance=_chance(facts["chance"]),
        sizes=table(
            {"size": sizes["sizes"], inner: sizes[inner]} if sizes else {"size": (), inner: ()},
            {"size": int, inner: float},
        ),
        nested=tuple(sizes["nested"]) if sizes else (),
        methods=table(
            {"method": methods["tried"], **methods} if methods else dict.fromkeys(METHODS, ()),
            METHODS,
        ),
        frequency=table(dict(zip(SHARES, _pairs(facts["frequency"]), strict=True)), SHARES),
        halves=_halves(found),
        stability=stability and {name: (value,) for name, value in stability.items()},
        stable=stable and {k: texts(v) if k in STABLE else v for k, v in stable.items()},
        alternatives=rows_of(facts["alternatives"], PAIR),
        effects=effects,
        points=points_of(facts["points"]),
        effective_rows=table(
            {"class": (facts["classes"] or [""]) if weights else (), "rows": weights},
            {"class": str, "rows": float},
        ),
        levels=levels,
        rule=facts["rule"] or "",
        positive=facts["positive"] or "",
        always=tuple(facts["always"]),
        groups=facts["groups"],
        parameters=facts["parameters"],
        model=found.saved().to_json(),
        facts=told,
    )


METHODS = {"method": str, "nested": int, "inner": float}
STABLE = ("features", "above", "doubtful")


def _pairs(shares: Mapping[str, float]) -> tuple[list[str], list[float]]:
    return [*shares], [*shares.values()]


def _chance(chance: Plain | None) -> dict[str, Any] | None:
    if chance is None:
        return None
    vectors = {"permuted": as_vector(chance["permuted"], tuple[float, ...])}
    return {**chance, "error": as_vector(chance.get("error"), float), **vectors}


def facts_of_method(found: Signature) -> dict[str, Any]:
    """The method in words, and the parameters of the call."""
    key = found.method_.key
    own = get_method(key).about if key in method_keys() else None
    given, defaults = found.get_params(deep=False), Signature().get_params(deep=False)
    return {
        "method": key,
        "size": found.size_,
        "title": key if own is None else own.line,
        "paper": "" if own is None else own.paper,
        "draws": True,  # of folds and halves
        "seed": (float(given["random_state"]),),  # as it was asked
        **settings(given, {name: defaults[name] for name in ("size", *OPTIONS)}),
    }


class Prediction(Struct, rename={"classes": "class"}):
    """What a model says of rows."""

    decision: RVector | None  # of two classes a vector, above 0 for the last one; of more a matrix
    classes: tuple[str, ...] | None = None
    probabilities: RVector | None = None  # a column for each class


def predictions(text: str, frame: pd.DataFrame) -> Prediction:
    """Classes, decision values and probabilities of the rows of a frame, or numbers or risks."""
    saved = signature_of(text)
    rows = saved.rows_of(frame)
    if saved.kind != "classes":
        return Prediction(as_vector(saved.predict(rows)))
    decisions = saved.reported_decisions(rows)
    found = predicted(saved.facts.classes, saved.predict(rows), decisions)
    if saved.calibration is not None:
        labels = map(text_of, saved.facts.classes)
        found.probabilities = matrix(saved.calibration.of(decisions), labels)
    return found


def predicted(labels: Sequence[object], classes: np.ndarray, decisions: np.ndarray) -> Prediction:
    """:func:`predictions` with these labels, without probabilities."""
    of_two = decisions.ndim == 1 or decisions.shape[1] == 1
    found = as_vector(decisions.ravel()) if of_two else matrix(decisions, map(text_of, labels))
    return Prediction(found, tuple(map(text_of, classes.tolist())))


def report(text: str, path: str, target: str) -> str:
    """Write the page of a saved signature; where it is."""
    from hetsel.report.pages.signature_page import write_signature_report  # loads matplotlib

    facts = replace(facts_in_r(signature_of(text).facts), target=target)
    return os.path.abspath(write_signature_report(facts, path))


def facts_in_r(facts: SignatureFacts) -> SignatureFacts:
    """The facts with the classes as R writes them."""
    names = {str(label): text_of(label) for label in facts.classes}
    reason, one = facts.reason, facts.performance
    return replace(
        facts,
        classes=list(names.values()),
        positive=None if facts.positive is None else text_of(facts.positive),
        performance=None if one is None else recalls_in_r(one, names),
        probabilities=probabilities_in_r(facts.probabilities),
        effects=with_labels(facts.effects, names),
        reason=with_r_values(reason) if set(names) == {"False", "True"} else reason,
    )


Judged = TypeVar("Judged", bound=Performance)


def recalls_in_r(performance: Judged, names: Mapping[str, str]) -> Judged:
    """The performance with the classes by their names in R."""
    measures = [
        one if one.of_class is None else replace(one, of_class=names[one.of_class])
        for one in performance.measures
    ]
    return replace(performance, measures=measures)


def performance_of(one: Performance | None) -> RVector:
    """The measures, as :meth:`hetsel.signature.performance.Performance.frame` has them."""
    records = (
        {
            **plain_values(measure),
            "measure": SHORT.get(measure.key, measure.label),
            "class": measure.of_class or "",
        }
        for measure in (() if one is None else one.measures)
    )
    return rows_of(records, PERFORMANCE)


def _estimate(one: NestedPerformance) -> dict[str, object]:
    """How the performance was found."""
    read, optimism, learning = (
        nan if value is None else value for value in (one.inner, one.optimism, one.learning)
    )
    first = {"inner_bcr": read} if one.kind == "classes" else {"chance": one.chance, "inner": read}
    found = {name: getattr(one, name) for name in ("folds", "runs", "low_alone")}
    return {**first, "optimism": optimism, "learning": learning, **found}


def _halves(found: Signature) -> tuple[tuple[str, ...], ...]:
    names = found.schema_.names
    chosen = found.selected_ if found.selected_ is not None else ()
    masks = [zip(names, mask, strict=True) for mask in chosen]
    return tuple(tuple(name for name, kept in mask if kept) for mask in masks)
