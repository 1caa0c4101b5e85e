"""Slow twin of ReliefF: exact fractions, neighbors by sorting, ties by shares."""

from fractions import Fraction
from math import isnan


def relieff(values, nominal, y, neighbors, instances=None):
    """J(f) of each feature, of the diffs as they are, not rounded."""
    rows, n, p = values.tolist(), len(y), len(nominal)
    present = [[row[f] for row in rows if not isnan(row[f])] or [0.0] for f in range(p)]
    spans = [Fraction(max(column)) - Fraction(min(column)) for column in present]

    def diff(f, a, b):
        if isnan(a) or isnan(b):
            return Fraction(isnan(a) != isnan(b))
        if nominal[f]:
            return Fraction(a != b)
        return abs(Fraction(a) - Fraction(b)) / spans[f] if spans[f] else Fraction(0)

    instances = range(n) if instances is None else instances
    score = [Fraction(0)] * p
    for i in instances:
        diffs = [[diff(f, rows[i][f], rows[j][f]) for f in range(p)] for j in range(n)]
        for c in sorted(set(y)):
            others = sorted((sum(diffs[j]), j) for j in range(n) if y[j] == c and j != i)
            k = min(neighbors, len(others))
            farthest = others[k - 1][0]
            nearer = [j for away, j in others if away < farthest]
            level = [j for away, j in others if away == farthest]
            share = Fraction(k - len(nearer), len(level))
            weight = Fraction(-1) if c == y[i] else Fraction(y.count(c), n - y.count(y[i]))
            for f in range(p):
                total = sum(diffs[j][f] for j in nearer) + share * sum(diffs[j][f] for j in level)
                score[f] += weight * total / k / len(instances)
    return [float(s) for s in score]
