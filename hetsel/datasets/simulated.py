"""Simulate the two problems of Weston et al. (2000), continuous or with categorical columns.

The first columns depend on the class y; all others are noise N(0, 20). Distributions, cut points
and names of levels are fixed, so that tables of two seeds are two samples of the same problem.
"""

import math

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from hetsel.datasets.sources import Dataset
from hetsel.ground import TableError, whole_number

N_LINEAR, N_NONLINEAR = 202, 52
SHARE = 0.7  # proportion of rows of the linear problem that depend on x1 to x3
CITATION = (
    "Weston, J., Mukherjee, S., Chapelle, O., Pontil, M., Poggio, T., & Vapnik, V. (2000). Feature "
    "selection for SVMs. Advances in Neural Information Processing Systems 13, 668-674."
)


def simulate_linear(
    n: int, seed: int = 0, *, levels: int | None = None, noise_variance: float = 20.0
) -> Dataset:
    """Simulate the linear problem: 202 features, with x1 to x6 relevant and redundant.

    y is -1 or 1, each with probability 1/2. With probability 0.7

        x_i ~ N(i y, 1) for i = 1, 2, 3,    x_i ~ N(0, 1) for i = 4, 5, 6,

    otherwise

        x_i ~ N(0, 1) for i = 1, 2, 3,      x_i ~ N((i - 3) y, 1) for i = 4, 5, 6,

    and x_i ~ N(0, 20) for i = 7, ..., 202. The best two features are x3 and x6, one of each group:
    two features of the same group leave 3 of 10 rows to chance.

    Parameters
    ----------
    n : int
        Number of rows. The class of each row is random, so few rows may have only one class.
    seed : int
        Seed of the random numbers.
    levels : int, optional
        Number of levels of equal probability into which every second column (x2, x4, ...) is cut.
        The names of the levels do not show their order. Of the relevant columns, x2, x4 and x6 are
        cut. The other columns and y do not depend on it. Default: all columns are continuous.
    noise_variance : float
        The 20 in N(0, 20). The reference does not state whether it is a variance or a standard
        deviation; elsewhere it writes N(mean, covariance).

    Returns
    -------
    Dataset
        Its target is -1 or 1; its `relevant` names x1 to x6.

    References
    ----------
    Weston et al. (2000), Feature selection for SVMs, toy data; Ramona, Richard, David (2012),
    Multiclass feature selection with kernel Gram-matrix-based criteria, Section V-A.

    Examples
    --------
    >>> data = simulate_linear(100, seed=1)
    >>> data.X.shape, data.relevant
    ((100, 202), ('x1', 'x2', 'x3', 'x4', 'x5', 'x6'))
    """
    n, levels, spread = _checked(n, levels, noise_variance)
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], n)
    first = rng.random(n) < SHARE
    values = rng.standard_normal((n, N_LINEAR))
    steps = np.array([1, 2, 3])
    values[:, :3] += np.outer(y * first, steps)
    values[:, 3:6] += np.outer(y * ~first, steps)
    values[:, 6:] *= spread
    # each relevant column is N(0, 1) in the rows of the other group, else has mean +-step
    mixtures = [
        [(1 - told, 0.0), (told / 2, -step), (told / 2, step)]
        for told in (SHARE, 1 - SHARE)
        for step in (1.0, 2.0, 3.0)
    ]
    return _dataset("linear", values, y, mixtures, levels, spread, seed)


def simulate_nonlinear(
    n: int, seed: int = 0, *, levels: int | None = None, noise_variance: float = 20.0
) -> Dataset:
    """Simulate the non-linear problem: 52 features, with x1 and x2 relevant.

    y is -1 or 1, each with probability 1/2. With s = -1 or 1, each with probability 1/2,

        (x1, x2) ~ N(s (3/4, 3), I) if y = -1,    (x1, x2) ~ N(s (3, -3), I) if y = 1,

    and x_i ~ N(0, 20) for i = 3, ..., 52. x2 alone has the same distribution in both classes, and
    all columns have the same mean in both classes. The references are those of
    :func:`simulate_linear`.

    Parameters
    ----------
    n, seed, noise_variance
        As in :func:`simulate_linear`.
    levels : int, optional
        As in :func:`simulate_linear`; of the relevant columns, x2 is cut. With an even number, the
        levels determine the sign of x2, so that the pair still separates the classes.

    Returns
    -------
    Dataset
        Its target is -1 or 1; its `relevant` names x1 and x2.

    See Also
    --------
    simulate_linear : The linear problem of the same reference.

    Examples
    --------
    >>> data = simulate_nonlinear(100, seed=1, levels=4)
    >>> data.X["x2"].cat.categories.tolist(), data.relevant
    (['level1', 'level2', 'level3', 'level4'], ('x1', 'x2'))
    """
    n, levels, spread = _checked(n, levels, noise_variance)
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], n)
    side = rng.choice([-1, 1], n)
    values = rng.standard_normal((n, N_NONLINEAR))
    values[:, 0] += side * np.where(y < 0, 0.75, 3.0)
    values[:, 1] += side * np.where(y < 0, 3.0, -3.0)
    values[:, 2:] *= spread
    mixtures = [[(0.25, -3.0), (0.25, -0.75), (0.25, 0.75), (0.25, 3.0)], [(0.5, -3.0), (0.5, 3.0)]]
    return _dataset("nonlinear", values, y, mixtures, levels, spread, seed)


def _checked(n: int, levels: int | None, noise_variance: float) -> tuple[int, int | None, float]:
    """Check the arguments; return rows, levels and the standard deviation of the noise."""
    n = whole_number("n", n, 1)
    if levels is not None:
        levels = whole_number("levels", levels, 2)
    if not 0 < noise_variance < math.inf:
        raise TableError(f"noise_variance must be positive and finite. Got {noise_variance!r}")
    return n, levels, math.sqrt(noise_variance)


def _dataset(
    name: str,
    values: np.ndarray,
    y: np.ndarray,
    mixtures: list[list[tuple[float, float]]],
    levels: int | None,
    spread: float,
    seed: int,
) -> Dataset:
    """Build the data set; `mixtures` of unit normals (weight, mean) are the relevant columns."""
    n, p = values.shape
    X = pd.DataFrame(values, columns=[f"x{place}" for place in range(1, p + 1)])
    if levels is not None:
        noise = spread * ndtri(np.arange(1, levels) / levels)
        for j in range(1, p, 2):
            cuts = _quantiles(mixtures[j], levels) if j < len(mixtures) else noise
            X[f"x{j + 1}"] = _cut(values[:, j], cuts)
    relevant = tuple(X.columns[: len(mixtures)])
    kinds = "" if levels is None else f", every second one with {levels} levels"
    description = (
        f"SIMULATED with seed {seed}: {n} rows, {p} features{kinds}. {', '.join(relevant)} are "
        "relevant; the others are noise."
    )
    full = f"{name}-simulated" if levels is None else f"{name}-mixed-simulated"
    return Dataset(
        full, X, pd.Series(y, name="class"), description, CITATION, "none", relevant=relevant
    )


def _quantiles(mixture: list[tuple[float, float]], levels: int) -> np.ndarray:
    """Return the points that cut a mixture of unit normals into equal probabilities."""
    shares, means = np.array(mixture).T
    grid = np.linspace(-10, 10, 20_001)
    return np.interp(np.arange(1, levels) / levels, ndtr(grid[:, None] - means) @ shares, grid)


def _cut(column: np.ndarray, cuts: np.ndarray) -> pd.Categorical:
    """Cut a column into levels whose names do not follow their order: level2, 4, 1, 3."""
    n_levels = len(cuts) + 1
    codes = np.concatenate([np.arange(1, n_levels, 2), np.arange(0, n_levels, 2)])
    names = pd.CategoricalDtype([f"level{code + 1}" for code in range(n_levels)])
    return pd.Categorical.from_codes(codes[np.searchsorted(cuts, column)], dtype=names)
