"""Support vector machines on a weighted sum of kernels of columns, without their matrix.

    maximize linear' beta - beta' K beta / 2   over low <= beta <= high, the sum of beta as it is,
    K = sum_f w_f K_f.

A product K beta takes O(n p) with running sums over the sorted values, and few rows are free at the
solution. So blocks of rows take turns (Osuna, Freund and Girosi 1997, IEEE Workshop on Neural
Networks for Signal Processing). A block has the free rows and rows that violate the optimality
conditions, and :mod:`hetsel.solvers.svm.active_set` solves the program on its small matrix to the
end.

A machine may start from the decision function of a similar one. Rows far from the margin start at
their bound, and the first block has the rows near the margin. If more rows violate the conditions
than a block holds, it takes a spread of them, since the worst rows are alike. A machine without a
start first learns from a part of the rows.

For numbers, `tube` times the sum of |beta| is subtracted; see :mod:`hetsel.solvers.svm.tube`. A row
stays on one side of 0 while a block is solved and may change sides between turns.
"""

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.kernels.energies_and_grams import add_block, mirror, products
from hetsel.solvers.svm.active_set import PRECISE, ROUNDING, finish
from hetsel.solvers.svm.sequential_minimal import bias_and_violation, climb
from hetsel.solvers.svm.tube import take_sides, tube_bias

SOME = 1_500  # rows from which on blocks are quicker than a matrix
FEWER = 700  # the same of numbers, whose tube has two edges, and of the first machine of a ranking
SOLVED = 1e-9  # violation, relative to a margin, of a machine that was not given up
FIRST = 400  # rows of the first part
GROWTH = 4  # times as many in the next one
FEWEST = 20  # rows of either side in a part
BLOCK = 300  # rows of a block, at least
SHARE = 6  # of the rows, in a block at the start
FREE_ROWS = 300  # free rows from which on blocks are no help, if they are a SHARE of all
MOST_TURNS = 60
EARLY = 5  # turn at which blocks without a start are given up if too many rows are still wrong
ASTRAY = 0.25  # share of the rows that is too many
MOST_PAIRS = 10_000_000  # that one block may move before its active set
NEARER = 1e-3  # of the violation of a block, at which its active set takes over
ROUGH = 1e-2  # violation at which a part of the rows has said what it can
STRIDE, SHIFT, PLACES = 2654435761, 40503, 65536  # scatter rows, another way each turn


def ends_of(
    y: np.ndarray, bounds: np.ndarray | float, tube: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper ends (n,) of beta: on the side of y, of numbers on both."""
    ends = bounds if tube else y * bounds
    return np.minimum(-ends if tube else 0.0, ends), np.maximum(0.0, ends)


@compiled_part
def set_slope(family, weights, beta, slope, image):
    """slope (n,) = sum_f w_f K_f beta; image (1, n) is room."""
    n = len(beta)
    norm = np.empty(1)
    slope[:] = 0.0
    for k in range(len(family.features)):
        products(family.cells, family.features[k : k + 1], beta, image, norm)
        weight, own = weights[k] * family.factors[k], image[0]
        for i in range(n):
            slope[i] += weight * own[i]


@compiled_part
def set_distances(gradient, bias, low, high, beta, count, distance):
    """How far each of the first `count` rows is from moving, below 0 if it may move at once; the
    largest violation, how many rows violate and are at a bound, and how many are free.
    """
    violation, violating, free = 0.0, 0, 0
    for i in range(count):
        away = gradient[i] - bias
        distance[i] = abs(away)
        wrong = (away > 0.0 and beta[i] < high[i]) or (away < 0.0 and beta[i] > low[i])
        if wrong:
            violation = max(violation, abs(away))
        if low[i] < beta[i] < high[i]:
            distance[i] = -np.inf
            free += 1
        elif wrong:
            distance[i] = -abs(away)
            violating += 1
    return violation, violating, free


@compiled_part
def scatter_rows(distance, count, turn):
    """Rows that violate the optimality conditions in an order that has nothing to do with them."""
    for i in range(count):
        if -np.inf < distance[i] < 0.0:
            distance[i] = -1.0 - (i * STRIDE + turn * SHIFT) % PLACES


@compiled_part
def find_block(distance, rows, count, most):
    """The `most` rows of the smallest distance among the first `count`, ascending; how many."""
    least, equal = np.inf, count
    if count > most:
        least = np.partition(distance[:count], most - 1)[most - 1]
        equal = most
        for i in range(count):
            equal -= 1 if distance[i] < least else 0
    found = 0
    for i in range(count):
        if distance[i] < least or (distance[i] == least and equal > 0):
            equal -= 1 if distance[i] == least else 0
            rows[found] = i
            found += 1
    return found


@compiled_part
def solve_block(family, weights, gradient, low, high, beta, rows, precision):
    """The optimum over these rows (m,), all others as they are; beta in place."""
    m = len(rows)
    gram = np.zeros((m, m))
    add_block(family, weights, rows, gram)
    mirror(gram)
    slope, floor, ceiling, own = gradient[rows], low[rows], high[rows], beta[rows]
    linear = slope.copy()
    for k in range(m):
        for j in range(m):
            linear[k] += gram[k, j] * own[j]
    _, violation = bias_and_violation(slope, own, floor, ceiling)
    climb(gram, slope, floor, ceiling, own, max(precision, NEARER * violation), MOST_PAIRS)
    finish(gram, linear, floor, ceiling, own, precision, 100 + 10 * m)
    beta[rows] = own


@compiled_part
def place_rows(away, low, high, beta, known, count):
    """Start for the first `count` rows, by the gradient less the bias of a similar machine.

    Rows go to a bound; free ones of the `known` rows of that machine keep their share of it.
    """
    total, ratio = 0.0, known / count
    for i in range(count):
        if i < known and low[i] < beta[i] * ratio < high[i]:
            beta[i] *= ratio
        else:
            beta[i] = high[i] if away[i] > 0.0 else low[i]
        total += beta[i]
    order = np.argsort(np.abs(away[:count]))
    for k in range(count):
        i = order[k]
        if total > 0.0:
            step = min(total, beta[i] - low[i])
            # all of it: what is at a bound is there without rounding
            beta[i] = low[i] if step == beta[i] - low[i] else beta[i] - step
            total -= step
        elif total < 0.0:
            step = min(-total, high[i] - beta[i])
            beta[i] = high[i] if step == high[i] - beta[i] else beta[i] + step
            total += step


@compiled_part
def first_part(low, high):
    """How many rows the first part has: all, if a side has few."""
    n, above, below = len(low), 0, 0
    for i in range(n):
        above += 1 if high[i] > 0.0 else 0
        below += 1 if low[i] < 0.0 else 0
        if i + 1 >= FIRST and min(above, below) >= FEWEST:
            part = n
            while part > GROWTH * (i + 1):
                part = -(-part // GROWTH)
            return part
    return n


@compiled_part
def ascend_blocks(
    family, weights, program, beta, count, gradient, precision, rooms, target, box, tube, early
):
    """Turns of blocks of the first `count` rows until the violation is at most `precision`.

    With a tube the program (linear, low and high) is that of the sides that rows are on. Writes the
    gradient of all rows (n,); returns the bias and the violation that is left.
    """
    linear, low, high = program
    distance, slope, image = rooms[0], rooms[1], rooms[2:]
    rows = np.empty(count, dtype=np.int64)
    whole, turn, share, bias = (weights * family.factors).sum(), 0, count // SHARE, 0.0
    block = min(count, max(BLOCK, share))
    while True:
        set_slope(family, weights, beta, slope, image)
        if tube > 0.0:
            gradient[:] = target - slope
            bias, _ = tube_bias(gradient[:count], beta[:count], box[:count], tube)
            take_sides(target, gradient, bias, beta, box, tube, linear, low, high)
        gradient[:] = linear - slope
        enough = max(precision, ROUNDING * whole * np.abs(beta).sum())
        if turn > 0:
            if tube == 0.0:
                given = (gradient[:count], beta[:count], low[:count], high[:count])
                bias, _ = bias_and_violation(*given)
            told = set_distances(gradient, bias, low, high, beta, count, distance)
            violation, wrong, free = told
            astray = turn == early and wrong > ASTRAY * count
            if violation <= enough or turn > MOST_TURNS or free > max(FREE_ROWS, share) or astray:
                return bias, violation
            most = max(free + BLOCK, share)
            block = min(count, most, max(free + wrong + wrong // 2, min(BLOCK, share)))
            if free + wrong > block:
                scatter_rows(distance, count, turn)
        turn += 1
        found = find_block(distance, rows, count, block)
        solve_block(family, weights, gradient, low, high, beta, rows[:found], enough)


@compiled
def solve_kernel_box(family, weights, linear, low, high, beta, scale, away, started, tube):
    """The optimum, beta in place, as `solve_box` has it with kernels and their weights (p,) as K.

    If `started`, beta and `away` (n,), the gradient less the bias, are those of a similar machine.
    Returns the bias and the violation that is left: more than rounding where blocks are no help.
    """
    n = len(beta)
    rooms = np.empty((3, n))
    known, count = n, n if started else first_part(low, high)
    own, floor, ceiling, box = linear.copy(), np.empty(n), np.empty(n), np.empty(n)
    rooms[0] = 1.0
    while True:
        ratio = n / count
        floor[:], ceiling[:], box[:] = ratio * low, ratio * high, ratio * high
        if started or known < count:
            if tube > 0.0:
                take_sides(linear, away, 0.0, beta, box, tube, own, floor, ceiling)
            away += own - linear
            rooms[0] = np.abs(away)
            place_rows(away, floor, ceiling, beta, known, count)
        precision = PRECISE * scale if count == n else ROUGH * scale
        early = EARLY if tube == 0.0 and count == n and not started else 0
        given = (beta, count, away, precision, rooms, linear, box, tube, early)
        bias, violation = ascend_blocks(family, weights, (own, floor, ceiling), *given)
        away -= bias + own - linear
        if count == n:
            return bias, violation
        known = count
        count = min(n, GROWTH * count)
        count = n if 2 * count > n else count
