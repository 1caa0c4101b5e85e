"""One cell, a method on a resampling of a data set: split, rank, and score the judges by size.

A cell has a selection and, for each judge, a judgment. Each is a pure function of its key, and the
key of a selection names no judge: a further judge costs no selection. Kinds of columns and declared
levels come from all rows. Other levels, scales, imputed values, ranking and judges are learned from
training rows only.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from hetsel.evaluation.by_key import import_paths, judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded, versions
from hetsel.evaluation.data import encoded_data, train_and_test_rows
from hetsel.evaluation.held_out import predict_held_out, predictions_without_signature
from hetsel.ground import TableError, listed
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.resampling.row_parts import part_and_rest
from hetsel.selection import Answer, BaseSelector, Problem, Ranking
from hetsel.selection.verdicts_in_words import UNSAID
from hetsel.statistics.performance.scores import SCORES
from hetsel.study.asked_sizes import asked_sizes
from hetsel.tables import Numbers, Table

REVISION = 9  # of the selections; a new revision changes all keys
JUDGED = 1  # the same of the judgments


@dataclass(frozen=True)
class Seconds:
    """Time of a computation: of the processor, with the processes that it started, and elapsed."""

    processor: float
    elapsed: float

    @classmethod
    def of(cls, compute: Callable[[], Any]) -> "tuple[Any, Seconds]":
        """Return a result and its time."""
        start, clock = _processor_seconds(), time.perf_counter()
        found = compute()
        return found, cls(_processor_seconds() - start, time.perf_counter() - clock)


def _processor_seconds() -> float:
    """Return the CPU seconds of this process and of those that it started and waited for."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


@dataclass(frozen=True, eq=False)
class Selection:
    """What a method selected on the training rows of a resampling; the rows that are held out."""

    key: str
    p: int
    least: int  # the smallest size that a ranking answers
    order: np.ndarray  # int32 (k,): features, best first; empty if the answer is not a ranking
    # of an answer that is not a ranking: bool (s, p), one subset in a row; else empty
    subsets: np.ndarray
    # verdicts on the cuts after each rank, (k - 1,) of "proved", "tie", "open" and "", or empty
    ranked_cuts: tuple[str, ...]
    test: np.ndarray  # int32 (m,): held-out rows, ascending
    truth: np.ndarray  # int32 or float64 (m,): their target; classes are codes
    # mean of a numeric target over the training rows, with their weights
    training_mean: float | None
    seconds: Seconds
    warnings: tuple[str, ...]
    versions: Mapping[str, str]
    chosen_params: Mapping[str, Any] = field(default_factory=dict)  # of a tuned method

    @classmethod
    def of(cls, answer: Answer, p: int, **others: Any) -> "Selection":
        """Build the selection of an answer for p features."""
        if isinstance(answer, Ranking):
            order, cuts = answer.order.astype(np.int32), tuple(answer.cuts)
            least, subsets = answer.sizes[0], np.zeros((0, p), dtype=bool)
        else:
            order, cuts, least = np.empty(0, dtype=np.int32), (), 1
            subsets = np.zeros((len(answer.sizes), p), dtype=bool)
            for row, size in zip(subsets, answer.sizes, strict=True):
                row[answer.signature(size)] = True
        written = {
            name: import_paths.described(name, value)
            for name, value in answer.chosen_params.items()
        }
        return cls(
            p=p,
            least=least,
            order=order,
            subsets=subsets,
            ranked_cuts=cuts,
            chosen_params=written,
            **others,
        )

    def signatures(self, sizes: Sequence[int]) -> dict[int, np.ndarray]:
        """Return the features of each size that has a signature, by the position of the size."""
        if len(self.order):
            known = (k for k, size in enumerate(sizes) if self.least <= size <= len(self.order))
            return {k: self.order[: sizes[k]].astype(np.int64) for k in known}
        rows = {int(size): row for row, size in enumerate(self.subsets.sum(axis=1))}
        found = {k: rows[size] for k, size in enumerate(sizes) if size in rows}
        return {k: np.flatnonzero(self.subsets[row]) for k, row in found.items()}

    def chosen(self, sizes: Sequence[int]) -> np.ndarray:
        """Return the signatures as masks (sizes, p); a row without a signature is empty."""
        masks = np.zeros((len(sizes), self.p), dtype=bool)
        for k, features in self.signatures(sizes).items():
            masks[k, features] = True
        return masks

    def cuts(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """Return the verdict on the cut after each size; see :class:`hetsel.Ranking`."""
        last = len(self.ranked_cuts)
        return tuple(
            self.ranked_cuts[size - 1] if self.least <= size <= last else UNSAID for size in sizes
        )


@dataclass(frozen=True, eq=False)
class Judgment:
    """Predictions of a judge for the held-out rows of a selection at every size."""

    key: str
    predictions: np.ndarray  # (sizes, m) and
    decisions: np.ndarray  # float64 (sizes, m, d), as in :class:`HeldOut`
    seconds: Seconds
    warnings: tuple[str, ...]
    versions: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class CellResult:
    """The result of a cell: a selection and the judgments at the sizes of the plan."""

    key: str
    sizes: tuple[int, ...]
    selection: Selection
    # one for each judge of the plan; None if it was not asked for, or is not there yet
    judgments: tuple[Judgment | CellFailure | None, ...]
    selected: bool = True  # whether the selection was computed, not recalled

    @property
    def chosen(self) -> np.ndarray:
        """Signatures as masks (sizes, p)."""
        return self.selection.chosen(self.sizes)

    @property
    def rank_seconds(self) -> float:
        """CPU seconds that the selection took in this computation."""
        return self.selection.seconds.processor if self.selected else 0.0

    @property
    def classify_seconds(self) -> float:
        """CPU seconds of the judges."""
        return sum(found.seconds.processor for found in self.judged)

    @property
    def judged(self) -> list[Judgment]:
        """The judgments that are there."""
        return [found for found in self.judgments if isinstance(found, Judgment)]

    def rows(
        self, place: tuple[str, str, int], about: Mapping[str, Any], judges: Sequence[str]
    ) -> dict[str, np.ndarray]:
        """Return the columns of :meth:`hetsel.Results.frame`, sizes varying fastest.

        `place` is data set, method and number of the resampling; `about` has facts of the data set.
        """
        selection, chosen = self.selection, self.chosen
        known = chosen.any(axis=1)
        labels = [
            label
            for label, found in zip(judges, self.judgments, strict=True)
            if isinstance(found, Judgment)
        ]
        n_judges, n_sizes = len(labels), int(known.sum())
        n = n_judges * n_sizes
        known_without: Any = selection.training_mean
        if about["class_counts"]:
            known_without = np.array(about.get("class_weights", about["class_counts"]))
        weights = None
        if "row_weights" in about:
            weights = np.array(about["row_weights"])[selection.test]
        predictions = np.concatenate([found.predictions[known] for found in self.judged])
        decisions = np.concatenate([found.decisions[known] for found in self.judged])
        score = SCORES[about["target"]].compute
        categorical = np.array(about["kinds"]) != "continuous"
        return {
            "dataset": np.full(n, place[0], dtype=object),
            "method": np.full(n, place[1], dtype=object),
            "resampling": np.full(n, place[2]),
            "size": np.tile(np.array(self.sizes)[known], n_judges),
            "classifier": np.repeat(np.array(labels, dtype=object), n_sizes),
            **score(selection.truth, predictions, decisions, known_without, weights),
            "n_categorical": np.tile((chosen[known] & categorical).sum(axis=1), n_judges),
            "cut": np.tile(np.array(selection.cuts(self.sizes), dtype=object)[known], n_judges),
            "rank_seconds": np.full(n, selection.seconds.processor),
            "rank_elapsed": np.full(n, selection.seconds.elapsed),
        }


@dataclass(frozen=True, eq=False)
class Known:
    """What a store has of a cell, and which judges to ask."""

    selection: Selection | None
    judges: tuple[int, ...]  # their positions in the plan


@dataclass(frozen=True, eq=False)
class Recipe:
    """All that defines a cell except its data and the number of its resampling."""

    method: methods_by_key.MethodSpec
    sizes: tuple[int, ...]
    classifiers: tuple[judges_by_key.ClassifierSpec, ...]
    resamplings: Resamplings
    seed: int
    known: Known | None = field(default=None, repr=False)
    # identities of method and judges; code of a session has its identity where the run begins
    selected_by: str = ""
    judged_by: tuple[str, ...] = ()
    few_rows: bool = False  # of a trial, see :mod:`hetsel.study.plan_trial`

    def __post_init__(self) -> None:
        if not self.selected_by:
            object.__setattr__(self, "selected_by", identity_of_method(self.method))
        if not self.judged_by:
            identities = tuple(map(identity_of_judge, self.classifiers))
            object.__setattr__(self, "judged_by", identities)

    def after(self, known: Known) -> "Recipe":
        """Return the recipe of what is left to compute of a cell."""
        return replace(self, known=known)

    def judgments(self, key: str) -> list[str]:
        """Return the keys of the judgments of a selection, one for each judge."""
        return [judgment_key(key, judge, self.sizes) for judge in self.judged_by]

    def keys(self, data: encoded_data.EncodedData, count: int) -> list[str]:
        """Return the keys of the selections of the first `count` resamplings of a data set."""
        place = data.fingerprint, data.table.shape[1]
        return selection_keys(
            self.selected_by, *place, self.sizes, self.resamplings, self.seed, count
        )

    def run(
        self, data: encoded_data.EncodedData, resampling: int, key: str
    ) -> CellResult | CellFailure:
        """Compute one cell; an error of the method becomes a failure, one of a judge is kept."""
        known = self.known or Known(None, tuple(range(len(self.classifiers))))
        kind = data.target.kind
        rows = _Rows(self, data, resampling)
        selection: Selection | CellFailure | None = known.selection
        if selection is None:
            selection = guarded(
                self,
                key,
                partial(_select, self, rows, key),
                lambda found, notes: replace(found, warnings=notes),
                kind,
                keeps_printed=True,
            )
        if isinstance(selection, CellFailure):
            return selection
        kept = selection
        judgments: list[Judgment | CellFailure | None] = [None] * len(self.classifiers)
        for place in known.judges:
            judge = self.classifiers[place]
            name = judgment_key(kept.key, self.judged_by[place], self.sizes)
            found = guarded(
                self,
                name,
                partial(_judge, self, rows, kept, judge, name),
                lambda found, notes: replace(found, warnings=notes),
                kind,
                keeps_printed=True,
            )
            if isinstance(found, CellFailure) and len(self.classifiers) > 1:
                found = replace(found, reason=f"{judge.label}: {found.sentence}", kind="")
            judgments[place] = found
        return CellResult(key, self.sizes, kept, tuple(judgments), known.selection is None)


def identity_of_method(method: methods_by_key.MethodSpec) -> str:
    """Return what selections depend on besides table, split, seed and sizes, as JSON."""
    content = {"revision": REVISION, "use_of_sizes": method.use_of_sizes}
    return json.dumps({**content, "method": method.identity()}, sort_keys=True)


def selection_keys(
    method: str,
    fingerprint: str,
    p: int,
    sizes: Sequence[int],
    resamplings: Resamplings,
    seed: int,
    count: int,
) -> list[str]:
    """Return the keys of the selections of the first `count` resamplings of a data set.

    `method` is the identity of the method; `fingerprint` and p are those of the table.
    """
    in_key = asked_sizes(json.loads(method)["use_of_sizes"], sizes, p).in_key
    split = [resamplings.kind, resamplings.parts]
    content = json.dumps([method, fingerprint, list(in_key), split, seed], sort_keys=True)
    head = hashlib.sha256(content.encode())
    keys = []
    for resampling in range(count):
        total = head.copy()
        total.update(b"%d" % resampling)
        keys.append(total.hexdigest())
    return keys


def identity_of_judge(judge: judges_by_key.ClassifierSpec) -> str:
    """Return what judgments depend on besides selection and sizes, as JSON."""
    return json.dumps({"revision": JUDGED, "judge": judge.identity()}, sort_keys=True)


def judgment_key(selection: str, judge: str, sizes: Sequence[int]) -> str:
    """Return the key of a judgment, from the key of its selection and the identity of the judge.

    The sizes are those of the plan, because a model starts from that of the size before.
    """
    content = f"{selection} {judge} {' '.join(map(str, sizes))}"
    return hashlib.sha256(content.encode()).hexdigest()


class _Rows:
    """Training problem and held-out table of a resampling, made when they are needed."""

    def __init__(self, recipe: Recipe, data: encoded_data.EncodedData, resampling: int) -> None:
        self.recipe, self.data, self.resampling = recipe, data, resampling
        self._parts: tuple[Problem, Table, np.ndarray] | None = None

    def method(self) -> BaseSelector:
        """Return the method with the handling of missing values and scales of the data set."""
        told = {"missing": self.data.missing, "scale": self.data.scale}
        return self.recipe.method.build().set_params(**told)

    def parts(self) -> tuple[Problem, Table, np.ndarray]:
        """Return the problem of the training rows, and table and numbers of the held-out rows."""
        if self._parts is None:
            data, recipe = self.data, self.recipe
            drawn = train_and_test_rows.train_and_test(
                data, recipe.resamplings, recipe.seed, self.resampling
            )
            learning, test, drawing = drawn  # some rows may be in neither part
            if recipe.few_rows:
                learning = train_and_test_rows.few_of(learning, data.target.strata)
            seed = int(drawing.generate_state(1)[0] >> 1)
            every = np.arange(len(data.table.values))
            problem = data.problem((), seed)
            train, rest = part_and_rest(
                self.method(),
                problem,
                np.isin(every, test),
                learning=np.isin(every, learning),
                proved=True,
            )
            if not train.target.varies:
                raise TableError(f"the training rows hold {train.target.told_nothing}")
            self._parts = train, rest, test
        return self._parts


def _select(recipe: Recipe, rows: _Rows, key: str) -> Selection:
    train, _, test = rows.parts()
    asked = asked_sizes(recipe.method.use_of_sizes, recipe.sizes, train.p).requested
    problem = recipe.method.told(replace(train, sizes=asked))
    method = rows.method()
    answer, seconds = Seconds.of(lambda: method.solve(problem))
    numbers = train.target.values if isinstance(train.target, Numbers) else None
    (truth,) = rows.data.target.parts
    selection = Selection.of(
        answer,
        train.p,
        key=key,
        test=test.astype(np.int32),
        truth=truth[test].astype(np.float64 if truth.dtype.kind == "f" else np.int32),
        training_mean=None
        if numbers is None
        else float(np.average(numbers, weights=train.weights)),
        seconds=seconds,
        warnings=(),
        versions=versions(recipe.method),
    )
    if not selection.signatures(recipe.sizes):
        raise TableError(
            f"the method has signatures of the sizes {listed(answer.sizes)}, but the study needs "
            f"the sizes {listed(recipe.sizes)}"
        )
    return selection


def _judge(
    recipe: Recipe,
    rows: _Rows,
    selection: Selection,
    judge: judges_by_key.ClassifierSpec,
    key: str,
) -> Judgment:
    train, rest, test = rows.parts()
    found = selection.signatures(recipe.sizes)
    places, target = list(found), rows.data.target
    shape = (len(recipe.sizes), len(test))
    predictions, decisions = predictions_without_signature(shape, target, curves=True)
    known = target if target.kind == "classes" else target.take(test)
    if places:
        (predicted, values), seconds = Seconds.of(
            lambda: predict_held_out([judge], train, rest, list(found.values()), known, curves=True)
        )
        predictions[places], decisions[places] = predicted[0], values[0]
    else:
        seconds = Seconds(0.0, 0.0)
    return Judgment(key, predictions, decisions, seconds, (), versions(judge))
