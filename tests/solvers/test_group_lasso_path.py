"""Paths of numbers and of survival times: against scikit-learn, glmnet of R, cvxpy and a twin."""

import subprocess

import cvxpy
import numpy as np
import pytest
from sklearn.linear_model import Lasso
from twins.block_descent import sweeps_of_one_output
from twins.cox_regression import loss as cox_loss

from hetsel.solvers.cox_ridge import RiskOrder
from hetsel.solvers.group_lasso_path import Blocks, descend_blocks, lasso_path, standardized
from hetsel.solvers.group_losses import NUMBERS, SURVIVAL, GroupLoss, bends_of, residuals


def table(n=80, seed=0):
    """Three numbers of different scale, factors of two, three and five levels; what they tell."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3)) * [1, 50, 0.1] + [0, 10, 0]
    codes = np.column_stack([rng.integers(0, k, n) for k in (2, 3, 5)])
    told = x[:, 0] - 0.02 * x[:, 1] + (codes[:, 2] == 3) - (codes[:, 1] == 0)
    return np.column_stack([x, codes]), np.arange(6) > 2, told + rng.normal(size=n)


def followed(told, seed=1):
    """Survival times, many alike, whose hazard is exp(told)."""
    rng = np.random.default_rng(seed)
    happened = rng.exponential(size=len(told)) / np.exp(told)
    seen = rng.exponential(size=len(told)) * 1.5
    return np.ceil(15 * np.minimum(happened, seen)), happened <= seen


def path_of_numbers(values, nominal, y, steps=12, shortest=0.05, tolerance=1e-10):
    blocks = Blocks.of(values, nominal)
    loss = GroupLoss.of_numbers(standardized(y))
    return blocks, loss, list(lasso_path(blocks, loss, steps, shortest, tolerance))


def path_of_survival(values, nominal, times, events, steps=12, shortest=0.05, tolerance=1e-10):
    """Also the order of the rows."""
    order = RiskOrder.of(times, events)
    blocks, loss = Blocks.of(values[order.rows], nominal), GroupLoss.of_survival(order)
    return blocks, loss, list(lasso_path(blocks, loss, steps, shortest, tolerance)), order.rows


def design(column, roots):
    if len(roots) == 1:
        return column[:, None]
    return (column[:, None] == np.arange(len(roots))) * roots


def columns_of(blocks):
    """All columns (n, d) of the blocks."""
    return np.column_stack(
        [
            design(column, blocks.roots[blocks.starts[f] : blocks.starts[f + 1]])
            for f, column in enumerate(blocks.columns.T)
        ]
    )


def price(blocks, point):
    """The penalty of a point."""
    ends = zip(blocks.starts[:-1], blocks.starts[1:], strict=True)
    norms = [np.linalg.norm(point.coefficients[a:b]) for a, b in ends]
    return point.penalty * np.dot(blocks.weights, norms)


def assert_groups_optimal(blocks, point, away):
    """The conditions of the optimum, of the first derivatives (n, outputs) of n times the loss."""
    assert point.converged
    assert np.abs(away.mean(axis=0)).max() < 1e-8
    gradients = np.split(columns_of(blocks).T @ away / len(away), blocks.starts[1:-1])
    betas = np.split(point.coefficients, blocks.starts[1:-1])
    for f, (gradient, beta, weight) in enumerate(
        zip(gradients, betas, blocks.weights, strict=True)
    ):
        assert point.pulls[f] == pytest.approx(np.linalg.norm(gradient) / weight, abs=1e-9)
        if point.inside[f]:
            pull = point.penalty * weight * beta / np.linalg.norm(beta)
            np.testing.assert_allclose(gradient, -pull, atol=1e-8)
        else:
            assert point.pulls[f] <= point.penalty + 1e-8


def test_numbers_alone_are_scikit_learns_lasso():
    values, _, y = table()
    x = values[:, :3]
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    _, _, points = path_of_numbers(x, np.zeros(3, dtype=bool), y)
    told = (y - y.mean()) / y.std()
    assert points[0].penalty == pytest.approx(np.abs(z.T @ told / 80).max(), rel=1e-9)
    for point in points[1::3]:
        lasso = Lasso(alpha=point.penalty, tol=1e-12, max_iter=100_000).fit(z, told)
        np.testing.assert_allclose(point.coefficients[:, 0], lasso.coef_, atol=1e-8)
        assert point.intercepts[0] == pytest.approx(0.0, abs=1e-12)
        assert point.inside.tolist() == (lasso.coef_ != 0).tolist()


@pytest.mark.slow
def test_paths_of_columns_of_numbers_are_those_of_glmnet(tmp_path):
    values, _, y = table(120)
    x = values[:, :3]
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    times, events = followed(y)
    _, _, numbers = path_of_numbers(x, np.zeros(3, dtype=bool), y, steps=6)
    _, _, survival, _ = path_of_survival(x, np.zeros(3, dtype=bool), times, events, steps=6)
    rows = np.column_stack([(y - y.mean()) / y.std(), times, events, z])
    np.savetxt(tmp_path / "x.csv", rows, delimiter=",", header="y,t,e,a,b,c", comments="")
    penalties = [[p.penalty for p in points] for points in (numbers, survival)]
    np.savetxt(tmp_path / "lambda.csv", penalties, delimiter=",")
    script = """
        suppressMessages({library(glmnet); library(survival)})
        d <- read.csv("x.csv"); z <- as.matrix(d[, c("a", "b", "c")])
        l <- as.matrix(read.csv("lambda.csv", header = FALSE))
        say <- function(b) for (i in seq_len(ncol(b)))
          cat(paste(sprintf("%.10f", b[, i]), collapse = ","), "\\n")
        say(as.matrix(glmnet(z, d$y, lambda = l[1, ], standardize = FALSE, thresh = 1e-16)$beta))
        say(as.matrix(glmnet(z, Surv(d$t, d$e), family = "cox", lambda = l[2, ],
                             standardize = FALSE, thresh = 1e-16)$beta))"""
    run = subprocess.run(
        ["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    known = np.array([line.split(",") for line in run.stdout.split("\n")[:-1]], dtype=float)
    found = [point.coefficients[:, 0] for point in (*numbers, *survival)]
    np.testing.assert_allclose(found, known, atol=2e-6)
    assert np.abs(known[[6, 13], :2]).min() > 0.3


def effects(values, nominal):
    """As they are defined: the sum of effects (n,) of cvxpy, and the penalty of lambda 1."""
    n, total, penalty = len(values), 0.0, 0.0
    for f in range(values.shape[1]):
        z = values[:, [f]] / values[:, f].std()
        if nominal[f]:
            z = (values[:, [f]] == np.unique(values[:, f])) * 1.0
        effect = z @ cvxpy.Variable(z.shape[1])
        away = effect - cvxpy.sum(effect) / n
        weight = np.sqrt(z.shape[1] - 1) if nominal[f] else 1.0
        penalty += weight * cvxpy.norm(away) / np.sqrt(n)
        total = total + effect
    return total, penalty


def test_the_objective_of_numbers_is_that_of_cvxpy():
    values, nominal, y = table(50)
    blocks, _, points = path_of_numbers(values, nominal, y, steps=4)
    told = (y - y.mean()) / y.std()
    for point in points[1:]:
        total, penalty = effects(values, nominal)
        squares = cvxpy.sum_squares(told - total - cvxpy.Variable()) / 100
        problem = cvxpy.Problem(cvxpy.Minimize(squares + point.penalty * penalty))
        best = problem.solve(solver="CLARABEL")
        scores = columns_of(blocks) @ point.coefficients[:, 0] + point.intercepts
        found = ((told - scores) ** 2).mean() / 2 + price(blocks, point)
        assert found == pytest.approx(best, abs=1e-7)


def test_the_objective_of_survival_times_is_that_of_cvxpy():
    values, nominal, told = table(40)
    times, events = followed(told)
    blocks, loss, points, rows = path_of_survival(values, nominal, times, events, steps=4)
    assert len(np.unique(times[events])) < events.sum()  # ties
    for point in points[1:]:
        total, penalty = effects(values, nominal)
        risks = [cvxpy.log_sum_exp(total[times >= times[i]]) for i in np.flatnonzero(events)]
        likelihood = events.astype(float) @ total - sum(risks)
        problem = cvxpy.Problem(cvxpy.Minimize(point.penalty * penalty - likelihood / 40))
        best = problem.solve(solver="CLARABEL")
        z, beta = columns_of(blocks), point.coefficients[:, 0]
        loss = cox_loss(beta, z, times[rows], events[rows], 0.0) / 40
        assert loss + price(blocks, point) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("kind", ["numbers", "survival"])
@pytest.mark.parametrize(("n", "shortest"), [(90, 0.05), (60, 1e-3)])
def test_the_conditions_of_the_optimum_hold_for_every_group(kind, n, shortest):
    values, nominal, told = table(n)
    options = {"shortest": shortest, "tolerance": 1e-9}
    if kind == "numbers":
        blocks, _, points = path_of_numbers(values, nominal, told, **options)
    else:
        times, events = followed(told)
        found = path_of_survival(values, nominal, times, events, **options)
        blocks, points, rows = found[0], found[2], found[3]
        times, events = times[rows], events[rows]
    assert not points[0].inside.any()
    assert points[-1].inside.sum() >= 5
    z = columns_of(blocks)
    for point in points:
        scores = z @ point.coefficients[:, 0] + point.intercepts
        if kind == "numbers":
            away = scores - (told - told.mean()) / told.std()
        else:
            risk = np.exp(scores) * (times[:, None] <= times)  # (time, row)
            shares = risk[events] / risk[events].sum(axis=1, keepdims=True)
            away = shares.sum(axis=0) - events
        assert_groups_optimal(blocks, point, away[:, None])


@pytest.mark.seconds
@pytest.mark.parametrize("kind", [NUMBERS, SURVIVAL])
def test_sweeps_are_those_of_the_twin(kind):
    values, nominal, told = table(30)
    if kind == NUMBERS:
        blocks, loss, points = path_of_numbers(values, nominal, told, steps=2)
        times, events = np.zeros(30), np.ones(30, dtype=bool)
    else:
        times, events = followed(told)
        blocks, loss, points, rows = path_of_survival(values, nominal, times, events, steps=2)
        times, events = times[rows], events[rows]
    z, point = columns_of(blocks), points[1]
    scores = z @ point.coefficients + point.intercepts
    away = np.empty_like(scores)
    residuals(scores, loss.parts, away)
    hessian, bound, intercept = np.eye(30), np.ones(30), point.intercepts[0]
    if kind == SURVIVAL:
        risk = np.exp(scores[:, 0]) * (times[:, None] <= times)
        shares = risk[events] / risk[events].sum(axis=1, keepdims=True)
        bound, intercept = shares.sum(axis=0), None
        hessian = np.diag(bound) - shares.T @ shares
        np.testing.assert_allclose(away[:, 0], bound - events, atol=1e-12)
    members, penalty = np.array([0, 3, 4, 5]), points[2].penalty
    parts = (blocks.columns, blocks.starts, blocks.roots, blocks.weights)
    bends = bends_of(scores, loss.parts, away)
    start = (away, point.coefficients, point.intercepts)
    move, shift, change = descend_blocks(parts, members, kind, bends, *start, penalty, 0.0, 4)
    slow = sweeps_of_one_output(
        *parts, members, hessian, bound, away[:, 0], start[1][:, 0], intercept, penalty, 4
    )
    assert np.abs(move).max() > 0.05
    np.testing.assert_allclose(start[1][:, 0] + move[:, 0], slow[0], atol=1e-10)
    np.testing.assert_allclose(change[:, 0], slow[2], atol=1e-10)
    if kind == NUMBERS:
        assert start[2][0] + shift[0] == pytest.approx(slow[1], abs=1e-12)


def test_a_level_at_risk_at_no_event_is_nothing():
    rng = np.random.default_rng(0)
    times = np.arange(1.0, 41.0)
    codes = np.where(times < 6, 2.0, rng.integers(0, 2, 40))
    events = (times >= 6) & (rng.random(40) < 0.7)
    _, _, points, _ = path_of_survival(codes[:, None], np.array([True]), times, events)
    assert all(point.converged for point in points)
    assert points[-1].inside.all()
