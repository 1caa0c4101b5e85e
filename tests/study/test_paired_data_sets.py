"""Treatments of one table as data sets of their own share the test rows of every resampling."""

import numpy as np
import pandas as pd
import pytest
from study.studies import Told, whole

from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.study.cell import Recipe

TREATMENTS = {
    "impute": {"missing": "impute"},
    "separate": {"missing": "separate"},
    "quantiles": {"scale": "quantile"},
    "between quantiles": {"scale": "robust"},
    "without a column": {"drop": ["t", "a"]},
    "grades in order": {"ordinal": ["g"]},
    "grades as names": {"nominal": ["g"]},
    "grades as numbers": {"continuous": ["g"]},
    "another positive class": {"positive": "no"},
}


def table(unlabeled):
    """Rows with gaps and two classes of one size, which no label but their rows tells apart."""
    rng = np.random.default_rng(8)
    n = 72
    y = np.array(["yes", "no"], dtype=object)[rng.permuted(np.arange(n) % 2)]
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=n),
            "b": rng.normal(size=n),
            "g": rng.integers(0, 4, n),
            "t": rng.choice(list("pqr"), n),
            "kept": np.arange(n) % 4 == 0,
            "class": y,
        }
    )
    frame.loc[rng.random(n) < 0.2, "b"] = np.nan
    if unlabeled:
        frame.loc[rng.random(n) < 0.15, "class"] = None
    return frame


def held_out(frame, resamplings, **treatment):
    """Test rows of every resampling."""
    spec = DataSpec(name="d", X=frame, target="class", **treatment)
    recipe = Recipe(MethodSpec.of("method", Told()), (1,), (), resamplings, 5)
    found = [whole(recipe.run(prepare(spec), k, "")) for k in range(resamplings.count)]
    assert not any(getattr(one, "reason", "") for one in found)
    return [one.test.tolist() for one in found]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["stratified", "random"])
@pytest.mark.parametrize("unlabeled", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_treatments_of_one_table_share_their_splits(kind, unlabeled, given):
    frame = table(unlabeled)
    resamplings = Resamplings(count=4, kind=kind)
    options = {"drop_unlabeled": unlabeled}
    if given:
        options["test_rows"] = "kept"
        resamplings = Resamplings.of(
            "plan", {"count": 4, "kind": kind, "train_count": 30, "test_count": 10}
        )
    expected = held_out(frame, resamplings, **options)
    assert len({tuple(rows) for rows in expected}) == 4
    for name, treatment in TREATMENTS.items():
        assert held_out(frame, resamplings, **options, **treatment) == expected, name


def test_another_order_of_rows_or_other_rows_share_nothing():
    frame = table(unlabeled=False)
    resamplings = Resamplings(count=4)
    expected = held_out(frame, resamplings)
    assert held_out(frame[::-1], resamplings) != [[71 - r for r in rows][::-1] for rows in expected]
    fewer = held_out(frame.drop(index=frame.index[frame["b"].isna()]), resamplings)
    assert [len(rows) for rows in fewer] != [len(rows) for rows in expected]
