"""Evaluate the probabilities of a signature on held-out rows, and keep its calibration map.

Folds are stratified, so held-out rows have the class proportions that the map has learned. The
Brier score accounts for other proportions in new rows, see
:mod:`hetsel.statistics.probabilities.brier_score`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.signature.nested import nested_decisions, nested_performance
from hetsel.signature.probabilities import asked_probabilities, probability_facts
from hetsel.signature.probabilities.nested_probabilities import NestedProbabilities
from hetsel.signature.probabilities.subgroups import Subgroups, worth_of_parts
from hetsel.signature.selection_frequencies import HalvesResult
from hetsel.statistics.performance.rate_intervals import OVERLAP
from hetsel.statistics.probabilities import brier_score, calibration_maps, pooled_rows

LEAST_SCALE = 1e-4  # of logits that differ


@dataclass(frozen=True, eq=False)
class JudgedProbabilities:
    """Hold the probabilities of a final model and their evaluation."""

    calibration: asked_probabilities.ClassProbabilities
    # (runs, n, C): of each row in each cross-validation, by nothing that was learned from its fold;
    # at the requested prevalence. NaN for rows that were left out.
    held_out: np.ndarray
    facts: probability_facts.ProbabilityFacts


def judged_probabilities(
    found: NestedProbabilities,
    data: EncodedData,
    asked: asked_probabilities.AskedProbabilities,
    by: Subgroups,
    given: int,
) -> JudgedProbabilities:
    """Evaluate probabilities, and combine what is kept and reported of them.

    `given` is the number of rows before any were left out.
    """
    labels = data.target.labels.tolist()
    own = np.ones(len(data.target)) if data.weights is None else data.weights
    sums = np.bincount(data.target.codes, own, len(labels))
    shares = tuple((sums / sums.sum()).tolist())
    calibration = asked_probabilities.ClassProbabilities(found.final, shares, asked.prevalence)
    runs, n = found.held_out.shape[:2]
    p = np.stack([calibration.at_prevalence(one) for one in found.held_out])
    units = np.arange(n) if data.row_groups is None else data.row_groups
    truth, predicted = np.tile(data.target.codes, runs), p.reshape(runs * n, -1)
    weights, units = np.tile(own / runs, runs), np.tile(units, runs)
    gains = _gains(found, calibration, data.target.codes, p)
    variance = 0.0
    if asked.prevalence is None:  # else the proportions are known
        lost = brier_score.share_losses(truth, predicted, weights, units)
        gains = -lost if gains is None else gains - lost
        apart = brier_score.class_covariance(truth, len(labels), weights, units).diagonal()
        variance = float(apart[1] if len(labels) == 2 else apart.sum())
    about = (weights, units, OVERLAP, n, *_learned_from(found, calibration), gains, variance)
    rows = probability_facts.PredictedRows(truth, predicted, *about, refitted=True)
    facts = replace(
        probability_facts.probability_facts(rows, labels, asked),
        map=found.final.key,
        maps=dict(Counter(one.key for of_run in found.maps for one in of_run)),
        class_proportions=[*shares],
        runs=runs,
        by=worth_of_parts(found, data, rows, by, asked),
    )
    held_out = np.full((runs, given, len(labels)), np.nan)
    held_out[:, data.given_rows] = p
    return JudgedProbabilities(calibration, held_out, facts)


def _learned_from(
    found: NestedProbabilities, calibration: asked_probabilities.ClassProbabilities
) -> tuple[np.ndarray, np.ndarray]:
    """Compute mean and deviation (runs n, C) of the logits that each row's map learned from.

    They are NaN if these logits are equal and the map is uninformative. The logits are those of
    rows that neither the map's models nor those of its fold have seen. They put the slopes of folds
    on one scale, see :func:`hetsel.statistics.probabilities.calibration.calibration_line`.
    """
    middles, scales = [], []
    for run, maps in zip(found.runs, found.maps, strict=True):
        each = [
            pooled_rows.logits(
                calibration.at_prevalence(one.probabilities(run.inner[k][run.fold != k]))
            )
            for k, one in enumerate(maps)
        ]
        middles.append(np.stack([one.mean(axis=0) for one in each])[run.fold])
        scales.append(np.stack([one.std(axis=0) for one in each])[run.fold])
    scale = np.concatenate(scales)
    return np.concatenate(middles), np.where(scale > LEAST_SCALE, scale, np.nan)


def _gains(
    found: NestedProbabilities,
    calibration: asked_probabilities.ClassProbabilities,
    truth: np.ndarray,
    p: np.ndarray,
) -> np.ndarray | None:
    """Compute by how much a model of all rows lowers the Brier score of each row (runs n,)."""
    factor, parts = nested_performance.learning_factor(found.runs[0].folds), []
    two = p.shape[2] == 2
    seen = np.eye(p.shape[2])[truth]

    def losses(values: np.ndarray, own: np.ndarray) -> np.ndarray:
        return np.asarray(((values - own) ** 2).sum(axis=-1) / (2 if two else 1))

    for run, maps, held in zip(found.runs, found.maps, p, strict=True):
        gain = np.zeros(len(truth))
        for k, one in enumerate(maps):
            rows = run.fold == k
            less = run.with_less[:, rows]
            known = [values for values in less if not np.isnan(values).any()]
            if not known:
                return None
            with_less = np.mean(
                [
                    losses(calibration.at_prevalence(one.probabilities(values)), seen[rows])
                    for values in known
                ],
                axis=0,
            )
            gain[rows] = factor * (with_less - losses(held[rows], seen[rows]))
        parts.append(gain)
    return np.concatenate(parts)


def with_instability(
    facts: probability_facts.ProbabilityFacts,
    halves: Mapping[int, HalvesResult],
    data: EncodedData,
    calibration: asked_probabilities.ClassProbabilities,
    asked: asked_probabilities.AskedProbabilities,
) -> probability_facts.ProbabilityFacts:
    """Add the prediction instability over half-samples, for two classes."""
    target = data.problem().classes
    found = [halves[k].decisions for k in range(len(halves))]
    unknown = replace(facts, prediction_instability=None)
    if len(target.labels) != 2 or len(found) < 2:
        return unknown
    decisions = nested_decisions.reported(np.stack(found), target.places_of(data.target))  # type: ignore[arg-type]
    if np.isnan(decisions).any():
        return unknown
    half = np.stack([halves[k].half for k in range(len(halves))])
    codes = data.target.codes
    p = probabilities_of_halves(decisions, half, codes, calibration, data.weights)[:, :, 1]
    return replace(facts, prediction_instability=instability_of(p, asked.marks, data.weights))


# Prediction instability: how much the probability of a row would vary with other training rows.
#
# Each half-sample selects its own features and learns a model and a map, which predict the rows of
# the other half-sample. So B pairs give B probabilities for each row, none by a model that has seen
# it. Given the rows, a mean over a half-sample of m = n / 2 rows has the variance (1 / m) (1 - m /
# n) s^2 = s^2 / n, that of a mean over all n. So half-samples vary as much as models of all rows
# vary from sample to sample (the delete-half jackknife).
#
# References: Shao & Wu (1989) Annals of Statistics 17, 1176-1197 (the delete-half jackknife); Riley
# & Collins (2023) Biometrical Journal 65, 2200302 (stability of predictions).


DRAWN = 60  # rows of the figure
MIDDLE = 0.95  # of the probabilities of a row


def probabilities_of_halves(
    decisions: np.ndarray,
    half: np.ndarray,
    truth: np.ndarray,
    calibration: asked_probabilities.ClassProbabilities,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Compute probabilities (B, n, C) of the rows by the models of the half-samples without them.

    `decisions` (B, n, d) are those of each row by the half-sample without it, and `half` (B, n)
    marks the half-sample that contains it. The kind of map and the prevalence are those of the
    `calibration` of all rows.
    """
    classes = calibration.map.classes
    out = np.empty((*decisions.shape[:2], classes))
    for b, (values, side) in enumerate(zip(decisions, half, strict=True)):
        for rows in (side, ~side):
            own = None if weights is None else weights[rows]
            found = calibration_maps.fit_map(
                calibration.map.key, values[rows], truth[rows], classes, own
            )
            out[b, rows] = calibration.at_prevalence(found.probabilities(values[rows]))
    return out


def instability_of(
    probabilities: np.ndarray, marks: Sequence[float], weights: np.ndarray | None = None
) -> probability_facts.PredictionInstability:
    """Measure how much the probabilities of each row vary.

    `probabilities` (B, n) are those of the positive class, `marks` thresholds.

    Examples
    --------
    >>> p = np.array([[0.2, 0.7], [0.4, 0.7]])
    >>> found = instability_of(p, [0.3])
    >>> round(found.mean_difference, 3), found.disagreement
    (0.05, [Disagreement(threshold=0.3, proportion=0.25)])
    """
    w = np.ones(probabilities.shape[1]) if weights is None else weights
    mean = probabilities.mean(axis=0)
    apart = probabilities.std(axis=0, ddof=1)
    disagreement = []
    for mark in marks:
        above = (probabilities >= mark).mean(axis=0)
        share = float(np.average(np.minimum(above, 1 - above), weights=w))
        disagreement.append(probability_facts.Disagreement(float(mark), share))
    low, high = np.quantile(probabilities, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2], axis=0)
    order = np.lexsort([apart, mean])
    if len(order) > DRAWN:
        order = order[np.linspace(0, len(order) - 1, DRAWN).astype(np.intp)]
    return probability_facts.PredictionInstability(
        len(probabilities),
        _quantile(apart, w, 0.5),
        _quantile(apart, w, 0.9),
        float(np.average(np.abs(probabilities - mean).mean(axis=0), weights=w)),
        disagreement,
        [probability_facts.short(one) for one in np.stack([mean, low, high], axis=1)[order]],
    )


def _quantile(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    """Compute a weighted quantile: the first value to reach `share` of the weight."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][np.searchsorted(reached, share - 1e-12)])
