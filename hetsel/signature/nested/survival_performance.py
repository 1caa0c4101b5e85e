"""Estimate the performance for survival times: concordance and integrated Brier score.

Harrell's C is the proportion of comparable pairs inside of folds that the risk scores order
correctly (:mod:`hetsel.statistics.performance.auc_and_concordance_intervals`). Uno's C weights a
pair by 1 / G^2 of its earlier time, so that censoring does not affect it. The training gain is
added to each pair, as in :mod:`hetsel.signature.nested.nested_performance`.

A risk score is no survival curve. For the integrated Brier score (IBS), the rows of a fold get the
curves of Cox's model of the risk score, learned from the other folds. The risk scores are those of
models that have seen neither their own fold nor the held-out one (if no models leave out two folds,
of models that have not seen their own fold). Two values are reported for comparison: the IBS of
Kaplan and Meier's curve of the other folds, and the explained proportion 1 - IBS / IBS of Kaplan
and Meier. No training gain is added.

All measures end at tau, the time from which on fewer than a tenth of the rows are followed.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hetsel.compiling.arithmetic import exponentiate
from hetsel.signature import performance
from hetsel.signature.nested import nested_performance, nested_values, number_performance
from hetsel.signature.performance import HeldOutRows, NestedPerformance, RiskGroup, RiskGroups
from hetsel.statistics.performance import loss_intervals, rate_intervals
from hetsel.statistics.performance.auc_and_concordance_intervals import concordance_interval
from hetsel.statistics.survival import concordance
from hetsel.statistics.survival import curves_and_martingale_residuals as survival_curves
from hetsel.statistics.survival.cox_curves import cox_hazard, cox_slopes
from hetsel.tables import Survival

FOLLOWED = 0.1  # smallest proportion of the rows that are followed until tau
STEEPEST = 50.0  # largest log hazard ratio
# variance of the explained proportion of held-out curves over that of independent rows
OF_CURVES = 3.0
MOST_TIMES = 200  # of the grid of the Brier score


def survival_performance(
    runs: Sequence[nested_values.NestedValues],
    target: Survival,
    row_groups: np.ndarray | None,
    inner: float,
    level: float = 0.95,
    weights: np.ndarray | None = None,
) -> NestedPerformance:
    """Compute the performance of survival times from nested cross-validations of one table.

    `inner` is Harrell's C of the chosen size by the cross-validation that chose it.
    """
    given = (weights, row_groups)
    censoring = survival_curves.kaplan_meier_of_censoring(target.times, target.events, weights)
    tau = last_followed(target.times)
    once = target.events.astype(np.float64)
    harrell, nested = _concordance(runs, target, once, *given, level)
    uno, _ = _concordance(
        runs,
        target,
        concordance.uno_weights(target.times, target.events, censoring, tau),
        *given,
        level,
    )
    told = {("harrell", "Harrell's C"): harrell, ("uno", "Uno's C"): uno}
    losses = brier_rows(runs, target, tau, weights)
    if losses is not None:
        own, known = losses
        reference = float(np.average(known, weights=weights))
        told |= {
            ("ibs", "integrated Brier score"): loss_intervals.loss_interval(
                own, *given, references=known, bounded=True, level=level
            ),
            (
                "ibs_km",
                "integrated Brier score of the Kaplan-Meier curve",
            ): rate_intervals.RateInterval(reference, np.nan, np.nan, level),
            ("skill", "scaled integrated Brier score"): loss_intervals.told_interval(
                own, known, *given, spread=OF_CURVES, level=level
            ),
        }
    slopes = [cox_slopes(target.times, target.events, run.predicted, weights)[0] for run in runs]
    shown = HeldOutRows(None, float(np.mean(slopes)), tau, risk_groups(runs, target, weights))
    measures = [performance.measure_of(*name, one, len(target)) for name, one in told.items()]
    about = (0.5, inner, nested, runs[0].folds, len(runs), shown)
    return performance.nested_performance("survival", measures, *about)


def last_followed(times: np.ndarray) -> float:
    """Return tau, the time from which on fewer than a tenth of the rows are followed.

    Examples
    --------
    >>> last_followed(np.arange(1.0, 21.0))
    19.0
    """
    kept = max(1, int(np.ceil(FOLLOWED * len(times))))
    return float(np.sort(times)[-kept])


def _concordance(
    runs: Sequence[nested_values.NestedValues],
    target: Survival,
    first: np.ndarray,
    weights: np.ndarray | None,
    groups: np.ndarray | None,
    level: float,
) -> tuple[rate_intervals.RateInterval, float]:
    """Compute C with its interval, and C of models without a fold."""
    factor = nested_performance.learning_factor(runs[0].folds)
    about = (target.content, first, 1.0, factor, weights, groups)
    more, plain, pairs = number_performance.concordance_sums(runs, *about)
    if not pairs.sum() > 0:
        return rate_intervals.RateInterval(np.nan, np.nan, np.nan, level), np.nan
    own = np.ones(len(target)) if weights is None else weights
    events = rate_intervals.effective_rows(own[target.events])
    given = (more, pairs, weights, groups)
    found = concordance_interval(*given, also=plain, rows=events, level=level)
    return found, float(plain.sum() / pairs.sum())


def brier_rows(
    runs: Sequence[nested_values.NestedValues],
    target: Survival,
    tau: float,
    weights: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Compute integrated Brier scores (n,) by risk scores and by Kaplan and Meier's curve.

    They are means over the runs; None if fewer than two event times come before tau.
    """
    times, events = target.times, target.events
    grid = np.unique(times[events & (times <= tau)])
    if len(grid) > MOST_TIMES:
        grid = grid[np.linspace(0, len(grid) - 1, MOST_TIMES).astype(np.intp)]
    if len(grid) < 2:
        return None
    censoring = survival_curves.kaplan_meier_of_censoring(times, events, weights)
    own, known = np.zeros(len(target)), np.zeros(len(target))
    for run in runs:
        for k in range(run.folds):
            rows, others = run.fold == k, run.fold != k
            given = (times[others], events[others])
            of_others = None if weights is None else weights[others]
            curves = cox_curves(*given, run.inner[k, others], run.predicted[rows], grid, of_others)
            plain = survival_curves.kaplan_meier(*given, of_others).at(grid)
            asked = (times[rows], events[rows])
            own[rows] += survival_curves.integrated_brier_rows(
                *asked, curves, grid, censoring
            ) / len(runs)
            known[rows] += survival_curves.integrated_brier_rows(
                *asked, plain, grid, censoring
            ) / len(runs)
    return own, known


def cox_curves(
    times: np.ndarray,
    events: np.ndarray,
    risk: np.ndarray,
    asked: np.ndarray,
    grid: np.ndarray,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Compute survival curves (m, g) for risk scores (m,) by Cox's model of other rows' scores.

    S(s) = exp(-H(s) exp(b (r - mean))), see :mod:`hetsel.statistics.survival.cox_curves`. The model
    is learned from times, events and risk scores (n,); the curves are at the times of the grid
    (g,).
    """
    slope = float(cox_slopes(times, events, risk, weights)[0])
    middle = float(risk.mean())
    logs = np.clip(slope * (risk - middle), -STEEPEST, STEEPEST)
    hazard = cox_hazard(times, events, logs, grid, weights)
    ratio = np.clip(slope * (asked - middle), -STEEPEST, STEEPEST)[None].copy()
    exponentiate(ratio)
    curves = -np.outer(ratio[0], hazard)
    exponentiate(curves)
    return curves


# Groups of rows by their held-out risk score, and their survival.


NAMES = ("low risk", "middle", "high risk")
MARKS = 6  # times at which rows at risk are counted, approximately
DIGITS = 6  # of times and proportions


def third_of(runs: Sequence[nested_values.NestedValues]) -> np.ndarray:
    """Return the third (n,) of each row by its risk score in its held-out fold, 0 is the lowest.

    Risk scores of different folds come from different models. Therefore a row is placed by its rank
    inside of its fold, from 0 to 1, averaged over the runs. The thirds do not depend on times and
    events.
    """
    places = np.zeros(len(runs[0].fold))
    for run in runs:
        for k in range(run.folds):
            rows = run.fold == k
            places[rows] += (pd.Series(run.predicted[rows]).rank().to_numpy() - 0.5) / rows.sum()
    even = (pd.Series(np.round(places, 9)).rank().to_numpy() - 0.5) / len(places)
    return np.minimum((even * len(NAMES)).astype(np.int64), len(NAMES) - 1)


def risk_groups(
    runs: Sequence[nested_values.NestedValues], target: Survival, weights: np.ndarray | None = None
) -> RiskGroups:
    """Compute Kaplan and Meier's curve of each third of the rows by held-out risk score.

    The curves have no test. Rows that are predicted by cross-validation are not independent, and a
    log-rank test of their groups rejects too often (Simon, Subramanian, Li & Menezes 2011,
    Briefings in Bioinformatics 12, 203-214). Use the permutation test instead.
    """
    third, times, events = third_of(runs), target.times, target.events
    step = round_step(float(times.max()) / MARKS)
    at = step * np.arange(int(times.max() / step) + 1)
    groups = []
    for place, name in enumerate(NAMES):
        rows = third == place
        if not rows.any():
            continue
        own = None if weights is None else weights[rows]
        curve = survival_curves.kaplan_meier(times[rows], events[rows], own)
        falls = np.diff(np.append(1.0, curve.values)) < 0
        found = RiskGroup(
            name=name,
            rows=int(rows.sum()),
            events=int(events[rows].sum()),
            last=float(times[rows].max()),
            times=_shortened(curve.times[falls]),
            survival=_shortened(curve.values[falls]),
            at_risk=[int((times[rows] >= mark).sum()) for mark in at],
        )
        groups.append(found)
    return RiskGroups(_shortened(at), groups)


def round_step(step: float) -> float:
    """Return the next larger one of 1, 2 and 5 times a power of ten; 1 for 0.

    Examples
    --------
    >>> round_step(13.4), round_step(0.3), round_step(0.0)
    (20.0, 0.5, 1.0)
    """
    if not step > 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(step))
    return float(power * next(one for one in (1, 2, 5, 10) if one * power >= step))


def _shortened(values: np.ndarray) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values.tolist()]
