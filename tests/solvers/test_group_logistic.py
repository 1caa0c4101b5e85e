"""The path of group lassos against scikit-learn, cvxpy and the conditions of an optimum."""

from dataclasses import replace

import cvxpy
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from solvers.test_group_lasso_path import assert_groups_optimal, columns_of, price
from twins.block_descent import sweeps

from hetsel.solvers.group_lasso_path import Blocks, descend_blocks, lasso_path
from hetsel.solvers.group_losses import CLASSES, GroupLoss


def table(n=80, classes=2, seed=0):
    """Three numbers and three columns of 2, 3 and 5 levels; a number and levels tell the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    x = rng.normal(size=(n, 3)) * [1, 50, 0.1] + np.outer(y, [1, 0, 0.02])
    codes = np.column_stack([rng.integers(0, k, n) for k in (2, 3, 5)])
    codes[:, 2] = np.where(rng.random(n) < 0.4, y, codes[:, 2])
    return np.column_stack([x, codes]), np.arange(6) > 2, y


def path(values, nominal, y, steps=12, shortest=0.05, tolerance=1e-9):
    blocks = Blocks.of(values, nominal)
    return blocks, list(lasso_path(blocks, GroupLoss.of_classes(y), steps, shortest, tolerance))


def test_numbers_and_two_classes_are_scikit_learns_lasso():
    x, _, y = table()
    x = x[:, :3]
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    for point in path(x, np.zeros(3, dtype=bool), y)[1][1::3]:
        lasso = LogisticRegression(
            l1_ratio=1.0, C=1 / (80 * point.penalty), solver="saga", tol=1e-10, random_state=0
        ).set_params(max_iter=100_000)
        lasso.fit(z, y)
        np.testing.assert_allclose(point.coefficients[:, 0], lasso.coef_[0], atol=1e-6)
        np.testing.assert_allclose(point.intercepts, lasso.intercept_, atol=1e-6)
        assert point.inside.tolist() == (lasso.coef_[0] != 0).tolist()


def indicators(column):
    return (column[:, None] == np.unique(column)).astype(float)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_objective_is_that_of_cvxpy(classes):
    """The effects as they are defined: one value a level, its standard deviation over the rows."""
    values, nominal, y = table(50, classes)
    outputs = 1 if classes == 2 else classes
    hits = indicators(y)[:, 1:] if classes == 2 else indicators(y)
    blocks, points = path(values, nominal, y, steps=4, tolerance=1e-10)
    for point in points[1:]:
        b = cvxpy.Variable(outputs)
        total, penalty = np.ones((50, 1)) @ cvxpy.reshape(b, (1, outputs), order="C"), 0.0
        for f in range(6):
            z = indicators(values[:, f]) if nominal[f] else values[:, [f]] / values[:, f].std()
            effect = z @ cvxpy.Variable((z.shape[1], outputs))
            away = effect - np.full((50, 50), 1 / 50) @ effect
            weight = np.sqrt(z.shape[1] - 1) if nominal[f] else 1.0
            penalty += weight * cvxpy.norm(away, "fro") / np.sqrt(50)
            total = total + effect
        if outputs == 1:
            loss = cvxpy.sum(cvxpy.logistic(total) - cvxpy.multiply(hits, total))
        else:
            loss = cvxpy.sum(cvxpy.log_sum_exp(total, axis=1)) - cvxpy.sum(
                cvxpy.multiply(hits, total)
            )
        best = cvxpy.Problem(cvxpy.Minimize(loss / 50 + point.penalty * penalty)).solve(
            solver="CLARABEL"
        )
        assert objective(blocks, point, y) == pytest.approx(best, abs=1e-6)


def scores_of(blocks, point):
    """Scores (n, outputs) of the rows."""
    return columns_of(blocks) @ point.coefficients + point.intercepts


def objective(blocks, point, y):
    scores = scores_of(blocks, point)
    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(y)), scores])
    loss = np.mean(np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(len(y)), y])
    return loss + price(blocks, point)


@pytest.mark.parametrize("classes", [2, 4])
def test_the_conditions_of_the_optimum_hold_for_every_group(classes):
    values, nominal, y = table(90, classes)
    blocks, points = path(values, nominal, y)
    assert not points[0].inside.any()
    assert points[-1].inside.sum() >= 5
    for point in points:
        assert_optimal(blocks, point, y)


@pytest.mark.parametrize("steps", [2, 30])
@pytest.mark.parametrize("classes", [2, 3, 6])
def test_the_conditions_hold_where_the_classes_are_certain(classes, steps):
    """Most rows of one class; numbers and levels that separate, or nearly; a short last lambda."""
    rng = np.random.default_rng(classes)
    y = np.where(rng.random(120) < 0.6, 0, np.arange(120) % classes)
    noise = rng.normal(size=(120, 3))
    numbers = np.column_stack([10 * y + noise[:, 0], (y == 1) + 0.2 * noise[:, 1], noise[:, 2]])
    codes = np.column_stack([y, np.where(rng.random(120) < 0.9, y, 0), rng.integers(0, 5, 120)])
    values, nominal = np.column_stack([numbers, codes]), np.arange(6) > 2
    blocks, points = path(values, nominal, y, steps=steps, shortest=1e-4)
    for point in points:
        assert_optimal(blocks, point, y)
    assert probabilities(blocks, points[-1]).max(axis=1).min() > 0.99


def probabilities(blocks, point):
    """Of every class (n, classes)."""
    scores = scores_of(blocks, point)
    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def assert_optimal(blocks, point, y):
    away = (probabilities(blocks, point) - indicators(y))[:, -len(point.intercepts) :]
    assert_groups_optimal(blocks, point, away)


def test_two_levels_are_a_number_and_constant_columns_are_nothing():
    y = np.arange(40) % 2
    codes = np.where(np.arange(40) < 9, 1 - y, y).astype(float)
    values = np.column_stack([codes, codes * 7 - 3, np.zeros(40), np.full(40, 5.0)])
    blocks, points = path(values, np.array([True, False, True, False]), y)
    np.testing.assert_allclose(blocks.columns[:, 0], blocks.columns[:, 1], atol=1e-12)
    assert blocks.weights.tolist() == [1, 1, 1, 1]
    assert points[-1].pulls[2:].tolist() == [0, 0]
    assert not points[-1].inside[2:].any()


def test_blocks_are_orthonormal_on_their_rows():
    values, nominal, _ = table()
    values[3, 0] = values[5, 5] = np.nan
    blocks = Blocks.of(values, nominal)
    for z in np.split(columns_of(blocks), blocks.starts[1:-1], axis=1):
        np.testing.assert_allclose(z.T @ z / len(z), np.eye(z.shape[1]), atol=1e-12)
    assert blocks.columns[3, 0] == 0
    assert np.diff(blocks.starts).tolist() == [1, 1, 1, 1, 3, 6]
    np.testing.assert_allclose(blocks.weights, np.sqrt([1, 1, 1, 1, 2, 5]))


def test_a_table_that_says_nothing_has_a_path_of_nothing():
    values, y = np.ones((6, 2)), np.arange(6) % 2
    points = path(values, np.zeros(2, dtype=bool), y, steps=3)[1]
    assert [point.penalty for point in points] == [0, 0, 0, 0]
    assert not points[-1].coefficients.any()


@pytest.mark.parametrize("classes", [2, 3])
def test_sweeps_are_those_of_the_twin(classes):
    values, nominal, y = table(30, classes)
    blocks, points = path(values, nominal, y, steps=2)
    chances, hits = probabilities(blocks, points[1]), indicators(y)
    if classes == 2:
        chances, hits = chances[:, 1:].copy(), hits[:, 1:].copy()
    parts = (blocks.columns, blocks.starts, blocks.roots, blocks.weights)
    start = (chances, chances - hits, points[1].coefficients, points[1].intercepts)
    members, penalty = np.array([0, 3, 4, 5]), points[2].penalty
    move, shift, change = descend_blocks(parts, members, CLASSES, *start, penalty, 0.0, 4)
    slow = sweeps(*parts, members, *start, penalty, 4)
    assert np.abs(move).max() > 0.1
    np.testing.assert_allclose(start[2] + move, slow[0], atol=1e-10)
    np.testing.assert_allclose(start[3] + shift, slow[1], atol=1e-10)
    scores = [
        scores_of(blocks, replace(points[1], coefficients=b, intercepts=i))
        for b, i in (start[2:], slow)
    ]
    np.testing.assert_allclose(change, scores[1] - scores[0], atol=1e-10)
