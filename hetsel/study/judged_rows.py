"""What the judges of a study predict of the test rows, by the kind of target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hetsel.models.train_test_arrays import Split
from hetsel.selection.problem import Problem
from hetsel.statistics.survival.cox_curves import survival_columns
from hetsel.study.plan.planned_classifiers import ClassifierSpec
from hetsel.tables.table import Table
from hetsel.tables.target import Classes, Numbers, Survival, Target

Judges = Sequence[ClassifierSpec]
Signatures = Mapping[int, np.ndarray]  # by the places of their sizes


def split_of(
    train: Table,
    test: Table,
    target: Target,
    weights: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> Split:
    """The rows as judges see them; those of survival times predict the training rows, too.

    The risks of the training rows, which come before those of the test rows, tell what a risk
    means.

    Parameters
    ----------
    train, test : Table
        Their missing cells are resolved.
    target : Target
        Of the training rows.
    weights, groups : ndarray of shape (n,), optional
        Of the training rows.
    """
    given = (target.strata, weights, groups)
    if isinstance(target, Survival):
        both = Table(np.vstack([train.values, test.values]), train.schema)
        return Split.of(train, both, *given, times=target.times, events=target.events)
    numbers = target.values if isinstance(target, Numbers) else None
    return Split.of(train, test, *given, numbers=numbers)


def predicted_rows(
    judges: Judges, problem: Problem, split: Split, found: Signatures, sizes: int, test: Target
) -> dict[str, Any]:
    """Predictions and decision values of the test rows, as :class:`CellResult` keeps them.

    Parameters
    ----------
    judges : sequence of ClassifierSpec
    problem : Problem
        Of the training rows.
    split : Split
        See :func:`split_of`.
    found : mapping of int to ndarray
        The signatures, by the places of their sizes.
    sizes : int
        How many sizes there are.
    test : Target
        Of the test rows; the classes of all rows, which say what there are.
    """
    if isinstance(test, Classes):
        return _classes(judges, problem, split, found, sizes, test)
    if isinstance(test, Survival):
        return _risks(judges, problem, split, found, sizes, test)
    return _numbers(judges, problem, split, found, sizes)


def _classes(
    judges: Judges, problem: Problem, split: Split, found: Signatures, sizes: int, every: Classes
) -> dict[str, Any]:
    present, n_classes = every.places_of(problem.classes), len(every.labels)
    shape = (len(judges), sizes, split.test.shape[1])
    predictions = np.full(shape, -1, dtype=np.int32)
    decisions = np.full((*shape, 1 if n_classes == 2 else n_classes), np.nan)
    known, chosen = list(found), list(found.values())
    for place, classifier in enumerate(judges):
        told = classifier.judge(split, chosen, present, n_classes, seed=problem.seed)
        predictions[place, known], decisions[place, known] = told
    return {"predictions": predictions, "decisions": decisions}


def _numbers(
    judges: Judges, problem: Problem, split: Split, found: Signatures, sizes: int
) -> dict[str, Any]:
    """With them the mean of the training rows."""
    shape = (len(judges), sizes, split.test.shape[1])
    predictions = np.full(shape, np.nan)
    known, chosen = list(found), list(found.values())
    for place, regressor in enumerate(judges):
        predictions[place, known] = regressor.predict(split, chosen, seed=problem.seed)
    mean = float(np.average(problem.numbers.values, weights=problem.weights))
    return {"predictions": predictions, "decisions": np.empty((*shape, 0)), "training_mean": mean}


def _risks(
    judges: Judges, problem: Problem, split: Split, found: Signatures, sizes: int, test: Survival
) -> dict[str, Any]:
    """With them what scores need of each row: see `survival_columns`."""
    n, told = problem.n, problem.survival
    shape = (len(judges), sizes, len(test))
    predictions, decisions = np.full(shape, np.nan), np.full((*shape, 4), np.nan)
    known, chosen = list(found), list(found.values())
    times = (told.times, told.events, test.times, test.events)
    for place, model in enumerate(judges):
        risks = model.predict(split, chosen, seed=problem.seed)
        predictions[place, known] = risks[:, n:]
        columns = survival_columns(*times, risks[:, :n], risks[:, n:], problem.weights)
        decisions[place, known] = columns
    return {"predictions": predictions, "decisions": decisions}
