"""Rows to validate a model of two classes on new rows: the criteria of Riley and colleagues.

Notation. phi the share of the rows with the event, C the area under the ROC curve, w the wanted
width of a 95 % interval.
"""

from math import asinh, ceil, log, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtri

from hetsel.statistics.sample_size.class_criteria import Z
from hetsel.statistics.sample_size.power_law import fewest_rows

FAR = 12.0  # standard deviations beyond which a normal density adds nothing to a double


def rows_for_observed_over_expected(prevalence: float, width: float, ratio: float = 1.0) -> int:
    """n by which the interval of observed over expected events has this width.

    n = (1 - phi) / (phi SE^2) with the SE of log(O/E) by which O/E (exp(1.96 SE) - exp(-1.96 SE)) =
    w. pmvalsampsize takes the SE up to the next multiple of 0.0001, and so a row less or two.

    Examples
    --------
    >>> rows_for_observed_over_expected(0.018, 1.0)
    906
    """
    error = asinh(width / (2 * ratio)) / Z
    return ceil((1 - prevalence) / (prevalence * error**2))


def rows_for_slope(mean: float, deviation: float, width: float) -> int:
    """n by which the interval of the calibration slope has this width, where the model is right.

    SE^2 = I_00 / (n (I_00 I_11 - I_01^2)), I_jk = E[x^(j + k) p (1 - p)] with p = 1 / (1 +
    exp(-x)), the linear predictor x normal. pmvalsampsize draws a million x; here the expectations
    are integrated.

    Parameters
    ----------
    mean, deviation : float
        Of the linear predictor in all rows.
    width : float

    References
    ----------
    Riley et al. (2021) Statistics in Medicine 40, 4230-4251.

    Examples
    --------
    >>> rows_for_slope(-1.0, 1.0, 0.2)
    3013
    """
    return _slope_rows(((1.0, mean, deviation),), width)


def rows_for_slope_by_c(prevalence: float, c_statistic: float, width: float) -> int:
    """:func:`rows_for_slope` of a linear predictor that is normal in both classes.

    Both have the variance v = 2 Phi^-1(C)^2; where the model is right the means are logit(phi) - v
    / 2 without the event and logit(phi) + v / 2 with it. pmvalsampsize finds the first by trial.

    Examples
    --------
    >>> rows_for_slope_by_c(0.1, 0.8, 0.2)
    4196
    """
    variance = 2 * float(ndtri(c_statistic)) ** 2
    middle, spread = log(prevalence / (1 - prevalence)), sqrt(variance)
    without = (1 - prevalence, middle - variance / 2, spread)
    return _slope_rows((without, (prevalence, middle + variance / 2, spread)), width)


def _slope_rows(parts: tuple[tuple[float, float, float], ...], width: float) -> int:
    """Of a linear predictor that is a mixture of normals: weight, mean and deviation of each."""

    def expected(power: int) -> float:
        total = 0.0
        for weight, mean, deviation in parts:

            def content(z: float, mean: float = mean, deviation: float = deviation) -> float:
                x = mean + deviation * z
                p = float(expit(x))
                return float(x**power * p * (1 - p) * np.exp(-(z**2) / 2))

            total += weight * quad(content, -FAR, FAR, limit=200, epsabs=1e-13)[0]
        return total / sqrt(2 * np.pi)

    i00, i01, i11 = (expected(power) for power in range(3))
    error = width / (2 * Z)
    return ceil(i00 / (error**2 * (i00 * i11 - i01**2)))


def rows_for_c_statistic(prevalence: float, c_statistic: float, width: float) -> int:
    """n by which the interval of the C statistic has this width, by Newcombe's variance.

    Var = C (1 - C) (1 + (n/2 - 1) (1 - C) / (2 - C) + (n/2 - 1) C / (1 + C)) / (n^2 phi (1 - phi)).

    References
    ----------
    Newcombe (2006) Statistics in Medicine 25, 559-573; Riley et al. (2021).

    Examples
    --------
    >>> rows_for_c_statistic(0.018, 0.8, 0.1)
    4252
    """
    c = c_statistic

    def narrow(n: int) -> bool:
        half = n / 2 - 1
        above = c * (1 - c) * (1 + half * ((1 - c) / (2 - c)) + half * c / (1 + c))
        variance = above / (n * n * prevalence * (1 - prevalence))
        return 2 * Z * sqrt(max(0.0, variance)) <= width

    return fewest_rows(narrow, 2)
