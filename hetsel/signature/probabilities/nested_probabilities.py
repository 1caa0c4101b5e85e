"""Compute probabilities of held-out rows, and the calibration map of a signature.

For the outer fold k, a map is learned from the decision values of the other rows, each by a model
that has seen neither its fold nor k. It turns the decision values of the rows of k, by the model
without k, into probabilities. So no held-out row has chosen or fitted its map. The map that is kept
is learned from the decision values of all rows, each without its fold.

The kind of map is chosen in the same way, by the log loss of folds whose rows the map has not seen.
It is the stiffest map, the logistic one, unless another is better by more than two standard errors
of the difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.signature.nested.nested_decisions import NestedDecisions
from hetsel.statistics.performance.loss_intervals import jackknife_variance
from hetsel.statistics.probabilities import calibration_maps
from hetsel.statistics.probabilities.calibration_maps import CalibrationMap, MapKey

FEWEST = {"logistic": 0, "beta": 200, "isotonic": 1000}  # rows of the rarest class that a map needs
CLEARLY = 2.0  # standard errors


@dataclass(frozen=True, eq=False)
class NestedProbabilities:
    """Hold the probabilities of held-out rows and the maps."""

    runs: tuple[NestedDecisions, ...]
    # (runs, n, C): of each row in each cross-validation, by nothing that was learned from its fold
    held_out: np.ndarray
    maps: tuple[tuple[CalibrationMap, ...], ...]  # of each outer fold, by run
    final: CalibrationMap  # of the final model


def nested_probabilities(
    runs: Sequence[NestedDecisions],
    truth: np.ndarray,
    classes: int,
    weights: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> NestedProbabilities:
    """Compute probabilities of held-out rows, and the map of the final model."""
    own = np.ones(len(truth)) if weights is None else weights
    held_out = np.empty((len(runs), len(truth), classes))
    maps: list[tuple[CalibrationMap, ...]] = []
    for r, run in enumerate(runs):
        of_run = []
        for k in range(run.folds):
            rows = run.fold == k
            known = (run.inner[k][~rows], run.fold[~rows])
            others = None if groups is None else groups[~rows]
            key = chosen_map([known], truth[~rows], classes, own[~rows], others)
            found = calibration_maps.fit_map(key, known[0], truth[~rows], classes, own[~rows])
            held_out[r, rows] = found.probabilities(run.outer[rows])
            of_run.append(found)
        maps.append(tuple(of_run))
    final = [(run.final, run.fold) for run in runs]
    key = chosen_map(final, truth, classes, own, groups)
    every = np.concatenate([values for values, _ in final])
    many = (np.tile(truth, len(runs)), classes, np.tile(own, len(runs)), len(runs))
    last = calibration_maps.fit_map(key, every, *many)
    return NestedProbabilities(tuple(runs), held_out, tuple(maps), last)


def chosen_map(
    given: Sequence[tuple[np.ndarray, np.ndarray]],
    truth: np.ndarray,
    classes: int,
    weights: np.ndarray,
    groups: np.ndarray | None,
) -> MapKey:
    """Choose the stiffest map, unless another is better by more than two standard errors.

    `given` has decision values (m, d) and fold (m,) of the same rows in each cross-validation.
    """
    rarest = int(np.bincount(truth, minlength=classes).min())
    keys = [key for key in calibration_maps.maps_of(classes) if rarest >= FEWEST[key]]
    best = keys[0]
    if len(keys) == 1:
        return best
    losses = {key: held_out_losses(key, given, truth, classes, weights) for key in keys}
    for key in keys[1:]:
        apart = losses[best] - losses[key]
        gain = float(np.average(apart, weights=weights))
        moves = weights * (apart - gain) / weights.sum()
        if gain > CLEARLY * np.sqrt(jackknife_variance(moves, weights, groups)):
            best = key
    return best


def held_out_losses(
    key: MapKey,
    given: Sequence[tuple[np.ndarray, np.ndarray]],
    truth: np.ndarray,
    classes: int,
    weights: np.ndarray,
) -> np.ndarray:
    """Compute the log loss (m,) of rows by maps that have not seen their fold, mean of runs."""
    out = np.zeros(len(truth))
    for values, fold in given:
        for j in np.unique(fold).tolist():
            rows = fold == j
            found = calibration_maps.fit_map(
                key, values[~rows], truth[~rows], classes, weights[~rows]
            )
            p = found.probabilities(values[rows])
            own = p[np.arange(len(p)), truth[rows]]
            out[rows] -= np.log(np.maximum(own, 1e-12)) / len(given)
    return out
