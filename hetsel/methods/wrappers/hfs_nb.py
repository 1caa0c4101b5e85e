"""HFS^NB: hybrid feature selection, two filters merged by the performance of naive Bayes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hetsel.errors import TableError
from hetsel.methods.filters.fisher_exact import fisher_logs, fisher_tests
from hetsel.methods.filters.t_test import t_test_logs
from hetsel.search.criteria import AdditiveCriterion, NaiveBayesCriterion, stratified_folds
from hetsel.selection.answer import Ranking, Step, best_first, merge
from hetsel.selection.base import BaseSelector
from hetsel.tables.table import Table
from hetsel.tables.validation import at_least


@dataclass(eq=False, repr=False, kw_only=True)
class HybridSelector(BaseSelector):
    """What the two hybrid methods share: two filters, and a classifier that merges them.

    Continuous and ordinal columns (by the numbers of their levels) are ranked by the t-test (more
    than two classes: the F-test), nominal ones by Fisher's exact test. Then the subset grows from
    empty: the heads of both lists are tried, and the one goes next with which the classifier has
    the larger cross-validated balanced classification rate; of two equal ones the one of the
    smaller p-value, then of the lower column index.

    `importances_` is p for the first feature, 1 for the last. `trace_` has the balanced
    classification rate after each feature. `log_pvalues_` (p,) has the natural logarithm of the
    p-value of each column's own test.

    Parameters
    ----------
    folds : int
        Number of folds, drawn once and stratified; no more than rows of the rarest class.
    samples, limit : int
        As in `fisher-exact`, but smaller: the p-values only order the columns, and a few percent of
        error are far below their spread.
    """

    folds: int = 5
    samples: int = 20_000
    limit: int = 300_000

    family: ClassVar = "wrapper"

    def _criterion(self, table: Table, y: np.ndarray, fold: np.ndarray) -> AdditiveCriterion:
        """The criterion that merges the lists, with nothing selected yet."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say what merges")

    def _select(
        self, table: Table, y: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
    ) -> Ranking:
        at_least("folds", self.folds, 2)
        fold = stratified_folds(y, self.folds, rng)
        logs = self._own_tests(table, y, seed=int(rng.integers(2**31)))
        criterion = self._criterion(table, y, fold)
        trace: list[Step] = []

        def choose(one: int, other: int) -> int:
            heads = sorted({one, other}, key=lambda f: (logs[f], f))
            scores = [criterion.score(f) for f in heads]
            best = scores.index(max(scores))
            criterion.add(heads[best])
            trace.append(Step(len(trace), (heads[best],), scores[best]))
            return heads[best]

        ranked = best_first(-logs)
        nominal = table.nominal[ranked]
        order = merge(ranked[~nominal], ranked[nominal], choose)
        importance = np.empty(len(order))
        importance[order] = np.arange(len(order), 0, -1)
        self.log_pvalues_ = logs
        return Ranking(order, importance, tuple(trace))

    def _own_tests(self, table: Table, y: np.ndarray, seed: int) -> np.ndarray:
        """Log p-value (p,) of each column: t-test or F-test, Fisher's exact test if nominal."""
        logs, nominal = np.empty(table.shape[1]), table.nominal
        if not nominal.all():
            logs[~nominal] = t_test_logs(table.values[:, ~nominal], y)
        if nominal.any():
            levels = table.take(columns=nominal)
            tests = fisher_tests(levels, y, samples=self.samples, limit=self.limit, seed=seed)
            logs[nominal] = fisher_logs(tests)
        return logs


@dataclass(eq=False, repr=False, kw_only=True)
class HybridFeatureSelector(HybridSelector):
    """Hybrid feature selection with naive Bayes: two filters, merged by what they add.

    The list of numbers (t-test) and the list of nominal columns (Fisher's exact test) are merged
    greedily by the cross-validated balanced classification rate of naive Bayes: Gaussian for
    numbers, smoothed shares for levels; see :class:`hetsel.search.criteria.NaiveBayesCriterion`.

    Parameters
    ----------
    folds : int
        Number of folds, drawn once and stratified; no more than rows of the rarest class.
    samples, limit : int
        As in `fisher-exact`, but smaller: the p-values only order the columns, and a few percent of
        error are far below their spread.
    smoothing : float
        Added to every count of a level, larger than 0.
    var_smoothing : float
        Share of a column's variance added to the variance of each class, larger than 0.

    Attributes
    ----------
    importances_ : ndarray of float, shape (p,)
        p for the first feature, 1 for the last.
    trace_ : tuple of Step
        Each feature with the balanced classification rate once it is in.
    log_pvalues_ : ndarray of float, shape (p,)
        Natural logarithm of the p-value of the column's own test.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 3.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> HybridFeatureSelector(size=1).fit(frame, [0, 0, 1, 1]).get_feature_names_out()
    array(['sex'], dtype=object)
    """

    smoothing: float = 1.0
    var_smoothing: float = 1e-9

    key: ClassVar[str] = "hfs-nb"
    title: ClassVar[str] = "t-test and Fisher's exact test merged by naive Bayes"
    paper: ClassVar[str] = "paul2015, section 3"

    def _criterion(self, table: Table, y: np.ndarray, fold: np.ndarray) -> AdditiveCriterion:
        for name in ("smoothing", "var_smoothing"):
            value = getattr(self, name)
            if not 0 < value < np.inf:
                raise TableError(f"{name} must be a number larger than 0. Got {value!r}")
        return NaiveBayesCriterion(
            table, y, fold, smoothing=self.smoothing, var_smoothing=self.var_smoothing
        )
