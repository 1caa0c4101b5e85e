"""Rows by falling time: who is at risk at the time of an event stands before it.

With rates r_i = w_i exp(score_i), those at risk at a time t are the rows with t_j >= t, the first
ones in this order up to the last row of that time. At each time with an event, k, S_k = sum r_j of
those at risk and d_k = sum w_i of the events (Breslow: events of one time have the same set at
risk).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class RiskOrder(NamedTuple):
    """Rows by falling time.

    Parameters
    ----------
    rows : ndarray of int, shape (n,)
        Which row each one is.
    weights : ndarray of shape (n,)
        w_i.
    hits : ndarray of shape (n,)
        w_i of a row with an event, else 0.
    deaths : ndarray of shape (n,)
        d_k at the last row of each time, 0 elsewhere.
    """

    rows: np.ndarray
    weights: np.ndarray
    hits: np.ndarray
    deaths: np.ndarray

    @classmethod
    def of(
        cls, times: np.ndarray, events: np.ndarray, weights: np.ndarray | None = None
    ) -> RiskOrder:
        """The order of times (n,), with an event or not (n,), and of weights (n,), 1 by default.

        Examples
        --------
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
