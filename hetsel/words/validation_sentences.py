"""What new rows say of a signature, in sentences."""

from collections.abc import Sequence

from hetsel.ground import counted, listed, shown
from hetsel.signature.validation import new_performance, training_reference, validated
from hetsel.words import phrases, probability_sentences, signature_sentences, target_words

MUCH, SOME = 0.25, 0.1  # of the population stability index
LEVEL = 0.05
MISSING = 0.05  # a difference of shares of missing cells that is told
NAMED = 5
HEAVY = 6.0  # kurtosis of errors: twice that of normal ones
VERDICTS: dict[new_performance.ChangeVerdict, str] = {
    "better": "better than it was estimated to be, by",
    "worse": "worse than it was estimated to be, by",
    "undecided": "these rows do not decide whether it is another, the difference is",
}


def sentences(facts: validated.Validation) -> list[str]:
    """All of it, the performance first; what is not there is left out."""
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
        never_seen(facts),
        drift(facts.features),
    ]
    return [said for said in parts if said]


def rows(facts: validated.Validation) -> str:
    """How many rows judged, and which did not."""
    groups = "" if facts.groups is None else f" in {counted(facts.groups, 'group')}"
    said = f"{facts.rows:,} new rows{groups}"
    if facts.classes:
        said += ": " + ", ".join(
            f"class {label} {n:,}" for label, n in target_words.classes_of(facts)
        )
    said += "."
    if sum(n > 0 for n in facts.class_rows) == 1:
        said += (
            " All rows are of one class: only its recall is known, no area under the ROC curve, "
            "calibration or net benefit."
        )
    if facts.groups == 1 and not facts.copies:
        said += " These are one group: intervals are those of further rows of it, not of others."
    if facts.copies:
        said += (
            f" {counted(facts.copies, 'row')} are equal or nearly equal to others: intervals "
            "count each group of them as one."
        )
    if facts.left_out:
        said += f" {counted(facts.left_out, 'row')} of the fit, or of weight 0, were left out."
    if facts.equal_by_chance:
        said += (
            f" {counted(facts.equal_by_chance, 'row')} equal rows of the fit, which these "
            "columns do not tell from chance: look whether rows of the fit are among them."
        )
    if facts.unchecked:
        said += f" Whether rows of the fit are among them is not known: {facts.unchecked}."
    return said


def heavy_tails(facts: validated.Validation) -> str:
    """That few errors make up most of the RMSE."""
    kurtosis = facts.performance.kurtosis
    if kurtosis is None or kurtosis < HEAVY:
        return ""
    return (
        f"The errors have heavy tails (kurtosis {kurtosis:.1f}, normal errors have 3): the "
        "interval of the RMSE is approximate, and its upper end may be too low. The MAE depends "
        "less on them."
    )


def compared(one: new_performance.Comparison | None) -> str:
    """What the signature said of itself, and whether new rows agree.

    Examples
    --------
    >>> side = new_performance.Side
    >>> here, before = side(0.7, 0.62, 0.8), side(0.85, 0.79, 0.9)
    >>> compared(new_performance.Comparison("worse", "AUC", here, before, -0.15, -0.244, -0.033))
    'The AUC was estimated as 0.850 [0.790, 0.900] on rows like those of the fit; on these it is 0.700 [0.620, 0.800]: worse than it was estimated to be, by -0.150 [-0.244, -0.033].'
    """  # noqa: E501
    if one is None:
        return ""
    by = phrases.bracketed(new_performance.Side(one.difference, one.low, one.high))
    return (
        f"The {one.measure} was estimated as {phrases.bracketed(one.before)} on rows like those of "
        f"the fit; on these it is {phrases.bracketed(one.here)}: {VERDICTS[one.verdict]} {by}."
    )


def missing(facts: validated.Validation) -> str:
    """Features without any value here."""
    names = [one.feature for one in facts.features if one.missing == 1 and one.missing_before < 1]
    return f"Missing in all rows: {listed(names, NAMED)}." if names else ""


def never_seen(facts: validated.Validation) -> str:
    """Levels that the fit has not, and values beyond its range."""
    said = []
    for one in facts.features:
        name = shown(one.feature)
        if one.unseen:
            levels = listed(one.levels, NAMED)
            said.append(f"{name} has {counted(one.unseen, 'row')} with {levels}")
        if beyond := one.below + one.above:
            said.append(f"{name} is beyond the range of the fit in {counted(beyond, 'row')}")
    if not said:
        return ""
    return (
        f"Never seen in the fit: {'; '.join(said)}. A level never seen adds nothing, as "
        "in predictions with unseen levels as separate ones; a value beyond the range counts as "
        "its end."
    )


def _gaps(one: training_reference.NewCells) -> str:
    """Shares of missing cells that differ: they count as a value of their own."""
    if abs(one.missing - one.missing_before) <= MISSING:
        return ""
    return f"; missing {100 * one.missing_before:.0f} % of the fit, {100 * one.missing:.0f} % here"


def drift(features: Sequence[training_reference.NewCells]) -> str:
    """Features whose distribution is another one.

    Examples
    --------
    >>> def cells(name, shift, p):
    ...     return training_reference.NewCells(
    ...         feature=name, missing=0.0, unseen=0, levels=[], below=0, above=0, shift=shift,
    ...         shift_by_chance=0.01, pvalue=p, missing_before=0.16)
    >>> drift([cells("age", 0.4, 0.01), cells("sex", 0.01, 0.6)])
    'Distributed much differently from the fit (p < 0.05, corrected for 2 features, and a stability index above 0.1): age (stability index 0.40; missing 16 % of the fit, 0 % here).'
    """  # noqa: E501
    tested = [one for one in features if one.pvalue is not None]
    found = [one for one in tested if (one.pvalue or 0) < LEVEL and (one.shift or 0) > SOME]
    if not found:
        return ""
    moved = [
        (one.shift or 0, f"{shown(one.feature)} (stability index {one.shift:.2f}{_gaps(one)})")
        for one in found
    ]
    much = any((one.shift or 0) - (one.shift_by_chance or 0.0) > MUCH for one in found)
    return (
        f"Distributed {'much ' if much else ''}differently from the fit (p < {LEVEL}, corrected "
        f"for {counted(len(tested), 'feature')}, and a stability index above {SOME}): "
        f"{listed([name for _, name in sorted(moved, reverse=True)], NAMED)}."
    )
