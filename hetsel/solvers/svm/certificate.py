"""Bounds on the distance of an SVM from the optimum, and SVMs in twice the precision.

    maximize linear' beta - beta' K beta / 2   over low <= beta <= high, the sum of beta 0.

With g = linear - K beta, any number b, and beta* the optimum with the bias b*,

    (beta - beta*)' K (beta - beta*)  <=  G = sum_i max(a_i (high_i - beta_i), a_i (low_i - beta_i))
                                              + |b* - b| |sum beta|,        a_i = g_i - b,

the duality gap. Proof: the left side is (g* - g)' (beta - beta*), and what g* says of the step from
beta* to beta is at most b* sum beta. For a sum of kernels it is sum_f ||w_f - w_f*||^2: the norm of
each feature's part of the machine is known to the root of G.

The sum over the rows whose a_i is all but 0 is at most max |a_i| sum |beta_i - beta*_i|, and sum
|beta*| is at most twice the value of the primal: less, where few rows are at a bound.

The terms of G are differences, so they are computed in twice the precision. A beta in doubles has a
rounding error, so its gap stays at about 1e-16 of the objective; `refine_box` also keeps the
remainder.
"""

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.kernels.precise_products import UNIT, fma, two_sum
from hetsel.solvers.svm.active_set import finish
from hetsel.solvers.svm.sequential_minimal import shared_bias

SHARED = 1e-9  # of the spread of the gradient: rows that differ by less share it


@compiled
def away_from_bias(high_part, low_part, low, high, beta, lo):
    """Gradient less the bias (n,), the bias: that of free rows, else the middle of the allowed."""
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
        bias = shared_bias(total, count, rising, falling)
        for i in range(n):
            away[i] -= bias
            away[i] += low_part[i] if part == 0 else 0.0
        whole = bias if part == 0 else whole + bias
    return away, whole


@compiled
def loss_of(away, low, high):
    """Sum of the hinge losses times the bounds, in the units of the gradient."""
    return np.maximum(away * high, away * low).sum()


@compiled
def box_gap(gradient, away, low, high, beta, rest, error, length):
    """Upper bound on G of one machine, whose gradient is off by at most `error` in each row.

    `length` bounds sum |beta - beta*|, for the rows whose gradient is all but shared.
    """
    wide, near, narrow, room = 0.0, 0.0, 0.0, 0.0
    largest, smallest = -np.inf, np.inf
    for i in range(len(beta)):
        largest, smallest = max(largest, gradient[i]), min(smallest, gradient[i])
    shared = SHARED * (largest - smallest)
    for i in range(len(beta)):
        up, down = (high[i] - beta[i]) - rest[i], (beta[i] - low[i]) + rest[i]
        own = max(away[i] * up, -away[i] * down)
        if abs(away[i]) <= shared:
            narrow += own
            near = max(near, abs(away[i]))
        else:
            wide += own
        room += high[i] - low[i]
    # b and b* are among the gradients; these move by less than their spread to the optimum
    off = sum_of(beta, rest)
    wide += (4.0 * (largest - smallest) + error) * (abs(off[0]) + abs(off[1]))
    return 1.0000001 * (wide + min(narrow + error * room, (near + error) * length))


@compiled_part
def gap_of(gram, linear, low, high, beta, rest, rounding):
    """Upper bound on G, the gradient less the bias (n,), the bias; K is off by `rounding`."""
    error = gradient_error(gram, linear, beta, rounding)
    gradient, low_part = gradient_of(gram, linear, beta, rest)
    away, bias = away_from_bias(gradient, low_part, low, high, beta, rest)
    square, length = 0.0, 0.0
    for i in range(len(beta)):
        square += beta[i] * (linear[i] - away[i])
        length += abs(beta[i])
    # the value of the primal is at least half of linear' beta at the optimum
    primal = 0.5 * square + loss_of(away, low, high)
    length += 2.0000001 * primal / abs(linear[0])
    return box_gap(gradient, away, low, high, beta, rest, error, length), away, bias


@compiled_part
def refine_box(gram, linear, low, high, beta, lo):
    """Solve for what is left of beta, in place, from a gradient in twice the precision."""
    n = len(beta)
    _, away, _ = gap_of(gram, linear, low, high, beta, lo, 0.0)
    floor, ceiling, rest = np.empty(n), np.empty(n), np.zeros(n)
    rows = np.empty(n, dtype=np.int64)
    open_row, largest, room = 0, 0.0, -1.0
    for i in range(n):
        rows[i] = i
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
    add_rest(beta, lo, low, high, floor, ceiling, rows, rest)


@compiled
def add_rest(beta, rest, low, high, floor, ceiling, rows, steps):
    """beta + rest after steps of some rows, in place; at a bound it is the bound itself."""
    for k in range(len(rows)):
        i, step = rows[k], steps[k]
        if step == 0.0:
            continue
        if step == floor[i] or step == ceiling[i]:
            beta[i] = low[i] if step == floor[i] else high[i]
            rest[i] = 0.0
        else:
            beta[i], rest[i] = two_sum(beta[i], rest[i] + step)


@compiled_part
def gradient_of(gram, linear, beta, lo):
    """linear - K (beta + lo), (n,) as high and low parts, each off by `gradient_error` at most."""
    n = len(linear)
    total, rest = linear.copy(), np.zeros(n)
    for j in range(n):
        if beta[j] == 0.0 and lo[j] == 0.0:
            continue
        row = gram[j]
        b, b_low = -beta[j], -lo[j]
        for i in range(n):
            a = row[i]
            product = a * b
            missed = fma(a, b, -product)
            was = total[i]
            new = was + product
            part = new - was
            total[i] = new
            rest[i] += ((was - (new - part)) + (product - part)) + (missed + a * b_low)
    for i in range(n):
        new, part = two_sum(total[i], rest[i])
        total[i], rest[i] = new, part
    return total, rest


@compiled_part
def gradient_error(gram, linear, beta, rounding):
    """Largest error of an entry of `gradient_of`: n^2 roundings of 2^-106, and what K is off by."""
    n = len(linear)
    largest, length, size = 0.0, 0.0, 0.0
    for i in range(n):
        largest = max(largest, abs(gram[i, i]))
        length += abs(beta[i])
        size = max(size, abs(linear[i]))
    twice = 4.0 * (n + 4.0) ** 2 * UNIT * UNIT
    return twice * (largest * length + size) + rounding * largest * length


@compiled
def sum_of(beta, lo):
    """Sum of beta + lo, as high and low part."""
    total, rest = 0.0, 0.0
    for i in range(len(beta)):
        total, missed = two_sum(total, beta[i])
        rest += missed + lo[i]
    return two_sum(total, rest)
