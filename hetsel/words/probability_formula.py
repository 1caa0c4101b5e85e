"""From the decision value f to a probability, as a formula."""

from collections.abc import Iterator

from hetsel.ground import plain_number, shown
from hetsel.signature.probabilities.asked_probabilities import MapContent
from hetsel.words.target_words import Facts

DIGITS = 6
PRINTED = 40  # steps of a map that has no formula


def probability_formula(facts: Facts) -> Iterator[str]:
    """The map of the final model and what a prevalence does to it; nothing where there is none."""
    one = facts.probability_map
    if one is None:
        return
    labels = [shown(str(label)) for label in facts.classes]
    if one.map == "isotonic":
        if not steps_of_map(facts):
            yield (
                "From f to probabilities by shares that never fall (isotonic), linear between "
                "their places: the file of the signature has these, under “probability_map”."
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
    """Places of f and shares of a map that has no formula, linear between them; if they are few."""
    one = facts.probability_map
    if one is None or one.map != "isotonic" or len(facts.classes) != 2:
        return []
    pairs = list(zip(*one.parameters, strict=True))
    if len(pairs) > PRINTED:
        return []
    return [[plain_number(place, DIGITS), plain_number(share, DIGITS)] for place, share in pairs]


def _logistic(one: MapContent, label: str) -> str:
    a, b = (plain_number(value, DIGITS) for value in one.parameters[0])
    result = "q" if one.map == "beta" else f"the probability of {label}, p"
    return f"From f to {result} = 1 / (1 + exp(-(a + b f))), a = {a}, b = {b}."


def _of_several(one: MapContent, labels: list[str]) -> str:
    *a, b = one.parameters[0]
    each = ", ".join(
        f"{plain_number(value, DIGITS)} of {label}"
        for value, label in zip([0.0, *a], labels, strict=True)
    )
    return (
        "The probability of class c is exp(a(c) + b f(c)), divided by the sum of these over all "
        f"classes; b = {plain_number(b, DIGITS)}, a: {each}."
    )


def _beta(one: MapContent) -> str:
    c, a, b = (plain_number(value, DIGITS) for value in one.parameters[1])
    return (
        f"The probability p has log(p / (1 - p)) = c + a log(q) - b log(1 - q), c = {c}, a = {a}, "
        f"b = {b}."
    )


def _shifted(one: MapContent, labels: list[str]) -> str:
    """What the prevalence does."""
    wanted = one.prevalence or one.shares
    ratios = [to / own for to, own in zip(wanted, one.shares, strict=True)]
    if len(labels) == 2:
        factor = plain_number(ratios[1] / ratios[0], DIGITS)
        told = plain_number(wanted[1], 4)
        return f"For a prevalence of {told} the odds p / (1 - p) are multiplied by {factor}."
    each = ", ".join(
        f"{plain_number(ratio, DIGITS)} of {label}"
        for ratio, label in zip(ratios, labels, strict=True)
    )
    return (
        f"For the prevalence asked for, each is multiplied by {each}, and all are divided by "
        "their sum."
    )
