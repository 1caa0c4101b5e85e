"""Effects of two methods by their definitions: every sign counted, every pair compared."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import sqrt


def signed_rank_tail(n, total):
    """P(V <= total) of n differences, by all 2^n signs."""
    sums = Counter(
        sum(rank for rank, sign in enumerate(signs, 1) if sign)
        for signs in product((0, 1), repeat=n)
    )
    return Fraction(sum(times for value, times in sums.items() if value <= total), 2**n)


def walsh_interval(differences, alpha):
    """Centers that the signed-rank test does not reject: their closure, and what it covers.

    The test of a center rejects if no more than `c - 1` of the Walsh averages lie on one side of
    it, where c - 1 is the largest sum of ranks whose tail is at most half of alpha. If there is
    none, it rejects what lies outside of all averages.
    """
    z = [Fraction(d) for d in differences]
    averages = sorted((a + b) / 2 for a, b in combinations_with_replacement(z, 2))
    n = len(z)
    tails = [t for t in range(len(averages)) if signed_rank_tail(n, t) <= Fraction(alpha) / 2]
    most = max(tails, default=0)
    kept = [
        center
        for center in averages
        if sum(a <= center for a in averages) > most and sum(a >= center for a in averages) > most
    ]
    return min(kept), max(kept), 1 - 2 * signed_rank_tail(n, most)


def pooled(x, y, spread):
    return sqrt((spread(x) ** 2 + spread(y) ** 2) / 2)


def middle(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def deviation(values):
    mean = sum(values) / len(values)
    return sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))


def absolute_deviation(values):
    return 1.4826 * middle([abs(v - middle(values)) for v in values])


def effects(x, y):
    """Cohen's d, its variant with medians, and Cliff's delta."""
    means = sum(x) / len(x) - sum(y) / len(y)
    wins = sum((a > b) - (a < b) for a in x for b in y)
    return (
        means / pooled(x, y, deviation),
        (middle(x) - middle(y)) / pooled(x, y, absolute_deviation),
        wins / (len(x) * len(y)),
    )
