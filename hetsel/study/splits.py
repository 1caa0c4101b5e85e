"""Splits into training and test rows: drawn from the seed, the data and the number alone."""

from __future__ import annotations

import numpy as np

from hetsel.study.specs import Resamplings


def sequence(seed: int, fingerprint: str, resampling: int) -> np.random.SeedSequence:
    """Where all that is drawn for one resampling of one data set comes from."""
    words = tuple(int(fingerprint[i : i + 8], 16) for i in range(0, 32, 8))
    return np.random.SeedSequence(seed, spawn_key=(*words, resampling))


def split(
    codes: np.ndarray, resamplings: Resamplings, source: np.random.SeedSequence
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows, both ascending.

    "stratified": each class gives its share of the test rows, rounded so that the numbers add up
    (largest remainder), at least one row where it has three or more. "random": any rows.

    Examples
    --------
    >>> codes = np.repeat([0, 1], [32, 123])
    >>> train, test = split(codes, Resamplings(), np.random.SeedSequence(0))
    >>> np.bincount(codes[test])
    array([ 3, 13])
    """
    rng = np.random.default_rng(source)
    n = len(codes)
    counts = quotas(np.bincount(codes), resamplings)
    if resamplings.kind == "random":
        test = rng.permutation(n)[: counts.sum()]
    else:
        test = np.concatenate(
            [rng.permutation(np.flatnonzero(codes == c))[:k] for c, k in enumerate(counts)]
        )
    mask = np.zeros(n, dtype=bool)
    mask[test] = True
    return np.flatnonzero(~mask), np.flatnonzero(mask)


def quotas(counts: np.ndarray, resamplings: Resamplings) -> np.ndarray:
    """How many test rows there are of each class; of random splits the sum counts only."""
    n = int(counts.sum())
    n_test = min(max(1, int(n * resamplings.test_share + 0.5)), n - 1)
    return np.array([n_test]) if resamplings.kind == "random" else class_quotas(counts, n_test)


def class_quotas(counts: np.ndarray, n_test: int) -> np.ndarray:
    """How many test rows each class gives; ties of the remainders go to the lower class.

    Classes of three or more rows give at least one, which may make more test rows than asked for.

    Examples
    --------
    >>> class_quotas(np.array([44, 33]), 8), class_quotas(np.array([28, 4, 13]), 9)
    (array([5, 3]), array([6, 1, 2]))
    """
    whole, remainder = np.divmod(counts * n_test, counts.sum())
    rest = np.argsort(-remainder, kind="stable")[: n_test - whole.sum()]
    whole[rest] += 1
    return np.maximum(np.minimum(whole, counts - 1), (counts >= 3).astype(np.int64))
