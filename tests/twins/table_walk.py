"""A walk among tables of given margins, one count of one cell at a time to look at."""

from math import exp, lgamma


def walked(table, level, uniforms, scales):
    """The table after steps (s, 4) that never go below the level of sum log t_ij!."""
    table = [[int(count) for count in row] for row in table]
    for first, second, third, fourth in uniforms:
        pairs = [[(a, b) for a in range(m) for b in range(m) if b != a] for m in shape(table)]
        i, k = pairs[0][int(first * len(pairs[0]))]
        j, h = pairs[1][int(second * len(pairs[1]))]
        move = [2**e for e in range(scales)][int(third * scales)]
        other = [row.copy() for row in table]
        for a, b, sign in ((i, j, -1), (k, h, -1), (i, h, 1), (k, j, 1)):
            other[a][b] += sign * move
        if min(map(min, other)) < 0 or height(other) < level:
            continue
        if fourth < exp(height(table) - height(other)):
            table = other
    return table


def height(table):
    return sum(lgamma(count + 1) for row in table for count in row)


def shape(table):
    return len(table), len(table[0])
