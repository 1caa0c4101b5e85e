"""Bounds on the expected number of features that stability selection selects falsely.

Notation. A method selects q of p features, on average, in each of 2B halves of the rows; theta =
q/p. The frequency of a feature is the share of the halves that select it, a multiple of 1/(2B), and
the features whose frequency is tau or more are kept. V is the number of those that should not be.

Four assumptions, each by its name, and what E[V] is then bounded by:

"meinshausen-buehlmann"
    q^2 / ((2 tau - 1) p), tau in (1/2, 1]. V counts the noise features; they are exchangeable, and
    the method selects no worse than by chance (Meinshausen & Buehlmann, Theorem 1).
"none"
    The same number without these assumptions, for complementary pairs of halves. V counts the
    features that one half selects with probability theta at most, here and below (Shah & Samworth,
    Theorem 1 with theta = q/p).
"unimodal"
    C(tau, B) q^2 / p, where the share of the pairs of which both halves select a feature has a
    unimodal distribution (Theorem 2). C = 1 / (2 (2 tau - 1 - 1/(2B))) up to tau = 3/4, above it
    4 (1 - tau + 1/(2B)) / (1 + 1/B). For theta <= 1/sqrt(3) and tau >= 1/2 + 1/B that is above
    1/2 + min(theta^2, 1/(2B) + 3/4 theta^2); for other pairs of theta and tau the number of "none".
"r-concave"
    p min(D(theta^2, 2 tau - 1, B, -1/2), D(theta, tau, 2B, -1/4)), D(eta, t, N, r) the largest
    P(X >= t) of an X on 0, 1/N, ..., 1 whose distribution is r-concave and whose mean is eta at
    most: the shares of the pairs are -1/2-concave, the frequencies -1/4-concave (Equation 8). tau
    may be 1/2 or less, where plain noise breaks the assumption (decision 043, which also says where
    R's `stabs` leaves the papers).

No bound is larger than p here, though the formulas of the first three can be. {frequency >= tau} is
the same set for all tau between two multiples of 1/(2B), so such a tau counts as the next multiple.

References: Meinshausen & Buehlmann (2010) Journal of the Royal Statistical Society B 72, 417-473;
Shah & Samworth (2013) Journal of the Royal Statistical Society B 75, 55-80.
"""

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, inf
from typing import Literal, get_args

import numpy as np
from scipy import optimize

from hetsel.ground import TableError, is_number, whole_number

Assumption = Literal["unimodal", "r-concave", "none", "meinshausen-buehlmann"]
ASSUMPTIONS = get_args(Assumption)
PAIRS, HALVES = -1 / 2, -1 / 4  # r of the shares of the pairs, and of the frequencies
ROUNDING = 1e-9  # a multiple of a threshold that is so near to a whole number is that number
FARTHEST = 100.0  # of log a: there the distribution is flat, or a point at 0, to all digits


def false_selection_bound(
    *, q: float, p: int, threshold: float, pairs: int = 50, assumption: Assumption = "unimodal"
) -> float:
    """Bound on the expected number of false selections E[V], p at most.

    E[V] <= q^2 / ((2 tau - 1) p) and sharper ones; see the top of this module.

    Parameters
    ----------
    q : float
        Number of features that are selected in a half, on average; in (0, p].
    p : int
        Number of features.
    threshold : float
        tau: features of this frequency or more are kept. Above 1/2, up to 1; "r-concave" from 0 on.
    pairs : int
        B, the number of complementary pairs; 2B halves of any kind for Meinshausen and Buehlmann.
    assumption : {"unimodal", "r-concave", "none", "meinshausen-buehlmann"}

    Returns
    -------
    float
        At most p.

    Raises
    ------
    TableError
        A number out of its range.

    References
    ----------
    Meinshausen & Buehlmann (2010), Theorem 1; Shah & Samworth (2013), Theorems 1 and 2, Equation 8.

    Examples
    --------
    >>> for assumption in ("none", "unimodal", "r-concave"):
    ...     bound = false_selection_bound(q=10, p=100, threshold=0.75, assumption=assumption)
    ...     print(f"{assumption}: {bound:.3f}")
    none: 2.000
    unimodal: 1.020
    r-concave: 0.286
    """
    p, pairs = _check(p, pairs, assumption)
    number = _checked_number(q, p)
    least = halves_needed(threshold, pairs)
    bound = _bound(number, p, least, pairs, assumption)
    if bound == inf:
        raise TableError(
            f"threshold must be above 1/2, up to 1, where assumption={assumption!r}. "
            f"Got {threshold!r}."
        )
    return bound


def selection_threshold(
    *, q: float, p: int, bound: float, pairs: int = 50, assumption: Assumption = "unimodal"
) -> float:
    """The smallest threshold k/(2B) that keeps the bound on E[V] at or below the wanted one.

    Parameters
    ----------
    q, p, pairs, assumption : see :func:`false_selection_bound`
    bound : float
        The wanted one, above 0.

    Raises
    ------
    TableError
        A number out of its range; no such threshold.

    Examples
    --------
    >>> selection_threshold(q=10, p=100, bound=1.0)
    0.76
    """
    p, pairs = _check(p, pairs, assumption, bound)
    number, halves = _checked_number(q, p), range(1, 2 * pairs + 1)
    place = bisect_left(
        halves, True, key=lambda k: _bound(number, p, k, pairs, assumption) <= bound
    )
    if place == len(halves):
        smallest = _bound(number, p, 2 * pairs, pairs, assumption)
        raise TableError(
            f"no threshold keeps the bound at {bound:g} or below with q={q:g} of p={p} features: "
            f"it is {smallest:.4g} at threshold 1. Take a smaller q, or a larger bound."
        )
    return halves[place] / (2 * pairs)


def most_selected(
    *,
    p: int,
    threshold: float,
    bound: float,
    pairs: int = 50,
    assumption: Assumption = "unimodal",
) -> int:
    """The largest whole number q that keeps the bound on E[V] at or below the wanted one.

    Parameters
    ----------
    p, threshold, pairs, assumption : see :func:`false_selection_bound`
    bound : float
        The wanted one, above 0.

    Returns
    -------
    int
        In 1..p.

    Raises
    ------
    TableError
        A number out of its range; no such q.

    Examples
    --------
    >>> most_selected(p=1000, threshold=0.9, bound=1.0)
    48
    """
    p, pairs = _check(p, pairs, assumption, bound)
    least = halves_needed(threshold, pairs)
    most = bisect_left(
        range(1, p + 1),
        True,
        key=lambda q: _bound(Fraction(q), p, least, pairs, assumption) > bound,
    )
    if most == 0:
        smallest = _bound(Fraction(1), p, least, pairs, assumption)
        known = f"it is {smallest:.4g} at q=1" if smallest < inf else "there is none up to 1/2"
        raise TableError(
            f"no q keeps the bound at {bound:g} or below with threshold={threshold:g} and p={p}: "
            f"{known}. Take a higher threshold, or a larger bound."
        )
    return most


def halves_needed(threshold: float, pairs: int) -> int:
    """The smallest k of 1..2B with k/(2B) >= tau, a product within 1e-9 of a whole number being
    that.
    """
    if not is_number(threshold) or not 0 < threshold <= 1:
        raise TableError(f"threshold must be above 0, up to 1. Got {threshold!r}.")
    return max(1, ceil(2 * pairs * threshold - ROUNDING))


def r_concave_tail(mean: Fraction | float, least: int, most: int, r: float) -> float:
    """The largest P(X >= least) of an r-concave X on 0, 1, ..., most with this mean at the most.

    f is r-concave, r < 0, if f^r is convex. The largest tail is that of an f proportional to (a +
    i)^(1/r) for i = 0, ..., k, with no more at k + 1 than that would go on with, and the mean as
    given; a is between a_k, that of the mean without anything at k + 1, and a_(k+1). 1, an upper
    bound, for `least` up to ceil(2 mean), where it has another shape. The mean, above 0, is B eta
    in the words of the paper, exact as a Fraction. Shah & Samworth (2013), Appendix A.4 and
    Equation 17.
    """
    if least <= ceil(2 * mean):
        return 1.0
    middle, start = float(mean), ceil(2 * mean) + 1
    ends = _ends(middle, start, most, r)
    values = [_tail(ends[0], start, least, middle, r)]
    for k in range(max(start, least - 1), most):
        low, high = ends[k + 1 - start], ends[k - start]
        lowest = optimize.minimize_scalar(
            lambda log_a, k=k: -_tail(log_a, k, least, middle, r),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-9 * (high - low)},
        )
        values += [-lowest.fun, _tail(low, k, least, middle, r)]
    return min(1.0, max(values))


def _bound(q: Fraction, p: int, least: int, pairs: int, assumption: str) -> float:
    """The bound if `least` halves must select a feature; infinite where the theorem is silent."""
    theta, tau = q / int(p), Fraction(least, 2 * int(pairs))
    if assumption == "r-concave":
        by_pairs = r_concave_tail(theta**2 * pairs, least - pairs, pairs, PAIRS)
        return p * min(by_pairs, r_concave_tail(theta * 2 * pairs, least, 2 * pairs, HALVES))
    if 2 * tau <= 1:
        return inf
    factor = _unimodal_factor(theta, tau, pairs) if assumption == "unimodal" else None
    if factor is None:
        factor = 1 / (2 * tau - 1)
    return min(float(factor * q * theta), float(p))


def _unimodal_factor(theta: Fraction, tau: Fraction, pairs: int) -> Fraction | None:
    """C(tau, B) of Theorem 2, for the theta and tau that it is proved for; None for others."""
    half, step = Fraction(1, 2), Fraction(1, 2 * int(pairs))
    if 3 * theta**2 > 1 or tau < half + 2 * step:
        return None
    if tau > Fraction(3, 4):
        return 4 * (1 - tau + step) / (1 + 2 * step)
    if tau <= half + min(theta**2, step + Fraction(3, 4) * theta**2):
        return None
    return 1 / (2 * (2 * tau - 1 - step))


@lru_cache(maxsize=8)
def _ends(mean: float, start: int, most: int, r: float) -> tuple[float, ...]:
    """log a_k for k = start, ..., most, decreasing: (a + i)^(1/r) on 0..k has this mean."""
    ends = [FARTHEST]
    for k in range(start, most + 1):
        steps = np.arange(k + 1)

        def excess(log_a: float, steps: np.ndarray = steps) -> float:
            weights = (1 + steps * exp(-log_a)) ** (1 / r)
            return float(steps @ weights / weights.sum()) - mean

        ends.append(float(optimize.brentq(excess, -FARTHEST, ends[-1], xtol=1e-13)))
    return tuple(ends[1:])


def _tail(log_a: float, k: int, least: int, mean: float, r: float) -> float:
    """P(X >= least): (a + i)^(1/r) on 0..k, the rest at k + 1, so that the mean is as given."""
    steps = np.arange(k + 1)
    weights = (1 + steps * exp(-log_a)) ** (1 / r)
    beyond = float((mean - steps) @ weights) / (k + 1 - mean)
    return (float(weights[least:].sum()) + beyond) / (float(weights.sum()) + beyond)


def _check(p: float, pairs: float, assumption: str, bound: float = 1.0) -> tuple[int, int]:
    """p and B as whole numbers."""
    whole = whole_number("p", p, 1), whole_number("pairs", pairs, 1)
    if assumption not in ASSUMPTIONS:
        raise TableError(f"assumption must be one of {', '.join(ASSUMPTIONS)}. Got {assumption!r}.")
    if not is_number(bound) or not 0 < bound < inf:
        raise TableError(f"bound must be a number above 0. Got {bound!r}.")
    return whole


def _checked_number(q: float, p: int) -> Fraction:
    """q as an exact number."""
    if not is_number(q) or not 0 < q <= p:
        raise TableError(f"q must be above 0, up to p={p}. Got {q!r}.")
    return Fraction(float(q))
