"""The tube of epsilon-insensitive regression: a quadratic program in a box with a kink at 0.

    maximize y' beta - epsilon sum |beta_i| - beta' K beta / 2
    over -C_i <= beta_i <= C_i, the sum of beta 0,

which is the dual of: minimize ||w||^2 / 2 + sum C_i max(0, |y_i - f(x_i)| - epsilon). While each
beta stays on its side of 0, it is the program of a classifier with y_i - epsilon and [0, C_i], or
y_i + epsilon and [-C_i, 0]. A beta at 0 takes the side to which it would move. With both sides of
every row as variables there is no kink, so the bounds of :mod:`hetsel.solvers.svm.certificate` hold
for doubled rows (Smola and Schoelkopf 2004, Statistics and Computing 14).
"""

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.kernels.precise_products import two_sum
from hetsel.solvers.svm.active_set import PRECISE, ROUNDING, set_gradient, solve_box
from hetsel.solvers.svm.certificate import away_from_bias, box_gap, gradient_error, gradient_of
from hetsel.solvers.svm.sequential_minimal import shared_bias

MOST_TURNS = 100  # of rows that go over to the other side


@compiled_part
def tube_bias(gradient, beta, bounds, tube):
    """The bias and the largest violation of the optimality conditions, gradient = y - K beta."""
    total, free = 0.0, 0
    largest, smallest = -np.inf, np.inf
    for i in range(len(beta)):
        up = gradient[i] - tube if beta[i] >= 0.0 else gradient[i] + tube
        down = gradient[i] - tube if beta[i] > 0.0 else gradient[i] + tube
        if beta[i] < bounds[i]:
            largest = max(largest, up)
        if beta[i] > -bounds[i]:
            smallest = min(smallest, down)
        if beta[i] != 0.0 and -bounds[i] < beta[i] < bounds[i]:
            total += up
            free += 1
    return shared_bias(total, free, largest, smallest), largest - smallest


@compiled_part
def take_sides(target, gradient, bias, beta, bounds, tube, linear, low, high):
    """The program of the sides that the rows are on, in place: linear, low and high (n,)."""
    for i in range(len(beta)):
        above = beta[i] > 0.0 or (beta[i] == 0.0 and gradient[i] >= bias)
        linear[i] = target[i] - tube if above else target[i] + tube
        low[i] = 0.0 if above else -bounds[i]
        high[i] = bounds[i] if above else 0.0


@compiled
def solve_tube(gram, target, bounds, tube, beta, scale, near, turns, linear, low, high):
    """The optimum from any beta within the bounds, in place, as :func:`solve_box` has it.

    The sides' program is left in `linear`, `low`, `high`. Returns y - K beta (n,) and the bias.
    """
    n = len(beta)
    gradient = np.empty(n)
    set_gradient(gram, target, beta, gradient)
    bias, violation = tube_bias(gradient, beta, bounds, tube)
    largest = 0.0
    for i in range(n):
        largest = max(largest, gram[i, i])
    take_sides(target, gradient, bias, beta, bounds, tube, linear, low, high)
    for _ in range(turns):
        sided, _, left = solve_box(gram, linear, low, high, beta, scale, near)
        length = 0.0
        for i in range(n):
            gradient[i] = sided[i] + (target[i] - linear[i])
            length += abs(beta[i])
        bias, violation = tube_bias(gradient, beta, bounds, tube)
        if violation <= 2.0 * max(left, PRECISE * scale, ROUNDING * largest * length):
            break
        take_sides(target, gradient, bias, beta, bounds, tube, linear, low, high)
    return gradient, bias


@compiled_part
def survey_tube(tube, state, rows, gradient):
    """`mkl_newton.survey` of numbers: of the rows' sides, whose `low` and `high` are written."""
    target, slope, bounds, beta, low, high = state
    gradient[:] = target - slope
    bias, _ = tube_bias(gradient, beta, bounds, tube)
    linear, loss, violation, count = 0.0, 0.0, 0.0, 0
    for i in range(len(target)):
        away = gradient[i] - bias
        loss += bounds[i] * max(0.0, abs(away) - tube)
        linear += target[i] * beta[i] - tube * abs(beta[i])
        above = beta[i] > 0.0 or (beta[i] == 0.0 and away >= 0.0)
        low[i] = 0.0 if above else -bounds[i]
        high[i] = bounds[i] if above else 0.0
        away = away - tube if above else away + tube
        gradient[i] = away
        if (away >= 0.0 and beta[i] < high[i]) or (away <= 0.0 and beta[i] > low[i]):
            rows[count] = i
            count += 1
            violation = max(violation, abs(away))
    return bias, loss, linear, violation, count


@compiled_part
def tube_gap(gram, target, bounds, tube, beta, rest, rounding):
    """Upper bound on the duality gap of beta + rest, the value of the dual and the bias."""
    n = len(beta)
    error = gradient_error(gram, target, beta, rounding) + tube * 2.0**-100
    high_part, low_part = gradient_of(gram, target, beta, rest)
    both = np.empty((2, 2 * n))
    sides = np.empty((4, 2 * n))
    write_twice(high_part, low_part, bounds, tube, beta, rest, both, sides)
    away, bias = away_from_bias(both[0], both[1], sides[0], sides[1], sides[2], sides[3])
    length = 2.0 * bounds.sum()
    gap = box_gap(both[0], away, sides[0], sides[1], sides[2], sides[3], error, length)
    return gap, 0.5 * tube_value(target, tube, beta, away, rest), bias


@compiled_part
def tube_value(target, tube, beta, away, rest):
    """Twice the value of the dual: sum beta (linear + away), where the sum of beta is 0."""
    n, total = len(beta), 0.0
    for i in range(n):
        above = beta[i] > 0.0 or (beta[i] == 0.0 and rest[i] >= 0.0)
        linear = target[i] - tube if above else target[i] + tube
        total += beta[i] * (linear + (away[i] if above else away[n + i]))
    return total


@compiled
def write_twice(high_part, low_part, bounds, tube, beta, rest, both, sides):
    """Gradient (2, 2n), and low, high, beta and rest (4, 2n): sides above, then those below."""
    n = len(beta)
    for i in range(n):
        above = beta[i] > 0.0 or (beta[i] == 0.0 and rest[i] >= 0.0)
        for side in range(2):
            k = side * n + i
            total, missed = two_sum(high_part[i], -tube if side == 0 else tube)
            both[0, k], both[1, k] = two_sum(total, missed + low_part[i])
            sides[0, k] = 0.0 if side == 0 else -bounds[i]
            sides[1, k] = bounds[i] if side == 0 else 0.0
            own = above == (side == 0)
            sides[2, k] = beta[i] if own else 0.0
            sides[3, k] = rest[i] if own else 0.0
