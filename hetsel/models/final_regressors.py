"""Final models of numbers and survival times: they judge the features at every size of signature.

Each takes the split and one subset of the features for each size, as
:mod:`hetsel.models.final_classifiers` do, and returns predicted numbers (subsets, test rows), in
the unit of those of the training rows, or risks (subsets, test rows), larger is sooner.
"""

import numpy as np

from hetsel.ground.memory import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.models.level_order import order_levels_by_mean
from hetsel.models.neighbor_estimates import Told, estimates_of_others, told_numbers, told_times
from hetsel.models.neighbors import MISSING, add_distances
from hetsel.models.train_test_arrays import Split, Subsets, growth
from hetsel.tables.content import content_ranks

TRIED = 1 / 3  # of the features at each split of a forest of numbers, as in R's randomForest


def nearest_numbers(split: Split, subsets: Subsets, *, neighbors: int, seed: int = 0) -> np.ndarray:
    """Numbers (subsets, m) of the test rows: the mean of their nearest rows.

    See :mod:`hetsel.models.neighbor_estimates`.

    Parameters
    ----------
    split : Split
        With `numbers`.
    subsets : sequence of ndarray of int
        Features of each subset; nested ones cost least, smallest first.
    neighbors : int
        All training rows if there are fewer.
    seed : int
        Of no effect: it draws nothing.
    """
    assert split.numbers is not None
    lowest = float(split.numbers.min())
    width = float(split.numbers.max()) - lowest
    return lowest + width * _estimates(split, subsets, told_numbers(split.numbers), neighbors)


def nearest_survival(
    split: Split, subsets: Subsets, *, neighbors: int, seed: int = 0
) -> np.ndarray:
    """Risks (subsets, m) of the test rows, larger is sooner: the mortality by their nearest rows.

    The parameters are those of :func:`nearest_numbers`; the split has `times` and `events`.
    """
    assert split.times is not None
    assert split.events is not None
    return _estimates(split, subsets, told_times(split.times, split.events), neighbors)


def forest_numbers(split: Split, subsets: Subsets, *, trees: int, seed: int) -> np.ndarray:
    """Numbers (subsets, m) by scikit-learn's random forest.

    Levels take the place of the mean of their training rows; a third of the features is tried at
    each split. Weights of rows are its `sample_weight`; the places of levels are those of the rows
    as they are. A missing cell that is a value of its own goes to the side of each split that suits
    the training rows better.

    Parameters
    ----------
    split : Split
        With `numbers`.
    subsets : sequence of ndarray of int
        Features of each subset, in any order.
    trees, seed : int
        Number of trees, and what they are drawn by.
    """
    from sklearn.ensemble import RandomForestRegressor

    assert split.numbers is not None
    train, test = split.train.copy(), split.test.copy()
    for f in np.flatnonzero(split.nominal):
        ranks = content_ranks(train[[f]].T, np.array([True]))
        once = np.ones(len(split.numbers), dtype=np.int64)
        places = order_levels_by_mean(ranks, split.numbers, once)[0]
        known = dict(zip(train[f].tolist(), places.tolist(), strict=True))
        train[f] = places
        test[f] = [known.get(code, np.nan) for code in test[f].tolist()]
    out = []
    for subset in subsets:
        used = np.sort(subset)
        forest = RandomForestRegressor(trees, max_features=TRIED, random_state=seed)
        forest.fit(train[used].T, split.numbers, split.weights)
        out.append(forest.predict(test[used].T))
    return np.array(out)


def _estimates(split: Split, subsets: Subsets, told: Told, neighbors: int) -> np.ndarray:
    m, n = split.test.shape[1], split.train.shape[1]
    refuse_squares("5nn", n, m / n, FRUGAL_CLASSIFIERS)
    train, test = (np.where(np.isnan(part), MISSING, part) for part in (split.train, split.test))
    distances = np.zeros((m, n))
    out = []
    for new, anew in growth(subsets):
        if anew:
            distances[:] = 0.0
        for f in new.tolist():
            add_distances(distances, test[f], train[f], 1.0)
        out.append(estimates_of_others(distances, min(neighbors, n), tuple(told)))
    return np.array(out)
