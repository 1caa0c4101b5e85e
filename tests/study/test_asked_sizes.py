"""A selection that serves further sizes: the signatures are those of these sizes alone."""

from dataclasses import replace

import numpy as np
import pytest
from frames import mixed_frame

from hetsel import get_method, method_keys
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import TableError
from hetsel.study.asked_sizes import asked_sizes
from hetsel.study.plan.plan import Plan

USES = {key: MethodSpec.of("", key).use_of_sizes for key in method_keys()}


def problem_for(key, wide):
    """A problem that the method accepts, with 9 or 60 columns, or None."""
    method = get_method(key)
    kinds, kind = method.about.takes, method.about.targets[0]
    extra = 46 if wide else 0
    X, y = mixed_frame(n=80, continuous=6 + extra, nominal=3, classes=2, seed=5)
    X = X[[c for c in X if ("continuous" if X[c].dtype.kind == "f" else "nominal") in kinds]]
    target = {"classes": y, "numbers": X.iloc[:, 0].astype("category").cat.codes + 0.5}[kind]
    entry = {"name": "m", "X": X, "y": np.asarray(target)}
    (spec,) = Plan(datasets=[entry], methods=[key]).datasets
    data = prepare(spec)
    return data.problem((), 3)


@pytest.mark.seconds
@pytest.mark.parametrize("wide", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", [key for key, use in USES.items() if use != "subsets"])
def test_a_signature_does_not_depend_on_the_other_sizes(key, wide):
    method = get_method(key)
    problem = problem_for(key, wide)
    asked = asked_sizes(USES[key], (2, 3), problem.p).requested
    selector = method(**method.about.trial)
    try:
        canonical = selector.solve(replace(problem, sizes=asked))
    except TableError as reason:
        pytest.skip(str(reason))
    for sizes in ((2, 3), (3,), (1, 3, min(7, problem.p))):
        alone = selector.solve(replace(problem, sizes=sizes))
        for size in sizes:
            assert sorted(alone.signature(size)) == sorted(canonical.signature(size)), (sizes, size)


def test_searches_and_what_others_wrote_depend_on_all_sizes():
    assert {key for key, use in USES.items() if use == "subsets"} >= {
        "sffs-nb",
        "dos-5nn",
        "ensemble",
    }
    assert USES["rfe-mkl"] == USES["ensemble-rfe-svm"] == "cuts"
    assert USES["cmim"] == USES["hsic-lasso"] == "depth"
    assert USES["t-test"] == USES["relieff"] == "unused"
