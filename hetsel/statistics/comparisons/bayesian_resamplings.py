"""Bayesian comparison of two methods on one data set, by the resamplings of its rows.

Notation as in :mod:`hetsel.statistics.comparisons.corrections`: z_1, ..., z_K are the
differences of two methods' scores over K resamplings of the rows.
"""

from dataclasses import dataclass

from numpy.typing import ArrayLike
from scipy import special

from hetsel.ground.rounding import exceeds
from hetsel.statistics.comparisons.corrections import ROPE, check_rope, three_probabilities
from hetsel.statistics.comparisons.resampled_means import Correction, resampled_t_test


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
        answer = three_probabilities(self.left, self.equivalent, self.right, self.rope)
        return (
            f"Bayesian correlated t-test ({self.correction}): mean difference {self.mean:.4g}\n"
            f"{answer}"
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
        rho; see :mod:`hetsel.statistics.comparisons.resampled_means`. The first is that of the
        paper.

    Returns
    -------
    BayesianTTest

    Raises
    ------
    TableError
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
    check_rope(rope)
    test = resampled_t_test(differences, test_share=test_share, correction=correction)
    mean, scale = test.mean, test.standard_error
    if scale > 0:
        left = float(special.stdtr(test.df, (-rope - mean) / scale))
        right = float(special.stdtr(test.df, (mean - rope) / scale))
    else:
        beyond = bool(exceeds([abs(mean)], rope)[0])
        left, right = float(beyond and mean < 0), float(beyond and mean > 0)
    return BayesianTTest(
        mean=mean,
        scale=scale,
        df=test.df,
        left=left,
        equivalent=max(0.0, 1.0 - (left + right)),
        right=right,
        rope=float(rope),
        correction=correction,
        test_share=float(test_share),
    )
