"""Classifiers on the clinical kernel, additive over features, and their effect curves."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from hetsel.kernels.feature_kernels import FeatureKernels, Scaling
from hetsel.solvers.mkl.kernel_weights import solve_mkl
from hetsel.solvers.svm.two_class_problems import problem_bounds, two_class_problems
from hetsel.solvers.svm.two_class_svm import solve_svm
from hetsel.tables.column import Column
from hetsel.tables.content import content_order, content_ranks
from hetsel.tables.memory import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.tables.rescaling import Rescaling
from hetsel.tables.table import Schema, Table
from hetsel.tables.target import Classes, weighed_rows
from hetsel.tables.validation import read_features, refuse_constant


@dataclass(frozen=True)
class EffectCurve:
    """What one feature adds to the decision value, exactly.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"continuous", "ordinal", "nominal"}
    knots : ndarray of shape (k,)
        Continuous and ordinal: values in the units of the column (positions of the levels), in
        ascending order; the effect is linear between two knots and constant outside. Nominal: the
        levels; any other level adds 0.
    values : ndarray of shape (problems, k)
        Effect at the knots; one row for two classes, else one a class.
    missing : ndarray of shape (problems,)
        Effect of a missing cell where missing is a value of its own.
    places : ndarray of shape (k,), optional
        The knots on the scale that the kernel measures them by, see :class:`hetsel.Rescaling`: on
        it the curve bends at support vectors only.
    """

    name: str
    kind: str
    knots: np.ndarray
    values: np.ndarray
    missing: np.ndarray
    places: np.ndarray | None = None


@dataclass(eq=False, repr=False)
class _AdditiveClassifier(ClassifierMixin, BaseEstimator):
    """What both classifiers share: f(x) = b + sum_f g_f(x_f)."""

    C: float = 10.0
    _: KW_ONLY
    class_weight: Any = None
    nominal: Any = None
    ordinal: Any = None
    continuous: Any = None
    schema: Schema | None = None
    missing: Any = "impute"
    scale: Any = "range"
    unseen: Any = "error"

    def _fit(self, X: Any, y: Any, weights: Any) -> Any:
        """Fit the classifier to rows that may have weights; those of weight 0 are left out."""
        table = read_features(self, X, reset=True)
        target = Classes.of(y, len(table.values), fewest=1)
        if weights is not None:
            weights = _check_sample_weight(weights, table.values, ensure_non_negative=True)
            _, table, target, weights = weighed_rows(table, target, weights)
        self.classes_, codes = target.labels, target.codes
        self._rescaling = Rescaling.fit(table, self.scale)
        table = self._rescaling.apply(table).resolve_missing(self.missing)
        refuse_constant(table)
        refuse_squares(type(self).__name__, len(codes), 1.5, FRUGAL_CLASSIFIERS)
        self._fill = Table(table.values[:0], table.schema, table.fill_values())
        self._scaling = Scaling.fit(table)
        rows, nominal = self._scaling.apply(table), table.nominal
        # sums in an order, and of levels by numbers, that no name or place changes
        ranks = content_ranks(table.values, nominal)
        order = content_order(ranks, nominal, rows)
        cells = np.where(nominal[:, None], np.where(ranks < 0, np.nan, ranks), rows)
        labels = two_class_problems(codes)
        bounds = problem_bounds(codes, self.C, self.class_weight, self.classes_, weights)
        kernels = FeatureKernels(cells[order], nominal[order])
        weights, beta, self.intercept_ = self._solve(kernels, labels, bounds)
        self.dual_coef_ = beta
        self.weights_ = weights[np.argsort(order)]
        self._curves = [
            _curve(row, bool(is_nominal), weight * beta)
            for row, is_nominal, weight in zip(rows, nominal, self.weights_, strict=True)
        ]
        return self

    def _solve(
        self, kernels: FeatureKernels, labels: np.ndarray, bounds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights (p,), beta (problems, n) and bias (problems,)."""
        raise TypeError(f"{type(self).__name__} does not say how to solve")

    def decision_function(self, X: Any) -> np.ndarray:
        """Decision values: (n,) for two classes, positive for the second; else (n, classes)."""
        check_is_fitted(self, "dual_coef_")
        table = self._rescaling.apply(read_features(self, X, reset=False))
        rows = self._scaling.apply(table.resolve_missing(self.missing, like=self._fill))
        total = np.repeat(self.intercept_[:, None], rows.shape[1], axis=1)
        for cells, curve, nominal in zip(rows, self._curves, self._scaling.nominal, strict=True):
            total += _effect(curve, cells, bool(nominal))
        return total[0] if len(total) == 1 else total.T

    def predict(self, X: Any) -> np.ndarray:
        """Class of each row."""
        decision = self.decision_function(X)
        if decision.ndim == 1:
            return self.classes_[(decision > 0).astype(np.intp)]
        return self.classes_[np.argmax(decision, axis=1)]

    def effect_curves(self) -> list[EffectCurve]:
        """What each feature adds to the decision value; with the intercept they sum up to it."""
        check_is_fitted(self, "dual_coef_")
        columns = self.schema_.columns
        return [
            self._in_units(column, curve, f)
            for f, (column, curve) in enumerate(zip(columns, self._curves, strict=True))
        ]

    def _in_units(self, column: Column, curve: Curve, f: int) -> EffectCurve:
        knots, values, missing = curve
        if column.kind == "nominal":
            known = knots < len(column.levels)
            gap = np.flatnonzero(knots == len(column.levels))
            if len(gap):
                missing = values[:, gap[0]]
            levels = np.array([column.levels[int(k)] for k in knots[known]], dtype=object)
            return EffectCurve(column.name, column.kind, levels, values[:, known], missing)
        places = 2 * (self._scaling.low[f] / 2 + self._scaling.half[f] * knots)
        units = self._rescaling.units(f, places)
        return EffectCurve(column.name, column.kind, units, values, missing, places)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


Curve = tuple[np.ndarray, np.ndarray, np.ndarray]  # knots, values (problems, k), missing


def _curve(cells: np.ndarray, nominal: bool, beta: np.ndarray) -> Curve:
    """g(x) = sum_i beta_i k_f(x, x_i) at the distinct scaled values of the training rows.

    With x_1 < x_2 < ... distinct and B_k the sum of the beta at or below x_k (S in all),
    g(x_1) = sum_i beta_i (1 - x_i + x_1) and g(x_(k+1)) = g(x_k) + (x_(k+1) - x_k)(S - 2 B_k).
    """
    present = ~np.isnan(cells)
    missing = beta[:, ~present].sum(axis=1)
    knots, place = np.unique(cells[present], return_inverse=True)
    mass = np.zeros((len(beta), len(knots)))
    for problem, row in enumerate(beta):
        mass[problem] = np.bincount(place, weights=row[present], minlength=len(knots))
    if nominal or not len(knots):
        return knots, mass, missing
    total = mass.sum(axis=1, keepdims=True)
    below = np.cumsum(mass, axis=1)
    values = np.empty_like(mass)
    values[:, :1] = total - mass @ (knots - knots[0])[:, None]
    slopes = total - 2.0 * below[:, :-1]
    values[:, 1:] = values[:, :1] + np.cumsum(np.diff(knots) * slopes, axis=1)
    return knots, values, missing


def _effect(curve: Curve, cells: np.ndarray, nominal: bool) -> np.ndarray:
    """Effects (problems, n) of scaled cells (n,)."""
    knots, values, missing = curve
    gaps = np.isnan(cells)
    effect = np.zeros((len(values), len(cells)))
    if len(knots):
        if nominal:
            place = np.minimum(np.searchsorted(knots, cells), len(knots) - 1)
            effect = np.where(knots[place] == cells, values[:, place], 0.0)
        else:
            filled = np.where(gaps, knots[0], cells)
            effect = np.array([np.interp(filled, knots, row) for row in values])
    return np.where(gaps, missing[:, None], effect)


@dataclass(eq=False, repr=False)
class ClinicalSVC(_AdditiveClassifier):
    """Support vector machine with the clinical kernel, for mixed tables.

    f(x) = b + (1/p) sum_i beta_i sum_f k_f(x_f, x_if). More than two classes: one against the rest.

    Parameters
    ----------
    C : float
        Bound on the dual variables; the paper takes 10 for a final classifier.
    class_weight : "balanced", mapping of class to weight, or None
        Multiplies C by n / (2 n_class), or by the weight of the class.
    nominal, ordinal, continuous, schema, missing, scale
        As in :class:`hetsel.BaseSelector`.
    unseen : {"error", "separate"}
        What to do with a level that the training rows do not have.

    Attributes
    ----------
    classes_ : ndarray
    dual_coef_ : ndarray of shape (problems, n)
        beta_i = alpha_i y_i.
    intercept_ : ndarray of shape (problems,)
    weights_ : ndarray of shape (p,)
        Weight of each feature's kernel, 1/p.
    schema_ : Schema

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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit the classifier.

        Parameters
        ----------
        X : DataFrame or array of shape (n, p)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
            Weight of each row, which multiplies its C: a row of weight 2 counts as two rows that
            are alike, and one of weight 0 is left out.
            What fills missing cells is learned from the rows as they are.

        Raises
        ------
        TableError
            A table, a target, weights or an option that cannot be used.
        """
        return self._fit(X, y, sample_weight)

    def _solve(
        self, kernels: FeatureKernels, labels: np.ndarray, bounds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        weights = np.full(kernels.p, 1.0 / kernels.p)
        gram = kernels.gram(weights)
        solutions = [solve_svm(gram, y, C) for y, C in zip(labels, bounds, strict=True)]
        beta = np.array([solution.beta for solution in solutions])
        return weights, beta, np.array([solution.bias for solution in solutions])


@dataclass(eq=False, repr=False)
class ClinicalMKL(_AdditiveClassifier):
    """Multiple kernel learning with one clinical kernel a feature, for mixed tables.

    f(x) = b + sum_i beta_i sum_f mu_f k_f(x_f, x_if), ||mu||_q = 1. More than two classes: one
    against the rest, with one shared mu.

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
    weights_ : ndarray of shape (p,)
        mu, with lq-norm 1.
    gap_ : float
        Relative duality gap.
    trace_ : tuple of (float, float)
        Objective and gap after each alternation.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, Eq. 6 to 8.
    """

    C: float = 0.1
    _: KW_ONLY
    q: float = 2.0
    tolerance: float = 1e-3

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit the classifier.

        Parameters
        ----------
        X : DataFrame or array of shape (n, p)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
            Weight of each row, which multiplies its C: a row of weight 2 counts as two rows that
            are alike (to `tolerance`), and one of weight 0 is left out.
            What fills missing cells is learned from the rows as they are.

        Raises
        ------
        TableError
            A table, a target, weights or an option that cannot be used.
        """
        return self._fit(X, y, sample_weight)

    def _solve(
        self, kernels: FeatureKernels, labels: np.ndarray, bounds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        solution = solve_mkl(kernels, labels, bounds, q=self.q, tolerance=self.tolerance)
        self.gap_ = solution.gap
        self.trace_ = solution.trace
        return solution.weights, solution.beta, solution.bias
