"""Which features a comparison with knockoffs selects, at a wanted false discovery rate.

Notation. W_j is large where feature j tells more than its knockoff, and its sign is a fair coin
where j is null: where the target does not depend on j once the other features are known. FDR is the
expected share of null features among the selected ones, 0 where none is selected.

References: Barber & Candes (2015) The Annals of Statistics 43, 2055-2085; Candes, Fan, Janson & Lv
(2018) Journal of the Royal Statistical Society B 80, 551-577; Wang & Ramdas (2022) the same B 84,
822-852; Ren & Barber (2024) the same B 86, 122-154.
"""

from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import between_0_and_1
from hetsel.statistics.doors.held_cells import floats_of, list_cells

ROUNDING = 1e-9  # an e-value that misses its bound by less, relatively, reaches it


def knockoff_threshold(W: ArrayLike, fdr: float = 0.2) -> float:
    """The threshold of knockoff+: features with W_j at or above it are selected.

    T = min{t > 0 among the |W_j| : (1 + #{W_j <= -t}) / max(1, #{W_j >= t}) <= fdr}

    R's `knockoff` 0.3.6 tries t = 0, too, where a feature with W_j = 0 could be selected; any other
    threshold is the same.

    Parameters
    ----------
    W : array-like of shape (p,)
    fdr : float
        Above 0, below 1.

    Returns
    -------
    float
        Infinity where nothing is selected, as always where fewer than 1/fdr of the W_j are above 0.

    Raises
    ------
    TableError
        An fdr out of range; W that are no numbers.

    References
    ----------
    Barber & Candes (2015), Definition 2 and Theorem 2.

    Examples
    --------
    >>> knockoff_threshold([5, 4, -0.5, 3, 2.5, 2, 0.1])
    2.0
    >>> knockoff_threshold([5, 4, -0.5, 3, 2.5, 0.1])
    inf
    """
    between_0_and_1("fdr", fdr)
    values = _numbers("W", W)
    for t in np.unique(np.abs(values[values != 0])):
        if (1 + (values <= -t).sum()) / max(1, (values >= t).sum()) <= fdr:
            return float(t)
    return float("inf")


def knockoff_evalues(W: ArrayLike, fdr: float = 0.2) -> NDArray[np.float64]:
    """An e-value of each feature: the mean of those of the null features is 1 at most.

    e_j = p 1{W_j >= T} / (1 + #{W_k <= -T}), T as :func:`knockoff_threshold` has it; 0 for all
    where T is infinite.

    Parameters
    ----------
    W : array-like of shape (p,)
    fdr : float
        Of the threshold. Their mean is bounded whatever it is.

    Returns
    -------
    ndarray of shape (p,)

    References
    ----------
    Ren & Barber (2024).

    Examples
    --------
    >>> knockoff_evalues([5, 4, -0.5, 3, 2.5, 2, 0.1])
    array([7., 7., 0., 7., 7., 7., 0.])
    """
    values, threshold = _numbers("W", W), knockoff_threshold(W, fdr)
    return len(values) * (values >= threshold) / (1.0 + (values <= -threshold).sum())


def e_benjamini_hochberg(evalues: ArrayLike, fdr: float = 0.2) -> NDArray[np.bool_]:
    """Which hypotheses e-values reject at a false discovery rate, however the e-values depend.

    The k largest, for the largest k whose k-th largest e-value is p / (k fdr) or more. It keeps the
    rate where the sum of the e-values of the null hypotheses has a mean of p at most, so also for
    means of several e-values of each.

    Parameters
    ----------
    evalues : array-like of shape (p,)
        0 or larger.
    fdr : float

    Returns
    -------
    ndarray of bool, shape (p,)

    Raises
    ------
    TableError
        An fdr out of range; e-values below 0 or that are no numbers.

    References
    ----------
    Wang & Ramdas (2022); Ren & Barber (2024) for the condition on the sum.

    Examples
    --------
    >>> e_benjamini_hochberg([20.0, 0.0, 9.0, 3.0])
    array([ True, False, False, False])
    >>> e_benjamini_hochberg([20.0, 0.0, 10.0, 3.0])
    array([ True, False,  True, False])
    """
    between_0_and_1("fdr", fdr)
    values = _numbers("evalues", evalues)
    if (values < 0).any():
        raise TableError(f"evalues must be 0 or larger. Got {values[values < 0][0]:g}.")
    p = len(values)
    largest = np.sort(values)[::-1]
    enough = largest * fdr * np.arange(1, p + 1) >= p * (1 - ROUNDING)
    if not enough.any():
        return np.zeros(p, dtype=bool)
    return np.asarray(values >= largest[np.flatnonzero(enough)[-1]])


def fewest_discoveries(fdr: float) -> int:
    """The fewest features that knockoff+ selects where it selects any: 1/fdr, rounded up."""
    between_0_and_1("fdr", fdr)
    return ceil(1 / fdr - ROUNDING)


def _numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    array, _ = floats_of(list_cells(values, name))
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise TableError(f"{name} must be one finite number for each feature. Got {values!r:.80}")
    return array
