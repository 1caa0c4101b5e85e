"""Searches over subsets by nearest neighbors, of numbers and of survival times."""

import numpy as np
import pandas as pd
import pytest

from hetsel import SubsetSearch, get_method, survival
from hetsel.ground.errors import TableError

KEYS = ("sfs-5nn", "sffs-5nn", "dos-5nn", "dos-voting", "dos-hybrid")
KINDS = ("numbers", "survival")
both = pytest.mark.parametrize("kind", KINDS)


def told(kind, n=70, missing=0.0, seed=0):
    """A frame whose columns c0 and n0 tell a target, and that target."""
    noise = np.random.default_rng(seed)
    risk = noise.normal(size=n)
    frame = pd.DataFrame({f"c{j}": noise.normal(size=n) for j in range(4)})
    frame["c0"] += 2.0 * risk
    levels = np.digitize(risk, [-0.5, 0.5])
    frame["n0"] = pd.Categorical.from_codes(levels, ["low", "middle", "high"])
    frame["n1"] = pd.Categorical.from_codes(noise.integers(0, 3, n), ["a", "b", "c"])
    if missing:
        frame = frame.mask(noise.random(frame.shape) < missing)
    if kind == "numbers":
        return frame, 100.0 + 20.0 * risk
    return frame, survival(np.exp(-risk), noise.random(n) < 0.7)


def scores(selector, columns=None):
    """Subsets, by the places that the columns are renamed to, and their scores."""
    columns = np.arange(selector.n_features_in_) if columns is None else columns
    answer = selector.answer_
    subsets = {size: sorted(columns[answer.signature(size)].tolist()) for size in answer.sizes}
    return subsets, {size: answer.score(size) for size in answer.sizes}


@both
@pytest.mark.parametrize("key", ["sffs-5nn", "dos-hybrid"])
def test_units_names_and_orders_change_nothing(key, kind):
    frame, y = told(kind, missing=0.05, seed=1)
    frame["still"], frame["again"] = 1.0, frame["c1"]
    here = get_method(key)(missing="separate").fit(frame, y)
    rng = np.random.default_rng(1)
    columns, rows = rng.permutation(frame.shape[1]), rng.permutation(len(y))
    other = frame.assign(
        c0=frame["c0"] * 3.7 - 11.3, n0=frame["n0"].cat.rename_categories(list("zxy"))
    )
    days = kind == "survival"
    unit = survival(y["time"] / 365.25, y["event"]) if days else 3.7 * y - 11.3
    there = get_method(key)(missing="separate").fit(other.iloc[rows, columns], unit[rows])
    assert scores(here) == scores(there, columns)
    assert not {"still"} & set(here.get_feature_names_out())


@both
def test_one_column_and_all_noise(kind):
    frame, y = told(kind)
    assert get_method("sfs-5nn")().fit(frame[["n0"]], y).signature().tolist() == [0]
    noise = get_method("sffs-5nn")().fit(frame[["c1", "c2", "c3"]], y).answer_
    assert noise.score(noise.best_size) < (0.3 if kind == "numbers" else 0.7)


@both
def test_rows_of_a_group_are_held_out_together(kind):
    frame, y = told(kind, n=40)
    noise = pd.concat([frame[["c1", "c2"]]] * 2, ignore_index=True)
    search = SubsetSearch(search="sfs", criterion="1nn")
    apart = search.fit(noise, np.tile(y, 2)).answer_.score(1)
    held = search.fit(noise, np.tile(y, 2), groups=np.tile(np.arange(40), 2)).answer_.score(1)
    assert apart > held + 0.15


def test_a_criterion_that_takes_no_survival_times_is_refused():
    frame, y = told("survival")
    with pytest.raises(TableError) as caught:
        SubsetSearch(criterion="naive-bayes").fit(frame, y)
    assert "Got survival times: 70 rows" in str(caught.value)
    assert "Use one of: 5nn, " in str(caught.value)
