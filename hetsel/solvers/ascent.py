"""Largest value of a smooth function of squared scale factors u >= 0."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# u (p,) -> value and derivatives (p,) by u
Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]

ROUNDING = 1e-12  # relative increase of the value below which an ascent stands still
MEMORY = 10  # steps of which the curvature is remembered
ENOUGH = 1e-4  # share of the increase promised by the slope that a step must reach
STEEP = 0.9  # share of the slope at the start from which on a step is too short
CURVED = 1e-10  # least cosine between a step and the change of the slopes that says something
HALVINGS = 40  # of a step, at most


@dataclass(frozen=True, eq=False)
class Ascent:
    """Where an ascent ended."""

    u: np.ndarray  # (p,)
    value: float
    slopes: np.ndarray  # (p,): derivatives; at a maximum 0 where u > 0 and at most 0 elsewhere
    evaluations: int
    converged: bool  # whether it ended by itself and not by the number of iterations


def bounded_ascent(
    objective: Objective,
    start: np.ndarray,
    scale: np.ndarray | float,
    *,
    tolerance: float = 1e-6,
    iterations: int = 1000,
) -> Ascent:
    """Ascent by limited-memory BFGS over u >= 0 from `start` (p,), in units of `scale`.

    Each step goes along Nocedal's direction in the components that the bounds leave free, projected
    on the bounds (Bertsekas 1982), as long as Wolfe's conditions ask. Stops where no open
    derivative by u / scale is above `tolerance` times the value at the start, or the value no
    longer grows. scipy's L-BFGS-B does the same by sums of BLAS, whose order depends on the
    processor.

    Nocedal 1980, Mathematics of Computation 35, 773-782; Bertsekas 1982, SIAM Journal on Control
    and Optimization 20, 221-246.
    """
    unit = abs(objective(start)[0]) or 1.0

    def rated(v: np.ndarray) -> tuple[float, np.ndarray]:
        value, slopes = objective(v * scale)
        return value / unit, slopes * scale / unit

    v = start / scale
    value, slopes = rated(v)
    evaluations, converged = 2, False
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(iterations):
        converged = bool(np.abs(np.maximum(v + slopes, 0.0) - v).max() <= tolerance)
        if converged:
            break
        free = (v > 0.0) | (slopes > 0.0)
        way = _direction(np.where(free, slopes, 0.0), free, pairs)
        length = 1.0 if pairs else min(1.0, 1.0 / float(np.sqrt(_inner(way, way))))
        found, tried = _step(rated, v, value, slopes, way, length)
        evaluations += tried
        if found is None:
            converged = not pairs  # not even along the slopes: rounding is all that is left
            if converged:
                break
            pairs.clear()
            continue
        new, new_value, new_slopes = found
        moved, change = new - v, slopes - new_slopes
        # if the value bends as a maximum does
        if _inner(moved, change) > CURVED * np.sqrt(_inner(moved, moved) * _inner(change, change)):
            pairs.append((moved, change))
            del pairs[:-MEMORY]
        growth = new_value - value
        v, value, slopes = new, new_value, new_slopes
        converged = growth <= ROUNDING * max(abs(value), 1.0)
        if converged:
            break
    return Ascent(v * scale, value * unit, slopes * unit / scale, evaluations, converged)


def _step(
    rated: Objective,
    v: np.ndarray,
    value: float,
    slopes: np.ndarray,
    way: np.ndarray,
    length: float,
) -> tuple[tuple[np.ndarray, float, np.ndarray] | None, int]:
    """Point, value and slopes after a step neither too long nor too short; evaluations."""
    ahead = _inner(slopes, way)
    below, above = 0.0, np.inf  # too short a step, and too long a one
    reached = None
    for tried in range(1, HALVINGS + 1):
        new = np.maximum(v + length * way, 0.0)
        found, found_slopes = rated(new)
        promised = _inner(slopes, new - v)
        if promised > 0.0 and found >= value + ENOUGH * promised:
            reached = (new, found, found_slopes)
            left = _inner(found_slopes, np.where((new > 0.0) | (way > 0.0), way, 0.0))
            if left <= STEEP * ahead:
                return reached, tried
            below = length
            length = 2.0 * length if above == np.inf else 0.5 * (below + above)
            continue
        if reached is not None:
            return reached, tried
        above = length
        bend = 2.0 * (value + length * ahead - found)  # of the parabola through what is known
        top = ahead * length * length / bend if 0.0 < bend < np.inf else 0.5 * length
        length = min(max(top, 0.1 * length), 0.5 * length)
    return reached, HALVINGS


def _direction(
    slopes: np.ndarray, free: np.ndarray, pairs: list[tuple[np.ndarray, np.ndarray]]
) -> np.ndarray:
    """The inverse of the remembered curvature times the slopes, in the free components."""
    way = slopes.copy()
    kept = []
    for step, change in reversed(pairs):
        s, y = np.where(free, step, 0.0), np.where(free, change, 0.0)
        curvature = _inner(s, y)
        if curvature > CURVED * np.sqrt(_inner(s, s) * _inner(y, y)):
            share = _inner(s, way) / curvature
            way -= share * y
            kept.append((s, y, curvature, share))
    if kept:
        _, y, curvature, _ = kept[0]
        way *= curvature / _inner(y, y)
    for s, y, curvature, share in reversed(kept):
        way += (share - _inner(y, way) / curvature) * s
    return way if _inner(way, slopes) > 0.0 else slopes


def _inner(a: np.ndarray, b: np.ndarray) -> float:
    return float((a * b).sum())


def gradient_ascent(
    objective: Objective,
    start: np.ndarray,
    *,
    rate: float,
    tolerance: float = 1e-6,
    iterations: int = 1000,
) -> Ascent:
    """Ascent along the gradient by w = sqrt(u), as Algorithm 1 of ramona2012 is printed."""
    factors, last = np.ones(len(start)), 0.0
    step = 0
    while True:
        u = factors * factors * start
        value, slopes = objective(u)
        converged = step > 0 and abs(value - last) < tolerance
        if converged or step == iterations:
            return Ascent(u, value, slopes, step + 1, converged)
        factors, last = factors + rate * 2.0 * factors * start * slopes, value
        step += 1
