"""Held-out performance of any classifier or regressor of scikit-learn, or of predicted risks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor

from hetsel.ground import TableError
from hetsel.ground.equal_numbers import on_grid, unit_scale
from hetsel.resampling.folds import draw_folds
from hetsel.search.criteria.rates.held_out_rates import HeldOutState, most_frequent, scaled_numbers
from hetsel.selection import Problem
from hetsel.selection.scikit_estimators import with_seed
from hetsel.tables import Classes, Numbers, Table, TypedTarget, content_ranks

ENCODINGS = ("one-hot", "codes")
RISK = "_predict_risk_score"  # by which scikit-survival knows what `predict` of its estimators is
WANTED = {
    "classes": "a classifier of scikit-learn",
    "numbers": "a regressor of scikit-learn",
    "survival": "an estimator of survival times, such as those of scikit-survival",
}


@dataclass(frozen=True)
class EstimatorRate:
    """Score a subset by the held-out performance of an estimator of scikit-learn.

    Nothing is updated by feature: a candidate takes one fit per fold. For classes the performance
    is that of a classifier. For a numeric target it is R^2 of a regressor, fitted to the target
    scaled to [0, 1]. For survival times it is Harrell's concordance of the predictions of an
    estimator such as those of scikit-survival. A prediction is a risk, larger is sooner. If the
    estimator declares by `_predict_risk_score` that it predicts times, their negative is used. Such
    an estimator is fitted to a structured array, see :func:`hetsel.survival`, in which a search has
    the ranks of the times. A `random_state` of None gets the seed of the problem. "auc" uses
    `predict_proba`, or `decision_function` for two classes.
    :mod:`hetsel.search.criteria.rates.held_out_rates` describes the other parameters.

    A nominal column is one column of 0 and 1 per level ("one-hot"), or one of whole numbers
    ("codes"), by the order in which levels appear. Numbers and ordered levels are scaled to [0, 1]
    by their range in all rows. Missing values become the mean of the others, with an additional
    column that marks them. A constant feature has no column. The columns are in the order of their
    content. Without a column the prediction is the most frequent class of the other folds, the mean
    of their numbers, or the same risk for all.
    """

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    estimator: Any
    encode: str = "one-hot"
    folds: int = 5
    rate: str | None = None
    repeats: int = 1

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "EstimatorState":
        if self.encode not in ENCODINGS:
            raise TableError(f"encode must be 'one-hot' or 'codes'. Got {self.encode!r}")
        _refuse_other_estimator(self.estimator, problem.target)
        fold = draw_folds(problem, self.folds, self.repeats)
        state = EstimatorState(problem, fold, self.rate, self.estimator, self.encode)
        if state.by_scores:
            _refuse_without_scores(self.estimator, state.n_classes)
        return state.extended(subset)


class EstimatorState(HeldOutState):
    """A subset with the columns that each feature gives to the estimator."""

    def __init__(
        self, problem: Problem, fold: np.ndarray, rate: str | None, estimator: Any, encode: str
    ) -> None:
        super().__init__(problem, fold, rate)
        target = problem.target
        if isinstance(target, Classes):
            self._target = target.codes
        elif isinstance(target, Numbers):
            self._target = scaled_numbers(target.values)
        else:
            self._target = target.structured
        self._estimator = with_seed(estimator, problem.seed)
        self._blocks = estimator_columns(problem.table, encode)
        self._place = np.argsort(problem.table.canonical_order()).tolist()

    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        cells = self._cells(feature, sign)
        if not cells.shape[1]:
            return self._without_columns()
        out = np.empty(self.fold.shape, dtype=np.int64 if self.n_classes else np.float64)
        for model, place, rows in self._fitted(cells):
            # an estimator of scikit-survival may predict times, and no risk
            times = self._target.dtype.names is not None and not getattr(model, RISK, True)
            out[place] = np.ravel(model.predict(rows)) * (-1 if times else 1)
        return out

    def scores(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        cells = self._cells(feature, sign)
        out = np.full((*self.fold.shape, max(self.n_classes, 2)), -np.inf)  # a class without rows
        if not cells.shape[1]:
            return np.zeros_like(out)
        for model, (repeat, held), rows in self._fitted(cells):
            if hasattr(model, "predict_proba"):
                values = model.predict_proba(rows)
            else:
                decisions = np.ravel(model.decision_function(rows))[:, None]
                values = np.hstack([-decisions, decisions])
            out[repeat, np.flatnonzero(held)[:, None], model.classes_] = on_grid(values)
        return out

    def _cells(self, feature: int | None, sign: float) -> np.ndarray:
        """Return the columns (n, d) of the subset, with a feature added (1) or removed (-1)."""
        subset = set(self._subset)
        if feature is not None:
            subset = subset | {feature} if sign > 0.0 else subset - {feature}
        ordered = sorted(subset, key=self._place.__getitem__)
        return np.hstack([np.empty((len(self.y), 0)), *(self._blocks[f] for f in ordered)])

    def _fitted(self, cells: np.ndarray) -> Iterator[tuple[Any, Any, np.ndarray]]:
        """Yield each model, the place of its held-out rows in (repeats, n), and their values."""
        for repeat, part in enumerate(self.fold):
            for k in np.unique(part):
                held = part == k
                model = clone(self._estimator).fit(cells[~held], self._target[~held])
                yield model, (repeat, held), cells[held]

    def _without_columns(self) -> np.ndarray:
        if self.n_classes:
            return most_frequent(self.y, self.fold)
        out = np.zeros(self.fold.shape)
        if self._target.dtype.names is None:
            for part, row in zip(self.fold, out, strict=True):
                for k in np.unique(part):
                    row[part == k] = self._target[part != k].mean()
        return out

    def _update(self, feature: int, sign: float) -> None:
        """Keep nothing but the subset."""


def _refuse_other_estimator(estimator: Any, target: TypedTarget) -> None:
    """Raise a TableError for an object without fit and predict, or for another kind of target."""
    wanted = WANTED[target.kind]
    usable = hasattr(estimator, "fit") and hasattr(estimator, "predict")
    if isinstance(estimator, type) or not usable:
        raise TableError(f"estimator must be {wanted}. Got {estimator!r}")
    tagged = hasattr(estimator, "__sklearn_tags__") and not hasattr(estimator, RISK)
    kind = "a classifier" if tagged and is_classifier(estimator) else ""
    kind = "a regressor" if tagged and is_regressor(estimator) else kind
    if kind and not wanted.startswith(kind):
        raise TableError(
            f"estimator must be {wanted}, since the target holds {target.in_words()}. Got "
            f"{type(estimator).__name__}, {kind}"
        )


def _refuse_without_scores(estimator: Any, n_classes: int) -> None:
    """Raise a TableError for an AUC of a classifier that predicts classes only."""
    decides = n_classes == 2 and hasattr(estimator, "decision_function")
    if not decides and not hasattr(estimator, "predict_proba"):
        more = " or decision_function" if n_classes == 2 else " for more than two classes"
        raise TableError(
            f"rate='auc' needs a classifier with predict_proba{more}. Got "
            f"{type(estimator).__name__}. Use rate='bcr'"
        )


def estimator_columns(table: Table, encode: str) -> list[np.ndarray]:
    """Return columns (n, size) of each feature, nominal ones in one of the two encodings."""
    numbers = on_grid(unit_scale(table.values))
    levels = content_ranks(table.values, table.nominal)
    blocks = []
    for f, nominal in enumerate(table.nominal):
        if nominal:
            level = levels[f]
            one_hot = level[:, None] == np.unique(level)
            block = one_hot if encode == "one-hot" else level[:, None]
        else:
            gaps = np.isnan(numbers[:, f])
            mean = numbers[~gaps, f].mean() if not gaps.all() else 0.0
            filled = np.where(gaps, mean, numbers[:, f])[:, None]
            block = np.hstack([filled, gaps[:, None]]) if gaps.any() else filled
        varies = (block != block[:1]).any(axis=0)
        blocks.append(block[:, varies].astype(np.float64))
    return blocks
