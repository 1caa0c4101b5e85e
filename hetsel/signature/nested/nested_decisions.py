"""Combine decision values of rows that the models of nested cross-validations have not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from hetsel.ground.equal_numbers import TIE_WIDTH
from hetsel.signature.nested import fold_models, nested_cross_validation, nested_performance
from hetsel.statistics.performance import auc_and_concordance_intervals, rate_intervals
from hetsel.statistics.performance.auc_and_concordance_intervals import Sums

NOT_SEEN = -1.0  # decision value of a class that a model has not seen


@dataclass(frozen=True, eq=False)
class NestedDecisions:
    """Hold the decision values of one nested cross-validation; d = 1 for two classes, else C."""

    fold: np.ndarray  # (n,): fold of each row, 0..K-1
    outer: np.ndarray  # (n, d): each row without its fold, at the size of its fold
    # (K, n, d): at k the rows of the other folds, each without its fold and without k, at the size
    # of k: what may be learned from decision values for fold k. If no models leave out two folds,
    # it is `outer`, by models that have seen k. NaN in the rows of k.
    inner: np.ndarray
    # (K, n, d): at j the rows of the other folds by the model that leaves out j as well, at the
    # size chosen without j; NaN in the rows of j, and everywhere if no models leave out two folds
    with_less: np.ndarray
    final: np.ndarray  # (n, d): each row without its fold, at the size chosen on all rows

    @property
    def folds(self) -> int:
        """Number of folds K."""
        return len(self.inner)


def nested_decisions(
    parts: fold_models.FoldModels,
    run: int,
    results: Mapping[int, fold_models.PartResult],
    fold: np.ndarray,
    chosen: nested_cross_validation.ChosenSizes,
    size: int,
    places: np.ndarray,
) -> NestedDecisions:
    """Combine the decision values of one cross-validation.

    `size` is that of all rows, `places` (C,) the model's position of each reported class.
    """
    values = {
        out: reported(own, places) for out, own in parts.decisions_of_run(run, results).items()
    }
    folds, n, d = parts.folds, len(fold), values[0,].shape[2]
    outer, final = np.empty((n, d)), np.empty((n, d))
    inner, less = np.full((folds, n, d), np.nan), np.full((folds, n, d), np.nan)
    for k in range(folds):
        outer[fold == k] = values[k,][parts.sizes.index(chosen.of_fold[k])]
        final[fold == k] = values[k,][parts.sizes.index(size)]
    for k in range(folds):
        place = parts.sizes.index(chosen.of_fold[k])
        for j in range(folds):
            if j == k:
                continue
            if not parts.pairs:
                inner[k, fold == j] = outer[fold == j]
                continue
            of_j, of_k = nested_cross_validation.predicted_in_pair(fold, values, j, k)
            inner[k, fold == j] = of_j[place]
            less[j, fold == k] = of_k[parts.sizes.index(chosen.with_less[k][j])]
    return NestedDecisions(fold, outer, inner, less, final)


def area_by_folds(
    runs: Sequence[NestedDecisions],
    truth: np.ndarray,
    weights: np.ndarray | None = None,
    groups: np.ndarray | None = None,
    level: float = 0.95,
    spread: float = rate_intervals.OVERLAP,
) -> rate_intervals.RateInterval:
    """Compute the AUC of the model of all rows from pairs inside of folds.

    The training gain is added to each pair, see :mod:`hetsel.signature.nested.nested_performance`.
    """
    d = runs[0].outer.shape[1]
    places = [(1, 0)] if d == 1 else [(c, c) for c in range(d)]
    sums = [_pair_sums(runs, truth == c, place, weights) for c, place in places]
    rows = np.ones(len(truth), dtype=bool) if weights is None else weights > 0
    fewest = float(np.bincount(truth[rows]).min())
    return auc_and_concordance_intervals.area_interval(
        sums, weights, groups, spread=spread, fewest=fewest, level=level
    )


def _pair_sums(
    runs: Sequence[NestedDecisions], own: np.ndarray, place: int, weights: np.ndarray | None
) -> Sums:
    """Add up the pairs of each row, for one class against the rest."""
    factor = nested_performance.learning_factor(runs[0].folds)
    more, plain, pairs = (np.zeros(len(own)) for _ in range(3))
    for run in runs:
        for k in range(run.folds):
            rows = run.fold == k
            others = run.with_less[:, rows, place]
            values = np.vstack([run.outer[rows, place], others[~np.isnan(others).any(axis=1)]])
            of_rows = None if weights is None else weights[rows]
            right, held = auc_and_concordance_intervals.placement_sums(own[rows], values, of_rows)
            less = right[1:].mean(axis=0) if len(right) > 1 else np.full(len(held), np.nan)
            plain[rows] += right[0]
            more[rows] += nested_performance.with_learning(right[0], less, factor)
            pairs[rows] += held
    return more, plain, pairs


def reported(decisions: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return decision values in the reported order of the classes."""
    if decisions.shape[2] == 1:
        return np.round(
            decisions if places[1] == 1 else -decisions, nested_cross_validation.DECIMALS
        )
    found = np.round(decisions[:, :, places], nested_cross_validation.DECIMALS)
    whole = np.isnan(found).all(axis=2, keepdims=True)  # no signature of the size
    return np.where(np.isnan(found) & ~whole, NOT_SEEN, found)


# Several methods, of which inner folds choose the best.
#
# The predictions of all methods stand side by side: a candidate is a method with a size, in place
# of a size alone. For each outer fold, the other folds choose the size of each method by the rule,
# and then the method whose size has the best mean score, the first of equal ones. The
# cross-validation of all rows chooses the final model in the same way. No held-out row takes part
# in a choice.


class Candidate(NamedTuple):
    """A method, by its position, with a size."""

    method: int
    size: int


class SizeChooser(Protocol):
    """The part of :class:`hetsel.signature.procedure.SignatureProcedure` that chooses a size."""

    @property
    def seed(self) -> int: ...

    def choose(
        self, sizes: tuple[int, ...], scores: np.ndarray, folds: int | None = None
    ) -> int: ...


@dataclass(frozen=True)
class ChoiceOfMethod:
    """Choose among candidates like a rule among sizes."""

    rule: SizeChooser  # chooses the size of each method
    size: str = "method and size"

    @property
    def seed(self) -> int:
        """Seed of the rule."""
        return self.rule.seed

    def choose(
        self, sizes: tuple[Candidate, ...], scores: np.ndarray, folds: int | None = None
    ) -> Candidate:
        """Return the candidate that scores (K, candidates) choose."""
        found, best = sizes[0], -np.inf
        for method in dict.fromkeys(one.method for one in sizes):
            own = [k for k, one in enumerate(sizes) if one.method == method]
            known = tuple(sizes[k].size for k in own)
            size = self.rule.choose(known, scores[:, own], folds)
            mean = float(np.nanmean(scores[:, own[known.index(size)]]))
            if mean > best + TIE_WIDTH:
                found, best = Candidate(method, size), mean
        return found


def side_by_side(
    parts: Sequence[fold_models.FoldModels], results: Sequence[Mapping[int, fold_models.PartResult]]
) -> tuple[fold_models.FoldModels, dict[int, fold_models.PartResult]]:
    """Combine the models of several methods into those of one method with all candidates.

    The parts differ in their methods only.
    """
    candidates = tuple(Candidate(m, size) for m, one in enumerate(parts) for size in one.sizes)
    whole = {}
    for number in range(len(parts[0])):
        each = [one[number] for one in results]
        whole[number] = replace(
            each[0],
            predicted=np.concatenate([one.predicted for one in each]),
            decisions=np.concatenate([one.decisions for one in each]),
            signatures=sum((one.signatures for one in each), ()),
        )
    return replace(parts[0], sizes=candidates, pairs=True), whole  # type: ignore[arg-type]
