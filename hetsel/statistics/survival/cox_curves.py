"""Compute survival curves of rows with a known risk score alone, by Cox's model of the score.

statsmodels and scikit-survival fit Cox's model for one design at a time and are the references in
the tests; here many risk scores of the same rows are fitted at once.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.compiling.arithmetic import exponentiate, logarithms
from hetsel.ground import TableError
from hetsel.ground.array_types import Flags, Floats
from hetsel.statistics.survival import concordance
from hetsel.statistics.survival import curves_and_martingale_residuals as survival_curves

STEPS, HALVINGS = 60, 40
ENOUGH = 1e-11  # relative gain in the log-likelihood that ends the steps
STEEPEST = 200.0  # largest |slope (r - mean)|; its exponential is far from any limit of doubles
MOST_CELLS = 4_000_000  # rows x times whose errors are held in memory at once


def cox_slopes(
    times: ArrayLike, events: ArrayLike, risk: ArrayLike, weights: ArrayLike | None = None
) -> Floats:
    """Estimate slopes b (k,) of Cox's model with hazard h(s) exp(b r), for risk scores r (k, n).

    b maximizes sum_i d_i w_i (b r_i - log sum_{t_j >= t_i} w_j exp(b r_j)) (Breslow's ties), by
    Newton steps, halved if they lose. If a risk score orders the events perfectly, there is no
    maximum: the steps end when the likelihood gains no more, as in R's `coxph`. A constant risk
    score has the slope 0. Cox 1972, Journal of the Royal Statistical Society B 34, 187-220; Breslow
    1974, Biometrics 30, 89-99.
    """
    t, d = survival_curves.checked_times(times, events)
    r = np.atleast_2d(np.asarray(risk, dtype=np.float64))
    w = np.ones(len(t)) if weights is None else np.asarray(weights, dtype=np.float64)
    return np.array([_slope(t, d, own, w) for own in r], dtype=np.float64)


def _slope(t: Floats, d: Flags, risk: Floats, w: Floats) -> float:
    """Estimate the slope of one risk score (n,) on its standard scale."""
    middle = float(np.average(risk, weights=w))
    width = float(np.sqrt(np.average((risk - middle) ** 2, weights=w)))
    if not d.any() or not width > 0 or width <= 1e-13 * float(np.abs(risk).max()):
        return 0.0
    z = (risk - middle) / width
    steepest = STEEPEST / float(np.abs(z).max())
    order = np.argsort(-t, kind="stable")
    z, w, d, t = z[order], w[order], d[order], t[order]
    last = np.searchsorted(-t, -t[d], side="right") - 1  # where each event's risk set ends
    at, own = z[d], w[d]
    b = 0.0
    best, gradient, curvature = _likelihood(b, z, w, last, at, own)
    for _ in range(STEPS):
        if not curvature > 0:
            break
        step = gradient / curvature
        for _ in range(HALVINGS):
            new = float(np.clip(b + step, -steepest, steepest))
            reached, gradient, curvature = _likelihood(new, z, w, last, at, own)
            if reached >= best:
                break
            step /= 2
        else:
            break
        gain, b, best = reached - best, new, reached
        if gain <= ENOUGH * (abs(best) + 1.0):
            break
    return b / width


def _likelihood(
    b: float, z: Floats, w: Floats, last: NDArray[np.intp], at: Floats, own: Floats
) -> tuple[float, float, float]:
    """Return log-likelihood, derivative and negative second one at b; z, w (n,) by falling time."""
    hazard = w * _exponentials(b * z)
    sums, first, second = (np.cumsum(hazard * z**power)[last] for power in range(3))
    mean = first / sums
    value = float((own * (b * at - logarithms(sums))).sum())
    return (
        value,
        float((own * (at - mean)).sum()),
        float((own * np.maximum(second / sums - mean**2, 0.0)).sum()),
    )


def _exponentials(values: Floats) -> Floats:
    """Compute exp (n,), bit-identical on every processor."""
    out = np.array(values, dtype=np.float64)[None]
    exponentiate(out)
    return out[0]


def cox_hazard(
    times: ArrayLike,
    events: ArrayLike,
    log_hazards: ArrayLike,
    at: ArrayLike,
    weights: ArrayLike | None = None,
) -> Floats:
    """Compute Breslow's cumulative hazard at times (g,), for a log hazard ratio l = b r of 0.

    It is the sum over events t_i <= s of w_i / sum_{t_j >= t_i} w_j exp(l_j).
    """
    t, d = survival_curves.checked_times(times, events)
    w = np.ones(len(t)) if weights is None else np.asarray(weights, dtype=np.float64)
    order = np.argsort(-t, kind="stable")
    at_risk = np.cumsum((w * _exponentials(np.asarray(log_hazards, np.float64)))[order])
    last = np.searchsorted(-t[order], -t, side="right") - 1
    when = np.argsort(t[d], kind="stable")
    hazard = np.append(0.0, np.cumsum((w[d] / at_risk[last[d]])[when]))
    return np.asarray(hazard[np.searchsorted(t[d][when], np.asarray(at), side="right")])


def survival_columns(
    train_times: ArrayLike,
    train_events: ArrayLike,
    test_times: ArrayLike,
    test_events: ArrayLike,
    train_risk: ArrayLike,
    test_risk: ArrayLike,
    train_weights: ArrayLike | None = None,
) -> Floats:
    """Compute four numbers (k, m, 4) per test row that the scores of k risk scores need.

        0. its integrated Brier score, the curves being those of Cox's model of the risk, fitted on
           training rows: S_i(s) = exp(-H(s) exp(b r_i)), b by `cox_slopes`, H by `cox_hazard`;
        1. its integrated Brier score if Kaplan and Meier's curve of training rows predicts it;
        2. its weight in Uno's concordance, 1 / G^2(t_i-) of an event before tau, else 0;
        3. its mark in the area under the curve at the median of the training rows' event times.

    All use the times from the first time of the test rows to tau, the last time of the training
    rows or of the test rows, whichever comes first. The grid has the distinct event times of
    training rows. With fewer than two of them columns 0 and 1 are NaN, and column 3 is 0 if the
    median lies outside. Column 0 is also NaN for risk scores that contain NaN.
    """
    t, d = survival_curves.checked_times(train_times, train_events)
    times, events = survival_curves.checked_times(test_times, test_events)
    ours, theirs = (np.atleast_2d(np.asarray(r, np.float64)) for r in (train_risk, test_risk))
    if ours.shape[1] != len(t) or theirs.shape != (len(ours), len(times)):
        raise TableError(
            f"train_risk must be of shape (k, {len(t)}) and test_risk (k, {len(times)}). "
            f"Got {ours.shape} and {theirs.shape}"
        )
    censoring = survival_curves.kaplan_meier_of_censoring(t, d, train_weights)
    begin, tau = times.min(), min(t.max(), times.max())
    when = np.unique(t[d & (t >= begin) & (t < tau)])
    out = np.zeros((len(ours), len(times), 4))
    out[:, :, 2] = concordance.uno_weights(times, events, censoring, tau)
    middle = float(np.median(t[d])) if d.any() else np.nan
    if begin <= middle < tau:
        out[:, :, 3] = concordance.case_control_marks(times, events, censoring, middle)
    if len(when) < 2:
        out[:, :, :2] = np.nan
        return out
    known = survival_curves.kaplan_meier(t, d, train_weights).at(when)
    for rows in _blocks(len(times), len(when)):
        own = times[rows], events[rows]
        out[:, rows, 1] = survival_curves.integrated_brier_rows(*own, known, when, censoring)
    for k, (learned, predicted) in enumerate(zip(ours, theirs, strict=True)):
        if np.isnan(learned).any() or np.isnan(predicted).any():
            out[k, :, 0] = np.nan
            continue
        slope = float(cox_slopes(t, d, learned, train_weights)[0])
        middle = float(learned.mean())
        logs = np.clip(slope * (learned - middle), -STEEPEST, STEEPEST)
        hazard = cox_hazard(t, d, logs, when, train_weights)
        ratio = _exponentials(np.clip(slope * (predicted - middle), -STEEPEST, STEEPEST))
        for rows in _blocks(len(times), len(when)):
            survival = -np.outer(ratio[rows], hazard)
            exponentiate(survival)
            own = times[rows], events[rows]
            out[k, rows, 0] = survival_curves.integrated_brier_rows(*own, survival, when, censoring)
    return out


def _blocks(rows: int, times: int) -> list[slice]:
    """Split the rows into parts whose errors at all times fit into little memory."""
    step = max(1, MOST_CELLS // times)
    return [slice(start, start + step) for start in range(0, rows, step)]
