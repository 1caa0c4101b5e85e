"""Slow twins of binning, information by counts and the greedy criteria: loops by definition."""

from fractions import Fraction
from itertools import pairwise
from math import log, sqrt


def bins_by_frequency(column, bins):
    """Bin of each cell as a number that grows with the cell; None (missing) is a bin of its own."""
    present = [x for x in column if x is not None]
    if len(set(present)) <= bins:
        return list(column)
    out = []
    for x in column:
        if x is None:
            out.append(None)
            continue
        below, equal = sum(v < x for v in present), present.count(x)
        out.append(place(Fraction(2 * below + equal, 2 * len(present)) * bins, bins))
    return out


def bins_by_width(column, bins):
    """The same with bins of equal width; cells are whole numbers."""
    present = [x for x in column if x is not None]
    if len(set(present)) <= bins:
        return list(column)
    low, high = min(present), max(present)
    return [
        None if x is None else place(Fraction(x - low, high - low) * bins, bins) for x in column
    ]


def place(position, bins):
    """The middle of the bin of a position; on an edge of the bin nearer to the middle."""
    if position.denominator > 1:
        return Fraction(position.numerator // position.denominator) + Fraction(1, 2)
    if 2 * position == bins:
        return position
    return position + Fraction(1, 2) if 2 * position < bins else position - Fraction(1, 2)


def count(keys):
    """Rows of each key."""
    out = {}
    for key in keys:
        out[key] = out.get(key, 0) + 1
    return out


def entropy(x):
    """-sum p log p of a column."""
    return -sum(k / len(x) * log(k / len(x)) for k in count(x).values())


def information(x, y):
    """sum p_ab log(p_ab / (p_a p_b)) of two columns of any hashable cells."""
    n, a, b = len(x), count(x), count(y)
    pairs = count(list(zip(x, y, strict=True)))
    return sum(k / n * log(n * k / (a[u] * b[v])) for (u, v), k in pairs.items())


def conditional(x, y, z):
    """I(x; y | z), a mean over the levels of z."""
    total = 0.0
    for level, size in count(z).items():
        rows = [i for i in range(len(z)) if z[i] == level]
        total += size / len(z) * information([x[i] for i in rows], [y[i] for i in rows])
    return total


def both(*columns):
    """Several columns as one."""
    return list(zip(*columns, strict=True))


def mrmr_sum(f, chosen, y):
    return information(f, y) - sum(information(f, s) for s in chosen)


def mrmr(f, chosen, y):
    redundancy = [information(f, s) for s in chosen]
    return information(f, y) - (sum(redundancy) / len(chosen) if chosen else 0.0)


def mrmr_quotient(f, chosen, y):
    redundancy = [information(f, s) for s in chosen]
    return information(f, y) / (max(sum(redundancy) / len(chosen), 1e-3) if chosen else 1.0)


def jmi(f, chosen, y):
    return sum(information(both(f, s), y) for s in chosen) if chosen else information(f, y)


def cmim(f, chosen, y):
    return min([information(f, y), *[conditional(f, y, s) for s in chosen]])


def uncertainty(a, b):
    total = entropy(a) + entropy(b)
    return 2.0 * information(a, b) / total if total else 0.0


def cfs(f, chosen, y):
    subset = [*chosen, f]
    k = len(subset)
    r_cf = sum(uncertainty(a, y) for a in subset) / k
    between = [uncertainty(subset[i], subset[j]) for i in range(k) for j in range(i)]
    r_ff = sum(between) / len(between) if between else 0.0
    return k * r_cf / sqrt(k + k * (k - 1) * r_ff)


def mi_forward(f, chosen, y):
    return information(both(*chosen, f), y)


def greedy(columns, y, criterion, depth):
    """Order and criterion of each feature; ties to the larger I(f; y) where a criterion asks it."""
    left, order, values = list(range(len(columns))), [], {}
    while left:
        if len(order) < depth:
            chosen = [columns[s] for s in order]
            values |= {f: round(criterion(columns[f], chosen, y), 6) for f in left}
        second = {f: 0.0 for f in left}
        if criterion is mi_forward:
            second = {f: round(information(columns[f], y), 6) for f in left}
        best = max(left, key=lambda f: (values[f], second[f], -f))
        order.append(best)
        left.remove(best)
    return order, [values[f] for f in range(len(columns))]


def backward(columns, y):
    """Order of the backward ranking, best first."""
    left, dropped = list(range(len(columns))), []
    alone = [round(information(c, y), 6) for c in columns]
    while left:
        kept = {}
        for f in left:
            rest = [columns[s] for s in left if s != f]
            kept[f] = round(information(both(*rest), y), 6) if rest else 0.0
        worst = max(left, key=lambda f: (kept[f], -alone[f], f))
        left.remove(worst)
        dropped.append(worst)
    return dropped[::-1]


def same_partition(a, b):
    """Whether two columns of codes part the rows in the same way."""
    return len(count(a)) == len(count(b)) == len(count(both(a, b)))


def ascending(codes, column):
    """Whether codes grow with the cells of a column without missing cells."""
    ordered = [c for _, c in sorted(zip(column, codes, strict=True))]
    return all(a <= b for a, b in pairwise(ordered))
