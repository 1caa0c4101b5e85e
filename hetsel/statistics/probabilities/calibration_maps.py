"""Map decision values to probabilities of the classes.

`logistic` (Platt): p_c proportional to exp(a_c + b f_c), b >= 0; for two classes p = 1 / (1 +
exp(-(a + b f))). For more classes, one b serves all, and each class has its own a_c.

`beta` (Kull), for two classes: log(p / (1 - p)) = c + a log(q) - b log(1 - q), a, b >= 0, with q
the probability by the logistic map. The map can have another slope above the middle than below it.

`isotonic`: proportions of the class in pools of neighbors, never decreasing; for more classes
one-vs-rest, divided by their sum.

A row of class c counts as (n_c + 1) / (n_c + C) of its class, and the remainder is divided among
the other classes (Platt); n_c is Kish's number if rows have weights. The isotonic map ends at these
values.

References: Platt (1999) in Advances in Large Margin Classifiers, 61-74; Kull, Silva Filho & Flach
(2017) Electronic Journal of Statistics 11, 5052-5080; Zadrozny & Elkan (2002) KDD, 694-699.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from hetsel.compiling.arithmetic import logarithms
from hetsel.ground import TableError
from hetsel.statistics.performance.rate_intervals import effective_rows
from hetsel.statistics.probabilities.logistic_fit import choice_probabilities, fit_conditional_logit

DIGITS = 9  # of parameters: the same on every processor
MapKey = Literal["logistic", "beta", "isotonic"]
MAPS: tuple[MapKey, ...] = get_args(MapKey)  # the stiffest first


@dataclass(frozen=True, eq=False)
class CalibrationMap:
    key: MapKey
    classes: int
    # logistic: (a_1 .. a_(C-1), b); beta: these and (c, a, b); isotonic: the places of the steps
    # and their proportions, for each class, or for the second of two
    parameters: tuple[np.ndarray, ...]

    def probabilities(self, decisions: np.ndarray) -> np.ndarray:
        """Compute probabilities (m, classes) of decision values (m, d), d = 1 for two classes."""
        if self.key == "isotonic":
            return self._in_pools(decisions)
        p = choice_probabilities(_of_choices(decisions, self.classes), self.parameters[0])
        if self.key == "logistic":
            return p
        return choice_probabilities(_of_logarithms(p), self.parameters[1])

    def _in_pools(self, decisions: np.ndarray) -> np.ndarray:
        pairs = zip(self.parameters[::2], self.parameters[1::2], strict=True)
        shares = np.stack(
            [np.interp(f, *pair) for f, pair in zip(decisions.T, pairs, strict=True)], axis=1
        )
        if self.classes == 2:
            return np.hstack([1 - shares, shares])
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def fit_map(
    key: MapKey,
    decisions: np.ndarray,
    truth: np.ndarray,
    classes: int,
    weights: np.ndarray | None = None,
    repeats: int = 1,
) -> CalibrationMap:
    """Fit the maximum-likelihood map from decision values (m, d) to the classes (m,) of rows.

    d = 1 for two classes. The decision values are those of models that have not seen the rows. Each
    row occurs `repeats` times.
    """
    w = np.ones(len(truth)) if weights is None else weights
    targets = smoothed(truth, classes, w, repeats)
    if key == "isotonic":
        return CalibrationMap(key, classes, _pools(decisions, truth, targets, w))
    features = _of_choices(decisions, classes)
    theta = fit_conditional_logit(features, targets, w)
    if not theta[-1] > 0:  # decisions and classes are not positively related
        theta = np.append(fit_conditional_logit(features[:, :, :-1], targets, w), 0.0)
    theta = _rounded(theta)
    if key == "logistic":
        return CalibrationMap(key, classes, (theta,))
    if classes != 2:
        raise TableError(f"the beta map is for two classes. Got {classes}")
    q = choice_probabilities(features, theta)
    return CalibrationMap(key, classes, (theta, _bent(_of_logarithms(q), targets, w)))


def maps_of(classes: int) -> Sequence[MapKey]:
    """Return the maps for this number of classes, the stiffest first."""
    return MAPS if classes == 2 else tuple(key for key in MAPS if key != "beta")


def smoothed(truth: np.ndarray, classes: int, weights: np.ndarray, repeats: int = 1) -> np.ndarray:
    """Return Platt's targets (m, classes) of the rows: (n_c + 1) / (n_c + C) for their class c."""
    each = [weights[truth == c] for c in range(classes)]
    rows = np.array([effective_rows(own) / repeats if len(own) else 0.0 for own in each])
    out = np.repeat((1 / (rows + classes))[truth][:, None], classes, axis=1)
    out[np.arange(len(truth)), truth] = ((rows + 1) / (rows + classes))[truth]
    return out


def _of_choices(decisions: np.ndarray, classes: int) -> np.ndarray:
    """Build features (m, C, C): indicators of all classes but the first, and decision values."""
    m = len(decisions)
    out = np.zeros((m, classes, classes))
    for c in range(1, classes):
        out[:, c, c - 1] = 1.0
    if classes == 2:
        out[:, 1, 1] = decisions[:, 0]
    else:
        out[:, :, -1] = decisions
    return out


def _of_logarithms(q: np.ndarray) -> np.ndarray:
    """Build features (m, 2, 3) of the beta map: 1, log q and -log(1 - q) of the second class."""
    out = np.zeros((len(q), 2, 3))
    out[:, 1, 0] = 1.0
    out[:, 1, 1] = logarithms(np.maximum(q[:, 1], 1e-300))
    out[:, 1, 2] = -logarithms(np.maximum(q[:, 0], 1e-300))
    return out


def _bent(features: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Fit (c, a, b) of the beta map, with a and b not negative."""
    used = [True, True, True]
    while True:
        theta = np.zeros(3)
        theta[used] = fit_conditional_logit(features[:, :, used], targets, weights)
        left = [True, *(bool(used[k] and theta[k] > 0) for k in (1, 2))]
        if left == used:
            return _rounded(theta)
        used = left


def _pools(
    decisions: np.ndarray, truth: np.ndarray, targets: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Fit steps and their proportions, for each class or for the second of two."""
    from sklearn.isotonic import IsotonicRegression

    parts = []
    for place, f in enumerate(decisions.T):
        c = 1 if decisions.shape[1] == 1 else place
        ends = (float(targets[truth != c, c].max()), float(targets[truth == c, c].max()))
        pools = IsotonicRegression(y_min=min(ends), y_max=max(ends), out_of_bounds="clip")
        pools.fit(f, (truth == c).astype(np.float64), sample_weight=weights)
        parts += [_rounded(pools.X_thresholds_), _rounded(pools.y_thresholds_)]
    return tuple(parts)


def _rounded(values: np.ndarray) -> np.ndarray:
    return np.array([float(f"{value:.{DIGITS}g}") for value in np.asarray(values).tolist()])
