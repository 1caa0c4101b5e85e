"""Adjust p-values for several tests, and define the region of practical equivalence.

Holm's adjustment is implemented here, since that of statsmodels collects the garbage of the whole
process at each call (0.2 s); the digits are the same.

Notation of the Bayesian comparisons of two methods. z_1, ..., z_n are differences of their scores,
first minus second. The region of practical equivalence is [-rope, rope], with its ends up to
rounding; methods that differ by no more count as equal. Three probabilities add up to 1: the second
method is better (left), the two are equivalent, the first is better (right); Benavoli, Corani,
Demsar & Zaffalon (2017) Journal of Machine Learning Research 18(77).
"""

from collections.abc import Sequence
from itertools import count
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground import TableError, between_0_and_1, is_number

ROPE = 0.01  # the 1% of Benavoli et al. (2017), for scores between 0 and 1


def holm(pvalues: ArrayLike) -> NDArray[np.float64]:
    """Adjust p-values by Holm's procedure; NaN stays NaN and does not count."""
    corrected = np.array(pvalues, dtype=np.float64)
    order = np.argsort(corrected, kind="stable")[: (~np.isnan(corrected)).sum()]  # NaN is last
    times = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(corrected[order] * times), 1.0)
    return corrected


def level_of_families(
    families: Sequence[ArrayLike], least: Sequence[float], *, level: float = 0.05
) -> float:
    """The level of each family of tests, so that all families together hold `level`.

    Holm's procedure with families in place of hypotheses: m families have the level `level` / m
    each, and one that rejects all that it tests hands its level on to the others. As by Tarone,
    families that cannot reject at `level` / m do not count: m is the least number such that no more
    than m of those left can. A family's p-values are corrected within it; one without any is none.
    `least` has the smallest p-value that each can have, whatever the scores.

    Holm (1979) Scandinavian Journal of Statistics 6, 65-70; Tarone (1990) Biometrics 46, 515-522;
    Bretz, Maurer, Brannath & Posch (2009) Statistics in Medicine 28, 586-604 (handing on).
    """
    level = between_0_and_1("level", level)
    left = [
        (float(np.max(family)), bound)
        for family, bound in zip(families, least, strict=True)
        if np.size(family)
    ]
    while True:
        m = next(m for m in count(1) if sum(bound <= level / m for _, bound in left) <= m)
        kept = [(largest, bound) for largest, bound in left if largest > level / m]
        if len(kept) == len(left):
            return level / m
        left = kept


def three_probabilities(left: float, equivalent: float, right: float, rope: float) -> str:
    """Format the three probabilities of a Bayesian comparison."""
    return (
        f"P(below -{rope:g}) = {left:.3g}, P(within {rope:g}) = {equivalent:.3g}, "
        f"P(above {rope:g}) = {right:.3g}"
    )


def check_rope(rope: float) -> None:
    """Refuse a rope that is negative, infinite or no number."""
    if not is_number(rope) or not 0 <= rope < inf:
        raise TableError(
            "rope, the largest difference that is practically zero, must be 0 or larger. Got "
            f"{rope!r}"
        )
