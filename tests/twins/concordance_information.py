"""Slow twin of information from concordance: loops over the pairs, exact residuals."""

from fractions import Fraction
from math import log


def residuals(times, events):
    """Events less what was expected of each row (Nelson and Aalen), as fractions."""
    out = []
    for t, event in zip(times, events, strict=True):
        hazard = Fraction(0)
        for u in {u for u, e in zip(times, events, strict=True) if e and u <= t}:
            deaths = sum(v == u and e for v, e in zip(times, events, strict=True))
            hazard += Fraction(deaths, sum(v >= u for v in times))
        out.append(int(event) - hazard)
    return out


def comparable(times, events):
    """The pairs (i, j) where i is known to have its event before j."""
    n = len(times)
    return [
        (i, j)
        for i in range(n)
        for j in range(n)
        if events[i] and (times[i] < times[j] or (times[i] == times[j] and not events[j]))
    ]


def of_levels(x, times, events):
    """Concordance of levels, each pair ordered by the mean residuals of the other rows."""
    r = residuals(times, events)
    right = Fraction(0)
    pairs = comparable(times, events)
    for i, j in pairs:
        means = []
        for one in (i, j):
            others = [r[k] for k in range(len(x)) if x[k] == x[one] and k != one]
            means.append(sum(others) / len(others) if others else Fraction(0))
        tie = x[i] == x[j] or means[0] == means[1]
        right += Fraction(1, 2) if tie else Fraction(means[0] > means[1])
    return right / len(pairs)


def of_numbers(x, times, events):
    """Harrell's concordance of a column."""
    pairs = comparable(times, events)
    right = sum(Fraction(1, 2) if x[i] == x[j] else Fraction(x[i] > x[j]) for i, j in pairs)
    return right / len(pairs)


def information(c):
    """-(1/2) log(1 - (2 C - 1)^2), with 1e-10 as in familiar."""
    return -0.5 * log(1.0 - float(2 * c - 1) ** 2 + 1e-10)


def of_column(x, levels, times, events):
    """I(x; T); None is missing."""
    if levels:
        return information(max(of_levels(x, times, events), Fraction(1, 2)))
    present = [cell is not None for cell in x]
    if all(present):
        return information(of_numbers(x, times, events))
    x, times_of, events_of = (
        [cell for cell, there in zip(part, present, strict=True) if there]
        for part in (x, times, events)
    )
    known = comparable(times_of, events_of)
    inside = information(of_numbers(x, times_of, events_of)) if known else 0.0
    told = information(max(of_levels(present, times, events), Fraction(1, 2)))
    return max(told, 0.0) + len(x) / len(present) * inside
