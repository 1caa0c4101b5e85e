"""What it costs to add up points in the place of the model, on the same held-out rows.

Notation. d_i is what row i adds to the difference of a measure, points less model, the mean over
the runs; its standard error is that of the jackknife of the rows, groups left out as wholes, with
twice the variance, as rows that are predicted by cross-validation trained each other's models, see
:mod:`hetsel.statistics.performance.rate_intervals`. Of the area under the ROC curve

    d_i = w_i (V_i - A) / (W_c K)   for row i of class c in one of K folds,

V_i the weighted share of the other class in its fold on the right side of it, A the mean area
(DeLong, DeLong and Clarke-Pearson 1988, Biometrics 44, 837-845).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.signature.nested.fold_models import OuterFold
from hetsel.signature.nested.judgement import judgement_of
from hetsel.statistics.performance.loss_intervals import jackknife_variance
from hetsel.statistics.performance.rate_intervals import OVERLAP
from hetsel.study.rows.data_set import StudyData

LABELS = {
    "numbers": ("r2", "R²"),
    "survival": ("concordance", "Harrell's C"),
}


@dataclass(frozen=True)
class RoundingCost:
    """A measure of held-out rows by the model and by points; larger is better.

    Parameters
    ----------
    key, label : str
    model, points : float
    error : float
        Standard error of the difference.
    """

    key: str
    label: str
    model: float
    points: float
    error: float

    @property
    def difference(self) -> float:
        """Points less model."""
        return self.points - self.model


def cost_of_rounding(
    data: StudyData[Any], outer: Sequence[OuterFold], by_points: np.ndarray
) -> tuple[RoundingCost, ...]:
    """Measures of the held-out rows by the model and by points.

    Of two classes the mean area under the ROC curve of the folds and the balanced rate, classes
    told apart at 0; else R^2 of numbers, and Harrell's C of survival times.

    Parameters
    ----------
    data : StudyData
    outer : sequence of OuterFold
    by_points : ndarray of shape (runs, n)
        See :func:`hetsel.signature.points.held_out_points.held_out_points`.
    """
    by_model = np.empty_like(by_points)
    fold = np.empty(by_points.shape, dtype=np.int64)
    known = [0] * len(fold)  # folds of each run that were met
    for one in outer:
        by_model[one.run, one.held_out] = one.values[:, 0]
        fold[one.run, one.held_out] = known[one.run]
        known[one.run] += 1
    if data.target.kind == "classes":
        return _of_classes(data, fold, np.stack([by_model, by_points]))
    judgement = judgement_of(data.target)
    rows, found = [], []
    for run, base, other in zip(fold, by_model, by_points, strict=True):
        rows.append([judgement.whole_score(data, values, run) for values in (base, other)])
        found.append(judgement.gain(data, run, base, other)[1])
    model, points = (float(value) for value in np.mean(rows, axis=0))
    return (RoundingCost(*LABELS[data.target.kind], model, points, float(np.mean(found))),)


def _of_classes(
    data: StudyData[Any], fold: np.ndarray, values: np.ndarray
) -> tuple[RoundingCost, ...]:
    """Of values (2, runs, n), by model and points."""
    truth, groups = data.target.codes == 1, data.row_groups
    own = np.ones(len(truth)) if data.weights is None else data.weights
    found = []
    for key, label, of in (
        ("auc", "area under the ROC curve", _areas),
        ("bcr", "balanced classification rate", _rates),
    ):
        each = [
            [of(run, rows, truth, own) for run, rows in zip(fold, v, strict=True)] for v in values
        ]
        model, points = (float(np.mean([value for value, _ in runs])) for runs in each)
        moves = [np.mean([moved for _, moved in runs], axis=0) for runs in each]
        variance = OVERLAP * jackknife_variance(moves[1] - moves[0], own, groups)
        found.append(RoundingCost(key, label, model, points, float(np.sqrt(variance))))
    return tuple(found)


def _rates(
    fold: np.ndarray, values: np.ndarray, truth: np.ndarray, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    """The balanced rate, and how each row (n,) moves it."""
    right = ((values > 0) == truth).astype(np.float64)
    rates, moves = [], np.empty(len(truth))
    for own in (truth, ~truth):
        rates.append(float(np.average(right[own], weights=weights[own])))
        moves[own] = weights[own] * (right[own] - rates[-1]) / (2 * weights[own].sum())
    return float(np.mean(rates)), moves


def _areas(
    fold: np.ndarray, values: np.ndarray, truth: np.ndarray, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    """The mean area under the ROC curve of the folds, and how each row (n,) moves it."""
    shares, mass = np.zeros(len(truth)), np.zeros(len(truth))
    areas = []
    for k in np.unique(fold):
        rows = np.flatnonzero(fold == k)
        sides = [rows[truth[rows]], rows[~truth[rows]]]
        if not all(len(side) for side in sides):
            continue
        one, other = ((values[side], weights[side]) for side in sides)
        shares[sides[0]] = _below(one[0], *other)
        shares[sides[1]] = 1.0 - _below(other[0], *one)
        for side in sides:
            mass[side] = weights[side] / weights[side].sum()
        areas.append(float((mass * shares)[sides[0]].sum()))
    if not areas:
        return np.nan, np.full(len(truth), np.nan)
    area = float(np.mean(areas))
    return area, mass * (shares - area) / len(areas)


def _below(values: np.ndarray, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weight of others below each value (m,), as a share of all; equal ones count half."""
    order = np.argsort(others, kind="stable")
    mass = np.concatenate([[0.0], np.cumsum(weights[order])])
    left, right = (np.searchsorted(others[order], values, side) for side in ("left", "right"))
    return np.asarray((mass[left] + mass[right]) / (2 * mass[-1]))
