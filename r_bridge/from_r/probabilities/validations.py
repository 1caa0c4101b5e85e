"""What a signature is worth on new labeled rows, for R."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from hetsel.ground.sealed_json import plain_values, read_json, refuse_changed, sealed_json
from hetsel.signature.saved_signature import signature_of
from hetsel.signature.validation import validated
from hetsel.signature.validation.new_performance import Comparison
from hetsel.signature.validation.validated import Validation
from hetsel.tables.validation import weights_of_rows
from hetsel.words.validation_sentences import sentences
from r_bridge.from_r.answering import answer
from r_bridge.from_r.described import NONE, by_column, text_of
from r_bridge.from_r.fitted import groups_of, row_weights_of
from r_bridge.from_r.probabilities.probability_tables import (
    by_asked,
    probabilities_asked,
    probabilities_by_column,
    probabilities_in_r,
)
from r_bridge.from_r.signatures import performance_by_column, recalls_in_r
from r_bridge.from_r.vectors import frame_of, target_of

FEATURE = (
    *("feature", "missing", "missing_before", "unseen", "levels", "below", "above"),
    *("shift", "shift_by_chance", "pvalue"),
)


@answer
def validate_signature(
    model: str,
    columns: Sequence[Mapping[str, Any]],
    target: Mapping[str, Any],
    row_groups: Mapping[str, Any] | None = None,
    row_weights: Mapping[str, Any] | None = None,
    by: Sequence[Mapping[str, Any]] | None = None,
    seen: str = "error",
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Judge a signature by new rows; as :func:`hetsel.validate_signature` does in Python.

    Parameters
    ----------
    model : str
        Text of a saved signature.
    columns, target, row_groups, row_weights, by
        Of the new rows, as :func:`r_bridge.from_r.entry_points.select` takes them.
    seen : {"error", "drop"}
        What to do with rows of the fit.
    options : dict, optional
        ``prevalence``, ``thresholds`` and ``cost_of_missing``; None takes what the signature was
        asked.

    Returns
    -------
    dict
        See :func:`contents`.
    """
    saved = signature_of(str(model))
    frame, classes = frame_of(columns), saved.facts.classes
    weights = row_weights_of(row_weights)
    if weights is not None:
        weights = weights_of_rows(weights, len(frame), "row_weights")
    found = validated.validate_signature(
        saved,
        frame,
        _in_labels_of(classes, target_of(target)),
        weights,
        groups=groups_of(row_groups, len(frame)),
        by=by_asked(by),
        seen=str(seen),
        **probabilities_asked(options or {}, classes),
    )
    return contents(found)


@answer
def validation_report(facts: str, path: str) -> dict[str, Any]:
    """Write the page of a validation from its facts; ``path`` of what was written."""
    from hetsel.report.pages.validation_page import write_validation_report  # loads matplotlib

    content = read_json(str(facts), "the text of the facts")
    refuse_changed(content, "the text of the facts")
    return {"path": os.path.abspath(write_validation_report(content, path))}


def contents(given: Validation) -> dict[str, Any]:
    """What new rows say, see :class:`hetsel.signature.validation.validated.Validation`.

    Classes are text as R writes it, NaN stands for None.

    Returns
    -------
    dict
        Of the facts ``rows``, ``groups``, ``classes``, ``class_rows``, ``left_out``, ``unchecked``,
        ``equal_by_chance``, ``signature``, ``kind`` and ``version``; ``verdict`` and ``difference``
        of the comparison; by column ``performance`` and ``features``;
        ``probabilities``, as of a signature; ``before``, with ``performance``, ``probabilities``
        and ``rows``, what the signature said of itself; ``sentences``; ``facts``, all of it as
        text.
    """
    found = validation_in_r(given)
    facts, before = plain_values(found), found.before
    kept = ("rows", "classes", "class_rows", "left_out", "unchecked", "signature", "kind")
    features = [{**one, "levels": ", ".join(one["levels"])} for one in facts["features"]]
    compared = found.compared
    return {
        **{name: facts[name] for name in (*kept, "version", "equal_by_chance")},
        "verdict": "" if compared is None else compared.verdict,
        "difference": _difference(compared),
        "groups": NONE if found.groups is None else found.groups,
        "performance": performance_by_column(found.performance),
        "probabilities": probabilities_by_column(found.probabilities, facts["classes"]),
        "features": by_column(features, FEATURE),
        "before": {
            "rows": before.rows,
            "performance": performance_by_column(before.performance),
            "probabilities": probabilities_by_column(before.probabilities, facts["classes"]),
        },
        "sentences": sentences(found),
        "facts": sealed_json(facts),
    }


def _difference(compared: Comparison | None) -> list[float]:
    """The difference of the main measure and the ends of its interval; nothing where not known."""
    return [] if compared is None else [compared.difference, compared.low, compared.high]


def validation_in_r(facts: Validation) -> Validation:
    """The same with the classes as R writes them."""
    names = {str(label): text_of(label) for label in facts.classes}
    before, one = facts.before, facts.before.performance
    return replace(
        facts,
        classes=[*names.values()],
        performance=recalls_in_r(facts.performance, names),
        probabilities=probabilities_in_r(facts.probabilities),
        before=replace(
            before,
            performance=None if one is None else recalls_in_r(one, names),
            probabilities=probabilities_in_r(before.probabilities),
        ),
    )


def _in_labels_of(classes: Sequence[Any], y: Any) -> Any:
    """The target; TRUE and FALSE as text are labels where the signature knows these."""
    if not all(isinstance(label, bool) for label in classes) or not len(classes):
        return y
    names = {text_of(label): label for label in classes}
    cells = np.asarray(y, dtype=object)
    if all(cell in names for cell in cells.tolist()):
        return np.array([names[cell] for cell in cells.tolist()])
    return y
