"""Skillings and Mack's test by its definition: loops over blocks, methods and all permutations.

The smallest rank is that of the smallest score here, and None is a gap.
"""

from itertools import permutations, product
from math import sqrt


def ranks_by_counting(block):
    there = [x for x in block if x is not None]
    ranks = []
    for x in block:
        if x is None:
            ranks.append(None)
        else:
            ranks.append(sum(y < x for y in there) + (sum(y == x for y in there) + 1) / 2)
    return ranks


def adjusted_sums(ranked):
    sums = [0.0] * len(ranked[0])
    for ranks in ranked:
        count = sum(r is not None for r in ranks)
        for j, r in enumerate(ranks):
            filled = (count + 1) / 2 if r is None else r
            sums[j] += sqrt(12 / (count + 1)) * (filled - (count + 1) / 2)
    return sums


def statistic(ranked):
    """A' S^- A, the last method left out: S has no full rank, and A adds up to 0."""
    k = len(ranked[0])
    sums = adjusted_sums(ranked)[: k - 1]
    matrix = [[0.0] * (k - 1) for _ in range(k - 1)]
    for ranks in ranked:
        for i in range(k - 1):
            for j in range(k):
                if i != j and ranks[i] is not None and ranks[j] is not None:
                    matrix[i][i] += 1
                    if j < k - 1:
                        matrix[i][j] -= 1
    return sum(a * e for a, e in zip(sums, solved(matrix, sums), strict=True))


def solved(matrix, right):
    """Gauss, with the largest pivot."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def permutation_share(blocks):
    """Share of all orders within the blocks that have so large a statistic."""
    ranked = [ranks_by_counting(block) for block in blocks]
    found = statistic(ranked)
    choices = []
    for ranks in ranked:
        there = [j for j, r in enumerate(ranks) if r is not None]
        orders = []
        for order in permutations(ranks[j] for j in there):
            row = [None] * len(ranks)
            for j, r in zip(there, order, strict=True):
                row[j] = r
            orders.append(row)
        choices.append(orders)
    values = [statistic(one) for one in product(*choices)]
    return sum(value > found - 1e-9 for value in values) / len(values)
