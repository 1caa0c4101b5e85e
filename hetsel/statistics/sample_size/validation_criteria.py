"""Rows to validate a model of two classes on new rows: the criteria of Riley and colleagues.

Notation. phi the share of the rows with the event, C the area under the ROC curve, w the wanted
width of a 95 % interval.
"""

from math import asinh, ceil, log, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtri
from scipy.stats import chi2, t

from hetsel.statistics.sample_size.class_criteria import Z
from hetsel.statistics.sample_size.power_law import fewest_rows
from hetsel.statistics.sample_size.shrunken_effects import FAR


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


# Rows to develop a model of numbers: the criteria of Riley and colleagues for linear models.


def linear_shrinkage(rows: int, parameters: int, r2: float) -> float:
    """The shrinkage that the effects need with n > P + 1 rows.

    S = 1 + (P - 2) / (n log(1 - R^2_app)), R^2_app = (R^2 (n - P - 1) + P) / (n - 1): Riley et al.
    (2019) Statistics in Medicine 38, 1262-1275; Copas (1983) Journal of the Royal Statistical
    Society B 45, 311-354.
    """
    apparent = (r2 * (rows - parameters - 1) + parameters) / (rows - 1)
    return float(1 + (parameters - 2) / (rows * np.log(1 - apparent)))


def rows_for_numbers(
    parameters: int,
    r2: float,
    mean: float | None = None,
    deviation: float | None = None,
    *,
    shrinkage: float = 0.9,
    optimism: float = 0.05,
    ratio: float = 1.1,
) -> dict[str, int]:
    """Rows that each criterion asks for, for a model of numbers with this adjusted R^2.

    "shrinkage": the fewest n with :func:`linear_shrinkage` of at least S; "optimism": 1 + P (1 -
    R^2) / d; "residual deviation": its interval is within the ratio, sqrt(df / chi^2_df(0.025)) <=
    ratio with df = n - P - 1; "mean": so is that of the mean, 1 + t_df(0.975) sd sqrt((1 - R^2) /
    n) / |mean| <= ratio, where mean and deviation are known.

    pmsampsize for R 1.1.3 asks for one row more than the others do by the last one, whatever it
    takes: its loop has the sign of the quantile wrong.

    Reference: Riley et al. (2020) BMJ 368, m441.

    >>> rows_for_numbers(25, 0.2, 1.9, 0.6)
    {'shrinkage': 918, 'optimism': 401, 'residual deviation': 259, 'mean': 38}
    """
    beyond = parameters + 1  # rows that leave no degree of freedom
    needed = {
        "shrinkage": fewest_rows(
            lambda n: linear_shrinkage(n, parameters, r2) >= shrinkage, parameters + 2
        ),
        "optimism": ceil(1 + parameters * (1 - r2) / optimism),
        "residual deviation": beyond
        + fewest_rows(lambda df: bool(np.sqrt(df / chi2.ppf(0.025, df)) <= ratio)),
    }
    if mean is not None and deviation is not None:
        spread = deviation * np.sqrt(1 - r2) / abs(mean)

        def within(df: int) -> bool:
            return bool(1 + t.ppf(0.975, df) * spread / np.sqrt(df + beyond) <= ratio)

        needed["mean"] = beyond + fewest_rows(within)
    return needed
