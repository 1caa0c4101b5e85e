"""The criteria against scikit-learn, exact fractions and hand-computed tables."""

import numpy as np
import pytest
from twins import held_out_rates as slow
from twins.neighbors import squared_distance

from hetsel.models.neighbors import DISTANCE_UNIT
from hetsel.resampling.folds import stratified_folds
from hetsel.search.criteria.rates.naive_bayes_rate import NaiveBayesState
from hetsel.search.criteria.rates.neighbors_rate import NeighborsState
from hetsel.selection import Problem
from hetsel.tables import Classes, Column, Schema, Table

KINDS = ["continuous", "continuous", "nominal", "ordinal", "nominal", "continuous"]


def table_of(values, kinds):
    columns = tuple(
        Column(f"x{j}", kind, () if kind == "continuous" else tuple(range(9)))
        for j, kind in enumerate(kinds)
    )
    return Table(np.asarray(values, dtype=float), Schema(columns))


def mixed(seed, n=40, n_classes=2):
    """Columns: normal, whole numbers with many ties, 3 levels, 4 ordered levels, 2 levels, flat."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    values = np.column_stack(
        [
            rng.normal(size=n) + y,
            rng.integers(20, 30, size=n) + 2 * y,
            (rng.integers(0, 3, size=n) + y * rng.integers(0, 2, size=n)) % 3,
            np.minimum(rng.integers(0, 3, size=n) + y, 3),
            rng.integers(0, 2, size=n),
            np.full(n, 4.0),
        ]
    )
    return table_of(values, KINDS), y, stratified_folds(y, 5, rng)


def problem_of(table, y):
    return Problem(table, Classes(y, np.unique(y)), (1,))


def bayes_state(table, y, fold, smoothing=1.0, var_smoothing=1e-9):
    """Naive Bayes on folds that are given."""
    return NaiveBayesState(problem_of(table, y), fold, smoothing, var_smoothing)


def neighbors_state(table, y, fold, neighbors=5):
    """Nearest neighbors on folds that are given."""
    return NeighborsState(problem_of(table, y), fold, min(neighbors, len(y)))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("smoothing", [1.0, 0.25])
@pytest.mark.parametrize("f", range(5))
def test_likelihoods_equal_those_of_scikit_learn(f, smoothing, n_classes):
    table, y, fold = mixed(f, n_classes=n_classes)
    criterion = bayes_state(table, y, fold, smoothing=smoothing)
    expected = slow.naive_bayes_likelihoods(
        table.values[:, f], KINDS[f] == "nominal", criterion.y, fold, smoothing
    )
    np.testing.assert_allclose(criterion.likelihoods(f)[0], expected, rtol=1e-9, atol=1e-8)


def test_a_constant_column_tells_nothing():
    table, y, fold = mixed(0)
    likelihoods = bayes_state(table, y, fold).likelihoods(5)[0]
    assert (likelihoods == likelihoods[:, :1]).all()
    assert bayes_state(table, y, fold).values_with([5])[0] == 0.5
    neighbors = neighbors_state(table, y, fold)
    neighbors.add(5)
    assert not neighbors._distances.any()


def test_a_class_without_spread_is_floored_by_the_spread_of_the_column():
    x = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 3.0, 2.0, 4.0])
    y, fold = np.repeat([0, 1], 4), np.tile([0, 1], 4)
    criterion = bayes_state(table_of(x[:, None], ["continuous"]), y, fold)
    expected = slow.naive_bayes_likelihoods(x, False, y, fold, 1.0)
    assert expected.max() > 5  # the density of the class of zeros at 0
    np.testing.assert_allclose(criterion.likelihoods(0)[0], expected, rtol=1e-9)


def test_missing_numbers_by_hand():
    nan = np.nan
    x = np.array([0.0, 1.0, nan, 4.0, 3.0, 2.0, nan, nan])
    y, fold = np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array([0, 1, 1, 1, 0, 1, 1, 0])
    out = bayes_state(table_of(x[:, None], ["continuous"]), y, fold).likelihoods(0)[0]
    # row 0 is held out: class 0 trains on 1/4, missing, 1; class 1 on 2/4, missing
    mean, var = 0.625, 0.140625 + 1e-9 * np.var([0.25, 1.0, 0.5])
    gauss = -0.5 * (np.log(2 * np.pi * var) + mean**2 / var)
    assert out[0, 0] == pytest.approx(np.log(3 / 5) + gauss, abs=1e-8)
    # row 7, missing, is held out with it
    np.testing.assert_allclose(out[7], np.log([2 / 5, 2 / 4]), atol=1e-8)


def test_a_class_with_missing_numbers_only_is_described_by_all_rows():
    nan = np.nan
    x = np.array([0.0, 1.0, 0.5, 0.25, nan, 0.0, nan, nan])
    y, fold = np.repeat([0, 1], 4), np.array([0, 1, 1, 0, 1, 0, 1, 1])
    out = bayes_state(table_of(x[:, None], ["continuous"]), y, fold).likelihoods(0)[0]
    # held-out row 5 (value 0): the rows with a value to learn from are 1 and 2, of class 0
    away = np.var([1.0, 0.5]) * (1 + 1e-9)
    gauss = -0.5 * (np.log(2 * np.pi * away) + 0.75**2 / away)
    np.testing.assert_allclose(out[5], np.log([3 / 4, 1 / 5]) + gauss, atol=1e-7)


def test_missing_is_a_level_among_levels():
    table = table_of([[0.0], [np.nan], [1], [1], [np.nan], [0]], ["nominal"])
    table = Table(table.values, Schema((Column("a", "nominal", (0, 1)),)))
    y, fold = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 1, 1, 0, 1, 1])
    out = bayes_state(table.resolve_missing("separate"), y, fold).likelihoods(0)[0]
    # row 0 (level 0): class 0 trains on missing, 1; class 1 on missing, 0; three levels
    np.testing.assert_allclose(out[0], np.log([1 / 5, 2 / 5]), atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_rates_equal_the_slow_twins_as_features_are_added(seed, n_classes):
    table, y, fold = mixed(seed, n_classes=n_classes)
    nominal = table.nominal
    criteria = [
        (bayes_state(table, y, fold), slow.naive_bayes_rate),
        (neighbors_state(table, y, fold), slow.neighbor_rate),
    ]
    for criterion, twin in criteria:
        subset = []
        for f in (1, 4, 2, 0, 3, 5):
            for candidate in sorted({0, 1, 2, 3, 4, 5} - set(subset)):
                y = criterion.y  # ties between classes go by their numbers
                expected = float(twin(table.values, nominal, y, fold, [*subset, candidate]))
                assert criterion.values_with([candidate])[0] == pytest.approx(expected, abs=1e-9)
            criterion.add(f)
            subset.append(f)


@pytest.mark.slow
@pytest.mark.parametrize("neighbors", [1, 2, 5, 100])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_neighbors_equal_brute_force_with_missing_cells(neighbors, n_classes):
    table, y, fold = mixed(7, n=30, n_classes=n_classes)
    values = table.values.copy()
    values[np.random.default_rng(0).random(values.shape) < 0.2] = np.nan
    table = Table(values, table.schema).resolve_missing("separate")
    criterion = neighbors_state(table, y, fold, neighbors=neighbors)
    subset = []
    for f in range(6):
        subset.append(f)
        expected = slow.neighbor_classes(
            values, table.nominal, criterion.y, fold, subset, neighbors
        )
        assert criterion.predict(f)[0].tolist() == expected.tolist()
        criterion.add(f)


def test_distances_are_those_of_the_formula():
    table, y, fold = mixed(3, n=12)
    criterion = neighbors_state(table, y, fold)
    for f in range(6):
        criterion.add(f)
    rows = table.values.tolist()
    lowest, highest = table.values.min(axis=0).tolist(), table.values.max(axis=0).tolist()
    expected = [
        [float(squared_distance(a, b, table.nominal, lowest, highest)) for b in rows] for a in rows
    ]
    found = criterion._distances / DISTANCE_UNIT
    np.testing.assert_allclose(found, expected, atol=6 / DISTANCE_UNIT)
    assert (found != np.round(found)).any()


def test_rows_as_far_as_the_last_share_its_votes():
    # held-out row 0 at 0.5; rows 1..4 at distance 0.5, row 6 at 0.3
    x = np.array([[0.5], [0.0], [1.0], [0.0], [1.0], [0.5], [0.8]])
    y = np.array([0, 1, 0, 0, 0, 1, 1])
    fold = np.array([0, 1, 1, 1, 1, 0, 1])

    def first(neighbors):
        table = table_of(x, ["continuous"])
        return neighbors_state(table, y, fold, neighbors=neighbors).predict(0)[0, 0]

    assert first(1) == 1  # row 6
    assert first(2) == 1  # one vote among four: 3/4 against 1 1/4
    assert first(3) == 1  # two: 3/2 against 3/2, and row 6 is nearer
    assert first(4) == 0  # three votes among four: 9/4 against 1 3/4


def test_equal_on_paper_is_equal_whatever_the_unit():
    x = np.array([[0.3], [0.1], [0.5], [0.2], [0.4], [0.7]])  # 0.3 - 0.1 != 0.5 - 0.3 in doubles
    y, fold = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 1, 1, 1, 1, 0])
    for scale in (1.0, 10.0, 1 / 3, 7e-9):
        criterion = neighbors_state(table_of(x * scale, ["continuous"]), y, fold)
        criterion.add(0)
        away = criterion._distances[0]
        assert away[1] == away[2]
        assert away[3] == away[4]


def test_the_order_of_the_sum_changes_no_bit():
    table, y, fold = mixed(5)
    totals = []
    for order in ([0, 1, 2, 3, 4], [3, 4, 1, 0, 2]):
        bayes = bayes_state(table, y, fold)
        neighbors = neighbors_state(table, y, fold)
        for f in order:
            bayes.add(f)
            neighbors.add(f)
        totals.append((bayes._total, neighbors._distances))
    for one, other in zip(*totals, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_empty_subset_predicts_by_the_classes_alone():
    table, y, _ = mixed(0)
    y = np.where(np.arange(len(y)) < 10, 1, 0)
    assert bayes_state(table, y, stratified_folds(y, 5, np.random.default_rng(0))).value == 0.5
