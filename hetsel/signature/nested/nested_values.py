"""Nested cross-validation where predictions are numbers: of a target of numbers, or risks.

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
    """One nested cross-validation."""

    fold: np.ndarray  # (n,): fold of each row
    chosen: ChosenSizes
    predicted: np.ndarray  # (n,): each row predicted without its fold, at the size of its fold
    # (K, n): at j the same by the model that leaves out the fold j as well, at the size that is
    # chosen without j; NaN in the row's own fold, and everywhere where no models leave out two
    # folds
    with_less: np.ndarray
    # (K, n): at k the rows of the other folds, each predicted without its fold and without k, at
    # the size of k: what may be learned of predictions for fold k. Where no models leave out two
    # folds it is `predicted`, by models that have seen k. NaN in the rows of k.
    inner: np.ndarray
    # (K, sizes): score of each fold, predicted without it, at every size; NaN where an answer has
    # no such size
    scores: np.ndarray

    @property
    def folds(self) -> int:
        """K."""
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
    """Put together what the models predict of the rows that they have not seen.

    As :func:`hetsel.signature.nested.nested_cross_validation.nested_run`, with predictions NaN
    where an answer has no signature of the size; `scoring` gives scores (sizes,) of predictions
    (sizes, m) of the rows of a mask (n,), larger is better.
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
        raise TableError(f"no signature of the sizes {listed(sorted({*chosen}))} in a part")
    return NestedValues(fold, found, predicted, less, inner, scores)
