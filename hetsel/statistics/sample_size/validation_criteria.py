"""Rows to validate a model of two classes on new rows: the criteria of Riley and colleagues.

Notation. phi the share of the rows with the event, C the area under the ROC curve, w the wanted
width of a 95 % interval.
"""

from math import asinh, ceil, log, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtri

from hetsel.statistics.sample_size.development_criteria import FAR, Z
from hetsel.statistics.sample_size.power_law import fewest_rows


def rows_for_observed_over_expected(prevalence: float, width: float) -> int:
    """n by which the interval of observed over expected events, 1 of them, has this width.

    n = (1 - phi) / (phi SE^2) with the SE of log(O/E) by which exp(1.96 SE) - exp(-1.96 SE) = w.
    pmvalsampsize takes the SE up to the next multiple of 0.0001, and so a row less or two.
    """
    error = asinh(width / 2) / Z
    return ceil((1 - prevalence) / (prevalence * error**2))


def rows_for_slope_by_c(prevalence: float, c_statistic: float, width: float) -> int:
    """n by which the interval of the calibration slope has this width, where the model is right.

    SE^2 = I_00 / (n (I_00 I_11 - I_01^2)), I_jk = E[x^(j + k) p (1 - p)] with p = 1 / (1 +
    exp(-x)), the linear predictor x normal in both classes, with the variance v = 2 Phi^-1(C)^2;
    where the model is right the means are logit(phi) - v / 2 without the event and logit(phi) + v /
    2 with it. pmvalsampsize finds the first by trial, and draws a million x; here the expectations
    are integrated.

    Reference: Riley et al. (2021) Statistics in Medicine 40, 4230-4251.

    Examples
    --------
    >>> rows_for_slope_by_c(0.1, 0.8, 0.2)
    4196
    """
    variance = 2 * float(ndtri(c_statistic)) ** 2
    middle, deviation = log(prevalence / (1 - prevalence)), sqrt(variance)

    def expected(mean: float, power: int) -> float:
        def content(z: float) -> float:
            x = mean + deviation * z
            p = float(expit(x))
            return float(x**power * p * (1 - p) * np.exp(-(z**2) / 2))

        return float(quad(content, -FAR, FAR, limit=200, epsabs=1e-13)[0])

    def mixed(power: int) -> float:
        without = (1 - prevalence) * expected(middle - variance / 2, power)
        return (without + prevalence * expected(middle + variance / 2, power)) / sqrt(2 * np.pi)

    i00, i01, i11 = mixed(0), mixed(1), mixed(2)
    error = width / (2 * Z)
    return ceil(i00 / (error**2 * (i00 * i11 - i01**2)))


def rows_for_c_statistic(prevalence: float, c_statistic: float, width: float) -> int:
    """n by which the interval of the C statistic has this width, by Newcombe's variance.

    Var = C (1 - C) (1 + (n/2 - 1) (1 - C) / (2 - C) + (n/2 - 1) C / (1 + C)) / (n^2 phi (1 - phi)).

    References: Newcombe (2006) Statistics in Medicine 25, 559-573; Riley et al. (2021).
    """
    c = c_statistic

    def narrow(n: int) -> bool:
        half = n / 2 - 1
        above = c * (1 - c) * (1 + half * ((1 - c) / (2 - c)) + half * c / (1 + c))
        variance = above / (n * n * prevalence * (1 - prevalence))
        return 2 * Z * sqrt(max(0.0, variance)) <= width

    return fewest_rows(narrow, 2)
