"""Score predictions by the kind of target, for all sizes at once.

scikit-learn's scores accept one size at a time, and labels instead of codes. The tests compare the
scores here with scikit-learn's.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hetsel.statistics.survival.concordance import area_of_marks, concordance


def recalls(confusion: np.ndarray) -> np.ndarray:
    """Compute recalls (..., c) of confusion matrices (..., c, c); NaN for classes without rows."""
    rows = confusion.sum(axis=-1)
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    return np.where(rows > 0, right / np.where(rows > 0, rows, 1), np.nan)


def balanced_rate(confusion: np.ndarray) -> np.ndarray:
    """Compute balanced accuracy (...), the mean recall of classes with rows (paul2015, Eq. 12)."""
    of_class = recalls(confusion)
    known = ~np.isnan(of_class)
    total = np.where(known, of_class, 0.0).sum(axis=-1)
    return np.asarray(total / np.maximum(known.sum(axis=-1), 1))


def accuracy(confusion: np.ndarray) -> np.ndarray:
    """Compute the proportion (...) of correct predictions; the error rate is 1 minus it."""
    right = np.trace(confusion, axis1=-2, axis2=-1)
    return np.asarray(right / confusion.sum(axis=(-2, -1)))


def area_under_curve(
    decisions: np.ndarray, truth: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Compute the area under the ROC curve (sizes,), the mean one-vs-rest area of several classes.

    The area is the proportion of pairs of a row of the class and another row in which the first has
    the larger decision value (sizes, m, d). Pairs count by the product of their weights, and equal
    values count one half. Classes without either kind of row, or without a training row, are left
    out; the area is NaN if none is left, or without values.
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
    """Compute the weighted proportion of pairs in which the row of the class is ahead."""
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
    """Count rows, or add weights, by class and predicted class: (k, c, c) of predictions (k, m)."""
    k = len(predictions)
    place = (np.arange(k)[:, None] * n_classes + truth) * n_classes + predictions
    own = None if weights is None else np.tile(weights, k)
    counts = np.bincount(place.ravel(), own, minlength=k * n_classes * n_classes)
    return counts.reshape(k, n_classes, n_classes)


@dataclass(frozen=True)
class Scores:
    """Describe the scores of a kind of target.

    `compute` accepts the truth (m,), predictions (k, m), decision values (k, m, d), what is known
    without the features, and the weights of the test rows (m,) or None. It returns each of
    `columns` (k,) by name. Known without the features are the rows of each class in the whole table
    (c,) or the sums of their weights for classes, the mean of the training rows for a numeric
    target, and None for survival times.
    """

    names: tuple[str, ...]  # methods are compared by the first, unless another is requested
    labels: tuple[str, ...]  # the printed labels of the names
    limits: tuple[float, float]  # limits of the first score
    averaged: tuple[str, ...]  # scores whose means a summary shows, the first one first
    compute: Callable[..., dict[str, np.ndarray]]
    # by name of a score, the column of its value without any knowledge of the features
    baselines: dict[str, str] = field(default_factory=dict)
    beside: tuple[str, ...] = ()  # further columns, facts of the test part
    losses: tuple[str, ...] = ()  # scores for which smaller values are better
    in_units: tuple[str, ...] = ()  # scores in the unit of the target
    needs: str = "rows of two classes"  # what a test part needs for the first score
    judge: str = "classifier"  # what predicts

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that `compute` returns: scores, baselines, facts of the test part."""
        return (*self.names, *self.baselines.values(), *self.beside)


def class_scores(
    truth: np.ndarray,
    predictions: np.ndarray,
    decisions: np.ndarray,
    class_counts: np.ndarray,
    weights: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Score classes: balanced accuracy, accuracy, sensitivity, specificity and AUC; (k,) each.

    Sensitivity and specificity are those of two classes. A test part with one class only has no
    balanced accuracy (NaN), since it would be a recall alone. Further columns are `bcr_by_chance`,
    1 / (number of classes present); `accuracy_of_majority`, the proportion of test rows in the
    largest class of the whole table, the mean proportion if several classes are largest; and
    `absent_classes`, the number of classes without test rows. With weights (m,) all proportions are
    weighted.

    Examples
    --------
    >>> truth, predicted = np.array([0, 1, 1]), np.array([[0, 1, 0]])
    >>> decisions = np.array([[[-1.0], [2.0], [-0.5]]])
    >>> found = class_scores(truth, predicted, decisions, class_counts=np.array([1, 2]))
    >>> found["bcr"], found["auc"]
    (array([0.75]), array([1.]))
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
    """Score numbers: R^2, mean absolute error and root mean squared error; (k,) each.

    With e_i = y_i - (predicted value) and the mean m of the test rows

        R^2 = 1 - sum_i e_i^2 / sum_i (y_i - m)^2,  MAE = mean |e_i|,  RMSE = sqrt(mean e_i^2),

    except that R^2 is NaN for a test part with a single value, where scikit-learn returns 0 or 1.
    Further columns are `r2_of_mean`, `mae_of_mean` and `rmse_of_mean`, the scores of predicting the
    mean of the training rows. With weights (m,) of the rows all sums and means are weighted.

    Examples
    --------
    >>> truth, predicted = np.array([1.0, 2.0, 3.0]), np.array([[1.0, 2.0, 2.0]])
    >>> found = number_scores(truth, predicted, np.empty((1, 3, 0)), 2.0)
    >>> found["r2"], found["mae"].round(3)
    (array([0.5]), array([0.333]))
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
    """Score survival times: concordance, Uno's, integrated Brier score and AUC; (k,) each.

    `concordance` is Harrell's C of risk scores (k, m) and times. `uno` weights each pair by 1 /
    G^2(t-) of its earlier event. `ibs` is that of the curves of Cox's model of the risk score.
    `auc` is the cumulative/dynamic area at the median event time of the training rows. Further
    columns are `concordance_by_chance`, 1/2, and `ibs_of_kaplan_meier`, that of the one curve of
    all training rows. The truth (m,) is the time of an event; for a censored row it is the negative
    time, -0.0 for 0. Decisions (k, m, 4) are those of
    :func:`hetsel.statistics.survival.cox_curves.survival_columns`. Risk scores of NaN score NaN.
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
    """Compute 1 - mean squared error / spread (k,) of predictions (k, m).

    The spread is that of all held-out rows, so the mean over folds is that of all rows.
    """
    return np.asarray(1.0 - np.average((truth - predicted) ** 2, axis=1, weights=weights) / spread)


def spread_of(truth: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Compute the weighted mean square about the weighted mean: SST over the sum of weights."""
    mean = np.average(truth, weights=weights)
    return float(np.average((truth - mean) ** 2, weights=weights))
