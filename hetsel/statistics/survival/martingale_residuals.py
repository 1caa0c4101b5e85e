"""Martingale residuals: numbers in place of survival times."""

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground.array_types import Floats
from hetsel.statistics.survival.survival_curves import checked_times, nelson_aalen


def martingale_residuals(
    times: ArrayLike, events: ArrayLike, weights: ArrayLike | None = None
) -> Floats:
    """Martingale residuals (n,) of the model without features: events beyond what was expected.

    M_i = d_i - H(t_i), H the cumulative hazard of Nelson and Aalen; their weighted sum is 0. A
    larger one says a higher risk. R's `residuals(coxph(Surv(time, event) ~ 1, ties = "breslow"),
    "martingale")`. Therneau, Grambsch and Fleming 1990, Biometrika 77, 147-160, section 2.
    """
    t, d = checked_times(times, events)
    return np.asarray(d - nelson_aalen(t, d, weights).at(t))
