"""How far a machine can be from the optimum, and machines in twice the precision.

    maximize linear' beta - beta' K beta / 2   over low <= beta <= high, the sum of beta 0.

With g = linear - K beta, any number b, and beta* the optimum with the bias b*,

    (beta - beta*)' K (beta - beta*)  <=  G = sum_i max(a_i (high_i - beta_i), a_i (low_i - beta_i))
                                              + |b* - b| |sum beta|,        a_i = g_i - b,

the duality gap. Proof: the left side is (g* - g)' (beta - beta*), and what g* says of the step from
beta* to beta is at most b* sum beta. For a sum of kernels it is sum_f ||w_f - w_f*||^2, so the norm
of the part that each feature has of the machine is known to the root of G. Strong convexity of the
primal alone gives half of that: ||w - w*||^2 <= 2 G.

Each term of G is at least 0 and nearly 0, but comes of a difference: it is computed in twice the
precision. A beta in doubles is off by its rounding, so its gap stays at about 1e-16 of the
objective; `refine` carries the rest of beta along.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled
from hetsel.solvers.active_set import finish
from hetsel.solvers.double_double import gradient_error, gradient_of, sum_of, two_sum


@compiled
def away_from_bias(high_part, low_part, low, high, beta, lo):
    """The gradient less the bias (n,), and the bias.

    The bias is what the free rows share, else the middle of what is allowed; it is found twice,
    from the high parts, then from what is left of them.
    """
    n = len(beta)
    away, whole = high_part.copy(), 0.0
    for part in range(2):
        total, count = 0.0, 0
        rising, falling = -np.inf, np.inf
        for i in range(n):
            may_rise, may_fall = beta[i] < high[i] or lo[i] < 0.0, beta[i] > low[i] or lo[i] > 0.0
            if may_rise and may_fall:
                total += away[i]
                count += 1
            if may_rise:
                rising = max(rising, away[i])
            if may_fall:
                falling = min(falling, away[i])
        if count > 0:
            bias = total / count
        elif np.isinf(rising) or np.isinf(falling):
            bias = falling if np.isinf(rising) else rising
        else:
            bias = 0.5 * (rising + falling)
        for i in range(n):
            away[i] -= bias
            away[i] += low_part[i] if part == 0 else 0.0
        whole = bias if part == 0 else whole + bias
    return away, whole


@compiled
def gap_of(gram, linear, low, high, beta, lo, rounding):
    """Upper bound on the duality gap, with all that rounding may hide.

    An entry of the Gram matrix is off by at most `rounding` times its largest one. Returns the gap,
    the gradient less the bias (n,), and the bias.
    """
    n = len(beta)
    error = gradient_error(gram, linear, beta, rounding)
    high_part, low_part = gradient_of(gram, linear, beta, lo)
    away, bias = away_from_bias(high_part, low_part, low, high, beta, lo)
    gap, largest, smallest = 0.0, -np.inf, np.inf
    for i in range(n):
        up, down = (high[i] - beta[i]) - lo[i], (beta[i] - low[i]) + lo[i]
        gap += max((away[i] + error) * up, (error - away[i]) * down)
        largest, smallest = max(largest, high_part[i]), min(smallest, high_part[i])
    off = sum_of(beta, lo)
    # b and b* are among the gradients; these move by less than their spread to the optimum
    spread = 3.0 * (largest - smallest) + np.abs(linear).max()
    gap += spread * (abs(off[0]) + abs(off[1]))
    return 1.0000001 * gap, away, bias


@compiled
def refine(gram, linear, low, high, beta, lo):
    """Solve for what is left of beta, in place: beta + lo ends at about twice the precision.

    The rest solves the same problem, in doubles, from a gradient in twice the precision.
    """
    n = len(beta)
    _, away, _ = gap_of(gram, linear, low, high, beta, lo, 0.0)
    floor, ceiling, rest = np.empty(n), np.empty(n), np.zeros(n)
    open_row, largest, room = 0, 0.0, -1.0
    for i in range(n):
        floor[i], ceiling[i] = (low[i] - beta[i]) - lo[i], (high[i] - beta[i]) - lo[i]
        width = min(-floor[i], ceiling[i])
        if width > 0.0:
            largest = max(largest, abs(away[i]))
        if width > room:
            room, open_row = width, i
    off = sum_of(beta, lo)
    rest[open_row] = -(off[0] + off[1])
    smallest = 1e-10 * largest + gradient_error(gram, linear, beta, 0.0)
    finish(gram, away, floor, ceiling, rest, smallest, n)
    for i in range(n):
        if rest[i] == 0.0:
            continue
        if rest[i] == floor[i] or rest[i] == ceiling[i]:
            beta[i] = low[i] if rest[i] == floor[i] else high[i]
            lo[i] = 0.0
        else:
            beta[i], lo[i] = two_sum(beta[i], lo[i] + rest[i])
