"""Define the models of a nested cross-validation, which an engine computes one by one."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.target_scores import target_scores
from hetsel.selection import Problem
from hetsel.signature.nested.nested_cross_validation import FoldsLeftOut, left_out_folds
from hetsel.tables import Classes

FOLDS = 1  # stream of the seed


@dataclass(frozen=True)
class PartResult:
    """Hold what a model predicts for rows that it has not seen."""

    key: str
    # (sizes, rows left out): class codes, -1 if the answer has no signature of a size; or numbers
    # or risk scores, NaN there
    predicted: np.ndarray
    decisions: np.ndarray  # (sizes, rows left out, d): d = 0 for another target than classes
    # the features of each size if the model leaves out one fold; else none
    signatures: tuple[np.ndarray, ...]
    # rank_seconds, classify_seconds: processor time, of both together in the first
    rank_seconds: float
    classify_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class FoldModels:
    """Compute all models of several nested cross-validations; each number is one model."""

    method: methods_by_key.MethodSpec
    sizes: tuple[int, ...]
    classifiers: tuple[judges_by_key.ClassifierSpec, ...]
    folds: int  # at most the number of rows, or row groups, of the rarest class
    runs: int  # number of cross-validations, each with its own folds
    # whether inner folds choose the sizes, which needs the models that leave out two folds
    pairs: bool
    seed: int

    @cached_property
    def left_out(self) -> list[FoldsLeftOut]:
        """The folds that the models of one run leave out."""
        return left_out_folds(self.folds, pairs=self.pairs)

    def __len__(self) -> int:
        return self.runs * len(self.left_out)

    def folds_of(self, problem: Problem, run: int) -> np.ndarray:
        """Return the fold (n,) of each row in a run."""
        source = np.random.SeedSequence(self.seed, spawn_key=(FOLDS, 0, run))
        seeded = replace(problem, seed=int(source.generate_state(1)[0]))
        return np.asarray(target_scores(problem.target).folds(seeded, self.folds))

    def run(self, data: EncodedData, resampling: int, key: str) -> PartResult | CellFailure:
        """Compute the model of this number."""

        def compute() -> PartResult:
            return self._computed(data, resampling, key)

        return guarded(self, key, compute, lambda found, _: found, data.target.kind)

    def _computed(self, data: EncodedData, number: int, key: str) -> PartResult:
        start = time.thread_time()
        run, place = divmod(number, len(self.left_out))
        problem = data.problem(seed=self.seed)
        held_out = np.isin(self.folds_of(problem, run), self.left_out[place])
        method = self.method.build().set_params(missing=data.missing, scale=data.scale)
        judgement = target_scores(problem.target)
        given = (method, problem, held_out, self.sizes, self.classifiers[0])
        predicted, decisions, answer = judgement.held_out(*given)
        signatures: tuple[np.ndarray, ...] = ()
        if len(self.left_out[place]) == 1:  # an answer of many features takes memory
            known = {*answer.sizes}
            chosen = (answer.signature(s) if s in known else () for s in self.sizes)
            signatures = tuple(np.array(one, dtype=np.int32) for one in chosen)
        return PartResult(key, predicted, decisions, signatures, time.thread_time() - start)

    def of_run(self, run: int, results: Mapping[int, PartResult]) -> dict[FoldsLeftOut, np.ndarray]:
        """Return the predictions of the models of a run, by the folds that they leave out."""
        first = run * len(self.left_out)
        return {out: results[first + k].predicted for k, out in enumerate(self.left_out)}

    def decisions_of_run(
        self, run: int, results: Mapping[int, PartResult]
    ) -> dict[FoldsLeftOut, np.ndarray]:
        """Return their decision values, by the folds that they leave out."""
        first = run * len(self.left_out)
        return {out: results[first + k].decisions for k, out in enumerate(self.left_out)}


@dataclass(frozen=True, eq=False)
class OuterFold:
    """Hold an outer fold: its rows, and features and predictions without these rows."""

    run: int  # number of the cross-validation
    held_out: np.ndarray  # (n,)
    # (size,): positions of the features selected without these rows, ascending
    features: np.ndarray
    # (m, d): predictions for the m rows: decision values of the classes of the data, in their
    # order, or for two classes d = 1, above 0 for the second; for another target numbers or risk
    # scores, d = 1
    values: np.ndarray


def outer_folds(
    data: EncodedData,
    parts: FoldModels,
    results: Mapping[int, PartResult],
    sizes: Sequence[int],
) -> list[OuterFold]:
    """Return every outer fold of every run.

    `sizes` are those of the outer folds, each chosen by the other folds, run by run.
    """
    found = []
    for run in range(parts.runs):
        problem = data.problem(seed=parts.seed)
        fold = parts.folds_of(problem, run)
        for k in range(parts.folds):
            place = parts.sizes.index(sizes[run * parts.folds + k])
            number = run * len(parts.left_out) + parts.left_out.index((k,))
            one = results[number]
            values = one.predicted[place, :, None]
            if isinstance(data.target, Classes):
                places = problem.classes.places_of(data.target)
                values = _in_order(one.decisions[place], places)
            found.append(OuterFold(run, fold == k, np.sort(one.signatures[place]), values))
    return found


def _in_order(decisions: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Reorder decision values (m, d) of a problem, which has its own order of classes."""
    if decisions.shape[1] > 1:
        return decisions[:, places]
    return decisions if places[1] == 1 else -decisions
