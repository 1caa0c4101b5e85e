"""HSIC: how far the kernel of a feature depends on the kernel of the classes."""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled
from hetsel.kernels.class_kernel import class_directions
from hetsel.kernels.feature_kernels import FeatureKernels, Scaling
from hetsel.selection.about import About
from hetsel.selection.base import UnivariateFilter
from hetsel.selection.problem import Problem
from hetsel.tables.ties import on_grid, unit_scale

KERNELS = ("clinical", "gaussian")


class HSICSelector(UnivariateFilter):
    """Rank features of every kind by the Hilbert-Schmidt independence criterion.

    J(f) = tr(K_f H L H) / (n - 1)^2,   H = I - 11'/n,

    with L the class kernel I(y_i = y_j) n / (c n_y), which weighs the c classes alike, and K_f the
    kernel of the feature: I(a = b) for a nominal column; for numbers and ordinal columns the
    clinical kernel 1 - |a - b| / range_f, or the Gaussian one exp(-(a - b)^2 / (2 s_f^2)), whose
    width is the standard deviation s_f. With missing="separate" a missing cell is equal to another
    one and has k = 0 with all else. 0 for a constant column.

    Parameters
    ----------
    kernel : {"clinical", "gaussian"}
        Kernel of numbers and ordinal columns.

    Notes
    -----
    H L H has rank c - 1 at most, so the trace is a sum of c energies of K_f: O(n c) after one sort
    for nominal columns and the clinical kernel. The Gaussian one takes O(n^2); neither holds a
    matrix of n x n.

    Raises
    ------
    ValueError
        An unknown kernel.

    References
    ----------
    Gretton, Bousquet, Smola and Schoelkopf 2005, ALT, 63-77; Song, Smola, Gretton, Bedo and
    Borgwardt 2012, Journal of Machine Learning Research 13, 1393-1434.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.0], "sex": ["f", "f", "m", "m"]})
    >>> HSICSelector(size=1).fit(frame, [0, 0, 1, 1]).importances_.round(3)
    array([0.   , 0.444])
    """

    kernel: str = "clinical"

    about = About(
        "HSIC of each feature with the classes, clinical kernel",
        paper="Gretton et al. 2005; Song et al. 2012",
    )

    def _score(self, problem: Problem) -> np.ndarray:
        if self.kernel not in KERNELS:
            raise ValueError(f"kernel must be one of {', '.join(KERNELS)}. Got {self.kernel!r}")
        table = problem.table
        directions = class_directions(problem.target.codes)
        cells = Scaling.fit(table).apply(table)
        traces = FeatureKernels(cells, table.nominal).energies(directions)
        if self.kernel == "gaussian":
            numbers = np.flatnonzero(~table.nominal)
            columns = unit_scale(table.values[:, numbers]).T
            traces[numbers] = [gaussian_energy(column, directions) for column in columns]
        return on_grid(traces / (problem.n - 1) ** 2)


def gaussian_energy(column: np.ndarray, directions: np.ndarray) -> float:
    """Sum over the directions (c, n) of d' K d, of the Gaussian kernel of a column (n,)."""
    present = np.flatnonzero(~np.isnan(column))
    missing = directions[:, np.isnan(column)].sum(axis=1)
    spread = column[present].std() if len(present) else 0.0
    cells = column[present] / (spread if spread > 0 else 1.0)
    weights = np.ascontiguousarray(directions[:, present].T)
    return float(sum_gaussian(cells, weights) + (missing * missing).sum())


@compiled
def sum_gaussian(cells, weights):
    """sum_ij exp(-(x_i - x_j)^2 / 2) w_i' w_j, of cells (n,) and weights (n, c)."""
    total = 0.0
    for i in range(len(cells)):
        for c in range(weights.shape[1]):
            total += weights[i, c] * weights[i, c]
        for j in range(i):
            product = 0.0
            for c in range(weights.shape[1]):
                product += weights[i, c] * weights[j, c]
            away = cells[i] - cells[j]
            total += 2.0 * np.exp(-0.5 * away * away) * product
    return total
