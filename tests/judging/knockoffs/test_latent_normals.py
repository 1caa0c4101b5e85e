"""The variables behind cells: they give the cells back, and go together as these do."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.covariance import ledoit_wolf

from hetsel import Table
from hetsel.judging.knockoffs.latent_normals import LatentNormals, shrunk_covariance


def counts_with_zeros(draw, n=120):
    return draw.poisson(8.0, n) * (draw.random(n) < 0.6)


def test_the_variables_give_the_cells_back():
    draw = np.random.default_rng(0)
    frame, _ = mixed_frame(120, 3, 2, seed=0)
    frame["zeros"] = counts_with_zeros(draw)
    frame["grade"] = pd.Categorical(draw.choice(list("abcd"), 120), ordered=True)
    frame["two"] = pd.Categorical(draw.choice(["yes", "no"], 120))
    frame["flat"] = 1.0
    table = Table.read(frame)
    latent = LatentNormals(table)
    np.testing.assert_array_equal(latent.cells(latent.state, draw), table.values)
    own = latent.features(table.values)
    np.testing.assert_allclose(own.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose((own**2).mean(axis=0), 1)


def test_the_level_of_the_largest_variable_has_its_share():
    frame = pd.DataFrame({"a": ["x"] * 60 + ["y"] * 30 + ["z"] * 10, "b": np.arange(100.0)})
    means = LatentNormals(Table.read(frame)).pieces[0].means
    drawn = np.random.default_rng(0).normal(size=(100_000, 3)) + means
    np.testing.assert_allclose(
        np.bincount(drawn.argmax(axis=1)) / 100_000, [0.6, 0.3, 0.1], atol=0.006
    )


@pytest.mark.parametrize("cut", [0.5, 0.8])
def test_columns_cut_from_normal_ones_have_their_correlation(cut):
    draw = np.random.default_rng(1)
    z = draw.normal(size=(2000, 3)) @ np.linalg.cholesky(0.5 + 0.5 * np.eye(3)).T
    frame = pd.DataFrame({"a": z[:, 0], "b": z[:, 1], "c": z[:, 2] > np.quantile(z[:, 2], cut)})
    found = LatentNormals(Table.read(frame)).covariance
    np.testing.assert_allclose(np.abs(found[np.triu_indices(3, 1)]), 0.5, atol=0.05)


def test_levels_that_few_rows_have_share_a_variable_and_names_have_none():
    frame, _ = mixed_frame(40, 2, 0, seed=1)
    frame["rare"] = ["a"] * 20 + ["b"] * 16 + ["c", "c", "d", "e"]
    frame["name"] = [f"r{k}" for k in range(40)]
    forms = [(piece.form, len(piece.at)) for piece in LatentNormals(Table.read(frame)).pieces]
    assert forms == [("order", 1), ("order", 1), ("largest", 3), ("rare", 0)]


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
