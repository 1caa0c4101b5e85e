"""Products, exponentials and logarithms with the same bits on every processor.

The last bits of BLAS, numpy and the C library depend on the processor and the number of threads.
Where such a bit may decide, these functions are used instead. They add in the order of the indices
and fuse no multiplication with an addition.
"""

from math import factorial

import numpy as np

from hetsel.compiling.compiled import compiled, inlined

WIDTH = 512  # columns of a product that fit into a near cache
ROWS = 64  # rows of a symmetric product that are computed together

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
PER_LN2 = 1.44269504088896338700
NEAREST = 1.5 * 2.0**52  # adding and subtracting it rounds to a whole number
SERIES = tuple(1.0 / factorial(k) for k in range(2, 14))
LOWEST, HIGHEST = -708.0, 709.0  # their exponentials are normal numbers
TINY = 2.0**-1022
SQRT2 = 1.4142135623730951


def product(left: np.ndarray, right: np.ndarray, *, add_to: np.ndarray | None = None) -> np.ndarray:
    """Compute left @ right.T (m, n), added in the order of k; `add_to` is changed in place."""
    out = np.zeros((len(left), len(right))) if add_to is None else add_to
    across = np.ascontiguousarray(np.asarray(right, dtype=np.float64).T)
    add_product(np.ascontiguousarray(left, dtype=np.float64), across, 0, len(left), len(right), out)
    return out


def gram(rows: np.ndarray) -> np.ndarray:
    """Compute rows @ rows.T (n, n), added in the order of k."""
    cells = np.ascontiguousarray(rows, dtype=np.float64)
    across, n = np.ascontiguousarray(cells.T), len(cells)
    out = np.zeros((n, n))
    for first in range(0, n, ROWS):
        last = min(first + ROWS, n)
        add_product(cells, across, first, last, last, out)
        out[:first, first:last] = out[first:last, :first].T
    return out


@compiled
def squared_lengths(rows):
    """Compute the sum of squares (n,) of each row (n, k), added in the order of k."""
    n, depth = rows.shape
    out = np.zeros(n)
    for i in range(0, n - 3, 4):  # four sums together, each in its order
        a = b = c = d = 0.0
        for k in range(depth):
            a += rows[i, k] * rows[i, k]
            b += rows[i + 1, k] * rows[i + 1, k]
            c += rows[i + 2, k] * rows[i + 2, k]
            d += rows[i + 3, k] * rows[i + 3, k]
        out[i], out[i + 1], out[i + 2], out[i + 3] = a, b, c, d
    for i in range(n - n % 4, n):
        for k in range(depth):
            out[i] += rows[i, k] * rows[i, k]
    return out


@compiled
def matrix_vector_product(matrix, vector):
    """Compute sum_k matrix_ik vector_k (m,), added in the order of k."""
    out = np.zeros(len(matrix))
    for i in range(len(matrix)):
        for k in range(len(vector)):
            out[i] += matrix[i, k] * vector[k]
    return out


@compiled
def column_products(left, right):
    """Compute sum_i left_ik right_ik (k,), added in the order of i."""
    out = np.zeros(left.shape[1])
    for i in range(left.shape[0]):
        for k in range(left.shape[1]):
            out[k] += left[i, k] * right[i, k]
    return out


@compiled
def add_product(left, across, first, last, width, out):
    """Add left (m, k) times across (k, n), rows first..last - 1 and the first `width` columns."""
    for begin in range(0, width, WIDTH):
        end = min(begin + WIDTH, width)
        for i in range(first, last - 3, 4):
            add_four_rows(left, across, i, begin, end, out)
        for i in range(last - (last - first) % 4, last):
            add_terms(left, across, i, 0, begin, end, out)


@inlined
def add_four_rows(left, across, i, begin, end, out):
    """Compute rows i..i + 3 of a product, four terms at a time, to reuse `across`."""
    a, b, c, d = left[i], left[i + 1], left[i + 2], left[i + 3]
    e, f, g, h = (
        out[i, begin:end],
        out[i + 1, begin:end],
        out[i + 2, begin:end],
        out[i + 3, begin:end],
    )
    for k in range(0, left.shape[1] - 3, 4):
        a0, a1, a2, a3 = a[k], a[k + 1], a[k + 2], a[k + 3]
        b0, b1, b2, b3 = b[k], b[k + 1], b[k + 2], b[k + 3]
        c0, c1, c2, c3 = c[k], c[k + 1], c[k + 2], c[k + 3]
        d0, d1, d2, d3 = d[k], d[k + 1], d[k + 2], d[k + 3]
        p, q = across[k, begin:end], across[k + 1, begin:end]
        r, s = across[k + 2, begin:end], across[k + 3, begin:end]
        for j in range(end - begin):
            w, x, y, z = p[j], q[j], r[j], s[j]
            e[j] = (((e[j] + a0 * w) + a1 * x) + a2 * y) + a3 * z
            f[j] = (((f[j] + b0 * w) + b1 * x) + b2 * y) + b3 * z
            g[j] = (((g[j] + c0 * w) + c1 * x) + c2 * y) + c3 * z
            h[j] = (((h[j] + d0 * w) + d1 * x) + d2 * y) + d3 * z
    for row in range(i, i + 4):
        add_terms(left, across, row, left.shape[1] - left.shape[1] % 4, begin, end, out)


@inlined
def add_terms(left, across, row, term, begin, end, out):
    """Add the terms of a product from `term` on, in one row."""
    own = out[row, begin:end]
    for k in range(term, left.shape[1]):
        a, other = left[row, k], across[k, begin:end]
        for j in range(end - begin):
            own[j] += a * other[j]


@inlined
def exponential(x):
    """Compute exp(x) to one unit in the last place; 0 below -708 and for NaN, exp(709) above 709.

    x = k ln 2 + r with |r| <= ln(2)/2, and a Taylor series for exp(r), suited to vector
    instructions.
    """
    inside = x if x > LOWEST else LOWEST
    inside = inside if inside < HIGHEST else HIGHEST
    shifted = inside * PER_LN2 + NEAREST  # its last bits hold k
    k = shifted - NEAREST
    r = (inside - k * LN2_HIGH) - k * LN2_LOW
    p = SERIES[11]
    for j in range(10, -1, -1):
        p = SERIES[j] + r * p
    value = 1.0 + (r + r * r * p)
    power = np.float64(shifted).view(np.int64) + np.int64(1023)
    scale = np.int64(power << np.int64(52)).view(np.float64)
    return value * scale if x > LOWEST else 0.0


@inlined
def logarithm(x):
    """Compute ln(x) of a positive number to one unit in the last place; -inf for 0.

    x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and a polynomial of s = f / (2 + f) (fdlibm's
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
    """Replace numbers (m, n) by their exponentials."""
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            values[i, j] = exponential(values[i, j])


@compiled
def logarithms(values):
    """Compute natural logarithms (n,) of numbers (n,) that are not negative."""
    out = np.empty(len(values))
    for i in range(len(values)):
        out[i] = logarithm(np.float64(values[i]))
    return out
