"""Slow twins of the rules on columns that mislead: loops in fractions."""

from fractions import Fraction
from itertools import combinations, permutations


def balanced(truth, guess):
    """Mean over classes of the share of their rows that is guessed."""
    classes = sorted(set(truth))
    shares = []
    for c in classes:
        own = [g == c for t, g in zip(truth, guess, strict=True) if t == c]
        shares.append(Fraction(sum(own), len(own)))
    return sum(shares) / len(classes)


def best_cuts(values, truth):
    """The best balanced rate of intervals, one for each class, over all cuts and orders."""
    classes = sorted(set(truth))
    distinct = sorted(set(values))[:-1]
    best = Fraction(0)
    for cuts in combinations(distinct, len(classes) - 1):
        interval = [sum(value > cut for cut in cuts) for value in values]
        for order in permutations(classes):
            best = max(best, balanced(truth, [order[k] for k in interval]))
    return best


def by_other_rows(levels, truth):
    """Balanced rate of guesses of each row by the other rows of its level."""
    size = {c: truth.count(c) for c in truth}
    guess = []
    for i, level in enumerate(levels):
        others = [truth[k] for k in range(len(truth)) if levels[k] == level and k != i]
        votes = {c: Fraction(others.count(c), size[c]) for c in size}
        most = max(votes.values())
        leading = [c for c in votes if votes[c] == most > 0]
        guess.append(leading[0] if len(leading) == 1 else None)
    return balanced(truth, guess)


def far_cells(values, share=8):
    """Fewest cells at the ends, one or 1 %, without which the range is 1/share; None if none are.

    As (cells, share of the range that is left); the gaps are as wide as the range that is left.
    """
    x = sorted(map(Fraction, values))
    most = max(1, len(x) // 100)
    found = []
    for low in range(most + 1):
        for high in range(most + 1 - low):
            rest = x[low : len(x) - high]
            width = rest[-1] - rest[0]
            fits = low + high > 0 and 0 < width * share <= x[-1] - x[0]
            fits = fits and (low == 0 or x[low] - x[low - 1] >= width)
            if fits and (high == 0 or x[-high] - x[-high - 1] >= width):
                found.append((low + high, width / (x[-1] - x[0])))
    return min(found, default=None)


def chance_of_hits(guess, truth):
    """Share of the orders of the classes with as many hits of a guess in every class, or more."""

    def hits(order):
        pairs = list(zip(guess, order, strict=True))
        return [sum(g == t == c for g, t in pairs) for c in sorted(set(truth))]

    least = hits(truth)
    orders = set(permutations(truth))
    good = [all(h >= k for h, k in zip(hits(o), least, strict=True)) for o in orders]
    return Fraction(sum(good), len(orders))
