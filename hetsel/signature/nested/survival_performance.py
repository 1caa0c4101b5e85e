"""How good a signature is for survival times: concordance and integrated Brier score.

Harrell's C is the share of the comparable pairs inside of folds that their risks have in the right
order (:mod:`hetsel.statistics.performance.auc_and_concordance_intervals`); Uno's weighs a pair by
1 / G^2 of its earlier time, so that censoring has no part in it. What models of all rows learn from
more rows is added to each pair, as :mod:`hetsel.signature.nested.nested_performance` adds it to
what is predicted right.

A risk is no survival curve. For the integrated Brier score the rows of a fold get the curves of
Cox's model of that one number, learned from the other folds: from risks of models that have seen
neither their own fold nor the one that is judged (where no models leave out two folds, by models
that have not seen their own). Beside it stands what Kaplan and Meier's curve of the other folds
reaches, and what is explained beyond it, 1 - IBS / IBS of Kaplan and Meier. Nothing is added for
what more rows teach.

All is taken until tau, from when on fewer than a tenth of the rows are followed.
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

FOLLOWED = 0.1  # of the rows, at the least, until tau
STEEPEST = 50.0  # largest logarithm of a hazard ratio
OF_CURVES = 3.0  # variance of what curves of held-out risks explain over that of independent rows
MOST_TIMES = 200  # of the grid of the Brier score


def survival_performance(
    runs: Sequence[nested_values.NestedValues],
    target: Survival,
    row_groups: np.ndarray | None,
    inner: float,
    level: float = 0.95,
    weights: np.ndarray | None = None,
) -> NestedPerformance:
    """The performance that nested cross-validations of one table show.

    `inner` is Harrell's C of the size that was chosen, by what chose it.
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
    """tau: the time from when on fewer than a tenth of the rows are followed.

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
    """C with its interval, and C of models without a fold."""
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
    """Integrated Brier scores (n,) of the rows, by their risks and by Kaplan and Meier's curve.

    Means over the runs; None where fewer than two times of events come before tau.
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
    """Survival curves (m, g) of rows of these risks (m,), by Cox's model of the risk of others.

    S(s) = exp(-H(s) exp(b (r - mean))), see :mod:`hetsel.statistics.survival.cox_curves`. Learned
    from times, events and risks (n,), at the times of the grid (g,).
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


# Groups of rows by their held-out risk, and what became of them.


NAMES = ("low risk", "middle", "high risk")
MARKS = 6  # times at which rows at risk are counted, about
DIGITS = 6  # of times and shares


def third_of(runs: Sequence[nested_values.NestedValues]) -> np.ndarray:
    """Third (n,) of each row by its risk among the held-out rows of its fold, 0 is the lowest.

    Risks of different folds are those of different models: a row is placed by its rank inside of
    its fold, from 0 to 1, the mean of the runs. The thirds know no time and no event.
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
    """Kaplan and Meier's curve of each third of the rows by their held-out risk.

    The curves have no test: rows that are predicted by cross-validation are not independent, and a
    log-rank test of their groups finds a difference too often (Simon, Subramanian, Li & Menezes
    2011, Briefings in Bioinformatics 12, 203-214). The test against chance is that of permutations.
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
    """The next larger one of 1, 2 and 5 times a power of ten; 1 for 0.

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
