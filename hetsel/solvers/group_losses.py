"""Losses of a group lasso path with the derivatives for Newton's method, compiled.

Each loss has scores s (n, outputs) of the rows, the mean loss, its first derivatives times n
(*away*), and products with its second derivatives times n, H (n outputs, n outputs):

    classes    logistic or multinomial,   away = p - hits,  H = diag(p) - pp' of each row
    numbers    (y - s)^2 / 2,             away = s - y,     H = I
    survival   Cox, ties by Breslow,      away = W - event, H = diag(W) - sum_k d_k q_k q_k'

q_k (n,) are the proportions of the rows at risk at time k in the sum S_k of their exp(s), d_k are
the events there, and W = sum_k d_k q_k. Rows of survival times are in descending order of time; see
:class:`hetsel.solvers.cox_ridge.RiskOrder`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hetsel.compiling.arithmetic import exponential, gram, logarithm, product
from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.solvers.cox_ridge import RiskOrder, newton

CLASSES, NUMBERS, SURVIVAL = 0, 1, 2
LEAST = 1e-12  # of the largest eigenvalue: what is below is rounding
LEAST_SCALE = 1e-6  # of the curvature: where all classes are certain a step stays finite


@dataclass(frozen=True, eq=False)
class GroupLoss:
    """A loss and its data."""

    kind: int  # CLASSES, NUMBERS or SURVIVAL
    hits: np.ndarray  # (n, outputs): indicators of the classes, numbers, or indicators of events
    deaths: np.ndarray  # (n,): d_k at the last row of each time, else 0; of other kinds all 0
    intercepts: np.ndarray  # (outputs,): the best ones without a feature

    @classmethod
    def of_classes(cls, y: np.ndarray) -> "GroupLoss":
        """Of class codes (n,): logistic, one output, of two; else multinomial, one a class."""
        k = int(y.max()) + 1
        hits = (y[:, None] == np.arange(k)).astype(np.float64)
        shares = hits.mean(axis=0)
        if k == 2:
            hits, intercepts = hits[:, 1:], np.log(shares[1:] / shares[:1])
        else:
            intercepts = np.log(shares)
        return cls(CLASSES, np.ascontiguousarray(hits), np.zeros(len(y)), intercepts)

    @classmethod
    def of_numbers(cls, standardized: np.ndarray) -> "GroupLoss":
        """Half the squared error of numbers (n,) of mean 0."""
        return cls(NUMBERS, standardized[:, None].copy(), np.zeros(len(standardized)), np.zeros(1))

    @classmethod
    def of_survival(cls, order: RiskOrder) -> "GroupLoss":
        """Minus the log partial likelihood of Cox regression over n, of rows by falling time."""
        return cls(SURVIVAL, order.hits[:, None].copy(), order.deaths, np.zeros(1))

    @property
    def parts(self) -> tuple[int, np.ndarray, np.ndarray]:
        """What the compiled functions take."""
        return self.kind, self.hits, self.deaths


@compiled
def residuals(scores, loss, away):
    """The first derivatives (n, outputs) by the scores, times n."""
    kind, hits, deaths = loss
    n, outputs = scores.shape
    if kind == NUMBERS:
        away[:] = scores - hits
        return
    if kind == SURVIVAL:
        bends = np.empty((n, 3))
        _cox_bends(scores, deaths, bends)
        away[:, 0] = bends[:, 0] - hits[:, 0]
        return
    for i in range(n):
        if outputs == 1:
            away[i, 0] = 1.0 / (1.0 + exponential(-scores[i, 0])) - hits[i, 0]
            continue
        top, total = scores[i, 0], 0.0
        for c in range(1, outputs):
            top = max(top, scores[i, c])
        for c in range(outputs):
            away[i, c] = exponential(scores[i, c] - top)
            total += away[i, c]
        for c in range(outputs):
            away[i, c] = away[i, c] / total - hits[i, c]


@compiled
def mean_loss(scores, loss):
    """Mean loss of the rows."""
    kind, hits, deaths = loss
    n, outputs = scores.shape
    total = 0.0
    if kind == NUMBERS:
        for i in range(n):
            total += 0.5 * (scores[i, 0] - hits[i, 0]) * (scores[i, 0] - hits[i, 0])
        return total / n
    if kind == SURVIVAL:
        top, at_risk = scores.max(), 0.0
        for i in range(n):
            at_risk += exponential(scores[i, 0] - top)
            total -= hits[i, 0] * (scores[i, 0] - top)
            if deaths[i] > 0.0:
                total += deaths[i] * logarithm(at_risk)
        return total / n
    for i in range(n):
        top = 0.0 if outputs == 1 else scores[i, 0]  # of two classes, one has the score 0
        for c in range(outputs):
            top = max(top, scores[i, c])
        odds = exponential(-top) if outputs == 1 else 0.0
        for c in range(outputs):
            odds += exponential(scores[i, c] - top)
            total -= hits[i, c] * scores[i, c]
        total += top + logarithm(odds)
    return total / n


@compiled
def bends_of(scores, loss, away):
    """Probabilities (n, outputs) of classes, ones (n, 1) of numbers; of survival times (n, 3) W,
    exp(s - the largest s) and d_k / S_k^2 at the last row of each time, else 0.
    """
    kind, hits, deaths = loss
    n, outputs = scores.shape
    if kind == SURVIVAL:
        out = np.empty((n, 3))
        _cox_bends(scores, deaths, out)
        return out
    return away + hits if kind == CLASSES else np.ones((n, outputs))


@compiled_part
def _cox_bends(scores, deaths, out):
    n, top, at_risk = len(scores), scores.max(), 0.0
    for i in range(n):
        out[i, 1] = exponential(scores[i, 0] - top)
        at_risk += out[i, 1]
        out[i, 0] = deaths[i] / at_risk
        out[i, 2] = out[i, 0] / at_risk
    hazard = 0.0
    for i in range(n - 1, -1, -1):
        hazard += out[i, 0]
        out[i, 0] = out[i, 1] * hazard


@compiled_part
def curvature(column, roots, kind, bends, scales, axes):
    """Eigenvalues and eigenvectors of the second derivatives by the coefficients of one block.

    Of survival times diag(W) is in place of H, which is no less: no more than needed to go down.
    """
    n, outputs = len(bends), scales.shape[1]
    levels = len(roots) > 1
    hessian = np.zeros(axes.shape)
    for i in range(n):
        a = int(column[i]) if levels else 0
        cell = roots[a] if levels else column[i]
        square = cell * cell / n
        for c in range(outputs):
            hessian[a, c, c] += square * bends[i, c]
            if kind == CLASSES:
                for d in range(outputs):
                    hessian[a, c, d] -= square * bends[i, c] * bends[i, d]
    for a in range(len(roots)):
        values, axes[a] = np.linalg.eigh(hessian[a])
        scales[a] = np.maximum(values, LEAST_SCALE)


@compiled_part
def follow_move(column, roots, move, kind, bends, change, away):
    """Add what the move of a block changes: of the scores, and of the residuals by the model."""
    n, outputs = change.shape
    levels = len(roots) > 1
    if kind == SURVIVAL:
        _follow_cox(column, roots, move, bends, change, away)
        return
    for i in range(n):
        a = int(column[i]) if levels else 0
        cell = roots[a] if levels else column[i]
        if kind == NUMBERS:
            change[i, 0] += cell * move[a, 0]
            away[i, 0] += cell * move[a, 0]
            continue
        mean = 0.0
        for c in range(outputs):
            mean += bends[i, c] * move[a, c]
        for c in range(outputs):
            change[i, c] += cell * move[a, c]
            away[i, c] += cell * bends[i, c] * (move[a, c] - mean)


@compiled_part
def _follow_cox(column, roots, move, bends, change, away):
    n, levels = len(column), len(roots) > 1
    shares = np.empty(n)
    at_risk = 0.0
    for i in range(n):
        a = int(column[i]) if levels else 0
        shift = (roots[a] if levels else column[i]) * move[a, 0]
        change[i, 0] += shift
        away[i, 0] += bends[i, 0] * shift
        at_risk += bends[i, 1] * shift
        shares[i] = bends[i, 2] * at_risk
    total = 0.0
    for i in range(n - 1, -1, -1):
        total += shares[i]
        away[i, 0] -= bends[i, 1] * total


class RidgeWeights(NamedTuple):
    """A linear model."""

    weights: np.ndarray  # (d,)
    off: float  # how far they can be from the optimum's: the gradient's length, with its rounding
    objective: float  # J


def ridge_weights(z: np.ndarray, loss: GroupLoss, C: float) -> RidgeWeights:
    """Ridge or Cox regression of centered columns z (n, d), their rows in the order of the loss.

    minimize  J(w) = |w|^2 / 2 + C n loss(z w),

    of numbers of mean 0 or survival times. J is 1-strongly convex: no optimum is farther from w
    than the gradient of J is long. Of more columns than rows it is found in coordinates of the
    rows' span: O(n^2 d + n^3) for numbers, as much for each of Newton's steps of Cox regression.

    >>> z, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> ridge_weights(z, GroupLoss.of_numbers(y), 0.5).weights
    array([1.])
    """
    n, d = z.shape
    x, back = (np.ascontiguousarray(z), None) if d <= n else _coordinates(z)
    if loss.kind == SURVIVAL:
        hits = loss.hits[:, 0].copy()
        found = np.zeros(x.shape[1])
        newton(x, (np.ones(n), hits, loss.deaths), 1.0 / C, found)
    else:
        across = np.ascontiguousarray(x.T)
        bend = gram(across) + np.eye(x.shape[1]) / C
        found = np.linalg.solve(bend, product(across, loss.hits.T)[:, 0])
    weights = found if back is None else product(back, found[None])[:, 0]
    scores, away = product(z, weights[None]), np.empty((n, 1))
    residuals(scores, loss.parts, away)
    gradient = weights + C * product(z.T, away.T)[:, 0]
    pulled = C * np.abs(away).sum() * np.sqrt((z * z).sum(axis=1).max(initial=0.0))
    rounding = 4.0 * (n + 2) * 2.0**-53 * pulled
    objective = (weights * weights).sum() / 2 + C * n * mean_loss(scores, loss.parts)
    return RidgeWeights(weights, float(np.sqrt((gradient**2).sum()) + rounding), float(objective))


def _coordinates(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates x (n, r) of the rows of z in their span, and its orthonormal axes (d, r)."""
    squares, axes = np.linalg.eigh(gram(z))
    kept = squares > LEAST * squares.max(initial=0.0)
    roots = np.sqrt(squares[kept])
    x = np.ascontiguousarray(axes[:, kept] * roots)
    return x, product(z.T, (axes[:, kept] / roots).T)
