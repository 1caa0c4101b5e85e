"""The whole procedure on one table: the size, how good it is, and whether that is chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hetsel.search.size_rules import RULES, spread
from hetsel.signature.chance import ChanceTest, nested_rate
from hetsel.signature.computing import Say, all_results
from hetsel.signature.leaving_out import NestedRun, judged_sizes, nested_run
from hetsel.signature.parts import PartResult, Parts
from hetsel.signature.performance import Performance, performance
from hetsel.statistics.scores import balanced_rate, confusion_counts
from hetsel.study.data_set import StudyData
from hetsel.study.method_spec import MethodSpec
from hetsel.study.specs import ClassifierSpec

TEST_FOLDS = 5  # of the permutation test, which needs no estimate for all rows


@dataclass(frozen=True, eq=False)
class Procedure:
    """All that a signature depends on but the table.

    Parameters
    ----------
    method : MethodSpec
    classifier : ClassifierSpec
        The final model.
    size : int or {"one-se", "knee", "equal"}
        The size, or the rule that chooses it.
    folds : int
        Of the nested cross-validations.
    runs : int
        How many of them, each with folds of its own.
    permutations : int
        Of the test against chance; 0 is no test.
    seed : int
    """

    method: MethodSpec
    classifier: ClassifierSpec
    size: int | str
    folds: int
    runs: int
    permutations: int
    seed: int

    @property
    def always(self) -> tuple[str, ...]:
        """Names of the features that are in every signature."""
        return tuple(self.method.params.get("always", ()))

    def sizes(self, p: int) -> tuple[int, ...]:
        """The sizes that are judged in a table with p features."""
        least = max(1, len(self.always))
        return (self.size,) if isinstance(self.size, int) else spread(range(least, p + 1))

    def choose(self, sizes: tuple[int, ...], scores: np.ndarray, folds: int | None = None) -> int:
        """The size, by scores (K, sizes) of which as many as a cross-validation has folds count."""
        if isinstance(self.size, int):
            return self.size
        judged, known = judged_sizes(sizes, scores)
        counted = {"count": folds} if self.size == "one-se" else {}
        return RULES[self.size](judged, known, **counted)


@dataclass(frozen=True, eq=False)
class SizeScores:
    """What the cross-validations on all rows say of each size, and the size that they chose.

    Parameters
    ----------
    size : int
    sizes : tuple of int
    means : ndarray of shape (sizes,)
        Mean BCR of the held-out folds; NaN where an answer has no such size.
    nested : tuple of int
        The sizes that were chosen inside, one for each outer fold of each run.
    """

    size: int
    sizes: tuple[int, ...]
    means: np.ndarray
    nested: tuple[int, ...]


def judge(
    data: StudyData, procedure: Procedure, n_jobs: int | None = None, say: Say | None = None
) -> tuple[SizeScores, Performance, ChanceTest | None]:
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
        What the method raised on a part of the rows.
    ValueError
        No size that all parts have.
    """
    sizes = procedure.sizes(data.table.shape[1])
    estimate = _parts(data, procedure, sizes, permuted=False)
    computations = {"nested": estimate}
    if procedure.permutations:
        computations["permuted"] = _parts(data, procedure, sizes, permuted=True)
    results = all_results(data, computations, n_jobs, say)
    runs = _runs(data, procedure, estimate, results["nested"])
    scores = np.concatenate([run.scores for run in runs])
    size = procedure.choose(sizes, scores, estimate.folds)
    chosen = SizeScores(size, sizes, scores.mean(axis=0), sum((run.chosen for run in runs), ()))
    inner = _rates_at(data, estimate, runs, results["nested"], sizes.index(size))
    found = performance(
        runs,
        [_decisions(estimate, r, run, results["nested"]) for r, run in enumerate(runs)],
        estimate.problem_of(data, 0).target,
        data.target.labels.tolist(),
        data.row_groups,
        inner,
        weights=data.weights,
    )
    chance = None
    if procedure.permutations:
        chance = _chance(data, procedure, computations["permuted"], results["permuted"])
    return chosen, found, chance


def _parts(
    data: StudyData, procedure: Procedure, sizes: tuple[int, ...], *, permuted: bool
) -> Parts:
    most = int(units_of_classes(data).min())
    return Parts(
        replace(procedure.method, label="permuted" if permuted else "nested"),
        sizes,
        (procedure.classifier,),
        min(TEST_FOLDS if permuted else procedure.folds, most),
        procedure.permutations + 1 if permuted else procedure.runs,
        not isinstance(procedure.size, int),
        permuted,
        procedure.seed,
    )


def units_of_classes(data: StudyData) -> np.ndarray:
    """Rows (c,) of each class, or groups of rows that have some of it."""
    if data.row_groups is None:
        return np.asarray(data.target.counts)
    pairs = np.unique(np.stack([data.target.codes, data.row_groups]), axis=1)
    return np.bincount(pairs[0], minlength=len(data.target.labels))


def _runs(
    data: StudyData, procedure: Procedure, parts: Parts, results: dict[int, PartResult]
) -> list[NestedRun]:
    rule: Any = procedure.size if isinstance(procedure.size, int) else procedure.choose
    runs = []
    for r in range(parts.runs):
        problem = parts.problem_of(data, r)
        truth, n_classes = problem.target.codes, len(problem.target.labels)
        fold = parts.folds_of(problem, r)
        predictions = parts.of_run(r, results)
        given = (parts.sizes, predictions, rule, n_classes, data.weights)
        runs.append(nested_run(truth, fold, *given))
    return runs


def _rates_at(
    data: StudyData,
    parts: Parts,
    runs: Sequence[NestedRun],
    results: dict[int, PartResult],
    place: int,
) -> float:
    """Mean BCR of the runs at one size, all rows of a run together."""
    target = parts.problem_of(data, 0).target
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


def _decisions(parts: Parts, r: int, run: NestedRun, results: dict[int, PartResult]) -> np.ndarray:
    """Decision values (n, d) of each row, without its fold and at the size of its fold."""
    first = r * len(parts.left_out)
    out = np.empty((len(run.fold), results[first].decisions.shape[2]))
    for k, left_out in enumerate(parts.left_out):
        if len(left_out) == 1:
            rows = run.fold == left_out[0]
            place = parts.sizes.index(run.chosen[left_out[0]])
            out[rows] = results[first + k].decisions[place]
    return out


def _chance(
    data: StudyData, procedure: Procedure, parts: Parts, results: dict[int, PartResult]
) -> ChanceTest:
    rates = []
    for r, run in enumerate(_runs(data, procedure, parts, results)):
        truth = parts.problem_of(data, r).target.codes
        rates.append(nested_rate(run.right, truth, data.weights))
    return ChanceTest(rates[0], np.array(rates[1:]), parts.folds)
