"""Compute concordance of risk scores and survival times: Harrell's, Uno's, and areas of ROC curves.

scikit-survival computes each for one risk score at a time, in O(m^2); here one pass in O(m log m)
serves all. The tests compare the results with it and with R's `survival::concordance`.

A pair (i, j) is comparable if i has an event and j is known to be without an event at that time:
t_i < t_j, or t_i = t_j and j is censored. The pair is concordant if i has the larger risk score.
"""

import numpy as np
from numpy.typing import ArrayLike

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import TableError
from hetsel.ground.array_types import Floats
from hetsel.statistics.survival.curves_and_martingale_residuals import StepFunction, checked_times


def concordance(
    times: ArrayLike,
    events: ArrayLike,
    risk: ArrayLike,
    weights: ArrayLike | None = None,
    pair_weights: ArrayLike | None = None,
) -> Floats:
    """Compute the concordance (k,) of k risk scores (k, m) with survival times.

    It is the proportion of comparable pairs that a risk score orders correctly.

    C = sum_ij u_i w_i w_j c_ij / sum_ij u_i w_i w_j over the comparable pairs, c_ij = 1 if r_i >
    r_j and 1/2 if they are equal. With u = 1 it is Harrell's (Harrell, Califf, Pryor, Lee and
    Rosati 1982, JAMA 247, 2543-2546); with `pair_weights` u_i = 1 / G^2(t_i-) it is Uno's, see
    :func:`uno_weights`. It is NaN if no pair is comparable, or the risk scores contain NaN.

    Examples
    --------
    >>> concordance([1.0, 2.0, 3.0], [True, True, False], [3.0, 1.0, 2.0])
    array([0.66666667])
    """
    t, d = checked_times(times, events)
    r = np.atleast_2d(np.asarray(risk, dtype=np.float64))
    if r.ndim != 2 or r.shape[1] != len(t):
        raise TableError(f"risk must be of shape (k, {len(t)}). Got {np.shape(risk)}")
    w, u = (
        np.ones(len(t)) if given is None else np.array(given, dtype=np.float64)
        for given in (weights, pair_weights)
    )
    order = np.lexsort([d, -t])  # the last time first; censored rows first at equal times
    _, block = np.unique(-t[order], return_inverse=True)
    first = np.where(d, u, 0.0)[order]
    out = np.full(len(r), np.nan)
    for k, risks in enumerate(r):
        if not np.isnan(risks).any():
            values, place = np.unique(risks[order], return_inverse=True)
            out[k] = concordant_share(block, d[order], first, place, w[order], len(values))
    return out


@compiled
def concordant_share(block, event, first, place, weight, n_values):
    """Compute the weight of the concordant pairs over that of the comparable ones; NaN without any.

    Rows (m,) come by descending time, the censored rows of a block first; `first` is u of an event,
    `place` the rank of the risk score.
    """
    m = len(block)
    # Fenwick's tree: sums of weights up to a rank, of the rows so far
    tree = np.zeros(n_values + 1)
    at = np.zeros(n_values)
    right, total, seen = 0.0, 0.0, 0.0
    start = 0
    while start < m:
        end = start
        while end < m and block[end] == block[start] and not event[end]:
            end += 1
        seen += add_rows(tree, at, place, weight, start, end)
        start = end
        while end < m and block[end] == block[start] and event[end]:
            if first[end] > 0 and weight[end] > 0:
                below, k = 0.0, place[end]
                while k > 0:
                    below += tree[k]
                    k -= k & -k
                own = first[end] * weight[end]
                right += own * (below + 0.5 * at[place[end]])
                total += own * seen
            end += 1
        seen += add_rows(tree, at, place, weight, start, end)
        start = end
    return right / total if total > 0 else np.nan


@compiled_part
def add_rows(tree, at, place, weight, start, end):
    """Add the rows from start to end to the sums, and return their weight."""
    added = 0.0
    for i in range(start, end):
        added += weight[i]
        at[place[i]] += weight[i]
        k = place[i] + 1
        while k < len(tree):
            tree[k] += weight[i]
            k += k & -k
    return added


def uno_weights(
    times: ArrayLike, events: ArrayLike, censoring: StepFunction, tau: float = np.inf
) -> Floats:
    """Compute weights u (m,) of Uno's concordance: 1 / G^2(t_i-) of events before tau, else 0.

    G is the probability of not being censored until then, from training rows, and G(t-) its limit
    from the left, as in R. scikit-survival uses G(t), which differs if a row is censored at the
    very time of an event. If G is 0, the weight is 0, since no training row was followed so long.
    Uno, Cai, Pencina, D'Agostino and Wei 2011, Statistics in Medicine 30, 1105-1117, Eq. 6.
    """
    t, d = checked_times(times, events)
    still = censoring.before(t)
    taken = d & (t < tau) & (still > 0)
    return np.divide(1.0, still**2, out=np.zeros(len(t)), where=taken)


def case_control_marks(
    times: ArrayLike, events: ArrayLike, censoring: StepFunction, at: float
) -> Floats:
    """Compute marks (m,) at a time s, positive for a case and negative for a control.

    The mark is 1 / G(t_i-) for a case (an event, t_i <= s), -1 for a control (t_i > s), and 0 for
    neither; G as in :func:`uno_weights`.
    """
    t, d = checked_times(times, events)
    still = censoring.before(t)
    marks = np.where(t > at, -1.0, 0.0)
    case = d & (t <= at) & (still > 0)
    marks[case] = 1.0 / still[case]
    return marks


def area_of_marks(marks: ArrayLike, risk: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Compute the cumulative/dynamic area (k,) of risk scores (k, m), from marks (m,) at one time.

    A = sum_ij u_i w_i w_j c_ij / sum_ij u_i w_i w_j over the cases i and controls j, u_i = 1 /
    G(t_i-), c_ij as in :func:`concordance`. It is NaN without a case or without a control, or if
    the risk scores contain NaN. Uno, Cai, Tian and Wei 2007, Journal of the American Statistical
    Association 102, 527-537; Lambert and Chevret 2016, Statistical Methods in Medical Research 25,
    2088-2102.
    """
    u = np.asarray(marks, dtype=np.float64)
    kept = u != 0
    u, r = u[kept], np.atleast_2d(np.asarray(risk, dtype=np.float64))[:, kept]
    w = None if weights is None else np.asarray(weights, dtype=np.float64)[kept]
    if not len(u):
        return np.full(len(r), np.nan)
    case = u > 0  # a case is an event at time 0, a control is censored at time 1
    return concordance(np.where(case, 0.0, 1.0), case, r, w, np.where(case, u, 0.0))
