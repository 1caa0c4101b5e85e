"""KFDS: scale factors multiplied by the normal of Fisher's discriminant."""

import numpy as np
from scipy.linalg import solve

from hetsel.ground.parameters import positive, whole_number
from hetsel.kernels.expanded_features import Expansion
from hetsel.search.rankings.multiplicative_updates import multiplied_factors
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.tables.canonical_table import canonical_form


class KFDSSelector(BaseSelector):
    """Rank features of every kind by kernel Fisher discriminant selection, linear kernel.

    w <- w * |w_h|,   w_h = (S_w + mu I)^-1 (m_1 - m_2),

    of the columns w_f z_f, again and again: features that the discriminant does not need fall. For
    more than two classes w_h,f^2 is the sum over the classes of the squares of
    (S_w + mu I)^-1 sqrt(n_c) (m_c - m), which of two classes are multiples of each other. z are the
    columns of :class:`hetsel.kernels.expanded_features.Expansion`: a standardized number, or the
    levels of a factor, whose one scale factor is multiplied by the norm of its weights.

    Parameters
    ----------
    ridge : float
        mu in units of tr S_w / n, the mean squared distance of a row to the mean of its class: it
        grows with the columns there are for a row. The paper names none, and S_w has no inverse
        where columns outnumber rows.
    iterations : int
        Most updates.
    tolerance : float
        Largest change of a factor, relative to the largest, at which the updates end.
    normalize : {"trace", "norm", "none"}
        What makes kinds of features comparable, see
        :class:`hetsel.kernels.expanded_features.Expansion`.

    Notes
    -----
    An update takes O(n d min(n, d)) steps: with fewer rows n than columns d the inverse is found
    among the rows (Woodbury).

    Of columns that say nothing those of many levels come first: each level has a weight of its own,
    fitted to the rows, and the norm adds them up (`vignettes/what-it-claims.Rmd`).

    Raises
    ------
    TableError
        A ridge or a tolerance that is not positive.

    References
    ----------
    Ramona, Richard and David 2012, section IV-D, Algorithm 2; Mika, Raetsch, Weston, Schoelkopf and
    Mueller 1999, Neural Networks for Signal Processing IX, 41-48 (the ridge).
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
    """(S_w + mu I)^-1 sqrt(n_c) (m_c - m) of each class, (c, d), of columns (n, d).

    `ridge` is mu in units of tr S_w / n; of tr S_b / n where nothing scatters within the classes.

    Examples
    --------
    >>> columns = np.array([[0.0, 1], [1, 0], [3, 1], [4, 0]])
    >>> fisher_normals(columns, np.array([0, 0, 1, 1]), 1.0).round(3)
    array([[-2.546, -1.697],
           [ 2.546,  1.697]])
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
