"""Estimate the performance of a signature of all rows from nested cross-validation.

Notation. K folds; P_1 is the performance of models that have not seen one fold, P_2 that of models
that have not seen two, on the same rows, at the sizes chosen without both. Models of all n rows
learn from more than n (K - 1) / K rows, and choose their size better. With an error of a - b / n (b
>= 0), their performance is

    P_0 = P_1 + ((x_1 - x_0) / (x_2 - x_1)) (P_1 - P_2),   x_k = K / (K - k),

The factor is 0.8 for K = 10. The difference P_0 - P_1 is the training gain. If nothing can be
learned, P_1 and P_2 are equal up to chance, and the gain is noise. The intervals account for this
noise: they use fewer rows by the ratio of the variances of the means of P_0 and P_1, if it exceeds
1.
"""

from collections.abc import Sequence

import numpy as np

from hetsel.signature.nested.nested_cross_validation import NestedRun
from hetsel.signature.performance import NestedPerformance, class_measures, nested_performance
from hetsel.statistics.performance import rate_intervals
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.tables import Classes


def class_performance(
    runs: Sequence[NestedRun],
    auc: RateInterval,
    target: Classes,
    labels: Sequence[object],
    row_groups: np.ndarray | None,
    inner: float,
    level: float = 0.95,
    weights: np.ndarray | None = None,
) -> NestedPerformance:
    """Compute the performance of classes from nested cross-validations of one table.

    `labels` are the classes in the reported order; `inner` is the balanced accuracy of the chosen
    size by the cross-validation that chose it. With row weights, recalls are weighted, and
    intervals use Kish's effective number of rows, see
    :func:`hetsel.statistics.performance.rate_intervals.effective_rows`.
    """
    own_weight = np.ones(len(target)) if weights is None else weights
    right = np.mean([run.right for run in runs], axis=0)
    n_folds = int(runs[0].fold.max()) + 1
    gain = np.mean([run.right - run.right_with_less for run in runs], axis=0)
    gain = learning_factor(n_folds) * np.nan_to_num(gain)
    recalls, nested, counts, counting = [], [], [], []
    places = {label: code for code, label in enumerate(target.labels.tolist())}
    for label in np.asarray(labels).tolist():
        own = target.codes == places[label]
        groups = None if row_groups is None else row_groups[own]
        weight = own_weight[own]
        rate = float(np.average(right[own], weights=weight))
        more = float(np.average(gain[own], weights=weight))
        corrected = min(1.0, max(0.0, rate + more))
        effect = rate_intervals.OVERLAP * rate_intervals.design_effect(right[own], groups, weight)
        effect *= rate_intervals.variance_ratio(right[own] + gain[own], right[own], groups, weight)
        effect *= rate_intervals.few_groups_effect(groups, level, weight)
        counting.append(rate_intervals.effective_rows(weight) / effect)
        recalls.append(rate_intervals.wilson_interval(corrected, counting[-1], level))
        nested.append(rate)
        counts.append(int(own.sum()))
    bcr, plain = rate_intervals.balanced_interval(recalls, counting), float(np.mean(nested))
    # for each recall as for their mean: a separate upper end if few rows are wrong
    each = zip(recalls, counting, strict=True)
    own = [rate_intervals.balanced_interval([one], [rows]) for one, rows in each]
    measures = class_measures(bcr, own, auc, [*map(str, labels)], counts)
    about = (1 / len(own), inner, plain, n_folds, len(runs))
    return nested_performance("classes", measures, *about)


def with_learning(value: np.ndarray, with_less: np.ndarray, factor: float) -> np.ndarray:
    """Add the training gain to the contributions (n,) of rows, see the top of the module.

    v + factor (v - v'), v' of models that have seen less; v if there is no v' (NaN).
    """
    return np.asarray(value + factor * np.nan_to_num(value - with_less))


def learning_factor(folds: int) -> float:
    """Return (x_1 - x_0) / (x_2 - x_1), see the top of the module.

    Examples
    --------
    >>> round(learning_factor(10), 12)
    0.8
    """
    if folds < 3:
        return 0.0
    x0, x1, x2 = 1.0, folds / (folds - 1), folds / (folds - 2)
    return (x1 - x0) / (x2 - x1)
