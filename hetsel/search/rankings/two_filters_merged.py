"""Hybrid selection: two filters, merged by the gain of each head for a classifier."""

from collections.abc import Callable

import numpy as np

from hetsel.ground import TableError, whole_number
from hetsel.ground.equal_numbers import equalized
from hetsel.resampling.row_parts import in_canonical_order
from hetsel.search.criteria.criterion import SubsetCriterion, rows_seen
from hetsel.search.rankings.logs_of_column_tests import fisher_logs, fisher_tests, t_test_logs
from hetsel.selection import BaseSelector, Problem, Ranking, Step, order_best_first
from hetsel.statistics.column_tests import linear_tests, survival_tests
from hetsel.tables import Classes, Numbers, Survival, Table
from hetsel.tables.validation import constant_columns


class HybridSelector(BaseSelector):
    """Base of the hybrid methods: two filters, and a classifier that merges their lists.

    Continuous and ordinal columns (by the numbers of their levels) are ranked by the t-test, or the
    F-test for more than two classes; nominal columns by Fisher's exact test. Then the subset grows
    from empty. The heads of both lists are tried, and the one with the larger cross-validated
    balanced accuracy of the classifier is next. Ties go to the smaller p-value, then to the lower
    column index. Constant columns come last.

    For a numeric target the first list is ranked by the F-test of the slope (of Pearson's
    correlation), the second by the F-test of one-way analysis of variance. For survival times the
    tests are the score test of Cox's model and the log-rank test.

    Parameters
    ----------
    folds : int
        Number of folds, drawn once and stratified; at most the number of rows in the rarest class.
    samples, limit : int
        As in `fisher-exact`, but smaller: the p-values only order the columns, and an error of a
        few percent is far below their differences.

    Attributes
    ----------
    importances_ : ndarray of float, shape (p,)
        p for the first feature, 1 for the last.
    answer_ : Ranking
        Its steps list each feature with the balanced accuracy, R^2 or concordance after it entered.
        Its extra `log_pvalue` (p,) is the natural logarithm of the p-value of each column's own
        test.
    """

    folds: int = 5
    samples: int = 20_000
    limit: int = 300_000

    def _criterion(self) -> SubsetCriterion:
        """Return the criterion that merges the lists."""
        raise TypeError(f"{type(self).__name__} must define _criterion")

    def _select(self, problem: Problem) -> Ranking:
        whole_number("folds", self.folds, 2)
        if (
            problem.target.kind != "classes"
        ):  # for classes the order of the rows is kept, as in earlier versions
            problem = in_canonical_order(problem, "separate", "range")
        logs = self._own_tests(problem)
        criterion = self._criterion()
        state = criterion.start(problem)
        steps: list[Step] = []

        def choose(one: int, other: int) -> int:
            heads = [one] if one == other else sorted((one, other), key=lambda f: (logs[f], f))
            rates = state.values_with(heads)
            best = int(rates.argmax())
            state.add(heads[best])
            steps.append(Step(len(steps), (heads[best],), float(rates[best])))
            return heads[best]

        still = constant_columns(problem.table)
        ranked = order_best_first(-logs, ~still)
        nominal, kept = problem.table.nominal[ranked], ~still[ranked]
        order = merge_rankings(ranked[~nominal & kept], ranked[nominal & kept], choose)
        order = np.append(order, [choose(f, f) for f in ranked[~kept].tolist()]).astype(np.intp)
        importance = np.empty(len(order))
        importance[order] = np.arange(len(order), 0, -1)
        seen = min(rows_seen(criterion, problem))
        extras, sampled = {"log_pvalue": logs}, 0 if seen == problem.n else seen
        return Ranking(order, importance, tuple(steps), extras, first=-logs, sampled=sampled)

    def _own_tests(self, problem: Problem) -> np.ndarray:
        """Return the log p-value (p,) of each column's own test."""
        table = problem.table
        if not isinstance(problem.target, Classes):
            return _tests_otherwise(table, problem.target)
        y = problem.classes.codes
        seed = int(problem.rng(1).integers(2**31))
        logs, nominal = np.empty(table.shape[1]), table.nominal
        if not nominal.all():
            logs[~nominal] = t_test_logs(table.values[:, ~nominal], y)
        if nominal.any():
            levels = table.take(columns=nominal)
            given = {"samples": self.samples, "limit": self.limit, "seed": seed}
            tests = fisher_tests(levels, y, **given, judging=not problem.proved)
            logs[nominal] = fisher_logs(tests)
        return logs


def _tests_otherwise(table: Table, target: Numbers | Survival) -> np.ndarray:
    """Return the log p-value (p,) of each column for a numeric target or survival times."""
    logs = np.empty(table.shape[1])
    for columns, levels in ((table.nominal, True), (~table.nominal, False)):
        if not columns.any():
            continue
        cells = table.values[:, columns]
        if isinstance(target, Numbers):
            tests = (linear_tests.levels_f if levels else linear_tests.slope_f)(
                cells, target.values
            )
        else:
            tests = (survival_tests.log_rank if levels else survival_tests.cox_score)(
                cells, target.times, target.events
            )
        logs[columns] = tests.log_pvalue
    return equalized(logs)


def merge_rankings(
    first: np.ndarray, second: np.ndarray, choose: Callable[[int, int], int]
) -> np.ndarray:
    """Merge two rankings of different features: `choose` names the next of the two heads.

    Once one list is used up each head is passed as choose(head, head), which updates a criterion.
    """
    merged: list[int] = []
    one, other = first.tolist(), second.tolist()
    i = j = 0
    while i < len(one) or j < len(other):
        left = one[i] if i < len(one) else other[j]
        right = other[j] if j < len(other) else left
        taken = choose(left, right)
        if taken not in (left, right):
            raise TableError(
                f"choose must return one of the two heads {left}, {right}. Got {taken}"
            )
        merged.append(taken)
        if i < len(one) and taken == left:
            i += 1
        else:
            j += 1
    return np.array(merged, dtype=np.intp)
