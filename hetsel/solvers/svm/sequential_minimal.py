"""Sequential minimal optimization of a concave quadratic function in a box with a fixed sum.

It finds the free variables soon and the last digits late, so :mod:`hetsel.solvers.svm.active_set`
continues from there (Fan, Chen and Lin 2005, JMLR 6).
"""

import numpy as np

from hetsel.compiling.arithmetic import matrix_vector_product
from hetsel.compiling.compiled import compiled, compiled_part

COARSE = 0.1  # violation down to which all rows take part; 0.03 to 1 take about as long


@compiled_part
def first_largest(a):
    """Index of the first of the largest entries, -1 if none is above -inf; four running maxima."""
    n = len(a)
    best = -np.inf
    where = -1
    whole = n - n % 16
    for start in range(0, whole, 16):
        m0, m1, m2, m3 = a[start], a[start + 1], a[start + 2], a[start + 3]
        for k in range(start + 4, start + 16, 4):
            m0 = a[k] if a[k] > m0 else m0
            m1 = a[k + 1] if a[k + 1] > m1 else m1
            m2 = a[k + 2] if a[k + 2] > m2 else m2
            m3 = a[k + 3] if a[k + 3] > m3 else m3
        m0 = m0 if m0 > m1 else m1
        m2 = m2 if m2 > m3 else m3
        m0 = m0 if m0 > m2 else m2
        if m0 > best:
            best = m0
            where = start
    for k in range(whole, n):
        if a[k] > best:
            best = a[k]
            where = k
    if 0 <= where < whole:
        while a[where] != best:
            where += 1
    return where


@compiled_part
def smallest(a):
    """The smallest entry."""
    best = np.inf
    for k in range(len(a)):
        best = min(best, a[k])
    return best


@compiled_part
def set_gains(gains, up, down, row, own, diagonal):
    """gains_j: twice the increase of the objective by moving j against the chosen variable."""
    for j in range(len(gains)):
        slope = max(up - down[j], 0.0)
        gains[j] = slope * slope / max(own + diagonal[j] - 2.0 * row[j], 1e-12)


@compiled_part
def move(gradient, rising, falling, row, other, step):
    """Gradient after beta moved by step along (row, -other), with its two masked copies."""
    for i in range(len(gradient)):
        change = step * (row[i] - other[i])
        gradient[i] -= change
        rising[i] -= change
        falling[i] -= change


@compiled
def climb(gram, gradient, low, high, beta, tolerance, limit):
    """maximize linear' beta - beta' K beta / 2 over low <= beta <= high, the sum of beta as it is.

    The gradient linear - K beta follows (Fan, Chen and Lin 2005, working-set selection 2).
    """
    n = len(gradient)
    diagonal, gains = np.empty(n), np.empty(n)
    # the gradient of the variables that may rise (else -inf), and of those that may fall (else inf)
    rising, falling = np.empty(n), np.empty(n)
    for i in range(n):
        diagonal[i] = gram[i, i]
        rising[i] = gradient[i] if beta[i] < high[i] else -np.inf
        falling[i] = gradient[i] if beta[i] > low[i] else np.inf
    iterations = 0
    while iterations < limit:
        i = first_largest(rising)
        if i < 0:
            break
        up = rising[i]
        row = gram[i]
        set_gains(gains, up, falling, row, diagonal[i], diagonal)
        j = first_largest(gains)
        if gains[j] <= 0.0:
            break
        if up - gradient[j] <= tolerance and up - smallest(falling) <= tolerance:
            break
        step = (up - gradient[j]) / max(diagonal[i] + diagonal[j] - 2.0 * row[j], 1e-12)
        room_up, room_down = high[i] - beta[i], beta[j] - low[j]
        step = min(step, room_up, room_down)
        # at a bound the variable gets the bound itself, not a rounded neighbor of it
        beta[i] = high[i] if step == room_up else beta[i] + step
        beta[j] = low[j] if step == room_down else beta[j] - step
        move(gradient, rising, falling, row, gram[j], step)
        rising[i] = gradient[i] if beta[i] < high[i] else -np.inf
        rising[j] = gradient[j]
        falling[i] = gradient[i]
        falling[j] = gradient[j] if beta[j] > low[j] else np.inf
        iterations += 1
    return iterations


@compiled_part
def descend(gram, gradient, low, high, beta, coarse, tolerance, limit):
    """:func:`climb` over all rows, then over those near to moving; the bias and the iterations."""
    iterations = climb(gram, gradient, low, high, beta, max(tolerance, coarse), limit)
    bias, violation = bias_and_violation(gradient, beta, low, high)
    rows = np.empty(len(beta), dtype=np.int64)
    while iterations < limit and violation > tolerance:
        count = find_movable(gradient, bias, 0.25 * violation, low, high, beta, rows)
        precision = max(tolerance, 0.1 * violation)
        made = climb_some(
            gram, gradient, low, high, beta, rows[:count], precision, limit - iterations
        )
        iterations += made
        bias, violation = bias_and_violation(gradient, beta, low, high)
        if made == 0:  # only rounding is left
            break
    return bias, iterations


@compiled_part
def find_movable(gradient, bias, near, low, high, beta, rows):
    """How many rows are free or violate, would the bias be off by `near`; the first of `rows`."""
    count = 0
    for i in range(len(beta)):
        may_rise, may_fall = beta[i] < high[i], beta[i] > low[i]
        if (
            (may_rise and may_fall)
            or (may_rise and gradient[i] >= bias - near)
            or (may_fall and gradient[i] <= bias + near)
        ):
            rows[count] = i
            count += 1
    return count


@compiled_part
def climb_some(gram, gradient, low, high, beta, rows, tolerance, limit):
    """:func:`climb` over some of the rows; beta and the gradient of all rows follow."""
    m = len(rows)
    part = np.empty((m, m))
    for k in range(m):
        part[k] = gram[rows[k]][rows]
    slope, goal = gradient[rows], beta[rows]
    made = climb(part, slope, low[rows], high[rows], goal, tolerance, limit)
    for k in range(m):
        i = rows[k]
        if goal[k] != beta[i]:
            fall(gradient, gram[i], goal[k] - beta[i])
            beta[i] = goal[k]
    return made


@compiled_part
def fall(gradient, row, step):
    """gradient (n,) -= step row: the gradient after one beta rose by step."""
    for i in range(len(gradient)):
        gradient[i] -= step * row[i]


@compiled_part
def bias_and_violation(gradient, beta, low, high):
    """Bias, the mean of y - K beta of free rows or the middle of what is legal, and violation."""
    total, free, largest, smallest = 0.0, 0, -np.inf, np.inf
    for i in range(len(beta)):
        if low[i] < beta[i] < high[i]:
            total += gradient[i]
            free += 1
        if beta[i] < high[i]:
            largest = max(largest, gradient[i])
        if beta[i] > low[i]:
            smallest = min(smallest, gradient[i])
    return shared_bias(total, free, largest, smallest), largest - smallest


@compiled_part
def shared_bias(total, free, largest, smallest):
    """The mean of the free rows, else the middle of those that may rise and those that may fall."""
    if free > 0:
        return total / free
    if np.isinf(largest) or np.isinf(smallest):
        return largest if np.isinf(smallest) else smallest
    return 0.5 * (largest + smallest)


def enclosing_ball(
    gram: np.ndarray, *, start: np.ndarray | None = None, tolerance: float = 1e-6
) -> tuple[np.ndarray, float]:
    """The smallest ball in feature space that holds the rows of a Gram matrix K (n, n).

    R^2 = max_b sum_i b_i k_ii - b' K b subject to sum_i b_i = 1 and b_i >= 0,

    from weights `start` (n,), until the largest violation is at most `tolerance` times the mean
    squared distance of the rows from their mean. Returns b (n,) and the dual, never above the true
    R^2.

    Vapnik 1998, Statistical learning theory; Chapelle, Vapnik, Bousquet and Mukherjee 2002, section
    3.2.
    """
    n = len(gram)
    weights = np.full(n, 1.0 / n) if start is None else start.copy()
    diagonal = np.diagonal(gram).copy()
    spread = float(diagonal.mean() - gram.mean())
    twice = np.ascontiguousarray(2.0 * gram)
    gradient = diagonal - matrix_vector_product(twice, weights)
    climb(twice, gradient, np.zeros(n), np.ones(n), weights, tolerance * spread, 10_000_000)
    norm = 0.5 * float((weights * matrix_vector_product(twice, weights)).sum())
    return weights, float((diagonal * weights).sum()) - norm
