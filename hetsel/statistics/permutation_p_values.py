"""Compute p-values of permutation tests with permutations drawn at random.

Notation. m permutations are drawn with replacement, and b of them reach the observed statistic.
There are N distinct permutations, the observed one included, all equally likely under the null
hypothesis; F(b; m, u) is P(at most b of m draws succeed) if each succeeds with probability u.

scipy's `permutation_test` does not account for N; the exact value is that of R's `statmod::permp`.
"""

from collections.abc import Sequence
from functools import cache
from math import ceil
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, betainccinv

from hetsel.ground import TableError, whole_number
from hetsel.statistics.doors.score_tables import floats_of, list_cells

MOST_TERMS = 200_000  # terms of the sum; with more, the integral is as good as exact
NEGLIGIBLE = 1e-18  # terms below this proportion of the first are left out


@overload
def permutation_pvalue(exceedances: int, permutations: int, total: int | None = None) -> float: ...
@overload
def permutation_pvalue(
    exceedances: ArrayLike, permutations: int, total: int | None = None
) -> float | NDArray[np.float64]: ...
def permutation_pvalue(
    exceedances: ArrayLike, permutations: int, total: int | None = None
) -> float | NDArray[np.float64]:
    """Compute the p-value of a permutation test with randomly drawn permutations.

    The p-value is never 0. Of m drawn permutations, b reach the observed statistic; N is the number
    of distinct permutations, the observed one included. If N is not known,

    p = (b + 1)/(m + 1), which is too large by about 1/(2N). The exact value is

    p = mean over k = 1, ..., N of F(b; m, k/N),

    where F(b; m, u) is the probability of at most b successes in m draws with probability u. If
    that sum is long and its terms change slowly,

    p = (b + 1)/(m + 1) - integral from 0 to 1/(2N) of F(b; m, u) du.

    The paper uses the integral for N above 10,000, whatever m is. If m is as large as N, the
    integral is off by 5%: for b = 0, m = 100,000 and N = 92,378 it is 5.82e-6, and the sum is
    5.55e-6. This function computes the sum over the terms that matter, and the integral if there
    are more than 200,000 of them. The two then differ by a relative error of less than 1e-8.

    Parameters
    ----------
    exceedances : int or array-like of int
        b, from 0 to m: permutations whose statistic is at least as large as the observed one.
    permutations : int
        m, drawn with replacement; the observed one is not added.
    total : int, optional
        N, the number of distinct permutations that may differ in the statistic, the observed one
        included.

    Returns
    -------
    float, or ndarray of the shape of `exceedances`

    Raises
    ------
    TableError
        If a number is not whole or out of its range, or if `total` is 1 and there are fewer
        exceedances than draws.

    See Also
    --------
    hetsel.stats.sequential_pvalue : The p-value if drawing stops early.

    References
    ----------
    Phipson & Smyth (2010) Statistical Applications in Genetics and Molecular Biology 9(1), 39,
    Equation 2 and the approximation that follows it.

    Examples
    --------
    >>> from hetsel.stats import permutation_pvalue
    >>> round(permutation_pvalue(5, 99), 6), round(permutation_pvalue(5, 99, total=462), 6)
    (0.06, 0.058918)
    """
    m = whole_number("permutations", permutations, 1)
    cells = (
        np.asarray(exceedances)
        if np.ndim(exceedances) > 1
        else list_cells(exceedances, "exceedances")
    )
    counts, no_number = floats_of(cells)
    flags = cells.dtype.kind == "b" or no_number.any()
    if flags or not ((counts >= 0) & (counts <= m) & (counts == np.floor(counts))).all():
        raise TableError(
            f"exceedances must be whole numbers from 0 to permutations={m}. Got {exceedances!r:.80}"
        )
    if total is None:
        values = (counts + 1) / (m + 1)
    else:
        n = whole_number("total", total, 1)
        if n == 1 and (counts < m).any():
            raise TableError(
                "total must be 2 or larger if there are fewer exceedances than permutations. Got 1"
            )
        different, places = np.unique(counts, return_inverse=True)
        each = np.array([_exact(int(b), m, n) for b in different], dtype=np.float64)
        values = each[places].reshape(counts.shape)
    return float(values) if counts.ndim == 0 else values


def sequential_pvalue(exceedances: int, permutations: int, *, enough: int, most: int) -> float:
    """Compute the p-value of a permutation test that stops drawing early.

    p = b/m if drawing stopped at the b-th exceedance, b = `enough`; p = (b + 1)/(m + 1) if drawing
    continued to the last of m = `most` draws. P(p <= value) is the value itself for each possible
    value of p, ties aside, as with a fixed m. Uninformative features need few draws.

    Parameters
    ----------
    exceedances, permutations : int
        b and m when drawing stopped.
    enough : int
        Number of exceedances that stops drawing, 1 or more.
    most : int
        Number of draws that stops drawing, `enough` or more.

    Returns
    -------
    float

    Raises
    ------
    TableError
        If a number is not whole or out of its range, or if neither reason stopped the drawing.

    See Also
    --------
    hetsel.stats.permutation_pvalue : The p-value of a fixed number of permutations.

    References
    ----------
    Besag & Clifford (1991) Biometrika 78, 301-304, with n = `most` + 1 and h = `enough`.

    Examples
    --------
    >>> from hetsel.stats import sequential_pvalue
    >>> sequential_pvalue(10, 25, enough=10, most=999)
    0.4
    >>> sequential_pvalue(4, 999, enough=10, most=999)
    0.005
    """
    enough, b = whole_number("enough", enough, 1), whole_number("exceedances", exceedances, 0)
    most, m = whole_number("most", most, enough), whole_number("permutations", permutations, 1)
    if b == enough and b <= m <= most:
        return b / m
    if b < enough and b <= m == most:
        return (b + 1) / (m + 1)
    raise TableError(
        f"drawing must end with {enough} exceedances, or with fewer after {most} permutations. Got "
        f"{b} exceedances of {m} permutations"
    )


class EndOfDrawing(NamedTuple):
    """Drawing ends after m permutations if few or many of them reach the observed statistic."""

    permutations: int  # m
    fewest: int  # this many or fewer end it; -1 ends nothing
    most: int  # this many or more end it


def stopped_pvalue(exceedances: int, permutations: int, *, ends: Sequence[EndOfDrawing]) -> float:
    """Compute the p-value of permutations whose drawing ended with few or with many exceedances.

    It is P, under the null hypothesis, that drawing ends with a proportion (b + 1)/(m + 1) that is
    no larger. All numbers of m permutations are equally likely then, and the next permutation
    exceeds with probability (b + 1)/(m + 2). The ends ascend; at the last one drawing ends whatever
    b is. Besag & Clifford (1991) Biometrika 78, 301-304, with ends on both sides.
    """
    b, m = (
        whole_number("exceedances", exceedances, 0),
        whole_number("permutations", permutations, 1),
    )
    shares = _shares_of_ends(tuple(ends))
    if (m, b) not in shares:
        raise TableError(f"drawing does not end with {b} exceedances of {m} permutations")
    return sum(share for (n, a), share in shares.items() if (a + 1) * (m + 1) <= (b + 1) * (n + 1))


@cache
def _shares_of_ends(ends: tuple[EndOfDrawing, ...]) -> dict[tuple[int, int], float]:
    """Return the probability under the null hypothesis of each end (m, b) of drawing."""
    ended: dict[tuple[int, int], float] = {}
    going, done = np.ones(1), 0
    low, high = 0, 0  # what b can be
    for place, (m, fewest, most) in enumerate(ends):
        for drawn in range(done, m):
            reaching = going * np.arange(1, len(going) + 1) / (drawn + 2)
            going = np.append(going - reaching, 0.0) + np.append(0.0, reaching)
        high += m - done
        done, b = m, np.arange(len(going))
        over = (b <= fewest) | (b >= most) | (place + 1 == len(ends))
        ended |= {(m, k): float(going[k]) for k in range(low, high + 1) if over[k]}
        going = np.where(over, 0.0, going)
        low, high = max(low, fewest + 1), min(high, most - 1)
    return ended


def _exact(b: int, m: int, n: int) -> float:
    """Return the mean of F(b; m, k/n) over k = 1, ..., n."""
    if b == m:
        return 1.0
    first = float(betaincc(b + 1, m - b, 1 / n))
    reach = float(betainccinv(b + 1, m - b, NEGLIGIBLE * first))
    last = min(n, ceil(n * reach))
    if last <= MOST_TERMS:
        steps = np.arange(1, last + 1) / n
        return float(betaincc(b + 1, m - b, steps).sum()) / n
    half = 0.5 / n
    # by parts: half F(half), and the mean of a beta(b + 1, m - b) variable where it is below half
    below = (b + 1) / (m + 1) * float(betainc(b + 2, m - b, half))
    return (b + 1) / (m + 1) - half * float(betaincc(b + 1, m - b, half)) - below
