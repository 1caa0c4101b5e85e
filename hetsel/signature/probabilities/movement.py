"""How much the probability of a person would move with other rows to learn from.

Each of the halves of the rows selects features of its own and learns a model and a map, which give
the rows of the other half a probability: of B pairs B probabilities for each row, none by a model
that has seen it. Given the rows, a mean over a random half of them, m = n / 2, has the variance
(1 / m) (1 - m / n) s^2 = s^2 / n, that of a mean over all n: what halves differ by is what models
of all rows differ by from sample to sample (the delete-half jackknife).

References: Shao & Wu (1989) Annals of Statistics 17, 1176-1197 (that jackknife); Riley & Collins
(2023) Biometrical Journal 65, 2200302 (stability of predictions).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hetsel.signature.probabilities.asked_probabilities import ClassProbabilities
from hetsel.signature.probabilities.probability_facts import short
from hetsel.statistics.probabilities.calibration_maps import fit_map

DRAWN = 60  # persons of the figure
MIDDLE = 0.95  # of the probabilities of a person


def probabilities_of_halves(
    decisions: np.ndarray,
    half: np.ndarray,
    truth: np.ndarray,
    calibration: ClassProbabilities,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Probabilities (B, n, C) of the rows by the models of the halves that they are not in.

    Parameters
    ----------
    decisions : ndarray of shape (B, n, d)
        Of each row by the half that it is not in.
    half : ndarray of bool, shape (B, n)
        Which of the two halves it is in.
    truth : ndarray of int, shape (n,)
    calibration : ClassProbabilities
        Of the model of all rows: the kind of map, and the prevalence.
    weights : ndarray of shape (n,), optional
    """
    classes = calibration.map.classes
    out = np.empty((*decisions.shape[:2], classes))
    for b, (values, side) in enumerate(zip(decisions, half, strict=True)):
        for rows in (side, ~side):
            own = None if weights is None else weights[rows]
            found = fit_map(calibration.map.key, values[rows], truth[rows], classes, own)
            out[b, rows] = calibration.at_prevalence(found.probabilities(values[rows]))
    return out


def movement_facts(
    probabilities: np.ndarray, marks: Sequence[float], weights: np.ndarray | None = None
) -> dict[str, Any]:
    """How far the probabilities of each row lie apart, as plain values.

    Parameters
    ----------
    probabilities : ndarray of shape (B, n)
        Of the positive class, see :func:`probabilities_of_halves`.
    marks : sequence of float
        Thresholds.
    weights : ndarray of shape (n,), optional

    Returns
    -------
    dict
        `pairs`, B; `median` and `high`, of the rows, of the standard deviation of the probabilities
        of a row: the median and the 90 % quantile; `mean_difference`, the mean absolute difference
        of a probability from the mean of its row; `crossed`, for each threshold the mean share of
        the models that put a row on the other side than most do; `persons`, some of them as
        (mean, low, high) of the middle 95 % of the models.

    Examples
    --------
    >>> p = np.array([[0.2, 0.7], [0.4, 0.7]])
    >>> found = movement_facts(p, [0.3])
    >>> round(found["mean_difference"], 3), found["crossed"]
    (0.05, [{'threshold': 0.3, 'share': 0.25}])
    """
    w = np.ones(probabilities.shape[1]) if weights is None else weights
    mean = probabilities.mean(axis=0)
    apart = probabilities.std(axis=0, ddof=1)
    crossed = []
    for mark in marks:
        above = (probabilities >= mark).mean(axis=0)
        share = float(np.average(np.minimum(above, 1 - above), weights=w))
        crossed.append({"threshold": float(mark), "share": share})
    low, high = np.quantile(probabilities, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2], axis=0)
    order = np.lexsort([apart, mean])
    if len(order) > DRAWN:
        order = order[np.linspace(0, len(order) - 1, DRAWN).astype(np.intp)]
    return {
        "pairs": len(probabilities),
        "median": _quantile(apart, w, 0.5),
        "high": _quantile(apart, w, 0.9),
        "mean_difference": float(np.average(np.abs(probabilities - mean).mean(axis=0), weights=w)),
        "crossed": crossed,
        "persons": [short(one) for one in np.stack([mean, low, high], axis=1)[order]],
    }


def _quantile(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    """Weighted quantile: the first value by which the share of the weight is reached."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][np.searchsorted(reached, share - 1e-12)])
