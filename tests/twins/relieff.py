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


def happened_until(times, events):
    """1 - S(t) of each row, S the Kaplan-Meier estimate."""
    out = []
    for t in times:
        left = Fraction(1)
        for u in {u for u, event in zip(times, events, strict=True) if event and u <= t}:
            deaths = sum(v == u and e for v, e in zip(times, events, strict=True))
            left *= 1 - Fraction(deaths, sum(v >= u for v in times))
        out.append(1 - left)
    return out


def expected_difference(a, b, a_known, b_known, steps=400):
    """The mean of |u - v|, u = a or in the middles of so many equal steps from a to 1, v alike."""
    middles = [(k + 0.5) / steps for k in range(steps)]
    u, v = (
        [float(x)] if known else [float(x) + float(1 - x) * middle for middle in middles]
        for x, known in ((a, a_known), (b, b_known))
    )
    return sum(abs(x - z) for x in u for z in v) / len(u) / len(v)


def rrelieff(values, nominal, y, neighbors, instances=None, told=None):
    """J(f) of each feature beside a target of numbers, by the definitions; no diff is rounded.

    Or of a target whose rows i, j differ by told(i, j).
    """
    rows, n, p = values.tolist(), len(y), len(nominal)
    columns = [[row[f] for row in rows] for f in range(p)]

    def diff(column, levels, i, j):
        a, b = column[i], column[j]
        if isnan(a) or isnan(b):
            return Fraction(isnan(a) != isnan(b))
        if levels:
            return Fraction(a != b)
        present = [Fraction(cell) for cell in column if not isnan(cell)]
        span = max(present) - min(present)
        return abs(Fraction(a) - Fraction(b)) / span if span else Fraction(0)

    instances = range(n) if instances is None else instances
    differing, apart, together = Fraction(0), [Fraction(0)] * p, [Fraction(0)] * p
    k = min(neighbors, n - 1)
    for i in instances:
        diffs = {j: [diff(columns[f], nominal[f], i, j) for f in range(p)] for j in range(n)}
        others = sorted((sum(diffs[j]), j) for j in range(n) if j != i)
        farthest = others[k - 1][0]
        nearer = [j for away, j in others if away < farthest]
        level = [j for away, j in others if away == farthest]
        shares = dict.fromkeys(nearer, Fraction(1))
        shares |= dict.fromkeys(level, Fraction(k - len(nearer), len(level)))
        for j, share in shares.items():
            away = share / k * (diff(y, False, i, j) if told is None else told(i, j))
            differing += away
            for f in range(p):
                apart[f] += share / k * diffs[j][f]
                together[f] += away * diffs[j][f]
    same = len(instances) - differing
    where = [total / differing if differing else 0 for total in together]
    rest = [(apart[f] - together[f]) / same if same else 0 for f in range(p)]
    return [float(own - other) for own, other in zip(where, rest, strict=True)]
