"""Support vector machine: the dual on a Gram matrix, by sequential minimal optimization."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hetsel.compiled import compiled

COARSE = 0.1  # violation down to which all rows take part; 0.03 to 1 take about as long


@dataclass(frozen=True)
class SVMSolution:
    """Solution of one two-class problem.

    Parameters
    ----------
    beta : ndarray of shape (n,)
        beta_i = alpha_i y_i; its sum is 0.
    bias : float
        b of the decision function f = K beta + b.
    objective : float
        Value of the dual, sum alpha - beta' K beta / 2.
    gap : float
        Duality gap relative to the value of the primal.
    iterations : int
        Pairs of variables that were updated.
    """

    beta: np.ndarray
    bias: float
    objective: float
    gap: float
    iterations: int


@compiled
def first_largest(a):
    """Index of the first of the largest entries; -1 if there is none above -inf.

    Blocks of 16 with four running maxima: a single running maximum waits for itself.
    """
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


@compiled
def smallest(a):
    """The smallest entry."""
    best = np.inf
    for k in range(len(a)):
        best = min(best, a[k])
    return best


@compiled
def set_gains(gains, up, down, row, own, diagonal):
    """gains_j: twice the increase of the objective by moving j against the chosen variable."""
    for j in range(len(gains)):
        slope = max(up - down[j], 0.0)
        gains[j] = slope * slope / max(own + diagonal[j] - 2.0 * row[j], 1e-12)


@compiled
def move(gradient, rising, falling, row, other, step):
    """Gradient after beta moved by step along (row, -other), with its two masked copies."""
    for i in range(len(gradient)):
        change = step * (row[i] - other[i])
        gradient[i] -= change
        rising[i] -= change
        falling[i] -= change


@compiled
def climb(gram, gradient, low, high, beta, tolerance, limit):
    """Sequential minimal optimization with second-order working-set selection; beta in place.

    maximize linear' beta - beta' K beta / 2 over low <= beta <= high, with the sum of beta as it
    is, given the gradient linear - K beta, which follows beta (Fan, Chen and Lin 2005, working-set
    selection 2). Stops when the largest violation of the optimality conditions is at most
    `tolerance`. beta must be within the bounds.

    Returns the number of iterations.
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


@compiled
def minimize(gram, y, bounds, beta, tolerance, limit):
    """Sequential minimal optimization of a support vector machine; beta in place.

    maximize sum_i y_i beta_i - beta' K beta / 2 subject to sum beta = 0 and beta_i between 0 and
    y_i C_i. Stops when the largest violation of the optimality conditions is at most `tolerance`.
    beta must be feasible.

    After a coarse solution only the rows that are free or near to moving go on, each time to a
    tenth of the violation that all rows had.

    Returns the gradient y - K beta, the bias and the number of iterations.
    """
    n = len(y)
    low, high, gradient = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        low[i] = min(0.0, y[i] * bounds[i])
        high[i] = max(0.0, y[i] * bounds[i])
        gradient[i] = y[i]
    for j in range(n):
        if beta[j] != 0.0:
            fall(gradient, gram[j], beta[j])
    bias, iterations = descend(gram, gradient, low, high, beta, COARSE, tolerance, limit)
    return gradient, bias, iterations


@compiled
def descend(gram, gradient, low, high, beta, coarse, tolerance, limit):
    """:func:`climb` over all rows to a coarse violation, then over those that may still move.

    beta and the gradient follow; returns the bias and the number of iterations.
    """
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


@compiled
def find_movable(gradient, bias, near, low, high, beta, rows):
    """The rows that are free or near to moving, as the first of `rows`; returns how many.

    Near to moving is what violates the optimality conditions, or would if the bias were off by
    `near`.
    """
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


@compiled
def climb_some(gram, gradient, low, high, beta, rows, tolerance, limit):
    """:func:`climb` over some of the rows; beta and the gradient of all rows follow."""
    m = len(rows)
    part = np.empty((m, m))
    for k in range(m):
        row = gram[rows[k]]
        for other in range(m):
            part[k, other] = row[rows[other]]
    begin, goal = beta[rows], beta[rows]
    made = climb(part, gradient[rows], low[rows], high[rows], goal, tolerance, limit)
    for k in range(m):
        if goal[k] != begin[k]:
            fall(gradient, gram[rows[k]], goal[k] - begin[k])
            beta[rows[k]] = goal[k]
    return made


@compiled
def fall(gradient, row, step):
    """Gradient (n,) after one beta rose by step."""
    for i in range(len(gradient)):
        gradient[i] -= step * row[i]


@compiled
def bias_and_violation(gradient, beta, low, high):
    """Bias and largest violation of the optimality conditions.

    The bias is the mean of y - K beta over the free vectors, else the middle of its legal interval.
    """
    total = 0.0
    free = 0
    largest = -np.inf
    smallest = np.inf
    for i in range(len(beta)):
        if low[i] < beta[i] < high[i]:
            total += gradient[i]
            free += 1
        if beta[i] < high[i]:
            largest = max(largest, gradient[i])
        if beta[i] > low[i]:
            smallest = min(smallest, gradient[i])
    if free > 0:
        bias = total / free
    elif np.isinf(largest) or np.isinf(smallest):
        bias = largest if np.isinf(smallest) else smallest
    else:
        bias = 0.5 * (largest + smallest)
    return bias, largest - smallest


@compiled
def objectives(gradient, y, bounds, beta, bias):
    """Dual value, squared norm beta' K beta, sum of C_i times the hinge losses."""
    dual = 0.0
    norm = 0.0
    loss = 0.0
    for i in range(len(y)):
        norm += beta[i] * (y[i] - gradient[i])
        dual += y[i] * beta[i]
        # 1 - y f = y (y - K beta - b) = y (gradient - b)
        loss += bounds[i] * max(0.0, y[i] * (gradient[i] - bias))
    return dual - 0.5 * norm, norm, loss


def solve_svm(
    gram: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray = 1.0,
    *,
    start: np.ndarray | None = None,
    tolerance: float = 1e-3,
    limit: int = 10_000_000,
) -> SVMSolution:
    """Solve the dual of the two-class support vector machine with a bias.

    maximize sum alpha - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
    subject to sum alpha_i y_i = 0 and 0 <= alpha_i <= C_i.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
        Symmetric positive semi-definite.
    y : ndarray of shape (n,)
        Labels -1 and +1, both present.
    C : float or ndarray of shape (n,)
        Bound on each alpha.
    start : ndarray of shape (n,), optional
        beta of a similar problem with the same y and C, to start from.
    tolerance : float
        Largest violation of the optimality conditions, as scikit-learn's `tol`.
    limit : int
        Most pairs of variables to update.

    Raises
    ------
    ValueError
        Labels other than -1 and +1, one class only, shapes that do not fit, C not positive.

    References
    ----------
    Fan, Chen and Lin 2005, Working set selection using second order information.

    Examples
    --------
    >>> solution = solve_svm(np.eye(2), np.array([-1.0, 1.0]), C=10.0)
    >>> solution.beta
    array([-1.,  1.])
    """
    gram = np.ascontiguousarray(gram, dtype=np.float64)
    labels = np.ascontiguousarray(y, dtype=np.float64)
    if gram.shape != (len(labels), len(labels)):
        raise ValueError(
            f"gram must have shape ({len(labels)}, {len(labels)}), as y has {len(labels)} rows. "
            f"Got {gram.shape}"
        )
    bounds = check_bounds(C, len(labels))
    if not np.array_equal(np.unique(labels), [-1.0, 1.0]):
        raise ValueError(f"y must hold -1 and +1, both. Got {np.unique(labels).tolist()}")
    beta = np.zeros(len(labels)) if start is None else feasible(start, labels, bounds)
    gradient, bias, iterations = minimize(gram, labels, bounds, beta, tolerance, limit)
    dual, norm, loss = objectives(gradient, labels, bounds, beta, bias)
    primal = 0.5 * norm + loss
    gap = max(primal - dual, 0.0) / max(abs(primal), 1e-300)
    return SVMSolution(beta, float(bias), float(dual), float(gap), int(iterations))


def check_bounds(C: float | np.ndarray, shape: int | tuple[int, ...]) -> np.ndarray:
    """Bounds on alpha, (n,) or (problems, n), from one number, one a row or all of them."""
    bounds = np.array(np.broadcast_to(np.asarray(C, dtype=np.float64), shape))
    if not (bounds.min() > 0 and bounds.max() < np.inf):
        raise ValueError(f"C must be positive and finite. Got {C!r}")
    return bounds


@compiled
def feasible(start, y, bounds):
    """The start moved into the box, and shrunk on one side until its sum is 0.

    A sum of 0 but for rounding stays: shrinking would move what is at a bound off it.
    """
    n = len(y)
    beta = np.empty(n)
    positive, negative = 0.0, 0.0
    for i in range(n):
        beta[i] = min(max(start[i], min(0.0, y[i] * bounds[i])), max(0.0, y[i] * bounds[i]))
        positive += max(beta[i], 0.0)
        negative -= min(beta[i], 0.0)
    if abs(positive - negative) <= 1e-12 * max(positive, negative):
        return beta
    for i in range(n):
        if beta[i] > 0.0 and positive > negative:
            beta[i] *= negative / positive
        elif beta[i] < 0.0 and negative > positive:
            beta[i] *= positive / negative
    return beta
