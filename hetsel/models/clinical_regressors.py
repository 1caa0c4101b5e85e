"""Machines on the clinical kernel for numbers and for survival times, additive over features."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.models.additive_model import AdditiveModel, Learned, Weights
from hetsel.solvers.comparable_pairs import comparable_pairs
from hetsel.solvers.survival_machine import solve_ranking
from hetsel.solvers.svm.machines import MachineProblem, solve_machines
from hetsel.solvers.svm.two_class_svm import number_bounds, positive_penalty, tube_of
from hetsel.statistics.survival.concordance import concordance
from hetsel.tables import Numbers, Survival
from hetsel.tables.row_labels import refuse_other_rows
from hetsel.tables.validation import finite_numbers, weights_to_score


@dataclass(eq=False, repr=False)
class ClinicalSVR(RegressorMixin, AdditiveModel):
    """Epsilon-insensitive regression with the clinical kernel, for mixed tables.

    f(x) = b + (1/p) sum_i beta_i sum_f k_f(x_f, x_if), the minimum of

        ||w||^2 / 2 + C sum_i max(0, |y_i - f(x_i)| - epsilon)

    for numbers of mean 0 and standard deviation 1; f and the effect curves are in units of y. Many
    rows are learned from as by :class:`ClinicalSVC`.

    Parameters
    ----------
    C : float
        Bound on the dual variables.
    epsilon : float
        Half of the width of the tube in which errors cost nothing, in standard deviations of y.
    nominal, ordinal, continuous, schema, missing, scale, unseen
        As in :class:`ClinicalSVC`.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (1, n)
        beta, in units of y.
    intercept_ : ndarray of shape (1,)
    weights_ : ndarray of shape (p,)
        Weight of each feature's kernel, 1/p.
    feature_importances_ : ndarray of shape (p,)
        As of :class:`hetsel.ClinicalSVC`.
    schema_ : Schema

    References
    ----------
    Daemen and De Moor 2009; Smola and Schoelkopf 2004, Statistics and Computing 14.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [40.0, 45.0, 70.0, 80.0], "sex": ["f", "m", "f", "m"]})
    >>> ClinicalSVR(C=100.0).fit(frame, [1.0, 2.5, 4.0, 5.5]).predict(frame).round(1)
    array([1.2, 2.7, 3.8, 5.3])
    """

    C: float = 3.0
    _: KW_ONLY
    epsilon: float = 0.1

    def _target(self, y: Any, n: int) -> Numbers:
        return Numbers.of(y, n)

    def _learn(self, kernels: FeatureKernels, target: Numbers, weights: Weights) -> Learned:
        shares = np.full(kernels.p, 1.0 / kernels.p)
        y, bounds, tube = self._machines(target, np.arange(len(target)), weights)
        problem = MachineProblem(kernels.gram(shares), y, bounds, tube=tube)
        found = solve_machines(problem, np.zeros(bounds.shape))
        return shares, *self._in_units_of_target(found.beta, found.bias, target, weights)

    _norm: ClassVar[float | None] = np.inf

    def _machines(
        self, target: Numbers, rows: np.ndarray, weights: Weights
    ) -> tuple[np.ndarray, np.ndarray, float]:
        y = target.standardized(rows, weights)
        own = None if weights is None else weights[rows]
        return y[None], number_bounds(len(y), self.C, own), tube_of(self.epsilon)

    def _in_units_of_target(
        self, beta: np.ndarray, bias: np.ndarray, target: Numbers, weights: Weights
    ) -> tuple[np.ndarray, np.ndarray]:
        mean, deviation = target.moments(weights)
        return deviation * beta, mean + deviation * bias

    def predict(self, X: Any) -> np.ndarray:
        """Number (n,) of each row."""
        return self._values(X)[0]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2 of the rows given, as scikit-learn has it."""
        refuse_other_rows(X, y=y, sample_weight=sample_weight)
        from sklearn.metrics import r2_score

        predicted = self.predict(X)
        weights = weights_to_score(sample_weight, len(predicted))
        return float(r2_score(finite_numbers(y, len(predicted)), predicted, sample_weight=weights))


@dataclass(eq=False, repr=False)
class ClinicalSurvivalSVM(AdditiveModel):
    """Machine with the clinical kernel that ranks survival times, for mixed tables.

    The risk f(x) = (1/p) sum_i beta_i sum_f k_f(x_f, x_if) less its mean, the minimum of

        ||w||^2 / 2 + (gamma / 2) sum_(i, j) max(0, 1 - (f(x_i) - f(x_j)))^2

    over the pairs of which i has its event first, gamma = C n / (number of pairs); larger where the
    event is sooner. Effect curves are parts of the risk.

    Parameters
    ----------
    C : float
        Cost of a row, see :mod:`hetsel.solvers.survival_machine`.
    nominal, ordinal, continuous, schema, missing, scale, unseen
        As in :class:`ClinicalSVC`.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (1, n)
        beta; its sum is 0.
    intercept_ : ndarray of shape (1,)
        Minus the mean risk of the training rows.
    weights_ : ndarray of shape (p,)
        Weight of each feature's kernel, 1/p.
    feature_importances_ : ndarray of shape (p,)
        As of :class:`hetsel.ClinicalSVC`.
    schema_ : Schema

    References
    ----------
    Van Belle, Pelckmans, Van Huffel and Suykens 2011; Poelsterl, Navab and Katouzian 2016,
    arXiv 1611.07054.

    Examples
    --------
    >>> import pandas as pd
    >>> from hetsel import survival
    >>> frame = pd.DataFrame({"age": [40.0, 45.0, 70.0, 80.0], "sex": ["f", "m", "f", "m"]})
    >>> y = survival([9.0, 8.0, 3.0, 2.0], [False, True, True, True])
    >>> ClinicalSurvivalSVM().fit(frame, y).score(frame, y)
    1.0
    """

    C: float = 1.0

    def _target(self, y: Any, n: int) -> Survival:
        return Survival.of(y, n)

    def _learn(self, kernels: FeatureKernels, target: Survival, weights: Weights) -> Learned:
        pairs = comparable_pairs(target.content, positive_penalty(self.C), weights)
        found = solve_ranking(kernels, pairs, np.inf)
        risks = kernels.decisions(found.weights, found.beta, np.zeros(1))
        return found.weights, found.beta, -np.array([np.average(risks[0], weights=weights)])

    def predict(self, X: Any) -> np.ndarray:
        """Risk (n,) of each row, larger where the event is sooner."""
        return self._values(X)[0]

    def score(self, X: Any, y: Any) -> float:
        """Harrell's concordance of the risks of the rows given with their times.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
        y : structured array of shape (n,)
        """
        target = Survival.of(y)
        return float(concordance(target.times, target.events, self.predict(X))[0])
