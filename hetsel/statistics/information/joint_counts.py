"""Counts of two discrete columns at a time, summed as n log n; plain arrays in and out.

Counts are whole numbers, and so is the table of n log n (in steps of 2^-32): the sums are exact,
in whatever order the rows and the levels come.
"""

from functools import lru_cache

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part

STEP = 2.0**32
BYTE = 256


@lru_cache(maxsize=4)
def x_log_x(n: int) -> np.ndarray:
    """Table (n + 1,) of rint(2^32 k log k), k = 0..n, as int64."""
    k = np.arange(n + 1, dtype=np.longdouble)
    k[0] = 1.0  # 0 log 0 is 0, as 1 log 1
    table = np.rint(k * np.log(k) * STEP).astype(np.int64)
    table.flags.writeable = False
    return table


@compiled
def joint_sums(cells, levels, wanted, other, width, table, out):
    """out (p,): sum of n_ab log n_ab over the levels a of each wanted feature and b of other.

    cells (p, n) and levels (p,) are those of `Codes`; other (n,) has codes 0..width-1; table is
    `x_log_x`.
    """
    n = len(other)
    roomy = 2 * n // max(width, 1)  # features of no more levels than this have a full table
    stride = 1
    for f in wanted:
        if levels[f] <= roomy:
            stride = max(stride, levels[f])
    size = width * stride
    counts = np.zeros((4, max(size, BYTE)), dtype=np.int32)
    scaled = (other * stride).astype(np.uint32)
    small = scaled.astype(np.uint8)
    words = np.zeros((n + 7) // 8, dtype=np.uint64)
    octets = words.view(np.uint8)
    octets[n:] = BYTE - 1
    rows, starts = by_level(other, width)
    deepest = 1
    for f in wanted:
        deepest = max(deepest, levels[f])
    single = np.zeros(deepest, dtype=np.int32)
    for f in wanted:
        if levels[f] > roomy:
            out[f] = sparse_sum(cells[f], rows, starts, single, table)
        elif size < BYTE:  # the last of the octets stands for no cell
            column = cells[f]
            for i in range(n):
                octets[i] = small[i] + np.uint8(column[i])
            count_octets(words, counts)
            out[f] = drained(levels[f], stride, counts[0, :size], table)
        else:
            for i in range(n):
                counts[0, scaled[i] + np.uint32(cells[f, i])] += 1
            out[f] = drained(levels[f], stride, counts[0, :size], table)


@compiled_part
def count_octets(words, counts):
    """Count eight numbers below 256 in each word, into counts[0].

    Four tables take them in turn, so that numbers in a row do not wait for the same cell.
    """
    c0, c1, c2, c3 = counts[0], counts[1], counts[2], counts[3]
    octet = np.uint64(BYTE - 1)
    for word in words:
        c0[word & octet] += 1
        c1[(word >> np.uint64(8)) & octet] += 1
        c2[(word >> np.uint64(16)) & octet] += 1
        c3[(word >> np.uint64(24)) & octet] += 1
        c0[(word >> np.uint64(32)) & octet] += 1
        c1[(word >> np.uint64(40)) & octet] += 1
        c2[(word >> np.uint64(48)) & octet] += 1
        c3[word >> np.uint64(56)] += 1
    for k in range(BYTE):
        c0[k] += c1[k] + c2[k] + c3[k]
        c1[k] = 0
        c2[k] = 0
        c3[k] = 0


@compiled_part
def drained(depth, stride, counts, table):
    """Sum of n log n over a table of counts, `depth` of every `stride`; leaves zeros."""
    total = np.int64(0)
    for start in range(0, len(counts), stride):
        for k in range(start, start + depth):
            total += table[counts[k]]
            counts[k] = 0
    return total


@compiled_part
def sparse_sum(column, rows, starts, single, table):
    """The same in the memory of one column, for tables that are large and nearly empty."""
    total = np.int64(0)
    for b in range(len(starts) - 1):
        for place in range(starts[b], starts[b + 1]):
            single[column[rows[place]]] += 1
        for place in range(starts[b], starts[b + 1]):
            level = column[rows[place]]
            total += table[single[level]]
            single[level] = 0
    return total


@compiled_part
def by_level(codes, width):
    """Rows in the order of their code, and where each code starts."""
    starts = np.zeros(width + 1, dtype=np.int64)
    for i in range(len(codes)):
        starts[codes[i] + 1] += 1
    for b in range(width):
        starts[b + 1] += starts[b]
    rows = np.empty(len(codes), dtype=np.int64)
    free = starts[:-1].copy()
    for i in range(len(codes)):
        rows[free[codes[i]]] = i
        free[codes[i]] += 1
    return rows, starts
