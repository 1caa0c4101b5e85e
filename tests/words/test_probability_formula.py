"""The printed map from decision values: what it gives is what the signature says."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import Signature
from hetsel.signature.probabilities.asked_probabilities import ClassProbabilities
from hetsel.statistics.probabilities.calibration_maps import fit_map
from hetsel.words.probability_formula import probability_formula, steps_of_map

F = np.linspace(-2.5, 2.5, 41)
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"


def facts_of(kind, prevalence=None):
    """Facts of a map of its kind, and the probabilities (41,) of the second class by it."""
    rng = np.random.default_rng(3)
    f = rng.normal(size=(600, 1))
    truth = (rng.random(600) < 1 / (1 + np.exp(-2 * f[:, 0] - f[:, 0] ** 2 / 2))).astype(int)
    own = ClassProbabilities(fit_map(kind, f, truth, 2), (0.6, 0.4), prevalence)
    facts = SimpleNamespace(classes=["no", "yes"], probability_map=own.content())
    return facts, own.of(F)[:, 1]


def printed(sentence, name):
    return float(re.search(rf"\b{name} = ({NUMBER})", sentence)[1])


def logistic(sentence):
    return 1 / (1 + np.exp(-(printed(sentence, "a") + printed(sentence, "b") * F)))


def test_the_logistic_map_and_the_prevalence_are_what_is_printed():
    facts, wanted = facts_of("logistic", (0.9, 0.1))
    first, then = probability_formula(facts)
    p = logistic(first)
    assert "prevalence of 0.1" in then
    odds = p / (1 - p) * float(re.search(rf"multiplied by ({NUMBER})", then)[1])
    np.testing.assert_allclose(odds / (1 + odds), wanted, atol=1e-5)


def test_the_beta_map_is_what_is_printed():
    facts, wanted = facts_of("beta")
    first, then = probability_formula(facts)
    q = logistic(first)
    c, a, b = (printed(then, name) for name in "cab")
    p = 1 / (1 + np.exp(-(c + a * np.log(q) - b * np.log(1 - q))))
    np.testing.assert_allclose(p, wanted, atol=1e-5)


def test_the_isotonic_map_is_a_table_or_in_the_file():
    facts, wanted = facts_of("isotonic")
    if steps := steps_of_map(facts):
        np.testing.assert_allclose(np.interp(F, *np.array(steps, float).T), wanted, atol=1e-5)
    assert bool(steps) != ("probability_map" in "".join(probability_formula(facts)))


@pytest.mark.slow
def test_the_map_of_three_classes_is_what_is_printed():
    frame, y = mixed_frame(75, 2, 2, seed=2, classes=3)
    asked = {"folds": 3, "repeats": 1, "permutations": 0, "pairs": 0, "size": 2}
    found = Signature("univariate-tests", **asked).fit(frame, np.array(list("uvw"))[y])
    (told,) = probability_formula(found.facts())
    shifts = [float(re.search(rf"({NUMBER}) for {label}", told)[1]) for label in "uvw"]
    values = np.array(shifts) + printed(told, "b") * found.decision_function(frame)
    wanted = np.exp(values) / np.exp(values).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.predict_proba(frame), wanted, atol=1e-5)
