"""Run the whole procedure on one table: size, performance and permutation test."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isfinite, nan
from typing import Any

import numpy as np

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.engine_runs import Numbered, ResultsByName, all_results
from hetsel.evaluation.progress import OnProgress
from hetsel.evaluation.size_rules import RULES
from hetsel.evaluation.target_scores import folds_beside, target_scores
from hetsel.selection.problem import thinned_sizes
from hetsel.signature.nested.against_chance import TESTED, ChanceTest, content_seed
from hetsel.signature.nested.fold_models import FoldModels, OuterFold, PartResult, outer_folds
from hetsel.signature.nested.judged_runs import judged_classes, judged_values
from hetsel.signature.nested.nested_cross_validation import judged_sizes
from hetsel.signature.nested.nested_decisions import ChoiceOfMethod, side_by_side
from hetsel.signature.nested.permuted_tables import ChanceDrawing, DrawnTables
from hetsel.signature.performance import NestedPerformance
from hetsel.signature.probabilities.nested_probabilities import (
    NestedProbabilities,
    nested_probabilities,
)


@dataclass(frozen=True, eq=False)
class SignatureProcedure:
    """Define all that a signature depends on except the table."""

    method: methods_by_key.MethodSpec
    classifier: judges_by_key.ClassifierSpec  # the final model
    size: int | str  # the size, or the rule that chooses it
    folds: int  # of the nested cross-validations
    runs: int  # number of nested cross-validations, each with its own folds
    # of the permutation test; 0 for no test, None draws until the result is decided
    permutations: int | None
    pairs: int  # pairs of half-samples; 0 for none
    seed: int
    rivals: tuple[
        methods_by_key.MethodSpec, ...
    ] = ()  # further methods; one of these and `method` is chosen
    quick: bool = False  # whether interactions are left out

    @property
    def methods(self) -> tuple[methods_by_key.MethodSpec, ...]:
        """All methods."""
        return (self.method, *self.rivals)

    @property
    def always(self) -> tuple[str, ...]:
        """Names of the features that are always included."""
        return tuple(self.method.params.get("always", ()))

    def lacks(self, has_joint_effects: bool) -> tuple[str, ...]:
        """Name what is not computed although the target allows it."""
        told = {
            "test against chance": self.permutations == 0,
            "repeated cross-validation": self.runs == 1,
            "stability": self.pairs == 0,
            "replacements": self.pairs == 0,
            "joint effects": self.quick and has_joint_effects,
        }
        return tuple(what for what, lacks in told.items() if lacks)

    def sizes(self, p: int) -> tuple[int, ...]:
        """Return the sizes to evaluate in a table with p features."""
        least = max(1, len(self.always))
        return (self.size,) if isinstance(self.size, int) else thinned_sizes(range(least, p + 1))

    def choose(self, sizes: tuple[int, ...], scores: np.ndarray, folds: int | None = None) -> int:
        """Choose the size by scores (K, sizes), counting those of one cross-validation."""
        if isinstance(self.size, int):
            return self.size
        judged, known = judged_sizes(sizes, scores)
        counted = {"count": folds} if self.size in ("one-se", "quarter-se") else {}
        return RULES[self.size](judged, known, **counted)


@dataclass(frozen=True, eq=False)
class SizeScores:
    """Hold the scores of each size by cross-validation of all rows, and the chosen size."""

    size: int
    sizes: tuple[int, ...]
    # (sizes,): mean AUC of the held-out folds, R^2 of numbers, or concordance; NaN if an answer has
    # no such size
    means: np.ndarray
    # the sizes chosen inside, one for each outer fold of each run
    nested: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class JudgedProcedure:
    """Hold the results of a procedure on its rows."""

    sizes: SizeScores
    performance: NestedPerformance
    chance: ChanceTest | None
    probabilities: NestedProbabilities | None  # for classes
    outer: list[OuterFold]  # what was selected and predicted without each outer fold
    method: "ChosenMethod | None" = None  # the chosen one of several methods


@dataclass(frozen=True)
class ChosenMethod:
    """Hold the method that cross-validation of all rows chose among several."""

    place: int  # its position among the methods
    keys: tuple[str, ...]
    nested: tuple[int, ...]  # number of outer folds that chose each method
    means: tuple[float, ...]  # best mean score of each method over the sizes


def judge(
    data: EncodedData,
    procedure: SignatureProcedure,
    n_jobs: int | None = None,
    progress: OnProgress | None = None,
) -> JudgedProcedure:
    """Choose the size on all rows, estimate the performance, and test it against chance.

    The target is in the reported order, the positive class last. A TableError reports an error that
    the method raised on a part of the rows.
    """
    sizes = procedure.sizes(data.table.shape[1])
    if procedure.rivals:
        return _judge_several(data, procedure, sizes, n_jobs, progress)
    estimate = _parts(data, procedure, sizes)
    computations: dict[str, Numbered] = {"nested": estimate}
    drawing, then = None, None
    if procedure.permutations != 0:
        drawing = ChanceDrawing(_tables(data, procedure, sizes), procedure.permutations)
        computations["chance"], then = _in_turns(drawing)
    results = all_results(data, computations, n_jobs, progress, then)
    return _judged(data, procedure, estimate, results["nested"], drawing)


def _judged(
    data: EncodedData,
    procedure: Any,
    estimate: FoldModels,
    results: dict[int, PartResult],
    drawing: ChanceDrawing | None,
) -> JudgedProcedure:
    """Compute sizes, performance, probabilities and test from the predictions of the models."""
    found = judged_classes if data.target.kind == "classes" else judged_values
    scores, nested, performance = found(data, procedure, estimate, results)
    size = procedure.choose(estimate.sizes, scores, estimate.folds)
    chosen = SizeScores(size, estimate.sizes, scores.mean(axis=0), nested)
    shown, decisions = performance(size)
    held_out = None
    if decisions is not None:
        given = (data.target.codes, len(data.classes), data.weights, data.row_groups)
        held_out = nested_probabilities(decisions, *given)
    chance = None
    if drawing is not None:
        chance = replace(drawing.found(), score=TESTED[data.target.kind])
        shown = shown.aligned_with_test(chance.above_chance)
    outer = outer_folds(data, estimate, results, nested)
    return JudgedProcedure(chosen, shown, chance, held_out, outer)


def _judge_several(
    data: EncodedData,
    procedure: SignatureProcedure,
    sizes: tuple[int, ...],
    n_jobs: int | None,
    progress: OnProgress | None,
) -> JudgedProcedure:
    """Choose the method as well; the p-value of the chosen one is multiplied by their number."""
    each = [replace(procedure, method=m, rivals=()) for m in procedure.methods]
    parts = [
        replace(own, method=replace(own.method, label=f"nested {k}"), pairs=True)
        for k, own in enumerate(_parts(data, one, sizes) for one in each)
    ]
    computations: dict[str, Numbered] = {f"nested {k}": one for k, one in enumerate(parts)}
    results = all_results(data, computations, n_jobs, progress)
    whole, found = side_by_side(parts, [results[name] for name in computations])
    judged = _judged(data, ChoiceOfMethod(procedure), whole, found, None)
    candidate: Any = judged.sizes.size
    own = each[candidate.method]
    places = [k for k, one in enumerate(whole.sizes) if one.method == candidate.method]  # type: ignore[attr-defined]
    nested: Any = judged.sizes.nested
    means = judged.sizes.means
    methods = ChosenMethod(
        candidate.method,
        tuple(one.key for one in procedure.methods),
        tuple(sum(one.method == m for one in nested) for m in range(len(each))),
        tuple(_best_of(means, whole.sizes, m) for m in range(len(each))),
    )
    scores = SizeScores(candidate.size, sizes, means[places], tuple(one.size for one in nested))
    judged = replace(judged, sizes=scores, method=methods)
    if procedure.permutations == 0:
        return judged
    drawing = ChanceDrawing(_tables(data, own, sizes), procedure.permutations, len(each))
    first, then = _in_turns(drawing)
    all_results(data, {"chance": first}, n_jobs, progress, then)
    score = TESTED[data.target.kind]
    chance = replace(drawing.found(), score=score)
    aligned = judged.performance.aligned_with_test(chance.above_chance)
    return replace(judged, chance=chance, performance=aligned)


def _best_of(means: np.ndarray, candidates: Any, method: int) -> float:
    """Return the best mean score of a method; NaN if no size is in all parts of the rows."""
    own = [float(means[k]) for k, one in enumerate(candidates) if one.method == method]
    return max((mean for mean in own if isfinite(mean)), default=nan)


def _parts(data: EncodedData, procedure: SignatureProcedure, sizes: tuple[int, ...]) -> FoldModels:
    return FoldModels(
        replace(procedure.method, label="nested"),
        sizes,
        (procedure.classifier,),
        min(procedure.folds, int(target_scores(data.target).units(data).min())),
        procedure.runs,
        not isinstance(procedure.size, int),
        procedure.seed,
    )


def _tables(
    data: EncodedData, procedure: SignatureProcedure, sizes: tuple[int, ...]
) -> DrawnTables:
    judgement = target_scores(data.target)
    return DrawnTables(
        replace(procedure.method, label="chance"),
        sizes,
        (procedure.classifier,),
        folds_beside(data),
        content_seed(data.table, judgement.seeded_by(data.target), data.missing, data.scale),
    )


def _in_turns(
    drawing: ChanceDrawing,
) -> tuple[DrawnTables, Callable[[ResultsByName], Mapping[str, Numbered]]]:
    """Return the first tables of the test, and a function that returns the next ones."""
    asked = [drawing.first()]

    def then(results: ResultsByName) -> Mapping[str, Numbered]:
        turn = len(asked) - 1
        drawing.learn(asked[-1], results[f"chance {turn}" if turn else "chance"])
        more = drawing.more()
        if more is None:
            return {}
        asked.append(more)
        return {f"chance {turn + 1}": more}

    return asked[0], then
