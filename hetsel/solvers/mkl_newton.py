"""Multiple kernel learning for two classes by Newton's method on the dual, over the free rows.

Few rows are free at the solution, and a sum of kernels times a vector takes O(n p). So each step
looks at the free rows and at those that violate the optimality conditions only: it needs no Gram
matrix of all rows, and its convergence is quadratic.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hetsel.compiled import compiled
from hetsel.solvers.svm import bias_and_violation, climb, objectives

ENOUGH = 0.1  # share of the slope that a step must gain (Armijo)
SHORTEST = 2.0**-20
MOST = 1_000_000  # pairs of rows in one model


class FeatureProducts(Protocol):
    """What Newton's method asks of a family of kernels."""

    def products(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K_f beta (p, n) of each feature, and s_f = beta' K_f beta (p,), of beta (n,)."""
        ...

    def near(self, rows: np.ndarray) -> np.ndarray:
        """The last products in these rows (m,): (p, m), until the next block is asked for."""
        ...

    def block(self, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Weighted sum of the p kernels between these rows (m,): (m, m)."""
        ...


def climb_dual(
    kernels: FeatureProducts,
    y: np.ndarray,
    bounds: np.ndarray,
    beta: np.ndarray,
    q: float,
    tolerance: float,
    limit: int,
) -> tuple[np.ndarray, np.ndarray, float, list[tuple[float, float]]]:
    """Maximize y'beta - 1/2 ||(s_f)||_r, r = q/(q - 1), from a feasible beta (n,); in place.

    With S = ||(s_f)||_r, mu_f = (s_f / S)^(r-1), v_f = K_f beta and u = sum mu_f v_f the gradient
    is y - u, and minus the second derivative is
    sum mu_f K_f + 2 (r - 1) / S (sum (s_f / S)^(r-2) v_f v_f' - u u').
    Each step maximizes this quadratic model over the rows that are free or violate the optimality
    conditions, then goes as far towards its maximum as the dual gains.

    Returns
    -------
    weights : ndarray of shape (p,)
        mu.
    energy : ndarray of shape (p,)
        s_f.
    bias : float
    trace : list of (float, float)
        Primal value and relative gap at each step.
    """
    power = 1.0 / (q - 1.0)
    low, high = np.minimum(0.0, y * bounds), np.maximum(0.0, y * bounds)
    products, energy = kernels.products(beta)
    lack, rows = np.empty(len(y)), np.empty(len(y), dtype=np.intp)
    trace: list[tuple[float, float]] = []
    size = _norm(energy, power + 1.0)
    while True:
        weights = _power(energy / size, power)
        slope = weights @ products
        bias, loss, linear, violation, count = survey(y, slope, bounds, low, high, beta, rows, lack)
        primal = 0.5 * size + loss
        gap = max(primal - linear + 0.5 * size, 0.0) / max(abs(primal), 1e-300)
        trace.append((primal, gap))
        if gap <= tolerance or len(trace) >= limit:
            return weights, energy, bias, trace
        active = rows[:count]
        near = kernels.near(active)
        if power != 1.0:
            near *= np.sqrt(_power(energy / size, power - 1.0))[:, None]
        hessian = near.T @ near
        near_slope = slope[active]
        hessian -= near_slope[:, None] * near_slope
        hessian *= 2.0 * power / size
        hessian += kernels.block(weights, active)
        begin = beta[active]
        goal = begin.copy()
        pull = lack[active]
        precision = max(1e-3 * violation, 1e-10)
        climb(hessian, pull.copy(), low[active], high[active], goal, precision, MOST)
        promised = float(pull @ (goal - begin))
        step = 1.0
        while True:
            beta[active] = goal if step == 1.0 else begin + step * (goal - begin)
            products, energy = kernels.products(beta)
            reached = _norm(energy, power + 1.0)
            gained = (float(y @ beta) - 0.5 * reached) - (linear - 0.5 * size)
            # what rounding hides counts as gained
            if gained >= ENOUGH * step * promised - 1e-13 * size or step < SHORTEST:
                break
            step *= 0.5
        size = reached


@compiled
def survey(y, slope, bounds, low, high, beta, rows, gradient):
    """Gradient y - slope (n,) in place, and in `rows` those that are free or should move.

    Returns the bias, the sum of the bounds times the hinge losses, y'beta, the largest violation of
    the optimality conditions and the number of rows.
    """
    n = len(y)
    for i in range(n):
        gradient[i] = y[i] - slope[i]
    bias, _ = bias_and_violation(gradient, beta, low, high)
    loss = objectives(gradient, y, bounds, beta, bias)[2]
    linear = 0.0
    violation = 0.0
    count = 0
    for i in range(n):
        linear += y[i] * beta[i]
        away = gradient[i] - bias
        if (away >= 0.0 and beta[i] < high[i]) or (away <= 0.0 and beta[i] > low[i]):
            rows[count] = i
            count += 1
            violation = max(violation, abs(away))
    return bias, loss, linear, violation, count


def _norm(energy: np.ndarray, r: float) -> float:
    """||(s_f)||_r; the smallest positive number in place of 0."""
    largest = float(energy.max())
    if largest <= 0.0:
        return 1e-300
    ratio = energy / largest
    return largest * float(_power(ratio, r).sum()) ** (1.0 / r)


def _power(ratio: np.ndarray, exponent: float) -> np.ndarray:
    """Ratios (p,) to a power; 0 where a ratio is 0, whatever the power."""
    if exponent == 1.0:
        return ratio
    if exponent == 2.0:
        return ratio * ratio
    out = np.zeros_like(ratio)
    np.power(ratio, exponent, out=out, where=ratio > 0.0)
    return out
