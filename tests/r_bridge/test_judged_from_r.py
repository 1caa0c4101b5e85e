"""Entry points of judged rankings: the numbers are those of the same call in Python."""

import numpy as np
import pandas as pd
from scipy.stats import norm

import hetsel
from r_bridge.from_r import entry_points as facade

K = np.arange(1, 121)
ROOTS = np.sqrt([2, 3, 5, 7, 11, 13])
FRAME = pd.DataFrame({f"x{j}": norm.ppf((K * root) % 1) for j, root in enumerate(ROOTS)})
FRAME["site"] = pd.Categorical(np.array(["a", "b", "c"])[K % 3])
Y = (FRAME["x0"] + FRAME["x1"] - FRAME["x2"] > 0).to_numpy()
COLUMNS = [
    {"name": name, "form": "number", "cells": FRAME[name].to_numpy().tobytes()}
    for name in FRAME
    if name != "site"
]
SITE = FRAME["site"].cat.codes.to_numpy(np.float64).tobytes()
COLUMNS.append({"name": "site", "form": "factor", "cells": SITE, "levels": list("abc")})
TARGET = {"form": "flag", "cells": Y.astype(np.float64).tobytes()}
SELECTOR = {"missing": "impute", "scale": "range", "seed": 3.0, "kinds": None, "options": None}


def matrix(answer, name):
    return np.frombuffer(answer[name]).reshape(len(answer["names"]), -1).T


def check(answer, frame):
    for name in frame:
        assert answer[name] == frame[name].tolist()


def test_halves_are_those_of_python():
    groups = {"form": "number", "cells": (K // 2).astype(np.float64).tobytes()}
    selector = {**SELECTOR, "options": {"always": "x5"}}
    answer = facade.halves(COLUMNS, TARGET, "hsic", 3.0, selector, groups, pairs=10.0, bound=2.0)
    own = hetsel.get_method("hsic")(random_state=3, always=["x5"])
    found = hetsel.selection_in_halves(own, FRAME, Y, 3, pairs=10, bound=2.0, groups=K // 2)
    check(answer, found.frame())
    assert np.array_equal(matrix(answer, "halves") == 1, found.chosen)
    assert answer["names"] == list(found.names)
    assert (answer["threshold"], answer["bound"]) == (found.threshold, found.bound)
    assert answer["kept"] == [found.names[j] for j in found.kept]
    assert answer["said"] == str(found)
    assert (answer["method"], answer["rows"]) == ("hsic", 120)


def test_permuted_statistics_are_those_of_python():
    answer = facade.permuted(COLUMNS, TARGET, "rfe-svm", SELECTOR, permutations=15.0)
    found = hetsel.permuted_ranking(hetsel.RFESVM(random_state=3), FRAME, Y, permutations=15)
    check(answer, found.frame())
    assert np.array_equal(matrix(answer, "permuted"), found.permuted)


def test_knockoffs_are_those_of_python():
    given = {"fdr": 0.4, "check": False}
    answer = facade.knockoffs(COLUMNS, TARGET, "hsic", SELECTOR, repeats=2.0, **given)
    own = hetsel.get_method("hsic")(random_state=3)
    found = hetsel.knockoff_selection(own, FRAME, Y, repeats=2, **given)
    check(answer, found.frame())
    assert np.array_equal(matrix(answer, "draws_of"), found.W)
    assert answer["thresholds"] == found.thresholds.tolist()
    assert (answer["run_fdr"], answer["by_rank"]) == (0.2, False)


def test_what_python_refuses_is_told_in_words_of_r():
    twice = [{**column, "cells": column["cells"] * 2} for column in COLUMNS]
    target = {**TARGET, "cells": TARGET["cells"] * 2}
    told = facade.permuted(twice, target, "hsic", SELECTOR)["error"]
    assert told["argument"] == "row_groups"
    assert told["fix"].startswith('row_groups = "copies"')
    bent = [dict(COLUMNS[0]), {**COLUMNS[1], "cells": (FRAME["x0"] ** 2).to_numpy().tobytes()}]
    refused = facade.knockoffs([*bent, *COLUMNS[2:]], TARGET, "hsic", SELECTOR)["error"]["message"]
    assert "hetsel_permuted()" in refused
    assert "check = FALSE" in refused
