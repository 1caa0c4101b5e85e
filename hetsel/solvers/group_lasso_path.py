"""Regression with one penalty for each feature: a path of group lassos.

Of n rows and features f with effects e_f (a number times a coefficient; a value for each level),

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f),

with sd(e_f)^2 the variance of the effect over the rows, summed over the outputs. Two classes have
one output and the logistic loss; more have one a class and the multinomial loss. Numbers have half
the squared error, survival times the partial likelihood of Cox regression. The intercepts b are
free; Cox regression has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hetsel.solvers.group_losses import GroupLoss, residuals
from hetsel.solvers.group_newton import minimize, pulls_of


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
    """The optima at lambda_k = lambda_0 shortest^(k / steps), k = 0..steps, each from the last.

    lambda_0 is the smallest lambda at which no feature has an effect. Of the features that are in
    and those that want to be, Newton's method minimizes the quadratic model of the loss with the
    penalty, one block after the other, each exactly, and goes there as far as the objective falls,
    until no condition of the optimum is missed by more than `tolerance` times lambda_0.

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
