"""Sentences on a signature that is validated on new rows."""

from collections.abc import Sequence

from hetsel.ground import listed, shown
from hetsel.signature.validation import new_performance, training_reference, validated
from hetsel.words import phrases, probability_sentences, signature_sentences, target_words

MUCH, SOME = 0.25, 0.1  # of the population stability index
LEVEL = 0.05
MISSING = 0.05  # a difference of proportions of missing values that is reported
NAMED = 5
HEAVY = 6.0  # kurtosis of errors: twice that of normal ones
VERDICTS: dict[new_performance.ChangeVerdict, str] = {
    "better": "performance is better than estimated",
    "worse": "performance is worse than estimated",
    "undecided": "these rows do not decide whether performance differs from the estimate",
}
CONCLUSIONS: dict[new_performance.ChangeVerdict, str] = {
    "better": "on these rows the signature works better than expected.",
    "worse": "on these rows the signature works less well than expected. For rows like these, do "
    "not rely on the earlier estimate.",
    "undecided": "these rows do not contradict the earlier estimate.",
}


def sentences(facts: validated.Validation) -> list[str]:
    """List all sentences, the performance first; empty ones are left out."""
    one = facts.probabilities
    parts = [
        rows(facts),
        signature_sentences.performance(facts),
        heavy_tails(facts),
        compared(facts.compared),
        *(
            [
                probability_sentences.calibration(one),
                probability_sentences.miscalibrated(one),
                probability_sentences.benefit(one),
            ]
            if one
            else []
        ),
        missing(facts),
        outside_training(facts),
        drift(facts.features),
    ]
    return [said for said in parts if said]


def rows(facts: validated.Validation) -> str:
    """Count the new rows and those that were excluded."""
    groups = "" if facts.groups is None else f" in {phrases.count(facts.groups, 'row group')}"
    said = f"{facts.rows:,} new row{'' if facts.rows == 1 else 's'}{groups}"
    if facts.classes:
        each = (f"{n:,} of class {label}" for label, n in target_words.classes_of(facts))
        said += f" ({', '.join(each)})"
    said += "."
    if sum(n > 0 for n in facts.class_rows) == 1:
        said += (
            " All rows belong to one class: only its recall can be estimated, not AUC, "
            "calibration or net benefit."
        )
    if facts.groups == 1 and not facts.duplicate_rows:
        said += (
            " All rows belong to one row group: the CIs refer to further rows of this group, not "
            "to other groups."
        )
    if facts.duplicate_rows:
        said += (
            f" Duplicate rows: {phrases.count(facts.duplicate_rows, 'row')} equal or nearly equal "
            "to other rows. The CIs count each group of duplicates as one row."
        )
    if facts.left_out:
        said += (
            f" Excluded as training rows or for weight 0: {phrases.count(facts.left_out, 'row')}."
        )
    if facts.equal_by_chance:
        said += (
            " Equal to training rows, perhaps by chance: "
            f"{phrases.count(facts.equal_by_chance, 'row')}. Check whether training rows are "
            "among them."
        )
    if facts.unchecked:
        said += f" It is unknown whether training rows are among them: {facts.unchecked}."
    return said


def heavy_tails(facts: validated.Validation) -> str:
    """Warn that few errors make up most of the RMSE."""
    kurtosis = facts.performance.kurtosis
    if kurtosis is None or kurtosis < HEAVY:
        return ""
    return (
        f"The errors have heavy tails (kurtosis {kurtosis:.1f}; 3 for normal errors). The CI of "
        "the RMSE is approximate, and its upper limit may be too low. The MAE is less affected."
    )


def compared(one: new_performance.Comparison | None) -> str:
    """Compare the performance on new rows with the estimate of internal validation.

    Examples
    --------
    >>> side = new_performance.Side
    >>> here, before = side(0.7, 0.62, 0.8), side(0.85, 0.79, 0.9)
    >>> compared(new_performance.Comparison("worse", "AUC", here, before, -0.15, -0.244, -0.033))
    'The AUC on the new rows is 0.700 [0.620, 0.800]; internal validation estimated 0.850 [0.790, 0.900]. The difference is -0.150 [-0.244, -0.033]: performance is worse than estimated.'
    """  # noqa: E501
    if one is None:
        return ""
    by = phrases.bracketed(new_performance.Side(one.difference, one.low, one.high))
    return (
        f"The {one.measure} on the new rows is {phrases.bracketed(one.here)}; internal "
        f"validation estimated {phrases.bracketed(one.before)}. The difference is {by}: "
        f"{VERDICTS[one.verdict]}."
    )


def missing(facts: validated.Validation) -> str:
    """Name the features without any value in the new rows."""
    names = [one.feature for one in facts.features if one.missing == 1 and one.missing_before < 1]
    return f"Missing in all new rows: {listed(names, NAMED)}." if names else ""


def outside_training(facts: validated.Validation) -> str:
    """Name unseen levels, and values beyond the range of the training rows."""
    said = []
    for one in facts.features:
        name = shown(one.feature)
        if one.unseen:
            levels = listed(one.levels, NAMED)
            said.append(f"{name} has {phrases.count(one.unseen, 'row')} with {levels}")
        if beyond := one.below + one.above:
            said.append(f"{name} is beyond its training range in {phrases.count(beyond, 'row')}")
    if not said:
        return ""
    return (
        f"Unseen in the training rows: {'; '.join(said)}. An unseen level adds nothing to the "
        'prediction, as with unseen = "separate". A value beyond the range counts as the nearest '
        "limit of the range."
    )


def _gaps(one: training_reference.NewCells) -> str:
    """Report proportions of missing values that differ: missing counts as a separate value."""
    if abs(one.missing - one.missing_before) <= MISSING:
        return ""
    before, here = (f"{100 * share:.0f}%" for share in (one.missing_before, one.missing))
    return f"; missing in {before} of the training rows, {here} of the new rows"


def drift(features: Sequence[training_reference.NewCells]) -> str:
    """Name the features whose distribution differs from the training rows.

    Examples
    --------
    >>> def cells(name, shift, p):
    ...     return training_reference.NewCells(
    ...         feature=name, missing=0.0, unseen=0, levels=[], below=0, above=0, shift=shift,
    ...         shift_by_chance=0.01, pvalue=p, missing_before=0.16)
    >>> drift([cells("age", 0.4, 0.01), cells("sex", 0.01, 0.6)])
    'The distribution differs strongly from the training rows (p < 0.05, adjusted for 2 features, and population stability index above 0.1): age (index 0.40; missing in 16% of the training rows, 0% of the new rows).'
    """  # noqa: E501
    tested = [one for one in features if one.pvalue is not None]
    found = [one for one in tested if (one.pvalue or 0) < LEVEL and (one.shift or 0) > SOME]
    if not found:
        return ""
    moved = [
        (one.shift or 0, f"{shown(one.feature)} (index {one.shift:.2f}{_gaps(one)})")
        for one in found
    ]
    much = any((one.shift or 0) - (one.shift_by_chance or 0.0) > MUCH for one in found)
    return (
        f"The distribution differs{' strongly' if much else ''} from the training rows (p < "
        f"{LEVEL}, adjusted for {phrases.count(len(tested), 'feature')}, and population stability "
        f"index above {SOME}): "
        f"{listed([name for _, name in sorted(moved, reverse=True)], NAMED)}."
    )
