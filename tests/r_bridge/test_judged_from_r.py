"""Entry points of judged rankings: the numbers are those of the same call in Python."""

import crossing as facade
import numpy as np
import pandas as pd
from scipy.stats import norm

import hetsel

K = np.arange(1, 121)
ROOTS = np.sqrt([2, 3, 5, 7, 11, 13])
FRAME = pd.DataFrame({f"x{j}": norm.ppf((K * root) % 1) for j, root in enumerate(ROOTS)})
FRAME["site"] = pd.Categorical(np.array(["a", "b", "c"])[K % 3])
Y = (FRAME["x0"] + FRAME["x1"] - FRAME["x2"] > 0).to_numpy()
ASKED = {"missing": "impute", "scale": "range", "seed": 3.0}


def check(answer, frame):
    for name in frame:
        assert answer["features"][name] == frame[name].tolist()


def test_halves_are_those_of_python():
    asked = {**ASKED, "row_groups": K // 2, "options": {"always": "x5"}}
    answer = facade.halves(FRAME, Y, "hsic", 3.0, pairs=10.0, bound=2.0, **asked)
    own = hetsel.get_method("hsic")(random_state=3, always=["x5"])
    found = hetsel.selection_in_halves(own, FRAME, Y, 3, pairs=10, bound=2.0, groups=K // 2)
    check(answer, found.frame())
    assert np.array_equal(answer["half_samples"], found.chosen)
    assert answer["pairs"] == 10
    assert (answer["threshold"], answer["bound"]) == (found.threshold, found.bound)
    assert answer["kept"] == [found.names[j] for j in found.kept]
    assert answer["said"] == str(found)
    assert (answer["method"], answer["rows"]) == ("hsic", 120)


def test_permuted_statistics_are_those_of_python():
    answer = facade.permuted(FRAME, Y, "rfe-svm", permutations=15.0, **ASKED)
    found = hetsel.permuted_ranking(hetsel.RFESVM(random_state=3), FRAME, Y, permutations=15)
    check(answer, found.frame())
    assert np.array_equal(answer["permuted"], found.permuted)


def test_knockoffs_are_those_of_python():
    given = {"fdr": 0.4, "check": False}
    answer = facade.knockoffs(FRAME, Y, "hsic", repeats=2.0, **given, **ASKED)
    own = hetsel.get_method("hsic")(random_state=3)
    found = hetsel.knockoff_selection(own, FRAME, Y, repeats=2, **given)
    check(answer, found.frame())
    assert np.array_equal(answer["W"], found.W)
    assert answer["thresholds"] == found.thresholds.tolist()
    assert (answer["run_fdr"], answer["by_rank"]) == (0.2, False)


def test_what_python_refuses_is_told_in_words_of_r():
    twice = pd.concat([FRAME, FRAME], ignore_index=True)
    told = facade.permuted(twice, np.tile(Y, 2), "hsic", **ASKED)["error"]
    assert told["argument"] == "row_groups"
    assert told["fix"].startswith('Use row_groups = "copies"')
    bent = FRAME.assign(x1=FRAME["x0"] ** 2)
    refused = facade.knockoffs(bent, Y, "hsic", **ASKED)["error"]["message"]
    assert "hetsel_permuted()" in refused
    assert "check = FALSE" in refused
