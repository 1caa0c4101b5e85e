"""The target that a selector was asked for: as it is, or residuals in place of survival times."""

from typing import Any, Literal

import numpy as np

from hetsel.statistics.survival.survival_curves import martingale_residuals
from hetsel.tables import Kind, Numbers, Survival, Target, read_target

MARTINGALE: Literal["martingale"] = "martingale"


def asked_target(
    y: Any,
    n: int | None = None,
    kind: Kind | Literal["martingale"] | None = None,
    weights: np.ndarray | None = None,
) -> Target:
    """The target that an array-like y (n,) holds, see :func:`hetsel.tables.target.read_target`.

    With the kind "martingale" y holds survival times, and the numbers that :func:`martingale` makes
    of them are the target; weights (n,) of the rows count there only.

    Raises
    ------
    TableError
        Another kind; what is no target of the kind.

    Examples
    --------
    >>> from hetsel import survival
    >>> y = survival([1.0, 2.0, 3.0], [True, False, True])
    >>> asked_target(y).kind, asked_target(y, kind="martingale").kind
    ('survival', 'numbers')
    """
    if kind != MARTINGALE:
        return read_target(y, n, kind)
    return martingale(Survival.of(y, n), weights)


def martingale(target: Survival, weights: np.ndarray | None = None) -> Numbers:
    """Martingale residuals (n,) of the model without features, in place of survival times.

    M_i = d_i - H(t_i), see :func:`hetsel.statistics.survival.survival_curves.martingale_residuals`:
    larger where the risk is higher. With them every criterion for numbers is one for survival
    times; the score of Cox's model of a column is its sum of products with them.

    References
    ----------
    Therneau, Grambsch and Fleming 1990, Biometrika 77, 147-160; LeBlanc and Crowley 1992,
    Biometrics 48, 411-425, who grow trees on them.

    Examples
    --------
    >>> residuals = martingale(Survival(np.array([1.0, 2.0]), np.array([True, True])))
    >>> residuals.values, residuals.in_words()
    (array([ 0.5, -0.5]), "numbers: 2 different values in 'martingale residuals'")
    """
    of = f" of {target.name}" if target.name else ""
    values = martingale_residuals(target.times, target.events, weights)
    return Numbers(values, f"martingale residuals{of}")
