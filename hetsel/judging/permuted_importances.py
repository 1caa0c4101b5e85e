"""p-values of a ranking: how large would the importances be if the labels knew nothing?

The labels are permuted, the method ranks anew, and each feature is compared with what it was given
then, at the first step, with all features there (decision 045): by the first model of an
elimination, before the first choice of a forward selection, at equal scale factors; see
:class:`hetsel.Ranking`, `first`.
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

STREAM = 9  # of the seeds: permutations of their own
FalseDiscoveries = Literal["benjamini-hochberg", "benjamini-yekutieli"]
PROCEDURES = {"benjamini-hochberg": "fdr_bh", "benjamini-yekutieli": "fdr_by"}
EQUAL = 1e-9  # of the largest: statistics that differ by less are equal but for rounding


@dataclass(frozen=True, eq=False)
class PermutedRanking:
    """The statistics of a ranking, of the labels as they are and of permuted ones.

    Parameters
    ----------
    names : tuple of str
        Of the features.
    statistic : ndarray of shape (p,)
        What the method gave each while all were there; larger is better.
    permuted : ndarray of shape (permutations, p)
    ranks : ndarray of int, shape (p,)
        Where the method ranks them in the end, 1 is best.
    """

    names: tuple[str, ...]
    statistic: np.ndarray
    permuted: np.ndarray
    ranks: np.ndarray

    @property
    def pvalues(self) -> np.ndarray:
        """p-value (p,) of each feature by itself: (1 + as large) / (1 + permutations)."""
        return self._pvalues(self.permuted)

    @property
    def adjusted(self) -> np.ndarray:
        """p-values (p,) adjusted for all features by the largest statistic of each permutation.

        The chance that any feature which knows nothing has one at or below alpha is at most alpha,
        where no feature knows anything (family-wise, in the weak sense; in the strong one if what
        a feature is given does not depend on what others know, as of a filter).
        """
        return self._pvalues(self.permuted.max(axis=1, keepdims=True))

    def adjusted_by(self, procedure: FalseDiscoveries = "benjamini-hochberg") -> np.ndarray:
        """p-values (p,) adjusted for a false discovery rate: at or below q are those of rate q.

        False is a feature that the class does not depend on, looked at by itself: one that only
        goes with a telling feature is no false discovery (:func:`hetsel.knockoff_selection` is
        about what the others leave to tell). That is what the p-values of a filter are about, whose
        statistic of a feature depends on no other. Those of other methods are p-values where no
        feature knows anything.

        "benjamini-hochberg" is proved for p-values that are independent or depend positively (PRDS:
        given a larger p-value of a null feature, the others are not smaller), which those of
        columns that go together do not always. At a wanted 0.2 its rate was 0.096 and 0.106 with 40
        columns in blocks, 0.165 and 0.168 with independent ones (hsic, mi-histogram; standard
        errors 0.024 to 0.031; tests/arena/campaigns/false_discoveries.py). "benjamini-yekutieli" is
        proved whatever the dependence, and finds less: its values are H = 1 + 1/2 + ... + 1/p times
        as large.

        No p-value is below 1/(permutations + 1): one feature alone can be found at rate q from p/q
        - 1 permutations on, by the second procedure from H p/q - 1 on: 855 for 40 columns and 0.2.

        Parameters
        ----------
        procedure : {"benjamini-hochberg", "benjamini-yekutieli"}

        Raises
        ------
        TableError
            Another procedure.

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
        """One row a feature, by rank: `feature`, `rank`, `statistic`, `pvalue`, `adjusted`."""
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
    """Rank a table, and again with permuted labels, for a p-value of each feature.

    Parameters
    ----------
    selector : BaseSelector
        Any method that ranks all features; it is not fitted, and stays as it is. Its random_state
        draws the permutations.
    X, y : see :meth:`hetsel.selection.BaseSelector.fit`
    permutations : int
        The method is run once more for each. No p-value is below 1 / (permutations + 1).
    groups : array-like of shape (n,), "copies" or "rows", optional
        Rows of one label exchange their labels together, see
        :func:`hetsel.resampling.label_permutations.permuted_target`; words and None as
        :func:`hetsel.selection_in_halves` takes them.

    Raises
    ------
    TableError
        A table, target or option that cannot be used; a method that does not rank all features, or
        tells their ranks only: some feature is first whatever the labels, so that no rank is small.

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
    """The problem of a table, without sizes, whose equal rows, if any, are told to be groups."""
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
    """What a method gives features (p,) while all are there, and their ranks (p,) in the end."""
    answer = complete_ranking(method, problem)
    if not len(answer.compared):
        raise TableError(
            f"{type(method).__name__} tells ranks only, or shares of the largest importance, and "
            "some feature is first whatever the labels: no p-value that is adjusted for all "
            "features could be small. Take a method whose importances compare over labels"
        )
    return answer.compared, answer.ranks


def complete_ranking(method: BaseSelector, problem: Problem) -> Ranking:
    """What the method answers, if that is a ranking of all features."""
    answer = method.solve(problem)
    if not isinstance(answer, Ranking) or not answer.complete:
        raise TableError(
            "all features must be compared, by a method that ranks all features: a search "
            "has subsets only, and the best few say nothing of the others"
        )
    return answer


def compared_statistic(method: BaseSelector, problem: Problem) -> tuple[np.ndarray, bool]:
    """What features of one ranking are compared by (p,), and whether it is the rank."""
    answer = complete_ranking(method, problem)
    if answer.steps:
        return -answer.ranks.astype(np.float64), True
    return np.asarray(answer.importance, dtype=np.float64), False
