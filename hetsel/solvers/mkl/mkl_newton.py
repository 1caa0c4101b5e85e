"""Multiple kernel learning by Newton's method on the dual, over the free rows.

Few rows are free at the solution, and the product of a sum of kernels with a vector takes O(n p). A
step uses the free rows and those that violate the optimality conditions, and converges
quadratically. An active set solves its model to the end; several machines take turns.
"""

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part, inlined
from hetsel.kernels.energies_and_grams import add_block, add_outer_products, mirror, set_images
from hetsel.solvers.mkl.kernel_weights import energy_norm, mixed_power
from hetsel.solvers.svm.active_set import finish
from hetsel.solvers.svm.sequential_minimal import bias_and_violation, climb
from hetsel.solvers.svm.tube import survey_tube

ENOUGH = 0.1  # share of the slope that a step must gain (Armijo)
SHORTEST = 2.0**-20
MOST = 1_000_000  # pairs of rows of one machine in one model
MOST_IN_ALL = 100_000_000  # of all machines, in all turns
SETTLED = 1e-13  # violation of the optimality conditions that only rounding is left of
LEAST = 1e-15  # violation that no model goes below, of labels -1 and 1
NEAR = 1e-9  # relative gap from where on each step has to reduce it
COARSER = 1e5  # precision of a model before the active set takes over
MOST_TURNS = 30  # of the machines of one model
LATE = 1e-7  # relative gap from where on the last model serves as long as steps get there fast
FAST = 0.01  # share of the gap that a step may leave for that
DEAR = 30  # rows of a model, squared, for each row: below, a new model costs little
KEPT = 0.1  # share of the gap that a step with a dear model may leave, where a gap is allowed
BLOCK = 64  # features whose parts are summed before they join the others


@compiled
def ascend_by_newton(
    family, labels, bounds, tube, betas, images, energies, others, power, tolerance, limit
):
    """Maximize sum y'beta - epsilon sum |beta| - 1/2 ||(s_f)||_r, r = q/(q - 1), in place.

    From feasible betas (problems, n), their images (problems, p, n) and energies (problems, p);
    epsilon is the `tube` of a regression, 0 of classes, and `power` is r - 1.

    With S = ||(s_f)||_r, mu_f = (s_f / S)^(r-1), v_f = K_f beta and u = sum mu_f v_f the gradient
    is y - u, and minus the second derivative is sum mu_f K_f + 2 (r - 1) / S (sum (s_f / S)^(r-2)
    v_f v_f' - u u'), without sum mu_f K_f between machines. Each step maximizes this over the rows
    that are free or violate the optimality conditions, then goes as far as the dual gains.

    Returns mu and s_f (p,), the biases (problems,), the primal value and the relative gap at each
    step, and the last images and energies, in their room or in `others`.
    """
    problems, n = labels.shape
    low, high = np.minimum(0.0, labels * bounds), np.maximum(0.0, labels * bounds)
    slopes, lack, bias = np.empty((problems, n)), np.empty((problems, n)), np.empty(problems)
    rows, ends = np.empty(problems * n, dtype=np.int64), np.zeros(problems + 1, dtype=np.int64)
    trace = np.empty((limit, 2))
    made = 0
    parts = energies.copy()
    energy = summed(energies)
    size = energy_norm(energy, power + 1.0)
    before, last_energy, last_size, last_bias = betas.copy(), energy, size, bias.copy()
    model, known, known_ends = np.empty((0, 0)), np.empty(0, dtype=np.int64), ends.copy()
    while True:
        weights = mixed_power(energy, size, power)
        violation, loss, linear = 0.0, 0.0, 0.0
        for c in range(problems):
            weighted_sum(weights, images[c], slopes[c])
            state = (labels[c], slopes[c], bounds[c], betas[c], low[c], high[c])
            if tube > 0.0:
                seen = survey_tube(tube, state, rows[ends[c] :], lack[c])
            else:
                seen = survey(state, rows[ends[c] :], lack[c])
            bias[c], loss, linear = seen[0], loss + seen[1], linear + seen[2]
            violation = max(violation, seen[3])
            ends[c + 1] = ends[c] + seen[4]
        primal = 0.5 * size + loss
        gap = max(primal - linear + 0.5 * size, 0.0) / max(abs(primal), 1e-300)
        if made > 0 and trace[made - 1, 1] < NEAR and gap >= trace[made - 1, 1]:
            betas[:] = before  # rounding has the last word
            weights = mixed_power(last_energy, last_size, power)
            return weights, last_energy, last_bias, trace[:made], others, parts
        trace[made, 0], trace[made, 1] = primal, gap
        made += 1
        if gap <= tolerance or violation <= SETTLED or made >= limit:
            return weights, energy, bias, trace[:made], images, energies
        before, last_bias, parts = betas.copy(), bias.copy(), energies.copy()
        last_energy, last_size = energy, size
        dear = tolerance > 0.0 and ends[problems] ** 2 > DEAR * problems * n
        left = 1.0 if made < 2 else gap / trace[made - 2, 1]
        serves = left < KEPT if dear else left < FAST and gap < LATE
        if not (serves and among(known, known_ends, rows, ends)):
            model = dual_curvature(family, images, energy, size, weights, slopes, rows, ends, power)
            known, known_ends = rows[: ends[problems]].copy(), ends.copy()
        rows[: len(known)], ends[:] = known, known_ends
        steps = np.zeros(ends[problems])
        precision = max(1e-6 * violation, LEAST)
        maximize(model, rows, ends, lack, low, high, betas, precision, MOST_IN_ALL, steps)
        promised = 0.0
        for c in range(problems):
            for k in range(ends[c], ends[c + 1]):
                promised += lack[c, rows[k]] * steps[k]
        step = 1.0
        while True:
            for c in range(problems):
                for k in range(ends[c], ends[c + 1]):
                    i = rows[k]
                    goal = before[c, i] + step * steps[k]
                    betas[c, i] = min(max(goal, low[c, i]), high[c, i])
            set_images(family, betas, others, energies)
            energy = summed(energies)
            size = energy_norm(energy, power + 1.0)
            dual = -0.5 * size
            for c in range(problems):
                for i in range(n):
                    dual += labels[c, i] * betas[c, i] - tube * abs(betas[c, i])
            gained = dual - (linear - 0.5 * last_size)
            # what rounding hides counts as gained
            if gained >= ENOUGH * step * promised - 1e-13 * last_size or step < SHORTEST:
                break
            step *= 0.5
        images, others = others, images


@compiled_part
def among(known, known_ends, rows, ends):
    """Whether all of these rows of each machine are among the known ones; both ascend."""
    for c in range(len(ends) - 1):
        at = known_ends[c]
        for k in range(ends[c], ends[c + 1]):
            while at < known_ends[c + 1] and known[at] < rows[k]:
                at += 1
            if at == known_ends[c + 1] or known[at] != rows[k]:
                return False
    return True


@inlined
def dual_curvature(family, images, energy, size, weights, slopes, rows, ends, power):
    """Minus the dual's second derivative (m, m) over rows[ends[c] : ends[c + 1]] of machine c."""
    total = ends[-1]
    slope = np.empty(total)
    for c in range(len(ends) - 1):
        own = slice(ends[c], ends[c + 1])
        slope[own] = slopes[c][rows[own]]
    shares = np.ones(len(energy))
    if power != 1.0:
        shares = np.sqrt(mixed_power(energy, size, power - 1.0))
    model, factor = np.zeros((total, total)), 2.0 * power / size
    add_outer_products(images, rows, ends, shares, model)
    for i in range(total):
        for j in range(i + 1):
            model[i, j] = factor * (model[i, j] - slope[i] * slope[j])
    for c in range(len(ends) - 1):
        own = slice(ends[c], ends[c + 1])
        block = model[own, own].copy()
        add_block(family, weights, rows[own], block)
        model[own, own] = block
    mirror(model)
    return model


@inlined
def maximize(model, rows, ends, pull, low, high, betas, precision, most, steps):
    """Steps (m,) of the rows of each machine to the maximum of a model in the bounds, in place.

    Sums of steps stay. Returns how many pairs of rows were moved, at most `most`.
    """
    problems, pairs = len(ends) - 1, 0
    for _ in range(1 if problems == 1 else MOST_TURNS):
        moved = 0.0
        for c in range(problems):
            begin, end = ends[c], ends[c + 1]
            count, some = end - begin, rows[begin:end]
            slope, here = pull[c][some], betas[c][some]
            floor, ceiling = low[c][some] - here, high[c][some] - here
            for k in range(count):
                for d in range(len(steps)):
                    if d < begin or d >= end:
                        slope[k] -= model[begin + k, d] * steps[d]
            own, before = steps[begin:end], steps[begin:end].copy()
            block, rest = model[begin:end, begin:end].copy(), np.empty(count)
            for k in range(count):
                total = 0.0
                for d in range(count):
                    total += block[k, d] * before[d]
                rest[k] = slope[k] - total
            limit = min(MOST, most - pairs)
            pairs += climb(block, rest, floor, ceiling, own, COARSER * precision, limit)
            finish(block, slope, floor, ceiling, own, precision, 100 + 10 * count)
            for k in range(count):
                total = 0.0
                for d in range(count):
                    total += block[k, d] * (own[d] - before[d])
                moved = max(moved, abs(total))
        if moved <= 1e3 * precision or pairs >= most:
            break
    return pairs


@compiled_part
def survey(state, rows, gradient):
    """Gradient less the bias (n,) in place, and in `rows` those that are free or should move.

    Returns the bias, bounds times hinge losses, y'beta, the largest violation, how many rows.
    """
    y, slope, bounds, beta, low, high = state
    gradient[:] = y - slope
    bias, _ = bias_and_violation(gradient, beta, low, high)
    linear, loss, violation, count = 0.0, 0.0, 0.0, 0
    for i in range(len(y)):
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


@compiled
def summed(energies):
    """s_f (p,) of all machines, of those of each (problems, p)."""
    total = energies[0].copy()
    for c in range(1, len(energies)):
        total += energies[c]
    return total


@compiled
def weighted_sum(weights, images, out):
    """out (n,): sum of weights (p,) times images (p, n), 64 at a time: few roundings in a row."""
    n = len(out)
    part = np.empty(n)
    out[:] = 0.0
    for start in range(0, len(weights), BLOCK):
        part[:] = 0.0
        for f in range(start, min(start + BLOCK, len(weights))):
            weight, image = weights[f], images[f]
            for i in range(n):
                part[i] += weight * image[i]
        out += part
