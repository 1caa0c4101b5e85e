"""Multiple kernel learning by Newton's method on the dual, over the rows that are free.

Few rows are free at the solution, and a sum of kernels times a vector takes O(n p). So each step
looks at the free rows and at those that violate the optimality conditions only: it needs no Gram
matrix of all rows, and its convergence is quadratic. The quadratic model of a step is solved to its
end by an active set; of several machines, which share the weights, in turns.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from hetsel.compiled import compiled
from hetsel.solvers.active_set import finish
from hetsel.solvers.sequential_minimal import bias_and_violation, climb

ENOUGH = 0.1  # share of the slope that a step must gain (Armijo)
SHORTEST = 2.0**-20
MOST = 1_000_000  # pairs of rows in one model
SETTLED = 1e-13  # violation of the optimality conditions that only rounding is left of
LEAST = 1e-15  # violation that no model goes below, of labels -1 and 1
NEAR = 1e-9  # relative gap from where on each step has to reduce it
COARSER = 1e5  # precision of a model before the active set takes over
MOST_TURNS = 30  # of the machines of one model


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


class Images(NamedTuple):
    """K_f beta (p, n) of each machine, s_f summed over them (p,), and their norm ||(s_f)||_r."""

    products: list[np.ndarray]
    energy: np.ndarray
    size: float


def images_of(kernels: FeatureProducts, betas: np.ndarray, power: float) -> Images:
    """What the dual value and its derivatives are made of; r = power + 1."""
    products, norms = [], []
    for beta in betas:
        images, energy = kernels.products(beta)
        # the second next call writes over them
        products.append(images if len(betas) == 1 else images.copy())
        norms.append(energy)
    energy = norms[0] if len(norms) == 1 else np.sum(norms, axis=0)
    return Images(products, energy, energy_norm(energy, power + 1.0))


def climb_dual(
    kernels: FeatureProducts,
    labels: np.ndarray,
    bounds: np.ndarray,
    betas: np.ndarray,
    q: float,
    tolerance: float,
    limit: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[tuple[float, float]]]:
    """Maximize sum y'beta - 1/2 ||(s_f)||_r, r = q/(q - 1), from feasible betas, in place.

    With S = ||(s_f)||_r, mu_f = (s_f / S)^(r-1), v_f = K_f beta and u = sum mu_f v_f the gradient
    is y - u, and minus the second derivative is
    sum mu_f K_f + 2 (r - 1) / S (sum (s_f / S)^(r-2) v_f v_f' - u u'),
    without sum mu_f K_f between rows of different machines. Each step maximizes this quadratic
    model over the rows that are free or violate the optimality conditions, then goes as far towards
    its maximum as the dual gains.

    Parameters
    ----------
    labels, bounds, betas : ndarray of shape (problems, n)

    Returns
    -------
    weights : ndarray of shape (p,)
        mu.
    energy : ndarray of shape (p,)
        s_f.
    bias : ndarray of shape (problems,)
    trace : list of (float, float)
        Primal value and relative gap at each step.
    """
    power = 1.0 / (q - 1.0)
    low, high = np.minimum(0.0, labels * bounds), np.maximum(0.0, labels * bounds)
    images = images_of(kernels, betas, power)
    lack, bias = np.empty(labels.shape), np.empty(len(labels))
    rows = np.empty(labels.shape[1], dtype=np.intp)
    trace: list[tuple[float, float]] = []
    before, known = betas, (np.empty(0), images.energy, bias)
    while True:
        weights = mixed_power(images.energy / images.size, power)
        active, violation, loss, linear = [], 0.0, 0.0, 0.0
        for c, (y, beta) in enumerate(zip(labels, betas, strict=True)):
            slope = weights @ images.products[c]
            own = survey(y, slope, bounds[c], low[c], high[c], beta, rows, lack[c])
            bias[c], loss, linear = own[0], loss + own[1], linear + own[2]
            violation = max(violation, own[3])
            active.append(rows[: own[4]].copy())
        primal = 0.5 * images.size + loss
        gap = max(primal - linear + 0.5 * images.size, 0.0) / max(abs(primal), 1e-300)
        if trace and trace[-1][1] < NEAR and gap >= trace[-1][1]:
            betas[:] = before  # rounding has the last word
            return (*known, trace)
        trace.append((primal, gap))
        if gap <= tolerance or violation <= SETTLED or len(trace) >= limit:
            return weights, images.energy, bias, trace
        before, known = betas.copy(), (weights, images.energy, bias.copy())
        model = Model.of(kernels, images, weights, active, power)
        steps = model.maximum(lack, low, high, betas, max(1e-6 * violation, LEAST))
        promised = sum(float(lack[c][own] @ steps[c]) for c, own in enumerate(active))
        step = 1.0
        while True:
            for c, own in enumerate(active):
                goal = before[c][own] + step * steps[c]
                betas[c][own] = np.clip(goal, low[c][own], high[c][own])
            reached = images_of(kernels, betas, power)
            dual = float((labels * betas).sum()) - 0.5 * reached.size
            gained = dual - (linear - 0.5 * images.size)
            # what rounding hides counts as gained
            if gained >= ENOUGH * step * promised - 1e-13 * images.size or step < SHORTEST:
                break
            step *= 0.5
        images = reached


class Model(NamedTuple):
    """Minus the second derivative of the dual over the active rows of each machine, in blocks."""

    rows: list[np.ndarray]
    blocks: list[list[np.ndarray]]

    @classmethod
    def of(
        cls,
        kernels: FeatureProducts,
        images: Images,
        weights: np.ndarray,
        rows: list[np.ndarray],
        power: float,
    ) -> Model:
        """At some images and the weights mu (p,) that belong to them."""
        if len(rows) == 1:
            near = [kernels.near(rows[0])]
        else:
            near = [part[:, own] for part, own in zip(images.products, rows, strict=True)]
        slopes = [weights @ part for part in near]
        if power != 1.0:
            share = np.sqrt(mixed_power(images.energy / images.size, power - 1.0))[:, None]
            near = [part * share for part in near]
        blocks: list[list[np.ndarray]] = [[np.empty(0)] * len(rows) for _ in rows]
        for c in range(len(rows)):
            for d in range(c + 1):
                block = near[c].T @ near[d]
                block -= slopes[c][:, None] * slopes[d]
                block *= 2.0 * power / images.size
                if c == d:
                    block += kernels.block(weights, rows[c])
                blocks[c][d] = block
                blocks[d][c] = block.T
        return cls(rows, blocks)

    def maximum(
        self,
        pull: np.ndarray,
        low: np.ndarray,
        high: np.ndarray,
        betas: np.ndarray,
        precision: float,
        start: list[np.ndarray] | None = None,
    ) -> list[np.ndarray]:
        """Steps of the active rows to the maximum of the model within the bounds.

        Parameters
        ----------
        pull, low, high, betas : ndarray of shape (problems, n)
            Gradient, bounds and place.
        precision : float
            Largest violation of the optimality conditions of the model.
        start : list of ndarray, optional
            Steps to start from, whose sums stay.
        """
        steps = start or [np.zeros(len(own)) for own in self.rows]
        for _ in range(1 if len(steps) == 1 else MOST_TURNS):
            moved = 0.0
            for c, own in enumerate(self.rows):
                slope = pull[c][own].copy()
                for d in range(len(steps)):
                    if d != c:
                        slope -= self.blocks[c][d] @ steps[d]
                begin = betas[c][own]
                limits = low[c][own] - begin, high[c][own] - begin
                before = steps[c].copy()
                block = self.blocks[c][c]
                rest = slope - block @ before
                climb(block, rest, *limits, steps[c], COARSER * precision, MOST)
                finish(block, slope, *limits, steps[c], precision, 100 + 10 * len(own))
                moved = max(moved, float(np.abs(block @ (steps[c] - before)).max(initial=0.0)))
            if moved <= 1e3 * precision:
                break
        return steps


@compiled
def survey(y, slope, bounds, low, high, beta, rows, gradient):
    """Gradient less the bias (n,) in place, and in `rows` those that are free or should move.

    Returns the bias, the sum of the bounds times the hinge losses, y'beta, the largest violation of
    the optimality conditions and the number of rows.
    """
    n = len(y)
    for i in range(n):
        gradient[i] = y[i] - slope[i]
    bias, _ = bias_and_violation(gradient, beta, low, high)
    linear, loss = 0.0, 0.0
    violation = 0.0
    count = 0
    for i in range(n):
        linear += y[i] * beta[i]
        gradient[i] -= bias
        away = gradient[i]
        # 1 - y f = y (y - K beta - b)
        loss += bounds[i] * max(0.0, y[i] * away)
        if (away >= 0.0 and beta[i] < high[i]) or (away <= 0.0 and beta[i] > low[i]):
            rows[count] = i
            count += 1
            violation = max(violation, abs(away))
    return bias, loss, linear, violation, count


def energy_norm(energy: np.ndarray, r: float) -> float:
    """||(s_f)||_r; the smallest positive number in place of 0."""
    largest = float(energy.max())
    if largest <= 0.0:
        return 1e-300
    ratio = energy / largest
    return largest * float(mixed_power(ratio, r).sum()) ** (1.0 / r)


def mixed_power(ratio: np.ndarray, exponent: float) -> np.ndarray:
    """Ratios (p,) to a power; 0 where a ratio is 0, whatever the power."""
    if exponent == 1.0:
        return ratio
    if exponent == 2.0:
        return ratio * ratio
    out = np.zeros_like(ratio)
    np.power(ratio, exponent, out=out, where=ratio > 0.0)
    return out
