"""Compute scores of sizes and performance from the predictions of the fold models."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.target_scores import target_scores
from hetsel.signature.nested import (
    fold_models,
    nested_cross_validation,
    nested_decisions,
    nested_performance,
)
from hetsel.signature.nested.nested_values import NestedValues, nested_values
from hetsel.signature.nested.number_performance import number_performance
from hetsel.signature.nested.survival_performance import survival_performance
from hetsel.signature.performance import NestedPerformance
from hetsel.statistics.performance.scores import balanced_rate, confusion_counts
from hetsel.tables import Survival

PartResults = dict[int, fold_models.PartResult]


class AskedProcedure(Protocol):
    """The part of :class:`hetsel.signature.procedure.SignatureProcedure` that is needed here."""

    @property
    def size(self) -> int | str: ...

    @property
    def seed(self) -> int: ...

    def choose(
        self, sizes: tuple[int, ...], scores: np.ndarray, folds: int | None = None
    ) -> int: ...


PerformanceAndDecisions = tuple[NestedPerformance, list[nested_decisions.NestedDecisions] | None]
# scores (folds of all runs, sizes), the sizes chosen inside, and a function from the chosen size to
# the performance and the decision values of held-out rows, if there are any
JudgedRuns = tuple[np.ndarray, tuple[int, ...], Callable[[int], PerformanceAndDecisions]]


def _rule_of(procedure: AskedProcedure) -> nested_cross_validation.SizeRule | int:
    """Return the given size, or the rule that chooses it."""
    return procedure.size if isinstance(procedure.size, int) else procedure.choose


def judged_classes(
    data: EncodedData,
    procedure: AskedProcedure,
    parts: fold_models.FoldModels,
    results: PartResults,
) -> JudgedRuns:
    """Score the sizes of classes by areas under the ROC curve, and prepare the performance."""
    rule = _rule_of(procedure)
    runs = []
    for r in range(parts.runs):
        problem = data.problem(seed=procedure.seed)
        fold, predictions = parts.folds_of(problem, r), parts.of_run(r, results)
        given = (parts.sizes, predictions, rule, parts.decisions_of_run(r, results), data.weights)
        runs.append(nested_cross_validation.nested_run(problem.classes.codes, fold, *given))

    def found(size: int) -> PerformanceAndDecisions:
        target = data.problem(seed=procedure.seed).classes
        places = target.places_of(data.target)
        decisions = [
            nested_decisions.nested_decisions(parts, r, results, run.fold, run.chosen, size, places)
            for r, run in enumerate(runs)
        ]
        shown = nested_performance.class_performance(
            runs,
            nested_decisions.area_by_folds(
                decisions, data.target.codes, data.weights, data.row_groups
            ),
            target,
            data.target.labels.tolist(),
            data.row_groups,
            _rates_at(data, parts, runs, results, parts.sizes.index(size)),
            weights=data.weights,
        )
        return shown, decisions

    scores = np.concatenate([run.scores for run in runs])
    return scores, sum((run.chosen.of_fold for run in runs), ()), found


def judged_values(
    data: EncodedData,
    procedure: AskedProcedure,
    parts: fold_models.FoldModels,
    results: PartResults,
) -> JudgedRuns:
    """Score the sizes by predicted numbers or risk scores, and prepare the performance."""
    rule = _rule_of(procedure)
    judgement = target_scores(data.target)
    scoring = judgement.scoring(data.target, data.weights)
    runs = []
    for r in range(parts.runs):
        fold = parts.folds_of(data.problem(seed=procedure.seed), r)
        runs.append(nested_values(fold, parts.sizes, parts.of_run(r, results), rule, scoring))

    def found(size: int) -> PerformanceAndDecisions:
        place, inner = parts.sizes.index(size), []
        for r, run in enumerate(runs):
            predicted = np.empty(len(run.fold))
            for out, values in parts.of_run(r, results).items():
                if len(out) == 1:
                    predicted[run.fold == out[0]] = values[place]
            inner.append(judgement.whole_score(data, predicted, run.fold))
        return _performance(runs, data, float(np.mean(inner))), None

    scores = np.concatenate([run.scores for run in runs])
    return scores, sum((run.chosen.of_fold for run in runs), ()), found


def _performance(
    runs: Sequence[NestedValues], data: EncodedData, inner: float
) -> NestedPerformance:
    """Compute the performance of numbers or of survival times."""
    groups, weights = data.row_groups, data.weights
    if isinstance(data.target, Survival):
        return survival_performance(runs, data.target, groups, inner, weights=weights)
    return number_performance(runs, data.target.values, groups, inner, weights=weights)


def _rates_at(
    data: EncodedData,
    parts: fold_models.FoldModels,
    runs: Sequence[nested_cross_validation.NestedRun],
    results: PartResults,
    place: int,
) -> float:
    """Compute the mean balanced accuracy of the runs at one size, all rows of a run together."""
    target = data.problem(seed=parts.seed).classes
    rates = []
    for r, run in enumerate(runs):
        predicted = np.empty(len(target), dtype=np.int64)
        for out, values in parts.of_run(r, results).items():
            if len(out) == 1:
                predicted[run.fold == out[0]] = values[place]
        given = (target.codes, predicted[None], len(target.labels), data.weights)
        counts = confusion_counts(*given)
        rates.append(float(balanced_rate(counts)[0]))
    return float(np.mean(rates))
