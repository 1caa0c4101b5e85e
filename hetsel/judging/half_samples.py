"""Stability selection with any method: features that are selected in most half-samples.

The rows are split at random into two half-samples, many times, and the method selects a signature
in each. The expected number of false selections is bounded for every method; see
:mod:`hetsel.statistics.stability.false_selection_bounds`. The theorems require that the two
half-samples of a pair are independent. Here they are independent given the classes: each
half-sample has its proportion of every class, and the rows of a class, or the row groups, are
treated as independent. The theorems bound the false selections of features that chance selects with
a probability of at most size/p. Features that chance selects more often are found by half-samples
with a permuted target. They get their own threshold, by the same bound (decision 078).

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

STREAM = 8  # of the seeds, for half-samples and selections
LEVEL = 0.05  # family-wise level of the test for features that chance selects more often


@dataclass(frozen=True, eq=False)
class HalfSelection:
    """Hold the result of stability selection; see :func:`hetsel.selection_in_halves`.

    Parameters
    ----------
    chosen : ndarray of bool, shape (2B, p)
        Selected features of each half-sample; rows 2j and 2j + 1 are the half-samples of pair j.
    names : tuple of str
        Names of the features.
    size : int
        q, the number of features selected in each half-sample.
    threshold : float
        The smallest sufficient selection frequency k/(2B); `thresholds` has the exceptions.
    bound : float
        Upper bound on the expected number of false selections under `assumption`; see
        :func:`hetsel.stability.false_selection_bound`.
    assumption : {"unimodal", "r-concave", "none", "meinshausen-buehlmann"}
        The assumption of the bound.
    permuted : ndarray of bool, shape (2M, p)
        Selected features of the half-samples of M pairs with a permuted target.

    See Also
    --------
    hetsel.selection_in_halves : Run stability selection.

    Examples
    --------
    >>> chosen = np.array([[True, False], [True, True], [True, False], [True, False]])
    >>> names, permuted = ("age", "sex"), np.array([[True, False], [False, True]])
    >>> found = HalfSelection(chosen, names, 1, 1.0, 0.4, "unimodal", permuted)
    >>> found.frequencies, found.selected, found.kept
    (array([1.  , 0.25]), array([0]), array([0]))
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
        """B, the number of pairs of half-samples."""
        return len(self.chosen) // 2

    @property
    def frequencies(self) -> np.ndarray:
        """Selection frequency (p,) of each feature."""
        return np.asarray(self.chosen.mean(axis=0))

    @cached_property
    def thresholds(self) -> np.ndarray:
        """Smallest sufficient selection frequency (p,) of each feature; infinite if none is.

        A feature that half-samples with a permuted target select more often than size/p (a binomial
        test with Bonferroni's level) has its own threshold. There its own probability keeps its
        part of the bound, bound/p.
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
        """Indices of the features that reach their threshold, the most frequent first."""
        return self._at_least(self.thresholds)

    @property
    def doubtful(self) -> np.ndarray:
        """Indices of the features that reach the common threshold but not their own."""
        common = self._at_least(np.full(len(self.names), self.threshold))
        return common[~np.isin(common, self.selected)]

    @property
    def own_thresholds(self) -> list[float | None]:
        """Thresholds of the doubtful features; None if no selection frequency suffices."""
        each = [float(self.thresholds[j]) for j in self.doubtful]
        return [own if own <= 1.0 else None for own in each]

    def _at_least(self, thresholds: np.ndarray) -> np.ndarray:
        counts = self.chosen.sum(axis=0)
        order = np.argsort(-counts, kind="stable")
        return order[(counts >= 2 * self.pairs * thresholds - bounds.ROUNDING)[order]]

    @property
    def kept(self) -> np.ndarray:
        """Indices of the stable features: the selected ones, or none.

        None are stable unless the selected features are more than twice as many as the bound, since
        otherwise half of them or more may be false.
        """
        return self.selected if 2.0 * self.bound < len(self.selected) else self.selected[:0]

    def frame(self) -> pd.DataFrame:
        """Return one row per feature, most frequent first: `feature`, `frequency`, `selected`."""
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
            f"{shown(self.names[j])} ({100 * shares[j]:.0f}%)" for j in self.doubtful
        )
        if doubts:
            doubts = f". Not counted, since permuted targets select them too: {doubts}"
        return (
            f"{names or 'no feature'}: selected in at least {100 * self.threshold:.4g}% of "
            f"{len(self.chosen)} half-samples, with {self.size} of {len(self.names)} features in "
            f"each. At most {self.bound:.3g} expected false selections ({self.assumption})"
            f"{', so no feature can be called stable' if names and not len(self.kept) else ''}"
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
    """Select features by stability selection with complementary half-samples.

    The method selects `size` features in each of 2B half-samples. Features whose selection frequency
    reaches the threshold are selected. The expected number of false selections is bounded.

    Parameters
    ----------
    selector : BaseSelector
        Any method; it is not changed. Its random_state also draws the half-samples. Always included
        features are in every half-sample but are not counted or reported.
    X, y : table and target
        See :meth:`hetsel.selection.BaseSelector.fit`.
    size : int
        q, the number of features selected in a half-sample. The bound grows with its square.
    threshold : float, optional
        Smallest sufficient selection frequency. None means the smallest threshold that keeps the
        expected number of false selections at or below `bound`.
    bound : float
        Bound on the expected number of false selections, if no threshold is specified.
    pairs : int
        B. The method runs 2B times, and half as often with a permuted target.
    assumption : {"unimodal", "r-concave", "none", "meinshausen-buehlmann"}
        See :func:`hetsel.stability.false_selection_bound`. "none" assumes nothing; pure noise
        violates "r-concave" at thresholds below 1/2.
    groups : array-like of shape (n,), "copies" or "rows", optional
        Row groups: the rows of a group are in the same half-sample. "copies" groups equal and nearly
        equal rows; "rows" treats all rows as independent. None is refused for a table with equal or
        nearly equal rows.

    Returns
    -------
    HalfSelection

    Raises
    ------
    TableError
        A table, target or option that cannot be used; a class with too few rows or row groups; a
        size, threshold or bound out of range; a method without a signature of this size.

    See Also
    --------
    hetsel.stability.false_selection_bound : The bound on false selections.
    hetsel.permuted_ranking : p-values by permuted targets.
    hetsel.knockoff_selection : Selection at a false discovery rate.

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
    x4: selected in at least 66% of 100 half-samples, with 3 of 30 features in each. At most 0.484 expected false selections (unimodal)
    """  # noqa: E501
    refuse_no_method(selector)
    method = clone(selector)
    problem = problem_with_groups(method, X, y, groups, selector.random_state)
    names, p = problem.table.names, problem.p
    pairs = whole_number("pairs", pairs, 1)
    # always included features count neither as selections nor as false selections
    forced = list(positions(names, method.always))
    free = np.setdiff1d(np.arange(p), forced)
    problem = replace(problem, sizes=(check_size(size, p),))
    counted_size = problem.sizes[0] - len(forced)
    if counted_size < 1:
        raise TableError(
            f"size must be larger than {len(forced)}, the number of always included features. "
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
    """Return M, the number of pairs with a permuted target."""
    return max(1, pairs // 2)


def chosen_in_halves(
    selector: BaseSelector, problem: Problem, pairs: int = 50, *, permuted: bool = False
) -> np.ndarray:
    """Return the features that a method selects in each half-sample, (2B, p), pair by pair.

    The problem requests one size. Imputed values and levels are learned in each half-sample. A
    permuted target is permuted again for each pair.
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
                    f"the method must have a signature of size={size} in every half-sample. One "
                    "half-sample has none. Choose another size; if the method has an option for "
                    "the size, set it, too"
                )
            chosen[row, answer.signature(size)] = True
    return chosen
