"""Rows to develop a model of numbers: the criteria of Riley and colleagues for linear models.

Notation. P candidate parameters, R^2 the adjusted one that is anticipated, n rows.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, t

from hetsel.statistics.sample_size.power_law import fewest_rows


def linear_shrinkage(
    rows: NDArray[np.float64] | np.float64, parameters: int, r2: float
) -> NDArray[np.float64]:
    """The shrinkage that the effects need with n rows.

    S = 1 + (P - 2) / (n log(1 - R^2_app)), R^2_app = (R^2 (n - P - 1) + P) / (n - 1).

    Parameters
    ----------
    rows : ndarray
        n, above P + 1.
    parameters : int
    r2 : float

    References
    ----------
    Riley et al. (2019) Statistics in Medicine 38, 1262-1275; Copas (1983) Journal of the Royal
    Statistical Society B 45, 311-354.

    Examples
    --------
    >>> linear_shrinkage(np.array([918.0]), 25, 0.2).round(3)
    array([0.9])
    """
    apparent = (r2 * (rows - parameters - 1) + parameters) / (rows - 1)
    return np.asarray(1 + (parameters - 2) / (rows * np.log(1 - apparent)))


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
    """Rows that each criterion asks for, for a model of numbers.

    "shrinkage": the fewest n with :func:`linear_shrinkage` of at least S; "optimism": 1 + P
    (1 - R^2) / d; "residual deviation": its interval is within the ratio, sqrt(df /
    chi^2_df(0.025)) <= ratio with df = n - P - 1; "mean": so is that of the mean, 1 +
    t_df(0.975) sd sqrt((1 - R^2) / n) / |mean| <= ratio, where mean and deviation are known.

    pmsampsize for R 1.1.3 asks for one row more than the others do by the last one, whatever it
    takes: its loop has the sign of the quantile wrong.

    Parameters
    ----------
    parameters : int
    r2 : float
        Adjusted.
    mean, deviation : float, optional
        Of the numbers.
    shrinkage, optimism, ratio : float

    Returns
    -------
    dict of str to int

    References
    ----------
    Riley et al. (2020) BMJ 368, m441; Riley et al. (2019) Statistics in Medicine 38, 1262-1275.

    Examples
    --------
    >>> rows_for_numbers(25, 0.2, 1.9, 0.6)
    {'shrinkage': 918, 'optimism': 401, 'residual deviation': 259, 'mean': 38}
    """
    found = {
        "shrinkage": fewest_rows(
            lambda n: bool(linear_shrinkage(np.float64(n), parameters, r2) >= shrinkage),
            parameters + 2,
        ),
        "optimism": ceil(1 + parameters * (1 - r2) / optimism),
        "residual deviation": parameters
        + 1
        + fewest_rows(lambda df: bool(np.sqrt(df / chi2.ppf(0.025, df)) <= ratio)),
    }
    if mean is not None and deviation is not None:
        spread = deviation * np.sqrt(1 - r2) / abs(mean)

        def within(df: int) -> bool:
            rows = df + parameters + 1
            return bool(1 + t.ppf(0.975, df) * spread / np.sqrt(rows) <= ratio)

        found["mean"] = parameters + 1 + fewest_rows(within)
    return found
