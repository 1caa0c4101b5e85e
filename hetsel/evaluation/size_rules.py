"""How many features? Rules on inner scores: what is selected on a part of the rows, judged outside.

The scores choose the size, so that of the chosen size is optimistic: rows that took no part do
worse.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.held_out import held_out
from hetsel.evaluation.target_scores import target_scores
from hetsel.ground import TableError, did_you_mean, seed_drawn, share
from hetsel.ground.rounding import reaches, tie_rows, within_share
from hetsel.pitfalls.cautions_on_rows import asked_groups
from hetsel.resampling.folds import draw_folds
from hetsel.resampling.row_parts import in_canonical_order
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import BaseSelector, Problem, SearchPath
from hetsel.selection.column_choices import refuse_no_method
from hetsel.selection.problem import read_asked_target, thinned_sizes
from hetsel.statistics.performance.scores import SCORES
from hetsel.tables import read_features, refuse_other_rows

# what judges the sizes, by the kind of target
JUDGES = {
    "classes": ("5nn", "naive-bayes"),
    "numbers": ("5nn", "ridge"),
    "survival": ("5nn", "cox"),
}
QUARTER = 0.25
STREAM = 7  # of the seeds: folds and searches of their own


def one_standard_error(
    sizes: Sequence[int], scores: np.ndarray, count: int | None = None, times: float = 1.0
) -> int:
    """The smallest size whose mean score is within one standard error of the best one.

    Of scores (K, sizes); it is s / sqrt(count) of the best size's over the K resamplings. These
    share rows, so it is optimistic: it is smaller than that of new data, and the size larger. Of
    several cross-validations `count` is that of the folds of one, as repeats of the same rows are
    no further rows; None counts all resamplings. `times` is the number of standard errors.

    References
    ----------
    Breiman, Friedman, Olshen and Stone 1984, section 3.4.3.

    Examples
    --------
    >>> scores = np.array([[0.5, 0.78, 0.9], [0.6, 0.82, 0.8], [0.4, 0.8, 0.74]])
    >>> one_standard_error([1, 2, 4], scores)
    2
    """
    means = scores.mean(axis=0)
    best = _best(means)
    spread_of_best = scores[:, best].std(ddof=1) if len(scores) > 1 else 0.0
    error = spread_of_best / np.sqrt(len(scores) if count is None else count)
    return _first(sizes, reaches(means, float(means[best] - times * error)))


def quarter_standard_error(
    sizes: Sequence[int], scores: np.ndarray, count: int | None = None
) -> int:
    """The smallest size whose mean score is within a quarter of a standard error of the best one.

    See :func:`one_standard_error`. On forty public tables the sizes that it reads off areas under
    the ROC curve predicted nearly as well as the best ones and were stabler, see
    tests/arena/benchmarks/selector_trial.py; those of a whole standard error predicted worse.

    Examples
    --------
    >>> scores = np.array([[0.5, 0.78, 0.9], [0.6, 0.82, 0.8], [0.4, 0.8, 0.74]])
    >>> quarter_standard_error([1, 2, 4], scores)
    4
    """
    return one_standard_error(sizes, scores, count, QUARTER)


def knee(sizes: Sequence[int], scores: np.ndarray) -> int:
    """The size at which the mean of the scores (K, sizes) bends most, up to the best one.

    From the smallest size to the best one, both axes are scaled to [0, 1]; the knee is the point
    farthest above the chord from the first to the last, as in Kneedle without its smoothing. The
    best size where no point lies above it.

    References
    ----------
    Satopaa, Albrecht, Irwin and Raghavan 2011, Finding a "kneedle" in a haystack.

    Examples
    --------
    >>> knee([1, 2, 5, 10], np.array([[0.5, 0.8, 0.82, 0.85]]))
    2
    """
    means = scores.mean(axis=0)
    best = _best(means)
    x = np.asarray(sizes[: best + 1], dtype=np.float64)
    y = means[: best + 1]
    if best == 0 or y[best] <= y[0]:
        return int(sizes[best])
    above = np.round((y - y[0]) / (y[best] - y[0]) - (x - x[0]) / (x[best] - x[0]), 12)
    place = int(np.argmax(above))
    return int(sizes[place if above[place] > 0 else best])


def treated_as_equal(sizes: Sequence[int], scores: np.ndarray, tau: float = 0.01) -> int:
    """The smallest size whose mean score is at least (1 - tau) times the best one.

    Scores (K, sizes) are 0 or larger, tau is in [0, 1].

    References
    ----------
    Somol, Grim, Novovicova and Pudil 2011, section 2.2.1.

    Examples
    --------
    >>> treated_as_equal([1, 2, 5], np.array([[0.5, 0.8, 0.81]]), tau=0.02)
    2
    """
    share("tau", tau)
    means = scores.mean(axis=0)
    return _first(sizes, within_share(means, float(means.max()), tau))


def _best(means: np.ndarray) -> int:
    """Place of the smallest size with the largest mean, equal but for rounding."""
    return int(np.argmax(tie_rows(means)))


def _first(sizes: Sequence[int], good: np.ndarray) -> int:
    return int(sizes[int(np.argmax(good))])


RULES: dict[str, Callable[[Sequence[int], np.ndarray], int]] = {
    "one-se": one_standard_error,
    "quarter-se": quarter_standard_error,
    "knee": knee,
    "equal": treated_as_equal,
}


@dataclass(frozen=True, eq=False)
class SizeChoice:
    """A size, and the inner scores that it was read from.

    Parameters
    ----------
    size : int
    rule : str
    classifier : str
        Of the inner scores.
    sizes : tuple of int
        The sizes that were judged, ascending.
    scores : ndarray of shape (resamplings, sizes)
        Inner balanced classification rates; of numbers R^2, of survival times concordances.
    measure : str
        The word for these scores.
    """

    size: int
    rule: str
    classifier: str
    sizes: tuple[int, ...]
    scores: np.ndarray
    measure: str = "BCR"

    @property
    def means(self) -> np.ndarray:
        """Mean inner score (sizes,)."""
        return np.asarray(self.scores.mean(axis=0))

    @property
    def inner_score(self) -> float:
        """Mean inner score of the chosen size; new rows do worse."""
        return float(self.means[self.sizes.index(self.size)])


def choose_size(
    selector: BaseSelector,
    X: Any,
    y: Any,
    rule: str = "one-se",
    *,
    classifier: str = "5nn",
    folds: int = 5,
    repeats: int = 2,
    groups: Any = None,
) -> SizeChoice:
    """Choose the size of a signature on inner resamplings of the rows.

    Parameters
    ----------
    selector : BaseSelector
        Fitted to these rows; it stays as it is, and its ``signature(choice.size)`` is the answer.
        A search is run in each resampling, for the sizes that it visited here; its limit of time is
        one for each of these runs, and its archive keeps none of them.
    X, y : see :meth:`hetsel.selection.BaseSelector.fit`
    rule : {"one-se", "quarter-se", "knee", "equal"}
        :func:`one_standard_error`, :func:`knee` or :func:`treated_as_equal`.
    classifier : {"5nn", "naive-bayes"}
        Of numbers one of 5nn and ridge, of survival times one of 5nn and cox.
    folds, repeats : int
        Each fold of each repeat is held out once.
    groups : array-like of shape (n,), or "copies", optional
        Rows of one label are held out together.

    Returns
    -------
    SizeChoice

    Raises
    ------
    TableError
        Options that cannot be used; no size that every resampling has.

    Examples
    --------
    >>> from hetsel import SubsetSearch
    >>> x = np.random.default_rng(0).normal(size=(60, 4))
    >>> y = x[:, 2] > 0
    >>> search = SubsetSearch(search="sfs", criterion="ridge").fit(x, y)
    >>> choose_size(search, x, y).size
    1
    """
    _check("rule", rule, RULES)
    refuse_no_method(selector)
    check_is_fitted(selector, "answer_")
    refuse_other_rows(X, y=y, groups=groups)
    table = read_features(selector, X, reset=False)
    target = read_asked_target(y, table.shape[0], selector.target_kind)
    selector.refuse_target(target)
    rows, _ = asked_groups(groups, table, target)
    seed = seed_drawn("random_state", selector.random_state)
    answer = selector.answer_
    searched = isinstance(answer, SearchPath)
    sizes = answer.sizes if searched else thinned_sizes(answer.sizes)
    problem = Problem(table, target, sizes if searched else (), seed, row_groups=rows)
    scores = inner_scores(selector, problem, sizes, classifier, folds=folds, repeats=repeats)
    known = np.isfinite(scores).all(axis=0)
    if not known.any():
        raise TableError("no size has a signature in every inner resampling")
    judged = tuple(size for size, good in zip(sizes, known, strict=True) if good)
    scores = scores[:, known]
    measure = SCORES[target.kind].labels[0]
    return SizeChoice(RULES[rule](judged, scores), rule, classifier, judged, scores, measure)


def inner_scores(
    selector: BaseSelector,
    problem: Problem,
    sizes: Sequence[int],
    classifier: str = "5nn",
    *,
    folds: int = 5,
    repeats: int = 2,
) -> np.ndarray:
    """Inner score (resamplings, sizes): select on a part of the rows, judge on the held-out ones.

    Whatever is learned (what fills missing cells, the selection, the classifier) sees the other
    rows only. The score is the mean, over the classes that the held-out rows have, of the share
    predicted right; R^2 of numbers, by the variance of all rows; Harrell's concordance of survival
    times, 1/2 where no two held-out rows can be compared. NaN where the answer of a resampling
    lacks a size.

    Of the selector the parameters count, not what it has been fitted to. The missing cells of the
    problem may be open; its sizes are those that the method is asked for. Folds are stratified by
    class and hold the rows of one group together; a TableError says that groups leave a class
    without rows to learn from.
    """
    _check("classifier", classifier, JUDGES[problem.target.kind])
    method = clone(selector)
    if isinstance(method, SubsetSearch):
        method.set_params(archive=None, progress=None)
    source = np.random.SeedSequence(problem.seed, spawn_key=(STREAM,))
    drawing, running = source.spawn(2)
    problem = in_canonical_order(problem, selector.missing, selector.scale)
    fold = draw_folds(replace(problem, seed=_number(drawing)), folds, repeats)
    masks = [part == k for part in fold for k in range(int(part.max()) + 1)]
    rows = []
    for mask, words in zip(masks, running.spawn(len(masks)), strict=True):
        rows.append(_judged(method, problem, mask, sizes, classifier, _number(words)))
    return np.array(rows)


def _judged(
    method: BaseSelector,
    problem: Problem,
    mask: np.ndarray,
    sizes: Sequence[int],
    classifier: str,
    seed: int,
) -> np.ndarray:
    """Score (sizes,) of one resampling; `mask` (n,) marks the held-out rows."""
    target = problem.target
    judge = ClassifierSpec.of("classifier", classifier).for_kind(target.kind)
    found = held_out(method, replace(problem, seed=seed), mask, sizes, [judge]).predicted[0]
    return np.asarray(target_scores(target).scoring(target, None)(mask, found))


def _number(source: np.random.SeedSequence) -> int:
    return int(source.generate_state(1)[0] >> 1)


def _check(option: str, given: Any, legal: Collection[str]) -> None:
    if given not in legal:
        hint = did_you_mean(given, legal)
        raise TableError(f"{option} must be one of {', '.join(legal)}. Got {given!r}{hint}")
