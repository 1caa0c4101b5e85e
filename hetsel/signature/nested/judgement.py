"""What judges a signature, by the kind of its target: units of rows, held-out scores, the test.

One class for each kind, with the same methods; all that differs by the kind of target while
signatures are computed is asked here.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.held_out import held_out
from hetsel.models.rows_in_bins import MANY
from hetsel.resampling.folds import draw_folds, group_folds, spread_evenly, units_of
from hetsel.selection import Answer, BaseSelector, Problem
from hetsel.signature.nested.against_chance import few_rows, too_few
from hetsel.signature.nested.measured_performance import MeasuredPerformance
from hetsel.signature.nested.nested_cross_validation import Scoring
from hetsel.signature.nested.nested_values import NestedValues
from hetsel.signature.nested.number_performance import number_performance, rank_correlations
from hetsel.signature.nested.survival_performance import (
    held_out_concordance,
    survival_performance,
)
from hetsel.statistics.performance.loss_intervals import jackknife_variance
from hetsel.statistics.performance.rate_intervals import OVERLAP
from hetsel.statistics.performance.scores import area_under_curve, explained, spread_of
from hetsel.statistics.survival.concordance import concordance
from hetsel.tables import Target

FEWEST_ROWS = 3  # rows of a class, or groups with some of it, to judge a signature by
# rows with a number or events, or groups of such: without a performance, named beside it
FEWEST_VALUES, FEW_VALUES = 8, 20
FOLDS, FEWER_FOLDS = 5, 3  # of the test against chance and of swaps; of more than MANY rows
DECIMALS = 9  # of decision values and of predictions: equal on paper is equal

# predicted (sizes, m), decision values (sizes, m, d), and what was selected without the rows
HeldOut = tuple[np.ndarray, np.ndarray, Answer]


class Judgement(Protocol):
    """What a kind of target answers."""

    @property
    def has_joint_effects(self) -> bool:
        """Whether pairs of features are looked for, see :mod:`hetsel.signature.joint_effects`."""

    def units(self, data: EncodedData[Any]) -> np.ndarray:
        """Rows, or groups of rows, of each part of the target that folds and halves need."""

    def too_few(self, data: EncodedData[Any]) -> str:
        """Why a table cannot be judged; empty where it can."""

    def few(self, data: EncodedData[Any]) -> str:
        """How few rows there are of what is rarest; empty where they are enough."""

    def seeded_by(self, target: Any) -> list[int]:
        """Counts that no permutation of the target changes, for the seed of the test."""

    def folds(self, problem: Problem, folds: int) -> np.ndarray:
        """Fold (n,) of each row, drawn with the seed of the problem."""

    def held_out(
        self,
        method: BaseSelector,
        problem: Problem,
        rows: np.ndarray,
        sizes: Sequence[int],
        model: ClassifierSpec,
    ) -> HeldOut:
        """What models without these rows predict of them, of each size."""

    def known(self, predicted: np.ndarray) -> np.ndarray:
        """Which sizes (sizes,) have a signature."""

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOut) -> np.ndarray:
        """What the test against chance looks at (k,), of the sizes that have a signature."""


class ClassJudgement:
    """Classes: their rates, and the area under the ROC curve in the test."""

    has_joint_effects: ClassVar[bool] = True

    def units(self, data: EncodedData[Any]) -> np.ndarray:
        """Rows (c,) of each class, or groups of rows that have some of it."""
        if data.row_groups is None:
            return np.asarray(data.target.counts)
        pairs = np.unique(np.stack([data.target.codes, data.row_groups]), axis=1)
        return np.bincount(pairs[0], minlength=len(data.target.labels))

    def too_few(self, data: EncodedData[Any]) -> str:
        """A class of fewer than three rows, or groups."""
        what = "rows" if data.row_groups is None else "groups of rows"
        labels = data.target.labels.tolist()
        return too_few(self.units(data).tolist(), labels, FEWEST_ROWS, what)

    def few(self, data: EncodedData[Any]) -> str:
        """A class of fewer than ten rows, or groups."""
        return few_rows(self.units(data), data.target.labels, data.row_groups is not None)

    def seeded_by(self, target: Any) -> list[int]:
        """Rows of each class."""
        return target.counts.tolist()

    def folds(self, problem: Problem, folds: int) -> np.ndarray:
        """Every class spread evenly, its rows or its groups."""
        return np.asarray(draw_folds(problem, folds)[0])

    def held_out(
        self,
        method: BaseSelector,
        problem: Problem,
        rows: np.ndarray,
        sizes: Sequence[int],
        model: ClassifierSpec,
    ) -> HeldOut:
        """Class codes, -1 where there is no signature, and decision values."""
        found = held_out(method, problem, rows, sizes, [model])
        return found.predicted[0].astype(np.int16), found.decisions[0], found.answer

    def known(self, predicted: np.ndarray) -> np.ndarray:
        """Those without -1."""
        return np.asarray((predicted >= 0).all(axis=1))

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOut) -> np.ndarray:
        """Areas under the ROC curve."""
        values = np.round(held[1], DECIMALS)
        own = None if problem.weights is None else problem.weights[rows]
        return area_under_curve(values, problem.classes.codes[rows], own)


class ValueJudgement(Protocol):
    """What kinds of target answer beside, whose predictions are numbers."""

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """What sizes are chosen by: scores (sizes,) of predictions of some rows."""

    def performance(
        self, runs: Sequence[NestedValues], data: EncodedData[Any], inner: float
    ) -> MeasuredPerformance:
        """The performance that nested cross-validations show."""

    def whole_score(self, data: EncodedData[Any], predicted: np.ndarray, fold: np.ndarray) -> float:
        """The main measure of all rows (n,), each predicted without its fold."""

    def gain(
        self, data: EncodedData[Any], fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """How much better other predictions (n,) are than these, and its standard error."""


class _Values(ABC):
    """What kinds of target share whose predictions are numbers."""

    has_joint_effects: ClassVar[bool] = False
    words: ClassVar[tuple[str, str]]  # what the rows that count are called, and groups of them

    @abstractmethod
    def counted(self, target: Any) -> np.ndarray:
        """Which rows (n,) count: those whose value is known."""

    def units(self, data: EncodedData[Any]) -> np.ndarray:
        """How many rows count, or groups with such a row: (1,)."""
        rows, groups = self.counted(data.target), data.row_groups
        return np.array([rows.sum() if groups is None else len(np.unique(groups[rows]))])

    def too_few(self, data: EncodedData[Any]) -> str:
        """Fewer than eight such rows, or groups."""
        count = int(self.units(data)[0])
        if count >= FEWEST_VALUES:
            return ""
        what = self.words[data.row_groups is not None]
        return f"too few {what} for this: {count}, and {FEWEST_VALUES} are needed"

    def few(self, data: EncodedData[Any]) -> str:
        """Fewer than twenty such rows, or groups."""
        count = int(self.units(data)[0])
        what = self.words[data.row_groups is not None]
        return "" if count >= FEW_VALUES else f"only {count} {what}"

    def held_out(
        self,
        method: BaseSelector,
        problem: Problem,
        rows: np.ndarray,
        sizes: Sequence[int],
        model: ClassifierSpec,
    ) -> HeldOut:
        """Numbers or risks, NaN where there is no signature; no decision values."""
        found = held_out(method, problem, rows, sizes, [model])
        return found.predicted[0], found.decisions[0], found.answer

    def known(self, predicted: np.ndarray) -> np.ndarray:
        """Those without NaN."""
        return np.asarray(np.isfinite(predicted).all(axis=1))


class NumberJudgement(_Values):
    """Numbers: R^2, and the rank correlation in the test."""

    words: ClassVar[tuple[str, str]] = ("rows", "groups of rows")

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

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOut) -> np.ndarray:
        """Rank correlations."""
        truth = problem.numbers.values
        values = np.round(held[0] / np.ptp(truth), DECIMALS)
        own = None if problem.weights is None else problem.weights[rows]
        return rank_correlations(truth[rows], values, own)

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """What is told of the numbers, by their variance in all rows."""
        spread = spread_of(target.values, weights)

        def scores(rows: np.ndarray, predicted: np.ndarray) -> np.ndarray:
            own = None if weights is None else weights[rows]
            return explained(target.values[rows], predicted, spread, own)

        return scores

    def performance(
        self, runs: Sequence[NestedValues], data: EncodedData[Any], inner: float
    ) -> MeasuredPerformance:
        """R^2, errors and rank correlation."""
        given = (data.target.values, data.row_groups, inner)
        return number_performance(runs, *given, weights=data.weights)

    def whole_score(self, data: EncodedData[Any], predicted: np.ndarray, fold: np.ndarray) -> float:
        """R^2."""
        every = np.ones(len(fold), dtype=bool)
        return float(self.scoring(data.target, data.weights)(every, predicted[None])[0])

    def gain(
        self, data: EncodedData[Any], fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """By the squared errors, in the unit of R^2."""
        truth, weights = data.target.values, data.weights
        own = np.ones(len(truth)) if weights is None else weights
        apart = ((truth - base) ** 2 - (truth - other) ** 2) / spread_of(truth, weights)
        mean = float(np.average(apart, weights=own))
        moves = own * (apart - mean) / own.sum()
        variance = OVERLAP * jackknife_variance(moves, own, data.row_groups)
        return mean, float(np.sqrt(variance))


class SurvivalJudgement(_Values):
    """Survival times: Harrell's concordance of pairs inside of folds."""

    words: ClassVar[tuple[str, str]] = ("events", "groups of rows with an event")

    def counted(self, target: Any) -> np.ndarray:
        """Those with an event."""
        return np.asarray(target.events)

    def seeded_by(self, target: Any) -> list[int]:
        """Rows with an event, and without."""
        return [int(target.events.sum()), int((~target.events).sum())]

    def folds(self, problem: Problem, folds: int) -> np.ndarray:
        """Events spread evenly, rows with one or their groups."""
        return np.asarray(draw_folds(problem, folds)[0])

    def test_scores(self, problem: Problem, rows: np.ndarray, held: HeldOut) -> np.ndarray:
        """Harrell's C."""
        return self._scores(problem.survival, problem.weights, rows, held[0])

    def _scores(
        self, target: Any, weights: np.ndarray | None, rows: np.ndarray, risks: np.ndarray
    ) -> np.ndarray:
        own = None if weights is None else weights[rows]
        values = np.round(risks, DECIMALS)
        return concordance(target.times[rows], target.events[rows], values, own)

    def scoring(self, target: Any, weights: np.ndarray | None) -> Scoring:
        """Harrell's C; 1/2 of a fold without a comparable pair, which tells nothing."""

        def scores(rows: np.ndarray, predicted: np.ndarray) -> np.ndarray:
            found = self._scores(target, weights, rows, predicted)
            return np.where(np.isnan(found) & self.known(predicted), 0.5, found)

        return scores

    def performance(
        self, runs: Sequence[NestedValues], data: EncodedData[Any], inner: float
    ) -> MeasuredPerformance:
        """Harrell's and Uno's C, and the integrated Brier score."""
        given = (data.target, data.row_groups, inner)
        return survival_performance(runs, *given, weights=data.weights)

    def whole_score(self, data: EncodedData[Any], predicted: np.ndarray, fold: np.ndarray) -> float:
        """Harrell's C of the pairs inside of folds."""
        right, pairs = held_out_concordance(data.target, fold, predicted[None], data.weights)
        return float(right.sum() / pairs.sum()) if pairs.sum() > 0 else 0.5

    def gain(
        self, data: EncodedData[Any], fold: np.ndarray, base: np.ndarray, other: np.ndarray
    ) -> tuple[float, float]:
        """By Harrell's C of the pairs inside of folds."""
        both = np.stack([base, other])
        (first, second), pairs = held_out_concordance(data.target, fold, both, data.weights)
        own, whole = np.ones(len(fold)) if data.weights is None else data.weights, pairs.sum()
        apart = second - first
        more = float(apart.sum() / whole) if whole > 0 else 0.0
        moves = 2 * (apart - more * pairs) / max(whole, 1e-300)
        return more, float(np.sqrt(OVERLAP * jackknife_variance(moves, own, data.row_groups)))


JUDGEMENTS: dict[str, Any] = {
    "classes": ClassJudgement(),
    "numbers": NumberJudgement(),
    "survival": SurvivalJudgement(),
}


def folds_beside(data: EncodedData) -> int:
    """Folds of what needs no estimate for all rows: 5, of more than 5,000 rows 3.

    Fewer where a class, or what has an event, has fewer rows or groups.
    """
    most = FOLDS if len(data.table.values) <= MANY else FEWER_FOLDS
    return min(most, int(np.min(judgement_of(data.target).units(data))))


def judgement_of(target: Target) -> Any:
    """What judges signatures for a target: a :class:`Judgement`.

    Where the target holds no classes it is a :class:`ValueJudgement`, too.

    Examples
    --------
    >>> from hetsel.tables.target import Numbers
    >>> target = Numbers(np.arange(3.0))
    >>> judgement_of(target).seeded_by(target)
    [3]
    """
    return JUDGEMENTS[target.kind]
