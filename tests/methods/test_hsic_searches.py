"""Forward and backward rankings by HSIC against searches with full Gram matrices."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from mixed_tables import mixed
from twins import traces

from hetsel import BAHSIC, FOHSIC
from hetsel.ground.errors import TableError


def value(table, y, subset):
    return traces.hsic(traces.product_gram(table.values, table.nominal, subset), y.tolist())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_forward_is_the_best_next_feature_each_time(seed, missing):
    table, y = mixed(seed, n=30, classes=3, missing=missing)
    found = FOHSIC(missing="separate").fit(table, y).answer_
    subset = []
    for step in found.steps:
        left = [f for f in range(6) if f not in subset and not (f == 5 and not missing)]
        values = [value(table, y, [*subset, f]) for f in left]
        subset.append(left[int(np.argmax(values))])
        assert step.features == (subset[-1],)
        assert step.objective == pytest.approx(max(values), abs=1e-8)
    assert found.order.tolist() == [*subset, *([] if missing else [5])]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_backward_drops_what_lowers_hsic_least(seed, missing):
    table, y = mixed(seed, n=30, classes=3, missing=missing)
    found = BAHSIC(missing="separate").fit(table, y)
    left, order = [0, 1, 2, 3, 4, *([5] if missing else [])], [] if missing else [5]
    for step in found.answer_.steps:
        assert step.size == len(left)
        whole = value(table, y, left)
        losses = [whole - value(table, y, [g for g in left if g != f]) for f in left]
        worst = left[int(np.argmin(losses))]
        assert step.features == (worst,)
        assert found.importances_[worst] == pytest.approx(min(losses), abs=1e-8)
        left.remove(worst)
        order.insert(0, worst)
    assert found.answer_.order.tolist() == order


@pytest.mark.parametrize("method", [FOHSIC, BAHSIC])
def test_what_tells_the_class_together_only_is_found(method):
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, size=(150, 5))
    frame = pd.DataFrame(bits, columns=list("abcde")).astype("category")
    frame["c"] = rng.normal(size=150)
    found = method().fit(frame, bits[:, 1] ^ bits[:, 3])
    if method is BAHSIC:
        assert set(found.signature(2)) == {1, 3}
    else:  # once one of them is in
        order = found.answer_.order.tolist()
        assert abs(order.index(1) - order.index(3)) == 1


def test_beyond_the_depth_features_stand_by_their_value_at_the_last_choice():
    frame, y = mixed_frame(60, 6, 3)
    frame["flat"] = 1.0
    whole = FOHSIC(size=1).fit(frame, y).answer_
    short = FOHSIC(size=1, depth=3).fit(frame, y).answer_
    assert len(short.steps) == 3
    assert short.order[:3].tolist() == whole.order[:3].tolist()
    assert sorted(short.order) == list(range(10))
    assert short.order[-1] == 9
    longer = FOHSIC(size=5, depth=3).fit(frame, y).answer_
    assert len(longer.steps) == 5


def test_impossible_parameters_are_named():
    frame, y = mixed_frame(30, 2, 2)
    with pytest.raises(TableError, match="depth must be a whole number, 1 or larger. Got 0"):
        FOHSIC(depth=0).fit(frame, y)
    with pytest.raises(ValueError, match="step must be .* between 0 and 1"):
        BAHSIC(step=1.5).fit(frame, y)
