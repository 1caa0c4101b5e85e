"""Judges: models that are trained on the selected features and score a method.

A judge is any estimator of scikit-learn or scikit-survival, or a model of hetsel for numbers or
survival times; models for classes are in `models`. The encodings of the features are:

"one-hot"
    An array. Numbers and the level numbers of ordinal columns are standardized by mean and standard
    deviation of the training rows. A nominal column becomes a 0/1 column for each level of the
    training rows, so an unseen level is 0 in all. A missing number that is a separate value becomes
    the mean, with an additional 0/1 column.
"whole"
    A data frame. Numbers keep their units. A nominal column has the category dtype of pandas, with
    the codes of the levels of the training rows. Columns are named x0, x1, ... by their positions
    in the table.

A key has the same meaning for every kind of target that it supports; see `JUDGES_BY_KIND`. Risk
scores are larger where the event is expected sooner. The test rows of a survival split include its
training rows, which calibrate the scores.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import has_fit_parameter

from hetsel.ground import TableError, listed
from hetsel.ground.equal_numbers import FINE_GRID
from hetsel.models import final_classifiers, final_regressors
from hetsel.models.train_test_arrays import Split, Subsets
from hetsel.selection import problem
from hetsel.selection.scikit_estimators import (
    hold_groups_together,
    innermost,
    is_pipeline,
    predicts,
    with_seed,
)
from hetsel.solvers.cox_ridge import cox_ridge
from hetsel.tables import TargetKind, survival

Predicted = TypeVar("Predicted")
Encoding = Literal["one-hot", "whole"]
JUDGES = {"classes": "classifier", "numbers": "regressor", "survival": "survival model"}
ANY_JUDGE = "classifier, regressor or survival model"
METHODS = ("decision_function", "predict_proba")  # the first available one gives decision values


def judge_by(
    estimator: Any, split: Split, subsets: Subsets, *, seed: int, encoding: Encoding = "one-hot"
) -> tuple[np.ndarray, np.ndarray]:
    """Predict classes (subsets, m) and decision values (subsets, m, d) with a classifier.

    Decision values come from `decision_function`, else from `predict_proba` (for two classes the
    second minus the first), else they are NaN. The estimator is cloned. `seed` replaces a
    `random_state` of None, row weights go to `fit`, and with row groups a parameter `cv` holds out
    groups together. The features of a subset are in the order of the table.
    """

    def read(fitted: Any, test: Any) -> tuple[np.ndarray, np.ndarray]:
        codes = _classes(fitted, test, split.n_classes)
        return codes, _decision_values(fitted, test, split.n_classes)

    answers = each_fit(estimator, split, subsets, split.codes, read, seed, encoding)
    codes, values = zip(*answers, strict=True)
    return np.array(codes), np.array(values)


def predict_by(
    estimator: Any, split: Split, subsets: Subsets, *, seed: int, encoding: Encoding = "one-hot"
) -> np.ndarray:
    """Predict numbers (subsets, m) with a regressor; see :func:`judge_by`."""
    assert split.numbers is not None
    return np.array(
        each_fit(estimator, split, subsets, split.numbers, predicted_numbers, seed, encoding)
    )


def ridge(split: Split, subsets: Subsets, *, alpha: float, seed: int = 0) -> np.ndarray:
    """Predict numbers (subsets, m) by ridge regression on "one-hot" columns.

    scikit-learn's `Ridge` minimizes sum_i w_i (y_i - a - b'z_i)^2 + alpha |b|^2 over a and b (Hoerl
    & Kennard 1970, Technometrics 12, 55-67). Predictions are rounded to 2^-24 of the range of the
    training numbers, so that they are equal on every processor.
    """
    assert split.numbers is not None
    from sklearn.linear_model import Ridge  # slow to load: only for numbers

    predicted = predict_by(Ridge(alpha=alpha), split, subsets, seed=0)
    low, span = split.numbers.min(), np.ptp(split.numbers)
    return np.asarray(low + span * np.rint((predicted - low) / span * FINE_GRID) / FINE_GRID)


def each_fit(
    estimator: Any,
    split: Split,
    subsets: Subsets,
    y: np.ndarray,
    read: Callable[[Any, Any], Predicted],
    seed: int,
    encoding: Encoding,
) -> list[Predicted]:
    """Fit the estimator to y (n,) on each subset and read its predictions of the test rows."""
    if encoding not in get_args(Encoding):
        raise TableError(f"encoding must be 'one-hot' or 'whole'. Got {encoding!r}")
    option = {}
    if split.weights is not None:
        option = {_option_of_weights(estimator): split.weights}
    used = np.unique(np.concatenate(subsets))
    columns = {f: _indicators(split, f) for f in used.tolist()} if encoding == "one-hot" else {}
    answers: list[Predicted] = []
    parts: list[Any]
    for subset in subsets:
        features = np.sort(subset)
        if encoding == "one-hot":
            parts = [np.hstack([columns[f][k] for f in features.tolist()]) for k in (0, 1)]
        else:
            parts = _frames(split, features)
        train, test = parts
        fitted = with_seed(estimator, seed)
        if split.row_groups is not None:
            hold_groups_together(fitted, split.codes, split.row_groups, seed)
        with problem.seeded_globals(seed):
            fitted.fit(train, y.copy(), **option)
            answers.append(read(fitted, test))
    return answers


def why_no_judge(estimator: Any, target: TargetKind | None = "classes") -> str:
    """Explain why an object cannot judge a kind of target (None: any); empty if it can."""
    name, wanted = type(estimator).__name__, JUDGES.get(target or "", ANY_JUDGE)
    if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        return f"{name} is not a {wanted}: it has no methods fit and predict"
    kind = predicts(estimator)
    if target is None or kind in (None, target):
        return ""
    return f"{name} is not a {wanted}: it is a {JUDGES[str(kind)]}"


def refuse_weights_for(estimator: Any) -> None:
    """Refuse row weights if the `fit` of an estimator does not support them."""
    _option_of_weights(estimator)


def _option_of_weights(estimator: Any) -> str:
    """Return the parameter of `fit` that receives row weights."""
    last, path = estimator, ""
    while is_pipeline(last):
        path, last = f"{path}{last.steps[-1][0]}__", last.steps[-1][1]
    if not has_fit_parameter(last, "sample_weight"):
        raise TableError(
            f"row_weights: the {JUDGES.get(predicts(estimator) or '', 'classifier')} "
            f"{type(last).__name__} does not support row weights: its fit has no sample_weight"
        )
    return f"{path}sample_weight"


def _indicators(split: Split, f: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of a feature, (n, q) and (m, q), encoded by the training rows."""
    train, test = split.train[f], split.beyond[f]
    if split.nominal[f]:
        levels = np.unique(train)
        return (train[:, None] == levels) * 1.0, (test[:, None] == levels) * 1.0
    gaps = np.isnan(train)
    known = train[~gaps]
    mean = known.mean() if len(known) else 0.0
    deviation = known.std() if len(known) and np.ptp(known) > 0 else np.inf
    columns = []
    for part in (train, test):
        numbers = np.where(np.isnan(part), 0.0, (part - mean) / deviation)
        marks = [np.isnan(part).astype(np.float64)] if gaps.any() else []
        columns.append(np.column_stack([numbers, *marks]))
    return columns[0], columns[1]


def _frames(split: Split, features: np.ndarray) -> list[pd.DataFrame]:
    """Return some features of the training and test rows as data frames."""
    assert split.tables is not None
    parts: list[dict[str, Any]] = [{}, {}]
    train = split.tables[0]
    for f in features.tolist():
        levels = np.unique(train.values[:, f])
        names = pd.Index(levels.astype(np.int64)) if train.nominal[f] else pd.Index([])
        for part, table in zip(parts, split.tables, strict=True):
            cells = table.values[:, f]
            if train.nominal[f]:
                place = np.searchsorted(levels, cells).clip(max=len(levels) - 1)
                codes = np.where(levels[place] == cells, place, -1)
                part[f"x{f}"] = pd.Categorical.from_codes(codes, names)
            else:
                part[f"x{f}"] = cells.copy()
    return [pd.DataFrame(part) for part in parts]


def _classes(fitted: Any, test: Any, n_classes: int) -> np.ndarray:
    """Predict class codes (m,)."""
    codes = np.asarray(fitted.predict(test)).ravel()
    if not np.isin(codes, np.arange(n_classes)).all():
        raise TableError(
            f"{type(fitted).__name__}.predict must return classes of the training rows. "
            f"Got {codes[~np.isin(codes, np.arange(n_classes))][0]!r:.40}"
        )
    return codes.astype(np.int64)


def predicted_numbers(fitted: Any, test: Any, what: str = "number") -> np.ndarray:
    """Predict numbers (m,), or risk scores."""
    values = np.asarray(fitted.predict(test), dtype=np.float64)
    if values.size != len(test) or not np.isfinite(values).all():
        raise TableError(
            f"{type(fitted).__name__}.predict must return a finite {what} for each of {len(test)} "
            f"rows. Got {values.size} values, {int((~np.isfinite(values)).sum())} not finite"
        )
    return values.ravel()


def _decision_values(fitted: Any, test: Any, n_classes: int) -> np.ndarray:
    """Return decision values (m, d) as in :mod:`hetsel.models.final_classifiers`."""
    for name in METHODS:
        if hasattr(fitted, name):
            values = np.asarray(getattr(fitted, name)(test), dtype=np.float64)
            if n_classes == 2:
                two = values.ndim == 2 and values.shape[1] == 2
                return values[:, 1:] - values[:, :1] if two else values.reshape(-1, 1)
            if values.ndim == 2 and values.shape[1] == n_classes:  # not one for each pair
                return values
    return np.full((len(test), 1 if n_classes == 2 else n_classes), np.nan)


def cox(split: Split, subsets: Subsets, *, alpha: float, seed: int = 0) -> np.ndarray:
    """Predict risk scores (subsets, m) by Cox regression with a ridge penalty.

    The features are "one-hot" columns z. The risk score is b'z, where b minimizes

        - sum_events w_i (b'z_i - log sum_{t_j >= t_i} w_j exp(b'z_j)) + (alpha / 2) |b|^2

    (Breslow: events at one time share the risk set; Cox 1972, Journal of the Royal Statistical
    Society B 34, 187-220; Verweij and van Houwelingen 1994, Statistics in Medicine 13, 2427-2436).
    Scores are rounded to 2^-24, so that they are equal on every processor.
    """
    if not 0 < alpha < np.inf:
        raise TableError(f"alpha must be a positive number. Got {alpha!r}")
    scores = risk_by(CoxRegression(alpha), split, subsets, seed=0)
    return np.asarray(np.rint(scores * FINE_GRID) / FINE_GRID)


def risk_by(
    estimator: Any, split: Split, subsets: Subsets, *, seed: int, encoding: Encoding = "one-hot"
) -> np.ndarray:
    """Predict risk scores (subsets, m) with scikit-survival; see :func:`judge_by`.

    The sign is reversed for estimators that predict times, such as `IPCRidge`.
    """
    assert split.times is not None
    assert split.events is not None
    y = survival(split.times, split.events)
    return np.array(each_fit(estimator, split, subsets, y, _risks, seed, encoding))


class CoxRegression(BaseEstimator):
    """Fit Cox regression with a ridge penalty as an estimator; see :func:`cox`."""

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: np.ndarray, y: np.ndarray, sample_weight: Any = None) -> "CoxRegression":
        """Fit to columns (n, d) and a structured array (n,) of events and times."""
        fit = cox_ridge(X, y["time"], y["event"], alpha=self.alpha, weights=sample_weight)
        self.coef_ = fit.coefficients
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predict the log relative risk (m,) of rows (m, d)."""
        return np.asarray(X @ self.coef_)


def _risks(fitted: Any, test: Any) -> np.ndarray:
    """Predict risk scores (m,)."""
    values = predicted_numbers(fitted, test, "risk score")
    # scikit-survival marks estimators that predict times by this attribute
    risk = getattr(innermost(fitted), "_predict_risk_score", True)
    return values * (1.0 if risk else -1.0)


# (split, subsets, seed=, parameters) -> predicted numbers or risk scores (subsets, m)
Predicts = Callable[..., np.ndarray]
# add a key here, to FINAL and, with its parameters, to the plan to judge another kind of target
JUDGES_BY_KIND: dict[str, Mapping[str, Predicts]] = {
    "classes": final_classifiers.FINAL,
    "numbers": {
        "ridge": ridge,
        "clinical-svm": final_regressors.clinical_numbers,
        "5nn": final_regressors.nearest_numbers,
        "random-forest": final_regressors.forest_numbers,
    },
    "survival": {
        "cox": cox,
        "clinical-svm": final_regressors.clinical_survival,
        "5nn": final_regressors.nearest_survival,
    },
}
DEFAULT_KEYS = {"classes": "clinical-svm", "numbers": "ridge", "survival": "cox"}
# judges that support row weights
WEIGHING_BY_KIND: dict[str, tuple[str, ...]] = {
    "classes": final_classifiers.WEIGHING,
    "numbers": ("ridge", "clinical-svm", "random-forest"),
    "survival": ("cox", "clinical-svm"),
}


def kinds_of(key: str) -> tuple[str, ...]:
    """Return the kinds of targets of a judge."""
    return tuple(kind for kind, judges in JUDGES_BY_KIND.items() if key in judges)


def told_kind(split: Split) -> str:
    """Return the kind of target of a split."""
    if split.times is not None:
        return "survival"
    return "classes" if split.numbers is None else "numbers"


def predict(
    key: str, split: Split, subsets: Subsets, *, seed: int, params: Mapping[str, Any]
) -> np.ndarray:
    """Predict numbers or risk scores (subsets, m); nested subsets, smallest first, are fastest."""
    kind = told_kind(split)
    if split.weights is not None:
        refuse_weights_of_judge(key, kind)
    return JUDGES_BY_KIND[kind][key](split, subsets, seed=seed, **params)


def refuse_weights_of_judge(key: str, kind: str | None = None) -> None:
    """Refuse row weights if a judge does not support them, for a kind of target or for all."""
    kinds = kinds_of(key) if kind is None else (kind,)
    if any(key in WEIGHING_BY_KIND[one] for one in kinds):
        return
    able = dict.fromkeys(judge for one in kinds for judge in WEIGHING_BY_KIND[one])
    advice = f"Use one of: {listed(able)}" if able else "No judge of hetsel does"
    raise TableError(f"row_weights: the judge {key} does not support row weights. {advice}")
