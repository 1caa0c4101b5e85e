"""What a signature is worth on new labeled rows, for R."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from hetsel.ground.sealed_json import plain_values, read_json, refuse_changed, sealed_json
from hetsel.signature.saved_signature import signature_of
from hetsel.signature.validation import validated
from hetsel.signature.validation.validated import Validation
from hetsel.tables.validation import weights_of_rows
from hetsel.words.validation_sentences import sentences
from r_bridge.from_r.asked import Column, Frame, Options, Target, groups_of, row_weights_of
from r_bridge.from_r.described import kinds_of_columns as kinds
from r_bridge.from_r.described import named_counts, rows_of, text_of
from r_bridge.from_r.probability_tables import (
    ProbabilitiesAnswer,
    probabilities_asked,
    probabilities_in_r,
    probabilities_of,
)
from r_bridge.from_r.signatures import performance_of, recalls_in_r
from r_bridge.r_vectors import RVector

FEATURE = {"feature": str} | kinds(float, "missing", "missing_before") | {"unseen": int}
FEATURE |= {"levels": str} | kinds(int, "below", "above")
FEATURE |= kinds(float, "shift", "shift_by_chance", "pvalue")


class Before(Struct):
    """What a signature said of itself."""

    rows: int
    performance: RVector
    probabilities: ProbabilitiesAnswer | None


class ValidationAnswer(Struct, kw_only=True):
    """What new rows say of a signature; classes are text as R writes it."""

    sentences: tuple[str, ...]
    performance: RVector
    probabilities: ProbabilitiesAnswer | None
    features: RVector
    verdict: str
    difference: tuple[float, ...]  # of the main measure, and its ends, where they are known
    before: Before
    rows: int
    classes: RVector
    groups: int | None
    left_out: int
    equal_by_chance: int
    unchecked: object
    signature: tuple[str, ...]
    kind: str
    version: str
    facts: str  # all of it


def validate_signature(
    model: str,
    columns: Frame,
    target: Target,
    row_groups: Column | None = None,
    row_weights: Column | None = None,
    by: Frame | None = None,
    seen: str = "error",
    options: Options | None = None,
) -> ValidationAnswer:
    """Judge a signature by new rows; as :func:`hetsel.validate_signature` does in Python."""
    saved = signature_of(str(model))
    classes = saved.facts.classes
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
    return contents(found)


def validation_report(facts: str, path: str) -> str:
    """Write the page of a validation from its facts; the path of what was written."""
    from hetsel.report.pages.validation_page import write_validation_report  # loads matplotlib

    content = read_json(str(facts), "the text of the facts")
    refuse_changed(content, "the text of the facts")
    return os.path.abspath(write_validation_report(content, path))


def contents(given: Validation) -> ValidationAnswer:
    """What new rows say."""
    found = validation_in_r(given)
    facts, before, compared = plain_values(found), found.before, found.compared
    features = ({**one, "levels": ", ".join(one["levels"])} for one in facts["features"])
    classes = facts["classes"]
    ends = () if compared is None else (compared.difference, compared.low, compared.high)
    kept = ("rows", "groups", "left_out", "equal_by_chance", "unchecked", "kind", "version")
    return ValidationAnswer(
        sentences=tuple(sentences(found)),
        performance=performance_of(found.performance),
        probabilities=probabilities_of(found.probabilities, classes),
        features=rows_of(features, FEATURE),
        verdict="" if compared is None else compared.verdict,
        difference=ends,
        before=Before(
            before.rows,
            performance_of(before.performance),
            probabilities_of(before.probabilities, classes),
        ),
        classes=named_counts(classes, facts["class_rows"]),
        signature=tuple(facts["signature"]),
        facts=sealed_json(facts),
        **{name: facts[name] for name in kept},
    )


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


def _in_labels_of(classes: Sequence[object], y: Any) -> Any:
    """The target; TRUE and FALSE as text are labels where the signature knows these."""
    if not all(isinstance(label, bool) for label in classes) or not len(classes):
        return y
    names = {text_of(label): label for label in classes}
    cells = np.asarray(y, dtype=object)
    if all(cell in names for cell in cells.tolist()):
        return np.array([names[cell] for cell in cells.tolist()])
    return y
