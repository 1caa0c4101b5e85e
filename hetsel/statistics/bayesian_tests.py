"""Bayesian comparison of two methods: how probably one is better, or both are as good as equal.

Notation. z_1, ..., z_n differences of two methods' scores, that of the first minus that of the
second: over the resamplings of one data set in the t-test, over data sets in the other two. The
region of practical equivalence is [-rope, rope], its ends included: what differs by no more is as
good as equal. Three probabilities, which add up to 1: the second method is better (left), the two
are equivalent, the first is better (right). No p-value says the one in the middle.

Over data sets the differences have a Dirichlet process as prior, of strength s: s more differences
at a place z_0, in the region of practical equivalence unless told otherwise. Its posterior gives
the differences weights w = (w_0, w_1, ..., w_n) of a Dirichlet distribution with parameters
(s, 1, ..., 1). Differences that are at an end of the region up to rounding lie in it (`rounding`).

References: Corani & Benavoli (2015) Machine Learning 100, 285-304; Benavoli, Mangili, Corani,
Zaffalon & Ruggeri (2014) Proceedings of Machine Learning Research 32(2), 1026-1034; Benavoli,
Corani, Demsar & Zaffalon (2017) Journal of Machine Learning Research 18(77).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, special, stats

from hetsel.statistics.resampled import Correction, resampled_t_test
from hetsel.statistics.rounding import reaches, rounded

Floats = NDArray[np.float64]
Three = tuple[float, float, float]

ROPE = 0.01  # the 1 % of Benavoli et al. (2017), for scores between 0 and 1
BATCH = 10_000  # draws at once: a number of its own, so that memory changes no draw


@dataclass(frozen=True)
class BayesianTTest:
    """Posterior of the mean difference of two methods on one data set.

    Parameters
    ----------
    mean, scale : float
        Place and scale of its Student distribution; scale 0 where the differences have no spread.
    df : int
        Degrees of freedom, K - 1.
    left, equivalent, right : float
        Probabilities that the mean difference is below, in and above the region of practical
        equivalence.
    rope : float
        The region is [-rope, rope].
    correction : str
        "naive", "nadeau-bengio" or "parted-pairs".
    test_share : float
        Share of the rows that were in the test set.
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
        return (
            f"Bayesian correlated t-test ({self.correction}): mean difference {self.mean:.4g}\n"
            f"{_probabilities(self)}"
        )


def bayesian_t_test(
    differences: ArrayLike,
    *,
    test_share: float,
    rope: float = ROPE,
    correction: Correction = "nadeau-bengio",
) -> BayesianTTest:
    """How probably two methods differ on one data set, by their differences over K resamplings.

    The posterior of the mean difference is Student's distribution with K - 1 degrees of freedom,
    place m and scale^2 = (1/K + rho/(1 - rho)) s^2, with rho for the correlation of two
    differences: the correlated t-test, whose prior is 1/variance.

    Parameters
    ----------
    differences : array-like, shape (K,)
        Score of one method minus score of the other on the same split.
    test_share : float
        Share of the rows that were in the test set: 0.1 for 90/10 splits and 10-fold
        cross-validation.
    rope : float
        Differences up to this one are practically none, on the scale of the scores.
    correction : {"nadeau-bengio", "parted-pairs", "naive"}
        rho; see :mod:`hetsel.statistics.resampled`. The first is that of the paper.

    Returns
    -------
    BayesianTTest

    Raises
    ------
    ValueError
        If there are fewer than 2 differences, one is missing, or the rope is negative.

    References
    ----------
    Corani & Benavoli (2015) Machine Learning 100, 285-304.

    Examples
    --------
    >>> print(bayesian_t_test([0.02, 0.05, 0.03], test_share=0.1))
    Bayesian correlated t-test (nadeau-bengio): mean difference 0.03333
    P(below -0.01) = 0.0255, P(within 0.01) = 0.049, P(above 0.01) = 0.925
    """
    _check_rope(rope)
    test = resampled_t_test(differences, test_share=test_share, correction=correction)
    mean, scale = test.mean, test.standard_error
    if scale > 0:
        left = float(stats.t.cdf((-rope - mean) / scale, test.df))
        right = float(stats.t.sf((rope - mean) / scale, test.df))
    else:
        beyond = not reaches([rope], abs(mean))[0]
        left, right = float(beyond and mean < 0), float(beyond and mean > 0)
    return BayesianTTest(
        mean=mean,
        scale=scale,
        df=test.df,
        left=left,
        equivalent=max(0.0, 1.0 - left - right),
        right=right,
        rope=float(rope),
        correction=correction,
        test_share=float(test_share),
    )


@dataclass(frozen=True)
class BayesianRankTest:
    """Posterior comparison of two methods over data sets.

    Parameters
    ----------
    test : str
        Name of the test.
    n : int
        Number of differences.
    left, equivalent, right : float
        Probabilities that a difference most probably lies below, in and above the region of
        practical equivalence.
    rope : float
        The region is [-rope, rope].
    prior_strength, prior_place : float
        s and z_0.
    draws : int
        Weights that were drawn; 0 where the probabilities were integrated.
    standard_errors : (float, float, float)
        Of the three probabilities, by the drawing: the standard deviation of the Beta distribution
        that c of N draws leave from a uniform one. Never 0, also where all draws agree.
    """

    test: str
    n: int
    left: float
    equivalent: float
    right: float
    rope: float
    prior_strength: float
    prior_place: float
    draws: int
    standard_errors: Three

    def __str__(self) -> str:
        error = f"\nStandard error of {self.draws} draws: {max(self.standard_errors):.2g} at most"
        return (
            f"{self.test}: {self.n} differences, prior of strength {self.prior_strength:g} at "
            f"{self.prior_place:g}\n{_probabilities(self)}{error if self.draws else ''}"
        )


def bayesian_signed_rank_test(
    differences: ArrayLike,
    *,
    rope: float = ROPE,
    prior_strength: float = 0.5,
    prior_place: float = 0.0,
    draws: int = 50_000,
    seed: int = 0,
) -> BayesianRankTest:
    """How probably two methods differ over data sets: the Bayesian counterpart of Wilcoxon's test.

    right = sum_ij w_i w_j I(z_i + z_j > 2 rope), left = sum_ij w_i w_j I(z_i + z_j < -2 rope), over
    i, j = 0, ..., n, and the rest lies in the middle; each of the three is answered by the share of
    the drawn weights where it is the largest.

    Parameters
    ----------
    differences : array-like, shape (n,)
        Score of one method minus score of the other, one for each data set.
    rope : float
        Differences up to this one are practically none, on the scale of the scores. 0: only equal
        scores are.
    prior_strength : float
        s; 0 is the Bayesian bootstrap.
    prior_place : float
        z_0; in the region of practical equivalence it is the cautious choice.
    draws : int
        Number of weights that are drawn.
    seed : int
        What they are drawn by.

    Returns
    -------
    BayesianRankTest

    Raises
    ------
    ValueError
        If there is no difference, one is missing, or an option is out of its range.

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon & Ruggeri (2014) Proceedings of Machine Learning Research
    32(2), 1026-1034; the region of practical equivalence: Benavoli, Corani, Demsar & Zaffalon
    (2017) Journal of Machine Learning Research 18(77).

    Examples
    --------
    >>> print(bayesian_signed_rank_test([0.03, 0.02, 0.04, -0.005, 0.015, 0.02]))
    Bayesian signed-rank test: 6 differences, prior of strength 0.5 at 0
    P(below -0.01) = 0, P(within 0.01) = 0.118, P(above 0.01) = 0.882
    Standard error of 50000 draws: 0.0014 at most
    """
    values = _checked(differences, rope, prior_strength, prior_place)
    if draws < 1:
        raise ValueError(f"draws must be 1 or more. Got {draws}.")
    places = np.append(values, prior_place)
    order = np.argsort(places, kind="stable")
    rng = np.random.default_rng(seed)
    wins = np.zeros(3, dtype=np.int64)
    for start in range(0, draws, BATCH):
        several = min(BATCH, draws - start)
        prior = rng.standard_gamma(prior_strength, (several, 1))
        weights = np.hstack([rng.standard_exponential((several, len(values))), prior])
        # not divided by their sum: the largest of the three stays the largest
        masses = walsh_masses(weights[:, order], places[order], rope)
        wins += np.bincount(masses.argmax(axis=1), minlength=3)
    left, equivalent, right = (wins / draws).tolist()
    errors = stats.beta.std(wins + 1, draws - wins + 1)
    return BayesianRankTest(
        test="Bayesian signed-rank test",
        n=len(values),
        left=left,
        equivalent=equivalent,
        right=right,
        rope=float(rope),
        prior_strength=float(prior_strength),
        prior_place=float(prior_place),
        draws=int(draws),
        standard_errors=(float(errors[0]), float(errors[1]), float(errors[2])),
    )


def bayesian_sign_test(
    differences: ArrayLike,
    *,
    rope: float = ROPE,
    prior_strength: float = 1.0,
    prior_place: float = 0.0,
) -> BayesianRankTest:
    """How probably two methods differ over data sets, by the signs of their differences alone.

    The shares of differences below, in and above the region of practical equivalence have a
    Dirichlet distribution with their numbers as parameters, s more where z_0 lies. With F and q for
    distribution and quantiles of the gamma distribution, the first is the largest with probability
    integral F_b(q_a(u)) F_c(q_a(u)) du over 0..1: integrated, not drawn.

    Parameters
    ----------
    differences : array-like, shape (n,)
        Score of one method minus score of the other, one for each data set.
    rope : float
        Differences up to this one are practically none, on the scale of the scores.
    prior_strength, prior_place : float
        s and z_0.

    Returns
    -------
    BayesianRankTest

    Raises
    ------
    ValueError
        If there is no difference, one is missing, or an option is out of its range.

    References
    ----------
    Benavoli, Corani, Demsar & Zaffalon (2017) Journal of Machine Learning Research 18(77).

    Examples
    --------
    >>> print(bayesian_sign_test([0.03, 0.02, 0.04, -0.005, 0.015, 0.02]))
    Bayesian sign test: 6 differences, prior of strength 1 at 0
    P(below -0.01) = 0, P(within 0.01) = 0.109, P(above 0.01) = 0.891
    """
    values = _checked(differences, rope, prior_strength, prior_place)
    places = np.append(values, prior_place)
    grid = rounded(np.append(places, rope))
    side = np.where(grid[:-1] > grid[-1], 2, np.where(grid[:-1] < -grid[-1], 0, 1))
    counts = np.bincount(side, np.append(np.ones(len(values)), prior_strength), minlength=3)
    left, equivalent, right = (_largest(*np.roll(counts, -place)) for place in range(3))
    return BayesianRankTest(
        test="Bayesian sign test",
        n=len(values),
        left=left,
        equivalent=equivalent,
        right=right,
        rope=float(rope),
        prior_strength=float(prior_strength),
        prior_place=float(prior_place),
        draws=0,
        standard_errors=(0.0, 0.0, 0.0),
    )


def walsh_masses(weights: Floats, places: Floats, rope: float) -> Floats:
    """Weight of the pairs whose mean lies below, in and above the region of practical equivalence.

    sum_ij w_i w_j over the pairs (i, j), i = j among them, by running sums: of ascending places,
    those far enough from one of them stand together at one end.

    Parameters
    ----------
    weights : array, shape (draws, m)
    places : array, shape (m,)
        Ascending.
    rope : float

    Returns
    -------
    array, shape (draws, 3)
        They add up to the square of the sum of the weights.

    Examples
    --------
    >>> walsh_masses(np.array([[1.0, 2.0]]), np.array([-0.02, 0.03]), 0.01)
    array([[1., 4., 4.]])
    """
    sums = np.add.outer(places, places)
    grid = rounded(np.append(sums.ravel(), 2 * rope))
    below = (grid[:-1] < -grid[-1]).reshape(sums.shape).sum(axis=1)
    above = (grid[:-1] > grid[-1]).reshape(sums.shape).sum(axis=1)
    running = np.pad(np.cumsum(weights, axis=1), ((0, 0), (1, 0)))
    total = running[:, -1:]
    left = (weights * running[:, below]).sum(axis=1)
    right = (weights * (total - running[:, len(places) - above])).sum(axis=1)
    return np.stack([left, total[:, 0] ** 2 - left - right, right], axis=1)


def _largest(one: float, *others: float) -> float:
    """Probability that the first of three gamma variables is the largest; of shape 0 it is 0."""
    if one == 0:
        return 0.0
    shapes = [other for other in others if other > 0]

    def below(u: float) -> float:
        return float(np.prod([special.gammainc(b, special.gammaincinv(one, u)) for b in shapes]))

    return float(integrate.quad(below, 0, 1, epsabs=1e-10, epsrel=1e-10, limit=200)[0])


def _probabilities(found: BayesianTTest | BayesianRankTest) -> str:
    return (
        f"P(below -{found.rope:g}) = {found.left:.3g}, P(within {found.rope:g}) = "
        f"{found.equivalent:.3g}, P(above {found.rope:g}) = {found.right:.3g}"
    )


def _check_rope(rope: float) -> None:
    if not (isfinite(rope) and rope >= 0):
        raise ValueError(
            "rope, the largest difference that is practically none, must be 0 or larger. "
            f"Got {rope!r}."
        )


def _checked(differences: ArrayLike, rope: float, strength: float, place: float) -> Floats:
    _check_rope(rope)
    if not (isfinite(strength) and strength >= 0):
        raise ValueError(f"prior_strength must be 0 or larger. Got {strength!r}.")
    if not isfinite(place):
        raise ValueError(f"prior_place must be a number. Got {place!r}.")
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise ValueError(
            f"differences must be one number per data set, at least one. Got shape {values.shape}."
        )
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise ValueError(
            f"differences must be numbers, none missing. Got {values[wrong[0]]} in place "
            f"{wrong[0]} (counted from 0)."
        )
    return values
