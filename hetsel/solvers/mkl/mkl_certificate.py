"""Bounds on the distance of kernel weights from the optimum.

With w_f = sum_i beta_i phi_f(x_i) over all machines, t_f = ||w_f||, m = 2q/(q - 1) and
T = ||t||_m, the dual is sum y'beta - T^2 / 2, its gradient y - u with u = sum mu_f K_f beta and
mu_f = (t_f / T)^(m-2). Let v_f = mu_f t_f, the norm of the feature's part of the decision function,
stars mark the optimum. As for one machine (:mod:`hetsel.solvers.svm.certificate`), the duality gap
G bounds what the gradients say of the step between both,

    sum_f <mu_f w_f - mu_f* w_f*, w_f - w_f*>  <=  G,   so   sum_f (v_f - v_f*) (t_f - t_f*)  <=  G,

as <w_f, w_f*> <= t_f t_f*. Then

1.  (T - T*)^2 <= G: sum v_f t_f = T^2, sum v_f* t_f* = T*^2, and by Hoelder's inequality both
    sum v_f t_f* and sum v_f* t_f are at most T T*, as ||v||_r = T with r = m/(m - 1).
2.  With psi(t) = t^(m-1) T^(2-m), v_f = psi(t_f) and v_f* = c psi(t_f*), c = (T*/T)^(2-m) known to
    be near 1 by 1. What c takes from the sum is at most |1 - c| sqrt(A) T sqrt(2.1 / (m - 1)), by
    Cauchy and Schwarz, of A = sum_f (psi(t_f) - psi(t_f*)) (t_f - t_f*), so that
    min(1, c) A - |1 - c| T sqrt(2.1 A / (m - 1)) <= G bounds A: about 4.6 G for q = 2.
3.  psi is convex and psi(0) = 0: |psi(a) - psi(b)| >= |a - b| psi(a) / a and >= psi(|a - b|). Hence
    |t_f - t_f*| <= min( sqrt(A / mu_f), (A T^(m-2))^(1/m) ).

The strong convexity of half the square of ||v||_r (constant r - 1) alone bounds ||v - v*||_r, which
says little of features of little weight. For q = 1 there is no bound of either kind: equal kernels
share their weight in any way.

Reference: Kloft, Brefeld, Sonnenburg and Zien 2011, lp-norm multiple kernel learning, JMLR 12 (the
dual; the bounds are new).
"""

import itertools
from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.precise_products import UNIT, add, divide, multiply, two_product, two_sum
from hetsel.solvers.mkl import mkl_newton as newton
from hetsel.solvers.mkl.kernel_weights import energy_norm, mixed_power
from hetsel.solvers.svm import block_ascent, certificate
from hetsel.solvers.svm.tube import write_twice

PAIRS_A_ROW = 200  # most pairs of rows per row in a refinement; the usual number is 30


class Certificate(NamedTuple):
    """Proved bounds on kernel weights and machines."""

    gap: float  # upper bound on the duality gap, in the units of the objective
    energy: np.ndarray  # (p,): s_f, the square of t_f
    radius: np.ndarray  # (p,): how far t_f can be from that of the optimum
    away: np.ndarray  # (problems, n): gradient less the bias; of a regression on both sides (2n)


def certify(
    kernels: FeatureKernels,
    labels: np.ndarray,
    bounds: np.ndarray,
    betas: np.ndarray,
    rests: np.ndarray,
    q: float,
    tube: float = 0.0,
) -> Certificate:
    """The certificate of betas + rests (problems, n), within the bounds, 1 < q < infinity.

    In twice the precision for q = 2; for other q the weights have that of doubles.
    """
    n, power = labels.shape[1], 1.0 / (q - 1.0)
    scale = 1.0 if q == 2.0 else energy_norm(newton.summed(kernels.images(betas)[1]), power + 1.0)
    slopes, (energy, rest) = kernels.precise_slopes(betas, rests, power, scale)
    weights, rounding = np.zeros_like(energy), 0.0
    twice = 4.0 * (n + kernels.p + 4.0) ** 2 * UNIT * UNIT
    error = twice * float(np.abs(labels).max())
    if energy.max() > 0.0:
        if q == 2.0:
            size, size_low = precise_norm(energy, rest)
            divide_all(*slopes, size, size_low)
        else:
            size = energy_norm(np.maximum(energy, 0.0), power + 1.0)
            divide_all(*slopes, (size / scale) ** power, 0.0)
            rounding = (kernels.p + 8.0) * (1.0 + power) * 4.0 * UNIT
        weights = mixed_power(np.maximum(energy, 0.0), size, power)
        # s_f is off by sum |beta| times what K_f beta is off by, and moves the weights
        longest = kernels.largest * float(np.abs(betas).sum())
        off = kernels.p * max(power, 1.0) * longest**3 / (kernels.largest * size)
        error += (twice + rounding) * whole_length(kernels, weights, betas) + twice * off
    subtract_from(labels, *slopes)
    sides = _sides(labels, bounds, tube, betas, rests, slopes)
    return _certificate(sides, q, energy, weights, error)


def certify_roughly(
    kernels: FeatureKernels,
    labels: np.ndarray,
    bounds: np.ndarray,
    betas: np.ndarray,
    q: float,
    tube: float = 0.0,
) -> Certificate:
    """The same in doubles, at hardly any cost, with all that their rounding may hide.

    K_f beta of sorted cells is off by at most 4 n roundings of sum |beta|, the root of s_f by 1.2
    n, and so is the weight, times twice its power; a weighted sum by one for each of 64 features,
    and for each 64 of them; a sum of powers by at most 40.
    """
    n, power = labels.shape[1], 1.0 / (q - 1.0)
    images, energies = kernels.images(betas)
    energy = newton.summed(energies)
    weights = mixed_power(energy, energy_norm(energy, power + 1.0), power)
    slopes = np.zeros((2, *labels.shape))
    for c, part in enumerate(images):
        newton.weighted_sum(weights, part, slopes[0, c])
    slopes[0] = labels - slopes[0]
    terms = (4.0 + 2.4 * power) * (n + 8.0) + kernels.p / 64 + 64.0 + 40.0 * (1.0 + power)
    largest = 4.0 * float(np.abs(labels).max())
    error = UNIT * (largest + 1.01 * terms * whole_length(kernels, weights, betas))
    sides = _sides(labels, bounds, tube, betas, np.zeros_like(betas), slopes)
    return _certificate(sides, q, energy, weights, error)


def whole_length(kernels: FeatureKernels, weights: np.ndarray, betas: np.ndarray) -> float:
    """Sum of the weights, times the largest sum of |beta| of a machine, and of a kernel."""
    return float(weights.sum()) * kernels.largest * float(np.abs(betas).sum(axis=1).max())


class _Sides(NamedTuple):
    """Programs without a kink: of classes as they are, of a regression each row twice."""

    slopes: np.ndarray  # (2, problems, m): their gradients in two parts
    low: np.ndarray  # (problems, m)
    high: np.ndarray  # (problems, m)
    betas: np.ndarray  # (problems, m)
    rests: np.ndarray  # (problems, m)
    length: np.ndarray | None  # (problems,): bound on sum |beta - beta*|; None: the primal gives it


def _sides(
    labels: np.ndarray,
    bounds: np.ndarray,
    tube: float,
    betas: np.ndarray,
    rests: np.ndarray,
    slopes: np.ndarray,
) -> _Sides:
    """From the gradients y - u (2, problems, n) in two parts."""
    if not tube:
        return _Sides(slopes, *block_ascent.ends_of(labels, bounds), betas, rests, None)
    problems, n = labels.shape
    both, sides = np.empty((2, problems, 2 * n)), np.empty((4, problems, 2 * n))
    for c in range(problems):
        own, four = np.empty((2, 2 * n)), np.empty((4, 2 * n))
        parts = (slopes[0, c], slopes[1, c])
        write_twice(*parts, bounds[c], tube, betas[c], rests[c], own, four)
        both[:, c], sides[:, c] = own, four
    low, high, betas, rests = sides
    return _Sides(both, low, high, betas, rests, 2.0 * bounds.sum(axis=1))


def _certificate(
    sides: _Sides, q: float, energy: np.ndarray, weights: np.ndarray, error: float
) -> Certificate:
    """From gradients of which each entry is off by at most `error`."""
    slopes, low, high, betas, rests, lengths = sides
    aways, loss = np.empty(betas.shape), 0.0
    for c in range(len(betas)):
        aways[c], _ = certificate.away_from_bias(*slopes[:, c], low[c], high[c], betas[c], rests[c])
        loss += certificate.loss_of(aways[c], low[c], high[c])
    energy = np.maximum(energy, 0.0)
    if lengths is None:
        # sum alpha is at most twice the value of the primal at the optimum
        primal = 0.5 * energy_norm(energy, q / (q - 1.0)) + loss
        lengths = np.full(len(betas), 2.0000001 * primal + float(np.abs(betas).sum()))
    gap = sum(
        certificate.box_gap(
            slopes[0, c], aways[c], low[c], high[c], betas[c], rests[c], error, lengths[c]
        )
        for c in range(len(betas))
    )
    return Certificate(gap, energy, norm_radius(energy, weights, gap, q), aways)


def norm_radius(energy: np.ndarray, weights: np.ndarray, gap: float, q: float) -> np.ndarray:
    """Bound on |t_f - t_f*| (p,) by the steps 2 and 3; by step 1 where the gap is too wide."""
    m = 2.0 * q / (q - 1.0)
    whole = np.sqrt(energy_norm(energy, 0.5 * m))
    off = np.sqrt(gap) / whole if whole > 0.0 else np.inf
    if not off < 0.01 / m:
        return np.full(len(energy), whole + np.sqrt(gap))  # t_f <= T, t_f* <= T*
    least, most = (1.0 + off) ** (2.0 - m), (1.0 - off) ** (2.0 - m)
    shift = max(1.0 - least, most - 1.0) * whole * np.sqrt(2.1 / (m - 1.0))
    root = (shift + np.sqrt(shift * shift + 4.0 * least * gap)) / (2.0 * least)
    square = 1.0000001 * root * root
    flat = (square * whole ** (m - 2.0)) ** (1.0 / m)
    with np.errstate(divide="ignore"):
        steep = np.sqrt(square / weights)
    return np.asarray(np.minimum(steep, flat))


def refine(
    kernels: FeatureKernels,
    labels: np.ndarray,
    bounds: np.ndarray,
    betas: np.ndarray,
    rests: np.ndarray,
    q: float,
    known: Certificate,
    tube: float = 0.0,
    *,
    prove: bool = False,
) -> None:
    """Solve for what is left of beta, in place: one step of Newton from a precise gradient.

    Where columns tell the classes wholly the model is singular and nothing is added: its bound on
    the work is far higher with `prove`.
    """
    power = 1.0 / (q - 1.0)
    low, high = block_ascent.ends_of(labels, bounds)
    pull = known.away
    if tube:
        above, below = pull[:, : labels.shape[1]], pull[:, labels.shape[1] :]
        # the bias lies between both sides of a row at 0
        over = (betas > 0.0) | ((betas == 0.0) & (above + below >= 0.0))
        low, high = np.where(over, 0.0, -bounds), np.where(over, bounds, 0.0)
        pull = np.where(over, above, below)
    floor, ceiling = (low - betas) - rests, (high - betas) - rests
    images, energies = kernels.images(betas)
    energy = newton.summed(energies)
    size = energy_norm(energy, power + 1.0)
    weights = mixed_power(energy, size, power)
    slopes = np.empty_like(labels)
    for c, part in enumerate(images):
        newton.weighted_sum(weights, part, slopes[c])
    inside = (floor < 0.0) & (ceiling > 0.0)
    noise = 1e-10 * float(np.abs(pull[inside]).max(initial=0.0))
    wrong = ((pull > noise) & (ceiling > 0.0)) | ((pull < -noise) & (floor < 0.0))
    machines, rows = np.nonzero(inside | wrong)
    ends = np.searchsorted(machines, np.arange(len(labels) + 1))
    violation = float(np.abs(pull[machines, rows]).max(initial=0.0))
    if violation == 0.0 or not (ends[1:] > ends[:-1]).all():
        return
    model = newton.dual_curvature(
        kernels.family, images, energy, size, weights, slopes, rows, ends, power
    )
    steps = np.zeros(len(rows))
    for c, (begin, end) in enumerate(itertools.pairwise(ends.tolist())):
        own = rows[begin:end]
        # the row with the most room takes what the sum lacks
        room = np.minimum(-floor[c][own], ceiling[c][own])
        steps[begin + np.argmax(room)] = -sum(certificate.sum_of(betas[c], rests[c]))
    nothing = np.zeros_like(betas)
    most = newton.MOST_IN_ALL if prove else PAIRS_A_ROW * len(rows)
    precision = 1e-10 * violation
    if (
        newton.maximize(model, rows, ends, pull, floor, ceiling, nothing, precision, most, steps)
        >= most
    ):
        return  # what is known stays
    for c, (begin, end) in enumerate(itertools.pairwise(ends.tolist())):
        limits = low[c], high[c], floor[c], ceiling[c]
        certificate.add_rest(betas[c], rests[c], *limits, rows[begin:end], steps[begin:end])


@compiled
def precise_norm(energy, rest):
    """||s + rest||_2 in two parts, not 0."""
    square, square_low = 0.0, 0.0
    for f in range(len(energy)):
        own, own_low = multiply(energy[f], rest[f], energy[f], rest[f])
        square, part = two_sum(square, own)
        square_low += part + own_low
    square, square_low = two_sum(square, square_low)
    root = np.sqrt(square)
    product, missed = two_product(root, root)
    return two_sum(root, ((square - product) + (square_low - missed)) / (2.0 * root))


@compiled
def divide_all(high, low, size, size_low):
    """high + low (problems, n) over a number, in place."""
    for c in range(len(high)):
        for i in range(high.shape[1]):
            high[c, i], low[c, i] = divide(high[c, i], low[c, i], size, size_low)


@compiled
def subtract_from(labels, high, low):
    """labels - (high + low), in place."""
    for c in range(len(high)):
        for i in range(high.shape[1]):
            high[c, i], low[c, i] = add(labels[c, i], 0.0, -high[c, i], -low[c, i])
