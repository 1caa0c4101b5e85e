"""Estimate the performance for a numeric target: R^2, errors and rank correlation.

Notation. e_i is the error of row i, predicted by a nested cross-validation, y_i its number, m the
mean of all rows.

    R^2 = 1 - sum_i e_i^2 / sum_i (y_i - m)^2,

see :mod:`hetsel.statistics.performance.scores`. Its interval refers to new rows. m is nearer to
these rows than to new ones, so the variance of m is added to mean (y_i - m)^2 (for equal weights
this is the variance with divisor n - 1). RMSE is the root of mean e_i^2, MAE is mean |e_i|. The
rank correlation is Kendall's, the proportion of pairs in the right order minus that in the wrong
order, among pairs inside of a fold with two numbers. The training gain is added to each row's loss,
and to each pair, as in :mod:`hetsel.signature.nested.nested_performance`. With several
cross-validations, a row's loss is their mean.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from hetsel.signature import performance
from hetsel.signature.nested import nested_performance, nested_values
from hetsel.signature.performance import HeldOutRows, NestedPerformance
from hetsel.statistics.performance import (
    auc_and_concordance_intervals,
    loss_intervals,
    rate_intervals,
    scores,
)

Loss = Callable[[np.ndarray], np.ndarray]  # of errors (n,)
DRAWN = 400  # rows of a scatter plot
LEAST_LEFT = 0.1  # of a loss, however much more rows would improve it
DIGITS = 5  # of the numbers of a scatter plot


def number_performance(
    runs: Sequence[nested_values.NestedValues],
    truth: np.ndarray,
    row_groups: np.ndarray | None,
    inner: float,
    level: float = 0.95,
    weights: np.ndarray | None = None,
) -> NestedPerformance:
    """Compute the performance of numbers from nested cross-validations of one table.

    `inner` is R^2 of the chosen size by the cross-validation that chose it.
    """
    factor = nested_performance.learning_factor(runs[0].folds)
    squares, plain = _losses(runs, truth, factor, np.square)
    sizes, plain_sizes = _losses(runs, truth, factor, np.abs)
    mean = np.average(truth, weights=weights)
    away = (truth - mean) ** 2
    own = np.ones(len(truth)) if weights is None else weights
    of_mean = loss_intervals.jackknife_variance(own * (truth - mean) / own.sum(), own, row_groups)
    given = (weights, row_groups)
    spread = scores.spread_of(truth, weights)
    new = loss_intervals.told_interval(
        squares, away * (1 + of_mean / spread), *given, also=plain, level=level
    )
    told = replace(new, estimate=1.0 - float(np.average(squares, weights=weights)) / spread)
    nested = 1.0 - float(np.average(plain, weights=weights)) / spread
    rmse = loss_intervals.loss_interval(
        squares, *given, references=away, also=plain, power=0.5, level=level
    )
    mae = loss_intervals.loss_interval(
        sizes, *given, references=np.sqrt(away), also=plain_sizes, level=level
    )
    rank = _rank_interval(runs, truth, factor, *given, level)
    labels = {"r2": "R²", "rmse": "RMSE", "mae": "MAE", "rank": "rank correlation"}
    each = zip(labels.items(), (told, rmse, mae, rank), strict=True)
    measures = [performance.measure_of(key, label, one, len(truth)) for (key, label), one in each]
    shown = HeldOutRows(scatter_points(truth, np.mean([run.predicted for run in runs], axis=0)))
    about = (0.0, inner, nested, runs[0].folds, len(runs), shown)
    return performance.nested_performance("numbers", measures, *about)


def _losses(
    runs: Sequence[nested_values.NestedValues], truth: np.ndarray, factor: float, loss: Loss
) -> tuple[np.ndarray, np.ndarray]:
    """Compute losses (n,) of models of all rows, and of those without a fold; means of the runs."""
    plain = np.mean([loss(truth - run.predicted) for run in runs], axis=0)
    less = np.mean([mean_of_models(loss(truth - run.with_less)) for run in runs], axis=0)
    more = nested_performance.with_learning(plain, less, factor)
    if more.mean() < LEAST_LEFT * plain.mean():
        more = LEAST_LEFT * plain
    return more, plain


def mean_of_models(values: np.ndarray) -> np.ndarray:
    """Average values (K, n) over the existing models (n,); NaN if there are none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # if there is no model
        return np.asarray(np.nanmean(values, axis=0))


def _rank_interval(
    runs: Sequence[nested_values.NestedValues],
    truth: np.ndarray,
    factor: float,
    weights: np.ndarray | None,
    groups: np.ndarray | None,
    level: float,
) -> rate_intervals.RateInterval:
    """Compute the interval of the rank correlation from all pairs inside of folds."""
    order = np.unique(truth, return_inverse=True)[1]
    sums = concordance_sums(runs, order, np.ones(len(truth)), -1.0, factor, weights, groups)
    found = auc_and_concordance_intervals.concordance_interval(
        sums[0], sums[2], weights, groups, also=sums[1], level=level
    )
    return auc_and_concordance_intervals.on_scale(found, lambda share: 2 * share - 1)


def concordance_sums(
    runs: Sequence[nested_values.NestedValues],
    order: np.ndarray,
    first: np.ndarray,
    sign: float,
    factor: float,
    weights: np.ndarray | None,
    groups: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Add up pairs: correct by models of all rows, correct by models without a fold, and all.

    The sums are over the runs, for each two units (G, G); for more than MOST units for each row
    (n,), see :mod:`hetsel.statistics.performance.auc_and_concordance_intervals`. `sign` is 1 if
    predictions are risk scores, -1 if they are in the order of `order` (n,).
    """
    units = np.arange(len(order)) if groups is None else np.unique(groups, return_inverse=True)[1]
    few = int(units.max()) < auc_and_concordance_intervals.MOST
    plain, more, pairs = (
        np.zeros((int(units.max()) + 1,) * 2 if few else len(order)) for _ in range(3)
    )
    for run in runs:
        for k in range(run.folds):
            rows = run.fold == k
            others = run.with_less[:, rows]
            values = np.vstack([run.predicted[rows], others[~np.isnan(others).any(axis=1)]])
            own = None if weights is None else weights[rows]
            pair = (order[rows], first[rows], sign * values)
            at: np.ndarray | tuple[np.ndarray, ...] = rows
            if few:
                there, code = np.unique(units[rows], return_inverse=True)
                right, held = auc_and_concordance_intervals.sums_of_units(
                    *pair, units=code, weights=own
                )
                at = np.ix_(there, there)
            else:
                right, held = auc_and_concordance_intervals.concordant_sums(*pair, weights=own)
            less = right[1:].mean(axis=0) if len(right) > 1 else np.full(held.shape, np.nan)
            plain[at] += right[0]
            more[at] += nested_performance.with_learning(right[0], less, factor)
            pairs[at] += held
    return more, plain, pairs


def scatter_points(truth: np.ndarray, predicted: np.ndarray) -> list[tuple[float, float]]:
    """Return some rows as (predicted, observed), evenly spaced by prediction, with few digits.

    Examples
    --------
    >>> scatter_points(np.array([1.0, 2.0]), np.array([1.7, 1.23456789]))
    [(1.2346, 2.0), (1.7, 1.0)]
    """
    rows = np.lexsort([truth, predicted])
    if len(rows) > DRAWN:
        rows = rows[np.linspace(0, len(rows) - 1, DRAWN).astype(np.intp)]
    pairs = zip(predicted[rows].tolist(), truth[rows].tolist(), strict=True)
    return [(float(f"{at:.{DIGITS}g}"), float(f"{seen:.{DIGITS}g}")) for at, seen in pairs]
