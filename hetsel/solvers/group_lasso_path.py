"""Regression with a group lasso penalty for each feature, along a path of penalties.

For n rows and features f with effects e_f (a number times a coefficient, or a value for each
level),

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f),

where sd(e_f)^2 is the variance of the effect over the rows, summed over the outputs; the intercepts
b are not penalized. The losses are those of :mod:`hetsel.solvers.group_losses`. In compiled
functions, parts are the columns, starts, roots and weights of the blocks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.solvers.group_losses import (
    SURVIVAL,
    GroupLoss,
    bends_of,
    curvature,
    follow_move,
    mean_loss,
    residuals,
)

MOST_STEPS = 100  # of Newton's method, at one lambda
MOST_SWEEPS = 1000  # over the features that are in, at one step
SWEPT = 0.01  # the miss at which sweeps end, as a share of the miss before the step
MOST_HALVINGS = 50  # of a step
ROUNDING = 1e-13  # of the objective, which starts at about 1


@compiled_part
def _gradient(column, roots, away, out):
    """Gradient (size, outputs) of the mean loss by the coefficients of one block."""
    n, outputs = away.shape
    levels = len(roots) > 1
    out[:] = 0.0
    for i in range(n):
        a = int(column[i]) if levels else 0
        cell = roots[a] if levels else column[i]
        for c in range(outputs):
            out[a, c] += cell * away[i, c]
    out /= n


@compiled
def pulls_of(parts, away):
    """||gradient_f|| / w_f of every feature (p,)."""
    columns, starts, roots, weights = parts[0].T, parts[1], parts[2], parts[3]
    gradient = np.empty((len(roots), away.shape[1]))
    out = np.empty(len(weights))
    for f in range(len(weights)):
        own = slice(starts[f], starts[f + 1])
        _gradient(columns[f], roots[own], away, gradient[own])
        out[f] = _length(gradient[own]) / weights[f]
    return out


@compiled
def minimize(parts, members, loss, state, penalty, limit):
    """Newton steps over the members' blocks and the intercepts; whether the optimum is reached."""
    scores, away, beta, intercepts = state
    here = mean_loss(scores, loss)
    for _ in range(MOST_STEPS):
        miss = _largest_miss(parts, members, away, beta, penalty)
        if miss <= limit:
            return True
        enough = max(SWEPT * miss, limit / 2)
        bends = bends_of(scores, loss, away)
        move, shift, change = descend_blocks(
            parts, members, loss[0], bends, away, beta, intercepts, penalty, enough, MOST_SWEEPS
        )
        price = penalty * _lengths(parts, members, beta)
        slope = penalty * _lengths(parts, members, beta + move) - price
        pulled = 0.0
        for i in range(len(away)):
            for c in range(len(intercepts)):
                pulled += away[i, c] * change[i, c]
        slope += pulled / len(away)
        share = 1.0
        for _ in range(MOST_HALVINGS):
            there = mean_loss(scores + share * change, loss)
            lengths = _lengths(parts, members, beta + share * move)
            rise = there - here + penalty * lengths - price
            if rise <= share * slope / 100 + ROUNDING:
                break
            share /= 2
        here = there
        beta += share * move
        intercepts += share * shift
        scores += share * change
        residuals(scores, loss, away)
    return False


@compiled_part
def descend_blocks(parts, members, kind, bends, away, beta, intercepts, penalty, limit, sweeps):
    """Minimize the quadratic model of these bends over one block after the other, to the limit.

    Returns what the coefficients, the intercepts and the scores move by.
    """
    columns, starts, roots, weights = parts[0].T, parts[1], parts[2], parts[3]
    outputs = len(intercepts)
    scales, axes = np.empty(beta.shape), np.empty((len(beta), outputs, outputs))
    for f in members:
        own = slice(starts[f], starts[f + 1])
        curvature(columns[f], roots[own], kind, bends, scales[own], axes[own])
    every, one = np.ones(len(away)), np.zeros(1)  # the intercepts are a block without a penalty
    level, tilt = np.empty((1, outputs)), np.empty((1, outputs, outputs))
    curvature(every, one, kind, bends, level, tilt)
    old_beta, old_intercepts, change = beta, intercepts, np.zeros(away.shape)
    away, beta, intercepts = away.copy(), beta.copy(), intercepts.copy()
    gradient = np.empty(beta.shape)
    for _ in range(sweeps):
        worst = 0.0
        if kind != SURVIVAL:  # it has none: the hazard of all is free
            _gradient(every, one, away, gradient[:1])
            move = _best(gradient[:1], np.zeros((1, outputs)), level, tilt, 0.0)
            for c in range(outputs):
                worst = max(worst, abs(gradient[0, c]))
                intercepts[c] += move[0, c]
            follow_move(every, one, move, kind, bends, change, away)
        for f in members:
            own = slice(starts[f], starts[f + 1])
            block, pull = beta[own], penalty * weights[f]
            _gradient(columns[f], roots[own], away, gradient[own])
            worst = max(worst, _miss(gradient[own], block, pull) / weights[f])
            best = _best(gradient[own], block, scales[own], axes[own], pull)
            move = best - block
            block[:] = best
            if np.any(move):
                follow_move(columns[f], roots[own], move, kind, bends, change, away)
        if worst <= limit:
            break
    return beta - old_beta, intercepts - old_intercepts, change


@compiled_part
def _best(gradient, block, scales, axes, pull):
    """The block that minimizes its quadratic model + pull ||block||.

    With u = (axes' block) the model's condition is (scales + pull / ||u||) u = wanted. So ||u|| is
    the t at which wanted / (scales t + pull) has the length 1. The inverse of that length is
    concave in t: Newton's method from t = 0 climbs to it and does not go beyond.
    """
    wanted, out = np.zeros(scales.shape), np.zeros(scales.shape)
    size, outputs = scales.shape
    for a in range(size):
        for c in range(outputs):
            for d in range(outputs):
                wanted[a, d] += (scales[a, d] * block[a, c] - gradient[a, c]) * axes[a, c, d]
    if _length(wanted) <= pull:
        return out
    parts = np.empty(scales.shape)
    t = 0.0 if pull > 0.0 else 1.0  # without a penalty any t will do
    while True:
        square, bend = 0.0, 0.0
        for a in range(size):
            for d in range(outputs):
                scale = scales[a, d] * t + pull
                parts[a, d] = wanted[a, d] / scale
                square += parts[a, d] * parts[a, d]
                bend += parts[a, d] * parts[a, d] * scales[a, d] / scale
        step = 0.0
        if pull > 0.0:
            length = np.sqrt(square)
            step = (length - 1.0) * (length * length) / bend
        if not step > 1e-14 * t:
            break
        t += step
    for a in range(size):
        for c in range(outputs):
            for d in range(outputs):
                out[a, c] += axes[a, c, d] * t * parts[a, d]
    return out


@compiled_part
def _largest_miss(parts, members, away, beta, penalty):
    """By how much a condition of the optimum is missed at most, of intercepts and members."""
    columns, starts, roots, weights = parts[0].T, parts[1], parts[2], parts[3]
    gradient, worst = np.empty(beta.shape), 0.0
    for c in range(away.shape[1]):
        total = 0.0
        for i in range(len(away)):
            total += away[i, c]
        worst = max(worst, abs(total / len(away)))
    for f in members:
        own = slice(starts[f], starts[f + 1])
        _gradient(columns[f], roots[own], away, gradient[own])
        pull = penalty * weights[f]
        worst = max(worst, _miss(gradient[own], beta[own], pull) / weights[f])
    return worst


@compiled_part
def _miss(gradient, block, pull):
    """How far the gradient of a block is from one that the penalty holds."""
    length, total = _length(block), 0.0
    if length == 0.0:
        return _length(gradient) - pull
    for a in range(block.shape[0]):
        for c in range(block.shape[1]):
            off = gradient[a, c] + pull / length * block[a, c]
            total += off * off
    return np.sqrt(total)


@compiled_part
def _length(block):
    """The root of the sum of squares of a matrix."""
    total = 0.0
    for a in range(block.shape[0]):
        for c in range(block.shape[1]):
            total += block[a, c] * block[a, c]
    return np.sqrt(total)


@compiled_part
def _lengths(parts, members, beta):
    """sum_f w_f ||coefficients_f|| of the members."""
    starts, weights = parts[1], parts[3]
    total = 0.0
    for f in members:
        total += weights[f] * _length(beta[starts[f] : starts[f + 1]])
    return total


@dataclass(frozen=True, eq=False)
class Blocks:
    """Features as blocks of columns z with (1/n) z'z = I, so that sd(e_f) = ||coefficients_f||."""

    columns: np.ndarray  # (n, p) in Fortran order: mean 0 and variance 1 (or all 0), or levels
    starts: np.ndarray  # (p + 1,): of the coefficients of each feature, one a number or one a level
    roots: np.ndarray  # (starts[-1],): 1 / sqrt(share of the level), in its column; 0 of a number
    weights: np.ndarray  # (p,): w_f, the root of the degrees of freedom: 1 or levels - 1

    @classmethod
    def of(cls, values: np.ndarray, nominal: np.ndarray) -> "Blocks":
        """Blocks of numbers (NaN is the mean) and levels (NaN is one); two levels are a number."""
        n, p = values.shape
        columns, sizes = np.zeros((n, p), order="F"), np.ones(p, dtype=np.int64)
        roots: list[np.ndarray] = []
        for f in range(p):
            column = values[:, f]
            if nominal[f]:
                column, rows = np.unique(column, return_inverse=True, return_counts=True)[1:]
                if len(rows) > 2:
                    columns[:, f], sizes[f] = column, len(rows)
                    roots.append(np.sqrt(n / rows))
                    continue
            columns[:, f] = standardized(column)
            roots.append(np.zeros(1))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        weights = np.sqrt(np.maximum(sizes - 1.0, 1.0))
        return cls(columns, starts, np.concatenate(roots), weights)


@dataclass(frozen=True, eq=False)
class PathPoint:
    """The optimum at one lambda."""

    penalty: float  # lambda
    coefficients: np.ndarray  # (starts[-1], outputs)
    intercepts: np.ndarray  # (outputs,)
    inside: np.ndarray  # (p,): the features that have an effect
    pulls: np.ndarray  # (p,): ||gradient_f|| / w_f of the loss: at most lambda, which it is inside
    converged: bool  # whether no condition of the optimum is missed by more than the tolerance


def lasso_path(
    blocks: Blocks, loss: GroupLoss, steps: int, shortest: float, tolerance: float
) -> Iterator[PathPoint]:
    """Compute the optima at lambda_k = lambda_0 shortest^(k / steps), k = 0..steps, in turn.

    lambda_0 is the smallest lambda at which no feature has an effect. For the active features and
    those that violate their condition, Newton's method minimizes the quadratic model of the loss
    plus the penalty, block by block and exactly, with a line search on the objective. It stops when
    no optimality condition is violated by more than `tolerance` times lambda_0.

    Yuan and Lin 2006, Journal of the Royal Statistical Society B 68, 49-67; Simon and Tibshirani
    2012, Statistica Sinica 22, 983-1001 (the scale of a block); Friedman, Hastie and Tibshirani
    2010, Journal of Statistical Software 33(1) (blocks of a quadratic model in turn); Simon,
    Friedman, Hastie and Tibshirani 2011, the same 39(5) (Cox); Lee, Sun and Saunders 2014, SIAM
    Journal on Optimization 24, 1420-1443 (the line search; how far a model is minimized); Qin,
    Scheinberg and Goldfarb 2013, Mathematical Programming Computation 5, 143-169 (a block exactly).
    """
    told, intercepts = loss.parts, loss.intercepts.copy()
    parts = (blocks.columns, blocks.starts, blocks.roots, blocks.weights)
    beta = np.zeros((len(blocks.roots), len(intercepts)))
    scores = np.tile(intercepts, (len(loss.hits), 1))
    away = np.empty_like(scores)
    residuals(scores, told, away)
    pulls = pulls_of(parts, away)
    first = float(pulls.max())
    for step in range(steps + 1):
        penalty = first * shortest ** (step / steps)
        limit, converged = tolerance * first, True
        while step and first > 0:
            wanted = _inside(blocks, beta) | (pulls > penalty + limit)
            members = np.flatnonzero(wanted)
            state = (scores, away, beta, intercepts)
            converged = minimize(parts, members, told, state, penalty, limit)
            pulls = pulls_of(parts, away)
            if not converged or not (pulls[~wanted] > penalty + limit).any():
                break
        inside = _inside(blocks, beta)
        yield PathPoint(penalty, beta.copy(), intercepts.copy(), inside, pulls, bool(converged))


def standardized(column: np.ndarray) -> np.ndarray:
    """A column with mean 0 and variance 1, NaN being 0; all 0 if it is constant."""
    known = ~np.isnan(column)
    out = np.zeros(len(column))
    if known.any() and np.ptp(column[known] / 2) > 0:
        scaled = (column[known] / 2 - column[known].min() / 2) / (np.ptp(column[known] / 2))
        scaled -= scaled.mean()
        out[known] = scaled - scaled.mean()
        out /= np.sqrt((out**2).mean())
    return out


def _inside(blocks: Blocks, beta: np.ndarray) -> np.ndarray:
    return np.add.reduceat(np.abs(beta).sum(axis=1), blocks.starts[:-1]) > 0
