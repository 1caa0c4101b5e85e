"""Numbers and risks of rows by their k nearest rows, see :mod:`hetsel.models.neighbors`.

Of a number it is the weighted mean of theirs; of survival times the mortality

    M = sum_i H(T_i),   H(t) = sum_(s <= t) d(s) / r(s),

with d(s) the weight of the nearest rows that have their event at time s and r(s) of those whose
time is s or later: the Nelson-Aalen estimate from the nearest rows (Beran's conditional estimate
with equal weights), summed over the times T_i of all rows that are known. Larger is sooner.

Rows as far as the k-th share the weight that the nearer ones leave. Weights are multiplied by the
number of such rows, and numbers counted in steps of 2^-24 of their range: sums are exact.
"""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground.ties import FINE_GRID, GRID, unit_scale
from hetsel.models.neighbors import FAR


class Told(NamedTuple):
    """What rows tell of a number or of survival times, for compiled functions."""

    steps: np.ndarray  # (n,): numbers in steps of 2^-24 of their range; dense ranks of times
    events: np.ndarray  # (n,): 1 where the event happened, else 0
    later: np.ndarray  # (n,): how many rows have the same time or a later one
    order: np.ndarray  # (n,): rows, the latest times first; as they come where numbers are told
    survival: bool


def told_numbers(values: np.ndarray) -> Told:
    """What rows tell of numbers (n,)."""
    steps = np.rint(unit_scale(values[:, None])[:, 0] * FINE_GRID).astype(np.int64)
    none = np.zeros(len(steps), dtype=np.int64)
    return Told(steps, none, none, np.arange(len(steps)), False)


def told_times(times: np.ndarray, events: np.ndarray) -> Told:
    """What rows tell of survival times (n,), with or without an event (n,) at them."""
    ranks, counts = np.unique(times, return_inverse=True, return_counts=True)[1:]
    ranks = ranks.astype(np.int64)
    later = np.cumsum(counts[::-1])[::-1].astype(np.int64)[ranks]
    order = np.argsort(-ranks, kind="stable").astype(np.int64)
    return Told(ranks, np.asarray(events).astype(np.int64), later, order, True)


@compiled_part
def nearest_distances(away, k, far, near):
    """The k smallest of some distances (n,) that are not `far`, into near (k,); how many."""
    found = 0
    for m in range(k):
        near[m] = far
    for j in range(away.shape[0]):
        d = away[j]
        if d < near[k - 1]:
            m = min(found, k - 1)
            while m > 0 and near[m - 1] > d:
                near[m] = near[m - 1]
                m -= 1
            near[m] = d
            found = min(found + 1, k)
    return found


@compiled_part
def rows_within(away, order, farthest, who):
    """The rows that are as near as `farthest` or nearer, in this order, into who (n,); how many."""
    count = 0
    for m in range(order.shape[0]):
        who[count] = order[m]
        count += away[order[m]] <= farthest
    return count


@compiled_part
def estimate(away, who, count, k, farthest, told):
    """Number in [0, 1], or mortality, by the k nearest rows, among the first `count` of who."""
    steps, events, later, _, survival = told
    closer, level = 0, 0
    for m in range(count):
        closer += away[who[m]] < farthest
        level += away[who[m]] == farthest
    share = k - closer
    if not survival:
        total = 0
        for m in range(count):
            d = away[who[m]]
            if d <= farthest:
                total += steps[who[m]] * (level if d < farthest else share)
        return total / (level * k) / FINE_GRID
    hazard, at_risk, died = 0.0, 0, 0
    for m in range(count):
        d, j = away[who[m]], who[m]
        if d <= farthest:
            weight = level if d < farthest else share
            at_risk += weight
            died += weight * events[j]
        if m == count - 1 or steps[who[m + 1]] != steps[j]:
            if died > 0:
                hazard += later[j] * (died / at_risk)
            died = 0
    return np.rint(hazard * GRID) / GRID


@compiled
def estimates_of_others(distances, k, told):
    """Numbers in [0, 1], or mortalities, (m,) of rows at distances (m, n) from n >= k rows."""
    m, n = distances.shape
    out = np.empty(m)
    away, near = np.empty(n, dtype=np.int64), np.empty(k, dtype=np.int64)
    who = np.empty(n, dtype=np.int64)
    for i in range(m):
        for j in range(n):
            away[j] = np.int64(distances[i, j])
        nearest_distances(away, k, FAR, near)
        count = rows_within(away, told[3], near[k - 1], who)
        out[i] = estimate(away, who, count, k, near[k - 1], told)
    return out
