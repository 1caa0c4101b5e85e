"""Wilcoxon's signed-rank test by its definition, in fractions: sums of signed ranks counted."""

from collections import Counter
from fractions import Fraction


def signed_rank_fraction(differences):
    """Two-sided p-value given zeros and ties: the share of signs as far from even, or farther."""
    kept = [d for d in differences if d != 0]
    sizes = sorted(abs(d) for d in kept)
    ranks = []
    for d in kept:
        places = [place for place, size in enumerate(sizes, 1) if size == abs(d)]
        ranks.append(Fraction(sum(places), len(places)))
    sums = Counter({Fraction(0): 1})
    for rank in ranks:
        grown = Counter()
        for total, number in sums.items():
            grown[total + rank] += number
            grown[total - rank] += number
        sums = grown
    found = abs(sum(rank if d > 0 else -rank for d, rank in zip(kept, ranks, strict=True)))
    far = sum(number for total, number in sums.items() if abs(total) >= found)
    return Fraction(far, 2 ** len(kept))
