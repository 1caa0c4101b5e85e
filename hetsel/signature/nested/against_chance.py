"""Is a signature better than chance? A permutation test of selection and model together.

The statistic of a table is the area under the ROC curve of its held-out rows, as a mean over
several draws of folds and at the size where it is largest: selection and model are done anew
without each fold, for permuted labels alike. It says less of one signature than the nested rate,
which has the size chosen inside; but it depends far less on how the folds fall, and sees more.

Permutations are drawn until the verdict is settled, see :func:`ends_of_drawing`. They are the
table's own, not the user's: see :func:`content_seed`.
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

LEVEL = 0.025  # of a one-sided test, as a 95 % interval leaves 2.5 % on either side
TESTED = {  # what the test looks at, by the kind of target
    "classes": "AUC",
    "numbers": "rank correlation",
    "survival": "concordance (Harrell's C)",
}
# permutations after which drawing may end
LOOKS = (9, 19, 29, 39, 59, 69, 79, 99, 119, 149, 199, 249, 299, 399, 499)
ABOVE, BELOW = 0.2, 0.005  # probability of the other verdict at which drawing ends
SURE = 2.0  # standard errors between a permuted table and the table at which its folds end
EQUAL = 1e-9  # areas that are equal on paper, whatever the last bit


@dataclass(frozen=True, eq=False)
class ChanceTest:
    """Permutation test of selection and model together.

    The labels are permuted, weights stay with their rows, and everything that follows is done
    again: folds, selection, model. Where all m permutations that were asked for are drawn,
    p = (1 + number of permutations whose area is as large) / (1 + m). Where drawing ends with the
    verdict, p is the probability of so small a share, or a smaller one, at an end of drawing: see
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

    # mean area under the ROC curve of the held-out folds, at the size where it is largest, of the
    # labels as they are
    rate: float
    # (permutations,): the same of permuted labels; of as many folds as it took to know on which
    # side of `rate` the area lies
    permuted: np.ndarray
    folds: int
    draws: int = 1  # draws of folds
    # what is called the area above: another score where the target holds no classes
    score: str = TESTED["classes"]
    # methods among which this one was chosen: p is multiplied by their number (Bonferroni)
    tried: int = 1
    full: bool = True  # whether all permutations were drawn that were asked for, whatever they said

    @property
    def pvalue(self) -> float:
        """p-value; never 0."""
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
        return int((self.permuted >= self.rate - EQUAL).sum())

    @property
    def error(self) -> float | None:
        """Standard error of p by other draws, all else equal: k sqrt(q (1 - q) / (m + 1)), p = k q.

        k is `tried`. None where drawing ended early: other draws end elsewhere, see `full`.
        """
        if not self.full:
            return None
        return float(self.tried * np.sqrt(self._alone * (1 - self._alone) / (self._drawn + 1)))

    @property
    def settled(self) -> bool:
        """Whether drawing ended as the verdict was settled, and not at the last look without that.

        False where all permutations were drawn that were asked for, whatever they said.
        """
        last = ends_of_drawing(self.tried)[-1]
        early = self._drawn < last.permutations
        return not self.full and (early or not last.fewest < self._above < last.most)

    @property
    def above_chance(self) -> bool:
        """Whether p is at most 0.025, the share that a 95 % interval leaves on one side."""
        return self.pvalue <= LEVEL

    def __str__(self) -> str:
        return (
            f"{self.score} {self.rate:.3f} in {self.draws} draws of {self.folds} "
            f"folds, {np.mean(self.permuted):.3f} on average of {len(self.permuted)} permutations "
            f"in as many folds as tell them from it, p = {self.pvalue:.3g}"
        )


@dataclass(frozen=True)
class Race:
    """When the folds of a permuted table are enough to compare it with the table.

    After f of F folds its area a is taken where |a - rate| > 2 noise sqrt(1/f + 1/g - 2/F), g the
    folds of the table that are known: the standard error of what the other folds would still move
    the two apart. Larger than the table's it is after one draw at the earliest: the largest of the
    sizes is too large by less then. Where no fold differs from another the noise tells nothing, as
    in folds of two rows, and all F folds are asked for.
    """

    rate: float  # of the table, of the folds that are known
    noise: float  # standard deviation of the area of one fold
    folds: int  # of one draw
    known: int  # known, most: g and F
    most: int

    def over(self, areas: np.ndarray) -> bool:
        """Whether these areas (f, sizes) are enough."""
        told = int(np.isfinite(areas).any(axis=1).sum())
        if not told:
            return len(areas) >= self.most
        left = max(0.0, 1 / told + 1 / self.known - 2 / self.most)
        apart = largest_area(areas) - self.rate
        if apart > 0 and len(areas) < self.folds:
            return False
        apart_enough = self.noise > 0.0 and abs(apart) > SURE * self.noise * np.sqrt(left)
        return len(areas) >= self.most or apart_enough


def largest_area(areas: np.ndarray) -> float:
    """Largest mean of areas (folds, sizes) over the folds; 0 where no size is known in all.

    A fold that tells of no size, as one with rows of one class alone, does not count.
    """
    told = areas[np.isfinite(areas).any(axis=1)]
    means = told.mean(axis=0) if len(told) else np.array([])
    known = means[np.isfinite(means)]
    return float(known.max()) if len(known) else 0.0


@cache
def ends_of_drawing(tried: int = 1) -> tuple[EndOfDrawing, ...]:
    """When the drawing of permutations ends, for p at or below 0.025 / tried or above.

    At each look it ends where so few permutations reach the table that their share, of which
    nothing was known before, is above the level with a probability below 0.2, or so many that it is
    below the level with one below 0.005; and at the last look. The level of the test rests on
    neither: its p-value counts how drawing may end. With 0.2 and these looks a test that rejects
    takes 69 permutations where none reaches the table, and finds as much as 199 always do. The
    looks are `tried` times later, of so many methods among which one was chosen.

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
    """A seed of the cells of a table and of how many rows its classes have, in [0, 2^31).

    Nobody can choose it: no other seed gives another p. It knows nothing of which row is of which
    class, so that all permutations of the labels have the same, as the test needs it; nor of the
    order of rows and columns, names of levels, and units.
    """
    complete = rescaled(table, scale).resolve_missing(missing)
    form = canonical_form(complete, np.zeros(table.shape[0], dtype=np.int64))
    content = hashlib.sha256(np.array([*form.cells.shape, *sorted(counts)], dtype="<i8").tobytes())
    content.update(np.packbits(form.nominal).tobytes())
    content.update(np.ascontiguousarray(form.cells, dtype="<f8").tobytes())
    return int.from_bytes(content.digest()[:4], "little") >> 1


def fewest_permutations(level: float = LEVEL) -> int:
    """The smallest number of permutations with which p can be at or below the level.

    Examples
    --------
    >>> fewest_permutations()
    39
    """
    return int(np.ceil(1 / level - 1e-9)) - 1
