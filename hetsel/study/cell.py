"""One cell, a method on a resampling of a data set: split, rank, and score the judges by size.

A cell is a pure function of its key. Kinds of columns and declared levels come from all rows. Other
levels, scales, imputed values, ranking and judges are learned from training rows only.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded, versions
from hetsel.evaluation.data import encoded_data, train_and_test_rows
from hetsel.evaluation.held_out import held_out
from hetsel.ground import TableError, listed
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.selection import Ranking
from hetsel.selection.verdicts_in_words import UNSAID
from hetsel.statistics.performance.scores import SCORES
from hetsel.tables import Numbers

REVISION = 8  # of the cells; a new revision changes all keys


@dataclass(frozen=True, eq=False)
class Recipe:
    """All that defines a cell except its data and the number of its resampling."""

    method: methods_by_key.MethodSpec
    sizes: tuple[int, ...]
    classifiers: tuple[judges_by_key.ClassifierSpec, ...]
    resamplings: Resamplings
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return exactly what the cells of this recipe depend on."""
        return {
            "cells": REVISION,
            "method": self.method.identity(),
            "sizes": list(self.sizes),
            "classifiers": [classifier.identity() for classifier in self.classifiers],
            "split": [self.resamplings.kind, self.resamplings.parts],
            "seed": self.seed,
        }

    def run(
        self, data: encoded_data.EncodedData, resampling: int, key: str
    ) -> "CellResult | CellFailure":
        """Compute one cell; an error of a method becomes a failure."""
        return guarded(
            self,
            key,
            lambda: _compute(data, self, resampling),
            lambda found, notes: CellResult(
                key=key, warnings=notes, versions=versions(self.method, self.classifiers), **found
            ),
            data.target.kind,
        )

    def keys(self, fingerprint: str, count: int) -> list[str]:
        """Return the keys of the cells of the first `count` resamplings of a data set."""
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
    """The result of a cell; classes are codes, survival times as in :attr:`Survival.signed`."""

    key: str
    order: np.ndarray  # int32 (k,): features, best first; empty if the answer is not a ranking
    chosen: np.ndarray  # bool (sizes, p): the signatures; empty if there is none
    cuts: tuple[str, ...]  # (sizes,) of "proved", "tie", "open" and "", see :class:`hetsel.Ranking`
    test: np.ndarray  # int32 (m,): held-out rows, ascending
    truth: np.ndarray  # int32 or float64 (m,): their target
    predictions: np.ndarray  # (classifiers, sizes, m) and
    decisions: np.ndarray  # float64 (classifiers, sizes, m, d), as in :class:`HeldOut`
    rank_seconds: float  # CPU time, as the next
    classify_seconds: float
    warnings: tuple[str, ...]
    versions: dict[str, str]
    # mean of a numeric target over the training rows, with their weights
    training_mean: float | None = None

    def rows(
        self,
        place: tuple[str, str, int],
        about: Mapping[str, Any],
        sizes: Sequence[int],
        judges: Sequence[str],
    ) -> dict[str, np.ndarray]:
        """Return the columns of :meth:`hetsel.Results.frame`, sizes varying fastest.

        `place` is data set, method and number of the resampling; `about` has facts of the data set.
        """
        known = self.chosen.any(axis=1)
        n_judges, n_sizes, m = len(self.predictions), int(known.sum()), len(self.truth)
        n = n_judges * n_sizes
        known_without: Any = self.training_mean
        if about["class_counts"]:
            known_without = np.array(about.get("class_weights", about["class_counts"]))
        weights = np.array(about["row_weights"])[self.test] if "row_weights" in about else None
        predictions = self.predictions[:, known].reshape(n, m)
        decisions = self.decisions[:, known].reshape(n, m, self.decisions.shape[-1])
        score = SCORES[about["target"]].compute
        categorical = np.array(about["kinds"]) != "continuous"
        return {
            "dataset": np.full(n, place[0], dtype=object),
            "method": np.full(n, place[1], dtype=object),
            "resampling": np.full(n, place[2]),
            "size": np.tile(np.array(sizes)[known], n_judges),
            "classifier": np.repeat(np.array(judges, dtype=object), n_sizes),
            **score(self.truth, predictions, decisions, known_without, weights),
            "n_categorical": np.tile((self.chosen[known] & categorical).sum(axis=1), n_judges),
            "cut": np.tile(np.array(self.cuts, dtype=object)[known], n_judges),
            "rank_seconds": np.full(n, self.rank_seconds),
        }


def _compute(data: encoded_data.EncodedData, recipe: Recipe, resampling: int) -> dict[str, Any]:
    drawn = train_and_test_rows.train_and_test(data, recipe.resamplings, recipe.seed, resampling)
    learning_rows, rows, drawing = drawn  # some rows may be in neither part
    seed = int(drawing.generate_state(1)[0] >> 1)
    every = np.arange(len(data.table.values))
    learning, test = np.isin(every, learning_rows), np.isin(every, rows)
    found = held_out(
        recipe.method.build().set_params(missing=data.missing, scale=data.scale),
        data.problem(recipe.sizes, seed),
        test,
        recipe.sizes,
        recipe.classifiers,
        learning=learning,
        target=data.target,
        ask=recipe.method.told,
        proved=True,
        curves=True,
    )
    answer, train = found.answer, found.train
    if not found.subsets:
        raise TableError(
            f"the method has signatures of the sizes {listed(answer.sizes)}, but the study needs "
            f"the sizes {listed(recipe.sizes)}"
        )
    chosen = np.zeros((len(recipe.sizes), train.p), dtype=bool)
    for k, subset in found.subsets.items():
        chosen[k, subset] = True
    (truth,) = data.target.parts
    order = answer.order if isinstance(answer, Ranking) else np.empty(0)
    numbers = train.target.values if isinstance(train.target, Numbers) else None
    return {
        "order": order.astype(np.int32),
        "chosen": chosen,
        "cuts": tuple(answer.cut(s) if s in answer.sizes else UNSAID for s in recipe.sizes),
        "test": rows.astype(np.int32),
        "truth": truth[rows].astype(np.float64 if truth.dtype.kind == "f" else np.int32),
        "predictions": found.predicted,
        "decisions": found.decisions,
        "rank_seconds": found.rank_seconds,
        "classify_seconds": found.classify_seconds,
        "training_mean": None
        if numbers is None
        else float(np.average(numbers, weights=train.weights)),
    }
