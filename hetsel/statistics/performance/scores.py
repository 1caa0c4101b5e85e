"""Scores of predictions, by the kind of target, all sizes at once.

Ours: scikit-learn's take one size at a time and labels in place of codes. They are checked against
them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hetsel.statistics.survival.concordance import area_of_marks, concordance


def recalls(confusion: np.ndarray) -> np.ndarray:
    """Share (..., c) of the rows of each class predicted right, of a confusion (..., c, c); NaN of
    none.
    """
    rows = confusion.sum(axis=-1)
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    return np.where(rows > 0, right / np.where(rows > 0, rows, 1), np.nan)


def balanced_rate(confusion: np.ndarray) -> np.ndarray:
    """BCR (...): mean of the recalls of the classes that have rows (paul2015, Eq. 12)."""
    of_class = recalls(confusion)
    known = ~np.isnan(of_class)
    total = np.where(known, of_class, 0.0).sum(axis=-1)
    return np.asarray(total / np.maximum(known.sum(axis=-1), 1))


def accuracy(confusion: np.ndarray) -> np.ndarray:
    """Share (...) of the rows that are predicted right; the error rate is what is left to 1."""
    right = np.trace(confusion, axis1=-2, axis2=-1)
    return np.asarray(right / confusion.sum(axis=(-2, -1)))


def area_under_curve(
    decisions: np.ndarray, truth: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Area under the ROC curve (sizes,); for more classes the mean of one class against the rest.

    The share of pairs, by the product of their weights, of a row of the class and another row of
    which the first has the larger decision value (sizes, m, d), equal values one half. Classes that
    lack either kind of row, or a training row, are left out; NaN where none is left, or without
    values.
    """
    d = decisions.shape[2]
    areas = []
    for place, c in enumerate([1] if d == 1 else range(d)):
        own = truth == c
        values = decisions[:, :, place]
        unknown = np.isnan(values).any(axis=1)
        if not own.any() or own.all() or unknown.all():
            continue
        area = np.array([_area(row, own, weights) for row in values])
        areas.append(np.where(unknown, np.nan, area))
    if not areas:
        return np.full(len(decisions), np.nan)
    return np.asarray(np.mean(areas, axis=0))


def _area(values: np.ndarray, own: np.ndarray, weights: np.ndarray | None) -> float:
    """The weight of the pairs in which a row of the class is ahead, as a share of all."""
    if weights is None:  # five times as fast
        mine, others = values[own], np.sort(values[~own])
        ahead = others.searchsorted(mine).sum() + others.searchsorted(mine, "right").sum()
        return float(ahead / (2 * len(mine) * len(others)))
    places = np.unique(values, return_inverse=True)[1]
    mine, others = (
        np.bincount(places[part], weights[part], places.max() + 1) for part in (own, ~own)
    )
    return float((mine * (np.cumsum(others) - others / 2)).sum() / (mine.sum() * others.sum()))


def confusion_counts(
    truth: np.ndarray, predictions: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> np.ndarray:
    """Rows, or their weights, by class and predicted class: (k, c, c) of predictions (k, m)."""
    k = len(predictions)
    place = (np.arange(k)[:, None] * n_classes + truth) * n_classes + predictions
    own = None if weights is None else np.tile(weights, k)
    counts = np.bincount(place.ravel(), own, minlength=k * n_classes * n_classes)
    return counts.reshape(k, n_classes, n_classes)


@dataclass(frozen=True)
class Scores:
    """The scores of a kind of target.

    `compute` takes the truth (m,), predictions (k, m), decision values (k, m, d), what is known
    without the features (of classes the rows of each in the whole table (c,), or the sums of their
    weights; of numbers the mean of the training rows; of survival times None) and the weights of
    the test rows (m,) or None; it returns each of `columns` (k,) by name.
    """

    names: tuple[str, ...]  # methods are compared by the first unless another one is asked for
    labels: tuple[str, ...]  # what the names are printed as
    limits: tuple[float, float]  # of the first
    averaged: tuple[str, ...]  # what a summary shows the means of, the first one first
    compute: Callable[..., dict[str, np.ndarray]]
    # by name of a score the column of what it is without any knowledge of the features
    baselines: dict[str, str] = field(default_factory=dict)
    beside: tuple[str, ...] = ()  # further columns, facts of the test part
    losses: tuple[str, ...] = ()  # the scores of which a smaller value is better
    in_units: tuple[str, ...] = ()  # those that have the unit of the target
    needs: str = "rows of two classes"  # of a test part, for the first
    judge: str = "classifier"  # what predicts

    @property
    def columns(self) -> tuple[str, ...]:
        """All that `compute` returns: scores, baselines, facts of the test part."""
        return (*self.names, *self.baselines.values(), *self.beside)


def class_scores(
    truth: np.ndarray,
    predictions: np.ndarray,
    decisions: np.ndarray,
    class_counts: np.ndarray,
    weights: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """BCR, accuracy, sensitivity and specificity (of two classes), area under the curve; (k,).

    A test part of one class only has no BCR (NaN), which would be a recall alone. Beside them
    `bcr_by_chance`, 1 / (number of classes present); `accuracy_of_majority`, the share of the test
    rows in the largest class of the whole table, of several such the mean share; and
    `absent_classes`, how many have no test rows. With weights (m,) all shares are of the weight.
    """
    n_classes = len(class_counts)
    confusion = confusion_counts(truth, predictions, n_classes, weights)
    of_class = recalls(confusion)
    none = np.full(len(predictions), np.nan)
    rows = np.bincount(truth, weights, minlength=n_classes)
    present = int((rows > 0).sum())
    largest = class_counts == class_counts.max()
    return {
        "bcr": balanced_rate(confusion) if present > 1 else none,
        "accuracy": accuracy(confusion),
        "sensitivity": of_class[:, 1] if n_classes == 2 else none,
        "specificity": of_class[:, 0] if n_classes == 2 else none,
        "auc": area_under_curve(decisions, truth, weights),
        "bcr_by_chance": np.full(len(predictions), 1 / present if present > 1 else np.nan),
        "accuracy_of_majority": np.full(len(predictions), rows[largest].mean() / rows.sum()),
        "absent_classes": np.full(len(predictions), n_classes - present),
    }


def number_scores(
    truth: np.ndarray,
    predictions: np.ndarray,
    decisions: np.ndarray,
    training_mean: float,
    weights: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """R^2, mean absolute error and root of the mean squared error of numbers; (k,).

    With e_i = y_i - (predicted value) and the mean m of the test rows

        R^2 = 1 - sum_i e_i^2 / sum_i (y_i - m)^2,  MAE = mean |e_i|,  RMSE = sqrt(mean e_i^2),

    but R^2 of a test part that holds one value only is NaN, which scikit-learn has 0 or 1. Beside
    them `r2_of_mean`, `mae_of_mean` and `rmse_of_mean`: what the mean of the training rows reaches.
    With weights (m,) of the rows all sums and means are weighted.
    """
    k = len(predictions)
    every = np.vstack([predictions, np.full(len(truth), training_mean)])
    errors = truth - every
    squares = np.average(errors**2, axis=1, weights=weights)
    varies = np.ptp(truth) > 0
    scores = {
        "r2": 1 - squares / spread_of(truth, weights) if varies else np.full(k + 1, np.nan),
        "mae": np.average(np.abs(errors), axis=1, weights=weights),
        "rmse": np.sqrt(squares),
    }
    of_rows = {name: values[:k] for name, values in scores.items()}
    return of_rows | {f"{name}_of_mean": np.full(k, values[k]) for name, values in scores.items()}


def survival_scores(
    truth: np.ndarray,
    predictions: np.ndarray,
    decisions: np.ndarray,
    known: None = None,
    weights: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Concordance, Uno's concordance, integrated Brier score and area under the curve; (k,).

    `concordance` is Harrell's C of risks (k, m) with times; `uno` weighs each pair by 1 / G^2(t-)
    of its earlier event; `ibs` is that of the curves that Cox's model of the risk gives; `auc` the
    cumulative/dynamic area at the median event time of the training rows. Beside them
    `concordance_by_chance`, 1/2, and `ibs_of_kaplan_meier`, of the one curve of all training rows.
    The truth (m,) is the time of an event; of a censored row the time with a minus, -0.0 for 0.
    Decisions (k, m, 4): :func:`hetsel.statistics.survival.cox_curves.survival_columns`. Risks of
    NaN score NaN.
    """
    times, events = np.abs(truth), ~np.signbit(truth)
    unknown = np.isnan(predictions).any(axis=1)
    chosen = int(np.argmin(unknown))  # Uno's weights and the marks are the same for all k
    unos, marks = decisions[chosen, :, 2], decisions[chosen, :, 3]
    brier = np.average(decisions[:, :, :2], axis=1, weights=weights)
    found = {
        "concordance": concordance(times, events, predictions, weights),
        "uno": concordance(times, events, predictions, weights, unos),
        "ibs": np.where(unknown, np.nan, brier[:, 0]),
        "auc": area_of_marks(marks, predictions, weights),
    }
    by_chance = np.where(np.isnan(found["concordance"]), np.nan, 0.5)
    return {
        **found,
        "concordance_by_chance": by_chance,
        "ibs_of_kaplan_meier": np.full(len(predictions), brier[chosen, 1]),
    }


SCORES = {
    "classes": Scores(
        names=("bcr", "accuracy", "sensitivity", "specificity", "auc"),
        labels=("BCR", "accuracy", "sensitivity", "specificity", "AUC"),
        limits=(0.0, 1.0),
        averaged=("bcr", "accuracy", "auc"),
        compute=class_scores,
        baselines={"bcr": "bcr_by_chance", "accuracy": "accuracy_of_majority"},
        beside=("absent_classes",),
    ),
    "numbers": Scores(
        names=("r2", "mae", "rmse"),
        labels=("R²", "MAE", "RMSE"),
        limits=(-np.inf, 1.0),
        averaged=("r2", "mae", "rmse"),
        compute=number_scores,
        baselines={"r2": "r2_of_mean", "mae": "mae_of_mean", "rmse": "rmse_of_mean"},
        losses=("mae", "rmse"),
        in_units=("mae", "rmse"),
        needs="rows of two values",
        judge="regressor",
    ),
    "survival": Scores(
        names=("concordance", "uno", "ibs", "auc"),
        labels=("concordance", "Uno's concordance", "integrated Brier score", "AUC at the median"),
        limits=(0.0, 1.0),
        averaged=("concordance", "uno", "ibs"),
        compute=survival_scores,
        baselines={"concordance": "concordance_by_chance", "ibs": "ibs_of_kaplan_meier"},
        losses=("ibs",),
        needs="an event, and a row that is followed for longer",
        judge="survival model",
    ),
}


def explained(
    truth: np.ndarray, predicted: np.ndarray, spread: float, weights: np.ndarray | None = None
) -> np.ndarray:
    """1 - mean squared error / spread (k,) of predictions (k, m), the spread that of all rows
    judged: so the mean over folds is that of all rows.
    """
    return np.asarray(1.0 - np.average((truth - predicted) ** 2, axis=1, weights=weights) / spread)


def spread_of(truth: np.ndarray, weights: np.ndarray | None = None) -> float:
    """SST over the weight of the rows: the weighted mean of the squares about the weighted mean."""
    mean = np.average(truth, weights=weights)
    return float(np.average((truth - mean) ** 2, weights=weights))
