"""Final models of numbers and survival times; see :mod:`hetsel.models.final_classifiers`.

They return numbers (subsets, test rows) in the unit of the target, or risk scores.
"""

import numpy as np

from hetsel.ground import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.kernels import energies_and_grams, feature_kernels
from hetsel.models import final_machines, rows_in_bins, train_test_arrays
from hetsel.models.neighbors import NeighborTarget, estimates_of_others, told_numbers, told_times
from hetsel.models.train_test_arrays import Split, Subsets
from hetsel.solvers.comparable_pairs import comparable_pairs
from hetsel.solvers.survival_machine import solve_ranking
from hetsel.solvers.svm import block_ascent, machines, two_class_svm
from hetsel.tables import Numbers, Survival

TRIED = 1 / 3  # of the features are tried at a split, as in R's randomForest
GRID = 1e-10  # in standard deviations or risk scores; equal rows differ by rounding


def nearest_numbers(split: Split, subsets: Subsets, *, neighbors: int, seed: int = 0) -> np.ndarray:
    """Predict numbers (subsets, m) by the mean of the nearest rows."""
    assert split.numbers is not None
    lowest = float(split.numbers.min())
    width = float(split.numbers.max()) - lowest
    return lowest + width * _estimates(split, subsets, told_numbers(split.numbers), neighbors)


def nearest_survival(
    split: Split, subsets: Subsets, *, neighbors: int, seed: int = 0
) -> np.ndarray:
    """Predict risk scores (subsets, m): the mortality of the nearest rows."""
    assert split.times is not None
    assert split.events is not None
    return _estimates(split, subsets, told_times(split.times, split.events), neighbors)


def forest_numbers(split: Split, subsets: Subsets, *, trees: int, seed: int) -> np.ndarray:
    """Predict numbers (subsets, m) by scikit-learn's forest, with levels ordered by their means."""
    from sklearn.ensemble import RandomForestRegressor

    y = split.numbers
    assert y is not None
    train, test = train_test_arrays.levels_in_order(
        split, lambda codes, once: train_test_arrays.order_levels_by_mean(codes, y, once)
    )
    out = []
    for subset in subsets:
        used = np.sort(subset)
        forest = RandomForestRegressor(trees, max_features=TRIED, random_state=seed)
        forest.fit(train[used].T, y, split.weights)
        out.append(forest.predict(test[used].T))
    return np.array(out)


def _estimates(split: Split, subsets: Subsets, told: NeighborTarget, neighbors: int) -> np.ndarray:
    k = min(neighbors, split.train.shape[1])
    distances = train_test_arrays.squared_distances(split, subsets)
    return np.array([estimates_of_others(away, k, tuple(told)) for away in distances])


def clinical_numbers(
    split: Split, subsets: Subsets, *, C: float, epsilon: float, seed: int = 0
) -> np.ndarray:
    """Predict numbers (subsets, m) by :class:`hetsel.ClinicalSVR`."""
    assert split.numbers is not None
    target = Numbers(split.numbers)
    n, m = split.train.shape[1], split.test.shape[1]
    told = target.standardized(np.arange(n), split.weights)
    mean, deviation = target.moments(split.weights)
    bounds, tube = two_class_svm.number_bounds(n, C, split.weights), two_class_svm.tube_of(epsilon)
    if n > rows_in_bins.ROWS_WORTH_BINNING:
        values = rows_in_bins.decisions_in_bins(
            split, subsets, target.content, lambda rows: (told[None, rows], bounds[:, rows]), tube
        )
        return mean + deviation * (np.rint(values[:, :, 0] / GRID) * GRID)
    if n > block_ascent.FEWER:
        by_blocks = final_machines.decisions_by_blocks(split, subsets, told[None], bounds, tube)
        if by_blocks is not None:
            return mean + deviation * (np.rint(by_blocks[:, :, 0] / GRID) * GRID)
    refuse_squares("clinical-svm", n, 1.0 + m / n, FRUGAL_CLASSIFIERS)
    gram, beta, out = np.zeros((n, n)), np.zeros((1, n)), np.empty((len(subsets), m))
    for k, (new, anew, cross) in enumerate(train_test_arrays.cross_kernels(split, subsets)):
        size = float(len(subsets[k]))
        energies_and_grams.add_gram(
            gram, split.train, split.nominal, split.gaps, new, np.ones(len(new)), anew
        )
        energies_and_grams.mirror(gram)
        found = machines.solve_machines(
            machines.MachineProblem(gram, told[None], bounds, size, tube=tube), beta
        )
        beta, total = found.beta, np.zeros(m)
        energies_and_grams.add_decisions(cross, beta[0], total)
        out[k] = total / size + found.bias[0]
    return mean + deviation * (np.rint(out / GRID) * GRID)


def clinical_survival(split: Split, subsets: Subsets, *, C: float, seed: int = 0) -> np.ndarray:
    """Predict risk scores (subsets, m) by :class:`hetsel.ClinicalSurvivalSVM`."""
    assert split.times is not None
    assert split.events is not None
    n, m = split.train.shape[1], split.test.shape[1]
    pairs = comparable_pairs(Survival(split.times, split.events).content, C, split.weights)
    refuse_squares("clinical-svm", n, m / n, FRUGAL_CLASSIFIERS)
    kernels = feature_kernels.FeatureKernels(split.train, split.nominal)
    beta, out = None, np.empty((len(subsets), m))
    for k, (_, _, cross) in enumerate(train_test_arrays.cross_kernels(split, subsets)):
        own = kernels.subset(np.sort(subsets[k]))
        found = solve_ranking(own, pairs, np.inf, beta)
        beta, total = found.beta, np.zeros(m)
        energies_and_grams.add_decisions(cross, beta[0], total)
        # centered by the training rows, so that scores of splits are comparable
        risks = own.decisions(found.weights, beta, np.zeros(1))[0]
        out[k] = total / len(subsets[k]) - np.average(risks, weights=split.weights)
    return np.rint(out / GRID) * GRID + 0.0
