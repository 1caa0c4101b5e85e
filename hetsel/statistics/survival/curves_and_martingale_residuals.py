"""Estimate curves of survival times: Kaplan and Meier's, of events and of censoring, and residuals.

scikit-survival has the curves without row weights; R's `survival` has all, and is the reference in
the tests.

Notation. Row i has a time t_i, an event (d_i = 1) or censoring there (d_i = 0), and a weight w_i.
At a time s, n(s) is the weight of the rows with t_i >= s, d(s) that of the events and c(s) that of
the censored rows at s. Rows censored at s were still at risk of an event at s.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground import TableError
from hetsel.ground.array_types import Flags, Floats


@dataclass(frozen=True)
class StepFunction:
    """A function of time that changes at some times only, continuous from the right.

    >>> curve = StepFunction(np.array([2.0, 5.0]), np.array([0.5, 0.0]), 1.0)
    >>> curve.at([1.0, 2.0, 6.0]), curve.before([2.0, 5.0])
    (array([1. , 0.5, 0. ]), array([1. , 0.5]))
    """

    times: Floats  # (k,), ascending: where it may change
    values: Floats  # (k,): from each of the times on; the last value has no end
    start: float  # before the first time

    def at(self, times: ArrayLike) -> Floats:
        """Return the values at times of any shape."""
        return self._value(times, "right")

    def before(self, times: ArrayLike) -> Floats:
        """Return the limits from the left at times of any shape, the values just before them."""
        return self._value(times, "left")

    def _value(self, times: ArrayLike, side: str) -> Floats:
        steps = np.append(self.start, self.values)
        at = np.asarray(times, dtype=np.float64)
        place = np.searchsorted(self.times, at.ravel(), side)  # type: ignore[call-overload]
        return np.asarray(steps[place].reshape(at.shape))


class WeightsAtTimes(NamedTuple):
    """Weights at each distinct time, all of shape (k,): at risk, with an event, censored."""

    times: Floats
    at_risk: Floats
    events: Floats
    censored: Floats


def weights_at_times(
    times: ArrayLike, events: ArrayLike, weights: ArrayLike | None = None
) -> WeightsAtTimes:
    t, d = checked_times(times, events)
    w = np.ones(len(t)) if weights is None else np.asarray(weights, dtype=np.float64)
    if w.shape != t.shape or not (w >= 0).all():
        raise TableError(
            f"weights must have a number of 0 or more for each of the {len(t)} rows. Got shape "
            f"{w.shape}"
        )
    distinct, place = np.unique(t, return_inverse=True)
    died, lost = (np.bincount(place, w * part).astype(np.float64) for part in (d, ~d))
    return WeightsAtTimes(distinct, np.cumsum((died + lost)[::-1])[::-1], died, lost)


def checked_times(times: ArrayLike, events: ArrayLike) -> tuple[Floats, Flags]:
    """Return times (n,) as floats of 0 or more and events (n,) as booleans."""
    t, d = np.asarray(times, dtype=np.float64), np.asarray(events)
    if t.ndim != 1 or t.shape != d.shape or not len(t):
        raise TableError(
            f"times and events must have one value each for every row. Got shapes {t.shape}, "
            f"{d.shape}"
        )
    wrong = t[~((t >= 0) & np.isfinite(t))]
    if len(wrong):
        raise TableError(f"times must be numbers of 0 or more. Got {wrong[0]}")
    return t, d.astype(bool)


def kaplan_meier(
    times: ArrayLike, events: ArrayLike, weights: ArrayLike | None = None
) -> StepFunction:
    """Compute Kaplan and Meier's curve S(t) = prod over s <= t of (1 - d(s) / n(s)).

    Kaplan and Meier 1958, Journal of the American Statistical Association 53, 457-481.
    """
    when, at_risk, died, _ = weights_at_times(times, events, weights)
    return StepFunction(when, _product(died, at_risk), 1.0)


def kaplan_meier_of_censoring(
    times: ArrayLike, events: ArrayLike, weights: ArrayLike | None = None
) -> StepFunction:
    """Compute the proportion G(t) of rows that are not yet censored.

    G(t) = prod over s <= t of (1 - c(s) / (n(s) - d(s))). A row with an event at s can no longer be
    censored there.
    """
    when, at_risk, _, lost = weights_at_times(times, events, weights)
    # not as a difference: the last step must reach 0 in spite of rounding
    at_risk = np.append(at_risk[1:], 0.0) + lost
    return StepFunction(when, _product(lost, at_risk), 1.0)


def nelson_aalen(
    times: ArrayLike, events: ArrayLike, weights: ArrayLike | None = None
) -> StepFunction:
    """Estimate the cumulative hazard by Nelson and Aalen, sum over s <= t of d(s) / n(s).

    Aalen 1978, Annals of Statistics 6, 701-726.
    """
    when, at_risk, died, _ = weights_at_times(times, events, weights)
    return StepFunction(when, np.cumsum(_share(died, at_risk)), 0.0)


def martingale_residuals(
    times: ArrayLike, events: ArrayLike, weights: ArrayLike | None = None
) -> Floats:
    """Compute martingale residuals (n,) without features: events minus expected events.

    M_i = d_i - H(t_i), H the cumulative hazard of Nelson and Aalen; their weighted sum is 0. A
    larger residual means a higher risk. R's `residuals(coxph(Surv(time, event) ~ 1, ties =
    "breslow"), "martingale")`. Therneau, Grambsch and Fleming 1990, Biometrika 77, 147-160, section
    2.
    """
    t, d = checked_times(times, events)
    return np.asarray(d - nelson_aalen(t, d, weights).at(t))


def _product(part: Floats, whole: Floats) -> Floats:
    """Return products (k,) of 1 - part / whole up to each time."""
    return np.asarray(np.cumprod(1.0 - _share(part, whole)), dtype=np.float64)


def _share(part: Floats, whole: Floats) -> Floats:
    """Return part / whole (k,), 0 if whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def integrated_brier_rows(
    times: ArrayLike,
    events: ArrayLike,
    survival: ArrayLike,
    grid: ArrayLike,
    censoring: StepFunction,
) -> Floats:
    """Compute the integrated Brier score (m,) of each row: weighted squared error over time.

    b_i(s) = S_i(s)^2 / G(t_i-) if the row had its event until s, (1 - S_i(s))^2 / G(s) if t_i > s,
    and 0 if it is censored until s, or at s; its integral over the grid (g,) by the trapezoidal
    rule, divided by the length of the grid. S is (m, g), or (g,) for all rows; G, the probability
    of not being censored, is that of training rows. If G is 0, a row counts 0, as in
    scikit-survival, which uses G(t_i) instead of its limit G(t_i-). Graf, Schmoor, Sauerbrei and
    Schumacher 1999, Statistics in Medicine 18, 2529-2545, section 4.
    """
    t, d = checked_times(times, events)
    s, predicted = np.asarray(grid, np.float64), np.asarray(survival, np.float64)
    if s.ndim != 1 or len(s) < 2 or not (np.diff(s) > 0).all():
        raise TableError(f"grid must be two or more ascending times. Got {np.size(s)} times")
    if predicted.shape not in {(len(s),), (len(t), len(s))}:
        raise TableError(
            f"survival must be of shape {(len(t), len(s))} or {(len(s),)}. Got {predicted.shape}"
        )
    own, later = (_share(np.ones_like(g), g) for g in (censoring.before(t), censoring.at(s)))
    had = d[:, None] & (t[:, None] <= s)
    errors = np.where(had, predicted**2 * own[:, None], 0.0)
    errors += np.where(t[:, None] > s, (1.0 - predicted) ** 2 * later, 0.0)
    return np.asarray(np.trapezoid(errors, s, axis=1) / (s[-1] - s[0]))
