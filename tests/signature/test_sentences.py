"""What is said of facts that no quick table has."""

import pytest

from hetsel.signature import sentences
from hetsel.signature.worth import ABOVE, NOT_SHOWN

STABLE = {"threshold": 0.66, "false_at_most": 0.93, "assumption": "unimodal", "above": ["F5"]}
ONE = {"feature": "F5", "frequency": 0.7}


@pytest.mark.parametrize("kept", [[], ["F5"]])
def test_one_feature_of_which_nearly_one_may_be_false_is_not_kept(kept):
    halves = {"halves": 100, "nogueira": 0.4, "low": None}
    facts = {"stability": halves, "features": [ONE], "stable": STABLE | {"features": kept}}
    said = sentences.stability(facts)
    assert "0.93" in said
    assert ("nothing is kept" in said) == (not kept)


@pytest.mark.parametrize(("verdict", "told"), [(NOT_SHOWN, True), (ABOVE, False)])
def test_a_test_that_does_not_reject_leaves_open_what_the_interval_does(verdict, told):
    test = {"pvalue": 0.13, "permuted": [0.5] * 39}
    facts = {"verdict": verdict, "reason": "", "chance": test}
    facts["performance"] = {"bcr": {"rate": 0.559, "low": 0.446, "high": 0.674}}
    said = sentences.verdict(facts)
    assert said.lower().startswith(verdict)
    assert ("0.674" in said) == told
