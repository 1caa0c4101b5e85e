from collections.abc import Callable

import numpy as np
from scipy.linalg import solve

from hetsel.ground import positive, whole_number
from hetsel.ground.equal_numbers import tied
from hetsel.kernels.scaled_kernels import Expansion
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking, order_best_first
from hetsel.tables import canonical_form


class KFDS(BaseSelector):
    """Rank features by kernel Fisher discriminant selection with a linear kernel.

    w <- w * |w_h|,   w_h = (S_w + mu I)^-1 (m_1 - m_2),

    is repeated on the columns w_f z_f: features that the discriminant does not need fall. For more
    than two classes w_h,f^2 is the sum over the classes of the squares of (S_w + mu I)^-1 sqrt(n_c)
    (m_c - m); for two classes these are multiples of each other. z are the columns of
    :class:`hetsel.kernels.scaled_kernels.Expansion`: a standardized number, or the levels of a
    factor, whose single scale factor is multiplied by the norm of its weights. Columns of all kinds
    are accepted; the target must be classes. Prefer KFDS to `fisher-score` if features are
    correlated, since it weighs them jointly.

    Parameters
    ----------
    ridge : float
        mu in units of tr S_w / n, the mean squared distance of a row from the mean of its class,
        which grows with the number of columns. The paper states no value, and S_w has no inverse if
        columns outnumber rows.
    iterations : int
        Maximum number of updates.
    tolerance : float
        The updates end when no factor changes by more than this, relative to the largest factor.
    normalize : {"trace", "norm", "none"}
        Scaling that makes kinds of features comparable, see :mod:`hetsel.kernels.scaled_kernels`.

    Notes
    -----
    With fewer rows than columns the inverse is computed among the rows (Woodbury).

    Among uninformative columns those of many levels come first. Each level has its own weight,
    which is fitted to the rows, and the norm adds them up (`vignettes/what-it-claims.Rmd`).

    See Also
    --------
    AROM : The same update with a support vector machine.
    SCSS : Class separability with a nonlinear kernel.

    References
    ----------
    Ramona, Richard and David 2012, section IV-D, Algorithm 2; Mika, Raetsch, Weston, Schoelkopf and
    Mueller 1999, Neural Networks for Signal Processing IX, 41-48 (the ridge).

    Examples
    --------
    >>> from hetsel import KFDS, datasets
    >>> heart = datasets.load("heart")
    >>> KFDS(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    ridge: float = 1.0
    iterations: int = 10
    tolerance: float = 1e-6
    normalize: str = "trace"

    about = About(
        "kernel Fisher discriminant selection, linear kernel",
        paper="ramona2012, section IV-D, Algorithm 2",
        cost=Cost("n d^2", "7.5 n d"),
    )

    def _select(self, problem: Problem) -> Ranking:
        whole_number("iterations", self.iterations, 1)
        for name in ("ridge", "tolerance"):
            positive(name, getattr(self, name))
        form = canonical_form(problem.table, problem.classes.codes)
        features = Expansion.of(form.cells, form.nominal, self.normalize)
        varying = np.flatnonzero(features.varies)

        def normal(held: Expansion, u: np.ndarray) -> np.ndarray:
            weights = fisher_normals(held.scaled(u), form.codes, self.ridge)
            return np.asarray(np.sqrt(held.by_feature((weights * weights).sum(axis=0))))

        ranking = multiplied_factors(
            features.subset(varying), normal, iterations=self.iterations, tolerance=self.tolerance
        )
        return ranking.within(form.columns[varying], problem.p)


def fisher_normals(columns: np.ndarray, codes: np.ndarray, ridge: float) -> np.ndarray:
    """Return (S_w + mu I)^-1 sqrt(n_c) (m_c - m) of each class, (c, d), of columns (n, d).

    `ridge` is mu in units of tr S_w / n, or of tr S_b / n if there is no scatter within the
    classes.
    """
    n, d = columns.shape
    counts = np.bincount(codes)
    indicators = (codes[:, None] == np.arange(len(counts))) * 1.0
    means = (indicators / counts).T @ columns
    apart = np.sqrt(counts)[:, None] * (means - columns.mean(axis=0))
    within = columns - means[codes]
    scatter = float((within * within).sum()) or float((apart * apart).sum())
    mu = ridge * scatter / n
    if d <= n:
        inner = within.T @ within
        inner[np.diag_indices(d)] += mu
        return np.asarray(solve(inner, apart.T, assume_a="pos").T)
    outer = within @ within.T
    outer[np.diag_indices(n)] += mu
    inverse = solve(outer, within @ apart.T, assume_a="pos")
    return np.asarray((apart - inverse.T @ within) / mu)


# Rankings by scale factors that are repeatedly multiplied by the weights of a discriminant.


FALLEN = 1e-8  # times the largest factor
# remaining features, their squared factors u (k,) -> |w_h,f| (k,)
Normal = Callable[[Expansion, np.ndarray], np.ndarray]


def multiplied_factors(
    features: Expansion, normal: Normal, *, iterations: int, tolerance: float
) -> Ranking:
    """Rank p features that vary by their final factors, or by when they fell.

        w_f <- w_f |w_h,f|,   w_h the normal of the discriminant of the columns w_f z_f,

    with |w_h,f| the norm over the columns of feature f. Most factors fall toward 0 ever faster. A
    feature whose factor is below 1e-8 of the largest leaves; later is better. `normal` returns
    weights (k,), all 0 if no remaining feature is informative, for squared factors u (k,) whose
    largest is 1. The updates end when no factor changes by more than `tolerance` of the largest.
    The importance is the factor divided by the largest; `first` are the weights of the first
    update.
    """
    left = np.arange(features.p)
    factors = np.ones(features.p)
    stage, last = np.zeros(features.p), np.zeros(features.p)
    first = np.zeros(features.p)
    held = features
    for iteration in range(iterations):
        own = factors[left]
        weights = own * normal(held, own * own)
        if not iteration:
            first = tied(weights.copy())
        if not weights.any():
            factors[left], stage[left], last[left] = 0.0, iteration, own
            break
        weights /= weights.max()
        change = float(np.abs(weights - own).max())
        factors[left], stage[left], last[left] = weights, iteration, weights
        fallen = weights < FALLEN
        if fallen.any():
            factors[left[fallen]] = 0.0
            left = left[~fallen]
            held = features.subset(left)
        if change <= tolerance:
            break
    keys = (tied(factors), stage, tied(last))
    return Ranking(order_best_first(*keys), keys[0], first=first)
