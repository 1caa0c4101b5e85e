"""The outer folds of nested cross-validations: what was selected without each, and predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.signature.nested.fold_models import PartResult, Parts
from hetsel.study.rows.data_set import StudyData


@dataclass(frozen=True, eq=False)
class OuterFold:
    """Rows that a model has not seen, nor what selected its features and chose their number.

    Parameters
    ----------
    run : int
        Which of the cross-validations.
    held_out : ndarray of bool, shape (n,)
    features : ndarray of int, shape (size,)
        Positions of the features that were selected without these rows, ascending.
    values : ndarray of shape (m, d)
        What their model predicts of the m rows: decision values of classes, d = 1 of two; of
        another target numbers or risks, d = 1.
    """

    run: int
    held_out: np.ndarray
    features: np.ndarray
    values: np.ndarray


def outer_folds(
    data: StudyData[Any],
    parts: Parts,
    results: Mapping[int, PartResult],
    sizes: Sequence[int],
) -> list[OuterFold]:
    """Every outer fold of every run.

    Parameters
    ----------
    data : StudyData
    parts : Parts
    results : mapping of int to PartResult
        Of the parts, by their numbers.
    sizes : sequence of int
        The size of each outer fold, chosen by the other folds, run by run.
    """
    found = []
    for run in range(parts.runs):
        fold = parts.folds_of(data.problem(seed=parts.seed), run)
        for k in range(parts.folds):
            place = parts.sizes.index(sizes[run * parts.folds + k])
            number = run * len(parts.left_out) + parts.left_out.index((k,))
            one = results[number]
            values = (
                one.decisions[place] if one.decisions.shape[2] else one.predicted[place, :, None]
            )
            found.append(OuterFold(run, fold == k, np.sort(one.signatures[place]), values))
    return found
