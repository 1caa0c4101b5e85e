"""Is a signature better than chance? A permutation test of selection and model together.

The statistic of a table is the area under the ROC curve of its held-out rows, as a mean over
several draws of folds and at the size where it is largest: selection and model are done anew
without each fold, for permuted labels alike. It says less of one signature than the nested rate,
which has the size chosen inside; but it depends far less on how the folds fall, and sees more.

Its draws are the table's own, not the user's: see :func:`content_seed`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.statistics.column_tests.permutation_p_values import looked_pvalue, permutation_pvalue
from hetsel.tables.canonical_table import canonical_form
from hetsel.tables.rescaling import rescaled
from hetsel.tables.table import Table

LEVEL = 0.025  # of a one-sided test, as a 95 % interval leaves 2.5 % on either side
FEW = 10  # rows of a class, or groups with some of it: fewer are named beside what they tell
FIRST_LOOK, SECOND_LOOK = 39, 199  # permutations after which drawing may end
ENDING = {FIRST_LOOK: 10, SECOND_LOOK: 20}  # as many that reach the table: p is far above the level
SURE = 3.0  # standard errors between a permuted table and the table at which its draws end


@dataclass(frozen=True, eq=False)
class ChanceTest:
    """Permutation test of selection and model together.

    The labels are permuted, weights stay with their rows, and everything that follows is done
    again: folds, selection, model.
    p = (1 + number of permutations whose area is as large) / (1 + permutations). Drawing may end
    after 39 permutations or after 199, see :func:`next_look`, of which p takes account.

    Parameters
    ----------
    rate : float
        Mean area under the ROC curve of the held-out folds, at the size where it is largest, of the
        labels as they are.
    permuted : ndarray of shape (permutations,)
        The same of permuted labels; of as many draws of folds as it took to know on which side of
        `rate` the area lies.
    folds : int
    draws : int
        Draws of folds.
    score : str
        What is called the area above: another score where the target holds no classes.
    tried : int
        Methods among which this one was chosen: p is multiplied by their number (Bonferroni).

    References
    ----------
    Phipson & Smyth (2010) Statistical Applications in Genetics and Molecular Biology 9, 39; Besag &
    Clifford (1991) Biometrika 78, 301-304 (drawing that ends early).

    Examples
    --------
    >>> ChanceTest(0.7, np.array([0.5, 0.72, 0.4]), 5).pvalue
    0.5
    """

    rate: float
    permuted: np.ndarray
    folds: int
    draws: int = 1
    score: str = "area under the ROC curve"
    tried: int = 1

    @property
    def pvalue(self) -> float:
        """p-value; never 0."""
        return min(1.0, self.tried * self._alone)

    @property
    def _alone(self) -> float:
        # equal on paper, whatever the last bit
        above = int((self.permuted >= self.rate - 1e-9).sum())
        if len(self.permuted) > SECOND_LOOK:
            return looked_pvalue(above, len(self.permuted), look=SECOND_LOOK)
        return float(permutation_pvalue(above, len(self.permuted)))

    @property
    def error(self) -> float:
        """Standard error of p, as the permutations are drawn: sqrt(p (1 - p) / (m + 1))."""
        return float(np.sqrt(self.pvalue * (1 - self.pvalue) / (len(self.permuted) + 1)))

    @property
    def above_chance(self) -> bool:
        """Whether p is at most 0.025, the share that a 95 % interval leaves on one side."""
        return self.pvalue <= LEVEL

    def __str__(self) -> str:
        return (
            f"{self.score} {self.rate:.3f} in {self.draws} draws of {self.folds} "
            f"folds, {np.mean(self.permuted):.3f} on average of {len(self.permuted)} permutations, "
            f"p = {self.pvalue:.3g}"
        )


@dataclass(frozen=True)
class Race:
    """When the draws of folds of a permuted table are enough to compare it with the table.

    After r of R draws its area a is taken where |a - rate| > 3 noise sqrt(1/r - 1/R), the standard
    error of what the other draws would still move it by.

    Parameters
    ----------
    rate : float
        Of the table, of all draws.
    noise : float
        Standard deviation of the area of one table from draw to draw.
    draws : int
        R.
    """

    rate: float
    noise: float
    draws: int

    def over(self, areas: np.ndarray) -> bool:
        """Whether these areas (r, sizes) are enough."""
        left = max(0.0, 1 / len(areas) - 1 / self.draws)
        apart = abs(largest_area(areas) - self.rate)
        return left == 0.0 or apart > SURE * self.noise * np.sqrt(left)


def largest_area(areas: np.ndarray) -> float:
    """Largest mean of areas (draws, sizes) over the draws; 0 where no size is known in all."""
    means = areas.mean(axis=0)
    known = means[np.isfinite(means)]
    return float(known.max()) if len(known) else 0.0


def next_look(above: int, done: int, most: int) -> int:
    """Until how many permutations to go on; `done` is the end.

    Drawing ends after 39 permutations if 10 or more of them reach the table, after 199 if 20 or
    more do or none does, and after `most`.

    Parameters
    ----------
    above : int
        Of the permutations that are done, those whose area is as large as the table's.
    done, most : int

    Examples
    --------
    >>> next_look(0, 0, 499), next_look(9, 39, 499), next_look(10, 39, 499), next_look(9, 39, 99)
    (39, 199, 39, 99)
    >>> next_look(0, 199, 499), next_look(1, 199, 499), next_look(25, 499, 499)
    (199, 499, 499)
    """
    if done >= most or above >= ENDING.get(done, above + 1) or (done == SECOND_LOOK and not above):
        return done
    return min(most, next((look for look in ENDING if look > done), most))


def content_seed(table: Table, counts: Sequence[int], missing: Any, scale: Any) -> int:
    """A seed of the cells of a table and of how many rows its classes have, in [0, 2^31).

    Nobody can choose it: no other seed gives another p. It knows nothing of which row is of which
    class, so that all permutations of the labels have the same, as the test needs it; nor of the
    order of rows and columns, names of levels, and units.

    Parameters
    ----------
    table : Table of shape (n, p)
        Its missing cells may be open.
    counts : sequence of int
        Rows of each class.
    missing, scale : str
        What becomes of missing cells and of scales.
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


def too_few(counts: Sequence[int], classes: Sequence[object], fewest: int, what: str) -> str:
    """Why a table cannot be judged: a class that has too few rows; empty where none has.

    Examples
    --------
    >>> too_few([90, 7], ["no", "yes"], 10, "rows")
    'too few rows of class yes for this: 7, and 10 are needed'
    """
    place = int(np.argmin(counts))
    if counts[place] >= fewest:
        return ""
    return (
        f"too few {what} of class {classes[place]!s} for this: {counts[place]}, and {fewest} are "
        "needed"
    )


def few_rows(counts: np.ndarray, classes: Sequence[object] | np.ndarray, grouped: bool) -> str:
    """How few rows, or groups of rows, the rarest class has; empty where it has ten or more.

    Examples
    --------
    >>> few_rows(np.array([90, 8]), ["no", "yes"], False)
    'only 8 rows of class yes'
    """
    place = int(np.argmin(counts))
    if counts[place] >= FEW:
        return ""
    return f"only {counts[place]} {'groups of ' if grouped else ''}rows of class {classes[place]!s}"
