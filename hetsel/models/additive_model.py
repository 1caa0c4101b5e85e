"""Additive models on clinical kernels of mixed tables, and their effect curves."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hetsel.ground import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.training_ranges import Scaling
from hetsel.models.rows_in_bins import GAP, ROWS_WORTH_BINNING, BinnedCurve, RowsInBins, effect
from hetsel.solvers.additive.additive_problem import AdditiveSolution
from hetsel.tables import (
    Column,
    Schema,
    Table,
    content,
    read_features,
    refuse_constant,
    refuse_other_rows,
    rescaling,
    validation,
)
from hetsel.tables.target import weighed_rows

RowWeights = np.ndarray | None  # (n,), of the rows
Learned = tuple[np.ndarray, np.ndarray, np.ndarray]  # weights (p,), beta (problems, n), bias


@dataclass(frozen=True)
class EffectCurve:
    """Hold the exact effect of one feature on f (a decision value, a number or a risk score).

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"continuous", "ordinal", "nominal"}
        Kind of the column.
    knots : ndarray of shape (k,)
        For continuous and ordinal columns ascending values in the units of the column (positions of
        levels); the effect is linear between knots and constant outside. For nominal columns the
        levels; any other level has effect 0.
    values : ndarray of shape (problems, k)
        Effect at the knots: one row for two classes, else one row for each class.
    missing : ndarray of shape (problems,)
        Effect of a missing value, if missing is treated as a separate value.
    places : ndarray of shape (k,), optional
        The knots on the scale of the kernel (see :class:`hetsel.Rescaling`). On this scale the
        curve has kinks at support vectors only.

    See Also
    --------
    hetsel.ClinicalSVC : A classifier with effect curves.

    Examples
    --------
    >>> from hetsel import ClinicalSVC
    >>> machine = ClinicalSVC().fit([[40.0], [45.0], [70.0], [80.0]], ["no", "no", "yes", "yes"])
    >>> curve = machine.effect_curves()[0]
    >>> curve.name, curve.knots
    ('x0', array([40., 45., 70., 80.]))
    """

    name: str
    kind: str
    knots: np.ndarray
    values: np.ndarray
    missing: np.ndarray
    places: np.ndarray | None = None


@dataclass(eq=False, repr=False)
class AdditiveModel(BaseEstimator):
    """Base of the models with clinical kernels: f(x) = b + sum_f g_f(x_f)."""

    C: float = 10.0
    _: KW_ONLY
    nominal: Any = None
    ordinal: Any = None
    continuous: Any = None
    schema: Schema | None = None
    missing: Any = "impute"
    scale: Any = "range"
    unseen: Any = "error"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : DataFrame or array of shape (n, p)
            The features.
        y : array-like of shape (n,)
            The target: classes for :class:`hetsel.ClinicalSVC` and :class:`hetsel.ClinicalMKL`,
            numbers for :class:`hetsel.ClinicalSVR`, and survival times made by
            :func:`hetsel.survival` for :class:`hetsel.ClinicalSurvivalSVM`.
        sample_weight : array-like of shape (n,), optional
            Row weights. A row of weight 2 counts as two equal rows (up to `tolerance`, if there is
            one); a row of weight 0 is left out. The weight multiplies C, and counts in the mean and
            standard deviation of numbers; a pair of survival times has the product of the weights
            of its rows. Imputed values do not depend on the weights.

        Returns
        -------
        self
            The fitted model.

        Raises
        ------
        TableError
            A table, a target, weights or an option that cannot be used.
        """
        refuse_other_rows(X, y=y, sample_weight=sample_weight)
        table = read_features(self, X, reset=True)
        target, weights = self._target(y, len(table.values)), None
        if sample_weight is not None:
            weights = validation.weights_of_rows(sample_weight, len(target))
            validation.refuse_uncounted(weights)
            _, table, target, weights = weighed_rows(table, target, weights)
        self._rescaling = rescaling.Rescaling.fit(table, self.scale)
        table = self._rescaling.apply(table).resolve_missing(self.missing)
        refuse_constant(table)
        self._fill = Table(table.values[:0], table.schema, table.fill_values())
        self._scaling = Scaling.fit(table)
        rows, nominal = self._scaling.apply(table), table.nominal
        if len(target) > ROWS_WORTH_BINNING and self._norm is not None:
            self._learn_in_bins(table, rows, target, weights)
            self.feature_importances_ = self._shares(rows)
            return self
        refuse_squares(type(self).__name__, len(target), 1.5, FRUGAL_CLASSIFIERS)
        # sums in an order that does not depend on names and places
        ranks = content.content_ranks(table.values, nominal)
        order = content.content_order(ranks, nominal, rows)
        cells = np.where(nominal[:, None], np.where(ranks < 0, np.nan, ranks), rows)
        kernels = FeatureKernels(cells[order], nominal[order])
        shares, beta, self.intercept_ = self._learn(kernels, target, weights)
        self.dual_coef_ = beta
        self.weights_ = shares[np.argsort(order)]
        self._curves = [
            _curve(row, bool(is_nominal), weight * beta)
            for row, is_nominal, weight in zip(rows, nominal, self.weights_, strict=True)
        ]
        self.feature_importances_ = self._shares(rows)
        return self

    def _shares(self, rows: np.ndarray) -> np.ndarray:
        """Return the proportion (p,) of each feature in beta'K beta, from scaled values (p, n)."""
        parts = [
            float((self.dual_coef_ * effect(curve, cells, bool(nominal))).sum())
            for cells, curve, nominal in zip(rows, self._curves, self._scaling.nominal, strict=True)
        ]
        energies = np.maximum(parts, 0.0)
        return energies / (energies.sum() or 1.0)

    def _learn_in_bins(
        self, table: Table, rows: np.ndarray, target: Any, weights: RowWeights
    ) -> None:
        """Learn from binned values (p, n) without a Gram matrix, for many rows."""
        norm, every = self._norm, np.arange(len(rows))
        assert norm is not None
        inside = RowsInBins(table, rows, target.content)
        labels, bounds, tube = self._machines(target, inside.rows, weights)
        limits = {"tube": tube, "tolerance": self._gap}
        found, self.weights_ = inside.solve(every, labels, bounds, norm, **limits)
        self._keep_trace(found)
        size = float(len(rows)) if np.isinf(norm) else 1.0

        def in_units(values: np.ndarray) -> np.ndarray:
            return self._in_units_of_target(values, found.bias, target, weights)[0]

        solution = size * found.beta, found.bias, target, weights
        beta, self.intercept_ = self._in_units_of_target(*solution)
        self._curves = [
            (knots, in_units(values), in_units(missing))
            for knots, values, missing in inside.curves(every)
        ]
        self.dual_coef_ = np.ascontiguousarray(beta[:, np.argsort(inside.rows)])

    # the norm of kernel weights, infinity for equal ones; None if the model needs all rows
    _norm: ClassVar[float | None] = None
    _gap: ClassVar[float] = GAP  # relative duality gap in bins

    def _machines(
        self, target: Any, rows: np.ndarray, weights: RowWeights
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return labels and bounds (problems, n) in an order of the rows (n,), and the tube."""
        raise TypeError(f"{type(self).__name__} must define _machines")

    def _keep_trace(self, solution: AdditiveSolution) -> None:
        """Keep the gap and the trace of a solution, if the model has them."""

    def _in_units_of_target(
        self, beta: np.ndarray, bias: np.ndarray, target: Any, weights: RowWeights
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return beta (problems, n) and bias (problems,) in units of the target."""
        return beta, bias

    def _target(self, y: Any, n: int) -> Any:
        """Read the target of n rows."""
        raise TypeError(f"{type(self).__name__} must define _target")

    def _learn(self, kernels: FeatureKernels, target: Any, weights: RowWeights) -> Learned:
        """Return kernel weights (p,), beta (problems, n) and bias (problems,)."""
        raise TypeError(f"{type(self).__name__} must define _learn")

    def _values(self, X: Any) -> np.ndarray:
        """Return f (problems, n) of the rows."""
        check_is_fitted(self, "dual_coef_")
        table = self._rescaling.apply(read_features(self, X, reset=False))
        rows = self._scaling.apply(table.resolve_missing(self.missing, like=self._fill))
        total = np.repeat(self.intercept_[:, None], rows.shape[1], axis=1)
        for cells, curve, nominal in zip(rows, self._curves, self._scaling.nominal, strict=True):
            total += effect(curve, cells, bool(nominal))
        return total

    def effect_curves(self) -> list[EffectCurve]:
        """Return the effect of each feature on f; f is the intercept plus the sum of the effects.

        Returns
        -------
        list of EffectCurve
        """
        check_is_fitted(self, "dual_coef_")
        columns = self.schema_.columns
        return [
            self._in_units(column, curve, f)
            for f, (column, curve) in enumerate(zip(columns, self._curves, strict=True))
        ]

    def _in_units(self, column: Column, curve: BinnedCurve, f: int) -> EffectCurve:
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


def _curve(cells: np.ndarray, nominal: bool, beta: np.ndarray) -> BinnedCurve:
    """Compute g(x) = sum_i beta_i k_f(x, x_i) at the distinct scaled training values.

    Let B_k be the sum of the beta at or below x_k, and S the total. Then g(x_1) = sum_i beta_i
    (1 - x_i + x_1) and g(x_(k+1)) = g(x_k) + (x_(k+1) - x_k)(S - 2 B_k).
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
