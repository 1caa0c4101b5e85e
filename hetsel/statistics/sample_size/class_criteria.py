"""Rows to develop a model of classes or of survival times: the criteria of Riley and colleagues.

Notation. P candidate parameters, all that a selection may choose from; R^2 that of Cox and Snell,
max R^2 its largest value; S the shrinkage of the effects that overfitting asks for.

These criteria look at a regression by maximum likelihood with all P parameters in it: Riley et al.
(2019) Statistics in Medicine 38, 1276-1296; Riley et al. (2020) BMJ 368, m441.
"""

from collections.abc import Sequence
from itertools import combinations
from math import ceil, exp, log

from scipy.stats import chi2

from hetsel.statistics.sample_size.shrunken_effects import largest_r2, largest_survival_r2

Z = 1.96  # of a 95 % interval, as the papers round it


def rows_for_shrinkage(parameters: int, r2: float, shrinkage: float) -> float:
    """n by which the effects need this shrinkage S > R^2: P / ((S - 1) log(1 - R^2 / S)).

    Riley et al. (2019), equation 11.

    >>> ceil(rows_for_shrinkage(24, 0.288, 0.9))
    623
    """
    return parameters / ((shrinkage - 1) * log(1 - r2 / shrinkage))


def shrinkage_of_optimism(r2: float, most: float, optimism: float) -> float:
    """S by which the apparent Nagelkerke R^2 is this much too large: R^2 / (R^2 + d max R^2).

    >>> round(shrinkage_of_optimism(0.288, 0.603, 0.05), 3)
    0.905
    """
    return r2 / (r2 + optimism * most)


def rows_for_two_classes(
    parameters: int,
    r2: float,
    prevalence: float,
    *,
    shrinkage: float = 0.9,
    optimism: float = 0.05,
    margin: float = 0.05,
) -> dict[str, int]:
    """Rows that each criterion asks for, for a model of two classes; those of pmsampsize.

    "shrinkage": :func:`rows_for_shrinkage`; "optimism": the same with the S of
    :func:`shrinkage_of_optimism`; "overall risk": (1.96 / margin)^2 phi (1 - phi), phi the
    prevalence.

    >>> rows_for_two_classes(24, 0.288, 0.174)
    {'shrinkage': 623, 'optimism': 662, 'overall risk': 221}
    """
    most = largest_r2([prevalence, 1 - prevalence])
    return {
        **_overfitting(parameters, r2, most, shrinkage, optimism),
        "overall risk": ceil((Z / margin) ** 2 * (prevalence * (1 - prevalence))),
    }


def rows_for_survival(
    parameters: int,
    r2: float,
    event_rate: float,
    follow_up: float,
    horizon: float,
    *,
    shrinkage: float = 0.9,
    optimism: float = 0.05,
    margin: float = 0.05,
) -> dict[str, int]:
    """Rows that each criterion asks for, for a model of survival times.

    "shrinkage" and "optimism" as for two classes. "overall risk": with r events in a unit of time,
    followed for T units in all, the upper end of the risk 1 - exp(-r t) at the horizon t is within
    the margin: T = r (1.96 t / log(1 - margin exp(r t)))^2, over the mean time of a row. pmsampsize
    prints that interval and asks for no rows by it.

    >>> rows_for_survival(30, 0.051, 0.065, 2.07, 2)
    {'shrinkage': 5143, 'optimism': 1039, 'overall risk': 141}
    """
    most = largest_survival_r2(event_rate, follow_up)
    share = margin * exp(event_rate * horizon)  # of those without the event
    time = event_rate * (Z * horizon / log(1 - share)) ** 2 if share < 1 else 0.0
    return {
        **_overfitting(parameters, r2, most, shrinkage, optimism),
        "overall risk": max(1, ceil(time / follow_up)),
    }


def rows_for_more_classes(
    parameters: int,
    pair_r2: Sequence[float],
    r2: float,
    shares: Sequence[float],
    *,
    shrinkage: float = 0.9,
    optimism: float = 0.05,
    margin: float = 0.05,
) -> dict[str, int]:
    """Rows that each criterion asks for, for a multinomial model of K classes with shares phi_k.

    "shrinkage": for the two-class model of each pair of classes, over the share of the rows that
    these have, the largest; "optimism": K - 1 times the rows of P parameters with R^2 of all;
    "overall risk": chi^2_1(1 - 0.05 / K) phi_k (1 - phi_k) / margin^2, the largest. P is that of
    each of the K - 1 equations, `pair_r2` in the order (1, 2), (1, 3), ..., (2, 3), ...

    Reference: Pate et al. (2023) Statistical Methods in Medical Research 32, 555-571.

    >>> rows_for_more_classes(17, [0.108, 0.101, 0.111], 0.1, [1 / 6, 1 / 3, 1 / 2])
    {'shrinkage': 2660, 'optimism': 727, 'overall risk': 574}
    """
    most, k = largest_r2(shares), len(shares)
    among = zip(combinations(range(k), 2), pair_r2, strict=True)
    each = (
        ceil(rows_for_shrinkage(parameters, of_pair, shrinkage)) / (shares[i] + shares[j])
        for (i, j), of_pair in among
    )
    needed = rows_for_shrinkage(parameters, r2, shrinkage_of_optimism(r2, most, optimism))
    quantile = float(chi2.ppf(1 - 0.05 / k, 1))
    return {
        "shrinkage": ceil(max(each)),
        "optimism": ceil((k - 1) * needed),
        "overall risk": ceil(max(quantile * p * (1 - p) / margin**2 for p in shares)),
    }


def _overfitting(
    parameters: int, r2: float, most: float, shrinkage: float, optimism: float
) -> dict[str, int]:
    small = shrinkage_of_optimism(r2, most, optimism)
    return {
        "shrinkage": ceil(rows_for_shrinkage(parameters, r2, shrinkage)),
        "optimism": ceil(rows_for_shrinkage(parameters, r2, small)),
    }
