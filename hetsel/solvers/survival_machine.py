"""Ranking SVMs for survival times on a weighted sum of kernels.

With risk scores f = sum_f mu_f K_f beta and the loss L(f) of
:mod:`hetsel.solvers.comparable_pairs`, gamma = C sum_i w_i / sum_P w_i w_j, the machine minimizes
L(f) + N(beta), N = (1/2p) sum_f s_f for one machine on the mean of the kernels and (1/2)
||(s_f)||_r, r = q/(q - 1), for lq-norm multiple kernel learning, s_f = beta' K_f beta. At the
optimum beta = -L'(f), so that sum beta = 0.

Newton's method: with M = L''(f), the Laplacian of the pairs that are too close, and H = N''(beta),

    (I + M H) d = -L'(f) - beta,

by conjugate gradients in the inner product of H: H needs the products K_f d, O(n p) after one sort,
M sums over the pairs, O(n log n).

Let beta' = -L'(f), let f' be its risk scores, and e = f' - f. The duality gap of beta' is

    G <= (gamma / 2) sum_P w_i w_j (e_i - e_j)^2,

since each pair adds the gap of a squared hinge between two arguments that differ by e_i - e_j. So
sum_f ||w_f - w_f*||^2 <= p G for one machine. For kernel weights the bounds of
:mod:`hetsel.solvers.mkl.mkl_certificate` apply, since they hold for every convex loss.

Poelsterl, Navab and Katouzian 2015, ECML PKDD, and 2016, arXiv 1611.07054 (truncated Newton). The
bound on the gap is new.
"""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.kernels.energies_and_grams import set_images
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.precise_products import UNIT
from hetsel.solvers.comparable_pairs import (
    Closeness,
    ComparablePairs,
    fill_pull,
    pair_products,
    pair_square,
)
from hetsel.solvers.mkl.kernel_weights import energy_norm, mixed_power
from hetsel.solvers.mkl.mkl_certificate import norm_radius
from hetsel.solvers.mkl.mkl_newton import weighted_sum

MOST_STEPS = 200  # of Newton's method
MOST_INNER = 500  # of the conjugate gradients of a step
FORCING = 0.1  # share of the residual that a step leaves; less near the optimum
SHORTEST = 2.0**-30
SETTLED = 1e-12  # of the pull: nearer than this a step does not count
NEARLY = 1e-4  # of the pull: where a machine may end whose gap is small enough
NEARER = 1e-3  # share of that to go on to where it is not
ROUGH = 0.1  # of the pull: where kernel weights may start from
HIDDEN = 1e-12  # of the primal: what rounding may hide of a gain
NEAR = 1e-9  # of the pull: from where on a step that gains nothing is the last


class Point(NamedTuple):
    """Where a machine is: what the second derivative of N needs of beta."""

    power: float  # r - 1 of the norm of the energies; 0 for one machine
    weights: np.ndarray  # (p,): mu_f
    shares: np.ndarray  # (p,): (s_f / S)^(r - 2)
    images: np.ndarray  # (1, p, n): K_f beta
    risks: np.ndarray  # (n,)
    size: float  # S = ||(s_f)||_r
    room: np.ndarray  # (1, p, n), for the images of another vector
    few: np.ndarray  # (1, p), for their energies


class RankingMachine(NamedTuple):
    """A solution."""

    beta: np.ndarray  # (1, n); its sum is 0 but for rounding
    energy: np.ndarray  # (p,): s_f
    weights: np.ndarray  # (p,): mu_f; 1 / p each for one machine
    objective: float  # value of the primal
    gap: float  # upper bound on the duality gap, relative to the objective
    radius: np.ndarray  # (p,): how far the root of s_f can be from that of the optimum

    @property
    def square(self) -> float:
        """Bound on sum_f ||w_f - w_f*||^2 of one machine on the mean of the kernels."""
        return float(self.radius.max()) ** 2


def solve_ranking(
    kernels: FeatureKernels,
    pairs: ComparablePairs,
    q: float,
    start: np.ndarray | None = None,
    tolerance: float = 0.0,
) -> RankingMachine:
    """The machine, solved until its dual variables are their pull to :data:`SETTLED`.

    q infinite is one machine on the mean of the kernels; it may end at a relative gap of
    `tolerance`.
    """
    one = bool(np.isinf(q))
    power, share = (0.0 if one else 1.0 / (q - 1.0)), (1.0 / kernels.p if one else 0.0)
    beta = np.zeros(kernels.n) if start is None else start[0].copy()
    if not one and not beta.any():  # kernel weights start even
        beta = climb_dual(kernels.family, pairs, 0.0, kernels.p ** (-1.0 / q), beta, ROUGH)[0]
    settled = NEARLY if tolerance else SETTLED
    while True:
        found = climb_dual(kernels.family, pairs, power, share, beta, settled)
        solution, energy, weights, objective, square, loose = found
        if settled <= SETTLED or square <= tolerance * abs(objective):
            break
        beta, settled = solution, max(NEARER * settled, SETTLED)
    beta, gap = solution[None], 1.0000001 * square
    if one:
        radius = np.full(kernels.p, np.sqrt(kernels.p * gap))
    else:
        radius = norm_radius(energy, weights, gap, q)
    radius = radius + np.sqrt(kernels.largest) * loose
    relative = gap / max(abs(objective), 1e-300)
    return RankingMachine(beta, energy, weights, objective, relative, radius)


@compiled_part
def fill_risks(family, power, share, beta, images, energies, risks):
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
def curve_products(family, point, vector, out):
    """N''(beta) times a vector (n,), in place."""
    n = len(vector)
    set_images(family, vector.reshape(1, -1), point.room, point.few)
    weighted_sum(point.weights, point.room[0], out)
    if point.power == 0.0:
        return
    inner = np.empty(len(point.weights))
    for f in range(len(inner)):
        image, total = point.images[0, f], 0.0
        for i in range(n):
            total += image[i] * vector[i]
        inner[f] = point.shares[f] * total
    bend = np.empty(n)
    weighted_sum(inner, point.images[0], bend)
    along = inner_product(point.risks, vector)
    factor = 2.0 * point.power / point.size
    for i in range(n):
        out[i] += factor * (bend[i] - point.risks[i] * along)


@compiled_part
def inner_product(a, b):
    """Sum of the products, in the order of the rows."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled
def climb_dual(family, pairs, power, share, beta, settled):
    """See :func:`solve_ranking`: beta, s_f, mu, the primal, the gap, a bound on rounding."""
    n, p = len(beta), len(family.features)
    images, energies = np.empty((1, p, n)), np.empty((1, p))
    rooms, few = np.empty((1, p, n)), np.empty((1, p))
    risks, pull, lack = np.empty(n), np.empty(n), np.empty(n)
    goal, step = np.empty(n), np.empty(n)
    near = Closeness(np.empty((2, n), dtype=np.int64), np.empty((4, n)))
    weights, size, value = fill_risks(family, power, share, beta, images, energies, risks)
    loss = fill_pull(pairs, risks, near, pull)
    best = np.inf
    for _ in range(MOST_STEPS):
        lack[:] = pull - beta
        largest, longest = np.abs(lack).max(), np.abs(pull).max()
        if largest <= settled * longest or (largest >= 0.5 * best and largest < NEAR * longest):
            break
        best = min(best, largest)
        shares = np.ones(p)
        if power != 0.0 and power != 1.0:
            shares = mixed_power(energies[0], size, power - 1.0)
        point = Point(power, weights, shares, images, risks, size, rooms, few)
        # Newton's steps get there fast where they leave the less the less is left
        leave = max(min(FORCING, largest), 0.1 * settled * longest / largest)
        newton_step(family, pairs, near, point, lack, step, leave)
        curve_products(family, point, step, goal)
        slope = -inner_product(lack, goal)
        length, before, primal = 1.0, beta.copy(), value + loss
        while True:
            beta[:] = before + length * step
            weights, size, value = fill_risks(family, power, share, beta, images, energies, risks)
            loss = fill_pull(pairs, risks, near, pull)
            gained = primal - (value + loss)
            if gained >= -0.1 * length * slope - HIDDEN * abs(primal) or length < SHORTEST:
                break
            length *= 0.5
    return finished(family, pairs, power, share, risks, pull)


@compiled_part
def newton_step(family, pairs, near, point, lack, step, leave):
    """Solve (I + M H) d = lack by conjugate gradients, in place, to `leave` times the residual."""
    n = len(lack)
    rest, curved, way = lack.copy(), np.empty(n), lack.copy()
    curve_products(family, point, rest, curved)
    ahead, both, moved = curved.copy(), np.empty(n), np.empty(n)
    step[:] = 0.0
    square = inner_product(rest, curved)
    enough = leave * leave * square
    for _ in range(MOST_INNER):
        if not square > enough:
            break
        pair_products(pairs, near, ahead, both)
        both += way
        curve_products(family, point, both, moved)
        bend = inner_product(way, moved)
        if not bend > 0.0:
            break
        length = square / bend
        step += length * way
        rest -= length * both
        curved -= length * moved
        ratio = inner_product(rest, curved) / square
        square *= ratio
        way = rest + ratio * way
        ahead = curved + ratio * ahead


@compiled_part
def finished(family, pairs, power, share, risks, pull):
    """The solution -L'(u), with what is proved of it."""
    n, p = len(pull), len(family.features)
    images, energies = np.empty((1, p, n)), np.empty((1, p))
    again, other = np.empty(n), np.empty(n)
    near = Closeness(np.empty((2, n), dtype=np.int64), np.empty((4, n)))
    # the sum is 0 but for rounding: the energies take it for 0
    weights, _, value = fill_risks(family, power, share, pull, images, energies, again)
    loss = fill_pull(pairs, again, near, other)
    middle = ((again - risks) / n).sum()
    change = again - risks - middle
    length, longest, heavy = np.abs(pull).sum(), np.abs(again).max(), pairs.weights.max()
    span = (weights * family.factors).sum()
    # each entry of the pull is a sum of at most n parts, each a product of a difference of risks
    costs = pairs.gamma * heavy * heavy * n
    loose = UNIT * (n + 8.0) * (2.0 * length + (1.0 + 2.0 * longest) * costs)
    terms = (4.0 + 2.4 * power) * (n + 8.0) + p / 64 + 64.0 + 40.0 * (1.0 + power)
    error = 1.01 * UNIT * terms * span * length + (1.0 + 2.0 * power) * span * loose
    square = pair_square(pairs, change, 4.0 * error)
    return pull.copy(), energies[0].copy(), weights, value + loss, square, loose
