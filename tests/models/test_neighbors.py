"""Nearest neighbors against the loops of a slow twin, scikit-learn and by hand."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from twins.neighbors import nearest_votes, squared_distance, winner_of

from hetsel.models.neighbors import DISTANCE_UNIT, MISSING, add_distances, count_votes_of_others
from hetsel.search.criteria.rates.neighbors_by_feature import CELLS_WITH_FAR_REACH, held_out_winners


def mixed(seed, n=25):
    """Columns in [0, 1], the last two of level codes, with missing cells; and the classes."""
    rng = np.random.default_rng(seed)
    values = np.column_stack(
        [rng.random((n, 2)), rng.integers(0, 3, n) / 2, rng.integers(0, 4, (n, 2))]
    )
    values[0, :3], values[1, :3] = 0.0, 1.0  # the range is [0, 1]
    gaps = rng.random(values.shape) < 0.1
    gaps[:2] = False
    values[gaps] = np.nan
    return values, np.array([False] * 3 + [True] * 2), rng.integers(0, 3, n)


def distances(left, right):
    total = np.zeros((len(left), len(right)))
    for a, b in zip(left.T, right.T, strict=True):
        a, b = (np.where(np.isnan(part), MISSING, part) for part in (a, b))
        add_distances(total, a, b, 1.0)
    return total


def votes_of(away, codes, k):
    votes = np.empty((len(away), int(codes.max()) + 1), dtype=np.int64)
    winner = np.empty(len(away), dtype=np.int64)
    count_votes_of_others(away, codes, k, votes, winner)
    return votes, winner


def held_out(away, cells, sign, codes, fold, ks, kind=np.int32):
    """Winners (1 + p, ks, divisions, n): the first by the distances where columns (p, n) come."""
    fold, cells = np.atleast_2d(fold), np.where(np.isnan(cells), MISSING, cells) * 2.0**12
    out = np.empty((1 + len(cells), len(ks), *fold.shape), dtype=np.int64)
    far = kind(np.iinfo(kind).max)
    state = (away.astype(kind), np.ascontiguousarray(cells), np.arange(len(cells)), sign)
    held_out_winners(*state, codes, fold, np.array(ks), far, 0, len(codes), out)
    return out


def winners_by_hand(away, codes, fold, k):
    found = []
    for i in range(len(codes)):
        others = np.flatnonzero(fold != fold[i])
        votes = nearest_votes(away[i, others].tolist(), codes[others].tolist(), k)
        found.append(winner_of(votes))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_distances_equal_the_slow_twin(seed):
    values, nominal, _ = mixed(seed)
    lowest, highest = np.nanmin(values, axis=0).tolist(), np.nanmax(values, axis=0).tolist()
    rows = values.tolist()
    expected = [
        [float(squared_distance(a, b, nominal, lowest, highest)) for b in rows[10:]]
        for a in rows[:10]
    ]
    found = distances(values[:10], values[10:]) / DISTANCE_UNIT
    np.testing.assert_allclose(found, expected, atol=5 / DISTANCE_UNIT)


@pytest.mark.parametrize("k", [1, 2, 5, 25])
@pytest.mark.parametrize("seed", range(3))
def test_votes_and_winners_equal_the_slow_twin(seed, k):
    values, _, codes = mixed(seed)
    away = distances(values, values)
    away[:, 3] = away[:, 7]  # ties
    votes, winner = votes_of(away, codes, k)
    for i in range(len(away)):
        expected = nearest_votes(away[i].tolist(), codes.tolist(), k)
        shares = [Fraction(int(v), int(votes[i].sum())) for v in votes[i]]
        assert shares == [expected.get(c, 0) / min(k, 25) for c in range(3)]
        assert winner[i] == winner_of(expected)


@pytest.mark.parametrize("k", [1, 4])
def test_rows_of_the_own_fold_do_not_vote(k):
    values, _, codes = mixed(5)
    away, fold = distances(values, values), np.arange(25) % 4
    winner = held_out(away, values.T, 1, codes, fold, [k])
    assert winner[0, 0, 0].tolist() == winners_by_hand(away, codes, fold, k)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("n", [25, 64, 131])
def test_a_candidate_is_counted_without_being_kept(n, kind):
    """Each column with the first ones, or without one of them; many rows are equally near."""
    values, _, codes = mixed(2, n)
    ks, folds = [1, 3, 4], np.array([np.arange(n) % 5, np.arange(n) // 7])
    folds[1, :3] = [100, 100, 101]  # folds of one and two rows
    for subset in (values[:, :0], values[:, 2:4], values):
        before = distances(subset, subset) if subset.shape[1] else np.zeros((n, n))
        for sign in (1, -1):
            tried = np.concatenate([values, values[:, :1]], axis=1) if sign > 0 else subset
            found = held_out(before, tried.T, sign, codes, folds, ks, kind)
            for c in range(-1 if sign > 0 else 0, tried.shape[1]):
                column = tried[:, [c]] if c >= 0 else values[:, :0]
                part = distances(column, column) if c >= 0 else 0.0
                for (q, k), (r, fold) in product(enumerate(ks), enumerate(folds)):
                    expected = winners_by_hand(before + sign * part, codes, fold, k)
                    assert found[c + 1, q, r].tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("decimals", [1, 9])
def test_many_candidates_are_counted_among_the_rows_around(decimals):
    """Each of fifty columns with six others; by hand for some of them."""
    rng, n = np.random.default_rng(4), 420
    values = rng.normal(size=(n, 56)).round(decimals)
    values[:, 1::4] = rng.integers(0, 3, values[:, 1::4].shape)  # levels
    values[rng.random(values.shape) < 0.02] = np.nan
    values[:, ::2] /= np.nanmax(values[:, ::2], axis=0) - np.nanmin(values[:, ::2], axis=0)
    ks, fold, codes = [1, 3, 7], np.array([np.arange(n) % 5, np.arange(n) // 9]), np.arange(n) % 3
    before, tried = distances(values[:, :6], values[:, :6]), values[:, 6:]
    assert n * tried.shape[1] >= CELLS_WITH_FAR_REACH
    found = held_out(before, tried.T, 1, codes, fold, ks)
    assert (found[1:] != found[0]).any()
    for c in (0, 3, 11, 12):
        away = before + distances(tried[:, [c]], tried[:, [c]])
        for (q, k), (r, folds) in product(enumerate(ks), enumerate(fold)):
            expected = winners_by_hand(away, codes, folds, k)
            assert found[c + 1, q, r].tolist() == expected


def test_numbers_alone_equal_scikit_learn():
    rng = np.random.default_rng(0)
    train, test, codes = rng.random((60, 3)), rng.random((30, 3)), np.arange(60) % 2
    model = KNeighborsClassifier(5).fit(train, codes)
    votes, winner = votes_of(distances(test, train), codes, 5)
    np.testing.assert_array_equal(votes / 5, model.predict_proba(test))
    np.testing.assert_array_equal(winner, model.predict(test))


def test_one_column_by_hand():
    cells = np.array([0.0, 0.5, 1.0, MISSING, 4.0])
    total = np.zeros((5, 5))
    add_distances(total, cells, cells, 1.0)
    # a code is a step apart from any value; missing too, but not from missing
    expected = [
        [0, 0.25, 1, 1, 1],
        [0.25, 0, 0.25, 1, 1],
        [1, 0.25, 0, 1, 1],
        [1, 1, 1, 0, 1],
        [1, 1, 1, 1, 0],
    ]
    np.testing.assert_array_equal(total / DISTANCE_UNIT, expected)
    add_distances(total, cells, cells, -1.0)
    assert not total.any()


@pytest.mark.parametrize(
    ("codes", "k", "votes", "winner"),
    [
        ([1, 0, 0, 1], 1, [0, 1], 1),
        ([1, 0, 0, 1], 2, [2, 4], 1),  # rows 1, 2 and 3 share one vote: 2/3 against 1 1/3
        ([1, 0, 0, 1], 3, [4, 5], 1),  # and two votes: 4/3 against 5/3
        ([0, 1, 1, 0], 4, [2, 2], 0),  # a tie: the nearest row has class 0
        ([2, 1, 0, 0], 2, [2, 1, 3], 2),
    ],
)
def test_rows_as_far_as_the_last_share_its_votes(codes, k, votes, winner):
    away = np.array([[0.0, 1.0, 1.0, 1.0]])
    found = votes_of(away, np.array(codes), k)
    assert found[0].tolist() == [votes]
    assert found[1].tolist() == [winner]


def test_one_column_of_levels_gives_the_class_of_most_rows_of_the_level():
    rng = np.random.default_rng(0)
    cells, draw = rng.integers(0, 2, 400), rng.random(400)
    codes = np.where(draw < 0.8, cells, 1 - cells)
    level = cells.astype(float)[:, None]
    votes, winner = votes_of(distances(level[:100], level[100:]), codes[100:], 5)
    assert (winner == cells[:100]).all()
    shares = [np.mean(codes[100:][cells[100:] == cell] == 1) for cell in (0, 1)]
    np.testing.assert_allclose(votes[:, 1] / votes.sum(axis=1), np.take(shares, cells[:100]))
