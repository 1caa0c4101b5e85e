"""Compute selection frequencies in half-samples, with an engine."""

import time
from dataclasses import dataclass, replace

import numpy as np

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.held_out import held_out
from hetsel.judging.half_samples import HalfSelection
from hetsel.resampling import halves_and_bootstraps, label_permutations, row_parts
from hetsel.selection import Answer
from hetsel.statistics.stability import false_selection_bounds
from hetsel.statistics.stability.false_selection_bounds import Assumption

# the parts of a `HalvesResult` without the key
SelectedInHalves = tuple[np.ndarray, np.ndarray, np.ndarray | None, float]
HALVES = 3  # stream of the seed
ASSUMPTION: Assumption = "unimodal"
ALLOWED = 1.0  # largest number of expected false selections among the kept features


@dataclass(frozen=True)
class HalvesResult:
    """Hold what was selected in the two half-samples of a pair, and the processor time."""

    key: str
    chosen: np.ndarray  # (2, p)
    half: np.ndarray  # (n,): the rows of the first half-sample
    # (n, d): of each row by the model of the half-sample without it; None if not requested
    decisions: np.ndarray | None
    rank_seconds: float  # rank_seconds, classify_seconds: of both together in the first
    classify_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class Halves:
    """Compute complementary pairs of half-samples; each number is one pair."""

    method: methods_by_key.MethodSpec
    size: int
    pairs: int
    seed: int
    # the final model, if it is to predict the other half-sample of a target of classes
    classifiers: tuple[judges_by_key.ClassifierSpec, ...] = ()
    permuted: bool = False  # whether the target is permuted, separately for each pair

    @property
    def sizes(self) -> tuple[int, ...]:
        """The one size."""
        return (self.size,)

    def __len__(self) -> int:
        return self.pairs

    def run(self, data: EncodedData, resampling: int, key: str) -> HalvesResult | CellFailure:
        """Select in both half-samples of a pair."""

        def finish(found: SelectedInHalves, _: object) -> HalvesResult:
            return HalvesResult(key, *found)

        return guarded(self, key, lambda: self._compute(data, resampling), finish, data.target.kind)

    def _compute(self, data: EncodedData, number: int) -> SelectedInHalves:
        start = time.thread_time()
        key = (HALVES, number, *((1,) if self.permuted else ()))
        drawing, running = np.random.SeedSequence(self.seed, spawn_key=key).spawn(2)
        rng = np.random.default_rng(drawing)
        problem = data.problem(self.sizes)
        if self.permuted:
            problem = label_permutations.permuted_target(problem, rng)
        (half,) = halves_and_bootstraps.draw_halves(problem, 1, rng)
        method = self.method.build().set_params(missing=data.missing, scale=data.scale)
        chosen = np.zeros((2, problem.p), dtype=bool)
        seeds = (running.generate_state(2) >> 1).tolist()
        decisions: np.ndarray | None = None
        for row, (rows, seed) in enumerate(zip((half, ~half), seeds, strict=True)):
            asked = replace(problem, seed=seed, proved=False)
            if not self.classifiers:
                answer: Answer = method.solve(row_parts.problem_part(method, asked, rows))
            else:
                found = held_out(method, asked, ~rows, self.sizes, self.classifiers)
                answer, values = found.answer, found.decisions[0, 0]
                if decisions is None:
                    decisions = np.empty((len(half), values.shape[1]))
                decisions[~rows] = values
            chosen[row, answer.signature(self.size)] = True
        return chosen, half, decisions, time.thread_time() - start


def half_selection(
    chosen: np.ndarray, permuted: np.ndarray, names: tuple[str, ...], size: int
) -> HalfSelection | None:
    """Return the features that are selected often enough for at most one expected false selection.

    The result is None if no frequency is enough. `permuted` (2M, p) are selections with a permuted
    target.
    """
    p, pairs = len(names), len(chosen) // 2
    try:
        threshold = false_selection_bounds.selection_threshold(
            q=size, p=p, bound=ALLOWED, pairs=pairs, assumption=ASSUMPTION
        )
    except ValueError:
        return None
    bound = false_selection_bounds.false_selection_bound(
        q=size, p=p, threshold=threshold, pairs=pairs, assumption=ASSUMPTION
    )
    return HalfSelection(chosen, names, size, threshold, bound, ASSUMPTION, permuted)
