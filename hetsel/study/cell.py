"""One cell: data set x resampling x method: split, rank, classify at every size.

A cell is a pure function of its key: the fingerprint of the data, the method with its parameters
and revision, the sizes, the final classifiers, how the rows are split, the seed and the number of
the resampling. Kinds of the columns and declared levels are those of the whole table; whatever is
learned (other levels, ranges and quantiles, what fills missing cells, the ranking, the classifiers)
sees the training rows only.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol, TypeVar

import numpy as np

from hetsel import __version__
from hetsel.ground.errors import FOR_DEVELOPERS, TableError, interrupted
from hetsel.ground.text import listed
from hetsel.resampling.resamplings import Resamplings
from hetsel.selection.answer import Ranking
from hetsel.selection.problem import Problem
from hetsel.selection.proved_cuts import UNSAID
from hetsel.study.failure_text import in_a_line, reason_and_trace
from hetsel.study.judged_rows import predicted_rows, split_of
from hetsel.study.plan.planned_classifiers import ClassifierSpec
from hetsel.study.plan.planned_methods import MethodSpec
from hetsel.study.rows.data_set import StudyData
from hetsel.study.rows.resampled_rows import train_and_test
from hetsel.tables.rescaling import rescaled
from hetsel.tables.table import Column, Schema, Table
from hetsel.tables.target import Classes, Kind, Numbers, Survival, Target
from hetsel.tables.training_levels import levels_of_rows

REVISION = 8  # of the cells themselves: a new one makes every key new
MOST_NOTES = 50  # warnings of a cell

Found = TypeVar("Found")
Outcome = TypeVar("Outcome")


class Computation(Protocol):
    """What an engine computes of a data set, number by number: a recipe, or what looks like one.

    Parameters
    ----------
    method : MethodSpec
    sizes : tuple of int
    classifiers : tuple of ClassifierSpec
    """

    @property
    def method(self) -> MethodSpec: ...

    @property
    def sizes(self) -> tuple[int, ...]: ...

    @property
    def classifiers(self) -> tuple[ClassifierSpec, ...]: ...

    def run(self, data: StudyData, resampling: int, key: str) -> Computed | CellFailure:
        """The outcome of this number, or why there is none."""


class Computed(Protocol):
    """What a computation found under its key, and the processor time that it took."""

    @property
    def key(self) -> str: ...

    @property
    def rank_seconds(self) -> float: ...

    @property
    def classify_seconds(self) -> float: ...


@dataclass(frozen=True, eq=False)
class Recipe:
    """All of a cell but its data and the number of its resampling."""

    method: MethodSpec
    sizes: tuple[int, ...]
    classifiers: tuple[ClassifierSpec, ...]
    resamplings: Resamplings
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """What the cells of this recipe depend on, and nothing else."""
        method = self.method.identity()
        about = self.method.selector.about
        given = {k: v for k, v in method["params"].items() if about.added.get(k, ...) != v}
        method["params"] = {about.former.get(name, name): v for name, v in given.items()}
        return {
            "cells": REVISION,
            "method": method,
            "sizes": list(self.sizes),
            "classifiers": [classifier.identity() for classifier in self.classifiers],
            "split": [self.resamplings.kind, self.resamplings.parts],
            "seed": self.seed,
        }

    def run(self, data: StudyData, resampling: int, key: str) -> CellResult | CellFailure:
        """Compute one of its cells, see :func:`run_cell`."""
        return run_cell(data, self, resampling, key)

    def keys(self, fingerprint: str, count: int) -> list[str]:
        """Keys of the cells of the first `count` resamplings of a data set."""
        content = json.dumps([fingerprint, self.to_dict()], sort_keys=True).encode()
        head = hashlib.sha256(content)
        keys = []
        for resampling in range(count):
            total = head.copy()
            total.update(b"%d" % resampling)
            keys.append(total.hexdigest())
        return keys


@dataclass(frozen=True, eq=False)
class CellResult:
    """What a cell found.

    Parameters
    ----------
    key : str
    order : ndarray of int32, shape (k,)
        Features, best first; empty where the answer is no ranking.
    chosen : ndarray of bool, shape (sizes, p)
        The signature of each size; none of the features where the answer has no such size.
    cuts : tuple of {"proved", "tie", "open", ""}, of length sizes
        The verdict on the cut after the signature of each size, see :class:`hetsel.Ranking`.
    test : ndarray of int32, shape (m,)
        The test rows, ascending.
    truth : ndarray of int32 or float64, shape (m,)
        Their class codes, their numbers, or their times, see :attr:`Survival.signed`.
    predictions : ndarray of int32 or float64, shape (classifiers, sizes, m)
        Predicted class of each test row, -1 where there is no signature; or predicted number or
        risk, NaN where there is none.
    decisions : ndarray of float64, shape (classifiers, sizes, m, d)
        d = 1 for two classes, positive for the second; else one column a class, NaN for a class
        that has no training row; d = 0 for numbers; of survival times d = 4, see
        :func:`hetsel.statistics.survival.cox_curves.survival_columns`.
    rank_seconds, classify_seconds : float
        Processor time.
    warnings : tuple of str
    versions : dict of str
    training_mean : float, optional
        Mean of the numbers of the training rows, weighted where the rows are.
    """

    key: str
    order: np.ndarray
    chosen: np.ndarray
    cuts: tuple[str, ...]
    test: np.ndarray
    truth: np.ndarray
    predictions: np.ndarray
    decisions: np.ndarray
    rank_seconds: float
    classify_seconds: float
    warnings: tuple[str, ...]
    versions: dict[str, str]
    training_mean: float | None = None


@dataclass(frozen=True)
class CellFailure:
    """Why a cell has no result."""

    key: str
    reason: str
    trace: str


def run_cell(
    data: StudyData, recipe: Recipe, resampling: int, key: str
) -> CellResult | CellFailure:
    """Compute a cell; whatever a method raises becomes a failure, never a result.

    Raises
    ------
    KeyboardInterrupt
    """
    return guarded(
        recipe,
        key,
        lambda: _compute(data, recipe, resampling),
        lambda found, notes: CellResult(
            key=key, warnings=notes, versions=versions(recipe.method, recipe.classifiers), **found
        ),
        data.target.kind,
    )


def guarded(
    recipe: Computation,
    key: str,
    compute: Callable[[], Found],
    finish: Callable[[Found, tuple[str, ...]], Outcome],
    kind: Kind,
) -> Outcome | CellFailure:
    """What a computation finds, with what it warned of; whatever is raised becomes a failure.

    Parameters
    ----------
    recipe : Computation
    key : str
    compute : callable
    finish : callable
        Called with what was found and the warnings.
    kind : str
        Of the target of the data.

    Raises
    ------
    KeyboardInterrupt
    """
    with warnings.catch_warnings(record=True) as caught:
        try:
            warm_up(recipe, kind)
            warnings.simplefilter("always")
            return finish(compute(), _notes(caught))
        except BaseException as reason:  # sys.exit() of a method ends the cell, not the study
            if interrupted(reason):
                raise KeyboardInterrupt from reason
            return CellFailure(key, *reason_and_trace(reason))


def _notes(caught: Sequence[warnings.WarningMessage]) -> tuple[str, ...]:
    """Warnings that Python shows its users as text, each once; the first of very many."""
    told = [w for w in caught if not issubclass(w.category, FOR_DEVELOPERS)]
    notes = sorted({in_a_line(f"{w.category.__name__}: {w.message}") for w in told})
    more = len(notes) - MOST_NOTES
    return (*notes[:MOST_NOTES], *([f"and {more} other warnings"] if more > 0 else []))


_WARM: set[str] = set()


def warm_up(recipe: Computation, kind: Kind) -> None:
    """Run a method and the judges once on a toy table, so that no cell's seconds are loading.

    Compiled code and R are loaded at first use, once in each process.

    Parameters
    ----------
    recipe : Computation
    kind : str
        Of the target of the data.
    """
    warm_up_classifiers(recipe, kind)
    known = f"method {recipe.method.key} {kind} {recipe.method.target}"
    if known in _WARM:
        return
    _WARM.add(known)
    with warnings.catch_warnings(), _not_interrupted():
        warnings.simplefilter("ignore")
        problem = recipe.method.told(Problem(*_toy(kind), (1, 2, 3)))
        recipe.method.trial().solve(problem)


def warm_up_classifiers(recipe: Computation, kind: Kind) -> None:
    """Run the judges only."""
    new = [c for c in recipe.classifiers if f"classifier {c.key} {kind}" not in _WARM]
    if not new:
        return
    _WARM.update(f"classifier {classifier.key} {kind}" for classifier in new)
    table, target = _toy(kind)
    subsets = [np.arange(1), np.arange(3)]
    with warnings.catch_warnings(), _not_interrupted():
        warnings.simplefilter("ignore")
        halves = split_of(table, table.take(rows=slice(4)), target)
        for classifier in new:
            if kind == "classes":
                classifier.judge(halves, subsets, np.arange(2), 2, seed=0)
            else:
                classifier.predict(halves, subsets, seed=0)


def _toy(kind: Kind) -> tuple[Table, Target]:
    """A table whose rows and levels are enough that what a real one calls is called here."""
    kinds = (
        Column("a", "continuous"),
        Column("b", "continuous"),
        Column("c", "nominal", (0, 1, 2)),
    )
    values = np.random.default_rng(0).normal(size=(96, 3))
    values[:, 2] = np.digitize(values[:, 0], [-0.5, 0.5])
    if kind == "numbers":
        return Table(values, Schema(kinds)), Numbers.of(values[:, 1] + values[:, 0])
    if kind == "survival":
        times = Survival(np.abs(values[:, 1] + values[:, 0]), np.arange(len(values)) % 3 > 0)
        return Table(values, Schema(kinds)), times
    return Table(values, Schema(kinds)), Classes.of(np.arange(len(values)) % 2)


@contextlib.contextmanager
def _not_interrupted() -> Iterator[None]:
    """Let pass whatever a method raises; it will do so again in its cell."""
    try:
        yield
    except BaseException as reason:
        if interrupted(reason):
            raise KeyboardInterrupt from None


def _compute(data: StudyData, recipe: Recipe, resampling: int) -> dict[str, Any]:
    train_rows, test_rows, drawing = train_and_test(
        data, recipe.resamplings, recipe.seed, resampling
    )
    groups = None if data.row_groups is None else data.row_groups[train_rows]
    target = data.target.take(train_rows)
    if not target.varies:
        raise TableError(f"the training rows hold {target.told_nothing}")
    table = rescaled(levels_of_rows(data.table, train_rows), data.scale, train_rows)
    train = table.take(rows=train_rows).resolve_missing(data.missing)
    seed = int(drawing.generate_state(1)[0] >> 1)
    start = time.thread_time()
    weights = None if data.weights is None else data.weights[train_rows]
    problem = Problem(train, target, recipe.sizes, seed, weights, row_groups=groups)
    answer = recipe.method.build().solve(recipe.method.told(problem))
    rank_seconds = time.thread_time() - start
    start = time.thread_time()
    test = _complete(table.take(rows=test_rows), train, data.missing)
    halves = split_of(train, test, problem.target, weights, groups)
    sizes = set(answer.sizes)
    known = [k for k, size in enumerate(recipe.sizes) if size in sizes]
    if not known:
        raise TableError(
            f"the method has signatures of the sizes {listed(answer.sizes)}, none of which the "
            f"study asks for: {listed(recipe.sizes)}"
        )
    subsets = {k: np.asarray(answer.signature(recipe.sizes[k]), dtype=np.int64) for k in known}
    chosen = np.zeros((len(recipe.sizes), train.shape[1]), dtype=bool)
    for k, subset in subsets.items():
        chosen[k, subset] = True
    cuts = tuple(answer.cut(size) if size in sizes else UNSAID for size in recipe.sizes)
    known_of_test = data.target if isinstance(data.target, Classes) else data.target.take(test_rows)
    judged = (recipe.classifiers, problem, halves, subsets, len(recipe.sizes))
    found = predicted_rows(*judged, known_of_test)
    (truth,) = data.target.parts
    order = answer.order if isinstance(answer, Ranking) else np.empty(0)
    return {
        "order": order.astype(np.int32),
        "chosen": chosen,
        "cuts": cuts,
        "test": test_rows.astype(np.int32),
        "truth": truth[test_rows].astype(np.float64 if truth.dtype.kind == "f" else np.int32),
        **found,
        "rank_seconds": rank_seconds,
        "classify_seconds": time.thread_time() - start,
    }


def _complete(test: Table, train: Table, missing: Any) -> Table:
    """The test rows, their missing cells resolved as the training rows teach."""
    gaps = np.isnan(test.values)
    if missing != "impute" or not gaps.any():
        return test.resolve_missing(missing)
    # asked for the columns with a gap only: a median of each of thousands of columns takes long
    fill = train.fill_values(gaps.any(axis=0))
    return Table(np.where(gaps, fill, test.values), test.schema)


_VERSIONS: dict[tuple[Any, ...], dict[str, str]] = {}


def versions(method: MethodSpec, classifiers: Sequence[ClassifierSpec] = ()) -> dict[str, str]:
    """Versions of all that a cell of this method and these classifiers ran on."""
    homes = sorted({method.home, *(classifier.home for classifier in classifiers)})
    known = (method.selector, *homes)
    if known not in _VERSIONS:
        found = {"hetsel": __version__, "python": platform.python_version()}
        packages = ["numpy", "scipy", "scikit-learn", "numba"]
        if "r" in method.selector.about.requires:
            packages += ["rpy2", "rpy2-rinterface"]
        packages += [home for home in homes if home not in ("hetsel", "r_bridge", "__main__")]
        for package in packages:
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
        found |= {str(k): in_a_line(str(v)) for k, v in method.selector.foreign_versions().items()}
        found["machine"] = f"{platform.system()} {platform.machine()}"
        _VERSIONS[known] = found
    return _VERSIONS[known]
