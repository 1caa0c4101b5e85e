"""The terms of sentences and pages of a signature, by the kind of its target."""

from dataclasses import dataclass, replace

from msgspec import structs

from hetsel.ground import plain_number, shown
from hetsel.signature.nested.against_chance import TESTED
from hetsel.signature.performance import Measure
from hetsel.signature.signature_facts import SignatureFacts
from hetsel.signature.validation.validated import Validation

Facts = SignatureFacts
AnsweredFacts = SignatureFacts | Validation


@dataclass(frozen=True)
class TargetWords:
    """The terms for a kind of target."""

    permuted: str  # what the test permutes
    value: str  # the main measure, with its article
    short: str  # the main measure on an axis
    tested: str  # the statistic of the test
    wide: float  # width of the interval of the main measure from where on a page warns
    intervals: str  # how they are computed
    scale: str  # the axis of measures
    effect: str  # to which an effect is added
    effect_axis: str  # {class} stands for the class of the line
    effect_sign: str  # what an effect above 0 means
    weighted: str  # what is weighted where rows have weights


JACKKNIFE = (
    "The variance is three times the jackknife variance over rows, because cross-validated rows "
    "are not independent (each row also trained the models that predict other rows) and the final "
    "model is one of many possible models"
)
WORDS = {
    "classes": TargetWords(
        "class labels",
        "a balanced accuracy",
        "balanced accuracy",
        TESTED["classes"],
        0.25,
        "Wilson's method for each recall, combined for the balanced accuracy (MOVER); DeLong's "
        "variance for the AUC. The CIs are computed as if there were half as many rows, because "
        "cross-validated rows are not independent: each row also trained the models that predict "
        "other rows",
        "performance on new rows",
        "the decision value of the final model",
        "effect (above 0: favors {class})",
        "An effect above 0 favors class {class}, given the other features of the signature. So its "
        "sign can differ from what the last two columns suggest. ",
        "proportions are weighted",
    ),
    "numbers": TargetWords(
        "target values",
        "an R²",
        "R²",
        TESTED["numbers"],
        0.5,
        "Student's t on transformed scales: log(1 - R²), logarithm of RMSE and MAE, logit of "
        f"Kendall's rank correlation (pairs within folds). {JACKKNIFE}",
        "value on new rows",
        "the predicted number, in the unit of the target",
        "effect, in the unit of the target",
        "An effect above 0 increases the predicted number, in its unit. ",
        "errors and variances are weighted",
    ),
    "survival": TargetWords(
        "survival times",
        "a concordance (Harrell's C)",
        "Harrell's C",
        TESTED["survival"],
        0.25,
        "Student's t on transformed scales: logit of concordances (pairs within folds), logarithm "
        "of the integrated Brier score, log(1 - x) of the scaled integrated Brier score x. "
        f"{JACKKNIFE}",
        "value on new rows",
        "the log relative risk, which is the risk score of the final model times the slope of a "
        "Cox model on the held-out risk scores",
        "log relative risk (above 0: earlier event)",
        "The effects are log relative risks: effects on the risk score times {slope}, the slope of "
        "a Cox model on the held-out risk scores. Above 0 the event comes earlier. ",
        "pairs and errors are weighted",
    ),
}


def inner_score(facts: Facts) -> str:
    """Name the score that chooses the size."""
    words = words_of(facts)
    return words.tested if facts.kind == "classes" else words.short


def measure_name(facts: AnsweredFacts, measure: Measure) -> str:
    """Name a measure; of two classes the recalls are sensitivity and specificity."""
    label = measure.of_class
    if label is None:
        return measure.label
    name = f"recall of class {shown(label)}"
    if len(facts.classes) != 2:
        return name
    positive = str(facts.classes[-1]) == label
    return f"{'sensitivity' if positive else 'specificity'} ({name})"


def classes_of(facts: AnsweredFacts) -> list[tuple[str, int]]:
    """List the classes by name with their rows."""
    return [
        (shown(str(label)), rows)
        for label, rows in zip(facts.classes, facts.class_rows, strict=True)
    ]


def risk_slope(facts: Facts) -> float:
    """Return the slope of a Cox model on the held-out risk scores: at least 0, 1 if unknown.

    A risk score has no unit. The slope b of a Cox model on the risk scores of held-out rows makes
    b times an effect a log relative hazard. Without a performance there is no slope.
    """
    one = facts.performance
    if one is None or one.shown is None or one.shown.slope is None:
        return 1.0
    return max(0.0, one.shown.slope)


def relative_risks(facts: Facts) -> Facts:
    """Replace effects on a risk score by log relative risks; keep those of other targets."""
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
    """Return the terms for the facts of a signature."""
    words = WORDS[facts.kind]
    if facts.kind != "survival":
        return words
    if facts.performance is None:
        return replace(  # without held-out rows the unit of a risk score is unknown
            words,
            effect="the risk score of the final model",
            effect_axis="effect on the risk score (above 0: earlier event)",
            effect_sign="An effect above 0 means an earlier event. ",
        )
    slope = plain_number(risk_slope(facts), 3)
    return replace(words, effect_sign=words.effect_sign.format(slope=slope))
