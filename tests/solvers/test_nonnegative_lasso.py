"""The path of the nonnegative lasso against scikit-learn and the conditions of an optimum."""

from fractions import Fraction
from itertools import chain, pairwise

import numpy as np
import pytest
from sklearn.linear_model import lars_path

from hetsel.solvers.nonnegative_lasso import SHORTEST, nonnegative_path


def problem(seed, rows=None, p=None):
    """A design and a target: normal or positive or few whole numbers, some with columns to spare.

    Of every fifth one some columns are copies or means of others.
    """
    rng = np.random.default_rng(seed)
    rows = rows or int(rng.integers(3, 60))
    p = p or int(rng.integers(1, 40))
    x = rng.normal(size=(rows, p))
    if seed % 3 == 0:
        x = np.abs(x)
    if seed % 3 == 1:
        x = rng.integers(0, 3, size=(rows, p)).astype(float)
    if seed % 5 == 0 and p > 3:
        x[:, 1], x[:, 2] = x[:, 0], (x[:, 0] + x[:, 3]) / 2
    y = x @ np.maximum(rng.normal(size=p), 0) if seed % 2 else 0.0
    return x, y + rng.normal(size=rows)


@pytest.fixture(autouse=True)
def _batches(monkeypatch):
    monkeypatch.setattr("hetsel.solvers.nonnegative_lasso.BATCH", 7)


def path(x, y):
    gram = x.T @ x
    return list(nonnegative_path(x.T @ y, lambda features: gram[:, features]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_the_conditions_of_the_optimum_hold_at_every_knot(seed):
    x, y = problem(seed)
    c = x.T @ y
    knots = path(x, y)
    scale = max(c.max(), 1.0)
    for knot in knots:
        pulls = x.T @ (y - x @ knot.coefficients)
        assert knot.coefficients.min() >= 0
        np.testing.assert_allclose(knot.pulls, pulls, atol=1e-11 * scale)
        assert pulls.max() <= knot.penalty + 1e-9 * scale
        inside = knot.coefficients > 0
        assert knot.reached[inside].all()
        np.testing.assert_allclose(pulls[knot.reached], knot.penalty, atol=1e-9 * scale)
    penalties = [knot.penalty for knot in knots]
    assert penalties == sorted(penalties, reverse=True)
    assert penalties[-1] <= SHORTEST * max(c.max(), 0.0)


@pytest.mark.parametrize("seed", [1, 4, 7, 13, 16, 19, 22, 28, 31])
def test_the_features_inside_are_optimal_in_exact_arithmetic(seed):
    """Between two knots the members alone give the optimum: a fraction, with no rounding at all."""
    x, y = problem(seed, rows=12, p=8)
    y = np.rint(4 * y + x @ np.arange(8))
    knots = path(x, y)
    exact = [[Fraction(int(value)) for value in row] for row in (x.T @ x)]
    c = [Fraction(int(value)) for value in x.T @ y]
    checked = 0
    for before, after in pairwise(knots):
        if before.penalty - after.penalty < 1e-9:
            continue
        penalty = (Fraction(before.penalty) + Fraction(after.penalty)) / 2
        middle = before.coefficients + after.coefficients
        inside = np.flatnonzero(middle > 1e-9)
        a = solved(exact, inside, [c[f] - penalty for f in inside])
        assert min(a) > 0
        pulls = [
            c[f] - sum(exact[f][g] * b for g, b in zip(inside, a, strict=True)) for f in range(8)
        ]
        assert max(pulls) == penalty
        np.testing.assert_allclose(np.array(a, dtype=float), middle[inside] / 2, atol=1e-9)
        checked += 1
    assert checked >= 3


def solved(gram, features, right):
    """The solution of the equations of these features, by elimination of fractions."""
    rows = [[gram[f][g] for g in features] + [r] for f, r in zip(features, right, strict=True)]
    for k in range(len(rows)):
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("seed", [1, 3, 7, 8, 9, 13, 14, 17, 19, 21, 23])
def test_the_path_is_that_of_scikit_learn(seed):
    """As far as its last step but one: a positive path of it ends in a step past the optimum."""
    x, y = problem(seed)
    alphas, _, paths = lars_path(x, y, method="lasso", positive=True)
    alphas = alphas * len(y)
    knots = [knot for knot in path(x, y) if knot.penalty > alphas[-2]]
    assert len(knots) >= 3
    for knot in knots:
        expected = [np.interp(knot.penalty, alphas[::-1], one[::-1]) for one in paths]
        np.testing.assert_allclose(knot.coefficients, expected, atol=1e-8)


def test_a_feature_leaves_where_two_others_explain_it():
    x = np.array([[1.0, 0, 1], [0, 1, 1], [0, 0, 0.6]])
    knots = path(x, np.array([3.0, 3, 0]))
    assert (knots[1].coefficients > 0).tolist() == [False, False, True]
    np.testing.assert_allclose(knots[-1].coefficients, [3, 3, 0], atol=1e-4)


def test_copies_and_features_that_tie_are_reached_at_one_penalty():
    x = np.abs(np.random.default_rng(0).normal(size=(20, 3)))
    x = np.column_stack([x, x[:, 0], x.mean(axis=1)])
    knots = path(x, x[:, :3].sum(axis=1))
    entry = [max(knot.penalty for knot in knots if knot.reached[f]) for f in range(5)]
    assert entry[0] == entry[3]
    even = np.vstack([np.eye(4), np.eye(4)])
    knots = path(even, np.ones(8))
    assert [knot.reached.all() for knot in knots] == [True, True]
    np.testing.assert_allclose(knots[-1].coefficients, 1.0, atol=1e-5)


def test_columns_are_asked_for_once_and_in_batches(monkeypatch):
    x, y = problem(3, rows=50, p=40)
    gram, asked = x.T @ x, []

    def columns(features):
        asked.append(features.tolist())
        return gram[:, features]

    knots = list(nonnegative_path(x.T @ y, columns))
    together = list(chain.from_iterable(asked))
    assert len(set(together)) == len(together)
    assert max(map(len, asked)) == 7
    monkeypatch.setattr("hetsel.solvers.nonnegative_lasso.BATCH", 100)
    whole = path(x, y)
    np.testing.assert_allclose(knots[-1].coefficients, whole[-1].coefficients, atol=1e-12)


def test_no_feature_enters_where_none_helps():
    knots = path(np.eye(3), -np.ones(3))
    assert len(knots) == 1
    assert not knots[0].coefficients.any()
