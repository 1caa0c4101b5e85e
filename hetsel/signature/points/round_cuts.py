"""Find round numbers at which the values of a column can be cut into bands."""

from math import ceil, floor, log10

import numpy as np

FACTORS = (5.0, 2.0, 1.0)  # of a power of ten, roundest first: 10, 5, 2, 1, 0.5, ...


def roundest_between(low: float, high: float) -> float:
    """Return the number above `low`, up to `high`, that is a multiple of the largest round step.

    Steps are 1, 2 and 5 times a power of ten; 0 is the roundest number. Of several multiples of a
    step, the one nearest to the middle is returned.

    Examples
    --------
    >>> roundest_between(54.3, 54.9), roundest_between(46.0, 63.0), roundest_between(0.0, 1.0)
    (54.5, 50.0, 1.0)
    >>> roundest_between(-0.4, 0.3), roundest_between(2.0, 3.0), roundest_between(0.012, 0.019)
    (0.0, 3.0, 0.015)
    """
    if low < 0.0 <= high:
        return 0.0
    middle = low / 2 + high / 2
    power = floor(log10(max(abs(low), abs(high)))) + 1
    for exponent in range(min(power, 307), max(power - 18, -308), -1):
        for factor in FACTORS:
            # a whole number of steps or of their inverse: 0.1 is 1 / 10, not 1e-1 summed up
            unit = factor * 10.0 ** abs(exponent) if exponent >= 0 else 10.0**-exponent / factor
            places = [low * unit, high * unit] if exponent < 0 else [low / unit, high / unit]
            first, last = floor(places[0]) + 1, floor(places[1])
            if first > last:
                continue
            near = middle * unit if exponent < 0 else middle / unit
            count = min(max(ceil(near - 0.5), first), last)
            found = count / unit if exponent < 0 else count * unit
            if low < found <= high:
                return float(found)
    return high


def round_cuts(cells: np.ndarray, weights: np.ndarray, parts: int) -> np.ndarray:
    """Return cut points (k,), ascending: a band is at or above one and below the next.

    They are the roundest numbers between neighbors among some quantiles of the column, or among its
    values if there are no more of them. So cuts are fine where rows are dense, and rounder
    elsewhere. In another unit other numbers are round, and a cut moves within its part of the rows.
    `parts` is the number of parts into which the quantiles divide the rows; fewer parts have
    rounder cuts.

    Examples
    --------
    >>> round_cuts(np.array([0.0, 1.0, 3.0, 3.0]), np.ones(4), 8)
    array([1., 2.])
    """
    values, place = np.unique(cells, return_inverse=True)
    if len(values) > parts:
        below = np.cumsum(np.bincount(place, weights))
        at = np.searchsorted(below, below[-1] * np.arange(1, parts) / parts * (1 - 1e-12))
        values = values[np.unique([0, *at.tolist(), len(values) - 1])]
    ends = zip(values[:-1].tolist(), values[1:].tolist(), strict=True)
    return np.array([roundest_between(low, high) for low, high in ends])


# Neighbors are joined into few bands, so that the effects inside of each band are similar.


TIED = 1e-9  # relative to the total sum of squares: closer sums are equal up to rounding


def joined_bands(
    effects: np.ndarray, weights: np.ndarray, part: np.ndarray, most: int, allowed: float
) -> tuple[list[int], float]:
    """Find the fewest bands that lose at most `allowed`: their first parts, and the loss.

    Parts are in order, and a band consists of neighboring parts. With the weighted mean m_B of the
    effects in a band B, the loss is sum_B sum_(i in B) w_i (e_i - m_B)^2. Dynamic programming finds
    the bands with the smallest loss for each number of bands; of equal ones, those that begin
    first. If `most` bands lose more than allowed, there are `most` bands. `part` (n,) is the part
    of each row, 0 to k - 1, each with a row of positive weight.

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
        # one more band: parts up to start - 1 in the previous bands, the rest in a new one
        ways = np.vstack([np.full((1, k), np.inf), best[:-1, None] + loss[1:]])
        least = ways.min(axis=0)
        before.append((ways <= least + tied).argmax(axis=0))
        best = least
    found, end = [], k - 1
    for start in reversed(before):
        found.append(int(start[end]))
        end = found[-1] - 1
    return found[::-1], float(best[-1])
