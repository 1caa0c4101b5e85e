"""What sentences and pages of a signature call things, by the kind of its target."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hetsel.ground.text import plain_number


@dataclass(frozen=True)
class Words:
    """What things are called for a kind of target.

    Parameters
    ----------
    permuted : str
        What the test permutes.
    value : str
        The main measure, with its article.
    short : str
        The main measure on an axis.
    tested, tested_all : str
        What the test looks at, of one size and of all.
    wide : float
        Width of the interval of the main measure from where on a page warns.
    intervals : str
        How the intervals are made.
    scale : str
        What an axis of measures shows.
    effect : str
        What an effect adds to.
    effect_axis : str
        What an axis of effects shows; {class} stands for the class of the line.
    effect_sign : str
        What an effect above 0 says.
    weighted : str
        What is weighted where rows have weights.
    """

    permuted: str
    value: str
    short: str
    tested: str
    tested_all: str
    wide: float
    intervals: str
    scale: str
    effect: str
    effect_axis: str
    effect_sign: str
    weighted: str


JACKKNIFE = (
    "the variance is that of the jackknife of the rows, three times, as rows that are predicted by "
    "cross-validation trained each other's models and the final model is one of many; the quantile "
    "is Student's"
)
WORDS = {
    "classes": Words(
        "labels",
        "a balanced classification rate",
        "balanced rate",
        "area under the ROC curve",
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
    "numbers": Words(
        "numbers",
        "an R²",
        "R²",
        "rank correlation",
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
    "survival": Words(
        "times",
        "a concordance (Harrell's C)",
        "Harrell's C",
        "concordance (Harrell's C)",
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


def relative_risks(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the effects on a risk as log relative risks; of another target as they are.

    What the model calls a risk has no unit. Cox's model of the risks of held-out rows has: its
    slope b makes b times an effect a logarithm of relative hazards. Without a performance there is
    no slope, and the effects stay as they are; a slope below 0 is 0.

    Examples
    --------
    >>> told = {"kind": "survival", "performance": {"shown": {"slope": 2.0}}}
    >>> effects = [{"effect_low": -1.0, "effect_high": 0.5}]
    >>> relative_risks({**told, "effects": effects})["effects"]
    [{'effect_low': -2.0, 'effect_high': 1.0}]
    """
    if facts.get("kind") != "survival" or facts["performance"] is None:
        return dict(facts)
    slope = max(0.0, facts["performance"]["shown"]["slope"])
    ends = ("effect_low", "effect_high")
    effects = [{**one, **{end: slope * one[end] for end in ends}} for one in facts["effects"]]
    return {**facts, "effects": effects}


def words_of(facts: Mapping[str, Any]) -> Words:
    """The words for the facts of a signature; files of earlier versions are of classes."""
    found = WORDS[facts.get("kind", "classes")]
    if facts.get("kind") != "survival":
        return found
    if facts["performance"] is None:
        return replace(  # without held-out rows nothing says what a risk means
            found,
            effect="the risk that the final model predicts,",
            effect_axis="effect on the risk (above 0: sooner)",
            effect_sign="An effect above 0 makes the event come sooner. ",
        )
    slope = max(0.0, facts["performance"]["shown"]["slope"])
    return replace(found, effect_sign=found.effect_sign.format(slope=plain_number(slope, 3)))


def main_of(performance: Mapping[str, Any]) -> Mapping[str, float]:
    """The main measure of the facts of a performance: rate, low, high, level.

    Examples
    --------
    >>> main_of({"bcr": {"rate": 0.8}}), main_of({"measures": [{"rate": 0.3}]})
    ({'rate': 0.8}, {'rate': 0.3})
    """
    found: Mapping[str, float] = (
        performance["bcr"] if "bcr" in performance else performance["measures"][0]
    )
    return found


def chance_of(performance: Mapping[str, Any]) -> float:
    """What the main measure is by chance.

    Examples
    --------
    >>> chance_of({"recalls": [{}, {}]}), chance_of({"chance": 0.0})
    (0.5, 0.0)
    """
    if "recalls" in performance:
        return 1 / len(performance["recalls"])
    return float(performance["chance"])


def area_of(performance: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The area under the ROC curve in the facts of a performance, with its interval if known.

    Examples
    --------
    >>> area_of({"auc": 0.8}), area_of({"auc": None})
    ({'rate': 0.8, 'low': None, 'high': None}, None)
    """
    found = performance["auc"]
    if found is None or isinstance(found, Mapping):
        return found
    return {"rate": found, "low": None, "high": None}  # files of earlier versions have no interval


def inner_of(content: Mapping[str, Any]) -> Any:
    """Inner scores of the facts of a performance, or of the sizes.

    Examples
    --------
    >>> inner_of({"inner_bcr": 0.8}), inner_of({"inner": 0.3})
    (0.8, 0.3)
    """
    # sizes of files of earlier versions were chosen by the BCR
    return next(content[key] for key in ("inner_auc", "inner_bcr", "inner") if key in content)
