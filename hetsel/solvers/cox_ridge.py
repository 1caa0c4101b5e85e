"""Cox regression with a ridge penalty: Newton's method on the partial likelihood.

Of rows z_i (n, d) with times, events and weights w_i, and r_i = w_i exp(b'z_i),

    minimize  - sum_events w_i (b'z_i - log S(t_i)) + (alpha / 2) |b|^2,   S(t) = sum_{t_j >= t} r_j

(Breslow: events at one time share the risk set). With xbar_k = sum_{at risk} r_j z_j / S_k,
d_k the weight of the events at time k and W_i = r_i sum_{t_k <= t_i} d_k / S_k,

    gradient  sum_i (W_i - w_i event_i) z_i + alpha b,
    Hessian   sum_i W_i z_i z_i' - sum_k d_k xbar_k xbar_k' + alpha I.

Rows are in descending order of time, so that the rows at risk at a time come first.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hetsel.compiling.arithmetic import exponential, logarithm
from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import TableError

MOST_STEPS = 100
MOST_HALVINGS = 50
NEAR = 1e-12  # relative to the weight of the events: twice the largest gain of the last step
ROUNDING = 1e-13  # of the objective


@dataclass(frozen=True, eq=False)
class CoxFit:
    """A Cox regression."""

    coefficients: np.ndarray  # (d,): log relative risk of a step of 1; larger: an event sooner
    times: np.ndarray  # (k,): those of events, ascending
    hazard: np.ndarray  # (k,): the cumulative hazard there of a row of zeros (Breslow)
    converged: bool  # False if columns separate events perfectly and there is no penalty

    def survival(self, scores: np.ndarray, at: np.ndarray) -> np.ndarray:
        """Compute survival probabilities (m, q) of rows with these scores (m,) at times (q,)."""
        place = np.searchsorted(self.times, at, side="right")
        known = np.append(0.0, self.hazard)[place]
        return np.asarray(np.exp(-np.exp(scores)[:, None] * known))


def cox_ridge(
    z: np.ndarray,
    times: np.ndarray,
    events: np.ndarray,
    *,
    alpha: float,
    weights: np.ndarray | None = None,
    start: np.ndarray | None = None,
) -> CoxFit:
    """Fit Cox regression on columns z (n, d) with a ridge penalty, from `start` (d,) or 0.

    alpha is that of R's `ridge(..., theta=alpha, scale=FALSE)` and of scikit-survival; 0 is refused
    for linearly dependent columns. A row of weight 2 counts as two rows.

    Cox 1972, Journal of the Royal Statistical Society B 34, 187-220; Breslow 1974, Biometrics 30,
    89-99; Verweij and van Houwelingen 1994, Statistics in Medicine 13, 2427-2436 (ridge).
    """
    if not 0.0 <= alpha < np.inf:
        raise TableError(f"alpha must be 0 or larger. Got {alpha!r}")
    order = RiskOrder.of(times, events, weights)
    means = np.average(z, axis=0, weights=order.weights[np.argsort(order.rows)])
    x = np.ascontiguousarray((z - means)[order.rows], dtype=np.float64)
    sets = (order.weights, order.hits, order.deaths)
    beta = np.zeros(z.shape[1]) if start is None else np.array(start, dtype=np.float64)
    try:
        found, converged = newton(x, sets, float(alpha), beta)
    except np.linalg.LinAlgError:
        raise TableError(
            "alpha must be positive if columns are linearly dependent. Got 0"
        ) from None
    scores, _, sums, *_ = found
    dead = order.deaths > 0
    steps = np.cumsum((order.deaths[dead] / sums[dead])[::-1])
    hazard = steps * np.exp(-scores.max() - float(means @ beta))
    return CoxFit(beta, times[order.rows][dead][::-1], hazard, bool(converged))


@compiled
def newton(x, sets, alpha, beta):
    """Newton's method from beta (d,), in place, on centered x (n, d); derivatives, convergence."""
    found = derivatives(x, sets, alpha, beta)
    for _ in range(MOST_STEPS):
        loss, gradient, hessian = found[4], found[5], found[6]
        if len(beta) == 0:
            return found, True
        move = np.linalg.solve(hessian, gradient)
        gain = (move * gradient).sum()
        share, better = 1.0, False
        for _ in range(MOST_HALVINGS):
            trial = beta - share * move
            there = derivatives(x, sets, alpha, trial)
            # the last step gains no more than rounding
            if there[4] - loss <= ROUNDING * abs(loss) - share * gain / 100:
                better = True
                break
            share /= 2
        if not better:
            return found, False
        found = there
        beta[:] = trial
        if gain <= NEAR * sets[2].sum():
            return found, share == 1.0
    return found, False


@compiled_part
def derivatives(x, sets, alpha, beta):
    """Scores x beta (n,), rates w exp(score - the largest) (n,), their sums S_k (n,) at the last
    row of each time, W_i (n,), the loss, its gradient (d,) and Hessian (d, d).
    """
    weights, hits, deaths = sets
    n, d = x.shape
    scores, rates, sums, expected = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    top = -np.inf
    for i in range(n):
        total = 0.0
        for a in range(d):
            total += x[i, a] * beta[a]
        scores[i] = total
        top = max(top, total)
    at_risk, loss = 0.0, 0.0
    pulled, gradient, hessian = np.zeros(d), np.empty(d), np.zeros((d, d))
    for i in range(n):
        rates[i] = weights[i] * exponential(scores[i] - top)
        at_risk += rates[i]
        sums[i] = at_risk
        loss -= hits[i] * (scores[i] - top)
        for a in range(d):
            pulled[a] += rates[i] * x[i, a]
        if deaths[i] > 0.0:
            loss += deaths[i] * logarithm(at_risk)
            share = deaths[i] / (at_risk * at_risk)
            for a in range(d):
                for b in range(a + 1):
                    hessian[a, b] -= share * pulled[a] * pulled[b]
    for a in range(d):
        gradient[a] = alpha * beta[a]
        loss += alpha / 2 * beta[a] * beta[a]
    hazard = 0.0
    for i in range(n - 1, -1, -1):
        if deaths[i] > 0.0:
            hazard += deaths[i] / sums[i]
        expected[i] = rates[i] * hazard
        away = expected[i] - hits[i]
        for a in range(d):
            gradient[a] += away * x[i, a]
            scaled = expected[i] * x[i, a]
            for b in range(a + 1):
                hessian[a, b] += scaled * x[i, b]
    for a in range(d):
        hessian[a, a] += alpha
        for b in range(a):
            hessian[b, a] = hessian[a, b]
    return scores, rates, sums, expected, loss, gradient, hessian


@compiled
def left_out_scores(x, sets, found):
    """Score (n,) of each row by the other rows: one Newton step from the fit to all of them.

    Without row i, of weight 1, with xbar of the times at which it is at risk, weighted by d_k /
    S_k, as m_i and u_i = z_i - m_i, the objective has at the solution about

        gradient  event_i (z_i - xbar_k(i)) - W_i u_i  =: U_i,   Hessian  H - W_i u_i u_i',

    to the first order in what the row adds to S_k; the Hessian leaves out how much the xbar differ.
    So b moves by -(H - W_i u_i u_i')^-1 U_i. x, sets and `found` are those of :func:`newton`.
    """
    _, hits, deaths = sets
    scores, _, sums, expected, _, _, hessian = found
    n, d = x.shape
    out = scores.copy()
    if d == 0:
        return out
    inverse = np.linalg.inv(hessian)
    means = np.empty((n, d))  # xbar_k at the last row of each time
    pulled = np.zeros(d)
    for i in range(n):
        for a in range(d):
            pulled[a] += found[1][i] * x[i, a]
            means[i, a] = pulled[a] / sums[i]
    last, hazard = n - 1, 0.0
    until, u, pull = np.zeros(d), np.empty(d), np.empty(d)
    turned_u, turned_pull = np.empty(d), np.empty(d)
    for i in range(n - 1, -1, -1):
        if deaths[i] > 0.0:
            last = i
            hazard += deaths[i] / sums[i]
            for a in range(d):
                until[a] += deaths[i] / sums[i] * means[i, a]
        if hazard == 0.0:
            continue  # censored before the first event: it is in no set at risk
        for a in range(d):
            u[a] = x[i, a] - until[a] / hazard
            pull[a] = hits[i] * (x[i, a] - means[last, a]) - expected[i] * u[a]
        along, moved, lever, across = 0.0, 0.0, 0.0, 0.0
        for a in range(d):
            turned_u[a] = 0.0
            turned_pull[a] = 0.0
            for b in range(d):
                turned_u[a] += inverse[a, b] * u[b]
                turned_pull[a] += inverse[a, b] * pull[b]
            moved += x[i, a] * turned_pull[a]
            along += x[i, a] * turned_u[a]
            lever += u[a] * turned_u[a]
            across += u[a] * turned_pull[a]
        out[i] -= moved + along * expected[i] * across / (1.0 - expected[i] * lever)
    return out


class RiskOrder(NamedTuple):
    """Rows by falling time."""

    rows: np.ndarray  # (n,): which row each one is
    weights: np.ndarray  # (n,): w_i
    hits: np.ndarray  # (n,): w_i of a row with an event, else 0
    deaths: np.ndarray  # (n,): d_k at the last row of each time, 0 elsewhere

    @classmethod
    def of(
        cls, times: np.ndarray, events: np.ndarray, weights: np.ndarray | None = None
    ) -> "RiskOrder":
        """The order of times (n,), with an event or not (n,), and of weights (n,), 1 by default.

        >>> RiskOrder.of(np.array([2.0, 5.0, 2.0]), np.array([True, False, True])).deaths
        array([0., 0., 2.])
        """
        rows = np.argsort(-times, kind="stable")
        weighing = np.ones(len(times)) if weights is None else weights.astype(np.float64)[rows]
        hits = weighing * events[rows]
        last = np.append(np.diff(times[rows]) != 0, True)
        # rows of one time in a sum of their own: no difference of running sums
        sums = np.bincount(np.cumsum(last) - last, hits)
        deaths = np.zeros(len(times))
        deaths[last] = sums
        return cls(rows, weighing, hits, deaths)
