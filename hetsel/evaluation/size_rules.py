"""Rules that choose the size of a signature by inner scores.

Features are selected on a part of the rows and scored on the other rows. Since the scores choose
the size, the score of the chosen size is optimistic for new rows.
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

# judges of the inner scores, by kind of target
JUDGES = {
    "classes": ("5nn", "naive-bayes"),
    "numbers": ("5nn", "ridge"),
    "survival": ("5nn", "cox"),
}
QUARTER = 0.25
STREAM = 7  # of the seeds of folds and searches


def one_standard_error(
    sizes: Sequence[int], scores: np.ndarray, count: int | None = None, times: float = 1.0
) -> int:
    """Choose the smallest size whose mean score is within one standard error of the best.

    The standard error is s / sqrt(count), where s is the standard deviation of the scores of the
    best size over the K resamplings. Resamplings share rows, so it is smaller than for new data and
    the chosen size is larger.

    Parameters
    ----------
    sizes : sequence of int
        Sizes, ascending.
    scores : ndarray of shape (K, sizes)
        Score of each resampling and size; larger is better.
    count : int, optional
        Number of independent scores. For repeated cross-validation use the number of folds of one
        repeat, since repeats add no rows. Default: K.
    times : float
        Number of standard errors. Default: 1.

    Returns
    -------
    int

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
    """Choose the smallest size within a quarter of a standard error of the best mean score.

    See :func:`one_standard_error` for the parameters. On forty public data sets, sizes chosen by
    this rule from AUC predicted nearly as well as the best sizes and were more stable. Sizes within
    a whole standard error predicted worse. See tests/arena/benchmarks/selector_trial.py.

    Examples
    --------
    >>> scores = np.array([[0.5, 0.78, 0.9], [0.6, 0.82, 0.8], [0.4, 0.8, 0.74]])
    >>> quarter_standard_error([1, 2, 4], scores)
    4
    """
    return one_standard_error(sizes, scores, count, QUARTER)


def knee(sizes: Sequence[int], scores: np.ndarray) -> int:
    """Choose the size at the knee of the mean scores, at most the best size.

    Both axes are scaled to [0, 1] from the smallest to the best size. The knee is the point
    farthest above the line from the first to the last point, as in Kneedle without smoothing. If no
    point is above the line, the best size is chosen.

    Parameters
    ----------
    sizes : sequence of int
        Sizes, ascending.
    scores : ndarray of shape (K, sizes)
        Score of each resampling and size; larger is better.

    Returns
    -------
    int

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
    """Choose the smallest size whose mean score is at least (1 - tau) times the best.

    Parameters
    ----------
    sizes : sequence of int
        Sizes, ascending.
    scores : ndarray of shape (K, sizes)
        Nonnegative score of each resampling and size; larger is better.
    tau : float
        Relative loss, from 0 to 1. Default: 0.01.

    Returns
    -------
    int

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
    """Return the place of the smallest size with the largest mean, up to rounding."""
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
    """The chosen size of a signature with its inner scores.

    Attributes
    ----------
    size : int
        The chosen size.
    rule : str
        The rule that chose it.
    classifier : str
        The judge of the inner scores.
    sizes : tuple of int
        The scored sizes, ascending.
    scores : ndarray of shape (resamplings, sizes)
        Inner scores: balanced accuracy for classes, R^2 for numeric targets, concordance for
        survival times.
    measure : str
        Name of the score.
    """

    size: int
    rule: str
    classifier: str
    sizes: tuple[int, ...]
    scores: np.ndarray
    measure: str = "BCR"

    @property
    def means(self) -> np.ndarray:
        """Mean inner scores (sizes,)."""
        return np.asarray(self.scores.mean(axis=0))

    @property
    def inner_score(self) -> float:
        """Mean inner score of the chosen size, which is optimistic for new rows."""
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
    """Choose the size of a signature by repeated cross-validation.

    In each fold the selector selects features on the other rows, and a judge trained on them is
    scored on the fold. A rule chooses the size from these inner scores.

    Parameters
    ----------
    selector : BaseSelector
        A selector fitted to these rows. It is not changed; ``selector.signature(choice.size)`` is
        the signature of the chosen size. A search is repeated in each fold for the sizes that it
        visited. Its time limit applies to each of these searches, and its archive does not keep
        them.
    X, y : see :meth:`hetsel.selection.BaseSelector.fit`
    rule : {"one-se", "quarter-se", "knee", "equal"}
        "one-se" and "quarter-se": smallest size within one or a quarter of a standard error of the
        best mean score. "knee": size at the knee of the mean scores. "equal": smallest size with
        99% of the best mean score. Default: "one-se".
    classifier : {"5nn", "naive-bayes"}
        Judge of the inner scores; "5nn" or "ridge" for numeric targets, "5nn" or "cox" for survival
        times. Default: "5nn".
    folds : int
        Number of folds. Default: 5.
    repeats : int
        Number of repeats of the cross-validation. Default: 2.
    groups : array-like of shape (n,), or "copies", optional
        Row groups; rows of one group are held out together. "copies" groups duplicate rows.
        Default: no groups.

    Returns
    -------
    SizeChoice

    Raises
    ------
    TableError
        If an option cannot be used, or if no size has a signature in every fold.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), section 3.4.3 (one standard error); Satopaa,
    Albrecht, Irwin and Raghavan (2011) (knee).

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
        raise TableError("no size has a signature in every fold of the inner cross-validation")
    judged = tuple(size for size, good in zip(sizes, known, strict=True) if good)
    scores = scores[:, known]
    measure = SCORES[target.kind].labels[0]
    return SizeChoice(RULES[rule](judged, scores), rule, classifier, judged, scores, measure)


def inner_scores(
    selector: BaseSelector,
    problem: Problem,
    sizes: Sequence[int],
    classifier: str | ClassifierSpec = "5nn",
    *,
    folds: int = 5,
    repeats: int = 2,
) -> np.ndarray:
    """Return inner scores (folds of all repeats, sizes) of held-out rows.

    Imputed values, selection and judge are learned from the training rows only. The score is the
    mean recall over the classes with held-out rows; R^2 with the variance of all rows for numeric
    targets; Harrell's concordance for survival times, 1/2 if no two held-out rows are comparable.
    It is NaN if a fold has no signature of the size.

    Only the parameters of the selector are used, not its fitted state. The problem may have missing
    values; its sizes are those requested from the method. Folds are stratified by class and keep
    row groups together. A TableError is raised if groups leave a class without training rows.
    """
    if isinstance(classifier, str):
        _check("classifier", classifier, JUDGES[problem.target.kind])
        classifier = ClassifierSpec.of("classifier", classifier).for_kind(problem.target.kind)
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
    judge: ClassifierSpec,
    seed: int,
) -> np.ndarray:
    """Return the scores (sizes,) of one fold; `mask` (n,) marks the held-out rows."""
    target = problem.target
    found = held_out(method, replace(problem, seed=seed), mask, sizes, [judge]).predicted[0]
    return np.asarray(target_scores(target).scoring(target, problem.weights)(mask, found))


def _number(source: np.random.SeedSequence) -> int:
    return int(source.generate_state(1)[0] >> 1)


def _check(option: str, given: Any, legal: Collection[str]) -> None:
    if given not in legal:
        hint = did_you_mean(given, legal)
        raise TableError(f"{option} must be one of {', '.join(legal)}. Got {given!r}{hint}")
