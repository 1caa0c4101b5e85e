"""Judges of hetsel that predict numbers or risks; those of classes stand in `models`.

A key means the same for every kind of target, as far as it is there: see `JUDGES_BY_KIND`. Risks
are larger where the event is expected sooner; the test rows of a split of survival times are its
training rows, too, which calibrate them.

Judges of signatures for survival times: Cox regression, any estimator of scikit-survival.

They predict a risk score of each test row: the larger, the sooner the event.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed
from hetsel.ground.ties import FINE_GRID
from hetsel.judging.scikit_judges import Encoding, each_fit, innermost, predicted_numbers, ridge
from hetsel.models import final_regressors
from hetsel.models.final_classifiers import FINAL, WEIGHING
from hetsel.models.train_test_arrays import Split, Subsets
from hetsel.solvers.cox_ridge import cox_ridge
from hetsel.tables import survival


def cox(split: Split, subsets: Subsets, *, alpha: float, seed: int = 0) -> np.ndarray:
    """Risk scores (subsets, m) of Cox regression with a ridge penalty, on columns of "one-hot".

    The score of z is b'z, where b minimizes

        - sum_events w_i (b'z_i - log sum_{t_j >= t_i} w_j exp(b'z_j)) + (alpha / 2) |b|^2

    (Breslow: events of one time have the same set at risk; Cox 1972, Journal of the Royal
    Statistical Society B 34, 187-220; Verweij and van Houwelingen 1994, Statistics in Medicine 13,
    2427-2436). The columns are told at the top of :mod:`hetsel.judging.scikit_judges`. Scores are
    put on a grid of 2^-24, so that the order in which a processor adds has no part in them.
    """
    if not 0 < alpha < np.inf:
        raise TableError(f"alpha must be a positive number. Got {alpha!r}")
    scores = risk_by(CoxRegression(alpha), split, subsets, seed=0)
    return np.asarray(np.rint(scores * FINE_GRID) / FINE_GRID)


def risk_by(
    estimator: Any, split: Split, subsets: Subsets, *, seed: int, encoding: Encoding = "one-hot"
) -> np.ndarray:
    """Risk scores (subsets, m) of an estimator of scikit-survival, fitted anew on each subset.

    It is fitted to a structured array of events and times, see
    :func:`hetsel.judging.scikit_judges.judge_by`. What predicts times, as scikit-survival's
    `IPCRidge`, counts with its sign turned.
    """
    assert split.times is not None
    assert split.events is not None
    y = survival(split.times, split.events)
    return np.array(each_fit(estimator, split, subsets, y, _risks, seed, encoding))


class CoxRegression(BaseEstimator):
    """Cox regression with a ridge penalty as an estimator, see :func:`cox`."""

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: np.ndarray, y: np.ndarray, sample_weight: Any = None) -> "CoxRegression":
        """Fit to columns (n, d) and a structured array (n,) of events and times."""
        fit = cox_ridge(X, y["time"], y["event"], alpha=self.alpha, weights=sample_weight)
        self.coef_ = fit.coefficients
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Log relative risk (m,) of rows (m, d)."""
        return np.asarray(X @ self.coef_)


def _risks(fitted: Any, test: Any) -> np.ndarray:
    """Risk scores (m,)."""
    values = predicted_numbers(fitted, test, "risk score")
    # so scikit-survival says that an estimator predicts times
    risk = getattr(innermost(fitted), "_predict_risk_score", True)
    return values * (1.0 if risk else -1.0)


# (split, subsets, seed=, parameters) -> predicted numbers, or risks, (subsets, m)
Predicts = Callable[..., np.ndarray]
# a key that stands here, in FINAL and with its parameters in a plan judges one more kind of target
NUMBERS: dict[str, Predicts] = {
    "ridge": ridge,
    "clinical-svm": final_regressors.clinical_numbers,
    "5nn": final_regressors.nearest_numbers,
    "random-forest": final_regressors.forest_numbers,
}
SURVIVAL: dict[str, Predicts] = {
    "cox": cox,
    "clinical-svm": final_regressors.clinical_survival,
    "5nn": final_regressors.nearest_survival,
}
JUDGES_BY_KIND: dict[str, Mapping[str, Predicts]] = {
    "classes": FINAL,
    "numbers": NUMBERS,
    "survival": SURVIVAL,
}
DEFAULT_KEYS = {"classes": "clinical-svm", "numbers": "ridge", "survival": "cox"}
# those that know weights of rows
WEIGHING_BY_KIND: dict[str, tuple[str, ...]] = {
    "classes": WEIGHING,
    "numbers": ("ridge", "clinical-svm", "random-forest"),
    "survival": ("cox", "clinical-svm"),
}


def kinds_of(key: str) -> tuple[str, ...]:
    """The kinds of targets that a key judges."""
    return tuple(kind for kind, judges in JUDGES_BY_KIND.items() if key in judges)


def told_kind(split: Split) -> str:
    """The kind of the target of the training rows of a split."""
    if split.times is not None:
        return "survival"
    return "classes" if split.numbers is None else "numbers"


def predict(
    key: str, split: Split, subsets: Subsets, *, seed: int, params: Mapping[str, Any]
) -> np.ndarray:
    """Predicted numbers, or risks, (subsets, m) of the test rows.

    The numbers, or the times and events, of the training rows say which; `params` are the judge's
    own. Nested subsets cost least, smallest first.
    """
    kind = told_kind(split)
    if split.weights is not None:
        refuse_weights_of_judge(key, kind)
    return JUDGES_BY_KIND[kind][key](split, subsets, seed=seed, **params)


def refuse_weights_of_judge(key: str, kind: str | None = None) -> None:
    """Refuse weights of rows where a judge cannot use them; without a kind, where none can."""
    kinds = kinds_of(key) if kind is None else (kind,)
    if any(key in WEIGHING_BY_KIND[one] for one in kinds):
        return
    able = dict.fromkeys(judge for one in kinds for judge in WEIGHING_BY_KIND[one])
    advice = f"Those that can: {listed(able)}" if able else "None of hetsel can"
    raise TableError(f"row_weights: the judge {key} cannot weigh rows. {advice}")
