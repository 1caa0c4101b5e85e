"""Slow twins of the measures of stability: the definitions, pair by pair, in fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np


def kuncheva_fraction(subsets, p):
    """paul2015, Eq. 13."""
    pairs = list(combinations([set(subset) for subset in subsets], 2))
    s = Fraction(len(subsets[0]))
    return sum((len(a & b) - s**2 / p) / (s - s**2 / p) for a, b in pairs) / len(pairs)


def cw_fraction(subsets, p):
    counts = [sum(f in subset for subset in subsets) for f in range(p)]
    total, k = sum(counts), len(subsets)
    return sum(Fraction(c, total) * Fraction(c - 1, k - 1) for c in counts)


def cw_rel_fraction(subsets, p):
    """The bounds by construction: occurrences dealt out as evenly, and as unevenly, as can be."""
    total, k = sum(map(len, subsets)), len(subsets)

    def consistency(counts):
        return sum(Fraction(c, total) * Fraction(c - 1, k - 1) for c in counts)

    even = [total // p + (f < total % p) for f in range(p)]
    uneven = [k] * (total // k) + [total % k]
    least, most = consistency(even), consistency(uneven)
    found = cw_fraction(subsets, p)
    return found if least == most else (found - least) / (most - least)


def ati_fraction(subsets, p):
    pairs = list(combinations([set(subset) for subset in subsets], 2))
    return sum(Fraction(len(a & b), len(a | b)) if a | b else 1 for a, b in pairs) / len(pairs)


def nogueira_fraction(subsets, p):
    """Definition 4: unbiased variances of the selection of a feature, against their mean."""
    k = len(subsets)
    shares = [Fraction(sum(f in subset for subset in subsets), k) for f in range(p)]
    mean = sum(shares) / p
    variance = sum(Fraction(k, k - 1) * share * (1 - share) for share in shares) / p
    return 1 - variance / (mean * (1 - mean))


def nogueira_variance_fraction(subsets, p):
    """Theorem 7, term by term."""
    k = len(subsets)
    shares = [Fraction(sum(f in subset for subset in subsets), k) for f in range(p)]
    mean = sum(shares)
    phi = nogueira_fraction(subsets, p)
    parts = []
    for subset in subsets:
        size = len(subset)
        part = sum(shares[f] for f in subset) / p - size * mean / p**2
        part += phi / 2 * (2 * size * mean / p**2 - Fraction(size, p) - mean / p + 1)
        parts.append(part / (mean / p * (1 - mean / p)))
    center = sum(parts) / k
    return Fraction(4, k**2) * sum((part - center) ** 2 for part in parts)


def random_subsets(rng, k, p, size=None):
    """K random subsets, of one size or of sizes from 0 to p - 1 (one at least is not empty)."""
    sizes = np.full(k, size) if size else np.append(1, rng.integers(0, p, k - 1))
    return [np.sort(rng.permutation(p)[:n]).tolist() for n in sizes]
