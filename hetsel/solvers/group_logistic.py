"""Logistic regression with one penalty for each feature: a path of group lassos.

Of n rows, features f with effects e_f (a number times a coefficient; a value for each level) and
classes c,

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f),

with sd(e_f)^2 the variance of the effect over the rows, summed over the outputs. Two classes have
one output and the logistic loss; more have one a class and the multinomial loss. The intercepts b
are free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hetsel.compiled import compiled

MOST_SWEEPS = 100_000  # over the features that are in, at one lambda


@dataclass(frozen=True, eq=False)
class Blocks:
    """Features as blocks of columns z with (1/n) z'z = I, so that sd(e_f) = ||coefficients_f||.

    Parameters
    ----------
    columns : ndarray of shape (n, p), in Fortran order
        Numbers with mean 0 and variance 1 (or all 0), or level codes 0, 1, ...
    starts : ndarray of int, shape (p + 1,)
        Where the coefficients of each feature start: one of a number, one a level otherwise.
    roots : ndarray of shape (starts[-1],)
        1 / sqrt(share of the level): the value of its column where it is not 0; 0 for a number.
    weights : ndarray of shape (p,)
        w_f: the square root of the degrees of freedom, 1 for a number, levels - 1 otherwise.
    """

    columns: np.ndarray
    starts: np.ndarray
    roots: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, nominal: np.ndarray) -> Blocks:
        """Blocks of numbers (NaN counts as the mean) and of level codes (NaN is a level).

        A column of two levels is a number: both have the same effects.
        """
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
            columns[:, f] = _standardized(column)
            roots.append(np.zeros(1))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        weights = np.sqrt(np.maximum(sizes - 1.0, 1.0))
        return cls(columns, starts, np.concatenate(roots), weights)


@dataclass(frozen=True, eq=False)
class PathPoint:
    """The optimum at one lambda.

    Parameters
    ----------
    penalty : float
        lambda.
    coefficients : ndarray of shape (starts[-1], outputs)
    intercepts : ndarray of shape (outputs,)
    inside : ndarray of bool, shape (p,)
        The features that have an effect.
    pulls : ndarray of shape (p,)
        ||gradient_f|| / w_f of the loss: at most lambda, and lambda for the features inside.
    converged : bool
        Whether no condition of the optimum is missed by more than the tolerance.
    """

    penalty: float
    coefficients: np.ndarray
    intercepts: np.ndarray
    inside: np.ndarray
    pulls: np.ndarray
    converged: bool


def logistic_path(
    blocks: Blocks, y: np.ndarray, steps: int, shortest: float, tolerance: float
) -> Iterator[PathPoint]:
    """The optima at lambda_k = lambda_0 shortest^(k / steps), k = 0..steps, each from the last.

    lambda_0 is the smallest lambda at which no feature has an effect. Blocks of coefficients are
    minimized in turn, each against a bound of its curvature, 1/4 for two classes and 1/2 for more
    (groupwise majorization descent), over the features that are in and those that want to be.

    Parameters
    ----------
    blocks : Blocks
    y : ndarray of int, shape (n,)
        Class codes 0..c-1, every class with a row.
    steps : int
        Number of steps of the path.
    shortest : float
        The last lambda as a share of the first.
    tolerance : float
        By how much of lambda_0 a condition of an optimum may be missed.

    References
    ----------
    Yuan and Lin 2006, Journal of the Royal Statistical Society B 68, 49-67; Simon and Tibshirani
    2012, Statistica Sinica 22, 983-1001 (the scale of a block); Yang and Zou 2015, Statistics and
    Computing 25, 1129-1141 (the solver).
    """
    n, k = len(y), int(y.max()) + 1
    hits = (y[:, None] == np.arange(k)).astype(np.float64)
    shares = hits.mean(axis=0)
    if k == 2:
        hits, intercepts = hits[:, 1:], np.log(shares[1:] / shares[:1])
    else:
        intercepts = np.log(shares)
    hits = np.asfortranarray(hits)
    parts = (blocks.columns, blocks.starts, blocks.roots, blocks.weights)
    beta = np.zeros((len(blocks.roots), hits.shape[1]))
    scores = np.asfortranarray(np.tile(intercepts, (n, 1)))
    away = np.empty_like(scores)
    _residuals(scores, hits, away)
    pulls = _pulls(*parts, away)
    first = float(pulls.max())
    for step in range(steps + 1):
        penalty = first * shortest ** (step / steps)
        limit, converged = tolerance * first, True
        while step and first > 0:
            wanted = _inside(blocks, beta) | (pulls > penalty + limit)
            members = np.flatnonzero(wanted)
            state = (scores, hits, away, beta, intercepts)
            converged = _descend(*parts, members, *state, penalty, limit, MOST_SWEEPS)
            pulls = _pulls(*parts, away)
            if not converged or not (pulls[~wanted] > penalty + limit).any():
                break
        inside = _inside(blocks, beta)
        yield PathPoint(penalty, beta.copy(), intercepts.copy(), inside, pulls, bool(converged))


def _standardized(column: np.ndarray) -> np.ndarray:
    """A column with mean 0 and variance 1, NaN being 0; all 0 if it is constant."""
    known = ~np.isnan(column)
    out = np.zeros(len(column))
    if known.any() and np.ptp(column[known]) > 0:
        scaled = (column[known] / 2 - column[known].min() / 2) / (np.ptp(column[known] / 2))
        scaled -= scaled.mean()
        out[known] = scaled - scaled.mean()
        out /= np.sqrt((out**2).mean())
    return out


def _inside(blocks: Blocks, beta: np.ndarray) -> np.ndarray:
    return np.add.reduceat(np.abs(beta).sum(axis=1), blocks.starts[:-1]) > 0


@compiled
def _residuals(scores, hits, away):
    """Probabilities minus hits (n, outputs)."""
    n, outputs = scores.shape
    for i in range(n):
        if outputs == 1:
            away[i, 0] = 1.0 / (1.0 + np.exp(-scores[i, 0])) - hits[i, 0]
            continue
        top = scores[i].max()
        total = 0.0
        for c in range(outputs):
            away[i, c] = np.exp(scores[i, c] - top)
            total += away[i, c]
        for c in range(outputs):
            away[i, c] = away[i, c] / total - hits[i, c]


@compiled
def _gradient(column, roots, away, out):
    """Gradient (size, outputs) of the mean loss by the coefficients of one block."""
    n, outputs = away.shape
    size = len(roots)
    out[:size] = 0.0
    for c in range(outputs):
        if size == 1:
            total = 0.0
            for i in range(n):
                total += column[i] * away[i, c]
            out[0, c] = total / n
        else:
            for i in range(n):
                out[int(column[i]), c] += away[i, c]
            for a in range(size):
                out[a, c] *= roots[a] / n


@compiled
def _pulls(columns, starts, roots, weights, away):
    """||gradient_f|| / w_f of every feature (p,)."""
    p = columns.shape[1]
    out = np.empty(p)
    gradient = np.empty((np.max(starts[1:] - starts[:-1]), away.shape[1]))
    for f in range(p):
        own = roots[starts[f] : starts[f + 1]]
        _gradient(columns[:, f], own, away, gradient)
        out[f] = np.sqrt((gradient[: len(own)] ** 2).sum()) / weights[f]
    return out


@compiled
def _descend(
    columns,
    starts,
    roots,
    weights,
    members,
    scores,
    hits,
    away,
    beta,
    intercepts,
    penalty,
    limit,
    sweeps,
):
    """Minimize over the members' blocks and the intercepts in turn; whether they stand still."""
    n, outputs = scores.shape
    bound = 0.25 if outputs == 1 else 0.5
    gradient = np.empty((np.max(starts[1:] - starts[:-1]), outputs))
    for _ in range(sweeps):
        furthest = 0.0
        for c in range(outputs):
            step = -away[:, c].mean() / bound
            furthest = max(furthest, abs(step) * bound)
            intercepts[c] += step
            scores[:, c] += step
        _residuals(scores, hits, away)
        for f in members:
            own = roots[starts[f] : starts[f + 1]]
            size = len(own)
            block = beta[starts[f] : starts[f + 1]]
            _gradient(columns[:, f], own, away, gradient)
            norm = 0.0
            for a in range(size):
                for c in range(outputs):
                    gradient[a, c] = block[a, c] - gradient[a, c] / bound
                    norm += gradient[a, c] ** 2
            norm = np.sqrt(norm)
            shrink = 1.0 - penalty * weights[f] / bound / norm if norm > 0.0 else 0.0
            shrink = max(shrink, 0.0)
            moved = 0.0
            for a in range(size):
                for c in range(outputs):
                    gradient[a, c] = shrink * gradient[a, c] - block[a, c]
                    moved += gradient[a, c] ** 2
                    block[a, c] += gradient[a, c]
            if moved == 0.0:
                continue
            furthest = max(furthest, np.sqrt(moved) * bound / weights[f])
            for c in range(outputs):
                if size == 1:
                    for i in range(n):
                        scores[i, c] += columns[i, f] * gradient[0, c]
                else:
                    for i in range(n):
                        a = int(columns[i, f])
                        scores[i, c] += own[a] * gradient[a, c]
            _residuals(scores, hits, away)
        if furthest <= limit:
            return True
    return False
