"""Run nested cross-validation with models that leave out one or two folds.

The rows are divided into K folds. A model that has not seen the folds j and k serves twice. It
chooses the size for fold k by its predictions for fold j, and the size for fold j by its
predictions for fold k. So K (K - 1) / 2 models that leave out two folds choose the sizes of all
outer folds, and K models that leave out one fold predict them: 55 models for ten folds instead of
100.

For the outer fold k, the table of inner scores has a row for every other fold j. The row is the
area under the ROC curve of fold j, predicted without j and k, at every size. (Other targets than
classes have another score, see :mod:`hetsel.signature.nested.nested_values`; the balanced accuracy
of so few rows is too noisy.) A rule chooses the size s_k from the table, and the model that has not
seen k predicts the rows of fold k at s_k. No model predicts rows that chose its size or its
features, or that trained it.

Reference for the folds left out in pairs: Bates, Hastie & Tibshirani (2024) Journal of the American
Statistical Association 119, 1434-1445.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hetsel.evaluation.target_scores import Scoring
from hetsel.ground import TableError, listed
from hetsel.statistics.performance.scores import area_under_curve

DECIMALS = 9  # of decision values: up to rounding, equal values stay equal
NO_PAIR = 0.5  # the area of a fold with one class only, which is uninformative
FoldsLeftOut = tuple[int, ...]  # the folds that a model has not seen, ascending: one or two
SizeRule = Callable[[tuple[int, ...], np.ndarray], int]  # (sizes, scores (K, sizes)) -> size


def left_out_folds(folds: int, *, pairs: bool = True) -> list[FoldsLeftOut]:
    """Return the folds that each model leaves out: each one, and each two if sizes are chosen.

    Examples
    --------
    >>> left_out_folds(3)
    [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    """
    every = range(folds)
    return [*((k,) for k in every), *(combinations(every, 2) if pairs else ())]


@dataclass(frozen=True, eq=False)
class NestedRun:
    """Hold one nested cross-validation."""

    fold: np.ndarray  # (n,): fold of each row
    chosen: "ChosenSizes"
    predicted: np.ndarray  # (n,): class codes of the rows, each predicted without its fold
    at: np.ndarray  # (n,): position, among the sizes, of the size chosen for the row's fold
    right: np.ndarray  # (n,): 1 if the prediction is correct, else 0
    # (n,): for each row, the proportion of the K - 1 models without another fold as well that
    # predict it correctly, at the size chosen without that fold; NaN if no models leave out two
    # folds
    right_with_less: np.ndarray
    # (K, sizes): area under the ROC curve of each fold, predicted without it, at every size; NaN if
    # an answer has no such size
    scores: np.ndarray


@dataclass(frozen=True)
class ChosenSizes:
    """Hold the sizes of the outer folds."""

    of_fold: tuple[int, ...]  # s_k, by the other folds
    # at k, j the size for fold k by the folds other than k and j; s_k if j = k, and everywhere if
    # the size was given. Models that have not seen two folds use these sizes, since fewer rows also
    # choose a worse size.
    with_less: tuple[tuple[int, ...], ...]


def nested_run(
    truth: np.ndarray,
    fold: np.ndarray,
    sizes: tuple[int, ...],
    predictions: Mapping[FoldsLeftOut, np.ndarray],
    rule: SizeRule | int,
    decisions: Mapping[FoldsLeftOut, np.ndarray],
    weights: np.ndarray | None = None,
) -> NestedRun:
    """Combine what the models predict for rows that they have not seen.

    `predictions` (sizes, rows of these folds) are class codes by the folds left out, rows
    ascending, -1 if an answer has no signature of the size. `decisions` (sizes, rows, d) are the
    decision values whose area under the ROC curve scores the sizes. `rule` chooses a size by the
    scores (K - 1, sizes) of the other folds; a given size needs no models that leave out two folds.
    A TableError is raised if the models of a fold have no size in common.
    """
    n_folds = int(fold.max()) + 1

    def areas(rows: np.ndarray, own: np.ndarray) -> np.ndarray:
        of_rows = None if weights is None else weights[rows]
        found = area_under_curve(np.round(own, DECIMALS), truth[rows], of_rows)
        known = ~np.isnan(own).all(axis=(1, 2))
        return np.where(np.isnan(found) & known, NO_PAIR, found)

    found = choose_fold_sizes(fold, sizes, decisions, rule, areas)
    chosen = found.of_fold
    at = np.array([sizes.index(size) for size in chosen])[fold]
    predicted = np.empty(len(truth), dtype=np.int64)
    less = np.full(len(truth), np.nan)
    scores = np.empty((n_folds, len(sizes)))
    for k in range(n_folds):
        rows, own = fold == k, predictions[k,]
        place = sizes.index(chosen[k])
        predicted[rows] = own[place]
        scores[k] = areas(rows, decisions[k,])
        if not isinstance(rule, int):
            others = [
                predicted_in_pair(fold, predictions, j, k)[1][sizes.index(found.with_less[k][j])]
                for j in range(n_folds)
                if j != k
            ]
            less[rows] = np.mean([other == truth[rows] for other in others], axis=0)
    if (predicted < 0).any():
        raise TableError(
            f"no signature of the sizes {listed(sorted({*chosen}))} in a part of the rows"
        )
    right = (predicted == truth).astype(np.float64)
    return NestedRun(fold, found, predicted, at, right, less, scores)


def choose_fold_sizes(
    fold: np.ndarray,
    sizes: tuple[int, ...],
    predictions: Mapping[FoldsLeftOut, np.ndarray],
    rule: SizeRule | int,
    scoring: Scoring,
) -> ChosenSizes:
    """Choose the size of each outer fold by the other folds, see :func:`nested_run`."""
    folds = range(int(fold.max()) + 1)
    if isinstance(rule, int):
        given = tuple(rule for _ in folds)
        return ChosenSizes(given, tuple(given for _ in folds))
    chosen, with_less = [], []
    for outer in folds:
        others = np.array([k for k in folds if k != outer])
        scores = [
            scoring(fold == k, predicted_in_pair(fold, predictions, k, outer)[0]) for k in others
        ]
        judged, known = judged_sizes(sizes, np.array(scores))
        size = rule(judged, known)
        chosen.append(size)
        # with two folds, no other fold is left to choose
        with_less.append(
            tuple(
                size if j == outer or len(others) < 2 else rule(judged, known[others != j])
                for j in folds
            )
        )
    return ChosenSizes(tuple(chosen), tuple(with_less))


def predicted_in_pair(
    fold: np.ndarray, predictions: Mapping[FoldsLeftOut, np.ndarray], first: int, second: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return what the model without two folds predicts for the first and for the second."""
    pair = (min(first, second), max(first, second))
    left_out = fold[(fold == first) | (fold == second)]
    both = predictions[pair]
    return both[:, left_out == first], both[:, left_out == second]


def judged_sizes(sizes: Sequence[int], scores: np.ndarray) -> tuple[tuple[int, ...], np.ndarray]:
    """Return the sizes that every row of scores (K, sizes) has, and these scores.

    A TableError is raised if there is no such size.
    """
    known = np.isfinite(scores).all(axis=0)
    if not known.any():
        raise TableError("no size has a signature in every inner resampling")
    return tuple(size for size, good in zip(sizes, known, strict=True) if good), scores[:, known]
