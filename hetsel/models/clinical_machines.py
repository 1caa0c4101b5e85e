"""Support vector machines with the clinical kernel, additive over features."""

from copy import copy
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from hetsel.ground import not_negative, positive
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.models.additive_model import AdditiveModel, Learned, RowWeights
from hetsel.solvers.additive.additive_problem import AdditiveSolution
from hetsel.solvers.comparable_pairs import comparable_pairs
from hetsel.solvers.mkl.kernel_weights import checked_norm
from hetsel.solvers.mkl.mkl_solution import MKLSolution, solve_mkl
from hetsel.solvers.survival_machine import solve_ranking
from hetsel.solvers.svm import two_class_svm
from hetsel.solvers.svm.machines import MachineProblem, solve_machines
from hetsel.statistics.survival.concordance import concordance
from hetsel.tables import (
    Classes,
    Numbers,
    Survival,
    content,
    places_in,
    refuse_other_rows,
    validation,
)


@dataclass(eq=False, repr=False)
class _AdditiveClassifier(ClassifierMixin, AdditiveModel):
    """Base of the two classifiers."""

    class_weight: Any = None

    def _target(self, y: Any, n: int) -> Classes:
        return Classes.of(y, n, fewest=1).by_label()

    def _learn(self, kernels: FeatureKernels, target: Classes, weights: RowWeights) -> Learned:
        labels, bounds, _ = self._machines(target, np.arange(len(target)), weights)
        return self._solve(kernels, labels, bounds)

    def _machines(
        self, target: Classes, rows: np.ndarray, weights: RowWeights
    ) -> tuple[np.ndarray, np.ndarray, float]:
        self.classes_, codes = target.labels, target.codes[rows]
        weights = None if weights is None else weights[rows]
        bounds = two_class_svm.problem_bounds(
            codes, self.C, self.class_weight, self.classes_, weights
        )
        return two_class_svm.two_class_problems(codes), bounds, 0.0

    def _solve(self, kernels: FeatureKernels, labels: np.ndarray, bounds: np.ndarray) -> Learned:
        """Return kernel weights (p,), beta (problems, n) and bias (problems,)."""
        raise TypeError(f"{type(self).__name__} must define _solve")

    def in_order(self, labels: Any) -> Any:
        """Copy the model with its classes in this order; decision values above 0 mean the last."""
        check_is_fitted(self, "dual_coef_")
        machine, places = copy(self), places_in(self.classes_, labels)
        machine.classes_ = self.classes_[places]
        machine.intercept_ = content.in_class_order(self.intercept_, places)
        machine.dual_coef_ = content.in_class_order(self.dual_coef_, places)
        machine._curves = [
            (knots, content.in_class_order(values, places), content.in_class_order(missing, places))
            for knots, values, missing in self._curves
        ]
        return machine

    def decision_function(self, X: Any) -> np.ndarray:
        """Compute decision values: (n,) for two classes, above 0 for `classes_[1]`; else (n, c)."""
        total = self._values(X)
        return total[0] if len(total) == 1 else total.T

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each row."""
        decision = self.decision_function(X)
        if decision.ndim == 1:
            return self.classes_[(decision > 0).astype(np.intp)]
        return self.classes_[np.argmax(decision, axis=1)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute the accuracy: the weighted proportion of correctly predicted rows."""
        refuse_other_rows(X, y=y, sample_weight=sample_weight)
        codes, predicted = validation.codes_with_predicted(y, self.predict(X))
        weights = validation.weights_to_score(sample_weight, len(codes))
        return float(np.average(codes == predicted, weights=weights))


@dataclass(eq=False, repr=False)
class ClinicalSVC(_AdditiveClassifier):
    """Classify rows of mixed tables by a support vector machine with the clinical kernel.

    The decision function is f(x) = b + (1/p) sum_i beta_i sum_f k_f(x_f, x_if). It is additive, so
    each feature has an exact effect curve. More than two classes are fitted one against the rest.
    With more than 5,000 rows, values are binned (at most 1,024 bins per column) and no Gram matrix
    is computed, so that time and memory are linear in the number of rows.

    Parameters
    ----------
    C : float
        Bound on the dual variables; Paul et al. (2015) use 10 for a final classifier.
    class_weight : "balanced", mapping of class to weight, or None
        Factor of C: n / (2 n_class) for "balanced", or the weight of the class.
    nominal, ordinal, continuous, schema, missing, scale
        As in :class:`hetsel.selection.BaseSelector`.
    unseen : {"error", "separate"}
        How to handle an unseen level: refuse it, or treat it as a separate level.

    Attributes
    ----------
    classes_ : ndarray
        Sorted labels of the classes; decision values, coefficients and curves follow this order.
    dual_coef_ : ndarray of shape (problems, n)
        beta_i = alpha_i y_i.
    intercept_ : ndarray of shape (problems,)
        b of each problem.
    weights_ : ndarray of shape (p,)
        Weight w_f of the kernel of each feature, 1/p.
    feature_importances_ : ndarray of shape (p,)
        Proportion of each feature in the squared norm of f, w_f beta'K_f beta, summed over the
        problems. scikit-learn's `RFE` uses these importances.
    schema_ : Schema
        The kinds of the columns.

    See Also
    --------
    hetsel.ClinicalMKL : Learn the weight of each kernel, too.
    hetsel.ClinicalKernel : The kernel alone, for scikit-learn's SVC.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, Eq. 1 to 3; Daemen and De Moor 2009.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [40.0, 45.0, 70.0, 80.0], "sex": ["f", "m", "f", "m"]})
    >>> ClinicalSVC().fit(frame, ["no", "no", "yes", "yes"]).predict(frame)
    array(['no', 'no', 'yes', 'yes'], dtype='<U3')
    """

    _norm: ClassVar[float | None] = np.inf

    def _solve(self, kernels: FeatureKernels, labels: np.ndarray, bounds: np.ndarray) -> Learned:
        weights = np.full(kernels.p, 1.0 / kernels.p)
        problem = MachineProblem(kernels.gram(weights), labels, bounds)
        machines = solve_machines(problem, np.zeros(bounds.shape))
        return weights, machines.beta, machines.bias


@dataclass(eq=False, repr=False)
class ClinicalMKL(_AdditiveClassifier):
    """Classify rows of mixed tables by multiple kernel learning with a clinical kernel per feature.

    The decision function is f(x) = b + sum_i beta_i sum_f mu_f k_f(x_f, x_if) with ||mu||_q = 1.
    More than two classes are fitted one against the rest with shared weights mu. Many rows are
    handled as in :class:`ClinicalSVC`.

    Parameters
    ----------
    C : float
        Bound on the dual variables.
    q : float
        Norm of the kernel weights, at least 1.
    tolerance : float
        Largest relative duality gap.
    class_weight, nominal, ordinal, continuous, schema, missing, scale, unseen
        As in :class:`ClinicalSVC`.

    Attributes
    ----------
    classes_, dual_coef_, intercept_, schema_
        As in :class:`ClinicalSVC`.
    weights_ : ndarray of shape (p,)
        mu, with lq-norm 1.
    feature_importances_ : ndarray of shape (p,)
        As in :class:`ClinicalSVC`.
    gap_ : float
        Relative duality gap.
    trace_ : tuple of (float, float)
        Objective and relative gap after each step.

    See Also
    --------
    hetsel.ClinicalSVC : The same model with equal kernel weights.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, Eq. 6 to 8.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [40.0, 45.0, 70.0, 80.0], "sex": ["f", "m", "f", "m"]})
    >>> machine = ClinicalMKL().fit(frame, ["no", "no", "yes", "yes"])
    >>> bool(machine.weights_[0] > machine.weights_[1])
    True
    """

    C: float = 0.1
    _: KW_ONLY
    q: float = 2.0
    tolerance: float = 1e-3

    @property
    def _norm(self) -> float | None:  # type: ignore[override]
        q = checked_norm(self.q)
        return q if 1.0 < q < np.inf else None

    @property
    def _gap(self) -> float:  # type: ignore[override]
        return not_negative("tolerance", self.tolerance)

    def _keep_trace(self, solution: AdditiveSolution | MKLSolution) -> None:
        self.gap_, self.trace_ = solution.gap, solution.trace

    def _solve(self, kernels: FeatureKernels, labels: np.ndarray, bounds: np.ndarray) -> Learned:
        solution = solve_mkl(kernels, labels, bounds, q=self.q, tolerance=self._gap)
        self._keep_trace(solution)
        return solution.weights, solution.beta, solution.bias


@dataclass(eq=False, repr=False)
class ClinicalSVR(RegressorMixin, AdditiveModel):
    """Predict numbers from mixed tables by support vector regression with the clinical kernel.

    The regression function f(x) = b + (1/p) sum_i beta_i sum_f k_f(x_f, x_if) minimizes

        ||w||^2 / 2 + C sum_i max(0, |y_i - f(x_i)| - epsilon)

    for y scaled to mean 0 and standard deviation 1. f and the effect curves are in units of y. Many
    rows are handled as in :class:`ClinicalSVC`.

    Parameters
    ----------
    C : float
        Bound on the dual variables.
    epsilon : float
        Half-width of the tube without loss, in standard deviations of y.
    nominal, ordinal, continuous, schema, missing, scale, unseen
        As in :class:`ClinicalSVC`.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (1, n)
        beta, in units of y.
    intercept_ : ndarray of shape (1,)
        b, in units of y.
    weights_ : ndarray of shape (p,)
        Weight of the kernel of each feature, 1/p.
    feature_importances_ : ndarray of shape (p,)
        As in :class:`hetsel.ClinicalSVC`.
    schema_ : Schema
        The kinds of the columns.

    See Also
    --------
    hetsel.ClinicalSVC : The classifier.
    hetsel.ClinicalSurvivalSVM : The model for survival times.

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

    def _learn(self, kernels: FeatureKernels, target: Numbers, weights: RowWeights) -> Learned:
        shares = np.full(kernels.p, 1.0 / kernels.p)
        y, bounds, tube = self._machines(target, np.arange(len(target)), weights)
        problem = MachineProblem(kernels.gram(shares), y, bounds, tube=tube)
        found = solve_machines(problem, np.zeros(bounds.shape))
        return shares, *self._in_units_of_target(found.beta, found.bias, target, weights)

    _norm: ClassVar[float | None] = np.inf

    def _machines(
        self, target: Numbers, rows: np.ndarray, weights: RowWeights
    ) -> tuple[np.ndarray, np.ndarray, float]:
        y = target.standardized(rows, weights)
        own = None if weights is None else weights[rows]
        return (
            y[None],
            two_class_svm.number_bounds(len(y), self.C, own),
            two_class_svm.tube_of(self.epsilon),
        )

    def _in_units_of_target(
        self, beta: np.ndarray, bias: np.ndarray, target: Numbers, weights: RowWeights
    ) -> tuple[np.ndarray, np.ndarray]:
        mean, deviation = target.moments(weights)
        return deviation * beta, mean + deviation * bias

    def predict(self, X: Any) -> np.ndarray:
        """Predict the number (n,) of each row."""
        return self._values(X)[0]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute R^2 of the given rows, as scikit-learn defines it."""
        refuse_other_rows(X, y=y, sample_weight=sample_weight)
        from sklearn.metrics import r2_score

        predicted = self.predict(X)
        weights = validation.weights_to_score(sample_weight, len(predicted))
        return float(
            r2_score(validation.finite_numbers(y, len(predicted)), predicted, sample_weight=weights)
        )


@dataclass(eq=False, repr=False)
class ClinicalSurvivalSVM(AdditiveModel):
    """Predict risk scores from mixed tables by a survival SVM with the clinical kernel.

    The risk score f(x) = (1/p) sum_i beta_i sum_f k_f(x_f, x_if), centered, minimizes

        ||w||^2 / 2 + (gamma / 2) sum_(i, j) max(0, 1 - (f(x_i) - f(x_j)))^2

    over the comparable pairs in which i has its event first, with gamma = C n / (number of pairs).
    A larger score means an earlier event. Effect curves are additive parts of the score.

    Parameters
    ----------
    C : float
        Cost of a row; see :mod:`hetsel.solvers.survival_machine`.
    nominal, ordinal, continuous, schema, missing, scale, unseen
        As in :class:`ClinicalSVC`.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (1, n)
        beta; its sum is 0.
    intercept_ : ndarray of shape (1,)
        Minus the mean score of the training rows.
    weights_ : ndarray of shape (p,)
        Weight of the kernel of each feature, 1/p.
    feature_importances_ : ndarray of shape (p,)
        As in :class:`hetsel.ClinicalSVC`.
    schema_ : Schema
        The kinds of the columns.

    See Also
    --------
    hetsel.survival : Make a target of survival times.
    hetsel.ClinicalSVC : The classifier.

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

    def _learn(self, kernels: FeatureKernels, target: Survival, weights: RowWeights) -> Learned:
        pairs = comparable_pairs(target.content, positive("C", self.C), weights)
        found = solve_ranking(kernels, pairs, np.inf)
        risks = kernels.decisions(found.weights, found.beta, np.zeros(1))
        return found.weights, found.beta, -np.array([np.average(risks[0], weights=weights)])

    def predict(self, X: Any) -> np.ndarray:
        """Predict the risk score (n,) of each row; larger means an earlier event."""
        return self._values(X)[0]

    def score(self, X: Any, y: Any) -> float:
        """Compute Harrell's concordance of the risk scores with the survival times.

        Parameters
        ----------
        X : Table, DataFrame or array of shape (n, p)
            The features.
        y : structured array of shape (n,)
            Survival times made by :func:`hetsel.survival`.

        Returns
        -------
        float
        """
        target = Survival.of(y)
        return float(concordance(target.times, target.events, self.predict(X))[0])
