"""p-values of a ranking by permuted targets.

The method ranks again with each permuted target. The importance of each feature is compared with
its importances there, all at the first step with all features (decision 045): from the first model
of an elimination, or before the first choice of a forward selection, at equal scale factors. See
`first` of :class:`hetsel.Ranking`.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import clone

from hetsel.ground import TableError, seed_drawn, whole_number
from hetsel.pitfalls.cautions_on_rows import asked_groups, refuse_copies
from hetsel.resampling import label_permutations, row_parts
from hetsel.selection import BaseSelector, Problem, Ranking
from hetsel.selection.column_choices import refuse_asked
from hetsel.selection.problem import read_asked_target
from hetsel.statistics.permutation_p_values import permutation_pvalue
from hetsel.tables import read_features, refuse_constant, refuse_other_rows, rescaled

STREAM = 9  # of the seeds, for permutations
FalseDiscoveries = Literal["benjamini-hochberg", "benjamini-yekutieli"]
PROCEDURES = {"benjamini-hochberg": "fdr_bh", "benjamini-yekutieli": "fdr_by"}
EQUAL = 1e-9  # relative to the largest: smaller differences of statistics are rounding


@dataclass(frozen=True, eq=False)
class PermutedRanking:
    """Hold the statistics of a ranking and of rankings with permuted targets.

    Parameters
    ----------
    names : tuple of str
        Names of the features.
    statistic : ndarray of shape (p,)
        Importance of each feature before any was dropped; larger is better.
    permuted : ndarray of shape (permutations, p)
        The same with permuted targets.
    ranks : ndarray of int, shape (p,)
        Final rank of each feature; 1 is best.

    See Also
    --------
    hetsel.permuted_ranking : Compute these statistics.

    Examples
    --------
    >>> null = np.array([[1.0, 2.0], [0.5, 1.5], [2.0, 0.1]])
    >>> found = PermutedRanking(("age", "sex"), np.array([3.0, 1.0]), null, np.array([1, 2]))
    >>> found.pvalues, found.adjusted
    (array([0.25, 0.75]), array([0.25, 1.  ]))
    """

    names: tuple[str, ...]
    statistic: np.ndarray
    permuted: np.ndarray
    ranks: np.ndarray

    @property
    def pvalues(self) -> np.ndarray:
        """p-value (p,) of each feature alone: (1 + number as large) / (1 + permutations)."""
        return self._pvalues(self.permuted)

    @property
    def adjusted(self) -> np.ndarray:
        """p-values (p,) adjusted for all features by the largest statistic of each permutation.

        They control the family-wise error rate in the weak sense: if no feature is related to the
        target, the probability that any has an adjusted p-value of at most alpha is at most alpha.
        They control it in the strong sense if the statistic of a feature does not depend on the
        other features, as in a filter.
        """
        return self._pvalues(self.permuted.max(axis=1, keepdims=True))

    def adjusted_by(self, procedure: FalseDiscoveries = "benjamini-hochberg") -> np.ndarray:
        """Adjust p-values (p,) for a false discovery rate: select those at or below the rate.

        A discovery is false if the target does not depend on the feature alone. So a feature that
        is merely correlated with an informative one is no false discovery; for conditional
        independence use :func:`hetsel.knockoff_selection`. This is the hypothesis of the p-values
        of a filter, whose statistic of a feature does not depend on other features. The p-values of
        other methods are valid if no feature is related to the target.

        "benjamini-hochberg" is proved for p-values that are independent or positively dependent
        (PRDS: given a larger p-value of a null feature, the others are not smaller). Correlated
        columns do not always satisfy this. At a nominal rate of 0.2, the observed rate was 0.096
        and 0.106 with 40 columns in blocks, and 0.165 and 0.168 with independent columns (hsic,
        mi-histogram; standard errors 0.024 to 0.031; tests/arena/campaigns/false_discoveries.py).
        "benjamini-yekutieli" is proved for every dependence and finds less: its values are H = 1 +
        1/2 + ... + 1/p times as large.

        No p-value is below 1/(permutations + 1). A single feature can be found at rate q only with
        at least p/q - 1 permutations, or H p/q - 1 for the second procedure, which is 855 for 40
        columns and q = 0.2.

        Parameters
        ----------
        procedure : {"benjamini-hochberg", "benjamini-yekutieli"}

        Returns
        -------
        ndarray of shape (p,)

        Raises
        ------
        TableError
            An unknown procedure.

        References
        ----------
        Benjamini & Hochberg (1995) Journal of the Royal Statistical Society B 57, 289-300;
        Benjamini & Yekutieli (2001) The Annals of Statistics 29, 1165-1188.
        """
        from statsmodels.stats.multitest import multipletests

        if procedure not in PROCEDURES:
            raise TableError(f"procedure must be one of {', '.join(PROCEDURES)}. Got {procedure!r}")
        adjusted = multipletests(self.pvalues, method=PROCEDURES[procedure])[1]
        return np.asarray(adjusted, dtype=np.float64)

    def _pvalues(self, null: np.ndarray) -> np.ndarray:
        margin = EQUAL * float(np.abs(self.statistic).max(initial=0.0))
        above = (null >= self.statistic - margin).sum(axis=0)
        return np.asarray(permutation_pvalue(above, len(self.permuted)))

    def frame(self) -> pd.DataFrame:
        """Return one row per feature by rank, with `statistic`, `pvalue` and `adjusted`."""
        order = np.argsort(self.ranks, kind="stable")
        content = {"rank": self.ranks, "statistic": self.statistic}
        content |= {"pvalue": self.pvalues, "adjusted": self.adjusted}
        names = pd.Series([self.names[j] for j in order], dtype=object)
        return pd.DataFrame(
            {"feature": names, **{name: values[order] for name, values in content.items()}}
        )


def permuted_ranking(
    selector: BaseSelector, X: Any, y: Any, *, permutations: int = 199, groups: Any = None
) -> PermutedRanking:
    """Compute a p-value of each feature by ranking with permuted targets.

    Parameters
    ----------
    selector : BaseSelector
        Any method that ranks all features; it is not changed. Its random_state draws the
        permutations.
    X, y : table and target
        See :meth:`hetsel.selection.BaseSelector.fit`.
    permutations : int
        The method runs once more for each permutation. No p-value is below
        1 / (permutations + 1).
    groups : array-like of shape (n,), "copies" or "rows", optional
        Row groups: the rows of a group exchange their targets together; see
        :func:`hetsel.resampling.label_permutations.permuted_target`. "copies", "rows" and None are
        those of :func:`hetsel.selection_in_halves`.

    Returns
    -------
    PermutedRanking

    Raises
    ------
    TableError
        A table, target or option that cannot be used; a method that does not rank all features, or
        that reports only ranks. Some feature has rank 1 for every target, so ranks give no small
        p-value.

    See Also
    --------
    hetsel.selection_in_halves : Stability selection.
    hetsel.knockoff_selection : Selection at a false discovery rate.

    References
    ----------
    Phipson & Smyth (2010) Statistical Applications in Genetics and Molecular Biology 9, 39;
    Westfall & Young (1993) Resampling-Based Multiple Testing (the adjusted ones).

    Examples
    --------
    >>> from hetsel import get_method
    >>> draw = np.random.default_rng(0)
    >>> x, y = draw.normal(size=(60, 3)), np.arange(60) % 2
    >>> x[:, 1] += 2 * y
    >>> found = permuted_ranking(get_method("anova-f")(), x, y, permutations=99)
    >>> found.pvalues.round(2), found.adjusted.round(2)
    (array([0.28, 0.01, 0.39]), array([0.69, 0.01, 0.63]))
    """
    permutations = whole_number("permutations", permutations, 1)
    refuse_asked(selector, "permuted rows")
    method = clone(selector)
    problem = problem_with_groups(method, X, y, groups, selector.random_state)
    names, seed = tuple(problem.table.names), problem.seed
    problem = row_parts.in_canonical_order(problem, method.missing, method.scale)
    complete = rescaled(problem.table, method.scale).resolve_missing(method.missing)
    problem = replace(problem, table=complete)
    statistic, ranks = first_statistic(method, problem)
    drawing = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(STREAM,)))
    permuted = [
        first_statistic(method, label_permutations.permuted_target(problem, drawing))[0]
        for _ in range(permutations)
    ]
    return PermutedRanking(names, statistic, np.array(permuted), ranks)


def problem_with_groups(
    method: BaseSelector, X: Any, y: Any, groups: Any, random_state: Any
) -> Problem:
    """Read the problem of a table without sizes; duplicate rows need row groups."""
    refuse_other_rows(X, y=y, groups=groups)
    table = read_features(method, X, reset=True)
    refuse_constant(table.resolve_missing(method.missing))
    target = read_asked_target(y, table.shape[0], method.target_kind)
    method.refuse_target(target)
    refuse_copies(table, target, groups)
    rows, _ = asked_groups(groups, table, target)
    seed = seed_drawn("random_state", random_state)
    return Problem(table, target, (), seed, row_groups=rows)


def first_statistic(method: BaseSelector, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Return the importances (p,) before any feature was dropped, and the final ranks (p,)."""
    answer = complete_ranking(method, problem)
    if not len(answer.compared):
        raise TableError(
            f"{type(method).__name__} reports only ranks or relative importances, so some feature "
            "is first for every target and no adjusted p-value can be small. Use a method whose "
            "importances can be compared between targets"
        )
    return answer.compared, answer.ranks


def complete_ranking(method: BaseSelector, problem: Problem) -> Ranking:
    """Return the answer of a method that ranks all features; refuse others."""
    answer = method.solve(problem)
    if not isinstance(answer, Ranking) or not answer.complete:
        raise TableError(
            f"the method must rank all features. Got {type(method).__name__}, which ranks only "
            "some or selects subsets. Use a method that ranks all features, such as hsic or rfe-mkl"
        )
    return answer


def compared_statistic(method: BaseSelector, problem: Problem) -> tuple[np.ndarray, bool]:
    """Return the statistic (p,) that compares features, and whether it is a rank."""
    answer = complete_ranking(method, problem)
    if answer.steps:
        return -answer.ranks.astype(np.float64), True
    return np.asarray(answer.importance, dtype=np.float64), False
