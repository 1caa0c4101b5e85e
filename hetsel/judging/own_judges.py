"""Judges of hetsel that predict numbers or risks; those of classes stand in `models`.

A key means the same for every kind of target, as far as it is there: see `JUDGES_BY_KIND`. Risks
are larger where the event is expected sooner; the test rows of a split of survival times are its
training rows, too, which calibrate them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed
from hetsel.ground.ties import FINE_GRID
from hetsel.judging.scikit_judges import Encoding, each_fit, innermost, ridge
from hetsel.models.final_classifiers import FINAL, WEIGHING
from hetsel.models.final_regressors import (
    clinical_numbers,
    clinical_survival,
    forest_numbers,
    nearest_numbers,
    nearest_survival,
)
from hetsel.models.train_test_arrays import Split, Subsets
from hetsel.solvers.cox_ridge import cox_ridge
from hetsel.tables import survival


def cox(split: Split, subsets: Subsets, *, alpha: float, seed: int = 0) -> np.ndarray:
    """Risk scores (subsets, m) of Cox regression with a ridge penalty, on columns of "one-hot".

    The score of z is b'z, where b minimizes

        - sum_events w_i (b'z_i - log sum_{t_j >= t_i} w_j exp(b'z_j)) + (alpha / 2) |b|^2

    (Breslow: events of one time have the same set at risk). The columns are told at the top of
    :mod:`hetsel.judging.scikit_judges`. Scores are put on a grid of 2^-24, so that the order in
    which a processor adds has no part in them.

    Parameters
    ----------
    split : Split
        With the `times` and `events` of its training rows.
    alpha : float
        Positive.
    seed : int
        Of no effect: it draws nothing.

    References
    ----------
    Cox 1972, Journal of the Royal Statistical Society B 34, 187-220; Verweij and van Houwelingen
    1994, Statistics in Medicine 13, 2427-2436.
    """
    if not 0 < alpha < np.inf:
        raise TableError(f"alpha must be a positive number. Got {alpha!r}")
    found = risk_by(CoxRegression(alpha), split, subsets, seed=0)
    return np.asarray(np.rint(found * FINE_GRID) / FINE_GRID)


def risk_by(
    estimator: Any, split: Split, subsets: Subsets, *, seed: int, encoding: Encoding = "one-hot"
) -> np.ndarray:
    """Risk scores (subsets, m) of an estimator of scikit-survival, fitted anew on each subset.

    Parameters
    ----------
    estimator : object
        With `fit`, which takes a structured array of events and times, and `predict`; it is cloned.
        What predicts times, as scikit-survival's `IPCRidge`, counts with its sign turned.
    split : Split
        With the `times` and `events` of its training rows; weights of its rows go to `fit`.
    subsets : sequence of ndarray of int
        The features of each; they come in the order of the table.
    seed : int
        Becomes a `random_state` that is None.
    encoding : {"one-hot", "whole"}
        See the top of :mod:`hetsel.judging.scikit_judges`.

    Raises
    ------
    TableError
        Weights that its `fit` does not take; predictions that are no finite numbers.
    """
    assert split.times is not None
    assert split.events is not None
    y = survival(split.times, split.events)
    return np.array(each_fit(estimator, split, subsets, y, _risks, seed, encoding))


class CoxRegression(BaseEstimator):
    """Cox regression with a ridge penalty as an estimator, see :func:`cox`.

    Examples
    --------
    >>> y = survival([4.0, 2.0, 3.0, 1.0], [True, True, True, False])
    >>> fitted = CoxRegression(0.5).fit(np.array([[0.0], [1.0], [1.0], [0.0]]), y)
    >>> fitted.predict(np.ones((1, 1))).round(3)
    array([0.909])
    """

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
    values = np.asarray(fitted.predict(test), dtype=np.float64)
    if values.size != len(test) or not np.isfinite(values).all():
        raise TableError(
            f"{type(fitted).__name__}.predict must give a finite risk score for each of "
            f"{len(test)} rows. Got {values.size} values, {int((~np.isfinite(values)).sum())} not "
            "finite"
        )
    # so scikit-survival says that an estimator predicts times
    risk = getattr(innermost(fitted), "_predict_risk_score", True)
    return values.ravel() * (1.0 if risk else -1.0)


# (split, subsets, seed=, parameters) -> predicted numbers, or risks, (subsets, m)
Predicts = Callable[..., np.ndarray]
# a key that stands here, in FINAL and with its parameters in a plan judges one more kind of target
NUMBERS: dict[str, Predicts] = {
    "ridge": ridge,
    "clinical-svm": clinical_numbers,
    "5nn": nearest_numbers,
    "random-forest": forest_numbers,
}
SURVIVAL: dict[str, Predicts] = {
    "cox": cox,
    "clinical-svm": clinical_survival,
    "5nn": nearest_survival,
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
    """The kinds of targets that a key judges.

    Examples
    --------
    >>> kinds_of("5nn"), kinds_of("naive-bayes")
    (('classes', 'numbers', 'survival'), ('classes',))
    """
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

    Parameters
    ----------
    key : str
        One of NUMBERS, or of SURVIVAL.
    split : Split
        With the numbers, or the times and events, of its training rows: they say which.
    subsets : sequence of ndarray of int
        Features of each subset, in any order; nested ones cost least, smallest first.
    seed : int
        Of the judges that draw.
    params : mapping
        The judge's own parameters.

    Raises
    ------
    TableError
        Weights of rows, which the judge cannot use.
    """
    kind = told_kind(split)
    if split.weights is not None:
        refuse_weights_of_judge(key, kind)
    return JUDGES_BY_KIND[kind][key](split, subsets, seed=seed, **params)


def refuse_weights_of_judge(key: str, kind: str | None = None) -> None:
    """Refuse weights of rows where a judge cannot use them; without a kind, where none can.

    Raises
    ------
    TableError
    """
    kinds = kinds_of(key) if kind is None else (kind,)
    if any(key in WEIGHING_BY_KIND[one] for one in kinds):
        return
    able = dict.fromkeys(judge for one in kinds for judge in WEIGHING_BY_KIND[one])
    advice = f"Those that can: {listed(able)}" if able else "None of hetsel can"
    raise TableError(f"row_weights: the judge {key} cannot weigh rows. {advice}")
