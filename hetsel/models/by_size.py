"""Final classifiers: they judge the selected features at every size of signature.

Each takes the split, the features in order and the sizes, ascending, and returns decision values
(sizes, test rows, d): d = 1 for two classes, positive for the second, else one column a class, the
largest wins. What one feature adds to a kernel, a likelihood or a distance is added once, at the
size where the feature enters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from hetsel.kernels.feature_kernels import Scaling
from hetsel.models import additions as loops
from hetsel.solvers.svm import check_bounds, feasible, minimize
from hetsel.solvers.two_class import two_class_problems
from hetsel.statistics.level_order import order_levels
from hetsel.tables.content import content_ranks
from hetsel.tables.table import Table

MOST_STEPS = 10_000_000  # pairs of variables that one support vector machine may update


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test rows of one resampling, with what the training rows teach.

    Parameters
    ----------
    train, test : ndarray of shape (p, n) and (p, m)
        Cells, feature by row, scaled by the ranges of the training rows and clipped to them.
    codes : ndarray of int, shape (n,)
        Class codes of the training rows, 0..c-1, all present.
    nominal, gaps : ndarray of bool, shape (p,)
        Nominal features, and features with a missing cell that is a value of its own.
    levels : ndarray of int, shape (p,)
        Number of levels of the nominal features.
    """

    train: np.ndarray
    test: np.ndarray
    codes: np.ndarray
    nominal: np.ndarray
    gaps: np.ndarray
    levels: np.ndarray

    @classmethod
    def of(cls, train: Table, test: Table, codes: np.ndarray) -> Split:
        """From two tables whose missing cells are settled."""
        scaling = Scaling.fit(train)
        left, right = scaling.apply(train), scaling.apply(test)
        gaps = np.isnan(left).any(axis=1) | np.isnan(right).any(axis=1)
        levels = np.array([len(c.levels) + 1 for c in train.schema.columns])
        return cls(left, right, codes, train.nominal, gaps, levels)


def clinical_svm(
    split: Split, order: np.ndarray, sizes: Sequence[int], *, C: float, tolerance: float, seed: int
) -> np.ndarray:
    """The support vector machine with the clinical kernel: :class:`hetsel.ClinicalSVC`.

    With k = (1/s) sum_f k_f, beta' = beta / s solves the problem of the plain sum with the bounds
    C / s, so the sum of the kernels grows with the sizes and is never divided.

    A row like a free support vector has the decision value 1 or -1, often many rows do. The values
    are rounded to ten times the tolerance, so that what the solver leaves open orders no rows.
    """
    labels = two_class_problems(split.codes)
    n, m = split.train.shape[1], split.test.shape[1]
    gram, cross = np.zeros((n, n)), np.zeros((m, n))
    beta = np.zeros(labels.shape)
    out = np.empty((len(sizes), m, len(labels)))
    decision = np.empty(m)
    entered = 0
    for k, size in enumerate(sizes):
        new = order[entered:size]
        loops.add_kernels(gram, split.train, split.train, split.nominal, split.gaps, new)
        loops.add_kernels(cross, split.test, split.train, split.nominal, split.gaps, new)
        bounds = check_bounds(C / size, n)
        for c, y in enumerate(labels):
            beta[c] = feasible(beta[c] * (entered / size), y, bounds)
            _, bias, _ = minimize(gram, y, bounds, beta[c], tolerance, MOST_STEPS)
            loops.decide(cross, beta[c], bias, decision)
            out[k, :, c] = decision
        entered = size
    grid = 10.0 * tolerance
    return np.round(out / grid) * grid + 0.0


def naive_bayes(
    split: Split,
    order: np.ndarray,
    sizes: Sequence[int],
    *,
    smoothing: float,
    var_smoothing: float,
    seed: int,
) -> np.ndarray:
    """Naive Bayes: Gaussian for numbers, smoothed shares for levels, missing a level of its own.

    Log-odds of two classes, log posterior probabilities of more.
    """
    counts = np.bincount(split.codes)
    total = np.tile(np.log(counts / counts.sum()), (split.test.shape[1], 1))
    out = []
    entered = 0
    for size in sizes:
        for f in order[entered:size]:
            total += _log_likelihood(split, int(f), counts, smoothing, var_smoothing)
        entered = size
        if len(counts) == 2:
            out.append(total[:, 1:] - total[:, :1])
        else:
            out.append(total - logsumexp(total, axis=1, keepdims=True))
    return np.array(out)


def _log_likelihood(
    split: Split, f: int, counts: np.ndarray, smoothing: float, var_smoothing: float
) -> np.ndarray:
    """log P(x_f | c) of the test rows, (m, classes)."""
    train, test = split.train[f], split.test[f]
    if split.nominal[f]:
        n_levels = max(int(split.levels[f]), int(np.nanmax([train.max(), test.max()])) + 1)
        seen = np.zeros((n_levels, len(counts)))
        np.add.at(seen, (train.astype(np.intp), split.codes), 1.0)
        used = n_levels if seen[-1].any() else n_levels - 1
        return np.log((seen + smoothing) / (counts + smoothing * used))[test.astype(np.intp)]
    here, gaps = ~np.isnan(train), np.isnan(test)
    out = np.empty((len(test), len(counts)))
    floor = var_smoothing * (train[here].var() if here.any() else 0.0) or 1e-300
    for c in range(len(counts)):
        own = train[here & (split.codes == c)]
        mean, variance = (own.mean(), own.var() + floor) if len(own) else (0.0, 1.0)
        density = -0.5 * (np.log(2 * np.pi * variance) + (test - mean) ** 2 / variance)
        share = (counts[c] - len(own) + smoothing) / (counts[c] + 2 * smoothing)
        if not here.all():
            density += np.log(1.0 - share)
        out[:, c] = np.where(gaps, np.log(share), density)
    return out


def nearest(
    split: Split, order: np.ndarray, sizes: Sequence[int], *, neighbors: int, seed: int
) -> np.ndarray:
    """Nearest neighbors in the heterogeneous Euclidean-overlap metric; the share of the votes.

    Of equal distances the lower row counts; of equal votes the class whose nearest row is nearer
    gets half a vote more.
    """
    m, n = split.test.shape[1], split.train.shape[1]
    distances = np.zeros((m, n))
    k = min(neighbors, n)
    n_classes = int(split.codes.max()) + 1
    out = []
    entered = 0
    for size in sizes:
        loops.add_squares(distances, split.test, split.train, split.nominal, order[entered:size])
        entered = size
        # a difference in the last bits of a sum is no difference
        voters = np.argsort(np.round(distances, 9), axis=1, kind="stable")[:, :k]
        votes = split.codes[voters]
        shares = np.array([(votes == c).mean(axis=1) for c in range(n_classes)]).T
        leads = shares == shares.max(axis=1, keepdims=True)
        tied = np.flatnonzero(leads.sum(axis=1) > 1)
        nearer = np.argmax(leads[tied[:, None], votes[tied]], axis=1)
        shares[tied, votes[tied, nearer]] += 0.5 / k
        out.append(shares[:, 1:] - shares[:, :1] if n_classes == 2 else shares)
    return np.array(out)


def random_forest(
    split: Split, order: np.ndarray, sizes: Sequence[int], *, trees: int, seed: int
) -> np.ndarray:
    """scikit-learn's random forest; levels take the place of their class share in training."""
    from sklearn.ensemble import RandomForestClassifier

    train, test = split.train.copy(), split.test.copy()
    for f in np.flatnonzero(split.nominal):
        ranks = content_ranks(train[[f]].T, np.array([True]))
        places = order_levels(ranks, split.codes, np.ones(len(split.codes), dtype=np.int64))[0]
        known = dict(zip(train[f].tolist(), places.tolist(), strict=True))
        train[f] = places
        test[f] = [known.get(code, np.nan) for code in test[f].tolist()]
    out = []
    for size in sizes:
        used = np.sort(order[:size])
        forest = RandomForestClassifier(trees, random_state=seed).fit(train[used].T, split.codes)
        shares = forest.predict_proba(test[used].T)
        out.append(shares[:, 1:] - shares[:, :1] if shares.shape[1] == 2 else shares)
    return np.array(out)


FINAL: dict[str, Callable[..., np.ndarray]] = {
    "clinical-svm": clinical_svm,
    "naive-bayes": naive_bayes,
    "5nn": nearest,
    "random-forest": random_forest,
}


def classify(
    key: str,
    split: Split,
    order: np.ndarray,
    sizes: Sequence[int],
    *,
    seed: int,
    params: Mapping[str, Any],
) -> np.ndarray:
    """Decision values (sizes, test rows, d) of a final classifier."""
    order = np.ascontiguousarray(order, dtype=np.int64)
    return FINAL[key](split, order, sizes, seed=seed, **params)
