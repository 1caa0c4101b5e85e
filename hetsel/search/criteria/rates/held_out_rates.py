"""Performance on held-out rows: the folds, the rates, and what states that measure them share.

The performance is a rate over the held-out rows of all folds together: of classes the balanced
classification rate

    BCR = (1/c) sum_classes (rows of the class predicted right) / (rows of the class)

(paul2015, Eq. 12, for any number of classes), the accuracy, the share of rows predicted right, or
the area under the ROC curve; of that, of numbers and of survival times see
:mod:`hetsel.search.criteria.rates.held_out_measures`.

Criteria have as many `folds`, drawn once with the problem's seed and stratified, no more than rows
of the rarest class; with `repeats` the rate is the mean over the repeats, each with folds of its
own. `rate` is one of RATES of the kind of target. No rate depends on `n_jobs`, threads for tables
of many rows, -1 for all cores. Of a table of more rows than `sample` so many are looked at, as if
there were no others: the same ones in any order of the rows, each class with its share, but `folds`
at least, see :func:`hetsel.resampling.row_parts.content_sample`; None takes all rows.
"""

import math
from abc import abstractmethod

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.search.criteria.criterion import SubsetState
from hetsel.search.criteria.rates.held_out_measures import R2, Areas, Concordance
from hetsel.selection import Problem
from hetsel.tables import Classes, Numbers, Target

# what is judged, by the kind of the target; the first is the default
RATES = {"classes": ("bcr", "accuracy", "auc"), "numbers": ("r2",), "survival": ("concordance",)}
LARGEST_MULTIPLE = 2**40  # whose sums over the classes are exact


def most_frequent(y: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Class (repeats, n) of every row without features: the most frequent of the other folds.

    Of several the lowest.
    """
    out = np.empty(fold.shape, dtype=np.int64)
    for part, row in zip(fold, out, strict=True):
        counts = np.zeros((int(part.max()) + 1, int(y.max()) + 1), dtype=np.int64)
        np.add.at(counts, (part, y), 1)
        row[:] = (counts.sum(axis=0) - counts).argmax(axis=1)[part]
    return out


class Rate:
    """Share of the rows predicted right, of all rows ("accuracy") or as the mean over the classes.

    A row of class c weighs L / n_c, L the least common multiple of the n_c, or 1 for the accuracy:
    sums of whole numbers, so that rates that are equal on paper are equal.
    """

    def __init__(self, y: np.ndarray, rate: str) -> None:
        counts = np.bincount(y)
        weights = np.ones(len(counts))
        if rate == "bcr":
            common = min(math.lcm(*counts.tolist()), LARGEST_MULTIPLE)
            weights = np.rint(common / counts)
        self._y, self._weights = y, weights[y]
        self._whole = float(self._weights.sum())

    def of(self, predicted: np.ndarray) -> np.ndarray:
        """Mean rate (...) of predictions (..., repeats, n) over the repeats."""
        total = ((predicted == self._y) * self._weights).sum(axis=-1)  # whole numbers: exact
        return np.asarray(total.sum(axis=-1) / (self._whole * predicted.shape[-2]))


def performance_of(
    target: Target, fold: np.ndarray, rate: str | None
) -> Rate | Areas | R2 | Concordance:
    """What measures predictions of a target; None is the default of its kind."""
    legal = RATES[target.kind]
    if rate is not None and (not isinstance(rate, str) or rate not in legal):
        several = f"{', '.join(map(repr, legal[:-1]))} or " if legal[1:] else ""
        raise TableError(f"rate of {target.kind} must be {several}{legal[-1]!r}. Got {rate!r}")
    if isinstance(target, Classes):
        codes = target.codes.copy()
        return Areas(codes, fold) if rate == "auc" else Rate(codes, rate or legal[0])
    return R2(target) if isinstance(target, Numbers) else Concordance(target)


class HeldOutState(SubsetState):
    """A subset whose classifier predicts every row from the other folds (repeats, n)."""

    def __init__(self, problem: Problem, fold: np.ndarray, rate: str | None = None) -> None:
        super().__init__()
        # for compiled functions: one type, writable
        self.y, self.fold = problem.target.content.copy(), np.array(fold, ndmin=2)
        classes = isinstance(problem.target, Classes)
        self.n_classes = len(problem.classes.labels) if classes else 0
        self._rate = performance_of(problem.target, self.fold, rate)
        self.by_scores = isinstance(self._rate, Areas)

    def rates_of(self, predicted: np.ndarray) -> np.ndarray:
        """Mean rate (...) of predictions (..., repeats, n) or scores over the repeats."""
        return self._rate.of(predicted)

    def _changed(self, feature: int | None, sign: float) -> float:
        look = self.scores if self.by_scores else self.predict
        return float(self.rates_of(look(feature, sign)))

    @abstractmethod
    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Class (repeats, n) of every held-out row; with a feature added (1) or taken away (-1).

        Of numbers the number, scaled as :func:`held_out_measures.scaled_numbers` does; of survival
        times the risk, larger is sooner.
        """

    @abstractmethod
    def scores(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Score (repeats, n, d) of every held-out row for each class, for class 1 only of two.

        The changes are those of :meth:`predict`.
        """
