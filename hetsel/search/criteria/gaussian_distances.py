"""Distances of Gaussian classes: Bhattacharyya, Mahalanobis, divergence.

All three see a subset through the mean m_c and the covariance S_c of each class, see
:mod:`hetsel.search.criteria.gaussian_classes` for the columns of nominal features, missing cells
and the ridge. Of more than two classes they are the mean over pairs (a, b), weighted by the product
of the shares of rows of both. None falls when a feature is added, so that a search by branch and
bound may use them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.search.criteria.gaussian_classes import ClassGaussians, GaussianState, Term
from hetsel.selection import Problem


@dataclass(frozen=True)
class Bhattacharyya:
    """Bhattacharyya distance of Gaussian classes (Kailath 1967; somol2011, Section 4).

    J = (1/8) d' S^-1 d + (1/2) ln(|S| / sqrt(|S_a| |S_b|)), d = m_a - m_b, S = (S_a + S_b) / 2.

    `ridge` is the share of the variance over all rows that is added to the variance of each class.
    A column that is constant in one of two classes adds up to about -ln(ridge) / 4 by that alone,
    so a small ridge favors features with levels that a class does not have.
    """

    ridge: float = 1e-4

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> GaussianState:
        return GaussianState(problem, self.ridge, _bhattacharyya, subset=subset)


@dataclass(frozen=True)
class Mahalanobis:
    """Squared Mahalanobis distance of the class means, with the pooled covariance.

    J = d' S^-1 d, d = m_a - m_b, S = sum_c share_c S_c, `ridge` as in :class:`Bhattacharyya`.
    """

    ridge: float = 1e-4

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> GaussianState:
        return GaussianState(problem, self.ridge, _mahalanobis, subset=subset)


@dataclass(frozen=True)
class Divergence:
    """Divergence of Gaussian classes: the Kullback-Leibler divergences of both directions.

    J = (1/2) tr(S_a^-1 S_b + S_b^-1 S_a - 2 I) + (1/2) d' (S_a^-1 + S_b^-1) d, d = m_a - m_b
    (Kailath 1967), `ridge` as in :class:`Bhattacharyya`. A column that is constant in one of two
    classes adds about 1 / (2 ridge) by that alone.
    """

    ridge: float = 1e-4

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> GaussianState:
        return GaussianState(problem, self.ridge, _divergence, 1.0, subset)


def _bhattacharyya(gaussians: ClassGaussians) -> list[Term]:
    one = np.eye(len(gaussians.priors))
    none, nowhere = np.zeros(len(one)), gaussians.means[:0]
    log_det = np.zeros(len(one))
    terms = []
    for a, b, weight in gaussians.pairs():
        away = gaussians.means[[a]] - gaussians.means[b]
        middle = 0.5 * (one[a] + one[b])
        terms.append(Term(middle, none, np.sqrt(weight / 8.0) * away, 0.5 * weight))
        log_det[[a, b]] -= 0.25 * weight
    own = zip(one, log_det.tolist(), strict=True)
    return terms + [Term(share, none, nowhere, of_own) for share, of_own in own]


def _mahalanobis(gaussians: ClassGaussians) -> list[Term]:
    spread = [
        np.sqrt(weight) * (gaussians.means[a] - gaussians.means[b])
        for a, b, weight in gaussians.pairs()
    ]
    return [Term(gaussians.priors, np.zeros(len(gaussians.priors)), np.array(spread))]


def _divergence(gaussians: ClassGaussians) -> list[Term]:
    count = len(gaussians.priors)
    weights = np.zeros((count, count))
    for a, b, weight in gaussians.pairs():
        weights[a, b] = weights[b, a] = 0.5 * weight
    return [
        Term(share, row, np.sqrt(row)[:, None] * (gaussians.means - mean))
        for share, row, mean in zip(np.eye(count), weights, gaussians.means, strict=True)
    ]
