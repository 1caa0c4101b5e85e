"""Compiled: Newton's equations over functions of the columns, by conjugate gradients.

A step adds functions d, tables with one entry per bin, that solve

    (H^-1 + A' Sigma A) d = -G   up to a bias for each machine,

G the gradient, A the look-up of the free rows, Sigma the diagonal of their sigma and H minus the
second derivative of the dual,

    H = sum mu_f K_f + (2 power / S) (sum_f (s_f / S)^(power - 1) v_f v_f' - u u'),

v_f = K_f B_f and u = sum mu_f v_f, as :func:`hetsel.solvers.mkl.mkl_newton.ascend_by_newton` has
them. The inverse, with <B, d> the sum over all columns of <B_f, d_f>, is

    (H^-1 d)_f = K_f^-1 d_f / mu_f - share (<B_f, d_f> / (s_f mu_f) - <B, d> / S) B_f,

share = 2 power / (1 + 2 power). K_f^-1 is that of a chain of springs: one of 1 / (2 g) between two
bins g apart, and one of 1 / (2 (2 - width)) that holds the sum of both ends at 0. What the rows add
to a column alone is diagonal but for the bias, so that a column alone is solved by its chain:
the gradients are preconditioned with this, and the turns they take depend on how alike the columns
are, not on the width of the margin. A turn takes a look-up of the rows and sums in the bins, O(m p
+ bins) for m free rows.
"""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.kernels.binned.binned_loops import Bins, add_bin_products, add_cells, look_up, set_image
from hetsel.solvers.additive.proximal_rows import product_of


class Curvature(NamedTuple):
    """H at some sums of dual variables."""

    bins: Bins
    sums: np.ndarray  # (machines, bins): B_f
    images: np.ndarray  # (machines, bins): K_f B_f
    energy: np.ndarray  # (p,): s_f
    weights: np.ndarray  # (p,): mu_f
    bends: np.ndarray  # (p,): (2 power / S) (s_f / S)^(power - 1); 0 where mu does not change
    turn: float  # 2 power / S; 0 where mu does not change
    size: float  # S


@compiled
def set_curved(curvature, sums, tables):
    """tables (machines, bins) of H beta, mu_f K_f B_f + bend v_f of sums B; the bends (p,)."""
    bins, images, weights = curvature.bins, curvature.images, curvature.weights
    p = len(weights)
    unused, along = np.zeros(p), np.zeros(p)
    for c in range(len(sums)):
        set_image(bins, sums[c], tables[c], unused)
        if curvature.turn > 0.0:
            add_bin_products(bins.starts, sums[c], images[c], along)
    whole = (weights * along).sum()
    along[:] = curvature.bends * along - curvature.turn * whole * weights
    for c in range(len(sums)):
        for f in range(p):
            for k in range(bins.starts[f], bins.starts[f + 1]):
                tables[c, k] = weights[f] * tables[c, k] + along[f] * images[c, k]
    return along


class Springs(NamedTuple):
    """K_f^-1 / mu_f of the columns: chains of springs between neighboring bins."""

    between: np.ndarray  # (bins,): from each bin to the next; 0 from the last and between levels
    holds: np.ndarray  # (bins,): to 0, of levels, missing cells and columns without weight
    ends: np.ndarray  # (p,): of the sum of the first and the last bin of numbers
    last: np.ndarray  # (p,): the last bin of numbers


class ColumnInverses(NamedTuple):
    """What solves each column alone: K_f^-1 / mu_f + diag(m) - m m' / sum m, m its mass."""

    pivots: np.ndarray  # (machines, bins), of the chain
    across: np.ndarray  # (machines, bins): what it makes of a pull of its two ends apart
    even: np.ndarray  # (machines, bins): what it makes of the mass: 1 but for what the springs keep
    scales: np.ndarray  # (machines, 2, p), of both corrections


@compiled
def springs_of(curvature):
    """The springs of all columns."""
    bins, weights = curvature.bins, curvature.weights
    p = len(weights)
    between, holds = np.zeros(bins.starts[p]), np.zeros(bins.starts[p])
    ends, last = np.zeros(p), bins.starts[:-1].copy()
    for f in range(p):
        begin, end = bins.starts[f], bins.starts[f + 1]
        weight = weights[f] * bins.factors[f]
        if bins.nominal[f] or weight <= 0.0:
            for k in range(begin, end):
                holds[k] = 1.0 / weight if weight > 0.0 else 1.0
            continue
        if bins.gaps[f]:
            end -= 1
            holds[end] = 1.0 / weight
        for k in range(begin, end - 1):
            between[k] = 0.5 / ((bins.positions[k + 1] - bins.positions[k]) * weight)
        if end > begin:
            last[f] = end - 1
            width = bins.positions[end - 1] - bins.positions[begin]
            ends[f] = 0.5 / ((2.0 - width) * weight)
    return Springs(between, holds, ends, last)


@compiled
def set_pulls(curvature, springs, tables, out):
    """out (machines, bins): H^-1 of tables; only for columns with weight."""
    starts, p = curvature.bins.starts, len(curvature.weights)
    along = np.zeros(p)
    if curvature.turn > 0.0:
        for c in range(len(tables)):
            add_bin_products(starts, curvature.sums[c], tables[c], along)
    whole, power = along.sum(), curvature.turn * curvature.size
    for f in range(p):
        bend = 0.0
        if curvature.turn > 0.0 and curvature.energy[f] * curvature.weights[f] > 0.0:
            bend = along[f] / (curvature.energy[f] * curvature.weights[f]) - whole / curvature.size
            bend *= power / (1.0 + power)
        for c in range(len(tables)):
            own, before = tables[c], 0.0
            for k in range(starts[f], starts[f + 1]):
                pull = 0.0
                if springs.between[k] > 0.0:
                    pull = springs.between[k] * (own[k + 1] - own[k])
                out[c, k] = springs.holds[k] * own[k] + before - pull - bend * curvature.sums[c, k]
                before = pull
            ends = springs.ends[f] * (own[starts[f]] + own[springs.last[f]])
            out[c, starts[f]] += ends
            out[c, springs.last[f]] += ends


@compiled
def invert_columns(starts, springs, mass):
    """The columns alone, of the mass (machines, bins) of the rows."""
    machines, p = len(mass), len(springs.ends)
    shape = mass.shape
    pivots, across, even = np.empty(shape), np.zeros(shape), np.zeros(shape)
    scales = np.zeros((machines, 2, p))
    for c in range(machines):
        for f in range(p):
            begin, end, last = starts[f], starts[f + 1], springs.last[f]
            ends, left = springs.ends[f], 0.0
            for k in range(begin, end):
                even[c, k] = springs.holds[k]
                if k == begin:
                    even[c, k] += 2.0 * ends
                if k == last:
                    even[c, k] += 2.0 * ends
                left += mass[c, k] + even[c, k]
                pivots[c, k] = left + springs.between[k]
                # of the spring to the next bin in a row with what holds this one
                left *= springs.between[k] / pivots[c, k] if pivots[c, k] > 0.0 else 0.0
            across[c, begin] += 1.0
            across[c, last] -= 1.0
            relax(starts, springs, pivots[c], f, across[c])
            if last > begin and ends > 0.0:
                apart = across[c, begin] - across[c, last]
                scales[c, 0, f] = ends / (1.0 - ends * apart)
            relax_ends(starts, springs, pivots[c], across[c], scales[c, 0, f], f, even[c])
            room = 0.0
            for k in range(begin, end):
                room += mass[c, k] * even[c, k]
                even[c, k] = 1.0 - even[c, k]
            scales[c, 1, f] = 1.0 / room if room > 0.0 else 0.0
    return ColumnInverses(pivots, across, even, scales)


@compiled
def relax(starts, springs, pivots, f, values):
    """Solve the chain of a column, in place."""
    begin, end, between = starts[f], starts[f + 1], springs.between
    for k in range(begin + 1, end):
        values[k] += between[k - 1] / pivots[k - 1] * values[k - 1]
    values[end - 1] /= pivots[end - 1]
    for k in range(end - 2, begin - 1, -1):
        values[k] = (values[k] + between[k] * values[k + 1]) / pivots[k]


@compiled
def relax_ends(starts, springs, pivots, across, scale, f, values):
    """The same with what holds the sum of both ends."""
    relax(starts, springs, pivots, f, values)
    if scale > 0.0:
        pull = scale * (values[starts[f]] - values[springs.last[f]])
        for k in range(starts[f], starts[f + 1]):
            values[k] += pull * across[k]


@compiled
def solve_each_column(starts, springs, columns, values):
    """Solve each column alone, in place of values (machines, bins)."""
    for c in range(len(values)):
        own, even = values[c], columns.even[c]
        pivots, across = columns.pivots[c], columns.across[c]
        for f in range(len(springs.ends)):
            pull = 0.0
            for k in range(starts[f], starts[f + 1]):
                pull += even[k] * own[k]
            pull *= columns.scales[c, 1, f]
            relax_ends(starts, springs, pivots, across, columns.scales[c, 0, f], f, own)
            for k in range(starts[f], starts[f + 1]):
                own[k] += pull * even[k]


@compiled
def blank(curvature, values):
    """Set values (machines, bins) of the columns without weight to 0."""
    starts = curvature.bins.starts
    for f in range(len(curvature.weights)):
        if curvature.weights[f] * curvature.bins.factors[f] <= 0.0:
            values[:, starts[f] : starts[f + 1]] = 0.0


@compiled
def solve_functions(curvature, codes, ends, sigma, gradient, precision, most, pulls):
    """What Newton's step adds to the functions, by pulls (machines, bins); the number of turns.

    The free rows of machine c are those of codes (m, p) from ends[c] to ends[c + 1].
    """
    machines = len(gradient)
    starts, springs = curvature.bins.starts, springs_of(curvature)
    mass, whole = np.zeros(gradient.shape), np.zeros(machines)
    for c in range(machines):
        own = slice(ends[c], ends[c + 1])
        add_cells(codes[own], starts, sigma[own], mass[c])
        whole[c] = sigma[own].sum()
    columns = invert_columns(starts, springs, mass)
    rest = -gradient
    blank(curvature, rest)
    near = rest.copy()
    solve_each_column(starts, springs, columns, near)
    along, image = near.copy(), np.empty(gradient.shape)
    found, rows = np.zeros(gradient.shape), np.empty(ends[-1])
    square = product_of(rest.ravel(), near.ravel())
    enough = precision * precision * square
    turns = 0
    while square > enough and turns < most:
        set_pulls(curvature, springs, along, image)
        for c in range(machines):
            own = slice(ends[c], ends[c + 1])
            look_up(codes[own], starts, along[c], rows[own])
            mean = product_of(sigma[own], rows[own]) / whole[c] if whole[c] > 0.0 else 0.0
            rows[own] = sigma[own] * (rows[own] - mean)
            add_cells(codes[own], starts, rows[own], image[c])
        blank(curvature, image)
        bend = product_of(along.ravel(), image.ravel())
        if not bend > 0.0:  # rounding is all that is left
            break
        step = square / bend
        found += step * along
        rest -= step * image
        near[:] = rest
        solve_each_column(starts, springs, columns, near)
        before, square = square, product_of(rest.ravel(), near.ravel())
        along[:] = near + square / before * along
        turns += 1
    set_pulls(curvature, springs, found, pulls)
    return turns
