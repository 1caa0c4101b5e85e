"""Slow twin of nearest neighbors: distances as exact fractions, votes by sorting."""

from fractions import Fraction
from math import isnan


def squared_distance(a, b, nominal, lowest, highest):
    """HEOM between two rows as an exact fraction (paul2015, Eq. 9 and 10)."""
    total = Fraction(0)
    for f in range(len(a)):
        if isnan(a[f]) or isnan(b[f]):
            total += isnan(a[f]) != isnan(b[f])
        elif nominal[f]:
            total += a[f] != b[f]
        elif highest[f] > lowest[f]:
            width = Fraction(highest[f]) - Fraction(lowest[f])
            total += ((Fraction(a[f]) - Fraction(b[f])) / width) ** 2
    return total


def nearest_votes(away, classes, neighbors):
    """Votes of each class, that of the nearest row first; rows as far as the k-th share theirs."""
    rows = sorted(range(len(away)), key=lambda j: (away[j], j))
    last = away[rows[:neighbors][-1]]
    nearer = [j for j in rows if away[j] < last]
    level = [j for j in rows if away[j] == last]
    share = Fraction(min(neighbors, len(rows)) - len(nearer), len(level))
    votes = dict.fromkeys((classes[j] for j in nearer + level), Fraction(0))
    for j in nearer + level:
        votes[classes[j]] += 1 if away[j] < last else share
    return votes


def winner_of(votes):
    """The class with most votes; of several the one whose nearest row is nearer."""
    return max(votes, key=votes.__getitem__)


def nearest_weights(away, neighbors):
    """Weight of each row, 1 for the k nearest; rows as far as the k-th share theirs."""
    rows = sorted(range(len(away)), key=away.__getitem__)
    last = away[rows[:neighbors][-1]]
    nearer = [j for j in rows if away[j] < last]
    level = [j for j in rows if away[j] == last]
    share = Fraction(min(neighbors, len(rows)) - len(nearer), len(level))
    return [Fraction(1) if d < last else share if d == last else Fraction(0) for d in away]


def weighted_mean(weights, values):
    """Mean of some numbers as a fraction."""
    total = sum((w * Fraction(v) for w, v in zip(weights, values, strict=True)), Fraction(0))
    return total / sum(weights)


def mortality(weights, times, events, every_time):
    """Nelson-Aalen estimate of the cumulative hazard, summed over all of some times."""
    rows = [j for j in range(len(times)) if weights[j]]
    total = Fraction(0)
    for until in every_time:
        for s in {times[j] for j in rows if events[j] and times[j] <= until}:
            died = sum(weights[j] for j in rows if events[j] and times[j] == s)
            total += died / sum(weights[j] for j in rows if times[j] >= s)
    return total
