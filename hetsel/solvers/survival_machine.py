"""Ranking machines for survival times: whose event comes first, from a weighted sum of kernels.

With risks f = sum_f mu_f K_f beta and the comparable pairs P (i has an event before the time of j,
or at the time when j is censored) the loss is the squared hinge of every pair,

    L(f) = (gamma / 2) sum_(i, j) in P  w_i w_j max(0, 1 - (f_i - f_j))^2,

gamma = C sum_i w_i / sum_P w_i w_j, so that C is the cost of a row as it is that of a classifier.
The machine minimizes L(f) + N(beta), N = (1/2p) sum_f s_f for one machine on the mean of the
kernels and (1/2) ||(s_f)||_r, r = q/(q - 1), for lq-norm multiple kernel learning, where
s_f = beta' K_f beta. At the optimum beta = -L'(f): what each pair pulls at i it pulls back at j, so
that sum beta = 0.

Newton's method: with M = L''(f), the Laplacian of the pairs that are too close, and H = N''(beta),

    (I + M H) d = -L'(f) - beta,

by conjugate gradients in the inner product of H, without a matrix of either: H needs the products
K_f d, O(n p) after one sort, M the pairs, O(n^2) and no memory.

**How near.** Let beta' = -L'(f), which is a sum over pairs as every solution of the dual is, f' the
risks that it gives, and e = f' - f. The duality gap of beta' is

    G <= (gamma / 2) sum_P w_i w_j (e_i - e_j)^2,

as each pair adds the gap of a squared hinge between two arguments that differ by e_i - e_j. Then
sum_f ||w_f - w_f*||^2 <= p G for one machine, and the bounds of
:mod:`hetsel.solvers.mkl.mkl_certificate` for kernel weights: they hold for every convex loss.

References: Van Belle, Pelckmans, Van Huffel and Suykens 2011, Artificial Intelligence in Medicine
53 (the loss of pairs); Poelsterl, Navab and Katouzian 2015, ECML PKDD, and 2016, arXiv 1611.07054
(truncated Newton, the squared hinge). The bound on the gap is hetsel's own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.kernels.double_double import UNIT
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.feature_loops import set_images
from hetsel.solvers.mkl.mkl_certificate import norm_radius
from hetsel.solvers.mkl.mkl_newton import energy_norm, mixed_power, weighted_sum

MOST_STEPS = 200  # of Newton's method
MOST_INNER = 500  # of the conjugate gradients of a step
FORCING = 1e-3  # share of the residual that a step leaves; less near the optimum
SHORTEST = 2.0**-30
SETTLED = 1e-15  # of the pull: what rounding alone leaves
NEAR = 1e-9  # of the pull: from where on a step that gains nothing is the last


class Pairs(NamedTuple):
    """Which rows are comparable, and what a pair costs.

    Parameters
    ----------
    order : ndarray of int, shape (n,)
        Rows by time, events before what is censored at the same time.
    after : ndarray of int, shape (n,)
        By place in this order: where those begin that outlived the event of the row there; n where
        it has none.
    weights : ndarray of shape (n,)
        Of the rows.
    gamma : float
    """

    order: np.ndarray
    after: np.ndarray
    weights: np.ndarray
    gamma: float


class RankingMachine(NamedTuple):
    """A solution.

    Parameters
    ----------
    beta : ndarray of shape (1, n)
        Its sum is 0 but for rounding.
    energy : ndarray of shape (p,)
        s_f.
    weights : ndarray of shape (p,)
        mu_f; 1 / p each for one machine.
    objective : float
        Value of the primal.
    gap : float
        Upper bound on the duality gap, relative to the objective.
    radius : ndarray of shape (p,)
        How far the root of s_f can be from that of the optimum.
    """

    beta: np.ndarray
    energy: np.ndarray
    weights: np.ndarray
    objective: float
    gap: float
    radius: np.ndarray

    @property
    def square(self) -> float:
        """Bound on sum_f ||w_f - w_f*||^2 of one machine on the mean of the kernels."""
        return float(self.radius.max()) ** 2


def comparable_pairs(content: np.ndarray, C: float, weights: np.ndarray | None = None) -> Pairs:
    """The pairs of rows of which it is known whose event was first.

    Parameters
    ----------
    content : ndarray of int, shape (n,)
        Of :class:`hetsel.tables.targets.survival.Survival`: 2 (rank of the time) + (censored).
    C : float
    weights : ndarray of shape (n,), optional

    Examples
    --------
    >>> comparable_pairs(np.array([2, 0, 5, 4]), 1.0).after
    array([1, 2, 3, 4])
    """
    own = np.ones(len(content)) if weights is None else np.asarray(weights, dtype=np.float64)
    order = np.argsort(content, kind="stable")
    sorted_content = content[order]
    after = np.searchsorted(sorted_content, sorted_content, side="right")
    after = np.where(sorted_content % 2 == 0, after, len(content)).astype(np.int64)
    # rounded once each: the sums know no order of the rows
    rest = np.append(np.cumsum(own[order][::-1])[::-1], 0.0)
    total = float((own[order] * rest[after]).sum())
    return Pairs(order, after, own, C * float(own.sum()) / total)


def solve_ranking(
    kernels: FeatureKernels, pairs: Pairs, q: float, start: np.ndarray | None = None
) -> RankingMachine:
    """The machine, solved until only rounding is left.

    Parameters
    ----------
    kernels : FeatureKernels
        p kernels of n rows.
    pairs : Pairs
    q : float
        Norm of the kernel weights, above 1; infinity for one machine on the mean of the kernels.
    start : ndarray of shape (1, n), optional
        beta of a similar machine.
    """
    one = bool(np.isinf(q))
    power, share = (0.0 if one else 1.0 / (q - 1.0)), (1.0 / kernels.p if one else 0.0)
    beta = np.zeros(kernels.n) if start is None else start[0].copy()
    if not one and not beta.any():  # kernel weights start even
        beta = climb(kernels.family, *pairs, 0.0, kernels.p ** (-1.0 / q), beta)[0]
    found = climb(kernels.family, *pairs, power, share, beta)
    solution, energy, weights, objective, square, loose = found
    beta, gap = solution[None], 1.0000001 * square
    if one:
        radius = np.full(kernels.p, np.sqrt(kernels.p * gap))
    else:
        radius = norm_radius(energy, weights, gap, q)
    radius = radius + np.sqrt(kernels.largest) * loose
    relative = gap / max(abs(objective), 1e-300)
    return RankingMachine(beta, energy, weights, objective, relative, radius)


def pull_at_rest(pairs: Pairs) -> np.ndarray:
    """-L'(0) (1, n): what the pairs pull where no feature tells anything, Gehan's scores."""
    pull = np.empty((1, len(pairs.order)))
    set_pull(np.zeros(len(pairs.order)), *pairs, pull[0])
    return pull


@compiled
def set_pull(risks, order, after, weights, gamma, pull):
    """:func:`pull_of`."""
    return pull_of(risks, order, after, weights, gamma, pull)


@compiled_part
def pull_of(risks, order, after, weights, gamma, pull):
    """-L'(f) (n,) in place; the loss."""
    n, loss = len(order), 0.0
    for i in range(n):
        pull[i] = 0.0
    for a in range(n):
        if after[a] == n:
            continue
        i = order[a]
        own, edge, total = gamma * weights[i], 1.0 - risks[i], 0.0
        for b in range(after[a], n):
            j = order[b]
            short = max(0.0, edge + risks[j])
            part = own * weights[j] * short
            total += part
            pull[j] -= part
            loss += 0.5 * part * short
        pull[i] += total
    return loss


@compiled_part
def pair_products(risks, order, after, weights, gamma, vector, out):
    """L''(f) times a vector (n,), in place."""
    n = len(order)
    for i in range(n):
        out[i] = 0.0
    for a in range(n):
        if after[a] == n:
            continue
        i = order[a]
        own, edge, at, total = gamma * weights[i], 1.0 - risks[i], vector[i], 0.0
        for b in range(after[a], n):
            j = order[b]
            part = own * weights[j] * (at - vector[j]) if edge + risks[j] > 0.0 else 0.0
            total += part
            out[j] -= part
        out[i] += total


@compiled_part
def pair_square(order, after, weights, gamma, change, more):
    """gamma / 2 times the sum over the pairs of (|e_i - e_j| + more)^2."""
    n, total = len(order), 0.0
    for a in range(n):
        if after[a] == n:
            continue
        i = order[a]
        own, at = 0.5 * gamma * weights[i], change[i]
        for b in range(after[a], n):
            j = order[b]
            away = abs(at - change[j]) + more
            total += own * weights[j] * away * away
    return total


@compiled_part
def risks_of(family, power, share, beta, images, energies, risks):
    """Risks u (n,) in place; the weights mu (p,), S and N(beta)."""
    set_images(family, beta.reshape(1, -1), images, energies)
    energy = energies[0]
    if power == 0.0:
        size = 1.0
        weights = np.full(len(energy), share)
        value = 0.5 * share * energy.sum()
    else:
        size = energy_norm(energy, power + 1.0)
        weights = mixed_power(energy, size, power)
        value = 0.5 * size
    weighted_sum(weights, images[0], risks)
    return weights, size, value


@compiled_part
def curve_products(family, power, weights, shares, images, size, risks, vector, room, few, out):
    """N''(beta) times a vector (n,), in place; `images`, S and `risks` are those of beta."""
    n = len(vector)
    set_images(family, vector.reshape(1, -1), room, few)
    weighted_sum(weights, room[0], out)
    if power == 0.0:
        return
    inner = np.empty(len(weights))
    for f in range(len(weights)):
        image, total = images[0, f], 0.0
        for i in range(n):
            total += image[i] * vector[i]
        inner[f] = shares[f] * total
    bend = np.empty(n)
    weighted_sum(inner, images[0], bend)
    along = 0.0
    for i in range(n):
        along += risks[i] * vector[i]
    factor = 2.0 * power / size
    for i in range(n):
        out[i] += factor * (bend[i] - risks[i] * along)


@compiled_part
def inner_product(a, b):
    """Sum of the products, in the order of the rows."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled
def climb(family, order, after, pair_weights, gamma, power, share, beta):
    """See :func:`solve_ranking`: beta, s_f, mu, the primal, the gap, a bound on rounding."""
    n, p = len(beta), len(family.features)
    images, energies = np.empty((1, p, n)), np.empty((1, p))
    room, few = np.empty((1, p, n)), np.empty((1, p))
    risks, pull, lack = np.empty(n), np.empty(n), np.empty(n)
    goal, step = np.empty(n), np.empty(n)
    weights, size, value = risks_of(family, power, share, beta, images, energies, risks)
    loss = pull_of(risks, order, after, pair_weights, gamma, pull)
    best = np.inf
    for _ in range(MOST_STEPS):
        # the primal at the point that beta stands for is N(beta) + L(u): N is half of a square
        primal = value + loss
        largest, longest = 0.0, 0.0
        for i in range(n):
            lack[i] = pull[i] - beta[i]
            largest, longest = max(largest, abs(lack[i])), max(longest, abs(pull[i]))
        if largest <= SETTLED * longest or (largest >= 0.5 * best and largest < NEAR * longest):
            break
        best = min(best, largest)
        shares = np.ones(p)
        if power != 0.0 and power != 1.0:
            shares = mixed_power(energies[0], size, power - 1.0)
        newton_step(
            family, order, after, pair_weights, gamma, power,
            weights, shares, images, size, risks, lack, room, few, step,
        )  # fmt: skip
        slope = 0.0
        curve_products(family, power, weights, shares, images, size, risks, step, room, few, goal)
        for i in range(n):
            slope -= lack[i] * goal[i]
        length = 1.0
        before, before_primal = beta.copy(), primal
        while True:
            for i in range(n):
                beta[i] = before[i] + length * step[i]
            weights, size, value = risks_of(family, power, share, beta, images, energies, risks)
            loss = pull_of(risks, order, after, pair_weights, gamma, pull)
            gained = before_primal - (value + loss)
            if gained >= -0.1 * length * slope - 1e-12 * abs(before_primal) or length < SHORTEST:
                break
            length *= 0.5
    return finished(family, order, after, pair_weights, gamma, power, share, risks, pull)


@compiled_part
def newton_step(
    family, order, after, pair_weights, gamma, power,
    weights, shares, images, size, risks, lack, room, few, step,
):  # fmt: skip
    """Solve (I + M H) d = lack by conjugate gradients in the inner product of H, in place."""
    n = len(lack)
    rest, curved, way = lack.copy(), np.empty(n), lack.copy()
    curve_products(family, power, weights, shares, images, size, risks, rest, room, few, curved)
    ahead, both, moved = curved.copy(), np.empty(n), np.empty(n)
    for i in range(n):
        step[i] = 0.0
    square = inner_product(rest, curved)
    first = square
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(lack[i]))
    # the square of the share that is left: less of a small residual, so that steps get there fast
    enough = min(FORCING, largest) ** 2 * first
    for _ in range(MOST_INNER):
        if not square > max(enough, 1e-30 * first):
            break
        pair_products(risks, order, after, pair_weights, gamma, ahead, both)
        for i in range(n):
            both[i] += way[i]
        curve_products(family, power, weights, shares, images, size, risks, both, room, few, moved)
        bend = inner_product(way, moved)
        if not bend > 0.0:
            break
        length = square / bend
        for i in range(n):
            step[i] += length * way[i]
            rest[i] -= length * both[i]
            curved[i] -= length * moved[i]
        new = inner_product(rest, curved)
        ratio = new / square
        square = new
        for i in range(n):
            way[i] = rest[i] + ratio * way[i]
            ahead[i] = curved[i] + ratio * ahead[i]


@compiled_part
def finished(family, order, after, pair_weights, gamma, power, share, risks, pull):
    """The solution -L'(u), with what is proved of it."""
    n, p = len(pull), len(family.features)
    images, energies = np.empty((1, p, n)), np.empty((1, p))
    again, other = np.empty(n), np.empty(n)
    # the sum is 0 but for rounding: the energies take it for 0
    weights, _, value = risks_of(family, power, share, pull, images, energies, again)
    loss = pull_of(again, order, after, pair_weights, gamma, other)
    length, longest, heavy, span = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        length += abs(pull[i])
        longest = max(longest, abs(again[i]))
        heavy = max(heavy, pair_weights[i])
    for f in range(p):
        span += weights[f] * family.factors[f]
    change = np.empty(n)
    for i in range(n):
        change[i] = again[i] - risks[i]
    # each entry of the pull is a sum of at most n parts, each a product of a difference of risks
    loose = UNIT * (n + 8.0) * (2.0 * length + (1.0 + 2.0 * longest) * gamma * heavy * heavy * n)
    terms = (4.0 + 2.4 * power) * (n + 8.0) + p / 64 + 64.0 + 40.0 * (1.0 + power)
    error = 1.01 * UNIT * terms * span * length + (1.0 + 2.0 * power) * span * loose
    square = pair_square(order, after, pair_weights, gamma, change, 4.0 * error)
    return pull.copy(), energies[0].copy(), weights, value + loss, square, loose
