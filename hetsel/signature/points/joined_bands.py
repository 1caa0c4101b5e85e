"""Neighbors joined into few bands, so that the effects inside of each are most alike."""

from __future__ import annotations

import numpy as np

TIED = 1e-9  # of the whole sum of squares: two sums that are nearer are equal but for rounding


def joined_bands(
    effects: np.ndarray, weights: np.ndarray, part: np.ndarray, most: int, allowed: float
) -> tuple[list[int], float]:
    """The fewest bands that lose no more than is allowed: their first parts, and the loss.

    Parts stand in a row; a band is some neighbors of them. With the weighted mean m_B of the
    effects in a band B the loss is sum_B sum_(i in B) w_i (e_i - m_B)^2; of all ways to make so
    many bands that with the least loss is found by dynamic programming, of equal ones that whose
    bands begin first. Where `most` bands lose more than is allowed, there are so many.

    Parameters
    ----------
    effects, weights : ndarray of shape (n,)
    part : ndarray of int, shape (n,)
        0 to k - 1, each with a row of a weight above 0.
    most : int
    allowed : float
        Largest loss.

    Examples
    --------
    >>> effects = np.array([0.0, 0.1, 2.0, 2.0])
    >>> starts, loss = joined_bands(effects, np.ones(4), np.arange(4), 5, 0.01)
    >>> starts, round(loss, 12)
    ([0, 2], 0.005)
    """
    middle = effects - np.average(effects, weights=weights)  # small numbers have exact squares
    k = int(part.max()) + 1
    sums = (weights, weights * middle, weights * middle**2)
    mass, first, second = (np.concatenate([[0.0], np.bincount(part, s, k).cumsum()]) for s in sums)
    starts, ends = np.arange(k)[:, None], np.arange(1, k + 1)[None, :]
    inside = np.where(ends > starts, mass[ends] - mass[starts], np.inf)
    loss = second[ends] - second[starts] - (first[ends] - first[starts]) ** 2 / inside
    loss = np.where(ends > starts, np.maximum(loss, 0.0), np.inf)  # (first part, part behind - 1)
    tied = TIED * float(second[-1])
    best, before = loss[0], [np.zeros(k, dtype=np.intp)]  # of the parts up to each one, in one band
    while best[-1] > max(allowed, tied) and len(before) < min(most, k):
        # one band more: parts up to start - 1 in the bands there were, the rest in a new one
        ways = np.vstack([np.full((1, k), np.inf), best[:-1, None] + loss[1:]])
        least = ways.min(axis=0)
        before.append((ways <= least + tied).argmax(axis=0))
        best = least
    found, end = [], k - 1
    for start in reversed(before):
        found.append(int(start[end]))
        end = found[-1] - 1
    return found[::-1], float(best[-1])
