"""Whether features of new rows are distributed as in the fit."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency

from hetsel.ground.errors import TableError
from hetsel.ground.sealed_json import plain_values
from hetsel.signature.saved_content import check_reference
from hetsel.signature.validation import row_sketches
from hetsel.signature.validation.drift_test import (
    CellShares,
    cell_covariance,
    same_distribution,
)
from hetsel.signature.validation.training_reference import new_cells, training_reference
from hetsel.tables import Table


@pytest.fixture(autouse=True)
def without_sketches(monkeypatch):
    monkeypatch.setattr(row_sketches, "kept_rows", lambda *_: None)


def told(old, new, groups=None, others=None, before=None):
    """Facts of new rows by feature."""
    table = Table.read(old)
    known = training_reference(table, np.arange(table.shape[1]), groups)
    groups_before = before if groups is None else len(np.unique(groups))
    found = new_cells(known, table.schema, new, groups=others, groups_before=groups_before)
    return {one.feature: one for one in found}


def test_of_independent_rows_it_is_pearsons_test():
    counts = np.array([[0, 30, 12, 40], [0, 22, 25, 31]])
    one, two = (CellShares(k.astype(float), None, int(k.sum())) for k in counts)
    p, by_chance = same_distribution(one, two, ordered=False)
    assert p == pytest.approx(chi2_contingency(counts[:, 1:], correction=False).pvalue, rel=1e-12)
    assert by_chance == pytest.approx(2 * (1 / 82 + 1 / 78))


def test_the_covariance_is_the_jackknife_of_whole_groups():
    draw = np.random.default_rng(0)
    places, groups = draw.integers(0, 3, 60), draw.integers(0, 11, 60)
    whole = np.bincount(places, minlength=3) / 60
    moved = []
    for g in np.unique(groups):
        kept = places[groups != g]
        moved.append(np.bincount(kept, minlength=3) / len(kept) - whole)
    slow = 10 / 11 * np.array(moved).T @ np.array(moved)
    assert cell_covariance(places, 3, groups) == pytest.approx(slow)


def test_groups_of_equal_rows_count_as_their_number():
    draw = np.random.default_rng(1)
    old, new = draw.integers(0, 2, 400), draw.integers(0, 2, 400)
    alone = told(pd.DataFrame({"a": old.astype(str)}), pd.DataFrame({"a": new.astype(str)}))
    each = np.repeat(np.arange(400), 6)
    frames = (pd.DataFrame({"a": np.repeat(part, 6).astype(str)}) for part in (old, new))
    grouped = told(*frames, each, each)
    assert grouped["a"].pvalue == pytest.approx(alone["a"].pvalue, abs=0.01)
    assert grouped["a"].shift_by_chance == pytest.approx(2 / 400, rel=0.05)


def test_groups_cry_drift_as_seldom_as_single_rows_do():
    each = np.repeat(np.arange(40), 15)
    cried = {"of groups": 0, "of rows": 0}
    for seed in range(200):
        draw = np.random.default_rng(seed)
        old, new = (draw.normal(size=40)[each] + 0.3 * draw.normal(size=600) for _ in range(2))
        edges = np.quantile(old, np.linspace(0.1, 0.9, 9))
        for name, groups in (("of groups", each), ("of rows", None)):
            rows = [CellShares.of(1 + np.searchsorted(edges, x), 11, groups) for x in (old, new)]
            cried[name] += same_distribution(*rows, ordered=True)[0] < 0.05
    assert 3 <= cried["of groups"] <= 20
    assert cried["of rows"] > 180


def test_groups_that_moved_are_found():
    each, draw = np.repeat(np.arange(40), 15), np.random.default_rng(3)
    old, new = (
        pd.DataFrame({"x": draw.normal(size=40)[each] + shift + draw.normal(size=600)})
        for shift in (0, 1.5)
    )
    assert told(old, new, each, each)["x"].pvalue < 1e-3


def test_a_file_without_covariances_takes_rows_of_a_group_as_equal():
    each, draw = np.repeat(np.arange(40), 15), np.random.default_rng(4)
    old, new = (pd.DataFrame({"x": draw.normal(size=40)[each]}) for _ in range(2))
    assert told(old, new, None, each, before=40)["x"].pvalue > 0.05
    assert told(old, new)["x"].pvalue < 1e-6


def test_missing_cells_are_a_cell():
    draw = np.random.default_rng(5)
    old = pd.DataFrame({"x": draw.normal(size=200)})
    new = pd.DataFrame({"x": np.where(np.arange(200) % 3 == 0, np.nan, draw.normal(size=200))})
    found = told(old, new)["x"]
    assert found.pvalue < 1e-6
    assert found.shift > 0.25


def test_a_column_that_is_mostly_one_number_can_move():
    old = pd.DataFrame({"x": np.r_[np.zeros(180), np.arange(1, 21)]})
    new = pd.DataFrame({"x": np.r_[np.zeros(100), np.arange(1, 101) / 5]})
    assert told(old, new)["x"].pvalue < 1e-6


@pytest.mark.parametrize("grouped", [True, False])
def test_levels_that_are_new_by_chance_are_no_drift(grouped):
    shares = 1 / np.arange(1, 201)
    low = 0
    for seed in range(12):
        draw = np.random.default_rng(seed)
        old, new = (
            pd.DataFrame({"a": [f"l{k}" for k in draw.choice(200, 150, p=shares / shares.sum())]})
            for _ in range(2)
        )
        each = np.arange(150) // 2 if grouped else None
        low += told(old, new, each, each)["a"].pvalue < 0.05
    assert low <= 3


def test_a_file_whose_covariance_is_of_other_cells_is_refused():
    table = Table.read(pd.DataFrame({"a": list("abcabcab")}))
    known = training_reference(table, np.arange(1), np.arange(8) // 2)
    known = plain_values(known)
    check_reference("file", known, table.schema)
    known["features"][0]["covariance"].pop()
    with pytest.raises(TableError, match="covariance must be 4 long"):
        check_reference("file", known, table.schema)
