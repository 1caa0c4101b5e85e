"""Concordance by its definition: every pair of rows, in fractions where the weights are whole."""

from fractions import Fraction


def comparable(times, events, i, j):
    return events[i] and (times[i] < times[j] or (times[i] == times[j] and not events[j]))


def concordance_fraction(times, events, risk, weights=None, pair_weights=None):
    """The share of comparable pairs in the right order, None without one."""
    m = len(times)
    w = weights if weights is not None else [1] * m
    u = pair_weights if pair_weights is not None else [1] * m
    right, total = Fraction(0), Fraction(0)
    for i in range(m):
        for j in range(m):
            if i != j and comparable(times, events, i, j):
                pair = Fraction(float(u[i])) * Fraction(float(w[i])) * Fraction(float(w[j]))
                total += pair
                right += pair * ((risk[i] > risk[j]) + Fraction(int(risk[i] == risk[j]), 2))
    return right / total if total else None
