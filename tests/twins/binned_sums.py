"""Sums over binned columns, loops and fractions only."""

from fractions import Fraction


def kernel(a, b, positions, nominal, gap):
    """The clinical kernel of two bins of a column: of levels, of numbers, of a missing cell."""
    if a == gap or b == gap or nominal:
        return Fraction(int(a == b))
    return 1 - abs(Fraction(float(positions[a])) - Fraction(float(positions[b])))


def image(sums, positions, nominal, has_gap):
    """K_f B_f of one column, and B_f' K_f B_f, exact."""
    gap = len(sums) - 1 if has_gap else -1
    sums = [Fraction(float(value)) for value in sums]
    found = [
        sum(kernel(a, b, positions, nominal, gap) * sums[b] for b in range(len(sums)))
        for a in range(len(sums))
    ]
    return found, sum(s * v for s, v in zip(sums, found, strict=True))
