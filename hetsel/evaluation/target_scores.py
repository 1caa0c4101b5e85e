"""Scores of predictions of held-out rows, by the kind of target: units of rows, folds, scores.

One class for each kind, with the same methods.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.held_out import held_out, rates_by_size
from hetsel.models.rows_in_bins import ROWS_WORTH_BINNING
from hetsel.resampling.folds import draw_folds, group_folds, spread_evenly, units_of
from hetsel.selection import Answer, BaseSelector, Problem
from hetsel.statistics.performance import loss_intervals, rate_intervals
from hetsel.statistics.performance.auc_and_concordance_intervals import concordant_sums
from hetsel.statistics.performance.scores import area_under_curve, explained, spread_of
from hetsel.statistics.survival.concordance import concordance
from hetsel.tables import Survival, TypedTarget

FEWEST_ROWS, FEW_ROWS = 3, 10  # rows or row groups of a class: required, and few (reported)
FEWEST_VALUES, FEW_VALUES = 8, 20  # the same for rows with a number, events or row groups
FOLDS, FEWER_FOLDS = 5, 3  # of permutation tests and swaps; fewer above ROWS_WORTH_BINNING
DECIMALS = 9  # of decision values and predictions, so that rounding makes no difference

# predicted (sizes, m), decision values (sizes, m, d), and what was selected without the rows
HeldOutValues = tuple[np.ndarray, np.ndarray, Answer]
# (held-out rows (n,), their predictions (sizes, m)) -> scores (sizes,)
Scoring = Callable[[np.ndarray, np.ndarray], np.ndarray]


class TargetScores(ABC):
    """Scores and minimum numbers of rows for a kind of target."""

    has_joint_effects: ClassVar[bool] = False  # whether interactions are searched

    @abstractmethod
    def units(self, data: EncodedData) -> np.ndarray:
        """Count rows, or row groups, of each part of the target that folds need."""

    @abstractmethod
    def too_few(self, data: EncodedData) -> str:
        """State why a data set has too few rows; empty if it has enough."""

    @abstractmethod
    def few(self, data: EncodedData) -> str:
        """State the small number of rows of the rarest part; empty if it is large enough."""

    @abstractmethod
    def seeded_by(self, target: Any) -> list[int]:
        """Return counts that permutations do not change, for the seed of the test."""

    def folds(self, problem: Problem, folds: int) -> np.ndarray:
        """Draw folds (n,) with the seed of the problem, with classes or events spread evenly."""
        return np.asarray(draw_folds(problem, folds)[0])

    def held_out(
        self,
        method: BaseSelector,
        problem: Problem,
        rows: np.ndarray,
        sizes: Sequence[int],
        model: ClassifierSpec,
    ) -> HeldOutValues:
        """Return predictions for these rows at each size, from models without these rows."""
        found = held_out(method, problem, rows, sizes, [model])
        return self.kept(found.predicted[0]), found.decisions[0], found.answer

    def kept(self, predicted: np.ndarray) -> np.ndarray:
        """Convert predictions to a compact form."""
        return predicted

    def known(self, predicted: np.ndarray) -> np.ndarray:
        """Return which sizes (sizes,) have a signature."""
        return np.asarray(np.isfinite(predicted).all(axis=1))

    @abstractmethod
    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """Return the scores (k,) of the permutation test at sizes with a signature."""

    @abstractmethod
    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """Return the function of scores that chooses the size."""


class ClassScores(TargetScores):
    """Scores of classes: balanced accuracy, and AUC in the permutation test."""

    has_joint_effects: ClassVar[bool] = True

    def units(self, data: EncodedData) -> np.ndarray:
        """Count rows (c,) of each class, or row groups with such rows."""
        if data.row_groups is None:
            return np.asarray(data.target.counts)
        pairs = np.unique(np.stack([data.target.codes, data.row_groups]), axis=1)
        return np.bincount(pairs[0], minlength=len(data.target.labels))

    def too_few(self, data: EncodedData) -> str:
        """State that a class has fewer than three rows or row groups."""
        count, label = self._rarest(data)
        if count >= FEWEST_ROWS:
            return ""
        what = "rows" if data.row_groups is None else "row groups"
        return f"too few {what} of class {label!s}: {count}, but at least {FEWEST_ROWS} are needed"

    def few(self, data: EncodedData) -> str:
        """State that a class has fewer than ten rows or row groups."""
        count, label = self._rarest(data)
        if count >= FEW_ROWS:
            return ""
        what = "rows" if data.row_groups is None else "row groups"
        return f"only {count} {what} of class {label!s}"

    def _rarest(self, data: EncodedData) -> tuple[int, Any]:
        units = self.units(data)
        place = int(np.argmin(units))
        return int(units[place]), data.target.labels[place]

    def seeded_by(self, target: Any) -> list[int]:
        """Return the rows of each class."""
        return [int(count) for count in target.counts]

    def kept(self, predicted: np.ndarray) -> np.ndarray:
        """Convert to small integers: class codes, -1 without a signature."""
        return predicted.astype(np.int16)

    def known(self, predicted: np.ndarray) -> np.ndarray:
        """Return which sizes have no -1."""
        return np.asarray((predicted >= 0).all(axis=1))

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """Return AUCs."""
        values = np.round(held[1], DECIMALS)
        return area_under_curve(values, problem.classes.codes[rows], _of(problem.weights, rows))

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """Return the balanced accuracy."""
        codes, n_classes = target.codes, len(target.labels)
        return lambda rows, predicted: rates_by_size(
            codes[rows], predicted, n_classes, _of(weights, rows)
        )


class ValueScores(TargetScores):
    """Scores of targets whose predictions are numbers."""

    words: ClassVar[tuple[str, str]]  # nouns for counted rows and for row groups with such rows

    @abstractmethod
    def counted(self, target: Any) -> np.ndarray:
        """Return which rows (n,) count."""

    def units(self, data: EncodedData) -> np.ndarray:
        """Count these rows, or row groups with such a row: (1,)."""
        rows, groups = self.counted(data.target), data.row_groups
        return np.array([rows.sum() if groups is None else len(np.unique(groups[rows]))])

    def too_few(self, data: EncodedData) -> str:
        """State that there are fewer than eight such rows or row groups."""
        count, what = int(self.units(data)[0]), self.words[data.row_groups is not None]
        if count >= FEWEST_VALUES:
            return ""
        return f"too few {what}: {count}, but at least {FEWEST_VALUES} are needed"

    def few(self, data: EncodedData) -> str:
        """State that there are fewer than twenty such rows or row groups."""
        count, what = int(self.units(data)[0]), self.words[data.row_groups is not None]
        return "" if count >= FEW_VALUES else f"only {count} {what}"

    @abstractmethod
    def whole_score(self, data: EncodedData, predicted: np.ndarray, fold: np.ndarray) -> float:
        """Return the main score of all rows (n,), each predicted without its fold."""

    @abstractmethod
    def gain(
        self, data: EncodedData, fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """Return the gain of other predictions (n,) and its standard error."""


class NumberScores(ValueScores):
    """Scores of numeric targets: R^2, and rank correlation in the permutation test."""

    words: ClassVar[tuple[str, str]] = ("rows", "row groups")

    def counted(self, target: Any) -> np.ndarray:
        """Return all rows."""
        return np.ones(len(target), dtype=bool)

    def folds(self, problem: Problem, folds: int) -> np.ndarray:
        """Draw folds without strata: with strata, no two rows of a fold would be close."""
        alike = np.zeros(problem.n, dtype=np.int64)
        if problem.row_groups is None:
            return spread_evenly(alike, folds, problem.rng())
        unit, members = units_of(alike, problem.row_groups)
        return np.asarray(group_folds(members, folds, problem.rng())[unit])

    def seeded_by(self, target: Any) -> list[int]:
        """Return the number of rows."""
        return [len(target)]

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """Return rank correlations."""
        truth = problem.numbers.values
        values = np.round(held[0] / np.ptp(truth), DECIMALS)
        return rank_correlations(truth[rows], values, _of(problem.weights, rows))

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """Return R^2 with the variance of all rows."""
        spread = spread_of(target.values, weights)
        return lambda rows, predicted: explained(
            target.values[rows], predicted, spread, _of(weights, rows)
        )

    def whole_score(self, data: EncodedData, predicted: np.ndarray, fold: np.ndarray) -> float:
        """Return R^2."""
        every = np.ones(len(fold), dtype=bool)
        return float(self.scoring(data.target, data.weights)(every, predicted[None])[0])

    def gain(
        self, data: EncodedData, fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """Return the gain of squared errors in units of R^2."""
        truth, weights = data.target.values, data.weights
        own = np.ones(len(truth)) if weights is None else weights
        apart = ((truth - base) ** 2 - (truth - other) ** 2) / spread_of(truth, weights)
        mean = float(np.average(apart, weights=own))
        moves = own * (apart - mean) / own.sum()
        variance = rate_intervals.OVERLAP * loss_intervals.jackknife_variance(
            moves, own, data.row_groups
        )
        return mean, float(np.sqrt(variance))


class SurvivalScores(ValueScores):
    """Scores of survival times: Harrell's concordance of pairs within folds."""

    words: ClassVar[tuple[str, str]] = ("events", "row groups with an event")

    def counted(self, target: Any) -> np.ndarray:
        """Return the rows with an event."""
        return np.asarray(target.events)

    def seeded_by(self, target: Any) -> list[int]:
        """Return the numbers of rows with and without an event."""
        return [int(target.events.sum()), int((~target.events).sum())]

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """Return Harrell's concordances."""
        return self._concordance(problem.survival, problem.weights, rows, held[0])

    def _concordance(
        self, target: Any, weights: np.ndarray | None, rows: np.ndarray, risks: np.ndarray
    ) -> np.ndarray:
        values = np.round(risks, DECIMALS)
        return concordance(target.times[rows], target.events[rows], values, _of(weights, rows))

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """Return Harrell's concordance; 1/2 for a fold without a comparable pair."""

        def scores(rows: np.ndarray, predicted: np.ndarray) -> np.ndarray:
            found = self._concordance(target, weights, rows, predicted)
            return np.where(np.isnan(found) & self.known(predicted), 0.5, found)

        return scores

    def whole_score(self, data: EncodedData, predicted: np.ndarray, fold: np.ndarray) -> float:
        """Return Harrell's concordance of pairs within folds."""
        right, pairs = held_out_concordance(data.target, fold, predicted[None], data.weights)
        return float(right.sum() / pairs.sum()) if pairs.sum() > 0 else 0.5

    def gain(
        self, data: EncodedData, fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """Return the gain of Harrell's concordance of pairs within folds."""
        both = np.stack([base, other])
        (first, second), pairs = held_out_concordance(data.target, fold, both, data.weights)
        own, whole = np.ones(len(fold)) if data.weights is None else data.weights, pairs.sum()
        apart = second - first
        more = float(apart.sum() / whole) if whole > 0 else 0.0
        moves = 2 * (apart - more * pairs) / max(whole, 1e-300)
        return more, float(
            np.sqrt(
                rate_intervals.OVERLAP
                * loss_intervals.jackknife_variance(moves, own, data.row_groups)
            )
        )


SCORES: dict[str, Any] = {
    "classes": ClassScores(),
    "numbers": NumberScores(),
    "survival": SurvivalScores(),
}


def target_scores(target: TypedTarget) -> Any:
    """Return the scores of a target, a :class:`TargetScores`.

    Examples
    --------
    >>> from hetsel.tables import Numbers
    >>> target = Numbers(np.arange(3.0))
    >>> target_scores(target).seeded_by(target)
    [3]
    """
    return SCORES[target.kind]


def folds_beside(data: EncodedData) -> int:
    """Return the number of folds for secondary analyses: 5, or 3 for more than 5,000 rows.

    There are fewer folds if a class, or the rows with an event, have fewer rows or row groups.
    """
    most = FOLDS if len(data.table.values) <= ROWS_WORTH_BINNING else FEWER_FOLDS
    return min(most, int(np.min(target_scores(data.target).units(data))))


def rank_correlations(
    truth: np.ndarray, predicted: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Return Kendall's rank correlation (k,) of predictions (k, m) with numbers.

    Pairs of different numbers count; a pair of equal predictions counts 0. The result is NaN if all
    numbers are equal or a prediction is NaN.

    Examples
    --------
    >>> rank_correlations(np.array([1.0, 2.0, 3.0]), np.array([[0.0, 2.0, 1.0]])).round(4)
    array([0.3333])
    """
    out = np.full(len(predicted), np.nan)
    known = ~np.isnan(predicted).any(axis=1)
    order = np.unique(truth, return_inverse=True)[1]
    right, pairs = concordant_sums(order, np.ones(len(order)), -predicted[known], weights)
    if pairs.sum() > 0:
        out[known] = 2 * right.sum(axis=1) / pairs.sum() - 1
    return out


def held_out_concordance(
    target: Survival, fold: np.ndarray, risks: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return A_i (k, n) and B_i (n,) of k vectors of risk scores (k, n) for pairs within folds.

    See :mod:`hetsel.statistics.performance.auc_and_concordance_intervals`.
    """
    order, once = target.content, target.events.astype(np.float64)
    right, pairs = np.zeros(risks.shape), np.zeros(len(fold))
    for k in range(int(fold.max()) + 1):
        rows = fold == k
        sums = concordant_sums(order[rows], once[rows], risks[:, rows], _of(weights, rows))
        right[:, rows], pairs[rows] = sums
    return right, pairs


def _of(weights: np.ndarray | None, rows: np.ndarray) -> np.ndarray | None:
    return None if weights is None else weights[rows]
