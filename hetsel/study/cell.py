"""One cell: data set x resampling x method: split, rank, classify at every size.

A cell is a pure function of its key: the fingerprint of the data, the method with its parameters
and revision, the sizes, the final classifiers, how the rows are split, the seed and the number of
the resampling. Kinds and levels of the columns are those of the whole table; whatever is learned
(ranges, what fills missing cells, the ranking, the classifiers) sees the training rows only.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import platform
import time
import traceback
import warnings
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from hetsel import __version__
from hetsel.errors import TableError
from hetsel.models.by_size import Split
from hetsel.selection.answer import Ranking
from hetsel.study.data_set import StudyData
from hetsel.study.specs import ClassifierSpec, MethodSpec, Resamplings
from hetsel.study.splits import sequence, split
from hetsel.tables.table import Column, Schema, Table

REVISION = 2  # of the cells themselves: a new one makes every key new


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
        method = self.method.to_dict()
        del method["label"]
        return {
            "cells": REVISION,
            "method": method,
            "sizes": list(self.sizes),
            "classifiers": [[c.key, dict(c.params)] for c in self.classifiers],
            "split": [self.resamplings.kind, self.resamplings.test_share],
            "seed": self.seed,
        }

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
    order : ndarray of int32, shape (p,)
        Features, best first.
    test : ndarray of int32, shape (m,)
        The test rows, ascending.
    truth : ndarray of int32, shape (m,)
        Their class codes.
    confusion : ndarray of int32, shape (classifiers, sizes, c, c)
        Test rows by class (rows) and predicted class (columns).
    decisions : ndarray of float64, shape (classifiers, sizes, m, d)
        d = 1 for two classes, positive for the second; else one column a class, NaN for a class
        that has no training row.
    rank_seconds, classify_seconds : float
        Processor time.
    warnings : tuple of str
    versions : dict of str
    """

    key: str
    order: np.ndarray
    test: np.ndarray
    truth: np.ndarray
    confusion: np.ndarray
    decisions: np.ndarray
    rank_seconds: float
    classify_seconds: float
    warnings: tuple[str, ...]
    versions: dict[str, str]


@dataclass(frozen=True)
class CellFailure:
    """Why a cell has no result."""

    key: str
    reason: str
    trace: str


def run_cell(
    data: StudyData, recipe: Recipe, resampling: int, key: str
) -> CellResult | CellFailure:
    """Compute a cell; what a method raises becomes a failure, never a result."""
    warm_up(recipe)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = _compute(data, recipe, resampling)
        except Exception as reason:
            if _interrupted(reason):
                raise KeyboardInterrupt from None
            lines = str(reason).strip().splitlines() or [""]
            return CellFailure(
                key, f"{type(reason).__name__}: {lines[0]}".rstrip(": "), traceback.format_exc()
            )
    notes = sorted({f"{w.category.__name__}: {' '.join(str(w.message).split())}" for w in caught})
    return CellResult(key=key, warnings=tuple(notes), versions=versions(recipe.method), **found)


def _interrupted(reason: BaseException | None) -> bool:
    """Whether Ctrl-C is behind it; compiled code turns it into a SystemError."""
    while reason is not None:
        if isinstance(reason, KeyboardInterrupt):
            return True
        reason = reason.__cause__ or reason.__context__
    return False


_WARM: set[tuple[str, ...]] = set()


def warm_up(recipe: Recipe) -> None:
    """Run a method and the classifiers once on a toy table, so that no cell's seconds are loading.

    Compiled code and R are loaded at first use, once in each process.
    """
    what = (recipe.method.key, *(c.key for c in recipe.classifiers))
    if what in _WARM:
        return
    _WARM.add(what)
    kinds = (Column("a", "continuous"), Column("b", "continuous"), Column("c", "nominal", (0, 1)))
    values = np.random.default_rng(0).normal(size=(16, 3))
    values[:, 2] = values[:, 0] > 0
    table, codes = Table(values, Schema(kinds)), np.arange(16) % 2
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        halves = Split.of(table, table.take(rows=slice(4)), codes)
        for classifier in recipe.classifiers:
            classifier.classify(halves, np.arange(3), (1, 2, 3), seed=0)
        recipe.method.build().rank_table(table, codes, ("0", "1"), (1, 2, 3), 0)


def _compute(data: StudyData, recipe: Recipe, resampling: int) -> dict[str, Any]:
    splitting, drawing = sequence(recipe.seed, data.fingerprint, resampling).spawn(2)
    train_rows, test_rows = split(data.codes, recipe.resamplings, splitting)
    present, codes = np.unique(data.codes[train_rows], return_inverse=True)
    if len(present) < 2:
        raise TableError("the training rows hold one class only")
    train = data.table.take(rows=train_rows).resolve_missing(data.missing)
    seed = int(drawing.generate_state(1)[0] >> 1)
    start = time.thread_time()
    labels = [data.classes[c] for c in present]
    ranking = recipe.method.build().rank_table(train, codes, labels, recipe.sizes, seed)
    rank_seconds = time.thread_time() - start
    if not isinstance(ranking, Ranking):
        raise TableError(f"the method must answer with a Ranking. Got {ranking!r:.80}")
    order = _checked(ranking.order, data.table.shape[1])
    start = time.thread_time()
    test = _settled(data.table.take(rows=test_rows), train, data.missing)
    halves = Split.of(train, test, codes)
    truth = data.codes[test_rows]
    confusion, decisions = [], []
    for classifier in recipe.classifiers:
        values = classifier.classify(halves, order, recipe.sizes, seed=seed)
        predicted = present[_winners(values)]
        confusion.append([_confusion(truth, row, len(data.classes)) for row in predicted])
        decisions.append(_widened(values, present, len(data.classes)))
    return {
        "order": order.astype(np.int32),
        "test": test_rows.astype(np.int32),
        "truth": truth.astype(np.int32),
        "confusion": np.array(confusion, dtype=np.int32),
        "decisions": np.array(decisions, dtype=np.float64),
        "rank_seconds": rank_seconds,
        "classify_seconds": time.thread_time() - start,
    }


def _settled(test: Table, train: Table, missing: Any) -> Table:
    """The test rows, their missing cells settled as the training rows teach."""
    gaps = np.isnan(test.values)
    if missing != "impute" or not gaps.any():
        return test.resolve_missing(missing)
    # asked for the columns with a gap only: a median of each of thousands of columns takes long
    fill = train.fill_values(gaps.any(axis=0))
    return Table(np.where(gaps, fill, test.values), test.schema)


def _checked(order: Any, p: int) -> np.ndarray:
    """The order of a ranking, if it names every feature once."""
    order = np.asarray(order)
    if order.shape != (p,) or not np.array_equal(np.sort(order), np.arange(p)):
        raise TableError(f"the method must rank each of the {p} features once. Got {order!r:.80}")
    return order


def _winners(values: np.ndarray) -> np.ndarray:
    """Predicted class (sizes, m) among the classes of the training rows."""
    if values.shape[2] == 1:
        return (values[:, :, 0] > 0).astype(np.intp)
    return np.argmax(values, axis=2)


def _confusion(truth: np.ndarray, predicted: np.ndarray, n_classes: int) -> np.ndarray:
    counts = np.bincount(truth * n_classes + predicted, minlength=n_classes * n_classes)
    return counts.reshape(n_classes, n_classes)


def _widened(values: np.ndarray, present: np.ndarray, n_classes: int) -> np.ndarray:
    """Decision values with a column for every class of the data set."""
    if n_classes == 2 or len(present) == n_classes:
        return values
    wide = np.full((*values.shape[:2], n_classes), np.nan)
    wide[:, :, present] = values if len(present) > 2 else np.concatenate([-values, values], axis=2)
    return wide


_VERSIONS: dict[type, dict[str, str]] = {}


def versions(method: MethodSpec) -> dict[str, str]:
    """Versions of all that a cell of this method ran on."""
    if method.selector not in _VERSIONS:
        home = method.selector.__module__.split(".")[0]
        found = {"hetsel": __version__, "python": platform.python_version()}
        packages = ["numpy", "scipy", "scikit-learn", "numba"]
        if "r" in method.selector.requires:
            packages += ["rpy2", "rpy2-rinterface"]
        if home not in ("hetsel", "r_bridge", "__main__"):
            packages.append(home)
        for package in packages:
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
        found |= method.selector.foreign_versions()
        found["machine"] = f"{platform.system()} {platform.machine()}"
        _VERSIONS[method.selector] = found
    return _VERSIONS[method.selector]
