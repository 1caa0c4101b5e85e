"""The frame of a ranking: importances fall within a step, and the frame says which step."""

import numpy as np
import pandas as pd
import pytest

from hetsel import get_method, method_keys
from hetsel.ground.errors import TableError
from hetsel.selection import Ranking

RNG = np.random.default_rng(1)
N = 60
X = pd.DataFrame({c: RNG.normal(size=N) for c in "abcde"}).assign(
    s=np.array(list("uvw"))[RNG.integers(0, 3, N)]
)
Y = X["b"] + 0.8 * X["d"] + 0.5 * (X["s"] == "u") + RNG.normal(size=N) * 0.7 > 0
FEW = {"jmi", "fohsic", "bahsic", "mi-forward", "mi-backward", "mrmr", "hsic", "rfe-svm"}


def keys():
    """Every method; all but a few of them in the long run."""
    for key in method_keys():
        yield key if key in FEW else pytest.param(key, marks=pytest.mark.slow)


@pytest.mark.parametrize("key", [*keys()])
def test_importances_fall_within_a_step_and_the_frame_tells_the_steps(key):
    method = get_method(key)
    try:
        found = method(**method.about.trial, unsupported="skip").fit(X, Y)
    except (TableError, ImportError) as reason:
        pytest.skip(str(reason))
    if not isinstance(found.answer_, Ranking):  # a search over subsets has sizes in their place
        assert {"step", "rank"}.isdisjoint(found.frame())
        return
    frame = found.frame()
    assert frame["rank"].is_monotonic_increasing
    if found.answer_.steps:
        for number, step in enumerate(found.answer_.steps, start=1):
            names = [found.schema_.names[j] for j in step.features]
            assert frame.loc[frame["step"] == number, "feature"].tolist() == names
    else:
        assert "step" not in frame
        frame["step"] = 0
    for _, part in frame.groupby("step"):
        assert part["importance"].is_monotonic_decreasing


@pytest.mark.parametrize("key", ["jmi", "fohsic", "bahsic", "mi-forward", "mi-backward"])
def test_of_several_steps_importances_need_not_fall(key):
    """So the column is needed: sorted by importance the order is another one."""
    frame = get_method(key)(unsupported="skip").fit(X, Y).frame()
    assert not frame["importance"].is_monotonic_decreasing
    assert frame["step"].nunique() > 1
