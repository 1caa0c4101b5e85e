"""What sentences and pages of a signature call things, by the kind of its target."""

from dataclasses import dataclass, replace

from msgspec import structs

from hetsel.ground import plain_number, shown
from hetsel.signature.nested.against_chance import TESTED
from hetsel.signature.signature_facts import SignatureFacts
from hetsel.signature.validation.validated import Validation

Facts = SignatureFacts
AnsweredFacts = SignatureFacts | Validation


@dataclass(frozen=True)
class TargetWords:
    """What things are called for a kind of target."""

    permuted: str  # what the test permutes
    value: str  # the main measure, with its article
    short: str  # the main measure on an axis
    tested: str  # what the test looks at, of one size
    tested_all: str  # and of all
    wide: float  # width of the interval of the main measure from where on a page warns
    intervals: str  # how they are made
    scale: str  # what an axis of measures shows
    effect: str  # what an effect adds to
    effect_axis: str  # {class} stands for the class of the line
    effect_sign: str  # what an effect above 0 says
    weighted: str  # what is weighted where rows have weights


JACKKNIFE = (
    "the variance is that of the jackknife of the rows, three times, as rows that are predicted by "
    "cross-validation trained each other's models and the final model is one of many; the quantile "
    "is Student's"
)
WORDS = {
    "classes": TargetWords(
        "labels",
        "a balanced classification rate",
        "balanced rate",
        TESTED["classes"],
        "areas under the ROC curve",
        0.25,
        "Wilson's for each class, combined for the balanced rate (MOVER). Rows that are predicted "
        "by cross-validation count half, as they trained each other's models",
        "share of new rows that are predicted right",
        "the decision value of the final model,",
        "effect (above 0 speaks for {class})",
        "An effect above 0 speaks for class {class}. ",
        "rates are weighted",
    ),
    "numbers": TargetWords(
        "numbers",
        "an R²",
        "R²",
        TESTED["numbers"],
        "rank correlations",
        0.5,
        "of R² that of the logarithm of 1 - R², of the errors that of their logarithm, of the rank "
        f"correlation (Kendall's, pairs inside of folds) that of its logit; {JACKKNIFE}",
        "on new rows",
        "the number that the final model predicts, in its unit,",
        "effect, in the unit of the target",
        "An effect above 0 makes the predicted number larger, in its unit. ",
        "errors and variances are weighted",
    ),
    "survival": TargetWords(
        "times",
        "a concordance (Harrell's C)",
        "Harrell's C",
        TESTED["survival"],
        "concordances",
        0.25,
        "of the concordances (pairs inside of folds) that of their logit, of the Brier score that "
        "of its logarithm, of what is explained beyond Kaplan and Meier's curve that of the "
        f"logarithm of what is not; {JACKKNIFE}",
        "on new rows",
        "the risk that the final model predicts, as a log relative risk: times the slope of Cox's "
        "model of the held-out risks,",
        "log relative risk (above 0: sooner)",
        "The effects are log relative risks, those of the final model's risk times {slope}, "
        "the slope of Cox's model of the held-out risks; above 0 the event comes sooner. ",
        "pairs and errors are weighted",
    ),
}


def classes_of(facts: AnsweredFacts) -> list[tuple[str, int]]:
    """The classes by name with their rows."""
    return [
        (shown(str(label)), rows)
        for label, rows in zip(facts.classes, facts.class_rows, strict=True)
    ]


def risk_slope(facts: Facts) -> float:
    """Slope of Cox's model of the risks of held-out rows; one below 0 is 0, and none is 1.

    What the model calls a risk has no unit. Cox's model of the risks of held-out rows has: its
    slope b makes b times an effect a logarithm of relative hazards. Without a performance there is
    no slope.
    """
    one = facts.performance
    if one is None or one.shown is None or one.shown.slope is None:
        return 1.0
    return max(0.0, one.shown.slope)


def relative_risks(facts: Facts) -> Facts:
    """The facts with the effects on a risk as log relative risks; of another target as they are."""
    if facts.kind != "survival" or facts.performance is None:
        return facts
    slope = risk_slope(facts)
    ends = [(slope * one.effect_low, slope * one.effect_high) for one in facts.effects]
    effects = [
        structs.replace(one, effect_low=low, effect_high=high)
        for one, (low, high) in zip(facts.effects, ends, strict=True)
    ]
    return structs.replace(facts, effects=effects)


def words_of(facts: Facts) -> TargetWords:
    """The words for the facts of a signature."""
    words = WORDS[facts.kind]
    if facts.kind != "survival":
        return words
    if facts.performance is None:
        return replace(  # without held-out rows nothing says what a risk means
            words,
            effect="the risk that the final model predicts,",
            effect_axis="effect on the risk (above 0: sooner)",
            effect_sign="An effect above 0 makes the event come sooner. ",
        )
    slope = plain_number(risk_slope(facts), 3)
    return replace(words, effect_sign=words.effect_sign.format(slope=slope))
