"""Multiple kernel learning for two classes by Newton's method on the dual, over the free rows.

Few rows are free at the solution, and a sum of kernels times a vector takes O(n p). So each step
looks at the free rows and at those that violate the optimality conditions only: it needs no Gram
matrix of all rows, and its convergence is quadratic.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hetsel.solvers.svm import climb, find_bias, objectives

ENOUGH = 0.1  # share of the slope that a step must gain (Armijo)
SHORTEST = 2.0**-20


class FeatureProducts(Protocol):
    """What Newton's method asks of a family of kernels."""

    def products(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K_f beta (p, n) of each feature, and s_f = beta' K_f beta (p,), of beta (n,)."""
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

    With S = ||(s_f)||_r, mu_f = (s_f / S)^(r-1), v_f = K_f beta and u = sum mu_f v_f the gradient is
    y - u, and minus the second derivative is sum mu_f K_f + 2 (r - 1) / S (sum (s_f / S)^(r-2)
    v_f v_f' - u u'). Each step maximizes this quadratic model over the rows that are free or
    violate the optimality conditions, then goes as far towards its maximum as the dual gains.

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
    trace: list[tuple[float, float]] = []
    while True:
        size = _norm(energy, power + 1.0)
        weights = _power(energy / size, power)
        slope = weights @ products
        gradient = y - slope
        bias = find_bias(gradient, beta, low, high)
        loss = objectives(gradient, y, bounds, beta, bias)[2]
        linear = float(y @ beta)
        primal = 0.5 * size + loss
        gap = max(primal - linear + 0.5 * size, 0.0) / max(abs(primal), 1e-300)
        trace.append((primal, gap))
        if gap <= tolerance or len(trace) >= limit:
            return weights, energy, bias, trace
        away = gradient - bias
        rows = np.flatnonzero(((away >= 0) & (beta < high)) | ((away <= 0) & (beta > low)))
        near = products[:, rows]
        bend = near * (_power(energy / size, power - 1.0) * (2.0 * power / size))[:, None]
        hessian = near.T @ bend
        hessian -= (2.0 * power / size) * np.outer(slope[rows], slope[rows])
        hessian += kernels.block(weights, rows)
        goal = beta[rows]
        violation = float(np.abs(away[rows]).max())
        climb(
            hessian,
            gradient[rows] + hessian @ goal,
            low[rows],
            high[rows],
            goal,
            max(1e-3 * violation, 1e-10),
            1_000_000,
        )
        change = np.zeros_like(beta)
        change[rows] = goal - beta[rows]
        moved, own = kernels.products(change)
        cross = products @ change
        promised, rise = float(gradient @ change), float(y @ change)
        step = 1.0
        while True:
            risen = np.maximum(energy + step * (2.0 * cross + step * own), 0.0)
            gain = step * rise - 0.5 * (_norm(risen, power + 1.0) - size)
            # what rounding hides counts as gained
            if gain >= ENOUGH * step * promised - 1e-13 * size or step < SHORTEST:
                break
            step *= 0.5
        if step == 1.0:
            beta[rows] = goal
        else:
            beta += step * change
        products += step * moved
        energy = risen


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
