"""Stability selection with any method: which features are selected in most halves of the rows?

The rows are parted at random into two halves, many times, and the method selects a signature in
each half. The number of features that are selected in nearly all of them by chance is bounded,
whatever the method; see :mod:`hetsel.statistics.stability.false_selection_bounds`. The theorems ask
for two halves of a pair that are independent of each other. Here they are so given the classes:
each half has its share of every class, and the rows of a class, or the row groups, are taken as
independent. They bound the false selections of features that chance selects with a probability of
size/p at most; what it selects more often shows in halves with a permuted target, and has a
threshold of its own, by the same bound (decision 078).

References: Meinshausen & Buehlmann (2010) Journal of the Royal Statistical Society B 72, 417-473;
Shah & Samworth (2013) Journal of the Royal Statistical Society B 75, 55-80.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import special
from sklearn.base import clone

from hetsel.ground import TableError, shown, whole_number
from hetsel.judging.permuted_importances import problem_with_groups
from hetsel.resampling import halves_and_bootstraps, label_permutations, row_parts
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import BaseSelector, Problem
from hetsel.selection.answer import check_size
from hetsel.selection.column_choices import positions, refuse_no_method
from hetsel.statistics.stability import false_selection_bounds as bounds

STREAM = 8  # of the seeds: halves and selections of their own
LEVEL = 0.05  # of all features together, at which chance selects one more often than the others


@dataclass(frozen=True, eq=False)
class HalfSelection:
    """What was selected in the halves, and what in enough of them.

    Parameters
    ----------
    chosen : ndarray of bool, shape (2B, p)
        Row 2j and row 2j + 1 are the two halves of pair j.
    names : tuple of str
        Of the features.
    size : int
        q, the number of features selected in each half.
    threshold : float
        The smallest frequency k/(2B) that is enough; see `thresholds` for its exceptions.
    bound : float
        On the expected number of noise features among those selected, proved under
        `assumption`, see :func:`hetsel.stability.false_selection_bound`.
    permuted : ndarray of bool, shape (2M, p)
        What was selected in the halves of M pairs with a permuted target.
    """

    chosen: np.ndarray
    names: tuple[str, ...]
    size: int
    threshold: float
    bound: float
    assumption: bounds.Assumption
    permuted: np.ndarray

    @property
    def pairs(self) -> int:
        """B."""
        return len(self.chosen) // 2

    @property
    def frequencies(self) -> np.ndarray:
        """Share (p,) of the halves that each feature is selected in."""
        return np.asarray(self.chosen.mean(axis=0))

    @cached_property
    def thresholds(self) -> np.ndarray:
        """Frequency (p,) from which on each feature is selected; infinite where none is enough.

        A feature that halves with a permuted target select more often than size/p (a binomial
        test, Bonferroni's level) needs the threshold at which its own probability keeps its part
        of the bound, bound/p.
        """
        runs, p = self.permuted.shape
        thresholds = np.full(p, self.threshold)
        counts = self.permuted.sum(axis=0)
        often = special.bdtrc(counts - 1, runs, self.size / p) <= LEVEL / p
        for count in np.unique(counts[often]):
            design: dict[str, Any] = {"q": count / runs * p, "p": p, "pairs": self.pairs}
            design |= {"bound": self.bound, "assumption": self.assumption}
            try:
                threshold = bounds.selection_threshold(**design)
            except TableError:
                threshold = np.inf
            thresholds[often & (counts == count)] = max(threshold, self.threshold)
        return thresholds

    @property
    def selected(self) -> np.ndarray:
        """Indices of the features at their threshold or above, the most frequent first."""
        return self._at_least(self.thresholds)

    @property
    def doubtful(self) -> np.ndarray:
        """Indices of the features that reach the common threshold, but not their own."""
        common = self._at_least(np.full(len(self.names), self.threshold))
        return common[~np.isin(common, self.selected)]

    def _at_least(self, thresholds: np.ndarray) -> np.ndarray:
        counts = self.chosen.sum(axis=0)
        order = np.argsort(-counts, kind="stable")
        return order[(counts >= 2 * self.pairs * thresholds - bounds.ROUNDING)[order]]

    @property
    def kept(self) -> np.ndarray:
        """Indices of what can be kept: those selected, if more than twice as many as the bound.
        Else half of them or more may be false, which assures of nothing: none.
        """
        return self.selected if 2.0 * self.bound < len(self.selected) else self.selected[:0]

    def frame(self) -> pd.DataFrame:
        """One row per feature, the most frequent first: `feature`, `frequency`, `selected`."""
        order = np.argsort(-self.chosen.sum(axis=0), kind="stable")
        content = {
            "feature": [self.names[j] for j in order],
            "frequency": self.frequencies[order],
            "selected": np.isin(order, self.selected),
        }
        return pd.DataFrame(content)

    def __str__(self) -> str:
        names = ", ".join(shown(self.names[j]) for j in self.selected)
        shares = self.permuted.mean(axis=0)
        doubts = ", ".join(
            f"{shown(self.names[j])} ({100 * shares[j]:.0f} %)" for j in self.doubtful
        )
        if doubts:
            doubts = f"; not counted, as halves with a permuted target select it too: {doubts}"
        return (
            f"{names or 'no feature'}: selected in {100 * self.threshold:.4g} % or more of "
            f"{len(self.chosen)} halves, {self.size} of {len(self.names)} features in each; "
            f"{self.bound:.3g} false ones expected at the most ({self.assumption})"
            f"{': none can be called stable' if names and not len(self.kept) else ''}"
            f"{doubts}"
        )


def selection_in_halves(
    selector: BaseSelector,
    X: Any,
    y: Any,
    size: int,
    *,
    threshold: float | None = None,
    bound: float = 1.0,
    pairs: int = 50,
    assumption: bounds.Assumption = "unimodal",
    groups: Any = None,
) -> HalfSelection:
    """Select what a method selects in most halves of the rows, with a bound on false selections.

    Parameters
    ----------
    selector : BaseSelector
        Any method; it is not fitted, and stays as it is. Its random_state draws the halves too.
        What it has always in is in the halves, and not in what is counted and said.
    X, y : see :meth:`hetsel.selection.BaseSelector.fit`
    size : int
        q, the number of features that the method selects in a half. The bound grows with its
        square.
    threshold : float, optional
        Frequency from which on a feature is kept; None takes the smallest that keeps the expected
        number of false selections at `bound` or below.
    bound : float
        Where no threshold is named.
    pairs : int
        B: the method is run 2B times, and half as often with a permuted target.
    assumption : {"unimodal", "r-concave", "none", "meinshausen-buehlmann"}
        See :func:`hetsel.stability.false_selection_bound`. "none" assumes nothing; plain noise breaks
        "r-concave" at thresholds below 1/2.
    groups : array-like of shape (n,), "copies" or "rows", optional
        Rows of one label are in the same half. "copies" are the groups of equal or nearly equal
        rows; of a table that has such rows None is refused, and "rows" takes each as one of its
        own.

    Raises
    ------
    TableError
        A table, target or option that cannot be used; a class of too few rows, or row groups;
        size, threshold or bound out of range; a method without a signature of this size.

    References
    ----------
    Shah & Samworth 2013, section 2 (complementary pairs).

    Examples
    --------
    >>> from hetsel import get_method
    >>> draw = np.random.default_rng(0)
    >>> x, y = draw.normal(size=(80, 30)), np.arange(80) % 2
    >>> x[:, 4] += 2 * y
    >>> print(selection_in_halves(get_method("anova-f")(), x, y, size=3, bound=0.5))
    x4: selected in 66 % or more of 100 halves, 3 of 30 features in each; 0.484 false ones expected at the most (unimodal)
    """  # noqa: E501
    refuse_no_method(selector)
    method = clone(selector)
    problem = problem_with_groups(method, X, y, groups, selector.random_state)
    names, p = problem.table.names, problem.p
    pairs = whole_number("pairs", pairs, 1)
    # what is always in is no selection: it counts neither among those nor among the false ones
    forced = list(positions(names, method.always))
    free = np.setdiff1d(np.arange(p), forced)
    problem = replace(problem, sizes=(check_size(size, p),))
    counted_size = problem.sizes[0] - len(forced)
    if counted_size < 1:
        raise TableError(
            f"size must be larger than {len(forced)}, the number of features that are always in. "
            f"Got {size}"
        )
    design = {"q": counted_size, "p": len(free), "pairs": pairs}
    if threshold is None:
        threshold = bounds.selection_threshold(**design, bound=bound, assumption=assumption)
    proved = bounds.false_selection_bound(**design, threshold=threshold, assumption=assumption)
    chosen = chosen_in_halves(method, problem, pairs)[:, free]
    permuted = chosen_in_halves(method, problem, permuted_pairs(pairs), permuted=True)[:, free]
    enough = bounds.halves_needed(threshold, pairs) / (2 * pairs)
    free_names = tuple(names[j] for j in free)
    return HalfSelection(chosen, free_names, counted_size, enough, proved, assumption, permuted)


def permuted_pairs(pairs: int) -> int:
    """M, the number of pairs with a permuted target beside `pairs` pairs."""
    return max(1, pairs // 2)


def chosen_in_halves(
    selector: BaseSelector, problem: Problem, pairs: int = 50, *, permuted: bool = False
) -> np.ndarray:
    """Which features a method selects in each half, (2B, p): pair by pair, one half and the other.

    The problem asks for one size; its missing cells may be open: what fills them and the levels of
    columns are learned in the half. A permuted target is permuted for each pair anew.
    """
    method = clone(selector)
    if isinstance(method, SubsetSearch):
        method.set_params(archive=None, progress=None)
    (size,) = problem.sizes
    source = np.random.SeedSequence(problem.seed, spawn_key=(STREAM, *((1,) if permuted else ())))
    drawing, running = source.spawn(2)
    rng = np.random.default_rng(drawing)
    problem = row_parts.in_canonical_order(problem, selector.missing, selector.scale)
    seeds = running.generate_state(2 * pairs) >> 1
    chosen = np.zeros((2 * pairs, problem.p), dtype=bool)
    halves = () if permuted else halves_and_bootstraps.draw_halves(problem, pairs, rng)
    for pair in range(pairs):
        half_problem = label_permutations.permuted_target(problem, rng) if permuted else problem
        half = (
            halves_and_bootstraps.draw_halves(half_problem, 1, rng)[0] if permuted else halves[pair]
        )
        for row, rows in ((2 * pair, half), (2 * pair + 1, ~half)):
            part = row_parts.problem_part(method, replace(half_problem, seed=int(seeds[row])), rows)
            answer = method.solve(part)
            if size not in answer.sizes:
                raise TableError(
                    f"the method must have a signature of size={size} in every half. Got one "
                    "without: name a size that it answers with, as an option of the method too if "
                    "it has one"
                )
            chosen[row, answer.signature(size)] = True
    return chosen
