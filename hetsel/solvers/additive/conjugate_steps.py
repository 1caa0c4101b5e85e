"""Compiled: Newton's equations of the free rows by conjugate gradients, with tables for a matrix.

With Sigma the diagonal of sigma over the free rows and H minus the second derivative of the dual,

    (Sigma^-1 + H) x = pull less a bias,   the sum of x over each machine 0,

H = sum mu_f K_f + (2 power / S) (sum_f (s_f / S)^(power - 1) v_f v_f' - u u'), v_f = K_f beta and
u = sum mu_f v_f as :func:`hetsel.solvers.mkl.mkl_newton.ascend` has them. A product takes sums in
the bins, their image and a look-up: O(m p + bins) for m rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.kernels.binned.binned_loops import Bins, add_cells, add_products, look_up, set_image
from hetsel.solvers.additive.proximal_rows import product_of


class Curvature(NamedTuple):
    """H at some sums of dual variables.

    Parameters
    ----------
    bins : Bins
    images : ndarray of shape (machines, bins)
        K_f B_f of the sums.
    weights : ndarray of shape (p,)
        mu_f.
    bends : ndarray of shape (p,)
        (2 power / S) (s_f / S)^(power - 1); 0 where mu does not change.
    turn : float
        2 power / S; 0 where mu does not change.
    """

    bins: Bins
    images: np.ndarray
    weights: np.ndarray
    bends: np.ndarray
    turn: float


@compiled
def set_curved(curvature, sums, tables):
    """tables (machines, bins): those in which rows look up H beta, of sums B of beta in the bins.

    That of column f is mu_f K_f B_f plus its bend times the image; the bends (p,) are returned.
    """
    bins, images, weights = curvature.bins, curvature.images, curvature.weights
    p = len(weights)
    unused, along = np.zeros(p), np.zeros(p)
    for c in range(len(sums)):
        set_image(bins, sums[c], tables[c], unused)
        if curvature.turn > 0.0:
            add_products(bins.starts, sums[c], images[c], along)
    whole = 0.0
    for f in range(p):
        whole += weights[f] * along[f]
    for f in range(p):
        along[f] = curvature.bends[f] * along[f] - curvature.turn * whole * weights[f]
    for c in range(len(sums)):
        for f in range(p):
            for k in range(bins.starts[f], bins.starts[f + 1]):
                tables[c, k] = weights[f] * tables[c, k] + along[f] * images[c, k]
    return along


@compiled
def set_product(curvature, codes, ends, sigma, values, sums, tables, out):
    """out (m,): (Sigma^-1 + H) values, by sums and tables (machines, bins)."""
    starts = curvature.bins.starts
    sums[:] = 0.0
    for c in range(len(ends) - 1):
        own = slice(ends[c], ends[c + 1])
        add_cells(codes[own], starts, values[own], sums[c])
    set_curved(curvature, sums, tables)
    for c in range(len(ends) - 1):
        own = slice(ends[c], ends[c + 1])
        look_up(codes[own], starts, tables[c], out[own])
    for k in range(len(out)):
        out[k] += values[k] / sigma[k]


@compiled
def even_out(values, ends):
    """Take the mean of each machine from its values (m,), in place."""
    for c in range(len(ends) - 1):
        total = 0.0
        for k in range(ends[c], ends[c + 1]):
            total += values[k]
        mean = total / max(ends[c + 1] - ends[c], 1)
        for k in range(ends[c], ends[c + 1]):
            values[k] -= mean


@compiled
def solve_free_rows(curvature, codes, ends, sigma, pull, precision, most):
    """x (m,) with (Sigma^-1 + H) x = pull, up to a number for each machine, and sums of 0.

    Those of machine c are x[ends[c] : ends[c + 1]]. Starts at 0 and ends where the residual is
    `precision` of the pull, or after `most` turns; their number is the second thing returned.
    """
    m = len(pull)
    x, rest, image = np.zeros(m), pull.copy(), np.empty(m)
    shape = (len(ends) - 1, len(curvature.images[0]))
    sums, tables = np.empty(shape), np.empty(shape)
    even_out(rest, ends)
    along = rest.copy()
    square = product_of(rest, rest)
    enough = precision * precision * square
    turns = 0
    while square > enough and turns < most:
        set_product(curvature, codes, ends, sigma, along, sums, tables, image)
        even_out(image, ends)
        bend = product_of(along, image)
        if bend <= 0.0:  # rounding is all that is left
            break
        step = square / bend
        for k in range(m):
            x[k] += step * along[k]
            rest[k] -= step * image[k]
        before, square = square, product_of(rest, rest)
        for k in range(m):
            along[k] = rest[k] + square / before * along[k]
        turns += 1
    return x, turns
