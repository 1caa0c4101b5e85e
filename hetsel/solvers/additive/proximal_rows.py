"""Compiled: proximal dual variables of rows, and sums over the rows.

For a loss with the dual variable beta in a box, minus epsilon |beta|, and a center c, a row with
the residual r = y - f - b has the beta that maximizes

    beta r - epsilon |beta| - (beta - c)^2 / (2 sigma),

which is c + sigma r moved toward 0 by sigma epsilon and then clipped to the box. Its derivative by
r is sigma if beta is free: strictly inside the box and, with epsilon, not 0.
"""

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part, inlined

MOST_TURNS = 200  # of the search for a bias
REACH = 0.02  # from the last bias: rows that hardly any other one moves are looked at once
FARTHER = 8.0  # times, where the bias is not within reach
FARTHEST = 1e6
SETTLED = 1e-13  # share of the sum of the bounds


@inlined
def proximal_row(center, sigma, residual, low, high, tube):
    """The beta of one row, and whether it is free."""
    z = center + sigma * residual
    edge = sigma * tube
    if z > edge:
        z -= edge
    elif z < -edge:
        z += edge
    elif edge > 0.0:
        return 0.0, False
    if z <= low:
        return low, False
    if z >= high:
        return high, False
    return z, True


@compiled
def balance(residual, bias, center, sigma, low, high, tube, beta, rows):
    """The bias at which beta (n,) sum to 0, and these in place: the best one for the loss."""
    n = len(residual)
    room, reach = 0.0, REACH
    for i in range(n):
        room += high[i] - low[i]
    while True:
        count, settled = 0, 0.0
        for i in range(n):
            z = center[i] + sigma[i] * (residual[i] - bias)
            wide = sigma[i] * (reach + tube)
            if z - wide >= high[i]:
                beta[i] = high[i]
                settled += high[i]
            elif z + wide <= low[i]:
                beta[i] = low[i]
                settled += low[i]
            else:
                rows[count] = i
                count += 1
        edges = bias - reach, bias + reach
        bias, total = balance_some(
            residual, edges, center, sigma, low, high, tube, beta, rows[:count], settled, room
        )
        if abs(total) <= SETTLED * room or edges[0] < bias < edges[1] or reach > FARTHEST:
            return bias
        reach *= FARTHER


@compiled_part
def balance_some(residual, edges, center, sigma, low, high, tube, beta, rows, settled, room):
    """The bias between two edges at which beta of all rows sum to 0, or the edge next to it.

    Newton's method between two ends that move; `settled` is the sum of beta of the other rows.
    """
    left, right = edges
    bias = 0.5 * (left + right)
    kept = rows.copy()
    count, rest, total = len(kept), settled, 0.0
    at_left, at_right = False, False  # whether the bias is known to lie inside of an edge
    for _ in range(MOST_TURNS):
        total, slope = rest, 0.0
        for k in range(count):
            i = kept[k]
            own = residual[i] - bias
            beta[i], free = proximal_row(center[i], sigma[i], own, low[i], high[i], tube)
            total += beta[i]
            if free:
                slope += sigma[i]
        if abs(total) <= SETTLED * room:
            break
        if total > 0.0:
            left, at_left = bias, True
        else:
            right, at_right = bias, True
        if (bias == edges[1] and total > 0.0) or (bias == edges[0] and total < 0.0):
            break  # the sum is 0 further out
        place = 0
        for k in range(count):
            i = kept[k]
            if beta[i] == (low[i] if total > 0.0 else high[i]):
                rest += beta[i]
            else:
                kept[place] = i
                place += 1
        count = place
        goal = bias + (total / slope if slope > 0.0 else np.inf if total > 0.0 else -np.inf)
        if goal >= right:
            goal = 0.5 * (left + right) if at_right else right
        elif goal <= left:
            goal = 0.5 * (left + right) if at_left else left
        if goal == bias or (at_left and goal == left) or (at_right and goal == right):
            break
        bias = goal
    for k in range(len(rows)):  # those that are looked at no more may lie elsewhere at the bias
        i = rows[k]
        own = residual[i] - bias
        beta[i], _ = proximal_row(center[i], sigma[i], own, low[i], high[i], tube)
    return bias, total


@compiled
def sums_of_rows(y, residual, bias, center, sigma, low, high, tube, beta):
    """sum max(beta r - epsilon |beta| - (beta - c)^2 / (2 sigma)), the sum of the losses, sum y
    beta - epsilon |beta| and sum (beta - c)^2 / (2 sigma).
    """
    smooth, loss, linear, apart = 0.0, 0.0, 0.0, 0.0
    for i in range(len(y)):
        own = residual[i] - bias
        step = beta[i] - center[i]
        square = step * step / (2.0 * sigma[i])
        edge = tube * abs(beta[i])
        smooth += beta[i] * own - edge - square
        apart += square
        linear += y[i] * beta[i] - edge
        if tube > 0.0:
            loss += high[i] * max(0.0, abs(own) - tube)
        else:
            loss += max(low[i] * own, high[i] * own)
    return smooth, loss, linear, apart


@compiled
def gather_free(beta, low, high, tube, rows):
    """The free rows, in place at the head of rows (n,), and their number."""
    count = 0
    for i in range(len(beta)):
        if low[i] < beta[i] < high[i] and (tube == 0.0 or beta[i] != 0.0):
            rows[count] = i
            count += 1
    return count


@compiled
def product_of(left, right):
    """Sum of left times right, four at a time: the same bits on every processor."""
    a = b = c = d = 0.0
    n = len(left)
    even = n - n % 4
    for i in range(0, even, 4):
        a += left[i] * right[i]
        b += left[i + 1] * right[i + 1]
        c += left[i + 2] * right[i + 2]
        d += left[i + 3] * right[i + 3]
    for i in range(even, n):
        a += left[i] * right[i]
    return (a + b) + (c + d)
