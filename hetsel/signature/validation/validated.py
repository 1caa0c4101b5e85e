"""Evaluate a saved signature on labeled rows that it has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from msgspec import Struct, structs

from hetsel.ground import Fix, TableError, counted, did_you_mean, listed
from hetsel.pitfalls import cautions_on_rows, repeated_rows
from hetsel.signature import estimator, request, saved_signature, signature_facts
from hetsel.signature.performance import NestedPerformance, Performance
from hetsel.signature.probabilities import probability_facts
from hetsel.signature.probabilities.asked_probabilities import (
    AskedProbabilities,
    asked_probabilities,
)
from hetsel.signature.probabilities.subgroups import Subgroup, of_one_group, parts_of, subgroups_of
from hetsel.signature.validation import new_performance
from hetsel.signature.validation.new_performance import Comparison
from hetsel.signature.validation.row_sketches import Sketches, seen_rows
from hetsel.signature.validation.training_reference import NewCells, Reference, new_cells
from hetsel.statistics.performance.auc_and_concordance_intervals import area_of_rows
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.tables import (
    Classes,
    Survival,
    TargetKind,
    TypedTarget,
    frame_or_array,
    levels_and_times,
    read_target,
    refuse_other_rows,
    validation,
)
from hetsel.tables.survival_times import is_survival
from hetsel.tables.table import Schema

NAMED = 5  # rows that a message names


class Before(Struct, frozen=True):
    """The performance that a signature reported at training."""

    performance: NestedPerformance | None
    probabilities: probability_facts.ProbabilityFacts | None
    rows: int


class Validation(Struct, frozen=True, kw_only=True):
    """Report the performance of a signature on new rows.

    Attributes
    ----------
    rows : int
        Number of new rows.
    signature : list of str
        Features of the signature.
    kind : {"classes", "numbers", "survival"}
        Kind of the target.
    before : Before
        Performance, probabilities and number of rows at training.
    version : str
        Version of hetsel that selected the signature.
    features : list of NewCells
        Unseen values and drift of each feature.
    classes, class_rows : list
        Labels of the classes, and rows of each.
    probabilities : ProbabilityFacts or None
        Evaluation of the predicted probabilities.
    performance : Performance
        Measures with confidence intervals.
    compared : Comparison or None
        Difference to the performance at training.
    left_out : int
        Training rows, and rows of weight 0, that were left out.
    unchecked : str
        Why training rows could not be detected; empty if they could.
    groups : int or None
        Number of row groups.
    equal_by_chance : int
        Rows that equal training rows and count as new.
    copies : int or None
        Number of duplicate rows.

    See Also
    --------
    hetsel.validate_signature

    Examples
    --------
    >>> import hetsel
    >>> heart = hetsel.datasets.load("heart")
    >>> fitted = hetsel.Signature(size=3, quick=True).fit(heart.X[:200], heart.y[:200])
    >>> found = validate_signature(fitted, heart.X[200:], heart.y[200:])
    >>> isinstance(found, Validation), found.rows
    (True, 103)
    """

    rows: int
    signature: list[str]  # its features
    kind: TargetKind
    before: Before
    version: str  # of hetsel that selected the signature
    features: list[NewCells]  # drift of the new rows from the training rows
    classes: list[signature_facts.ClassLabel]
    class_rows: list[int]
    probabilities: probability_facts.ProbabilityFacts | None
    performance: Performance
    compared: Comparison | None  # whether it equals the performance at training
    left_out: int = 0  # training rows, or rows of weight 0
    unchecked: str = ""  # why training rows could not be detected
    groups: int | None = None
    equal_by_chance: int = 0  # rows that equal training rows and count as new
    duplicate_rows: int | None = None  # rows that equal or nearly equal others


def validate_signature(
    signature: estimator.Signature | saved_signature.SavedSignature,
    X: object,
    y: object,
    sample_weight: object = None,
    *,
    groups: object = None,
    by: object = None,
    seen: str = "error",
    prevalence: object = None,
    thresholds: object = None,
    harm_ratio: float | None = None,
) -> Validation:
    """Evaluate a signature on labeled rows that it has not seen: external validation.

    The measures are those of the signature, such as the balanced accuracy BCR = (1/C) sum_c r_c
    with the recalls r_c, with 95% CIs. Training rows among the new rows are detected, the drift of
    each feature is tested, and the performance is compared with that at training. In a subgroup
    that is one row group, rows count one by one: its confidence interval is that of this group.

    Parameters
    ----------
    signature : SavedSignature or Signature
    X : DataFrame with n rows
        With the columns of the signature. Unseen levels add nothing to the prediction, and values
        beyond the training range count as its end.
    y : array-like of shape (n,)
        A target of the signature's kind, without unknown classes. With rows of one class, only its
        recall is reported.
    sample_weight : array-like of shape (n,), optional
        Weight of each row; 0 leaves the row out.
    groups : array-like of shape (n,), "copies" or "rows", optional
        Group of each row, such as the patient; confidence intervals account for the groups.
        "copies" (default): hetsel looks for groups itself: duplicate rows (equal or nearly equal),
        and rows with the same value in a column whose name marks an identifier, such as patient. If
        it finds duplicate rows and an identifier, it uses whichever puts more rows into groups. An
        identifier that hetsel finds stays a feature in any case. "rows": each row is a separate
        group.
    by : column name, sequence of them, or DataFrame with n rows, optional
        Columns that define subgroups; performance is also reported in each subgroup. Each level is
        a subgroup. A column with more than 6 different numbers is divided into 3 subgroups of
        similar size: low, middle and high numbers.
    seen : {"error", "drop"}
        Handling of rows that are equal or nearly equal to a training row. "error": refuse them.
        "drop": leave them out. Default: "error".
    prevalence, thresholds, harm_ratio
        As in :class:`hetsel.Signature`; None uses the values of the signature.

    Returns
    -------
    Validation

    Raises
    ------
    TableError
        If columns are missing, a class is unknown, or training rows are among the new rows.

    See Also
    --------
    hetsel.write_validation_report : Write the report.

    References
    ----------
    Collins et al. (2024) BMJ 385, e078378 (TRIPOD+AI, item 16); Van Calster et al. (2019) BMC
    Medicine 17, 230 (calibration).

    Examples
    --------
    >>> import hetsel
    >>> heart = hetsel.datasets.load("heart")
    >>> fitted = hetsel.Signature(size=3, quick=True).fit(heart.X[:200], heart.y[:200])
    >>> found = hetsel.validate_signature(fitted, heart.X[200:], heart.y[200:])
    >>> found.rows, round(found.performance.main.value, 3)
    (103, 0.78)
    """
    refuse_other_rows(X, y=y, sample_weight=sample_weight, groups=groups, by=by)
    if not hasattr(signature, "facts"):
        raise TableError(
            "signature must be a fitted Signature, or hetsel.load_signature(path). Got "
            f"{signature!r:.60}"
        )
    saved = (
        signature if isinstance(signature, saved_signature.SavedSignature) else signature.saved()
    )
    frame = frame_or_array(X)
    if not isinstance(frame, pd.DataFrame):
        raise TableError(
            "X must be a frame with the columns of the signature by name. Got an array"
        )
    if seen not in ("error", "drop"):
        hint = did_you_mean(seen, ["error", "drop"])
        raise TableError(f"seen must be one of error, drop. Got {seen!r:.60}{hint}")
    saved.columns(frame)
    rows, equal, unchecked = np.ones(len(frame), dtype=bool), None, ""
    if saved.reference is None or saved.reference.all is None:
        unchecked = "the file of the signature has no sketches of its rows"
    else:
        found, equal = seen_rows(_known(saved.reference, frame), frame)
        if found.any() and seen != "drop":
            _refuse_seen(found, len(frame))
        rows &= ~found
        if not rows.any():
            raise TableError(
                f"none of {counted(len(frame), 'row')} is new: each equals or nearly equals a "
                "training row. Pass rows that the signature has not seen"
            )
    weights = (
        None if sample_weight is None else validation.weights_of_rows(sample_weight, len(frame))
    )
    if weights is not None:
        rows &= weights > 0
        if not rows.any():
            raise TableError(
                "no row is left that has a weight above 0 and is not a training row. Pass rows "
                "that the signature has not seen"
            )
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
    request.refuse_for_classes(target, **asks, harm_ratio=harm_ratio, by=by)
    asked = _asked(saved, prevalence, thresholds, harm_ratio)
    parts = {} if by is None else subgroups_of(request.columns_by(frame, by), len(frame))
    kept = {name: [replace(p, rows=p.rows[rows]) for p in each] for name, each in parts.items()}
    return structs.replace(
        _judged(saved, given, asked, kept),
        left_out=int((~rows).sum()),
        unchecked=unchecked,
        groups=count,
        equal_by_chance=0 if equal is None else int((equal & rows).sum()),
        duplicate_rows=None if copies is None else copies.rows,
    )


@dataclass(frozen=True, eq=False)
class _Given:
    frame: pd.DataFrame
    target: TypedTarget
    weights: np.ndarray
    groups: np.ndarray | None


def _by_mean(weights: np.ndarray) -> np.ndarray:
    shares = weights / weights.max()  # first, so that no sum overflows
    return np.asarray(shares / shares.mean())


def _groups(
    saved: saved_signature.SavedSignature, frame: pd.DataFrame, target: TypedTarget, groups: object
) -> tuple[np.ndarray | None, repeated_rows.RepeatedRows | None]:
    """Return the group (n,) of each row, and the duplicate rows if these are the groups."""
    schema: Schema = saved.model.schema_
    if saved.reference is not None and saved.reference.all is not None:
        schema = Schema.from_dict(_known(saved.reference, frame).schema)
    table = schema.encode(frame, unseen="separate")
    return cautions_on_rows.asked_groups(
        cautions_on_rows.COPIES if groups is None else groups, table, target
    )


def _known(reference: Reference, frame: pd.DataFrame) -> Sketches:
    """Return sketches of all training columns if the frame has them, else of the signature's."""
    assert reference.all is not None
    every = Schema.from_dict(reference.all.schema).names
    if reference.own is None or all(name in frame.columns for name in every):
        return reference.all
    return reference.own


def _refuse_seen(found: np.ndarray, n: int) -> None:
    places = (np.flatnonzero(found)[:NAMED] + 1).tolist()
    what = "equal or nearly equal training rows: rows"
    if len(places) == 1:
        what = "equals or nearly equals a training row: row"
    more = " and others" if found.sum() > NAMED else ""
    raise TableError(
        f"{counted(int(found.sum()), 'row')} of {n} {what} {listed(map(str, places))}{more}. "
        "Training rows cannot validate a signature",
        Fix("seen", "drop", "to leave them out"),
    )


def _target(saved: saved_signature.SavedSignature, y: object, n: int) -> TypedTarget:
    """Read the target of the new rows, with classes in the order of the signature."""
    known = [_without_point(label) for label in saved.facts.classes]
    if saved.kind != "survival" and is_survival(y):
        what = f"classes: {listed(known)}" if known else "numbers"
        raise TableError(f"the signature predicts {what}. Got {Survival.of(y, n).in_words()}")
    target = read_target(y, n, saved.kind, fewest=0)  # one class is enough for its recall
    if not isinstance(target, Classes):
        return target
    labels = [_without_point(label) for label in target.labels.tolist()]
    strange = [label for label in labels if label not in known]
    if strange:
        rows = int(np.isin(target.codes, [labels.index(label) for label in strange]).sum())
        raise TableError(
            f"the target must have the classes of the signature, {listed(known)}. "
            f"Got {listed(strange)} in {counted(rows, 'row')}. Rename them, or drop these rows"
        )
    places = np.array([known.index(label) for label in labels])
    return Classes(places[target.codes], np.array(saved.facts.classes))


def _without_point(label: object) -> str:
    """Return a label as text; 1.0 and 1 are the same."""
    text = str(label)
    return text.removesuffix(".0") if levels_and_times.reads_as_number(text) else text


def _asked(
    saved: saved_signature.SavedSignature,
    prevalence: object,
    thresholds: object,
    harm_ratio: object,
) -> AskedProbabilities | None:
    if saved.kind != "classes":
        return None
    before, cost, marks = saved.facts.probabilities, harm_ratio, thresholds
    if before is not None:
        cost = before.harm_ratio if cost is None else cost
        marks = before.thresholds if marks is None else marks
    asked = asked_probabilities(saved.facts.classes, prevalence, marks, cost)
    if asked.prevalence is None and saved.calibration is not None:
        return replace(asked, prevalence=saved.calibration.prevalence)
    return asked


def _judged(
    saved: saved_signature.SavedSignature,
    given: _Given,
    asked: AskedProbabilities | None,
    by: Mapping[str, Sequence[Subgroup]],
) -> Validation:
    cells = saved.model.schema_.encode(saved.columns(given.frame), unseen="separate")
    decisions, told, features = saved.reported_decisions(cells), saved.facts, []
    if saved.reference is not None:
        features = new_cells(
            saved.reference,
            saved.model.schema_,
            given.frame,
            groups=given.groups,
            groups_before=told.groups,
        )
    target, probabilities, counts = given.target, None, []
    if isinstance(target, Classes) and asked is not None:
        performance = new_performance.new_class_performance(
            target.codes, decisions, told.classes, given.weights, given.groups
        )
        counts = np.bincount(target.codes, minlength=len(told.classes)).tolist()
        probabilities = _probabilities(saved, given, target.codes, decisions, asked, by)
    else:
        performance = new_performance.new_value_performance(
            target, decisions, given.weights, given.groups
        )
    return Validation(
        rows=len(target),
        signature=[*saved.features],
        kind=saved.kind,
        before=Before(told.performance, told.probabilities, told.rows),
        version=told.version,
        features=features,
        classes=told.classes,
        class_rows=counts,
        probabilities=probabilities,
        performance=performance,
        compared=new_performance.comparison(performance, told.performance),
    )


def _probabilities(
    saved: saved_signature.SavedSignature,
    given: _Given,
    codes: np.ndarray,
    decisions: np.ndarray,
    asked: AskedProbabilities,
    by: Mapping[str, Sequence[Subgroup]],
) -> probability_facts.ProbabilityFacts | None:
    """Evaluate the probabilities; None if there are none, or rows of one class only."""
    if saved.calibration is None or len(np.unique(codes)) < 2:
        return None
    rows = probability_facts.PredictedRows(
        codes,
        replace(saved.calibration, prevalence=asked.prevalence).of(decisions),
        given.weights,
        given.groups,
        1.0,
        len(codes),
    )
    values, labels = decisions.reshape(len(codes), -1), saved.facts.classes

    def area(part: np.ndarray) -> RateInterval:
        groups = None if of_one_group(given.groups, part) else given.groups
        return area_of_rows(codes, values, given.weights * part, groups)

    found = probability_facts.probability_facts(rows, labels, asked)
    return structs.replace(found, by=parts_of(rows, codes, labels, by, asked, area))
