"""Products, exponentials and logarithms with the same bits on every processor.

BLAS adds in an order that depends on the processor and on the number of threads; numpy and the
C library have an exponential and a logarithm for each generation of processors, which differ in
the last bit. Where such a bit may decide (which rows a solver moves, a tie, a prediction), these
stand in: one addition after the other, in the order of the indices, no multiplication fused with an
addition, whole vectors at once only over results that do not meet.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled, inlined

WIDTH, DEPTH, ROWS = 256, 64, 64  # what of a product is held near the processor

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
PER_LN2 = 1.44269504088896338700
NEAREST = 1.5 * 2.0**52  # added and taken away again it rounds to a whole number
LOWEST = -708.0  # whose exponential is a normal number
TINY = 2.0**-1022
SQRT2 = 1.4142135623730951


def product(left: np.ndarray, right: np.ndarray, *, add_to: np.ndarray | None = None) -> np.ndarray:
    """sum_k left_ik right_jk (m, n): left @ right.T, added in the order of k.

    Parameters
    ----------
    left, right : ndarray of shape (m, k) and (n, k)
    add_to : ndarray of shape (m, n), optional
        What the products are added to, in place.

    Examples
    --------
    >>> product(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]]))
    array([[11., 17.]])
    """
    out = np.zeros((len(left), len(right))) if add_to is None else add_to
    across = np.ascontiguousarray(np.asarray(right, dtype=np.float64).T)
    add_product(np.ascontiguousarray(left, dtype=np.float64), across, 0, len(left), len(right), out)
    return out


def gram(rows: np.ndarray) -> np.ndarray:
    """The products (n, n) of rows (n, k) with each other: rows @ rows.T, added in the order of k.

    Examples
    --------
    >>> gram(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 5., 11.],
           [11., 25.]])
    """
    cells = np.ascontiguousarray(rows, dtype=np.float64)
    across, n = np.ascontiguousarray(cells.T), len(cells)
    out = np.zeros((n, n))
    for first in range(0, n, ROWS):
        last = min(first + ROWS, n)
        add_product(cells, across, first, last, last, out)
    fill_above(out)
    return out


@compiled
def squared_lengths(rows):
    """The sum of squares (n,) of each row (n, k), added in the order of k."""
    out = np.zeros(len(rows))
    for i in range(len(rows)):
        for k in range(rows.shape[1]):
            out[i] += rows[i, k] * rows[i, k]
    return out


@compiled
def image(matrix, vector):
    """sum_k matrix_ik vector_k (m,) of a matrix (m, k), added in the order of k."""
    out = np.zeros(len(matrix))
    for i in range(len(matrix)):
        for k in range(len(vector)):
            out[i] += matrix[i, k] * vector[k]
    return out


@compiled
def fill_above(matrix):
    """Copy what is below the diagonal of a matrix (n, n) to above it."""
    for i in range(len(matrix)):
        for j in range(i):
            matrix[j, i] = matrix[i, j]


@compiled
def add_product(left, across, first, last, width, out):
    """Add left (m, k) times across (k, n), rows first..last - 1 and `width` columns of it."""
    depth = left.shape[1]
    for start in range(0, width, WIDTH):
        stop = min(start + WIDTH, width)
        for low in range(0, depth, DEPTH):
            high = min(low + DEPTH, depth)
            i = first
            while i + 1 < last:
                add_two_rows(left, across, i, low, high, start, stop, out)
                i += 2
            if i < last:
                add_row(left, across, i, low, high, start, stop, out)


@inlined
def add_row(left, across, i, low, high, start, stop, out):
    """One row of a product, terms low..high - 1, columns start..stop - 1."""
    for k in range(low, high):
        a = left[i, k]
        for j in range(start, stop):
            out[i, j] += a * across[k, j]


@inlined
def add_two_rows(left, across, i, low, high, start, stop, out):
    """Two rows of a product: what is read of the right factor serves both, four terms at once."""
    k = low
    while k + 3 < high:
        a, b, c, d = left[i, k], left[i, k + 1], left[i, k + 2], left[i, k + 3]
        e, f, g, h = left[i + 1, k], left[i + 1, k + 1], left[i + 1, k + 2], left[i + 1, k + 3]
        for j in range(start, stop):
            w, x, y, z = across[k, j], across[k + 1, j], across[k + 2, j], across[k + 3, j]
            out[i, j] = (((out[i, j] + a * w) + b * x) + c * y) + d * z
            out[i + 1, j] = (((out[i + 1, j] + e * w) + f * x) + g * y) + h * z
        k += 4
    while k < high:
        a, e = left[i, k], left[i + 1, k]
        for j in range(start, stop):
            out[i, j] += a * across[k, j]
            out[i + 1, j] += e * across[k, j]
        k += 1


@inlined
def exponential(x):
    """exp(x) of a number below 700 to within one unit in the last place; 0 below -708.

    x = k ln 2 + r, |r| <= ln(2)/2, and a rational function of r (fdlibm's e_exp.c).
    """
    low = max(x, LOWEST)
    shifted = low * PER_LN2 + NEAREST  # its last bits are k
    k = shifted - NEAREST
    high, rest = low - k * LN2_HIGH, k * LN2_LOW
    r = high - rest
    t = r * r
    p = 4.13813679705723846039e-08
    p = -1.65339022054652515390e-06 + t * p
    p = 6.61375632143793436117e-05 + t * p
    p = -2.77777777770155933842e-03 + t * p
    p = 1.66666666666666019037e-01 + t * p
    c = r - t * p
    value = 1.0 - ((rest - (r * c) / (2.0 - c)) - high)
    bits = np.float64(shifted).view(np.int64)
    power = np.int64((bits + np.int64(1023)) << np.int64(52)).view(np.float64)
    return 0.0 if x < LOWEST else value * power


@inlined
def logarithm(x):
    """ln(x) of a positive number to within one unit in the last place; -inf of 0.

    x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and a polynomial of s = f / (2 + f) (fdlibm's
    e_log.c).
    """
    if x <= 0.0:
        return -np.inf
    if not x < np.inf:
        return x
    shift = 54.0 if x < TINY else 0.0
    bits = np.float64(x * (2.0**54 if x < TINY else 1.0)).view(np.int64)
    k = np.float64((bits >> np.int64(52)) - np.int64(1023)) - shift
    bits = (bits & np.int64(0xFFFFFFFFFFFFF)) | np.int64(0x3FF0000000000000)
    whole = np.int64(bits).view(np.float64)
    if whole > SQRT2:
        whole *= 0.5
        k += 1.0
    f = whole - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = 2.222219843214978396e-01 + w * 1.531383769920937332e-01
    even = w * (3.999999999940941908e-01 + w * even)
    odd = 1.818357216161805012e-01 + w * 1.479819860511658591e-01
    odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * odd))
    r = even + odd
    half = 0.5 * f * f
    return k * LN2_HIGH - ((half - (s * (half + r) + k * LN2_LOW)) - f)


@compiled
def exponentiate(values):
    """Replace numbers (m, n) below 700 by their exponentials, see :func:`exponential`."""
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            values[i, j] = exponential(values[i, j])


@compiled
def logarithms(values):
    """The natural logarithms (n,) of numbers (n,) that are not negative."""
    out = np.empty(len(values))
    for i in range(len(values)):
        out[i] = logarithm(np.float64(values[i]))
    return out
