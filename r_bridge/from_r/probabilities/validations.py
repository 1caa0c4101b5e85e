"""What a signature is worth on new labeled rows, for R."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hetsel.ground.sealed_json import read_json, refuse_changed, sealed_json
from hetsel.signature.saved_signature import signature_of
from hetsel.signature.validation import validated
from hetsel.tables.validation import weights_of_rows
from hetsel.words.validation_sentences import sentences
from r_bridge.from_r.asked import Column, Frame, Target
from r_bridge.from_r.described import NONE, by_column, text_of
from r_bridge.from_r.fitted import groups_of, row_weights_of
from r_bridge.from_r.probabilities.probability_tables import (
    probabilities_asked,
    probabilities_by_column,
    probabilities_in_r,
)
from r_bridge.from_r.signatures import performance_by_column, recalls_in_r

FEATURE = (
    *("feature", "missing", "missing_before", "unseen", "levels", "below", "above"),
    *("shift", "shift_by_chance", "pvalue"),
)


def validate_signature(
    model: str,
    columns: Frame,
    target: Target,
    row_groups: Column | None = None,
    row_weights: Column | None = None,
    by: Frame | None = None,
    seen: str = "error",
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Judge a signature by new rows; as :func:`hetsel.validate_signature` does in Python."""
    saved = signature_of(str(model))
    classes = saved.facts["classes"]
    weights = row_weights_of(row_weights)
    if weights is not None:
        weights = weights_of_rows(weights, len(columns), "row_weights")
    found = validated.validate_signature(
        saved,
        columns,
        _in_labels_of(classes, target),
        weights,
        groups=groups_of(row_groups, len(columns)),
        by=by,
        seen=str(seen),
        **probabilities_asked(options or {}, classes),
    )
    return contents(found.facts)


def validation_report(facts: str, path: str) -> str:
    """Write the page of a validation from its facts; the path of what was written."""
    from hetsel.report.pages.validation_page import write_validation_report  # loads matplotlib

    content = read_json(str(facts), "the text of the facts")
    refuse_changed(content, "the text of the facts", earlier=True)
    return os.path.abspath(write_validation_report(content, path))


def contents(given: Mapping[str, Any]) -> dict[str, Any]:
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
    facts = validation_in_r(given)
    before = facts["before"]
    rows = before["rows"]
    kept = ("rows", "classes", "class_rows", "left_out", "unchecked", "signature", "kind")
    features = [{**one, "levels": ", ".join(one["levels"])} for one in facts["features"]]
    return {
        **{name: facts[name] for name in (*kept, "version")},
        "equal_by_chance": facts.get("equal_by_chance", 0),
        "verdict": (facts.get("compared") or {}).get("verdict", ""),
        "difference": _difference(facts.get("compared")),
        "groups": NONE if facts["groups"] is None else facts["groups"],
        "performance": performance_by_column(facts["performance"], facts["rows"]),
        "probabilities": probabilities_by_column(facts["probabilities"], facts["classes"]),
        "features": by_column(features, FEATURE),
        "before": {
            "rows": rows,
            "performance": performance_by_column(before["performance"], rows),
            "probabilities": probabilities_by_column(before["probabilities"], facts["classes"]),
        },
        "sentences": sentences(facts),
        "facts": sealed_json(facts),
    }


def _difference(compared: Mapping[str, Any] | None) -> list[float]:
    """The difference of the main measure and the ends of its interval; nothing where not known."""
    return [] if compared is None else [compared[key] for key in ("difference", "low", "high")]


def validation_in_r(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the classes as R writes them."""
    names = {str(label): text_of(label) for label in facts["classes"]}

    def parts(one: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "performance": recalls_in_r(one["performance"], names),
            "probabilities": probabilities_in_r(one["probabilities"]),
        }

    before = {**facts["before"], **parts(facts["before"])}
    return {**facts, "classes": [*names.values()], **parts(facts), "before": before}


def _in_labels_of(classes: Sequence[Any], y: Any) -> Any:
    """The target; TRUE and FALSE as text are labels where the signature knows these."""
    if not all(isinstance(label, bool) for label in classes) or not len(classes):
        return y
    names = {text_of(label): label for label in classes}
    cells = np.asarray(y, dtype=object)
    if all(cell in names for cell in cells.tolist()):
        return np.array([names[cell] for cell in cells.tolist()])
    return y
