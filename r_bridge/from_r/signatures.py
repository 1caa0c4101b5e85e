"""Signatures for R: what was found as plain vectors, and predictions by its text."""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from msgspec.structs import replace

from hetsel.evaluation.progress import StepProgress, StepsTold, clock
from hetsel.ground.errors import PlanError, TableError
from hetsel.ground.sealed_json import plain_values
from hetsel.methods.registry import get_method, method_keys
from hetsel.questions.of_a_table import Scale
from hetsel.questions.option import asked_in
from hetsel.questions.select import Probabilities, Procedure, SelectedTarget
from hetsel.signature.estimator import Signature
from hetsel.signature.performance import NestedPerformance, Performance
from hetsel.signature.saved_signature import signature_of
from hetsel.signature.signature_facts import SignatureFacts
from hetsel.words.signature_sentences import sentences
from r_bridge.from_r.described import NONE, by_column, or_nan, settings, text_of
from r_bridge.from_r.effects import effects_by_column, points_by_column, with_labels
from r_bridge.from_r.fitted import parameters_of
from r_bridge.from_r.probabilities.probability_tables import (
    probabilities_by_column,
    probabilities_in_r,
)
from r_bridge.from_r.r_words import with_r_values
from r_bridge.from_r.vectors import kinds_of, strings, usable_jobs, whole

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
    asked: Mapping[str, Any],
    kinds: Mapping[str, Any],
    seed: Any,
    options: Mapping[str, Any],
    jobs: Any,
) -> Signature:
    """The estimator of a call; None in the options is left out.

    Raises
    ------
    TableError
        An option that a signature has not, or that says nothing.
    PlanError
        A number of worker processes that is none.
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
    if workers is not None and workers < 0:
        raise PlanError(f"jobs must be a whole number, 0 or larger. Got {workers}")
    return Signature(
        **asked,
        **kinds_of(kinds),
        **given,
        random_state=whole(seed),
        n_jobs=-1 if workers is None else max(workers, 1),
    )


def methods_asked(method: Any, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
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


def contents(found: Signature) -> dict[str, Any]:
    """What a fitted signature says, as :meth:`hetsel.Signature.facts` has it.

    Classes and levels are text as R writes it, places of levels count from 1, NaN stands for None.

    Returns
    -------
    dict
        Of the facts ``verdict``, ``reason``, ``size``, ``rule``, ``chance``, ``stability``,
        ``stable``, ``method``, ``parameters`` and ``groups``; by column ``features``,
        ``performance``, ``alternatives``, ``effects``, ``points``, ``sizes``, ``frequency`` and
        ``effective_rows`` of weighted rows; ``probabilities``, what these are worth, see
        :mod:`r_bridge.from_r.probabilities.probability_tables`; ``halves``, the names that each
        half of the rows selects, in the order of the table; ``estimate``, how the performance was
        found;
        ``nested``, the sizes chosen within; ``methods``, of several by column which was chosen how
        often; ``levels`` of the categorical features;
        ``positive``, of two classes; of another target ``inner`` stands in the place of
        ``inner_bcr``; ``sentences``; ``model``, the text by which
        :func:`predictions` predicts; ``title``, ``paper``, ``options``, ``changed``.
    """
    answer = facts_in_r(found.facts())
    facts, one = plain_values(answer), answer.performance
    sizes, methods = facts["sizes"], facts["methods"]
    inner = "inner_auc" if answer.kind == "classes" else "inner"
    kept = ("verdict", "reason", "size", "chance", "stability", "stable", "method", "parameters")
    return {
        **{name: facts[name] for name in kept},
        "rule": facts["rule"] or "",
        "groups": NONE if facts["groups"] is None else facts["groups"],
        "features": by_column(facts["features"], ("feature", "kind", "frequency")),
        "performance": performance_by_column(one),
        "probabilities": probabilities_by_column(answer.probabilities, facts["classes"]),
        "estimate": None if one is None else _estimate(one),
        "alternatives": by_column(facts["alternatives"], tuple(found.alternatives_.columns)),
        **effects_by_column(found.model_.schema_, answer.effects, facts["classes"]),
        "points": points_by_column(facts["points"]),
        "sizes": {
            "size": sizes["sizes"] if sizes else [],
            inner: or_nan(sizes[inner]) if sizes else [],
        },
        "nested": sizes["nested"] if sizes else [],
        "methods": {
            "method": methods["tried"] if methods else [],
            "nested": methods["nested"] if methods else [],
            "inner": or_nan(methods["inner"]) if methods else [],
        },
        "frequency": {
            "feature": list(facts["frequency"]),
            "frequency": list(facts["frequency"].values()),
        },
        "halves": _halves(found),
        "effective_rows": {
            "class": (facts["classes"] or [""]) if facts["effective_rows"] else [],
            "rows": facts["effective_rows"] or [],
        },
        "positive": facts["positive"] or "",
        "always": facts["always"],
        "sentences": sentences(answer),
        "model": found.saved().to_json(),
        **_settings(found),
    }


def predictions(text: str, frame: pd.DataFrame) -> dict[str, Any]:
    """Classes, decision values and probabilities of the rows of a frame.

    Returns
    -------
    dict
        ``labels`` of the classes as R writes them; ``class``, one of them a row; ``decision``: of
        two classes a list with one vector, positive for the last class; of more one a class;
        ``probabilities``, one vector a class, if there are any. Of another target ``decision`` is a
        list with the numbers, or the risks.
    """
    saved = signature_of(text)
    rows = saved.rows_of(frame)
    if saved.kind != "classes":
        return {"labels": [], "class": [], "decision": [saved.predict(rows).tolist()]}
    decisions = saved.reported_decisions(rows)
    found = predicted(saved.facts.classes, saved.predict(rows), decisions)
    if saved.calibration is None:
        return found
    return found | {"probabilities": [one.tolist() for one in saved.calibration.of(decisions).T]}


def predicted(labels: Sequence[Any], classes: np.ndarray, decisions: np.ndarray) -> dict[str, Any]:
    """:func:`predictions` with these labels, without probabilities."""
    return {
        "labels": [text_of(label) for label in labels],
        "class": [text_of(label) for label in classes.tolist()],
        "decision": [column.tolist() for column in decisions.reshape(len(classes), -1).T],
    }


def report(text: str, path: str, target: str) -> dict[str, Any]:
    """Write the page of a saved signature; where it is."""
    from hetsel.report.pages.signature_page import write_signature_report  # loads matplotlib

    facts = replace(facts_in_r(signature_of(text).facts), target=target)
    return {"path": os.path.abspath(write_signature_report(facts, path))}


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


def performance_by_column(one: Performance | None) -> dict[str, list[Any]]:
    """The measures, as :meth:`hetsel.signature.performance.Performance.frame` has them."""
    content = [] if one is None else one.measures
    records = [
        {
            "measure": SHORT.get(measure.key, measure.label),
            "class": measure.of_class or "",
            **{name: getattr(measure, name) for name in ("rate", "low", "high", "rows")},
        }
        for measure in content
    ]
    return by_column(records, ("measure", "class", "rate", "low", "high", "rows"))


def _estimate(one: NestedPerformance) -> dict[str, Any]:
    """How the performance was found."""
    names = ("optimism", "learning", "folds", "runs", "low_alone")
    found = {name: getattr(one, name) for name in names}
    if one.kind == "classes":
        return {"inner_bcr": one.inner, **found}
    return {"chance": one.chance, "inner": one.inner, **found}


def _halves(found: Signature) -> list[list[str]]:
    names = found.schema_.names
    chosen = found.selected_ if found.selected_ is not None else ()
    return [[name for name, kept in zip(names, mask, strict=True) if kept] for mask in chosen]


def _settings(found: Signature) -> dict[str, Any]:
    """The method in words, and the parameters of the call."""
    key = found.method_.key
    own = get_method(key).about if key in method_keys() else None
    defaults = Signature().get_params(deep=False)
    return {
        "title": key if own is None else own.line,
        "paper": "" if own is None else own.paper,
        "draws": True,  # of folds and halves
        **settings(
            found.get_params(deep=False), {name: defaults[name] for name in ("size", *OPTIONS)}
        ),
    }
