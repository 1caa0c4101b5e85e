"""Posterior probabilities of classes from the decision values of two-class machines."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

LEAST = 1e-7  # of a probability that is coupled, as in LIBSVM


class Sigmoid(NamedTuple):
    """P(positive | f) = 1 / (1 + exp(-(slope f + offset))) of a decision value f."""

    slope: float
    offset: float

    def of(self, values: np.ndarray) -> np.ndarray:
        """Probabilities of the positive class, of the shape of the values."""
        return np.asarray(expit(self.slope * values + self.offset))


def fit_sigmoid(values: np.ndarray, positive: np.ndarray) -> Sigmoid:
    """Platt's sigmoid of decision values (n,) of rows that the machine was not trained on.

    The targets are (n_+ + 1) / (n_+ + 2) for the positive rows and 1 / (n_- + 2) for the others
    (Platt 1999, Probabilistic outputs for support vector machines, section 2; Lin, Lin and Weng
    2007, Machine Learning 68, 267-276).
    """
    count = int(positive.sum())
    of_positive, of_negative = (count + 1) / (count + 2), 1 / (len(values) - count + 2)
    target = np.where(positive, of_positive, of_negative)
    middle, spread = values.mean(), values.std()
    if not spread > 1e-12 * np.abs(values).max():
        return Sigmoid(0.0, float(np.log(target.sum() / (1.0 - target).sum())))
    # a row is one of each kind, with the shares of its target
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
    column = np.tile((values - middle) / spread, 2)[:, None]
    kinds = np.repeat([1, 0], len(values))
    with warnings.catch_warnings():
        # where rounding ends the steps of Newton's method, L-BFGS takes the last ones
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(column, kinds, sample_weight=np.concatenate([target, 1.0 - target]))
    slope = float(model.coef_[0, 0] / spread)
    return Sigmoid(slope, float(model.intercept_[0] - slope * middle))


def class_pairs(count: int) -> list[tuple[int, int]]:
    """The pairs (a, b), a < b, of so many classes."""
    return [(a, b) for a in range(count) for b in range(a + 1, count)]


def couple(pairwise: np.ndarray, count: int) -> np.ndarray:
    """Posteriors (n, c) from P(a | a or b) (n, pairs) of each pair of classes.

    minimize sum_(a != b) (r_ba p_a - r_ab p_b)^2 subject to sum_a p_a = 1, r_ab = P(a | a or b).

    Wu, Lin and Weng 2004, Journal of Machine Learning Research 5, 975-1005, Eq. 19 to 21.
    """
    if count == 2:
        return np.column_stack([pairwise[:, 0], 1.0 - pairwise[:, 0]])
    system = np.zeros((len(pairwise), count + 1, count + 1))
    system[:, :count, count] = system[:, count, :count] = 1.0
    for own, (a, b) in zip(
        np.clip(pairwise, LEAST, 1.0 - LEAST).T, class_pairs(count), strict=True
    ):
        other = 1.0 - own
        system[:, a, a] += other * other
        system[:, b, b] += own * own
        system[:, a, b] = system[:, b, a] = -own * other
    right = np.zeros((len(pairwise), count + 1, 1))
    right[:, count] = 1.0
    return np.asarray(np.linalg.solve(system, right)[:, :count, 0])
