"""Run nested cross-validation with numeric predictions: of a numeric target, or risk scores.

See :mod:`hetsel.signature.nested.nested_cross_validation` for the models and the sizes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hetsel.evaluation.target_scores import Scoring
from hetsel.ground import TableError, listed
from hetsel.signature.nested import nested_cross_validation
from hetsel.signature.nested.nested_cross_validation import ChosenSizes, FoldsLeftOut, SizeRule


@dataclass(frozen=True, eq=False)
class NestedValues:
    """Hold one nested cross-validation."""

    fold: np.ndarray  # (n,): fold of each row
    chosen: ChosenSizes
    predicted: np.ndarray  # (n,): each row predicted without its fold, at the size of its fold
    # (K, n): at j the same by the model that leaves out the fold j as well, at the size chosen
    # without j; NaN in the row's own fold, and everywhere if no models leave out two folds
    with_less: np.ndarray
    # (K, n): at k the rows of the other folds, each predicted without its fold and without k, at
    # the size of k: what may be learned from predictions for fold k. If no models leave out two
    # folds, it is `predicted`, by models that have seen k. NaN in the rows of k.
    inner: np.ndarray
    # (K, sizes): score of each fold, predicted without it, at every size; NaN if an answer has no
    # such size
    scores: np.ndarray

    @property
    def folds(self) -> int:
        """Number of folds K."""
        return len(self.with_less)

    @property
    def in_pairs(self) -> bool:
        """Whether there are models that leave out two folds."""
        return bool(np.isfinite(self.with_less).any())


def nested_values(
    fold: np.ndarray,
    sizes: tuple[int, ...],
    predictions: Mapping[FoldsLeftOut, np.ndarray],
    rule: SizeRule | int,
    scoring: Scoring,
) -> NestedValues:
    """Combine what the models predict for rows that they have not seen.

    It works like :func:`hetsel.signature.nested.nested_cross_validation.nested_run`, with
    predictions of NaN if an answer has no signature of the size. `scoring` returns scores (sizes,),
    larger is better, of predictions (sizes, m) for the rows of a mask (n,).
    """
    n_folds, n = int(fold.max()) + 1, len(fold)
    found = nested_cross_validation.choose_fold_sizes(fold, sizes, predictions, rule, scoring)
    chosen = found.of_fold
    predicted = np.empty(n)
    less, inner = np.full((n_folds, n), np.nan), np.full((n_folds, n), np.nan)
    scores = np.empty((n_folds, len(sizes)))
    for k in range(n_folds):
        rows, place = fold == k, sizes.index(chosen[k])
        predicted[rows] = predictions[k,][place]
        scores[k] = scoring(rows, predictions[k,])
    for k in range(n_folds):
        rows, place = fold == k, sizes.index(chosen[k])
        for j in range(n_folds):
            if j == k:
                continue
            other = fold == j
            if isinstance(rule, int):
                inner[k, other] = predicted[other]
            else:
                first, second = nested_cross_validation.predicted_in_pair(fold, predictions, j, k)
                inner[k, other] = first[place]
                less[j, rows] = second[sizes.index(found.with_less[k][j])]
    if np.isnan(predicted).any():
        raise TableError(
            f"no signature of the sizes {listed(sorted({*chosen}))} in a part of the rows"
        )
    return NestedValues(fold, found, predicted, less, inner, scores)
