"""Validate a signature on new labeled rows for R."""

import os
from collections.abc import Sequence

import numpy as np
import pandas as pd
from msgspec.structs import replace

from hetsel.ground.sealed_json import plain_values, read_json, refuse_changed, sealed_json
from hetsel.signature.saved_signature import signature_of
from hetsel.signature.validation import validated
from hetsel.signature.validation.validated import Before, Validation
from hetsel.tables.validation import weights_of_rows
from hetsel.words.validation_sentences import sentences
from r_bridge.from_r.asked import Cells, Labels, groups_of, weights_of
from r_bridge.from_r.described import named_counts, with_r_labels
from r_bridge.from_r.probability_tables import probabilities_asked, probabilities_of
from r_bridge.from_r.r_words import text_of
from r_bridge.from_r.signatures import performance_of
from r_bridge.r_vectors import Values, as_vector, fields, kinds, table, texts

FEATURE = {"feature": str} | kinds(float, "missing", "missing_before") | {"unseen": int}
FEATURE |= {"levels": str} | kinds(int, "below", "above")
FEATURE |= kinds(float, "shift", "shift_by_chance", "pvalue")


def validate_signature(
    model: str,
    columns: pd.DataFrame,
    target: Labels,
    row_groups: Cells | None = None,
    row_weights: Cells | None = None,
    by: pd.DataFrame | None = None,
    seen: str = "error",
    options: Values | None = None,
) -> Values:
    """Validate a signature on new rows like :func:`hetsel.validate_signature`."""
    saved = signature_of(str(model), "the model of the signature")
    classes = saved.facts.classes
    weights = weights_of(row_weights)
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
        **probabilities_asked(options, classes),
    )
    return contents(found)


def validation_report(facts: str, path: str) -> str:
    """Write the report of a validation from its facts and return its path."""
    from hetsel.report.pages.validation_page import write_validation_report  # loads matplotlib

    content = read_json(str(facts), "x$facts")
    refuse_changed(content, "x$facts")
    return os.path.abspath(write_validation_report(content, path))


def contents(given: Validation) -> Values:
    """Convert a validation and the estimates of the signature, with classes as in R."""
    names = {str(label): text_of(label) for label in given.classes}
    found = replace(with_r_labels(given, names), classes=[*names.values()])
    facts, before, compared = plain_values(found), found.before, found.compared
    features = ({**one, "levels": ", ".join(one["levels"])} for one in facts["features"])
    ends = () if compared is None else (compared.difference, compared.low, compared.high)

    def worth(of: Validation | Before) -> Values:
        probabilities = probabilities_of(of.probabilities, facts["classes"])
        return {"performance": performance_of(of.performance), "probabilities": probabilities}

    return {
        "sentences": texts(sentences(found)),
        **worth(found),
        "features": table(features, FEATURE),
        "verdict": "" if compared is None else compared.verdict,
        "difference": as_vector(ends, tuple[float, ...]),  # new minus estimated
        "before": {"rows": before.rows, **worth(before)},
        "rows": found.rows,
        "classes": named_counts(facts["classes"], facts["class_rows"]),
        **fields(found, "groups", "left_out", "equal_by_chance", "unchecked"),
        **fields(found, "signature", "kind", "version"),
        "facts": sealed_json(facts),  # all of it
    }


def _in_labels_of(classes: Sequence[object], y: Labels) -> Labels:
    """Convert the target; TRUE and FALSE as text are labels if the signature has them."""
    if not all(isinstance(label, bool) for label in classes) or not len(classes):
        return y
    names = {text_of(label): label for label in classes}
    cells = np.asarray(y, dtype=object)
    if all(cell in names for cell in cells.tolist()):
        return np.array([names[cell] for cell in cells.tolist()])
    return y
