"""Convert totals of points to the probability of the positive class."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from msgspec import Struct

from hetsel.signature.points.points_of_model import PointsTable
from hetsel.signature.probabilities import asked_probabilities, nested_probabilities
from hetsel.statistics.probabilities.calibration_maps import fit_map

LINES = 8  # of the table of totals, approximately


def risk_by_total(
    by_points: np.ndarray,
    fold: np.ndarray,
    truth: np.ndarray,
    weights: np.ndarray,
    groups: np.ndarray | None,
    calibration: asked_probabilities.ClassProbabilities,
) -> asked_probabilities.ClassProbabilities:
    """Learn probabilities from totals, as those of the model from its decision values.

    The kind of map is chosen, and the map learned, from held-out rows, see
    :mod:`hetsel.signature.probabilities.nested_probabilities`. `by_points` (runs, n) are the
    decision values of the totals of held-out rows, `fold` (runs, n) the fold of each row. Class
    proportions and prevalence are those of the model's `calibration`.
    """
    runs = len(by_points)
    given = [(values[:, None], own) for values, own in zip(by_points, fold, strict=True)]
    key = nested_probabilities.chosen_map(given, truth, 2, weights, groups)
    many = (np.tile(truth, runs), 2, np.tile(weights, runs), runs)
    return replace(calibration, map=fit_map(key, by_points.reshape(-1, 1), *many))


def risks_of_totals(
    table: PointsTable, probabilities: asked_probabilities.ClassProbabilities
) -> np.ndarray:
    """Compute the probability of the positive class (largest + 1,) for each total of a table."""
    return probabilities.of(table.decisions(np.arange(table.largest + 1)))[:, 1]


class TotalBand(Struct, frozen=True):
    """Totals from low to high: their rows, the proportion of the positive class, the risk."""

    low: int
    high: int
    rows: int
    observed: float | None  # of the positive class, weighted; None without rows
    probability_low: float  # at the low end
    probability_high: float


def bands_of_totals(
    totals: np.ndarray,
    truth: np.ndarray,
    weights: np.ndarray,
    largest: int,
    risks: np.ndarray,
) -> tuple[TotalBand, ...]:
    """Group the totals into at most eight lines of equal width, from the lowest to the highest.

    `risks` (largest + 1,) are those of each total.
    """
    first, last = int(totals.min()), int(totals.max())
    width = -(-(last + 1 - first) // LINES)
    starts = [0, *range(first + width, last + 1, width)]
    found = []
    for low, behind in pairwise([*starts, largest + 1]):
        high = behind - 1
        own = (totals >= low) & (totals <= high)
        share = float(np.average(truth[own], weights=weights[own])) if own.any() else None
        ends = (float(risks[low]), float(risks[high]))
        found.append(TotalBand(low, high, int(own.sum()), share, *ends))
    return tuple(found)
