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
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.signature.nested.nested_cross_validation import NestedRun
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


@dataclass(frozen=True)
class Performance:
    """Performance of a signature and its model on rows that they have not seen.

    Parameters
    ----------
    bcr : RateInterval
        Balanced classification rate of the model of all rows, with its interval.
    recalls : tuple of RateInterval
        Share of the rows of each class that are predicted right, in the order of `classes`; of two
        classes specificity and sensitivity.
    classes : tuple of str
        The positive one of two is the last.
    rows : tuple of int
        Rows of each class.
    auc : RateInterval
        Area under the ROC curve, of pairs of rows inside of folds, with its interval; of more than
        two classes the mean of the areas of each against the rest.
    inner_bcr : float
        What the cross-validation that chose the size says of the size that it chose.
    optimism : float
        Inner rate less the nested one, both of models that have not seen one fold.
    learning : float
        What was added to the nested rate, as models of all rows learn from more; see
        :mod:`hetsel.signature.nested.nested_performance`. 0 where the size was given.
    folds, runs : int
        K, and how many cross-validations.
    low_alone : float or None
        Where the interval of the BCR would begin without the test against chance; None where the
        test moved nothing, see :func:`agreed`.
    """

    bcr: RateInterval
    recalls: tuple[RateInterval, ...]
    classes: tuple[str, ...]
    rows: tuple[int, ...]
    auc: RateInterval
    inner_bcr: float
    optimism: float
    learning: float
    folds: int
    runs: int
    low_alone: float | None = None

    @property
    def main(self) -> RateInterval:
        """The main measure: the BCR."""
        return self.bcr

    @property
    def chance(self) -> float:
        """The BCR of guessing."""
        return 1 / len(self.recalls)

    def frame(self) -> pd.DataFrame:
        """The rates, one row each: measure, class, rate, low, high, rows."""
        content: list[tuple[Any, ...]] = [
            ("BCR", "", self.bcr.rate, self.bcr.low, self.bcr.high, sum(self.rows))
        ]
        for one, label, count in zip(self.recalls, self.classes, self.rows, strict=True):
            content.append(("recall", label, one.rate, one.low, one.high, count))
        auc = self.auc
        content.append(("AUC", "", auc.rate, auc.low, auc.high, sum(self.rows)))
        columns = ["measure", "class", "rate", "low", "high", "rows"]
        return pd.DataFrame(content, columns=columns)


def performance(
    runs: Sequence[NestedRun],
    auc: RateInterval,
    target: Classes,
    labels: Sequence[Any],
    row_groups: np.ndarray | None,
    inner_bcr: float,
    level: float = 0.95,
    weights: np.ndarray | None = None,
) -> Performance:
    """The performance that nested cross-validations of one table show.

    Parameters
    ----------
    runs : sequence of NestedRun
    auc : RateInterval
        See :func:`hetsel.signature.nested.nested_decisions.area_by_folds`.
    target : Classes
        Of all rows, its codes those of the runs.
    labels : sequence
        The classes in the order to report them.
    row_groups : ndarray of int, shape (n,), optional
    inner_bcr : float
    level : float
        Level of the intervals.
    weights : ndarray of shape (n,), optional
        Of the rows: recalls are weighted, and intervals count Kish's effective number of
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
    return Performance(
        bcr,
        tuple(balanced_interval([one], [rows]) for one, rows in each),
        tuple(map(str, labels)),
        tuple(counts),
        auc,
        inner_bcr,
        inner_bcr - plain,
        bcr.rate - plain,
        n_folds,
        len(runs),
    )


def agreed(found: Performance, above_chance: bool) -> Performance:
    """The performance with the interval of its BCR on the side of chance where the test puts it.

    Both err in 2.5 % of tables of noise, the test more exactly there and with more power: where it
    rejects, the interval begins at chance or above; where it does not, at chance or below. Rates
    above chance are held as often as before, or more often. A rate that is no larger than chance
    itself is left as it is, whatever the test says.

    Parameters
    ----------
    found : Performance
    above_chance : bool
        What the test says.
    """
    bcr, chance = found.bcr, found.chance
    low = bcr.low if bcr.rate <= chance else (max if above_chance else min)(bcr.low, chance)
    if low == bcr.low:
        return found
    return replace(found, bcr=replace(bcr, low=low), low_alone=bcr.low)


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
