"""The searches of somol2011, section 1.2.2, by sets and loops; every step looks at all candidates.

A value is a function of a frozenset; candidates are tried in the order of the features, and the
first of the largest value is taken.
"""

from fractions import Fraction
from itertools import combinations
from statistics import median


def add(value, p, subset, c=1):
    """ADD_c: None where there are too few features left."""
    outside = [f for f in range(p) if f not in subset]
    options = [subset | set(t) for t in combinations(outside, c)]
    return max(options, key=value, default=None)


def remove(value, p, subset, c=1):
    """RMV_c: None where no feature would be left."""
    if len(subset) <= c:
        return None
    options = [subset - set(t) for t in combinations(sorted(subset), c)]
    return max(options, key=value)


def early_stopped(value, p, subset, move, goes_on, c=1):
    """Every subset of a sequential search that ends where its next step is no gain."""
    stood = [subset] if subset else []
    while (found := move(value, p, subset, c)) is not None:
        if subset and not goes_on(value(found), value(subset)):
            break
        stood.append(subset := found)
    return stood


def forward_floating(value, p, most, c=1):
    """Every subset that SFFS stood on."""
    subset, best, stood = frozenset(), {}, []
    while True:
        subset = add(value, p, subset, c) if len(subset) + c <= most else None
        if subset is None:
            return stood
        while True:
            stood.append(subset)
            best[len(subset)] = max(best.get(len(subset), value(subset)), value(subset))
            smaller = remove(value, p, subset, c)
            known = None if smaller is None else best.get(len(smaller))
            if smaller is None or (known is not None and value(smaller) <= known):
                break
            subset = smaller


def backward_floating(value, p, least, c=1):
    """Every subset that SBFS stood on."""
    subset = frozenset(range(p))
    best, stood = {p: value(subset)}, [subset]
    while len(subset) - c >= least:
        subset = remove(value, p, subset, c)
        while True:
            stood.append(subset)
            best[len(subset)] = max(best.get(len(subset), value(subset)), value(subset))
            larger = add(value, p, subset, c)
            known = None if larger is None else best.get(len(larger))
            if larger is None or (known is not None and value(larger) <= known):
                break
            subset = larger
    return stood


def oscillating(value, p, start, depth, c=1):
    """The subset that OS ends with."""
    best, delta = start, 1
    while True:
        improved = False
        for away, back in ((remove, add), (add, remove)):
            end = best
            for step in [away] * delta + [back] * delta:
                end = None if end is None else step(value, p, end, c)
            if end is not None and value(end) > value(best):
                best, delta, improved = end, 1, True
                break
        if improved:
            continue
        if delta * c >= depth or (delta + 1) * c > max(len(best) - 1, p - len(best)):
            return best
        delta += 1


def dynamic_oscillating(value, p, start, depth, c=1):
    """The subset that DOS ends with."""
    best, delta = start, 1
    while True:
        improved = False
        for away, back in ((remove, add), (add, remove)):
            at = best
            for step in [away] * delta + [back] * delta:
                at = None if at is None else step(value, p, at, c)
                if at is not None and value(at) > value(best):
                    improved = True
                    break
            if improved:
                best, delta = at, 1
                break
        if improved:
            continue
        if delta * c >= depth or (delta + 1) * c > max(len(best) - 1, p - len(best)):
            return best
        delta += 1


def votes(values, how):
    """Mean vote of each candidate (Eq. 15 to 19, remark 3.1, section 5), exact.

    `values` has a row for each candidate and a column for each member of the ensemble.
    """
    trimmed, name = how.startswith("trimmed-"), how.removeprefix("trimmed-")
    short = []
    for column in (list(map(Fraction, member)) for member in zip(*values, strict=True)):
        descending = sorted(column, reverse=True)
        places = {v: [j + 1 for j, w in enumerate(descending) if w == v] for v in column}
        of = {
            "order": lambda v, column=column: 1 + len({w for w in column if w > v}),
            "median": lambda v, places=places: median(map(Fraction, places[v])),
            "weighted": lambda v, column=column: max(column) - v,
        }[name]
        short.append([of(v) for v in column])
    rows = [sorted(row)[1:-1] if trimmed else row for row in zip(*short, strict=True)]
    return [-Fraction(sum(row)) / len(row) for row in rows]


def selected(evaluations, tau, secondary):
    """The update sequence of section 2.2.1 after each of (subset, J1), to the letter.

    J1 and tau count as the decimal numbers that they are written as.
    """
    tau = Fraction(str(tau))
    evaluations = [(subset, Fraction(str(value))) for subset, value in evaluations]
    largest = chosen = None
    for subset, value in evaluations:
        if largest is None:
            largest = chosen = (subset, value)
            continue
        if value > largest[1]:
            largest = (subset, value)
            if chosen[1] < (1 - tau) * largest[1] or secondary(chosen[0]) <= secondary(subset):
                chosen = largest
                continue
        one, other = secondary(subset), secondary(chosen[0])
        if value >= (1 - tau) * largest[1] and (
            one > other or (one == other and value > chosen[1])
        ):
            chosen = (subset, value)
    return chosen[0]
