"""The calibration map from the decision value f to a probability, as a formula."""

from collections.abc import Iterator

from hetsel.ground import plain_number, shown
from hetsel.signature.probabilities.asked_probabilities import MapContent
from hetsel.words.target_words import Facts

DIGITS = 6
PRINTED = 40  # steps of a map that has no formula


def probability_formula(facts: Facts) -> Iterator[str]:
    """Write the calibration map of the final model and its shift to another prevalence."""
    one = facts.probability_map
    if one is None:
        return
    labels = [shown(str(label)) for label in facts.classes]
    if one.map == "isotonic":
        if not steps_of_map(facts):
            yield (
                "The predicted probability is a non-decreasing function of f (isotonic), linear "
                "between its knots. The file of the signature lists the knots under "
                "“probability_map”."
            )
    elif len(labels) == 2:
        yield _logistic(one, labels[1])
    else:
        yield _of_several(one, labels)
    if one.map == "beta":
        yield _beta(one)
    if one.prevalence is not None:
        yield _shifted(one, labels)


def steps_of_map(facts: Facts) -> list[list[str]]:
    """List the knots of a map without a formula, if they are few: f and probability."""
    one = facts.probability_map
    if one is None or one.map != "isotonic" or len(facts.classes) != 2:
        return []
    pairs = list(zip(*one.parameters, strict=True))
    if len(pairs) > PRINTED:
        return []
    return [[plain_number(place, DIGITS), plain_number(share, DIGITS)] for place, share in pairs]


def _logistic(one: MapContent, label: str) -> str:
    a, b = (plain_number(value, DIGITS) for value in one.parameters[0])
    result = "Intermediate value: q" if one.map == "beta" else f"Probability of class {label}: p"
    return f"{result} = 1 / (1 + exp(-(a + b f))), with a = {a}, b = {b}."


def _of_several(one: MapContent, labels: list[str]) -> str:
    *a, b = one.parameters[0]
    each = ", ".join(
        f"{plain_number(value, DIGITS)} for {label}"
        for value, label in zip([0.0, *a], labels, strict=True)
    )
    return (
        "The probability of class c is exp(a(c) + b f(c)), divided by the sum of this term over "
        f"all classes. b = {plain_number(b, DIGITS)}; a(c): {each}."
    )


def _beta(one: MapContent) -> str:
    c, a, b = (plain_number(value, DIGITS) for value in one.parameters[1])
    return (
        f"Probability p: log(p / (1 - p)) = c + a log(q) - b log(1 - q), with c = {c}, a = {a}, "
        f"b = {b}."
    )


def _shifted(one: MapContent, labels: list[str]) -> str:
    """Write the shift to the requested prevalence."""
    wanted = one.prevalence or one.class_proportions
    ratios = [to / own for to, own in zip(wanted, one.class_proportions, strict=True)]
    if len(labels) == 2:
        factor = plain_number(ratios[1] / ratios[0], DIGITS)
        value = plain_number(wanted[1], 4)
        return f"For a prevalence of {value}, the odds p / (1 - p) are multiplied by {factor}."
    each = ", ".join(
        f"{plain_number(ratio, DIGITS)} for {label}"
        for ratio, label in zip(ratios, labels, strict=True)
    )
    return (
        f"For the requested prevalence, the probabilities are multiplied by {each}, and then "
        "divided by their sum."
    )
