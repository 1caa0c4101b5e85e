"""What is said of facts that no quick table has."""

from types import SimpleNamespace as Part

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel import Signature
from hetsel.signature.performance import Measure, Performance
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, Feature, Stability, StableFeatures
from hetsel.words import signature_sentences

UNTESTED = {"permutations": 0, "pairs": 0, "folds": 3, "repeats": 1}
ONE = Feature("F5", "continuous", 0.7, [])
HALVES = Stability(0.4, 100)


@pytest.mark.parametrize("kept", [[], ["F5"]])
def test_one_feature_of_which_nearly_one_may_be_false_is_not_kept(kept):
    stable = StableFeatures(kept, ["F5"], 0.66, 0.93, "unimodal", [], [])
    said = signature_sentences.stability(
        Part(stability=HALVES, features=[ONE], stable=stable, frequency={})
    )
    assert "0.93" in said
    assert ("no feature can be called stable" in said) == (not kept)


def test_features_that_a_permuted_target_selects_too_are_named_apart():
    doubt = StableFeatures([], [], 0.66, 0.93, "unimodal", ["ward", "day"], [None, 0.97])
    said = signature_sentences.stability(
        Part(stability=HALVES, features=[ONE], stable=doubt, frequency={"ward": 0.9, "day": 0.8})
    )
    assert "permuted" in said
    assert "ward (90%), day (80%)" in said
    assert "ward, even" in said  # no frequency suffices
    assert "day, a selection frequency of 97%" in said


def test_features_that_the_final_model_leaves_out_are_named_and_why_that_says_little():
    """One column tells nearly all: the least hinge loss is at a corner without the others."""
    draw = np.random.default_rng(0)
    x = pd.DataFrame(draw.integers(0, 2, size=(90, 3)), columns=list("abc")).astype("category")
    y = np.where(x["a"].astype(int) + 0.3 * draw.normal(size=90) > 0.5, "yes", "no")
    found = Signature("hsic", 3, **UNTESTED, C=100.0).fit(x, y)
    facts = found.facts()
    values = found.decision_function(x)
    assert facts.on_margin == np.isclose(np.abs(values), 1, atol=1e-5).mean() > 0.5
    said = signature_sentences.without_effect(facts)
    assert "no effect to c, b" in said
    assert "C = 100" in said
    assert said in hetsel.summary(found)
    softer = Signature("hsic", 3, **UNTESTED, C=1e-3).fit(x, y)
    assert signature_sentences.without_effect(softer.facts()) == ""


@pytest.mark.parametrize(("verdict", "told"), [(NOT_SHOWN, True), (ABOVE, False)])
def test_a_test_that_does_not_reject_leaves_open_what_the_interval_does(verdict, told):
    test = Part(pvalue=0.13, permuted=[0.5] * 39, full=True, settled=True)
    bcr = Measure(0.559, 0.446, 0.674, 0.95, key="bcr", label="BCR", rows=60)
    shown = Performance(kind="classes", measures=[bcr], chance_level=0.5)
    told_of = {
        "verdict": verdict,
        "permutation_test": test,
        "performance": shown,
        "few": "",
        "reason": "",
    }
    said = signature_sentences.verdict(Part(kind="classes", **told_of))
    assert said.lower().startswith(verdict)
    assert ("0.674" in said) == told


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ({"full": True, "settled": False}, ""),
        ({"full": False, "settled": True}, "early"),
        ({"full": False, "settled": False}, "maximum"),
    ],
)
def test_the_verdict_says_why_no_more_permutations_were_drawn(ended, told):
    test = Part(pvalue=0.013, permuted=[0.5] * 79, **ended)
    facts = Part(
        kind="classes", verdict=ABOVE, reason="", few="", permutation_test=test, performance=None
    )
    said = signature_sentences.verdict(facts)
    assert "p = 0.013" in said
    assert "79 permutations of the class labels" in said
    assert [word for word in ("early", "maximum") if word in said] == [told] * bool(told)
