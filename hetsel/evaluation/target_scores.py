"""What predictions of held-out rows are worth, by the kind of target: units of rows, folds, scores.

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

FEWEST_ROWS, FEW_ROWS = 3, 10  # of a class, or groups with some of it: to judge, named beside it
FEWEST_VALUES, FEW_VALUES = 8, 20  # rows with a number, or events, or groups of such
FOLDS, FEWER_FOLDS = 5, 3  # of the test against chance and swaps; of more than ROWS_WORTH_BINNING
DECIMALS = 9  # of decision values and of predictions: equal on paper is equal

# predicted (sizes, m), decision values (sizes, m, d), and what was selected without the rows
HeldOutValues = tuple[np.ndarray, np.ndarray, Answer]
# (held-out rows (n,), their predictions (sizes, m)) -> scores (sizes,)
Scoring = Callable[[np.ndarray, np.ndarray], np.ndarray]


class TargetScores(ABC):
    """What a kind of target answers."""

    has_joint_effects: ClassVar[bool] = False  # whether pairs of features are looked for

    @abstractmethod
    def units(self, data: EncodedData) -> np.ndarray:
        """Rows, or groups of rows, of each part of the target that folds and halves need."""

    @abstractmethod
    def too_few(self, data: EncodedData) -> str:
        """Why a table cannot be judged; empty where it can."""

    @abstractmethod
    def few(self, data: EncodedData) -> str:
        """How few rows there are of what is rarest; empty where they are enough."""

    @abstractmethod
    def seeded_by(self, target: Any) -> list[int]:
        """Counts that no permutation of the target changes, for the seed of the test."""

    def folds(self, problem: Problem, folds: int) -> np.ndarray:
        """Fold (n,) of each row, drawn with the seed of the problem: classes and events spread."""
        return np.asarray(draw_folds(problem, folds)[0])

    def held_out(
        self,
        method: BaseSelector,
        problem: Problem,
        rows: np.ndarray,
        sizes: Sequence[int],
        model: ClassifierSpec,
    ) -> HeldOutValues:
        """What models without these rows predict of them, of each size."""
        found = held_out(method, problem, rows, sizes, [model])
        return self.kept(found.predicted[0]), found.decisions[0], found.answer

    def kept(self, predicted: np.ndarray) -> np.ndarray:
        """What is kept of predictions, of which there are many."""
        return predicted

    def known(self, predicted: np.ndarray) -> np.ndarray:
        """Which sizes (sizes,) have a signature."""
        return np.asarray(np.isfinite(predicted).all(axis=1))

    @abstractmethod
    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """What the test against chance looks at (k,), of the sizes that have a signature."""

    @abstractmethod
    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """What sizes are chosen by."""


class ClassScores(TargetScores):
    """Classes: their rates, and the area under the ROC curve in the test."""

    has_joint_effects: ClassVar[bool] = True

    def units(self, data: EncodedData) -> np.ndarray:
        """Rows (c,) of each class, or groups of rows that have some of it."""
        if data.row_groups is None:
            return np.asarray(data.target.counts)
        pairs = np.unique(np.stack([data.target.codes, data.row_groups]), axis=1)
        return np.bincount(pairs[0], minlength=len(data.target.labels))

    def too_few(self, data: EncodedData) -> str:
        """A class of fewer than three rows, or groups."""
        count, label = self._rarest(data)
        if count >= FEWEST_ROWS:
            return ""
        what = "rows" if data.row_groups is None else "row groups"
        return f"too few {what} of class {label!s}: {count}, but at least {FEWEST_ROWS} are needed"

    def few(self, data: EncodedData) -> str:
        """A class of fewer than ten rows, or groups."""
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
        """Rows of each class."""
        return [int(count) for count in target.counts]

    def kept(self, predicted: np.ndarray) -> np.ndarray:
        """Class codes, -1 where there is no signature."""
        return predicted.astype(np.int16)

    def known(self, predicted: np.ndarray) -> np.ndarray:
        """Those without -1."""
        return np.asarray((predicted >= 0).all(axis=1))

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """Areas under the ROC curve."""
        values = np.round(held[1], DECIMALS)
        return area_under_curve(values, problem.classes.codes[rows], _of(problem.weights, rows))

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """BCR."""
        codes, n_classes = target.codes, len(target.labels)
        return lambda rows, predicted: rates_by_size(
            codes[rows], predicted, n_classes, _of(weights, rows)
        )


class ValueScores(TargetScores):
    """What kinds of target share whose predictions are numbers."""

    words: ClassVar[tuple[str, str]]  # what the rows that count are called, and groups of them

    @abstractmethod
    def counted(self, target: Any) -> np.ndarray:
        """Which rows (n,) count: those whose value is known."""

    def units(self, data: EncodedData) -> np.ndarray:
        """How many rows count, or groups with such a row: (1,)."""
        rows, groups = self.counted(data.target), data.row_groups
        return np.array([rows.sum() if groups is None else len(np.unique(groups[rows]))])

    def too_few(self, data: EncodedData) -> str:
        """Fewer than eight such rows, or groups."""
        count, what = int(self.units(data)[0]), self.words[data.row_groups is not None]
        if count >= FEWEST_VALUES:
            return ""
        return f"too few {what}: {count}, but at least {FEWEST_VALUES} are needed"

    def few(self, data: EncodedData) -> str:
        """Fewer than twenty such rows, or groups."""
        count, what = int(self.units(data)[0]), self.words[data.row_groups is not None]
        return "" if count >= FEW_VALUES else f"only {count} {what}"

    @abstractmethod
    def whole_score(self, data: EncodedData, predicted: np.ndarray, fold: np.ndarray) -> float:
        """The main measure of all rows (n,), each predicted without its fold."""

    @abstractmethod
    def gain(
        self, data: EncodedData, fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """How much better other predictions (n,) are than these, and its standard error."""


class NumberScores(ValueScores):
    """Numbers: R^2, and the rank correlation in the test."""

    words: ClassVar[tuple[str, str]] = ("rows", "row groups")

    def counted(self, target: Any) -> np.ndarray:
        """All of them."""
        return np.ones(len(target), dtype=bool)

    def folds(self, problem: Problem, folds: int) -> np.ndarray:
        """All rows alike: in folds that have all tenths of the numbers no pair of rows is near."""
        alike = np.zeros(problem.n, dtype=np.int64)
        if problem.row_groups is None:
            return spread_evenly(alike, folds, problem.rng())
        unit, members = units_of(alike, problem.row_groups)
        return np.asarray(group_folds(members, folds, problem.rng())[unit])

    def seeded_by(self, target: Any) -> list[int]:
        """How many rows."""
        return [len(target)]

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """Rank correlations."""
        truth = problem.numbers.values
        values = np.round(held[0] / np.ptp(truth), DECIMALS)
        return rank_correlations(truth[rows], values, _of(problem.weights, rows))

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """R^2 by the variance of all rows."""
        spread = spread_of(target.values, weights)
        return lambda rows, predicted: explained(
            target.values[rows], predicted, spread, _of(weights, rows)
        )

    def whole_score(self, data: EncodedData, predicted: np.ndarray, fold: np.ndarray) -> float:
        """R^2."""
        every = np.ones(len(fold), dtype=bool)
        return float(self.scoring(data.target, data.weights)(every, predicted[None])[0])

    def gain(
        self, data: EncodedData, fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """By the squared errors, in the unit of R^2."""
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
    """Survival times: Harrell's concordance of pairs inside of folds."""

    words: ClassVar[tuple[str, str]] = ("events", "row groups with an event")

    def counted(self, target: Any) -> np.ndarray:
        """Those with an event."""
        return np.asarray(target.events)

    def seeded_by(self, target: Any) -> list[int]:
        """Rows with an event, and without."""
        return [int(target.events.sum()), int((~target.events).sum())]

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOutValues) -> np.ndarray:
        """Harrell's C."""
        return self._concordance(problem.survival, problem.weights, rows, held[0])

    def _concordance(
        self, target: Any, weights: np.ndarray | None, rows: np.ndarray, risks: np.ndarray
    ) -> np.ndarray:
        values = np.round(risks, DECIMALS)
        return concordance(target.times[rows], target.events[rows], values, _of(weights, rows))

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """Harrell's C; 1/2 of a fold without a comparable pair, which tells nothing."""

        def scores(rows: np.ndarray, predicted: np.ndarray) -> np.ndarray:
            found = self._concordance(target, weights, rows, predicted)
            return np.where(np.isnan(found) & self.known(predicted), 0.5, found)

        return scores

    def whole_score(self, data: EncodedData, predicted: np.ndarray, fold: np.ndarray) -> float:
        """Harrell's C of the pairs inside of folds."""
        right, pairs = held_out_concordance(data.target, fold, predicted[None], data.weights)
        return float(right.sum() / pairs.sum()) if pairs.sum() > 0 else 0.5

    def gain(
        self, data: EncodedData, fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """By Harrell's C of the pairs inside of folds."""
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
    """The scores of a target: a :class:`TargetScores`, of other targets than classes with more.

    Examples
    --------
    >>> from hetsel.tables import Numbers
    >>> target = Numbers(np.arange(3.0))
    >>> target_scores(target).seeded_by(target)
    [3]
    """
    return SCORES[target.kind]


def folds_beside(data: EncodedData) -> int:
    """Folds of what needs no estimate for all rows: 5, of more than 5,000 rows 3.

    Fewer where a class, or what has an event, has fewer rows or groups.
    """
    most = FOLDS if len(data.table.values) <= ROWS_WORTH_BINNING else FEWER_FOLDS
    return min(most, int(np.min(target_scores(data.target).units(data))))


def rank_correlations(
    truth: np.ndarray, predicted: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Kendall's rank correlation (k,) of predictions (k, m) with numbers, of pairs of two numbers.

    A pair of equal predictions counts 0; NaN where all numbers are equal, or a prediction is NaN.

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
    """A_i (k, n) and B_i (n,) of k vectors of risks (k, n), of pairs inside of folds.

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
