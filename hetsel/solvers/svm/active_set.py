"""Exact solution of concave quadratic programs in a box with a fixed sum, by a primal active set.

    maximize linear' beta - beta' K beta / 2   over low <= beta <= high, the sum of beta as it is.

An iterative method finds approximately which variables are free. Then each step solves for these
exactly, with a Cholesky factor of K + c 11' that is updated when rows become free or reach a bound.
A row that depends linearly on the free rows has a direction with zero curvature; the solution moves
along it to a bound (Scheinberg 2006, JMLR 7).
"""

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.solvers.svm.sequential_minimal import COARSE, descend, fall

HANDOVER = 1e-3  # violation at which the free rows are about known
PRECISE = 1e-12  # violation of a solution to the end, of labels -1 and 1
ROUNDING = 2.0**-50  # of a gradient, relative to the largest entry of K and to sum |beta|
MOST_PAIRS = 10_000_000  # that the first part of a solution may update
DEPENDENT = 1e-13  # of the diagonal: a pivot that is smaller is rounding


@compiled_part
def dot(a, b, count):
    """Sum of the products of the first entries, in a fixed order of eight running sums."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    s4, s5, s6, s7 = 0.0, 0.0, 0.0, 0.0
    whole = count - count % 8
    for k in range(0, whole, 8):
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
        s4 += a[k + 4] * b[k + 4]
        s5 += a[k + 5] * b[k + 5]
        s6 += a[k + 6] * b[k + 6]
        s7 += a[k + 7] * b[k + 7]
    total = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
    for k in range(whole, count):
        total += a[k] * b[k]
    return total


@compiled_part
def substitute_forward(factor, count, vector):
    """Solve U' z = vector in place; U (count, count) is upper triangular."""
    for j in range(count):
        vector[j] /= factor[j, j]
        fall(vector[j + 1 : count], factor[j, j + 1 : count], vector[j])


@compiled_part
def substitute_backward(factor, count, vector):
    """Solve U x = vector in place."""
    for back in range(count):
        j = count - 1 - back
        rest = dot(factor[j, j + 1 : count], vector[j + 1 : count], back)
        vector[j] = (vector[j] - rest) / factor[j, j]


@compiled_part
def append(factor, count, free, gram, shift, row, column):
    """Add a row to the factor; False, with U'^-1 h in `column`, if it depends on the free ones."""
    for k in range(count):
        column[k] = gram[row, free[k]] + shift
    substitute_forward(factor, count, column)
    own = gram[row, row] + shift
    pivot = own - dot(column, column, count)
    if pivot <= DEPENDENT * own:
        return False
    for k in range(count):
        factor[k, count] = column[k]
    factor[count, count] = np.sqrt(pivot)
    free[count] = row
    return True


@compiled_part
def remove_row(factor, count, free, place):
    """Take the row at a place out of the factor, by Givens rotations."""
    for i in range(count):
        for k in range(max(place, i - 1), count - 1):
            factor[i, k] = factor[i, k + 1]
    for k in range(place, count - 1):
        free[k] = free[k + 1]
        a, b = factor[k, k], factor[k + 1, k]
        length = np.hypot(a, b)
        cosine, sine = a / length, b / length
        factor[k, k] = length
        upper, lower = factor[k], factor[k + 1]
        for c in range(k + 1, count - 1):
            u, v = upper[c], lower[c]
            upper[c] = cosine * u + sine * v
            lower[c] = cosine * v - sine * u


@compiled_part
def longest_step(beta, low, high, free, count, direction):
    """Largest step that stays in the box, and the place of the row that ends it (-1: none)."""
    step, place = np.inf, -1
    for k in range(count):
        i, d = free[k], direction[k]
        if d > 0.0:
            room = (high[i] - beta[i]) / d
        elif d < 0.0:
            room = (low[i] - beta[i]) / d
        else:
            continue
        if room < step:
            step, place = room, k
    return step, place


@compiled_part
def move_free(beta, low, high, free, count, direction, step, place):
    """beta of the free rows after a step; the row that ended it gets its bound itself."""
    for k in range(count):
        i = free[k]
        beta[i] = min(max(beta[i] + step * direction[k], low[i]), high[i])
    if place >= 0:
        beta[free[place]] = high[free[place]] if direction[place] > 0.0 else low[free[place]]


@compiled_part
def set_gradient(gram, linear, beta, gradient):
    """gradient = linear - K beta, summed in the order of the rows."""
    gradient[:] = linear
    for j in range(len(beta)):
        if beta[j] != 0.0:
            fall(gradient, gram[j], beta[j])


@compiled_part
def take_in(factor, count, free, gram, gradient, low, high, beta, shift, row, room):
    """Make a row free that violates the optimality conditions; returns how many rows are.

    If it depends on the free ones, beta goes uphill where the gradient stays, to the first bound.
    """
    while not append(factor, count, free, gram, shift, row, room):
        substitute_backward(factor, count, room)
        slope = gradient[row]
        for k in range(count):
            room[k] = -room[k]
            slope += gradient[free[k]] * room[k]
        room[count] = 1.0
        free[count] = row
        if slope < 0.0:
            for k in range(count + 1):
                room[k] = -room[k]
        step, place = longest_step(beta, low, high, free, count + 1, room)
        move_free(beta, low, high, free, count + 1, room, step, place)
        if place == count:
            return count
        remove_row(factor, count, free, place)
        count -= 1
    return count + 1


@compiled_part
def update_gradient(gram, gradient, settled, beta):
    """The gradient after beta moved from where it was settled."""
    n = len(beta)
    for i in range(n):
        if beta[i] != settled[i]:
            fall(gradient, gram[i], beta[i] - settled[i])
            settled[i] = beta[i]


@compiled_part
def climb_free(factor, count, free, gradient, low, high, beta, local, ones):
    """To the optimum over the free rows, fewer at the end: how many, and their bias."""
    bias = 0.0
    local[:count] = gradient[free[:count]]
    while count > 0:
        ones[:count] = 1.0
        substitute_forward(factor, count, ones)
        substitute_backward(factor, count, ones)
        direction = local[:count].copy()
        substitute_forward(factor, count, direction)
        substitute_backward(factor, count, direction)
        total, unit = 0.0, 0.0
        for k in range(count):
            total += direction[k]
            unit += ones[k]
        bias = total / unit
        direction -= bias * ones[:count]
        step, place = longest_step(beta, low, high, free, count, direction)
        if step >= 1.0:
            move_free(beta, low, high, free, count, direction, 1.0, -1)
            break
        move_free(beta, low, high, free, count, direction, step, place)
        for k in range(count):
            local[k] -= step * (local[k] - bias)
        for k in range(place, count - 1):
            local[k] = local[k + 1]
        remove_row(factor, count, free, place)
        count -= 1
    return count, bias


@compiled_part
def worst_row(gradient, bias, low, high, beta):
    """The row that violates the optimality conditions most, and by how much."""
    worst, violation = -1, 0.0
    for i in range(len(beta)):
        away = gradient[i] - bias
        if (away > violation and beta[i] < high[i]) or (-away > violation and beta[i] > low[i]):
            worst, violation = i, abs(away)
    return worst, violation


@compiled_part
def outer_rows(gradient, low, high, beta):
    """The row of the largest gradient that may rise, that of the smallest that may fall."""
    up, down = -1, -1
    for i in range(len(beta)):
        if beta[i] < high[i] and (up < 0 or gradient[i] > gradient[up]):
            up = i
        if beta[i] > low[i] and (down < 0 or gradient[i] < gradient[down]):
            down = i
    return up, down


@compiled_part
def finish(gram, linear, low, high, beta, tolerance, limit):
    """The optimum from a beta (n,) that is near to it, in place, to the largest violation
    `tolerance`.

    Returns linear - K beta (n,), the bias, the violation left, how many rows became free.
    """
    n = len(beta)
    shift = 0.0
    for i in range(n):
        shift = max(shift, gram[i, i])
    capacity = 16
    for i in range(n):
        capacity += 1 if low[i] < beta[i] < high[i] else 0
    capacity = min(capacity, n)
    factor = np.empty((capacity, capacity))
    free, room, ones = np.empty(n, dtype=np.int64), np.empty(n), np.empty(n)
    gradient, settled = np.empty(n), beta.copy()
    set_gradient(gram, linear, beta, gradient)
    count = 0
    for i in range(n):
        if low[i] < beta[i] < high[i]:
            # what depends on others follows them, and moves if it comes to violate the conditions
            count += append(factor, count, free, gram, shift, i, room)
    made, fresh = 0, False
    while True:
        count, _ = climb_free(factor, count, free, gradient, low, high, beta, room, ones)
        update_gradient(gram, gradient, settled, beta)
        bias = 0.0
        for k in range(count):
            bias += gradient[free[k]] / count
        up, down = outer_rows(gradient, low, high, beta)
        if count == 0:
            if up < 0 or down < 0:
                return gradient, gradient[max(up, down)], 0.0, made
            bias = 0.5 * (gradient[up] + gradient[down])
        worst, violation = worst_row(gradient, bias, low, high, beta)
        if violation <= tolerance or made >= limit:
            if fresh or made >= limit:
                return gradient, bias, violation, made
            # once more from a gradient without the rounding of the way
            set_gradient(gram, linear, beta, gradient)
            fresh = True
            continue
        fresh = False
        made += 1
        if count + 2 > capacity:
            capacity = min(2 * capacity + 2, n)
            larger = np.empty((capacity, capacity))
            larger[:count, :count] = factor[:count, :count]
            factor = larger
        if count == 0:
            worst = down
            count = take_in(factor, count, free, gram, gradient, low, high, beta, shift, up, room)
        count = take_in(factor, count, free, gram, gradient, low, high, beta, shift, worst, room)
        update_gradient(gram, gradient, settled, beta)


@compiled
def solve_box(gram, linear, low, high, beta, scale, near):
    """The optimum from any beta within the bounds, in place: sequential, from `near` on to the end.

    Returns linear - K beta (n,), the bias and the violation left; `scale` is the size of linear.
    """
    gradient = np.empty(len(beta))
    most = 100 + 10 * len(beta)
    largest = 0.0
    for i in range(len(beta)):
        largest = max(largest, gram[i, i])
    while True:
        set_gradient(gram, linear, beta, gradient)
        descend(gram, gradient, low, high, beta, COARSE * scale, near * scale, MOST_PAIRS)
        precision = max(PRECISE * scale, ROUNDING * largest * np.abs(beta).sum())
        found = finish(gram, linear, low, high, beta, precision, most)
        near *= 1e-3
        # where the free rows were not found on the way, from nearer again
        if found[2] <= precision or near < PRECISE:
            return found[0], found[1], found[2]
