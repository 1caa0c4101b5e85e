"""Test whether selection and model together are better than chance, by permutations.

The statistic of a table is the area under the ROC curve of its held-out rows, averaged over several
draws of folds, at the size where it is largest. Selection and model are repeated without each fold,
also for permuted labels. The statistic describes a signature less precisely than the nested
estimate, which chooses the size in inner folds. But it depends far less on the division into folds,
and has more power.

Permutations are drawn until the result is decided, see :func:`ends_of_drawing`. Their seed comes
from the table and not from the user, see :func:`content_seed`.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import betainc, betaincc

from hetsel.statistics import permutation_p_values
from hetsel.statistics.permutation_p_values import EndOfDrawing
from hetsel.tables import Missing, ScaleKey, Table, canonical_form, rescaled

LEVEL = 0.025  # level of a one-sided test; a 95% CI leaves 2.5% on either side
TESTED = {  # the statistic of the test, by the kind of target
    "classes": "AUC",
    "numbers": "rank correlation",
    "survival": "concordance (Harrell's C)",
}
# numbers of permutations after which drawing may end
LOOKS = (9, 19, 29, 39, 59, 69, 79, 99, 119, 149, 199, 249, 299, 399, 499)
ABOVE, BELOW = 0.2, 0.005  # drawing ends if the probability of the other result is below these
SURE = 2.0  # standard errors between a permuted table and the table at which its folds end
EQUAL = 1e-9  # areas this close are equal, up to rounding


@dataclass(frozen=True, eq=False)
class ChanceTest:
    """Hold the permutation test of selection and model together.

    The labels are permuted, weights stay with their rows, and everything that follows is repeated:
    folds, selection, model. If all m requested permutations are drawn, p = (1 + number of
    permutations whose area is at least as large) / (1 + m). If drawing ends early, p is the
    probability of such a small proportion, or a smaller one, at an end of drawing: see
    :func:`hetsel.statistics.permutation_p_values.stopped_pvalue`.

    References
    ----------
    Phipson & Smyth (2010) Statistical Applications in Genetics and Molecular Biology 9, 39; Besag &
    Clifford (1991) Biometrika 78, 301-304 (drawing that ends early).

    Examples
    --------
    >>> ChanceTest(0.7, np.array([0.5, 0.72, 0.4]), 5).pvalue
    0.5
    """

    # mean area under the ROC curve of the held-out folds, at the size where it is largest, with the
    # original labels
    statistic: float
    # (permutations,): the same with permuted labels, with as many folds as it took to know on which
    # side of `rate` the area lies
    permuted: np.ndarray
    folds: int
    draws: int = 1  # of folds
    # the name of this area; another score for another target than classes
    score: str = TESTED["classes"]
    # number of methods among which this one was chosen; p is multiplied by it (Bonferroni)
    tried: int = 1
    full: bool = True  # whether all requested permutations were drawn, whatever the result

    @property
    def pvalue(self) -> float:
        """The p-value, never 0."""
        return min(1.0, self.tried * self._alone)

    @property
    def _alone(self) -> float:
        if self.full:
            return float(permutation_p_values.permutation_pvalue(self._above, self._drawn))
        return permutation_p_values.stopped_pvalue(
            self._above, self._drawn, ends=ends_of_drawing(self.tried)
        )

    @property
    def _drawn(self) -> int:
        return len(self.permuted)

    @property
    def _above(self) -> int:
        return int((self.permuted >= self.statistic - EQUAL).sum())

    @property
    def standard_error(self) -> float | None:
        """Monte Carlo standard error of p, k sqrt(q (1 - q) / (m + 1)), p = k q, k = `tried`.

        It is None if drawing ended early, since other draws would end elsewhere, see `full`.
        """
        if not self.full:
            return None
        return float(self.tried * np.sqrt(self._alone * (1 - self._alone) / (self._drawn + 1)))

    @property
    def settled(self) -> bool:
        """Whether drawing ended with a decision, and not at the last look without one.

        It is False if all requested permutations were drawn, whatever the result.
        """
        last = ends_of_drawing(self.tried)[-1]
        early = self._drawn < last.permutations
        return not self.full and (early or not last.fewest < self._above < last.most)

    @property
    def above_chance(self) -> bool:
        """Whether p is at most 0.025, the proportion that a 95% CI leaves on one side."""
        return self.pvalue <= LEVEL

    def __str__(self) -> str:
        return (
            f"{self.score} {self.statistic:.3f} in {self.draws} draws of {self.folds} folds, "
            f"{np.mean(self.permuted):.3f} on average in {len(self.permuted)} permutations with as "
            f"many folds as the comparison needs, p = {self.pvalue:.3g}"
        )


@dataclass(frozen=True)
class Race:
    """Decide when the folds of a permuted table are enough to compare it with the table.

    After f of F folds, its area a is accepted if |a - rate| > 2 noise sqrt(1/f + 1/g - 2/F), where
    g is the number of known folds of the table. The root is the standard error of the further
    change by the other folds. An area larger than the table's needs at least one draw, since the
    largest over the sizes is too large with fewer folds. If no fold differs from another, the noise
    is uninformative, as in folds of two rows, and all F folds are computed.
    """

    statistic: float  # of the table, from the known folds
    noise: float  # standard deviation of the area of one fold
    folds: int  # of one draw
    known: int  # known, most: g and F
    most: int

    def over(self, areas: np.ndarray) -> bool:
        """Check whether these areas (f, sizes) are enough."""
        told = int(np.isfinite(areas).any(axis=1).sum())
        if not told:
            return len(areas) >= self.most
        left = max(0.0, 1 / told + 1 / self.known - 2 / self.most)
        apart = largest_area(areas) - self.statistic
        if apart > 0 and len(areas) < self.folds:
            return False
        apart_enough = self.noise > 0.0 and abs(apart) > SURE * self.noise * np.sqrt(left)
        return len(areas) >= self.most or apart_enough


def largest_area(areas: np.ndarray) -> float:
    """Return the largest mean area over the folds (folds, sizes); 0 if no size is known in all.

    Folds without a score for any size, such as folds with one class, do not count.
    """
    told = areas[np.isfinite(areas).any(axis=1)]
    means = told.mean(axis=0) if len(told) else np.array([])
    known = means[np.isfinite(means)]
    return float(known.max()) if len(known) else 0.0


@cache
def ends_of_drawing(tried: int = 1) -> tuple[EndOfDrawing, ...]:
    """Define when the drawing of permutations ends, for p at or below 0.025 / tried or above.

    At each look drawing ends in two cases. Few permutations reach the table: their proportion, with
    a uniform prior, is above the level with a probability below 0.2. Or many reach it: their
    proportion is below the level with a probability below 0.005. Drawing also ends at the last
    look. The level of the test depends on neither number, since the p-value accounts for the ends
    of drawing. With 0.2 and these looks, a test that rejects needs 69 permutations if none reaches
    the table, and has the power of 199 permutations. With `tried` methods, of which one was chosen,
    the looks are `tried` times later.

    Examples
    --------
    >>> [one for one in ends_of_drawing() if one.permutations in (9, 69, 199)]
    ... # doctest: +NORMALIZE_WHITESPACE
    [EndOfDrawing(permutations=9, fewest=-1, most=2),
     EndOfDrawing(permutations=69, fewest=0, most=6),
     EndOfDrawing(permutations=199, fewest=2, most=11)]
    """
    level = LEVEL / tried
    ends = []
    for look in LOOKS:
        m = tried * (look + 1) - 1
        b = np.arange(m + 1)
        few = betaincc(b + 1, m - b + 1, level) < ABOVE
        many = betainc(b + 1, m - b + 1, level) <= BELOW
        ends.append(EndOfDrawing(m, int(few.sum()) - 1, int((~many).sum())))
    return tuple(ends)


def content_seed(table: Table, counts: Sequence[int], missing: Missing, scale: ScaleKey) -> int:
    """Derive a seed in [0, 2^31) from the values of a table and the sizes of its classes.

    Nobody can choose the seed to get another p. It does not depend on the class of each row, so all
    permutations of the labels share it, as the test requires. It does not depend on the order of
    rows and columns, names of levels, or units either.
    """
    complete = rescaled(table, scale).resolve_missing(missing)
    form = canonical_form(complete, np.zeros(table.shape[0], dtype=np.int64))
    content = hashlib.sha256(np.array([*form.cells.shape, *sorted(counts)], dtype="<i8").tobytes())
    content.update(np.packbits(form.nominal).tobytes())
    content.update(np.ascontiguousarray(form.cells, dtype="<f8").tobytes())
    return int.from_bytes(content.digest()[:4], "little") >> 1


def fewest_permutations(level: float = LEVEL) -> int:
    """Return the smallest number of permutations with which p can be at or below the level.

    Examples
    --------
    >>> fewest_permutations()
    39
    """
    return int(np.ceil(1 / level - 1e-9)) - 1
