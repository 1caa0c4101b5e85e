"""The Bayesian signed-rank statistic by its definition: a loop over all pairs of differences."""

from fractions import Fraction


def walsh_fractions(weights, places, rope):
    """Weights of the pairs below, in and above the region of practical equivalence."""
    below = within = above = Fraction(0)
    for w_i, z_i in zip(weights, places, strict=True):
        for w_j, z_j in zip(weights, places, strict=True):
            if z_i + z_j < -2 * rope:
                below += w_i * w_j
            elif z_i + z_j > 2 * rope:
                above += w_i * w_j
            else:
                within += w_i * w_j
    return below, within, above
