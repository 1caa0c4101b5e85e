"""What is said of facts that no quick table has."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Signature
from hetsel.signature.reported_values import ABOVE, NOT_SHOWN
from hetsel.words import signature_sentences

STABLE = {"threshold": 0.66, "false_at_most": 0.93, "assumption": "unimodal", "above": ["F5"]}
STABLE |= {"doubtful": []}
UNTESTED = {"permutations": 0, "pairs": 0, "folds": 3, "repeats": 1}
ONE = {"feature": "F5", "frequency": 0.7}


@pytest.mark.parametrize("kept", [[], ["F5"]])
def test_one_feature_of_which_nearly_one_may_be_false_is_not_kept(kept):
    halves = {"halves": 100, "nogueira": 0.4, "low": None}
    facts = {"stability": halves, "features": [ONE], "stable": STABLE | {"features": kept}}
    said = signature_sentences.stability(facts)
    assert "0.93" in said
    assert ("no feature can be called stable" in said) == (not kept)


def test_features_that_a_permuted_target_selects_too_are_named_apart():
    halves = {"halves": 100, "nogueira": 0.4}
    doubt = STABLE | {"above": [], "features": [], "doubtful": ["ward"]}
    said = signature_sentences.stability({"stability": halves, "features": [ONE], "stable": doubt})
    assert "ward" in said
    assert "permuted" in said
    assert "false" not in said


def test_features_that_the_final_model_leaves_out_are_named_and_why_that_says_little():
    """One column tells nearly all: the least hinge loss is at a corner without the others."""
    draw = np.random.default_rng(0)
    x = pd.DataFrame(draw.integers(0, 2, size=(90, 3)), columns=list("abc")).astype("category")
    y = np.where(x["a"].astype(int) + 0.3 * draw.normal(size=90) > 0.5, "yes", "no")
    found = Signature("hsic", 3, **UNTESTED, C=100.0).fit(x, y)
    facts = found.facts()
    values = found.decision_function(x)
    assert facts["on_margin"] == np.isclose(np.abs(values), 1, atol=1e-5).mean() > 0.5
    said = signature_sentences.without_effect(facts)
    assert "no effect to c, b" in said
    assert "C of 100" in said
    assert said in found.summary()
    softer = Signature("hsic", 3, **UNTESTED, C=1e-3).fit(x, y)
    assert signature_sentences.without_effect(softer.facts()) == ""


@pytest.mark.parametrize(("verdict", "told"), [(NOT_SHOWN, True), (ABOVE, False)])
def test_a_test_that_does_not_reject_leaves_open_what_the_interval_does(verdict, told):
    test = {"pvalue": 0.13, "permuted": [0.5] * 39, "full": True, "settled": True}
    facts = {"verdict": verdict, "reason": "", "few": "", "chance": test}
    facts["performance"] = {"bcr": {"rate": 0.559, "low": 0.446, "high": 0.674}}
    said = signature_sentences.verdict(facts)
    assert said.lower().startswith(verdict)
    assert ("0.674" in said) == told


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ({"full": True, "settled": False}, "the labels, with"),
        ({"full": False, "settled": True}, "the labels (drawn until that was settled), with"),
        ({"full": False, "settled": False}, "the labels (the most that are drawn), with"),
    ],
)
def test_the_verdict_says_why_no_more_permutations_were_drawn(ended, told):
    test = {"pvalue": 0.013, "permuted": [0.5] * 79, **ended}
    facts = {"verdict": ABOVE, "reason": "", "few": "", "chance": test, "performance": None}
    assert f"p = 0.013 by 79 permutations of {told}" in signature_sentences.verdict(facts)
