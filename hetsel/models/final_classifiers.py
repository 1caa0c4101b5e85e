"""Final classifiers: judges of the selected features at every size of signature.

Each takes a split and one subset of the features for each size. It returns decision values
(subsets, test rows, d): d = 1 for two classes, positive for the second; otherwise one column for
each class. For nested subsets only the new features are added; other subsets start again.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hetsel.ground import TableError, listed
from hetsel.ground.equal_numbers import on_grid
from hetsel.models import final_machines, train_test_arrays
from hetsel.models import naive_bayes as bayes
from hetsel.models.neighbors import count_votes_of_others
from hetsel.models.train_test_arrays import Split, Subsets


def naive_bayes(
    split: Split, subsets: Subsets, *, smoothing: float, var_smoothing: float, seed: int
) -> np.ndarray:
    """Compute log-odds or log posteriors by :mod:`hetsel.models.naive_bayes`."""
    priors = bayes.log_priors(np.bincount(split.codes))
    total = np.empty((split.test.shape[1], split.n_classes))
    out = []
    for new, anew in train_test_arrays.growth(subsets):
        if anew:
            total[:] = priors
        for f in new.tolist():
            train, test = split.train[f], split.test[f]
            if split.nominal[f]:
                # missing is a level if a training row has it
                known = int(split.levels[f]) - int(train.max() < split.levels[f] - 1)
                bayes.add_level_likelihoods(train, split.codes, test, known, smoothing, total)
            else:
                cells = (on_grid(train), split.codes, on_grid(test))
                learned = bool(np.isnan(train).any())  # test rows are not used
                bayes.add_number_likelihoods(*cells, smoothing, var_smoothing, learned, total)
        out.append(bayes.log_odds(total))
    return np.array(out)


def nearest_votes(split: Split, subsets: Subsets, *, neighbors: int, seed: int) -> np.ndarray:
    """Compute proportions of neighbor votes; in a tie the nearer class gets half a vote more."""
    m, k = split.test.shape[1], min(neighbors, split.train.shape[1])
    votes, winner = np.empty((m, split.n_classes), dtype=np.int64), np.empty(m, dtype=np.int64)
    out = []
    for distances in train_test_arrays.squared_distances(split, subsets):
        count_votes_of_others(distances, split.codes, k, votes, winner)
        shares = votes / votes.sum(axis=1, keepdims=True)
        tied = np.flatnonzero((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1)
        shares[tied, winner[tied]] += 0.5 / k
        out.append(shares[:, 1:] - shares[:, :1] if split.n_classes == 2 else shares)
    return np.array(out)


def random_forest(split: Split, subsets: Subsets, *, trees: int, seed: int) -> np.ndarray:
    """Classify by scikit-learn's forest, with levels ordered by unweighted class proportions."""
    from sklearn.ensemble import RandomForestClassifier

    train, test = train_test_arrays.levels_in_order(
        split, lambda codes, once: train_test_arrays.order_levels(codes, split.codes, once)
    )
    out = []
    for subset in subsets:
        used = np.sort(subset)
        forest = RandomForestClassifier(trees, random_state=seed)
        forest.fit(train[used].T, split.codes, split.weights)
        shares = forest.predict_proba(test[used].T)
        out.append(shares[:, 1:] - shares[:, :1] if shares.shape[1] == 2 else shares)
    return np.array(out)


FINAL: dict[str, Callable[..., np.ndarray]] = {
    "clinical-svm": final_machines.clinical_svm,
    "linear-svm": final_machines.linear_svm,
    "gaussian-svm": final_machines.gaussian_svm,
    "naive-bayes": naive_bayes,
    "5nn": nearest_votes,
    "random-forest": random_forest,
}
WEIGHING = ("clinical-svm", "random-forest")  # those that support row weights


def classify(
    key: str, split: Split, subsets: Subsets, *, seed: int, params: Mapping[str, Any]
) -> np.ndarray:
    """Return decision values (subsets, test rows, d) of the classifier with a key of FINAL."""
    if split.weights is not None and key not in WEIGHING:
        raise TableError(
            f"row_weights: the classifier {key} does not support row weights. Use one of: "
            f"{listed(WEIGHING)}"
        )
    return FINAL[key](split, subsets, seed=seed, **params)


def predicted_classes(
    values: np.ndarray, present: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return classes (subsets, m) of values (subsets, m, d), and values of all classes or NaN."""
    two = values.shape[2] == 1
    winners = (values[:, :, 0] > 0).astype(np.intp) if two else np.argmax(values, axis=2)
    if n_classes == 2:
        return present[winners], values if present[-1] == 1 else -values
    wide = np.full((*values.shape[:2], n_classes), np.nan)
    wide[:, :, present] = np.concatenate([-values, values], axis=2) if two else values
    return present[winners], wide
