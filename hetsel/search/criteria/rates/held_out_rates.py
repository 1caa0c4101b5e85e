"""Performance on held-out rows: the folds, the measures, and the states that use them.

The performance is a measure over the held-out rows of all folds together. For classes it is the
balanced accuracy, called balanced classification rate by paul2015,

    BCR = (1/c) sum_classes (correctly predicted rows of the class) / (rows of the class)

(paul2015, Eq. 12, for any number of classes), the accuracy, or the area under the ROC curve. For a
numeric target it is R^2 = 1 - sum_i (y_i - prediction_i)^2 / sum_i (y_i - mean)^2, below 0 if the
mean of all rows is the better prediction. For survival times it is Harrell's concordance.

`folds` are drawn once with the seed of the problem and stratified, at most as many as the rarest
class has rows. With `repeats` the performance is the mean over the repeats, each with its own
folds. `rate` is one of RATES for the kind of target. `n_jobs` is the number of threads for tables
of many rows, -1 for all cores; it does not change the performance. A table of more rows than
`sample` is reduced to this many rows: the same ones in any order of the rows, each class in
proportion but with at least `folds` rows, see :func:`hetsel.resampling.row_parts.content_sample`;
None uses all rows.
"""

import math
from abc import abstractmethod

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import TableError
from hetsel.ground.equal_numbers import FINE_GRID, on_grid, unit_scale
from hetsel.search.criteria.criterion import SubsetState
from hetsel.selection import Problem
from hetsel.statistics.survival.concordance import concordance
from hetsel.tables import Classes, Numbers, Survival, TypedTarget


class R2:
    """R^2 of predicted numbers."""

    def __init__(self, target: Numbers) -> None:
        self.told = scaled_numbers(target.values)
        mean = np.full((1, len(self.told)), self.told.mean())
        self._whole = float(squared_errors(mean, self.told)[0])

    def of(self, predicted: np.ndarray) -> np.ndarray:
        """Return the mean R^2 (...) of predictions (..., repeats, n) of the scaled target."""
        rows = predicted.reshape(-1, len(self.told))
        errors = squared_errors(rows, self.told).reshape(predicted.shape[:-1])
        return np.asarray(on_grid(1.0 - errors.sum(axis=-1) / (self._whole * predicted.shape[-2])))


class Concordance:
    """Harrell's concordance of risks, larger is sooner (1982, JAMA 247, 2543-2546)."""

    def __init__(self, target: Survival) -> None:
        self._told = target.times, target.events

    def of(self, predicted: np.ndarray) -> np.ndarray:
        """Return the mean concordance (...) of risks (..., repeats, n)."""
        rows = predicted.reshape(-1, len(self._told[0]))
        concordances = concordance(*self._told, rows).reshape(predicted.shape[:-1])
        return np.asarray(concordances.mean(axis=-1))


def scaled_numbers(values: np.ndarray) -> np.ndarray:
    """Scale numbers (n,) to [0, 1], on a grid of 2^-24: their unit has no effect."""
    return np.asarray(np.rint(unit_scale(values[:, None])[:, 0] * FINE_GRID) / FINE_GRID)


@compiled
def squared_errors(predicted, told):
    """Return the sum (m,) of the squared errors of several predictions (m, n)."""
    out = np.zeros(len(predicted))
    for r in range(len(predicted)):
        for i in range(len(told)):
            out[r] += (predicted[r, i] - told[i]) ** 2
    return out


class Areas:
    """Area under the ROC curve of scores of held-out rows (Hand and Till 2001, Eq. 7).

    A = (1/#pairs) sum_pairs (A(a|b) + A(b|a)) / 2 over the pairs of classes. A(a|b) is the
    proportion of pairs of a row of a and a row of b in which the row of a has the larger score of
    a; equal scores count one half. Scores of different models have no common scale: rows are
    compared within a fold, and the area is the mean over the folds. One ranking over all folds
    gives areas down to 0.41 for noise.
    """

    def __init__(self, y: np.ndarray, fold: np.ndarray) -> None:
        self._y, self._fold = y, fold
        if np.isnan(mean_areas(np.zeros((1, *fold.shape, int(y.max()) + 1)), y, fold)).any():
            raise TableError(
                "rate='auc' compares rows within a fold, but in some division into folds no fold "
                "has rows of two classes. Use fewer folds, or rate='bcr'"
            )

    def of(self, scores: np.ndarray) -> np.ndarray:
        """Return the mean area (...) of scores (..., repeats, n, d), d the classes, or 1."""
        rows = np.ascontiguousarray(scores).reshape(-1, *scores.shape[-3:])
        areas = mean_areas(rows, self._y, self._fold).reshape(scores.shape[:-2])
        return np.asarray(on_grid(areas.mean(axis=-1)))


@compiled
def mean_areas(scores, y, fold):
    """Return the area (m, repeats) of scores (m, repeats, n, d); NaN if no fold has two classes."""
    m, repeats, _, d = scores.shape
    n_classes = y.max() + 1
    out = np.empty((m, repeats))
    for i in range(m):
        for r in range(repeats):
            total, pairs = 0.0, 0
            for b in range(1, n_classes):
                for a in range(b):
                    area, folds = 0.0, 0
                    for k in range(fold[r].max() + 1):
                        rows, others = (fold[r] == k) & (y == b), (fold[r] == k) & (y == a)
                        if rows.any() and others.any():
                            part = scores[i, r, :, min(b, d - 1)]
                            area += share_of_pairs(part[rows], part[others])
                            if d > 1:
                                part = scores[i, r, :, a]
                                area += share_of_pairs(part[others], part[rows])
                            folds += 1
                    if folds > 0:
                        total += area / (folds * min(d, 2))
                        pairs += 1
            out[i, r] = total / pairs if pairs > 0 else np.nan
    return out


@compiled_part
def share_of_pairs(own, others):
    """Return the proportion of pairs in which the score (a,) is above the other (b,); ties half."""
    order = np.sort(others)
    halves = 0
    for value in own:
        halves += np.searchsorted(order, value) + np.searchsorted(order, value, side="right")
    return halves / (2 * len(own) * len(others))


# measures by the kind of the target; the first is the default
RATES = {"classes": ("bcr", "accuracy", "auc"), "numbers": ("r2",), "survival": ("concordance",)}
LARGEST_MULTIPLE = 2**40  # whose sums over the classes are exact


def most_frequent(y: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Return the most frequent class of the other folds (repeats, n), the lowest of ties."""
    out = np.empty(fold.shape, dtype=np.int64)
    for part, row in zip(fold, out, strict=True):
        counts = np.zeros((int(part.max()) + 1, int(y.max()) + 1), dtype=np.int64)
        np.add.at(counts, (part, y), 1)
        row[:] = (counts.sum(axis=0) - counts).argmax(axis=1)[part]
    return out


class RateOfRows:
    """Proportion of correctly predicted rows ("accuracy"), or its mean over the classes.

    A row has the weight L / n_c, L the least common multiple of the n_c: sums are exact.
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
        """Return the mean performance (...) of predictions (..., repeats, n) over the repeats."""
        total = ((predicted == self._y) * self._weights).sum(axis=-1)  # whole numbers: exact
        return np.asarray(total.sum(axis=-1) / (self._whole * predicted.shape[-2]))


def performance_of(
    target: TypedTarget, fold: np.ndarray, rate: str | None
) -> RateOfRows | Areas | R2 | Concordance:
    """Return the measure of predictions of a target; None is the default of its kind."""
    legal = RATES[target.kind]
    if rate is not None and (not isinstance(rate, str) or rate not in legal):
        words = f"{'one of ' if legal[1:] else ''}{', '.join(legal)}"
        raise TableError(f"rate must be {words} for {target.kind}. Got {rate!r}")
    if isinstance(target, Classes):
        codes = target.codes.copy()
        return Areas(codes, fold) if rate == "auc" else RateOfRows(codes, rate or legal[0])
    return R2(target) if isinstance(target, Numbers) else Concordance(target)


class HeldOutState(SubsetState):
    """A subset whose model predicts every row from the other folds (repeats, n)."""

    def __init__(self, problem: Problem, fold: np.ndarray, rate: str | None = None) -> None:
        super().__init__()
        # for compiled functions: one type, writable
        self.y, self.fold = problem.target.content.copy(), np.array(fold, ndmin=2)
        classes = isinstance(problem.target, Classes)
        self.n_classes = len(problem.classes.labels) if classes else 0
        self._rate = performance_of(problem.target, self.fold, rate)
        self.by_scores = isinstance(self._rate, Areas)

    def rates_of(self, predicted: np.ndarray) -> np.ndarray:
        """Return the mean performance (...) of predictions (..., repeats, n) or scores over the
        repeats.
        """
        return self._rate.of(predicted)

    def _changed(self, feature: int | None, sign: float) -> float:
        look = self.scores if self.by_scores else self.predict
        return float(self.rates_of(look(feature, sign)))

    @abstractmethod
    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Return the class, scaled number or risk (repeats, n), with a feature changed."""

    @abstractmethod
    def scores(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Return scores (repeats, n, d) of held-out rows per class; of class 1 only for two."""
