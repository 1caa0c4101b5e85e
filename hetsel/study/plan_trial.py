"""Try external and tuned methods and external judges on few rows before the first cell of a run.

A trial uses about twenty training rows of the first cell of a method or judge, the same number of
each stratum. Few rows are no reason to refuse a plan: a method may need more, and says so by an
error. So a plan is refused only if three things hold.

1. The error is one of code (an attribute, a name or an import that does not exist, a wrong type),
   or it names a parameter of the method or judge, such as "C must be positive".
2. The same computation on all training rows of the first cell fails, too.
3. Both errors have the same class and text.

Trials run in a worker process of this machine, if the run has workers or a cluster. A crash ends
only the trial, as do 30 seconds; the cells show what is wrong. A method that cannot be sent to
another process is not tried.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.computation import CellFailure
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.cell_queue import CellQueue, PlannedCell
from hetsel.evaluation.engines.choice_of_engine import computed
from hetsel.ground import PlanError
from hetsel.selection import Ranking
from hetsel.study.cell import CellResult, Known, Recipe, Seconds, Selection

OF_CODE = (
    *("AttributeError", "ImportError", "ModuleNotFoundError", "NameError"),
    *("NotImplementedError", "TypeError", "UnboundLocalError", "InvalidParameterError"),
)
SECONDS = 30.0  # time limit of a trial in a worker
OWN = ("hetsel", "r_bridge")  # packages whose methods need no trial


@dataclass(frozen=True, eq=False)
class Trial:
    """The computation of a trial for an engine; of a judge, or of the method without one."""

    recipe: Recipe  # of a cell, with this judge only or without any

    @property
    def method(self) -> MethodSpec:
        """The method of the cell."""
        return self.recipe.method

    @property
    def sizes(self) -> tuple[int, ...]:
        """The smallest and the largest size."""
        return self.recipe.sizes

    @property
    def classifiers(self) -> tuple[ClassifierSpec, ...]:
        """The judge, if there is one."""
        return self.recipe.classifiers

    def run(self, data: EncodedData, resampling: int, key: str) -> "Tried | CellFailure":
        """Return what is wrong in every cell, if anything is."""
        first = self._failure(replace(self.recipe, few_rows=True), data, resampling, key)
        if first is None or not self._is_of_code(first):
            return Tried(key)
        again = self._failure(self.recipe, data, resampling, key)
        same = again is not None and (again.kind, again.reason) == (first.kind, first.reason)
        return Tried(key, first if same else None)

    def _failure(
        self, recipe: Recipe, data: EncodedData, resampling: int, key: str
    ) -> CellFailure | None:
        if recipe.classifiers:
            recipe = recipe.after(Known(_first_columns(data.table.shape[1], key), (0,)))
        found = recipe.run(data, resampling, key)
        if isinstance(found, CellResult) and found.judgments:
            (judgment,) = found.judgments
            return judgment if isinstance(judgment, CellFailure) else None
        return found if isinstance(found, CellFailure) else None

    def _is_of_code(self, failure: CellFailure) -> bool:
        """Return whether the error may be independent of the rows."""
        words = {*re.findall(r"\w+", failure.reason)}
        return failure.kind in OF_CODE or bool(words & self._parameters())

    def _parameters(self) -> set[str]:
        """Return the names of all parameters of the judge or the method, and of parts of these."""
        judge = self.classifiers[0].estimator if self.classifiers else None
        names = (judge or self.method.build()).get_params(deep=True)
        return {part for name in [*names, *self.method.tune] for part in (name, _last_part(name))}


def _last_part(name: str) -> str:
    return name.rpartition("__")[2]


@dataclass(frozen=True, eq=False)
class Tried:
    """The outcome of a trial, with the failure of every cell if there is one."""

    key: str
    failure: CellFailure | None = None
    rank_seconds: float = 0.0
    classify_seconds: float = 0.0


def _first_columns(p: int, key: str) -> Selection:
    """Return a selection with the columns in their order, for the trial of a judge."""
    return Selection.of(
        Ranking.from_importance(-np.arange(float(p))),
        p,
        key=key,
        test=np.empty(0, dtype=np.int32),
        truth=np.empty(0, dtype=np.int32),
        training_mean=None,
        seconds=Seconds(0.0, 0.0),
        warnings=(),
        versions={},
    )


def try_plan(cells: Sequence[PlannedCell], done: Collection[str], *, in_worker: bool) -> None:
    """Raise a PlanError if a method or judge of these cells fails in every cell.

    Methods and judges with a result in the store (keys `done`) are not tried again. Without a
    worker, this process tries them.
    """
    trials = dict(_trials(cells, done))
    if not trials:
        return
    queue, recipes = CellQueue(trials.values()), [cell.recipe for cell in trials.values()]
    try:
        outcomes = computed(
            queue, recipes, jobs=int(in_worker), time_limit=SECONDS if in_worker else None
        )
    except PlanError:  # a worker cannot be used; the run says so
        return
    with closing(outcomes):
        found = {outcome.key: outcome for batch in outcomes for outcome in batch}
    for what, cell in trials.items():
        outcome: Any = found.get(cell.key)
        if isinstance(outcome, Tried) and outcome.failure is not None:
            raise PlanError(
                f"{what} fails in every cell: {outcome.failure.sentence}. It was tried on the "
                f"training rows of data set {cell.data.name!r}. Correct it or its parameters, or "
                "leave it out"
            )


def _trials(
    cells: Sequence[PlannedCell], done: Collection[str]
) -> Iterator[tuple[str, PlannedCell]]:
    """Yield the trials of methods and judges on the first data set that each of them sees."""
    first = {id(cell.recipe): cell for cell in reversed(cells)}  # of each method and data set
    needed: dict[str, PlannedCell] = {}
    for cell in reversed(first.values()):
        recipe = cast(Recipe, cell.recipe)
        few = replace(recipe, sizes=tuple(sorted({recipe.sizes[0], recipe.sizes[-1]})))
        parts = []
        if needs_trial(recipe.method):
            parts.append((f"method {recipe.method.label!r}", replace(few, classifiers=())))
        for judge, by in zip(recipe.classifiers, recipe.judged_by, strict=True):
            if judge.estimator is not None:
                own = replace(few, classifiers=(judge,), judged_by=(by,))
                parts.append((f"judge {judge.label!r}", own))
        for what, part in parts:
            trial = PlannedCell(cell.data, Trial(part), cell.resampling, f"trial {what}")
            needed.setdefault(what, trial)
    known: set[str] = set()  # those with a result in the store
    for cell in cells if needed else ():
        recipe = cast(Recipe, cell.recipe)
        if cell.key in done:
            known.add(f"method {recipe.method.label!r}")
        for judge, key in zip(recipe.classifiers, recipe.judgments(cell.key), strict=True):
            if key in done:
                known.add(f"judge {judge.label!r}")
    yield from ((what, trial) for what, trial in needed.items() if what not in known)


def needs_trial(method: MethodSpec) -> bool:
    """Return whether a method is not one of hetsel with fixed parameters."""
    return bool(method.tune) or method.of_scikit or method.home not in OWN
