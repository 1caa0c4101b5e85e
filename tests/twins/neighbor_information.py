"""Slow twin of information by nearest neighbors: all pairs of rows, by definition."""

import math

from scipy.special import digamma


def distance(a, b, levels):
    """Distance of two cells; None is missing."""
    if a is None or b is None or levels:
        return 0 if a == b else math.inf
    return abs(a - b)


def information(x, y, x_levels, y_levels, k):
    """Mutual information of two columns of whole numbers or levels, not bounded by anything."""
    n = len(x)
    total = 0.0
    for i in range(n):
        dx = [distance(x[i], x[j], x_levels) for j in range(n)]
        dy = [distance(y[i], y[j], y_levels) for j in range(n)]
        joint = [max(a, b) for a, b in zip(dx, dy, strict=True)]
        others = sorted(joint[j] for j in range(n) if j != i and joint[j] < math.inf)
        if x_levels and y_levels:
            radius = 0
        elif not others:
            continue
        else:
            radius = others[min(k, len(others)) - 1]
        if radius == 0:
            near, around = joint.count(0), [dx.count(0), dy.count(0)]
        else:
            near = sum(d <= radius for d in joint) - 1
            around = [
                max(sum(d < radius for d in side), sum(d <= radius for d in side) - 1)
                for side in (dx, dy)
            ]
        total += digamma(n) + digamma(near) - digamma(around[0]) - digamma(around[1])
    return total / n
