"""Numbers at the ends of what floats hold: told apart, or refused; nothing overflows."""

import decimal

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame

from hetsel import ClinicalSVC, Table, get_method, method_keys
from hetsel.ground.errors import TableError
from hetsel.kernels.training_ranges import Scaling

HUGE = 2**60
BEYOND = {
    "integers": np.array([HUGE, HUGE + 1, HUGE]),
    "unsigned": np.array([2**64 - 2, 2**64 - 1, 7], dtype=np.uint64),
    "nullable": pd.array([HUGE, HUGE + 1, None], dtype="Int64"),
    "objects": pd.Series([2**70, 2**70 + 1, None], dtype=object),
    "decimals": [decimal.Decimal(HUGE), decimal.Decimal(HUGE + 1), decimal.Decimal(1)],
    "moments": pd.to_datetime([1_700_000_000_000_000_001, 1_700_000_000_000_000_002, 5]),
}


@pytest.mark.parametrize("cells", BEYOND.values(), ids=BEYOND)
def test_cells_that_one_float_would_stand_for_are_refused(cells):
    frame = pd.DataFrame({"k": cells, "x": [1.0, 2.0, 3.0]})
    with pytest.raises(
        TableError, match="'k' must hold values that differ as floating-point numbers"
    ):
        Table.read(frame)
    levels = Table.read(frame, nominal=["k"]).schema.columns[0].levels
    assert len(levels) == frame["k"].nunique()


def test_new_rows_are_held_to_it_as_well():
    schema = Table.read(pd.DataFrame({"k": [1, HUGE, 2]})).schema
    with pytest.raises(TableError, match=f"{HUGE} and {HUGE + 1}"):
        schema.encode(pd.DataFrame({"k": [HUGE, HUGE + 1]}))


def test_large_whole_numbers_that_floats_tell_apart_are_numbers():
    frame = pd.DataFrame({"k": [HUGE, HUGE + 1024, HUGE + 2048]})
    assert Table.read(frame).values.ravel().tolist() == [HUGE, HUGE + 1024, HUGE + 2048]


def test_the_middle_of_the_largest_numbers_fills_a_gap():
    table = Table.read(pd.DataFrame({"k": [1e308, 1.2e308, 1e308, 1.6e308, np.nan]}))
    assert table.resolve_missing("impute").values[4, 0] == 1e308 / 2 + 1.2e308 / 2


def at_the_ends():
    draw = np.random.default_rng(0)
    frame, y = mixed_frame(60, 2, 2)
    frame["ends"] = draw.choice([1e308, -1e308, 1.5e308, -1.7e308], 60)
    frame["large"] = draw.normal(size=60) * 1e307
    frame["tiny"] = draw.normal(size=60) * 1e-307
    return frame.mask(pd.DataFrame(draw.random(frame.shape) < 0.05, columns=frame.columns)), y


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize(
    "key", [key for key in method_keys() if "r" not in get_method(key).about.requires]
)
def test_no_method_overflows(key, missing):
    method = get_method(key)
    frame, y = at_the_ends()
    kinds = {name: "nominal" if name[0] == "n" else "continuous" for name in frame}
    frame = frame[[name for name in frame if kinds[name] in method.about.takes]]
    selector = method(**method.about.trial, missing=missing).fit(frame, y)  # warnings are errors
    assert len(selector.signature())


def test_ranges_and_machines_do_not_overflow():
    frame, y = at_the_ends()
    table = Table.read(frame).resolve_missing("impute")
    scaled = Scaling.fit(table).apply(table)[~table.nominal]
    assert scaled.min() == 0.0
    assert scaled.max() == 1.0
    curves = ClinicalSVC(C=1.0).fit(frame, y).effect_curves()
    assert all(np.isfinite(c.values).all() for c in curves)
    assert all(np.isfinite(c.knots).all() for c in curves if c.kind == "continuous")
