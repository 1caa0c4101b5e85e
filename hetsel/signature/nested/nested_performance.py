"""How good a signature is: what nested cross-validation says of models of all rows.

Notation. K folds; P_1 what models that have not seen one fold predict right, P_2 what models that
have not seen two predict right of the same rows, at the sizes that are chosen without both. Models
of all n rows learn from more than those of n (K - 1) / K, and choose their size better. With an
error of a - b / n (b >= 0) their rate is

    P_0 = P_1 + ((x_1 - x_0) / (x_2 - x_1)) (P_1 - P_2),   x_k = K / (K - k),

for K = 10 the factor is 0.8. Where nothing can be learned P_1 and P_2 are equal but for chance, and
nothing is added but noise. That counts: the intervals have fewer rows by the variance of the mean
of P_0 over that of P_1, where it is larger.
"""

from collections.abc import Sequence

import numpy as np

from hetsel.signature.nested.nested_cross_validation import NestedRun
from hetsel.signature.performance import NestedPerformance, class_measures, nested_performance
from hetsel.statistics.performance.rate_intervals import (
    OVERLAP,
    RateInterval,
    balanced_interval,
    design_effect,
    effective_rows,
    few_groups_effect,
    variance_ratio,
    wilson_interval,
)
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
    """The performance that nested cross-validations of one table show.

    `labels` are the classes in the order to report them, `inner` is the BCR of the chosen size by
    what chose it. With weights recalls are weighted, and intervals count Kish's effective number of
    rows, see :func:`hetsel.statistics.performance.rate_intervals.effective_rows`.
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
        effect = OVERLAP * design_effect(right[own], groups, weight)
        effect *= variance_ratio(right[own] + gain[own], right[own], groups, weight)
        effect *= few_groups_effect(groups, level, weight)
        counting.append(effective_rows(weight) / effect)
        recalls.append(wilson_interval(corrected, counting[-1], level))
        nested.append(rate)
        counts.append(int(own.sum()))
    bcr, plain = balanced_interval(recalls, counting), float(np.mean(nested))
    # of each alone as of their mean: an upper end of its own where few are wrong
    each = zip(recalls, counting, strict=True)
    own = [balanced_interval([one], [rows]) for one, rows in each]
    measures = class_measures(bcr, own, auc, [*map(str, labels)], counts)
    about = (1 / len(own), inner, plain, n_folds, len(runs))
    return nested_performance("classes", measures, *about)


def with_learning(value: np.ndarray, with_less: np.ndarray, factor: float) -> np.ndarray:
    """Contributions (n,) of rows as models of all rows would give them, see the top of this module.

    v + factor (v - v'), v' of models that have seen less; v where there is no v' (NaN).
    """
    return np.asarray(value + factor * np.nan_to_num(value - with_less))


def learning_factor(folds: int) -> float:
    """(x_1 - x_0) / (x_2 - x_1), see the top of this module.

    Examples
    --------
    >>> round(learning_factor(10), 12)
    0.8
    """
    if folds < 3:
        return 0.0
    x0, x1, x2 = 1.0, folds / (folds - 1), folds / (folds - 2)
    return (x1 - x0) / (x2 - x1)
