"""Test and estimate means over resamplings, and choose the smallest size that is good enough.

Notation. K resamplings of one data set, each a split into training and test rows; x_1, ..., x_K
scores or differences of scores, m their mean, s^2 their variance with denominator K - 1; t the
quantile of Student's distribution with K - 1 degrees of freedom. The variance of the mean is v =
s^2 (1/K + r/(1 - r)), where r is the correlation of two scores, by one of three corrections:

"naive"
    r = 0, as if the K scores were independent. The interval covers the mean of more resamplings of
    the same rows.
"nadeau-bengio"
    r = n_test/n, so that v = s^2 (1/K + n_test/n_train). The training sets overlap, and more
    resamplings do not make more data. The interval is wider, however large K is.
"parted-pairs"
    r = 2 (n_test/n) (n_train/n), the proportion of pairs of rows that a split separates. If the
    labels are unrelated to the features, a score is a sum of y_i y_j k_ij over the separated pairs.
    Its terms are uncorrelated, and the correlation of two scores is the proportion of pairs that
    they have in common. This is exact for such sums; decisions, which are their signs, are less
    correlated. It is hetsel's own correction (decision 038).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, inf, sqrt
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from hetsel.ground import TableError, between_0_and_1, counted, is_number, whole_number
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import reaches, tie_rows
from hetsel.statistics.doors.score_tables import list_cells, read_numbers

Correction = Literal["naive", "nadeau-bengio", "parted-pairs"]
CORRECTIONS = get_args(Correction)
FEWEST = 2  # resamplings of even or of odd number


@dataclass(frozen=True)
class ResampledTest:
    """Hold the result of a paired resampled t-test.

    Parameters
    ----------
    mean, standard_error : float
        Mean difference m, and its standard error sqrt(v).
    statistic, df, pvalue : float
        t, K - 1, and the p-value.
    correction, test_share, alternative
        As in :func:`hetsel.stats.resampled_t_test`.

    See Also
    --------
    hetsel.stats.resampled_t_test

    Examples
    --------
    >>> result = resampled_t_test([0.02, 0.05, 0.03], test_share=0.1)
    >>> isinstance(result, ResampledTest), round(result.pvalue, 3)
    (True, 0.082)
    """

    mean: float
    standard_error: float
    statistic: float
    df: int
    pvalue: float
    correction: str
    test_share: float
    alternative: str

    def __str__(self) -> str:
        return (
            f"Paired resampled t-test ({self.correction}): mean difference {self.mean:.4g}, "
            f"t({self.df}) = {self.statistic:.3f}, p = {self.pvalue:.3g}"
        )


def resampled_t_test(
    differences: ArrayLike,
    *,
    test_share: float,
    correction: Correction = "nadeau-bengio",
    alternative: Literal["two-sided", "greater"] = "two-sided",
) -> ResampledTest:
    """Test whether two methods differ on one data set with a resampled t-test.

    The test uses the differences of the scores over K resamplings: t = m / sqrt(v), with K - 1
    degrees of freedom. If the differences have no spread, t is 0 for a mean difference of 0 and
    infinite otherwise, and p is 1 or 0. With `alternative="greater"`, p is then 1/2 for a mean
    difference of 0, 0 for a positive one and 1 for a negative one.

    Parameters
    ----------
    differences : array-like of shape (K,)
        Score of the first method minus score of the second, on the same split.
    test_share : float
        Proportion of the rows in the test set: 0.1 for 90/10 splits, where n_test/n_train = 1/9.
    correction : {"nadeau-bengio", "parted-pairs", "naive"}
        How the variance v of the mean is computed. With r for the correlation of two scores, v =
        s^2 (1/K + r/(1 - r)); r is n_test/n for "nadeau-bengio", 2 (n_test/n) (n_train/n) for
        "parted-pairs" and 0 for "naive".
    alternative : {"two-sided", "greater"}
        "greater" tests whether the mean is above 0.

    Returns
    -------
    ResampledTest

    Raises
    ------
    TableError
        If there are fewer than 2 differences, or a difference is missing.

    See Also
    --------
    hetsel.stats.resampled_interval : The confidence interval of a mean over resamplings.
    hetsel.stats.bayesian_t_test : The Bayesian counterpart.

    References
    ----------
    Nadeau & Bengio (2003) Machine Learning 52, 239-281.

    Examples
    --------
    >>> from hetsel.stats import resampled_t_test
    >>> for correction in ("naive", "nadeau-bengio"):
    ...     print(resampled_t_test([0.02, 0.05, 0.03], test_share=0.1, correction=correction))
    Paired resampled t-test (naive): mean difference 0.03333, t(2) = 3.780, p = 0.0634
    Paired resampled t-test (nadeau-bengio): mean difference 0.03333, t(2) = 3.273, p = 0.082
    """
    values = _checked(differences, 1, "differences must be one number per resampling")
    mean, error, power = _mean_and_error(values, test_share, correction)
    flat = copysign(inf, mean) if mean else 0.0
    statistic = mean / error if error > 0 else flat
    df = len(values) - 1
    if alternative not in ("two-sided", "greater"):
        raise TableError(f"alternative must be one of two-sided, greater. Got {alternative!r}")
    above = float(stats.t.sf(statistic, df))
    pvalue = above if alternative == "greater" else 2 * float(stats.t.sf(abs(statistic), df))
    share = float(test_share)
    mean, error = float(np.ldexp(mean, power)), float(np.ldexp(error, power))
    return ResampledTest(mean, error, statistic, df, pvalue, correction, share, alternative)


@dataclass(frozen=True)
class ResampledInterval:
    """Hold the confidence interval of a mean over resamplings.

    Parameters
    ----------
    mean, low, high : float
        The mean and the limits of its interval.
    level, correction, test_share
        As in :func:`hetsel.stats.resampled_interval`.
    n_resamplings : int
        Number of resamplings K.

    See Also
    --------
    hetsel.stats.resampled_interval

    Examples
    --------
    >>> result = resampled_interval([0.7, 0.8, 0.9, 0.8], test_share=0.1)
    >>> isinstance(result, ResampledInterval), result.n_resamplings
    (True, 4)
    """

    mean: float
    low: float
    high: float
    level: float
    correction: str
    test_share: float
    n_resamplings: int

    def __str__(self) -> str:
        return (
            f"{self.mean:.4g}, {100 * self.level:g}% CI {self.low:.4g} to {self.high:.4g} "
            f"({self.correction}, {self.n_resamplings} resamplings)"
        )


def resampled_interval(
    scores: ArrayLike,
    *,
    test_share: float,
    level: float = 0.95,
    correction: Correction = "nadeau-bengio",
) -> ResampledInterval:
    """Compute the confidence interval of a mean over K resamplings.

    The interval is m +- t sqrt(v), where t is the quantile of Student's distribution with K - 1
    degrees of freedom.

    Parameters
    ----------
    scores : array-like of shape (K,)
        One score per resampling.
    level : float
        Level of the interval, between 0 and 1.
    test_share, correction
        As in :func:`hetsel.stats.resampled_t_test`.

    Returns
    -------
    ResampledInterval

    Raises
    ------
    TableError
        If there are fewer than 2 scores, or a score is missing.

    See Also
    --------
    hetsel.stats.resampled_t_test : The test of a mean difference, with the same variance.

    References
    ----------
    Nadeau & Bengio (2003) Machine Learning 52, 239-281.

    Examples
    --------
    >>> from hetsel.stats import resampled_interval
    >>> print(resampled_interval([0.7, 0.8, 0.9, 0.8], test_share=0.1, correction="naive"))
    0.8, 95% CI 0.6701 to 0.9299 (naive, 4 resamplings)
    """
    values = _checked(scores, 1, "scores must be one number per resampling")
    mean, error, power = _mean_and_error(values, test_share, correction)
    mean, error = float(np.ldexp(mean, power)), float(np.ldexp(error, power))
    reach = error * float(_quantile(level, len(values)))
    return ResampledInterval(
        mean=mean,
        low=mean - reach,
        high=mean + reach,
        level=float(level),
        correction=correction,
        test_share=float(test_share),
        n_resamplings=len(values),
    )


@dataclass(frozen=True, eq=False)
class GoodSize:
    """Hold the smallest size that is about as good as the best size.

    Parameters
    ----------
    size, best_size : int
        The smallest size whose mean lies in the interval, and the size with the largest mean. Of
        tied sizes, the smaller is the best.
    interval : ResampledInterval
        Interval of the mean at the best size.
    sizes, means
        All sizes, ascending, and the mean score at each.

    See Also
    --------
    hetsel.stats.smallest_good_size

    Examples
    --------
    >>> scores = [[0.6, 0.7, 0.8], [0.5, 0.8, 0.8], [0.6, 0.8, 0.7]]
    >>> result = smallest_good_size(scores, [1, 2, 5], test_share=0.1)
    >>> isinstance(result, GoodSize), result.size
    (True, 2)
    """

    size: int
    best_size: int
    interval: ResampledInterval
    sizes: tuple[int, ...]
    means: Floats

    def frame(self) -> pd.DataFrame:
        """Return one row per size: the `mean`, and whether it is in the interval (`good`)."""
        columns = {"mean": self.means, "good": reaches(self.means, self.interval.low)}
        return pd.DataFrame(columns, index=pd.Index(self.sizes, name="size"))

    def __str__(self) -> str:
        mean = self.means[self.sizes.index(self.size)]
        return (
            f"Smallest good size: {counted(self.size, 'feature')}, mean {mean:.4g}\nBest size: "
            f"{counted(self.best_size, 'feature')}, mean {self.interval}"
        )


def smallest_good_size(
    scores: ArrayLike,
    sizes: Sequence[int],
    *,
    test_share: float,
    level: float = 0.95,
    correction: Correction = "naive",
) -> GoodSize:
    """Choose the smallest size whose mean score is in the interval of the best.

    The interval is the confidence interval of the mean at the size with the largest mean. Paul et
    al. (2015) choose one small size per data set in this way, by the balanced accuracy of RFE^MKL.
    They do not state how they computed the interval; the naive interval is the default here.
    "nadeau-bengio" widens it and therefore chooses smaller sizes.

    Parameters
    ----------
    scores : array-like of shape (K, number of sizes)
        Score of the reference method in each resampling at each size; larger is better.
    sizes : sequence of int
        The sizes in the order of the columns, each once.
    test_share, level, correction
        Options of the interval, see :func:`hetsel.stats.resampled_interval`.

    Returns
    -------
    GoodSize

    Raises
    ------
    TableError
        If there are fewer than 2 resamplings, a score is missing, or the sizes do not fit.

    See Also
    --------
    hetsel.stats.crossfitted_sizes : Score each resampling at a size that other resamplings choose.
    hetsel.choose_size : Other rules for the size of a signature.

    References
    ----------
    Paul, D'Ambrosio & Dupont (2015), section 5 (paul2015).

    Examples
    --------
    >>> from hetsel.stats import smallest_good_size
    >>> scores = [[0.6, 0.7, 0.8], [0.5, 0.8, 0.8], [0.6, 0.8, 0.7]]
    >>> print(smallest_good_size(scores, [1, 2, 5], test_share=0.1))
    Smallest good size: 2 features, mean 0.7667
    Best size: 2 features, mean 0.7667, 95% CI 0.6232 to 0.9101 (naive, 3 resamplings)
    """
    values = _checked(scores, 2, "scores must have one row per resampling, one column per size")
    sizes = [whole_number("sizes", size, 0) for size in list_cells(sizes, "sizes").tolist()]
    if len(sizes) != values.shape[1] or len(set(sizes)) != len(sizes) or not len(sizes):
        raise TableError(
            f"sizes must be {values.shape[1]} different numbers, one per column of scores. Got "
            f"{list(sizes)}"
        )
    ascending = np.argsort(sizes)
    values, ordered = values[:, ascending], tuple(int(sizes[j]) for j in ascending)
    means = values.mean(axis=0)
    best = int(np.argmax(reaches(means, float(means.max()))))
    interval = resampled_interval(
        values[:, best], test_share=test_share, level=level, correction=correction
    )
    smallest = int(np.argmax(reaches(means, interval.low)))
    return GoodSize(ordered[smallest], ordered[best], interval, ordered, means)


def half_widths(
    deviations: ArrayLike,
    counts: ArrayLike,
    test_share: ArrayLike | None = None,
    level: float = 0.95,
    correction: Correction = "nadeau-bengio",
) -> Floats:
    """Compute the half-widths t sqrt(v) (m,) of intervals of means of K scores; NaN for K below 2.

    `test_share` requests a correction, by default that of Nadeau and Bengio; None is the naive
    variance.
    """
    count = np.asarray(counts, dtype=np.float64)
    several = np.where(count > 1, count, 2.0)
    factor = 1 / several
    if test_share is not None:
        factor = _factor(several, test_share, correction)
    reach = _quantile(level, several) * np.sqrt(factor)
    return np.where(count > 1, reach * np.asarray(deviations, dtype=np.float64), np.nan)


def _mean_and_error(values: Floats, test_share: float, correction: str) -> tuple[float, float, int]:
    """Return m and sqrt(v) over a power of two, to keep squares finite, and its exponent."""
    if not is_number(test_share):
        raise TableError(f"test_share must be a number above 0 and below 1. Got {test_share!r:.60}")
    factor = float(_factor(len(values), test_share, correction))
    power = int(np.frexp(np.abs(values).max())[1])
    values = np.ldexp(values, -power)
    if np.ptp(tie_rows(values)) == 0:  # rounding moves a computed variance away from 0
        return float(values[0]), 0.0, power
    return float(values.mean()), sqrt(factor * float(values.var(ddof=1))), power


def _factor(counts: ArrayLike, test_share: ArrayLike, correction: str) -> Floats:
    """Return v / s^2 of K scores."""
    if correction not in CORRECTIONS:
        raise TableError(f"correction must be one of {', '.join(CORRECTIONS)}. Got {correction!r}")
    share = np.asarray(test_share, dtype=np.float64)
    if not ((share > 0) & (share < 1)).all():
        raise TableError(
            "test_share, the proportion of the rows in the test set, must be between 0 and 1. Got "
            f"{test_share!r}"
        )
    correlation = {
        "naive": np.zeros_like(share),
        "nadeau-bengio": share,
        "parted-pairs": 2 * share * (1 - share),
    }[correction]
    return 1 / np.asarray(counts, dtype=np.float64) + correlation / (1 - correlation)


def _quantile(level: float, counts: ArrayLike) -> Floats:
    level = between_0_and_1("level", level)
    return np.asarray(stats.t.isf((1 - level) / 2, np.asarray(counts) - 1))


def _checked(values: ArrayLike, ndim: int, expected: str) -> Floats:
    array = read_numbers(values, ndim, expected, "resampling")
    if len(array) < 2:
        raise TableError(f"2 resamplings or more are needed. Got {len(array)}")
    return array


def crossfitted_sizes(
    scores: ArrayLike,
    sizes: Sequence[int],
    numbers: ArrayLike | None = None,
    *,
    test_share: float,
    level: float = 0.95,
    correction: Correction = "naive",
) -> NDArray[np.int64]:
    """Choose the size at which to score each resampling by other resamplings.

    The resamplings of even number choose the size at which those of odd number are scored, and the
    reverse. Each choice is that of :func:`hetsel.stats.smallest_good_size`. This removes the
    optimism that chance in the splits adds to a mean at the size where it is largest. It does not
    remove what the table itself favors, since both choices share its rows. A method whose own curve
    chooses the size for all methods keeps an advantage (decision 039).

    Parameters
    ----------
    scores, sizes, test_share, level, correction
        As in :func:`hetsel.stats.smallest_good_size`; scores of one method, or means over several.
    numbers : array-like of int of shape (K,), optional
        Number of each resampling; 0, 1, ... by default.

    Returns
    -------
    ndarray of int of shape (K,)
        The size at which to score each resampling.

    Raises
    ------
    TableError
        If fewer than 2 resamplings have an even or an odd number, a score is missing, or the sizes
        do not fit.

    See Also
    --------
    hetsel.stats.smallest_good_size : The choice by all resamplings.

    References
    ----------
    Stone (1974) Journal of the Royal Statistical Society B 36, 111-147 (choice and assessment);
    Varma & Simon (2006) BMC Bioinformatics 7, 91 (the bias if the same data serve both).

    Examples
    --------
    >>> from hetsel.stats import crossfitted_sizes
    >>> scores = [[0.5, 0.8, 0.8], [0.5, 0.7, 0.9], [0.5, 0.8, 0.8], [0.5, 0.7, 0.9]]
    >>> crossfitted_sizes(scores, [1, 2, 5], test_share=0.1)
    array([5, 2, 5, 2])
    """
    values = read_numbers(
        scores, 2, "scores must have one row per resampling, one column per size", "resampling"
    )
    given = range(len(values)) if numbers is None else list_cells(numbers, "numbers").tolist()
    places = np.array([whole_number("numbers", number, 0) for number in given])
    if places.shape != (len(values),):
        raise TableError(
            f"numbers must have one number per row of scores. Got {places.size} for {len(values)} "
            "rows"
        )
    even = places % 2 == 0
    found = np.empty(len(values), dtype=np.int64)
    for half in (even, ~even):
        if half.sum() < FEWEST:
            raise TableError(
                f"{FEWEST} resamplings of even number and {FEWEST} of odd number are needed. Got "
                f"{int(even.sum())} and {int((~even).sum())}"
            )
        good = smallest_good_size(
            values[half], sizes, test_share=test_share, level=level, correction=correction
        )
        found[~half] = good.size
    return found
