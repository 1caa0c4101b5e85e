"""Scores of predicted risks where times to an event are the target."""

import numpy as np

from hetsel.statistics.survival.concordance import area_of_marks, concordance

CHANCE = 0.5  # concordance of risks that know nothing


def survival_scores(
    truth: np.ndarray,
    predictions: np.ndarray,
    decisions: np.ndarray,
    known: None = None,
    weights: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Concordance, Uno's concordance, integrated Brier score and area under the curve; (k,).

    `concordance` is Harrell's C of risks (k, m) with times, see
    :func:`hetsel.statistics.survival.concordance.concordance`; `uno` weighs each pair by 1 /
    G^2(t-) of its earlier event; `ibs` is that of the curves that Cox's model of the risk gives;
    `auc` the cumulative/dynamic area under the ROC curve at the median event time of the training
    rows. Beside them `concordance_by_chance`, 1/2, and `ibs_of_kaplan_meier`, what the one curve of
    all training rows reaches.

    The truth (m,) is the time of an event; where the row is censored the time with a minus, -0.0
    for 0. Decisions (k, m, 4): :func:`hetsel.statistics.survival.cox_curves.survival_columns`.
    Risks that hold NaN score NaN.

    >>> from hetsel.statistics.survival.cox_curves import survival_columns
    >>> times, events = np.arange(1.0, 7.0), np.array([True, True, False, True, True, False])
    >>> risk = np.array([[3.0, 4.0, 1.0, 2.0, 1.0, 0.0]])
    >>> columns = survival_columns(times, events, times, events, risk, risk)
    >>> found = survival_scores(np.where(events, times, -times), risk, columns)
    >>> [round(float(found[name][0]), 3) for name in ("concordance", "ibs", "ibs_of_kaplan_meier")]
    [0.917, 0.074, 0.215]
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
    by_chance = np.where(np.isnan(found["concordance"]), np.nan, CHANCE)
    return {
        **found,
        "concordance_by_chance": by_chance,
        "ibs_of_kaplan_meier": np.full(len(predictions), brier[chosen, 1]),
    }
