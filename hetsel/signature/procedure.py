"""The whole procedure on one table: the size, how good it is, and whether that is chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from hetsel.judging.size_rules import RULES
from hetsel.selection.sizes import thinned_sizes
from hetsel.signature.nested.against_chance import ChanceTest, content_seed
from hetsel.signature.nested.agreement import agreed
from hetsel.signature.nested.engine_runs import Numbered, Results, Say, all_results
from hetsel.signature.nested.fold_models import OuterFold, Parts, outer_folds
from hetsel.signature.nested.judged_runs import judged_classes, judged_values
from hetsel.signature.nested.judgement import folds_beside, judgement_of
from hetsel.signature.nested.measured_performance import MeasuredPerformance
from hetsel.signature.nested.nested_cross_validation import judged_sizes
from hetsel.signature.nested.nested_performance import Performance
from hetsel.signature.nested.permuted_tables import ChanceDrawing, DrawnTables
from hetsel.signature.probabilities.nested_probabilities import (
    NestedProbabilities,
    nested_probabilities,
)
from hetsel.signature.wording_by_target import WORDS
from hetsel.study.plan.planned_classifiers import ClassifierSpec
from hetsel.study.plan.planned_methods import MethodSpec
from hetsel.study.rows.data_set import StudyData


@dataclass(frozen=True, eq=False)
class Procedure:
    """All that a signature depends on but the table.

    Parameters
    ----------
    method : MethodSpec
    classifier : ClassifierSpec
        The final model.
    size : int or {"one-se", "quarter-se", "knee", "equal"}
        The size, or the rule that chooses it.
    folds : int
        Of the nested cross-validations.
    runs : int
        How many of them, each with folds of its own.
    permutations : int
        Of the test against chance, at the most; 0 is no test.
    pairs : int
        Of random halves of the rows; 0 is none.
    seed : int
    """

    method: MethodSpec
    classifier: ClassifierSpec
    size: int | str
    folds: int
    runs: int
    permutations: int
    pairs: int
    seed: int

    @property
    def always(self) -> tuple[str, ...]:
        """Names of the features that are in every signature."""
        return tuple(self.method.params.get("always", ()))

    def sizes(self, p: int) -> tuple[int, ...]:
        """The sizes that are judged in a table with p features."""
        least = max(1, len(self.always))
        return (self.size,) if isinstance(self.size, int) else thinned_sizes(range(least, p + 1))

    def choose(self, sizes: tuple[int, ...], scores: np.ndarray, folds: int | None = None) -> int:
        """The size, by scores (K, sizes) of which as many as a cross-validation has folds count."""
        if isinstance(self.size, int):
            return self.size
        judged, known = judged_sizes(sizes, scores)
        counted = {"count": folds} if self.size in ("one-se", "quarter-se") else {}
        return RULES[self.size](judged, known, **counted)


@dataclass(frozen=True, eq=False)
class SizeScores:
    """What the cross-validations on all rows say of each size, and the size that they chose.

    Parameters
    ----------
    size : int
    sizes : tuple of int
    means : ndarray of shape (sizes,)
        Mean area under the ROC curve of the held-out folds, R^2 of numbers, or concordance; NaN
        where an answer has no such size.
    nested : tuple of int
        The sizes that were chosen inside, one for each outer fold of each run.
    """

    size: int
    sizes: tuple[int, ...]
    means: np.ndarray
    nested: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Judged:
    """What the rows say of a procedure.

    Parameters
    ----------
    sizes : SizeScores
    performance : Performance or MeasuredPerformance
    chance : ChanceTest or None
    probabilities : NestedProbabilities or None
        Where the target holds classes.
    outer : list of OuterFold
        What was selected without each outer fold, and predicted.
    """

    sizes: SizeScores
    performance: Performance | MeasuredPerformance
    chance: ChanceTest | None
    probabilities: NestedProbabilities | None
    outer: list[OuterFold]


def judge(
    data: StudyData, procedure: Procedure, n_jobs: int | None = None, say: Say | None = None
) -> Judged:
    """Choose the size on all rows, estimate what comes of it, and test it against chance.

    Parameters
    ----------
    data : StudyData
        Its target in the order that is reported, the positive class last.
    procedure : Procedure
    n_jobs : int, optional
    say : callable, optional

    Raises
    ------
    TableError
        What the method raised on a part of the rows; no size that all parts have.
    """
    sizes = procedure.sizes(data.table.shape[1])
    estimate = _parts(data, procedure, sizes)
    computations: dict[str, Numbered] = {"nested": estimate}
    drawing, then = None, None
    if procedure.permutations:
        drawing = ChanceDrawing(_tables(data, procedure, sizes), procedure.permutations)
        computations["chance"], then = _in_turns(drawing)
    results = all_results(data, computations, n_jobs, say, then)
    found = judged_classes if data.target.kind == "classes" else judged_values
    scores, nested, performance = found(data, procedure, estimate, results["nested"])
    size = procedure.choose(sizes, scores, estimate.folds)
    chosen = SizeScores(size, sizes, scores.mean(axis=0), nested)
    shown, decisions = performance(size)
    held_out = None
    if decisions is not None:
        given = (data.target.codes, len(data.classes), data.weights, data.row_groups)
        held_out = nested_probabilities(decisions, *given)
    chance = None
    if drawing is not None:
        chance = replace(drawing.found(), score=WORDS[data.target.kind].tested)
        shown = agreed(shown, chance.above_chance)
    outer = outer_folds(data, estimate, results["nested"], nested)
    return Judged(chosen, shown, chance, held_out, outer)


def _parts(data: StudyData, procedure: Procedure, sizes: tuple[int, ...]) -> Parts:
    return Parts(
        replace(procedure.method, label="nested"),
        sizes,
        (procedure.classifier,),
        min(procedure.folds, int(judgement_of(data.target).units(data).min())),
        procedure.runs,
        not isinstance(procedure.size, int),
        procedure.seed,
    )


def _tables(data: StudyData, procedure: Procedure, sizes: tuple[int, ...]) -> DrawnTables:
    judgement = judgement_of(data.target)
    return DrawnTables(
        replace(procedure.method, label="chance"),
        sizes,
        (procedure.classifier,),
        folds_beside(data),
        content_seed(data.table, judgement.seeded_by(data.target), data.missing, data.scale),
    )


def _in_turns(
    drawing: ChanceDrawing,
) -> tuple[DrawnTables, Callable[[Results], Mapping[str, Numbered]]]:
    """The first tables of the test, and what gives those that follow."""
    asked = [drawing.first()]

    def then(results: Results) -> Mapping[str, Numbered]:
        turn = len(asked) - 1
        drawing.learn(asked[-1], results[f"chance {turn}" if turn else "chance"])
        more = drawing.more()
        if more is None:
            return {}
        asked.append(more)
        return {f"chance {turn + 1}": more}

    return asked[0], then
