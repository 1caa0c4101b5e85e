"""Nonlinear shrinkage beside scikit-learn's linear one, where the covariance is known."""

import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf

from hetsel.judging.knockoffs.latent_normals import shrunk_covariance


@pytest.mark.parametrize(("n", "p"), [(60, 40), (60, 100), (300, 40)])
def test_weak_dependence_of_all_columns_is_kept_better_than_by_one_factor(n, p):
    known = 0.85 * np.eye(p) + 0.15
    root, weak = np.linalg.cholesky(known), np.ones(p) / np.sqrt(p)
    ours, theirs = [], []
    for seed in range(10):
        z = np.random.default_rng(seed).normal(size=(n, p)) @ root.T
        z -= z.mean(axis=0)
        shrunk = shrunk_covariance(z.T @ z / n, n - 1)
        assert np.linalg.eigvalsh(shrunk)[0] > 0.1
        assert np.trace(shrunk) == pytest.approx(np.trace(z.T @ z / n))
        ours.append(weak @ shrunk @ weak)
        theirs.append(weak @ ledoit_wolf(z)[0] @ weak)
    truth = weak @ known @ weak
    assert abs(np.mean(ours) - truth) < 0.25 * truth
    assert abs(np.mean(ours) - truth) < abs(np.mean(theirs) - truth) + 0.1 * truth


def test_the_covariance_of_many_rows_is_the_sample_one_nearly():
    z = np.random.default_rng(0).normal(size=(5000, 4)) @ np.diag([1.0, 2.0, 3.0, 4.0])
    sample = z.T @ z / 5000
    np.testing.assert_allclose(shrunk_covariance(sample, 5000), sample, atol=0.2)
