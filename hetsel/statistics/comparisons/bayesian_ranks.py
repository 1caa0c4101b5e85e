"""Compare two methods with Bayesian tests, over data sets or over resamplings of one data set.

Notation as in :mod:`hetsel.statistics.comparisons.corrections`. The differences z_1, ..., z_n, one
per data set, have a Dirichlet process prior of strength s. The prior acts like s further
differences at z_0, which lies in the region of practical equivalence by default. The posterior
weights w = (w_1, ..., w_n, w_0) follow a Dirichlet distribution with parameters (1, ..., 1, s).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, special, stats

from hetsel.ground import TableError, counted, is_number, not_negative, whole_number
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import exceeds, tie_rows
from hetsel.statistics.comparisons import corrections, resampled_means
from hetsel.statistics.doors.score_tables import read_numbers

SIGNED_RANKS, SIGNS = "Bayesian signed-rank test", "Bayesian sign test"
STRENGTH = 0.5  # strength of the prior of the signed-rank test in Benavoli et al. (2017)
DRAWS = 50_000
BATCH = 10_000  # draws per batch; a constant, so that the available memory changes no draw


@dataclass(frozen=True)
class BayesianRankTest:
    """Hold the posterior comparison of two methods over data sets.

    Parameters
    ----------
    test : str
        Name of the test.
    n : int
        Number of differences.
    left, equivalent, right : float
        Probabilities that a difference most probably lies below, in and above the region of
        practical equivalence, [-rope, rope].
    rope, prior_strength, prior_place, draws
        As in :func:`hetsel.stats.bayesian_signed_rank_test`. `draws` is 0 if the probabilities were
        integrated.
    standard_errors : (float, float, float)
        Monte Carlo standard errors of the three probabilities. Each is the standard deviation of
        the Beta posterior of a proportion, with a uniform prior and c of N draws. It is never 0,
        even if all draws agree.

    See Also
    --------
    hetsel.stats.bayesian_signed_rank_test, hetsel.stats.bayesian_sign_test

    Examples
    --------
    >>> result = bayesian_sign_test([0.03, 0.02, 0.04, -0.005, 0.015, 0.02])
    >>> isinstance(result, BayesianRankTest), round(result.right, 3)
    (True, 0.891)
    """

    test: str
    n: int
    left: float
    equivalent: float
    right: float
    rope: float
    prior_strength: float
    prior_place: float
    draws: int = 0
    standard_errors: tuple[float, ...] = (0.0, 0.0, 0.0)

    def __str__(self) -> str:
        answer = corrections.three_probabilities(self.left, self.equivalent, self.right, self.rope)
        error = f"\nLargest standard error with {self.draws} draws: {max(self.standard_errors):.2g}"
        return (
            f"{self.test}: {counted(self.n, 'difference')}, prior of strength "
            f"{self.prior_strength:g} at "
            f"{self.prior_place:g}\n{answer}{error if self.draws else ''}"
        )


def bayesian_signed_rank_test(
    differences: ArrayLike,
    *,
    rope: float = corrections.ROPE,
    prior_strength: float = STRENGTH,
    prior_place: float = 0.0,
    draws: int = DRAWS,
    seed: int = 0,
) -> BayesianRankTest:
    """Compare two methods over data sets with the Bayesian signed-rank test.

    This is the Bayesian counterpart of Wilcoxon's signed-rank test. It reports how probable it is
    that the first method is worse, practically equivalent or better. Over i, j = 0, ..., n,

    right = sum_ij w_i w_j I(z_i + z_j > 2 rope), left = sum_ij w_i w_j I(z_i + z_j < -2 rope),

    and the middle is the remainder. Each probability is the proportion of drawn weights in which
    that part is the largest.

    Parameters
    ----------
    differences : array-like of shape (n,)
        Score of the first method minus score of the second, one number per data set.
    rope : float
        Differences up to this size are practically zero, in the unit of the scores. With 0, only
        equal scores are equivalent.
    prior_strength : float
        Prior strength s; 0 is the Bayesian bootstrap.
    prior_place : float
        Prior place z_0. A value in the region of practical equivalence is the cautious choice.
    draws : int
        Number of weight vectors to draw.
    seed : int
        Seed of the draws.

    Returns
    -------
    BayesianRankTest

    Raises
    ------
    TableError
        If there is no difference, a difference is missing, or an option is out of its range.

    See Also
    --------
    hetsel.stats.bayesian_sign_test : The same by the signs of the differences alone.
    hetsel.stats.bayesian_t_test : Two methods on one data set.

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon & Ruggeri (2014) Proceedings of Machine Learning Research
    32(2), 1026-1034; the region of practical equivalence: Benavoli, Corani, Demsar & Zaffalon
    (2017) Journal of Machine Learning Research 18(77).

    Examples
    --------
    >>> from hetsel.stats import bayesian_signed_rank_test
    >>> print(bayesian_signed_rank_test([0.03, 0.02, 0.04, -0.005, 0.015, 0.02]))
    Bayesian signed-rank test: 6 differences, prior of strength 0.5 at 0
    P(below -0.01) = 0, P(within 0.01) = 0.116, P(above 0.01) = 0.884
    Largest standard error with 50000 draws: 0.0014
    """
    options = {"rope": rope, "prior_strength": prior_strength, "prior_place": prior_place}
    return bayesian_signed_rank_tests([differences], **options, draws=draws, seed=seed)[0]


def bayesian_signed_rank_tests(
    several: Sequence[ArrayLike],
    *,
    rope: float = corrections.ROPE,
    prior_strength: float = STRENGTH,
    prior_place: float = 0.0,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[BayesianRankTest]:
    """Test several pairs of methods, each as if alone, with one set of drawn weights.

    The weights belong to the ascending differences, seen from one of the two methods. So the order
    of the data sets changes nothing, and exchanging the methods exchanges left and right.
    """
    draws, seed = whole_number("draws", draws, 1), whole_number("seed", seed, 0)
    pairs = [_checked(differences, rope, prior_strength, prior_place) for differences in several]
    wins = np.zeros((len(pairs), 3))
    for n in sorted({len(values) for values in pairs}):
        alike = [k for k, values in enumerate(pairs) if len(values) == n]
        seen = [_from_one_side(pairs[k], prior_place) for k in alike]
        counts = _wins([places for places, _ in seen], rope, prior_strength, draws, seed)
        for k, count, (_, side) in zip(alike, counts, seen, strict=True):
            wins[k] = count if side > 0 else count[::-1] if side < 0 else (count + count[::-1]) / 2
    tests = []
    for values, count in zip(pairs, wins, strict=True):
        left, equivalent, right = (count / draws).tolist()
        errors = tuple(stats.beta.std(count + 1, draws - count + 1).tolist())
        prior = float(prior_strength), float(prior_place)
        test = BayesianRankTest(
            SIGNED_RANKS, len(values), left, equivalent, right, float(rope), *prior, draws, errors
        )
        tests.append(test)
    return tests


def _from_one_side(values: Floats, prior_place: float) -> tuple[Floats, int]:
    """Return the ascending differences with the prior's place, seen from one method, and its sign.

    The sign is 1, -1, or 0 if both methods see the same.
    """
    places = np.append(np.sort(values), prior_place)
    turned = np.append(np.sort(-values), -prior_place)
    ours, theirs = tie_rows(np.append(places, turned)).reshape(2, -1).tolist()
    if ours == theirs:
        return places, 0
    return (places, 1) if ours > theirs else (turned, -1)


def _wins(
    rows: Sequence[Floats], rope: float, strength: float, draws: int, seed: int
) -> NDArray[np.int64]:
    """Count how often each of the three masses is the largest, for each row of places."""
    rng = np.random.default_rng(seed)
    wins = np.zeros((len(rows), 3), dtype=np.int64)
    n = len(rows[0]) - 1
    for start in range(0, draws, BATCH):
        number = min(BATCH, draws - start)
        prior = rng.standard_gamma(strength, (number, 1))
        # no division by the sum: the largest of the three masses stays the largest
        weights = np.hstack([rng.standard_exponential((number, n)), prior])
        for k, places in enumerate(rows):
            largest = walsh_masses(weights, places, rope).argmax(axis=1)
            wins[k] += np.bincount(largest, minlength=3)
    return wins


def bayesian_sign_test(
    differences: ArrayLike,
    *,
    rope: float = corrections.ROPE,
    prior_strength: float = 1.0,
    prior_place: float = 0.0,
) -> BayesianRankTest:
    """Compare two methods over data sets with the Bayesian sign test.

    The test uses the signs of the differences alone. The proportions of differences below, in and
    above the region of practical equivalence have a Dirichlet posterior. Its parameters are their
    counts, plus s where z_0 lies. The first proportion is the largest with probability integral
    F_b(q_a(u)) F_c(q_a(u)) du over 0..1, where F and q are the distribution function and the
    quantile function of the gamma distribution. The integral is computed numerically, without
    draws.

    Parameters
    ----------
    differences, rope, prior_strength, prior_place
        As in :func:`hetsel.stats.bayesian_signed_rank_test`.

    Returns
    -------
    BayesianRankTest

    Raises
    ------
    TableError
        If there is no difference, a difference is missing, or an option is out of its range.

    See Also
    --------
    hetsel.stats.bayesian_signed_rank_test : The same by signed ranks, with more power.

    References
    ----------
    Benavoli, Corani, Demsar & Zaffalon (2017) Journal of Machine Learning Research 18(77).

    Examples
    --------
    >>> from hetsel.stats import bayesian_sign_test
    >>> print(bayesian_sign_test([0.03, 0.02, 0.04, -0.005, 0.015, 0.02]))
    Bayesian sign test: 6 differences, prior of strength 1 at 0
    P(below -0.01) = 0, P(within 0.01) = 0.109, P(above 0.01) = 0.891
    """
    values = _checked(differences, rope, prior_strength, prior_place)
    places = np.append(values, prior_place)
    side = np.where(exceeds(places, rope), 2, np.where(exceeds(-places, rope), 0, 1))
    counts = np.bincount(side, np.append(np.ones(len(values)), prior_strength), minlength=3)
    left, equivalent, right = (_largest(*np.roll(counts, -place)) for place in range(3))
    prior = float(prior_strength), float(prior_place)
    return BayesianRankTest(SIGNS, len(values), left, equivalent, right, float(rope), *prior)


def walsh_masses(weights: Floats, places: Floats, rope: float) -> Floats:
    """Compute the masses (draws, 3) sum_ij w_i w_j of pairs, with i = j, for weights (draws, m).

    The three masses are those of pairs whose mean lies below, in and above the region of practical
    equivalence.
    """
    sums = np.add.outer(places, places)
    size = np.maximum.outer(np.abs(places), np.abs(places))
    left, right = (
        np.einsum("ij,ij->i", weights @ beyond.astype(np.float64), weights)
        for beyond in (exceeds(-sums, 2 * rope, size), exceeds(sums, 2 * rope, size))
    )
    total = weights.sum(axis=1) ** 2
    return np.stack([left, total - left - right, right], axis=1)


def _largest(shape: float, *others: float) -> float:
    """Compute P(the first of three gamma variables is the largest); 0 for shape 0."""
    if shape == 0:
        return 0.0
    shapes = [other for other in others if other > 0]

    def below(u: float) -> float:
        return float(np.prod([special.gammainc(b, special.gammaincinv(shape, u)) for b in shapes]))

    return float(integrate.quad(below, 0, 1, epsabs=1e-10, epsrel=1e-10, limit=200)[0])


def _checked(differences: ArrayLike, rope: float, strength: float, place: float) -> Floats:
    corrections.check_rope(rope)
    not_negative("prior_strength", strength)
    if not is_number(place) or not isfinite(place):
        raise TableError(f"prior_place must be a number. Got {place!r}")
    values = read_numbers(differences, 1, "differences must be one number per data set", "place")
    if not len(values):
        raise TableError(
            "differences must be one number per data set, at least one. Got shape (0,)"
        )
    return values


@dataclass(frozen=True)
class BayesianTTest:
    """Hold the posterior of the mean difference of two methods on one data set.

    Parameters
    ----------
    mean, scale : float
        Location and scale of the Student distribution; `scale` is 0 if the differences have no
        spread.
    df : int
        Degrees of freedom, K - 1.
    left, equivalent, right : float
        Probabilities that the mean difference lies below, in and above [-rope, rope].
    rope, correction, test_share
        As in :func:`hetsel.stats.bayesian_t_test`.

    See Also
    --------
    hetsel.stats.bayesian_t_test

    Examples
    --------
    >>> result = bayesian_t_test([0.02, 0.05, 0.03], test_share=0.1)
    >>> isinstance(result, BayesianTTest), result.df
    (True, 2)
    """

    mean: float
    scale: float
    df: int
    left: float
    equivalent: float
    right: float
    rope: float
    correction: str
    test_share: float

    def __str__(self) -> str:
        answer = corrections.three_probabilities(self.left, self.equivalent, self.right, self.rope)
        return (
            f"Bayesian correlated t-test ({self.correction}): mean difference {self.mean:.4g}\n"
            f"{answer}"
        )


def bayesian_t_test(
    differences: ArrayLike,
    *,
    test_share: float,
    rope: float = corrections.ROPE,
    correction: resampled_means.Correction = "nadeau-bengio",
) -> BayesianTTest:
    """Compare two methods on one data set with the Bayesian correlated t-test.

    The test uses the differences of the scores over K resamplings. The posterior of the mean
    difference is Student's distribution with K - 1 degrees of freedom, location m and scale^2 =
    (1/K + rho/(1 - rho)) s^2, where rho is the correlation of two differences. The prior is
    1/variance.

    Parameters
    ----------
    differences, test_share, correction
        As in :func:`hetsel.stats.resampled_t_test`. The default correction is that of the paper.
    rope : float
        Differences up to this size are practically zero, in the unit of the scores.

    Returns
    -------
    BayesianTTest

    Raises
    ------
    TableError
        If there are fewer than 2 differences, a difference is missing, or `rope` is negative.

    See Also
    --------
    hetsel.stats.resampled_t_test : The frequentist counterpart.
    hetsel.stats.bayesian_signed_rank_test : Two methods over several data sets.

    References
    ----------
    Corani & Benavoli (2015) Machine Learning 100, 285-304.

    Examples
    --------
    >>> from hetsel.stats import bayesian_t_test
    >>> print(bayesian_t_test([0.02, 0.05, 0.03], test_share=0.1))
    Bayesian correlated t-test (nadeau-bengio): mean difference 0.03333
    P(below -0.01) = 0.0255, P(within 0.01) = 0.049, P(above 0.01) = 0.925
    """
    corrections.check_rope(rope)
    test = resampled_means.resampled_t_test(
        differences, test_share=test_share, correction=correction
    )
    mean, scale = test.mean, test.standard_error
    if scale > 0:
        left = float(special.stdtr(test.df, (-rope - mean) / scale))
        right = float(special.stdtr(test.df, (mean - rope) / scale))
    else:
        beyond = bool(exceeds([abs(mean)], rope)[0])
        left, right = float(beyond and mean < 0), float(beyond and mean > 0)
    middle = max(0.0, 1.0 - (left + right))
    return BayesianTTest(
        mean, scale, test.df, left, middle, right, float(rope), correction, float(test_share)
    )
