"""Bound the expected number of features that stability selection selects falsely.

Notation. A method selects q of p features, on average, in each of 2B half-samples; theta = q/p. The
selection frequency of a feature is the proportion of half-samples that select it, a multiple of
1/(2B). The features whose frequency is tau or more are kept. V is the number of kept features that
are false selections.

E[V] is bounded under one of four assumptions:

"meinshausen-buehlmann"
    q^2 / ((2 tau - 1) p), tau in (1/2, 1]. V counts the noise features. They are exchangeable, and
    the method selects no worse than by chance (Meinshausen & Buehlmann, Theorem 1).
"none"
    The same number without these assumptions, for complementary pairs of half-samples. Here and
    below, V counts the features that one half-sample selects with probability theta at most (Shah &
    Samworth, Theorem 1 with theta = q/p).
"unimodal"
    C(tau, B) q^2 / p. The proportion of pairs in which both half-samples select a feature has a
    unimodal distribution (Theorem 2). C = 1 / (2 (2 tau - 1 - 1/(2B))) up to tau = 3/4, and 4 (1 -
    tau + 1/(2B)) / (1 + 1/B) above. This holds for theta <= 1/sqrt(3), tau >= 1/2 + 1/B and tau
    above 1/2 + min(theta^2, 1/(2B) + 3/4 theta^2); for other theta and tau it is the number of
    "none".
"r-concave"
    p min(D(theta^2, 2 tau - 1, B, -1/2), D(theta, tau, 2B, -1/4)), where D(eta, t, N, r) is the
    largest P(X >= t) of an X on 0, 1/N, ..., 1 whose distribution is r-concave and whose mean is at
    most eta. The proportions of pairs are -1/2-concave, the frequencies -1/4-concave (Equation 8).
    tau may be 1/2 or less, but there plain noise violates the assumption (decision 043, which also
    states where R's `stabs` departs from the papers).

No bound exceeds p here, though the formulas of the first three can. {frequency >= tau} is the same
set for all tau between two multiples of 1/(2B), so tau is rounded up to the next multiple.

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
PAIRS, HALVES = -1 / 2, -1 / 4  # r of the proportions of pairs, and of the frequencies
ROUNDING = 1e-9  # multiples of a threshold this close to a whole number count as that number
FARTHEST = 100.0  # limit of log a, where the distribution is flat, or a point at 0, to all digits


def false_selection_bound(
    *, q: float, p: int, threshold: float, pairs: int = 50, assumption: Assumption = "unimodal"
) -> float:
    """Bound the expected number of false selections of stability selection.

    E[V] <= q^2 / ((2 tau - 1) p) under "none" and "meinshausen-buehlmann"; "unimodal" and
    "r-concave" give sharper bounds. A method selects q of p features on average in each of 2B
    half-samples. The features with selection frequency tau or more are kept, and V is the number of
    false selections among them.

    Parameters
    ----------
    q : float
        Mean number of features that are selected in a half-sample, in (0, p].
    p : int
        Number of features.
    threshold : float
        Threshold tau: features with this selection frequency or more are kept. Above 1/2 and at
        most 1; with "r-concave" above 0 and at most 1.
    pairs : int
        Number B of complementary pairs of half-samples; any 2B half-samples for
        "meinshausen-buehlmann".
    assumption : {"unimodal", "r-concave", "none", "meinshausen-buehlmann"}
        "unimodal": the proportion of pairs in which both half-samples select a feature is unimodal.
        "r-concave": its distribution is r-concave. "none": no assumption on the distribution.
        "meinshausen-buehlmann": noise features are exchangeable, and the method selects no worse
        than by chance.

    Returns
    -------
    float
        Upper bound on E[V], at most p.

    Raises
    ------
    TableError
        If a number is out of its range.

    See Also
    --------
    hetsel.stability.selection_threshold : The threshold for a given bound.
    hetsel.stability.most_selected : The number of selected features for a given bound.

    References
    ----------
    Meinshausen & Buehlmann (2010) Journal of the Royal Statistical Society B 72, 417-473, Theorem
    1; Shah & Samworth (2013) Journal of the Royal Statistical Society B 75, 55-80, Theorems 1 and
    2, Equation 8.

    Examples
    --------
    >>> from hetsel.stability import false_selection_bound
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
            f"threshold must be above 1/2 and at most 1 if assumption={assumption!r}. Got "
            f"{threshold!r}"
        )
    return bound


def selection_threshold(
    *, q: float, p: int, bound: float, pairs: int = 50, assumption: Assumption = "unimodal"
) -> float:
    """Compute the smallest selection threshold under a bound on false selections.

    The threshold is the smallest k/(2B) at which the bound on E[V] is at most `bound`.

    Parameters
    ----------
    q, p, pairs, assumption
        As in :func:`hetsel.stability.false_selection_bound`.
    bound : float
        Largest acceptable E[V], above 0.

    Returns
    -------
    float
        The threshold tau, a multiple of 1/(2B).

    Raises
    ------
    TableError
        If a number is out of its range, or no threshold reaches the bound.

    See Also
    --------
    hetsel.stability.false_selection_bound : The bound for a given threshold.

    References
    ----------
    Shah & Samworth (2013) Journal of the Royal Statistical Society B 75, 55-80.

    Examples
    --------
    >>> from hetsel.stability import selection_threshold
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
            f"no threshold keeps the bound at {bound:g} or below with q={q:g} of p={p} features. "
            f"The bound is {smallest:.4g} at threshold 1. Choose a smaller q, or a larger bound"
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
    """Compute the most features to select under a bound on false selections.

    The result is the largest whole q at which the bound on E[V] is at most `bound`.

    Parameters
    ----------
    p, threshold, pairs, assumption
        As in :func:`hetsel.stability.false_selection_bound`.
    bound : float
        Largest acceptable E[V], above 0.

    Returns
    -------
    int
        In 1..p.

    Raises
    ------
    TableError
        If a number is out of its range, or no q reaches the bound.

    See Also
    --------
    hetsel.stability.false_selection_bound : The bound for a given q.

    References
    ----------
    Shah & Samworth (2013) Journal of the Royal Statistical Society B 75, 55-80.

    Examples
    --------
    >>> from hetsel.stability import most_selected
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
        known = "no threshold up to 1/2 has a bound"
        if smallest < inf:
            known = f"the bound is {smallest:.4g} at q=1"
        raise TableError(
            f"no q keeps the bound at {bound:g} or below with threshold={threshold:g} and p={p}, "
            f"since {known}. Choose a higher threshold, or a larger bound"
        )
    return most


def halves_needed(threshold: float, pairs: int) -> int:
    """Return the smallest k of 1..2B with k/(2B) >= tau, up to rounding by 1e-9."""
    if not is_number(threshold) or not 0 < threshold <= 1:
        raise TableError(f"threshold must be above 0 and at most 1. Got {threshold!r}")
    return max(1, ceil(2 * pairs * threshold - ROUNDING))


def r_concave_tail(mean: Fraction | float, least: int, most: int, r: float) -> float:
    """Compute the largest P(X >= least) of an r-concave X on 0, 1, ..., most, mean at most `mean`.

    f is r-concave, r < 0, if f^r is convex. The largest tail belongs to an f proportional to (a +
    i)^(1/r) for i = 0, ..., k, with at most the continuation of that at k + 1, and with the given
    mean. a lies between a_k, which gives the mean without mass at k + 1, and a_(k+1). For `least`
    up to ceil(2 mean), where f has another shape, the upper bound 1 is returned. The mean, above 0,
    is B eta in the paper, exact as a Fraction. Shah & Samworth (2013), Appendix A.4 and Equation
    17.
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
    """Return the bound if `least` half-samples must select; infinite outside of the theorem."""
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
    """Return C(tau, B) of Theorem 2 for the theta and tau that it covers; None for others."""
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
    """Return log a_k for k = start, ..., most, decreasing: (a + i)^(1/r) on 0..k has this mean."""
    ends = [FARTHEST]
    for k in range(start, most + 1):
        steps = np.arange(k + 1)

        def excess(log_a: float, steps: np.ndarray = steps) -> float:
            weights = (1 + steps * exp(-log_a)) ** (1 / r)
            return float(steps @ weights / weights.sum()) - mean

        ends.append(float(optimize.brentq(excess, -FARTHEST, ends[-1], xtol=1e-13)))
    return tuple(ends[1:])


def _tail(log_a: float, k: int, least: int, mean: float, r: float) -> float:
    """Return P(X >= least) of (a + i)^(1/r) on 0..k with the rest at k + 1, at the given mean."""
    steps = np.arange(k + 1)
    weights = (1 + steps * exp(-log_a)) ** (1 / r)
    beyond = float((mean - steps) @ weights) / (k + 1 - mean)
    return (float(weights[least:].sum()) + beyond) / (float(weights.sum()) + beyond)


def _check(p: float, pairs: float, assumption: str, bound: float = 1.0) -> tuple[int, int]:
    """Return p and B as whole numbers."""
    whole = whole_number("p", p, 1), whole_number("pairs", pairs, 1)
    if assumption not in ASSUMPTIONS:
        raise TableError(f"assumption must be one of {', '.join(ASSUMPTIONS)}. Got {assumption!r}")
    if not is_number(bound) or not 0 < bound < inf:
        raise TableError(f"bound must be a number above 0. Got {bound!r}")
    return whole


def _checked_number(q: float, p: int) -> Fraction:
    """Return q as an exact number."""
    if not is_number(q) or not 0 < q <= p:
        raise TableError(f"q must be above 0 and at most p={p}. Got {q!r}")
    return Fraction(float(q))
