"""What a saved signature is worth on labeled rows that it has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from hetsel import sentences_of
from hetsel.ground.errors import Fix, TableError
from hetsel.ground.text import counted, listed
from hetsel.pitfalls.cautions_on_rows import COPIES, asked_groups
from hetsel.pitfalls.repeated_rows import RepeatedRows
from hetsel.signature.probabilities.asked_probabilities import (
    AskedProbabilities,
    asked_probabilities,
)
from hetsel.signature.probabilities.probability_facts import PredictedRows, probability_facts
from hetsel.signature.probabilities.subgroups import of_one_group, part_facts, subgroups_of
from hetsel.signature.request import columns_by, refuse_for_classes
from hetsel.signature.saved_signature import SavedSignature
from hetsel.signature.validation.new_performance import class_measures, comparison, value_measures
from hetsel.signature.validation.row_sketches import seen_rows
from hetsel.signature.validation.training_reference import new_rows_facts
from hetsel.statistics.performance.concordance_intervals import area_of_rows
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.tables import Classes, Schema, Target, read_target
from hetsel.tables.frames import frame_or_array
from hetsel.tables.levels_and_times import is_number
from hetsel.tables.row_labels import refuse_other_rows
from hetsel.tables.validation import weights_of_rows

NAMED = 5  # rows that a message names


@dataclass(frozen=True, eq=False)
class Validation:
    """What a signature is worth on new rows.

    Parameters
    ----------
    facts : dict
        `performance`, as of the signature but by new rows alone; `probabilities`, see
        :mod:`hetsel.signature.probabilities.probability_facts`; `before`, what the signature said
        of itself; `compared`, see
        :func:`hetsel.signature.validation.new_performance.comparison`; `features`, see
        :func:`hetsel.signature.validation.training_reference.new_rows_facts`; `rows`, `classes`,
        `class_rows`, `groups`, `left_out`, the rows of the fit that were left out,
        `equal_by_chance`, rows that equal rows of the fit and are taken as new, `unchecked`, why
        rows of the fit could not be looked for, and `signature`, its features.
    """

    facts: dict[str, Any]

    def summary(self) -> str:
        """What it comes to, a sentence a line."""
        return sentences_of("validation", self.facts)


def validate_signature(
    signature: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    groups: Any = None,
    by: Any = None,
    seen: str = "error",
    prevalence: Any = None,
    thresholds: Any = None,
    cost_of_missing: float | None = None,
) -> Validation:
    """Judge a signature by labeled rows that it has not seen: external validation.

    The rows of a part that is one group count one by one: its interval is of that group alone.

    Parameters
    ----------
    signature : SavedSignature or Signature
    X : DataFrame with n rows
        With the columns of the signature; levels that it does not know are predicted as adding
        nothing, values beyond its range as its end.
    y : array-like of shape (n,)
        Of the kind of the signature; no class that it does not know. Of rows of one class only its
        recall is told.
    sample_weight : array-like of shape (n,), optional
        Weight of each row; 0 leaves it out.
    groups : array-like of shape (n,), "copies" or "rows", optional
        Labels of the rows: those of one label belong together, in intervals; "copies", equal or
        nearly equal rows (default); or "rows", each row for itself.
    by : column name, sequence of them, or DataFrame with n rows, optional
        Columns in whose parts (levels, or thirds of numbers) the performance is told as well.
    seen : {"error", "drop"}
        What becomes of rows that the signature was learned from, or nearly equal ones: "error", or
        "drop", which leaves them out. Default "error".
    prevalence, thresholds, cost_of_missing
        As :class:`hetsel.Signature` takes them; None takes what the signature was asked.

    Returns
    -------
    Validation

    Raises
    ------
    TableError
        Columns that lack, classes that are not known; rows of the fit among the new ones.
    """
    refuse_other_rows(X, y=y, sample_weight=sample_weight, groups=groups, by=by)
    if not hasattr(signature, "facts"):
        raise TableError(
            "signature must be a fitted Signature, or hetsel.load_signature(path). "
            f"Got {signature!r:.60}"
        )
    saved = signature if isinstance(signature, SavedSignature) else signature.saved()
    frame: Any = frame_or_array(X)
    if not hasattr(frame, "columns"):
        raise TableError("validation needs a frame with the columns of the signature by name")
    if seen not in ("error", "drop"):
        raise TableError(f"seen must be 'error' or 'drop'. Got {seen!r:.60}")
    saved.columns(frame)
    rows, equal, unchecked = np.ones(len(frame), dtype=bool), None, ""
    if saved.reference is None or "all" not in saved.reference:
        unchecked = "the file of the signature has no sketches of its rows"
    else:
        found, equal = seen_rows(_known(saved.reference, frame), frame)
        if found.any() and seen != "drop":
            _refuse_seen(found, len(frame))
        rows &= ~found
        if not rows.any():
            raise TableError(
                f"of {counted(len(frame), 'row')} none is new: each equals one that the signature "
                "was learned from, or nearly. Give rows that it has not seen"
            )
    weights = None if sample_weight is None else weights_of_rows(sample_weight, len(frame))
    if weights is not None:
        rows &= weights > 0
        if not rows.any():
            raise TableError("no row is left that has a weight above 0 and that was not in the fit")
    target = _target(saved, y, len(frame))
    codes, copies = _groups(saved, frame, target, groups)
    if codes is not None:
        codes = np.unique(codes[rows], return_inverse=True)[1]
    count = None if codes is None else int(codes.max()) + 1
    given = _Given(
        frame[rows].reset_index(drop=True),
        target.arranged(np.flatnonzero(rows)),  # with the classes that no row has
        np.ones(int(rows.sum())) if weights is None else _by_mean(weights[rows]),
        None if copies is None and of_one_group(codes) else codes,
    )
    asks = {"prevalence": prevalence, "thresholds": thresholds}
    refuse_for_classes(target, **asks, cost_of_missing=cost_of_missing, by=by)
    asked = _asked(saved, prevalence, thresholds, cost_of_missing)
    parts = {} if by is None else subgroups_of(columns_by(frame, by), len(frame))
    kept = {name: [replace(p, rows=p.rows[rows]) for p in each] for name, each in parts.items()}
    facts = _facts(saved, given, asked, kept)
    facts |= {"left_out": int((~rows).sum()), "unchecked": unchecked, "groups": count}
    facts["equal_by_chance"] = 0 if equal is None else int((equal & rows).sum())
    facts |= {"copies": None if copies is None else copies.rows}
    return Validation(facts)


@dataclass(frozen=True, eq=False)
class _Given:
    frame: Any
    target: Target
    weights: np.ndarray
    groups: np.ndarray | None


def _by_mean(weights: np.ndarray) -> np.ndarray:
    shares = weights / weights.max()  # first, so that no sum is too large
    return np.asarray(shares / shares.mean())


def _groups(
    saved: SavedSignature, frame: Any, target: Target, groups: Any
) -> tuple[np.ndarray | None, RepeatedRows | None]:
    """Group (n,) of each row, and the equal or nearly equal rows, where these are the groups."""
    schema: Schema = saved.model.schema_
    if saved.reference is not None and "all" in saved.reference:
        schema = Schema.from_dict(_known(saved.reference, frame)["schema"])
    table = schema.encode(frame, unseen="separate")
    return asked_groups(COPIES if groups is None else groups, table, target)


def _known(reference: Mapping[str, Any], frame: Any) -> Mapping[str, Any]:
    """Sketches of all columns of the fit if the frame has them, else of those of the signature."""
    every = Schema.from_dict(reference["all"]["schema"]).names
    whole = all(name in frame.columns for name in every)
    return cast(Mapping[str, Any], reference["all" if whole else "own"])


def _refuse_seen(found: np.ndarray, n: int) -> None:
    places = (np.flatnonzero(found)[:NAMED] + 1).tolist()
    raise TableError(
        f"{counted(int(found.sum()), 'row')} of {n} equal rows that the signature was learned "
        f"from, or nearly: rows {listed(map(str, places))}"
        f"{' and others' if found.sum() > NAMED else ''}; they cannot judge it",
        Fix("seen", "drop", "leaves them out"),
    )


def _target(saved: SavedSignature, y: Any, n: int) -> Target:
    """The target of the new rows; classes in the order of the signature."""
    kind: Any = saved.kind
    target = read_target(y, n, kind, fewest=0)  # what can be told of one class is told
    if not isinstance(target, Classes):
        return target
    known = [_without_point(label) for label in saved.facts["classes"]]
    labels = [_without_point(label) for label in target.labels.tolist()]
    strange = [label for label in labels if label not in known]
    if strange:
        raise TableError(
            f"the signature knows the classes {listed(known)}. The target has {listed(strange)}"
        )
    places = np.array([known.index(label) for label in labels])
    return Classes(places[target.codes], np.array(saved.facts["classes"]))


def _without_point(label: Any) -> str:
    """A label as text; 1.0 and 1 are one."""
    text = str(label)
    return text.removesuffix(".0") if is_number(text) else text


def _asked(
    saved: SavedSignature, prevalence: Any, thresholds: Any, cost_of_missing: Any
) -> AskedProbabilities | None:
    if saved.kind != "classes":
        return None
    before = saved.facts.get("probabilities") or {}
    cost = before.get("cost_of_missing") if cost_of_missing is None else cost_of_missing
    marks = before.get("thresholds") if thresholds is None else thresholds
    asked = asked_probabilities(saved.facts["classes"], prevalence, marks, cost)
    if asked.prevalence is None and saved.calibration is not None:
        return replace(asked, prevalence=saved.calibration.prevalence)
    return asked


def _facts(
    saved: SavedSignature,
    given: _Given,
    asked: AskedProbabilities | None,
    by: Mapping[str, Sequence[Any]],
) -> dict[str, Any]:
    cells = saved.model.schema_.encode(saved.columns(given.frame), unseen="separate")
    decisions = saved.reported_decisions(cells)
    facts: dict[str, Any] = {
        "rows": len(given.target),
        "signature": [*saved.features],
        "kind": saved.kind,
        "before": {k: saved.facts.get(k) for k in ("performance", "probabilities", "rows")},
        "version": saved.facts["version"],
        "features": [],
        "classes": [],
        "class_rows": [],
        "probabilities": None,
    }
    if saved.reference is not None:
        facts["features"] = new_rows_facts(
            saved.reference,
            saved.model.schema_,
            given.frame,
            groups=given.groups,
            groups_before=saved.facts.get("groups"),
        )
    shared: dict[str, Any] = {"weights": given.weights, "groups": given.groups}
    if asked is None:
        measures = value_measures(given.target, decisions, **shared)
        return facts | _judged(saved, measures)
    assert isinstance(given.target, Classes)
    labels, codes = [*saved.facts["classes"]], given.target.codes
    facts |= {
        "classes": labels,
        "class_rows": np.bincount(codes, minlength=len(labels)).tolist(),
        **_judged(saved, class_measures(codes, decisions, labels, **shared)),
    }
    if saved.calibration is None or len(np.unique(codes)) < 2:
        return facts
    rows = PredictedRows(
        codes,
        replace(saved.calibration, prevalence=asked.prevalence).of(decisions),
        given.weights,
        given.groups,
        1.0,
        len(codes),
    )
    found = probability_facts(rows, labels, asked)
    values = decisions.reshape(len(codes), -1)

    def area(part: np.ndarray) -> RateInterval:
        groups = None if of_one_group(given.groups, part) else given.groups
        return area_of_rows(codes, values, given.weights * part, groups)

    found["by"] = part_facts(rows, codes, labels, by, asked, area)
    return facts | {"probabilities": found}


def _judged(saved: SavedSignature, performance: dict[str, Any]) -> dict[str, Any]:
    """The performance, and whether it is what the signature said."""
    compared = comparison(performance, saved.facts.get("performance"))
    return {"performance": performance, "compared": compared}
