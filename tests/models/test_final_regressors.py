"""Final models of numbers and of survival times against scikit-learn, scikit-survival and twins."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import r2_score
from sklearn.neighbors import KNeighborsRegressor
from sksurv.metrics import concordance_index_censored
from sksurv.nonparametric import nelson_aalen_estimator
from twins import neighbors as slow

from hetsel import Table
from hetsel.models.final_regressors import forest_numbers, nearest_numbers, nearest_survival
from hetsel.models.train_test_arrays import Split

SUBSETS = [np.array([0]), np.array([0, 2]), np.array([0, 2, 1]), np.array([1, 3])]


def halves(seed=0, n=90, ties=False, missing=0.0):
    """A split of numbers and levels, 60 rows to learn from, with both kinds of targets."""
    rng = np.random.default_rng(seed)
    risk = rng.normal(size=n)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    frame["a"] += risk
    if ties:
        frame["b"] = np.digitize(frame["b"], [-0.5, 0.5]) * 1.0
        frame["c"] = np.digitize(frame["c"] + risk, [-1.0, 0.0, 1.0]) * 1.0
    frame["town"] = pd.Categorical.from_codes(rng.integers(0, 4, n), list("uvwx"))
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    table = Table.read(frame).resolve_missing("separate")
    times, events = np.round(np.exp(-risk), 1 if ties else 9), rng.random(n) < 0.6
    left, right = table.take(rows=slice(60)), table.take(rows=slice(60, n))
    told = {"numbers": 50.0 + 9.0 * risk[:60], "times": times[:60], "events": events[:60]}
    held = {"numbers": 50.0 + 9.0 * risk[60:], "times": times[60:], "events": events[60:]}
    return Split.of(left, right, np.zeros(60, dtype=np.int64), **told), held


def weights_by_twin(split, subset, neighbors):
    """Weights of the training rows for every test row, by exact fractions."""
    train, test = split.train[subset].T, split.test[subset].T
    nominal = split.nominal[subset].tolist()
    lowest, highest = [0.0] * len(subset), [1.0] * len(subset)
    for row in test.tolist():
        away = [slow.squared_distance(row, one, nominal, lowest, highest) for one in train.tolist()]
        yield slow.nearest_weights(away, neighbors)


def test_without_ties_the_nearest_are_those_of_scikit_learn():
    split, _ = halves()
    found = nearest_numbers(split, SUBSETS[:3], neighbors=4)
    for subset, values in zip(SUBSETS, found, strict=False):
        model = KNeighborsRegressor(4).fit(split.train[subset].T, split.numbers)
        np.testing.assert_allclose(values, model.predict(split.test[subset].T), atol=1e-5)


def test_without_ties_the_risk_is_the_summed_hazard_of_scikit_survival():
    split, _ = halves()
    cells, rows = split.train[:3], split.test[:3]
    found = nearest_survival(split, [np.arange(3)], neighbors=6)[0]
    for i, risk in enumerate(found):
        near = np.argsort(((cells - rows[:, [i]]) ** 2).sum(axis=0))[:6]
        times, hazard = nelson_aalen_estimator(split.events[near], split.times[near])
        at = np.searchsorted(times, split.times, side="right")
        assert risk == pytest.approx(np.append(0.0, hazard)[at].sum(), abs=1e-8)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_ties_and_levels_equal_the_slow_twin(missing):
    split, _ = halves(ties=True, missing=missing)
    numbers = nearest_numbers(split, SUBSETS[1:], neighbors=3)
    risks = nearest_survival(split, SUBSETS[1:], neighbors=3)
    told = split.times.tolist(), split.events.tolist()
    for k, subset in enumerate(SUBSETS[1:]):
        for i, weights in enumerate(weights_by_twin(split, subset, 3)):
            mean = float(slow.weighted_mean(weights, split.numbers.tolist()))
            assert numbers[k, i] == pytest.approx(mean, abs=1e-5)
            risk = float(slow.mortality(weights, *told, told[0]))
            assert risks[k, i] == pytest.approx(risk, abs=1e-8)


def test_more_neighbors_than_rows_are_all_rows():
    split, _ = halves(ties=True)
    assert nearest_numbers(split, SUBSETS, neighbors=1000) == pytest.approx(split.numbers.mean())
    assert np.ptp(nearest_survival(split, SUBSETS, neighbors=60)) == 0


def test_what_tells_the_target_is_predicted():
    split, held = halves(seed=3)
    found = nearest_numbers(split, [np.array([0]), np.array([3])], neighbors=9)
    assert r2_score(held["numbers"], found[0]) > 0.2 > r2_score(held["numbers"], found[1])
    risk = nearest_survival(split, [np.array([0])], neighbors=9)[0]
    assert concordance_index_censored(held["events"], held["times"], risk)[0] > 0.65
    forest = forest_numbers(split, [np.arange(4)], trees=100, seed=0)[0]
    assert r2_score(held["numbers"], forest) > 0.2


def test_the_forest_is_that_of_scikit_learn_on_ordered_levels():
    split, _ = halves(seed=1)
    found = forest_numbers(split, SUBSETS, trees=20, seed=7)
    town = pd.Series(split.numbers).groupby(split.train[3]).mean().rank() - 1
    columns = [part.copy() for part in (split.train, split.test)]
    for part in columns:
        part[3] = [town[level] for level in part[3]]
    for subset, values in zip(SUBSETS, found, strict=True):
        used = np.sort(subset)
        model = RandomForestRegressor(20, max_features=1 / 3, random_state=7)
        model.fit(columns[0][used].T, split.numbers)
        np.testing.assert_array_equal(values, model.predict(columns[1][used].T))


def test_subsets_that_are_not_nested_are_judged_as_if_alone():
    split, _ = halves(ties=True)
    for judge in (nearest_numbers, nearest_survival):
        together = judge(split, SUBSETS, neighbors=5)
        for subset, values in zip(SUBSETS, together, strict=True):
            np.testing.assert_array_equal(judge(split, [subset], neighbors=5)[0], values)
