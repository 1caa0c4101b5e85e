"""Net benefit of treating rows above a threshold: the decision curve, against all and none.

Notation. Row i is treated where p_i >= t. Someone who treats from the probability t on holds one
needless treatment for t / (1 - t) of what it is worth to treat a case: the net benefit, in cases
treated per row, is

    NB(t) = TP - t / (1 - t) FP,

TP and FP the weighted shares of all rows that are cases above t, and no cases above t. Of treating
all it is NB of t <= every p_i, of treating none 0. With a prevalence q that is known, of rows that
were sampled by class, TP = q x sensitivity and FP = (1 - q) (1 - specificity).

Intervals: NB is a difference of two shares, each with Wilson's interval, see
:mod:`hetsel.statistics.probabilities.share_interval`, joined with the correlation of the two. So is
NB less that of all: t / (1 - t) TN - FN. The difference to the better of all and none is the
smaller of the two differences, and its ends are the smaller ones of theirs.

References: Vickers & Elkin (2006) Medical Decision Making 26, 565-574; Pfeiffer & Gail (2020)
Biometrical Journal 62, 764-776 (its variance).
"""

from dataclasses import dataclass
from functools import partial
from operator import mul

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.concordance_intervals import on_scale
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.probabilities.pooled_rows import (
    LEVEL,
    Flags,
    Floats,
    PooledRows,
    check_prevalence,
    pooled_rows,
)
from hetsel.statistics.probabilities.share_interval import difference_interval, share_of_rows


@dataclass(frozen=True)
class NetBenefit:
    threshold: float
    model: RateInterval  # of treating the rows above it
    treat_all: float
    over_better: RateInterval  # the model's less the larger one of that of treating all and none
    # treatments avoided per 100 rows, at as many cases treated as of treating all:
    # 100 (model - treat_all) (1 - t) / t
    avoided: float


def threshold_of_cost(cost_of_missing: float) -> float:
    """Probability from which on it is best to treat: t = 1 / (1 + c).

    c is the loss of a case that is missed over that of a needless treatment.

    Reference: Pauker & Kassirer (1975) New England Journal of Medicine 293, 229-234.
    """
    if not 0 < cost_of_missing < np.inf:
        raise TableError(f"cost_of_missing must be a positive number. Got {cost_of_missing}.")
    return 1 / (1 + cost_of_missing)


def net_benefit(
    truth: ArrayLike,
    probability: ArrayLike,
    thresholds: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
    *,
    prevalence: float | None = None,
    spread: float = 1.0,
) -> list[NetBenefit]:
    """Net benefit of a model at each threshold; see the top of this module.

    `prevalence` is q where it is known otherwise than by the share of cases among the rows.

    >>> y = [1, 0, 1, 0, 0, 1, 0, 0, 0, 0]
    >>> p = [0.9, 0.2, 0.6, 0.7, 0.1, 0.8, 0.3, 0.4, 0.1, 0.2]
    >>> found = net_benefit(y, p, [0.5])[0]
    >>> print(f"{found.model.rate:.2f} {found.treat_all:.2f} {found.over_better.rate:.2f}")
    0.20 -0.40 0.20
    """
    rows = pooled_rows(truth, probability, weights, units)
    each = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    if each.ndim != 1 or not ((each > 0) & (each < 1)).all():
        raise TableError(f"thresholds must be between 0 and 1. Got {thresholds!r}.")
    check_prevalence(rows, prevalence)
    return [_at(rows, float(t), prevalence, spread) for t in each]


def _at(rows: PooledRows, t: float, prevalence: float | None, spread: float) -> NetBenefit:
    odds, case = t / (1 - t), rows.truth == 1
    q = rows.share_of_cases if prevalence is None else prevalence
    above = rows.probability >= t

    def share(side: Flags, kind: Flags, of_kind: float) -> tuple[RateInterval, Floats]:
        known = None if prevalence is None else of_kind
        return _share(rows, side, kind, known, spread)

    model = _difference(share(above, case, q), share(above, ~case, 1 - q), odds)
    # odds x TN - FN
    true, moves = share(~above, ~case, 1 - q)
    true = on_scale(true, partial(mul, odds))
    less_all = _difference((true, moves), share(~above, case, q), 1.0)
    better = RateInterval(
        min(model.rate, less_all.rate),
        min(model.low, less_all.low),
        min(model.high, less_all.high),
        LEVEL,
    )
    return NetBenefit(t, model, q - odds * (1 - q), better, 100 * less_all.rate / odds)


def _difference(
    one: tuple[RateInterval, Floats], other: tuple[RateInterval, Floats], times: float
) -> RateInterval:
    """Interval of a share less `times` another, by what each unit moves them."""
    (first, moves), (second, against) = one, other
    sizes = float((moves**2).sum() * (against**2).sum())
    correlation = float((moves * against).sum()) / np.sqrt(sizes) if sizes else 0.0
    return difference_interval(first, second, times, correlation)


def _share(
    rows: PooledRows, side: Flags, kind: Flags, prevalence: float | None, spread: float
) -> tuple[RateInterval, Floats]:
    """Share of all rows that are of a kind and on a side, and what each unit moves it.

    Of a known prevalence of the kind it is that times the share of its own rows.
    """
    every = np.ones(len(side), dtype=bool)
    wanted, held = (side & kind, every) if prevalence is None else (side, kind)
    share = share_of_rows(rows, wanted, held, spread=spread)
    if prevalence is not None:
        share = on_scale(share, partial(mul, prevalence))
    moves = rows.weights * held * (wanted - share.rate / (prevalence or 1.0))
    if rows.units is not None:
        moves = np.asarray(np.bincount(rows.units, moves), dtype=np.float64)
    return share, moves
