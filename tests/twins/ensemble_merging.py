"""Slow twin of the merging of answers: ranks, shares and counts in fractions, one by one."""

from fractions import Fraction


def mean_ranks(orders, p):
    """Mean rank of each feature; those that an order leaves out share the mean of the rest."""
    means = []
    for f in range(p):
        total = Fraction(0)
        for order in orders:
            if f in order:
                total += order.index(f) + 1
            else:
                rest = range(len(order) + 1, p + 1)
                total += Fraction(sum(rest), len(rest))
        means.append(total / len(orders))
    return means


def by_rank(orders, p):
    """All features by the mean rank, then the lower index."""
    means = mean_ranks(orders, p)
    return sorted(range(p), key=lambda f: (means[f], f))


def mean_shares(importances):
    """Mean of each importance divided by the sum of the magnitudes."""
    p = len(importances[0])
    means = []
    for f in range(p):
        total = Fraction(0)
        for values in importances:
            whole = sum(abs(Fraction(v)) for v in values)
            total += Fraction(values[f]) / whole if whole else 0
        means.append(total / len(importances))
    return means


def by_weight(importances, orders, p):
    """All features by the mean share, then the mean rank, then the lower index."""
    shares, means = mean_shares(importances), mean_ranks(orders, p)
    return sorted(range(p), key=lambda f: (-shares[f], means[f], f))


def by_frequency(orders, p, size):
    """The `size` features in most of the heads, then by the mean rank, then the lower index."""
    means = mean_ranks(orders, p)
    times = [sum(f in order[:size] for order in orders) for f in range(p)]
    return sorted(range(p), key=lambda f: (-times[f], means[f], f))[:size]
