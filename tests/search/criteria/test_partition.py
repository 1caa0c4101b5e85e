"""Criteria of the partition by a subset against pandas and scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score
from sksurv.nonparametric import nelson_aalen_estimator

from hetsel import Table
from hetsel.search.criteria.partition_criteria import (
    Consistency,
    JointInformation,
    count_cells,
    discrete_codes,
)
from hetsel.selection import Problem
from hetsel.tables import Classes, Numbers, Survival


def mixed(n_classes=2, n=150, seed=0):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes).repeat(2), rng.integers(0, n_classes, n)])[:n]
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n) + y),
            "sex": np.where(rng.random(n) < 0.7, y % 2, rng.integers(0, 3, n)).astype(str),
            "dose": rng.integers(1, 9, n).astype(float),
            "site": rng.choice(list("abcd"), n),
            "same": np.ones(n),
        }
    )
    table = Table.read(frame).resolve_missing("separate")
    return Problem(table, Classes.of(y), (1,))


def information(codes, y):
    return mutual_info_score(y, pd.DataFrame(codes.T).groupby(list(range(len(codes)))).ngroup())


def agreement(codes, y):
    cells = pd.DataFrame(codes.T).groupby(list(range(len(codes)))).ngroup()
    return pd.crosstab(cells, y).max(axis=1).sum() / len(y)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    ("criterion", "oracle"), [(JointInformation(4), information), (Consistency(4), agreement)]
)
def test_every_value_is_that_of_the_groups_of_pandas(criterion, oracle, n_classes):
    problem = mixed(n_classes)
    codes, y = discrete_codes(problem.table, 4), problem.target.codes
    state = criterion.start(problem)
    for f in (3, 0, 4, 1):
        rest = [g for g in range(5) if g not in state.subset]
        expected = [oracle(codes[[*state.subset, g]], y) for g in rest]
        np.testing.assert_allclose(state.values_with(rest), expected, atol=1e-7)
        state.add(f)
    expected = [oracle(codes[[g for g in state.subset if g != f]], y) for f in state.subset]
    np.testing.assert_allclose(state.values_without(state.subset), expected, atol=1e-7)


def test_without_features():
    problem = mixed(3)
    assert JointInformation().start(problem).value == 0.0
    share = np.bincount(problem.target.codes) / problem.n
    assert Consistency().start(problem).value == share.max()


@pytest.mark.parametrize("criterion", [JointInformation(), Consistency()])
def test_no_value_falls_when_a_feature_is_added_and_none_passes_its_bound(criterion):
    for seed in range(10):
        problem = mixed(3, n=40, seed=seed)
        share = np.bincount(problem.target.codes) / problem.n
        bound = entropy(share) + 1e-7 if isinstance(criterion, JointInformation) else 1.0
        state = criterion.start(problem)
        for f in np.random.default_rng(seed).permutation(5).tolist():
            rest = sorted(set(range(5)) - set(state.subset))
            values = state.values_with(rest)
            assert (values >= state.value).all()
            assert (values <= bound).all()
            state.add(f)


def test_exclusive_or_is_seen_by_the_pair_only():
    a, b = np.tile([0.0, 0, 1, 1], 10), np.tile([0.0, 1, 0, 1], 10)
    table = Table.read(np.column_stack([a, b]))
    problem = Problem(table, Classes.of((a != b).astype(int)), (1,))
    for criterion, alone, both in [
        (JointInformation(), 0.0, np.log(2)),
        (Consistency(), 0.5, 1.0),
    ]:
        state = criterion.start(problem)
        assert state.values_with([0, 1]).tolist() == [alone, alone]
        state.add(0)
        assert state.values_with([1])[0] == pytest.approx(both, abs=1e-7)


def test_cells_are_counted_even_where_all_share_a_slot():
    rows = np.array([64, 0, 128, 64, 0, 64], dtype=np.uint64)
    y = np.array([0, 1, 0, 1, 1, 0])
    keys, counts = np.empty(6, dtype=np.uint64), np.empty((6, 2), dtype=np.int64)
    cells = count_cells(rows, y, np.empty(16, dtype=np.int64), keys, counts)
    assert keys[:cells].tolist() == [64, 0, 128]
    assert counts[:cells].tolist() == [[2, 1], [0, 2], [1, 0]]


def test_information_about_numbers_and_survival_times_is_that_of_their_tenths():
    rng = np.random.default_rng(4)
    told, n = rng.normal(size=200), 200
    levels = np.digitize(told + rng.normal(size=n), [-1.0, 0.0, 1.0])
    frame = pd.DataFrame({"level": pd.Categorical.from_codes(levels, list("abcd"))})
    times, events = np.round(np.exp(-told), 1), rng.random(n) < 0.7
    at, hazard = nelson_aalen_estimator(events, times)
    residuals = events - hazard[np.searchsorted(at, times)]
    for target, by in (
        (Numbers(told), told),
        (Survival(times, events), np.round(residuals, 9)),
    ):
        lower = np.array([(by < one).sum() for one in by])  # a tenth by the rows below
        problem = Problem(Table.read(frame), target, (1,))
        found = JointInformation().start(problem).values_with([0])[0]
        assert found == pytest.approx(mutual_info_score(lower * 10 // n, levels), abs=1e-6)
