from typing import Any

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground import TableError
from hetsel.ground.equal_numbers import tied
from hetsel.kernels.scaled_kernels import Expansion, ScaledKernel, gaussian_width
from hetsel.search.criteria.kernel_criteria import negative_exponentials
from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.search.rankings.recursive_elimination import varying_elimination
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.solvers.svm import two_class_svm as svm
from hetsel.tables import canonical_form

CHANGES = ("signed", "absolute")
GAUSSIAN = ScaledKernel("gaussian")


class RFEGaussian(BaseSelector):
    """Rank features by recursive elimination with a Gaussian support vector machine.

    J(f) = W^2 - W^2_(-f),   W^2 = sum_ij beta_i beta_j k(x_i, x_j),   beta_i = alpha_i y_i,

    with k(x, x') = exp(-gamma sum_g |z_g - z_g'|^2) and the columns z_g of feature g: a number in
    standard deviations, or the indicators of the levels, with the same total variance for all
    features, see :mod:`hetsel.kernels.scaled_kernels`. W^2_(-f) has the same alpha and gamma,
    without feature f in the sum. After each step a new machine is trained on the remaining
    features. For more than two classes there is one machine against the rest per class, and J is
    summed over the classes. Constant columns are dropped before the first step. Columns of all
    kinds are accepted; the target must be classes. Prefer it to `rfe-svm` if features may interact.

    Parameters
    ----------
    C : float or "radius"
        Bound on the dual variables. "radius" is 1 / (mean distance of a row from the origin in
        feature space)^2 at each step, the default of SVMlight.
    gamma : float or "scale"
        "scale" is 1 / (remaining features) at each step; a number applies to all steps.
    step : float or int
        Proportion of the remaining features that each step drops, or their number.
    change : {"signed", "absolute"}
        "signed" is J, "absolute" its absolute value in each machine. Without an informative
        feature, rows of different classes are more alike and W^2 falls. Without an uninformative
        feature, rows of one class are more alike and W^2 rises, often by more: the absolute value
        makes such a feature important.
    class_weight : "balanced", mapping of class to weight, or None
        "balanced" multiplies C by n / (2 n_class), a mapping by the weight of the class.
    normalize : {"trace", "norm", "none"}
        Scaling that makes kinds of features comparable, see :mod:`hetsel.kernels.scaled_kernels`.

    Notes
    -----
    The table is ranked in its :func:`canonical form
    <hetsel.tables.canonical_table.canonical_form>`, with ties as in :class:`hetsel.RFESVM`.

    See Also
    --------
    RFESVM : The clinical kernel, a sum over features, with a proved order.
    FSPP : The same kernel, by the sensitivity of the posteriors.

    References
    ----------
    Guyon, Weston, Barnhill and Vapnik 2002, Machine Learning 46, 389-422, the section on nonlinear
    machines (2 J with its sign); Rakotomamonjy 2003, Journal of Machine Learning Research 3,
    1357-1370 (the absolute value).

    Examples
    --------
    >>> from hetsel import RFEGaussian, datasets
    >>> heart = datasets.load("heart")
    >>> RFEGaussian(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    C: Any = 1.0
    gamma: Any = "scale"
    step: float = 0.2
    change: str = "signed"
    class_weight: Any = None
    normalize: str = "trace"

    about = About(
        "recursive elimination with a support vector machine, Gaussian kernel",
        paper="Guyon et al. 2002; Rakotomamonjy 2003",
        cost=Cost("n^2 p", "3.5 n^2 + 4 n p"),
    )

    def _select(self, problem: Problem) -> Ranking:
        if self.change not in CHANGES:
            raise TableError(f"change must be one of {', '.join(CHANGES)}. Got {self.change!r}")
        form = canonical_form(problem.table, problem.classes.codes)
        features = Expansion.of(form.cells, form.nominal, self.normalize)
        labels = svm.two_class_problems(form.codes)
        beta = np.zeros(labels.shape)

        def importances(left: np.ndarray) -> Evaluation:
            part = features.subset(left)
            u = np.full(len(left), gaussian_width(self.gamma, len(left)))
            C = svm.numeric_bound(self.C, GAUSSIAN.from_origin(part, u))
            bounds = svm.problem_bounds(form.codes, C, self.class_weight, problem.classes.labels)
            gram = GAUSSIAN.gram(part, u)
            fits = [
                svm.solve_svm(gram, y, bound, start=start)
                for y, bound, start in zip(labels, bounds, beta, strict=True)
            ]
            beta[:] = [fit.beta for fit in fits]
            changes = margin_changes(part, u, beta)
            change = (np.abs(changes) if self.change == "absolute" else changes).sum(axis=1)
            objective = sum(f.objective for f in fits)
            return Evaluation((tied(change),), objective, max(f.gap for f in fits))

        return varying_elimination(
            importances, form.columns, features.varies, self.step, (), problem.always
        )


def margin_changes(features: Expansion, u: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return W^2 - W^2_(-f) (p, machines) of each feature, with beta (machines, n) fixed.

    Examples
    --------
    >>> import numpy as np
    >>> from hetsel.kernels.scaled_kernels import Expansion
    >>> from hetsel.methods.embedded.rfe_gaussian import margin_changes
    >>> two = Expansion.of(np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([False, False]))
    >>> margin_changes(two, np.array([1.0, 0.0]), np.array([[-1.0, 1.0]])).round(4) + 0.0
    array([[1.7293],
           [0.    ]])
    """
    rows = np.flatnonzero((beta != 0).any(axis=0))
    scaled = features.scaled(u)[rows]
    first = np.searchsorted(features.feature, np.arange(features.p + 1))
    # the last one has no columns: nothing is taken out
    first = np.append(first, first[-1])
    squares = margins_without(
        GAUSSIAN.between(scaled, scaled),
        np.ascontiguousarray(scaled.T),
        first,
        np.ascontiguousarray(beta[:, rows]),
    )
    return squares[-1] - squares[:-1]


@compiled
def margins_without(exponents, columns, first, beta):
    """Return sum_ij beta_i beta_j exp(-(t_ij - |z_i - z_j|^2 / 2)) (p, machines).

    z are the columns of a feature: feature f has the columns (d, m) from first_f to first_(f+1) -
    1. t is `exponents` (m, m), below the diagonal, and beta is (machines, m).
    """
    m = len(exponents)
    out = np.zeros((len(first) - 1, len(beta)))
    room = np.empty(m)
    for f in range(len(out)):
        for i in range(m):
            row = room[:i]
            row[:] = exponents[i, :i]
            for c in range(first[f], first[f + 1]):
                column = columns[c]
                own = column[i]
                for j in range(i):
                    away = column[j] - own
                    row[j] -= 0.5 * away * away
            negative_exponentials(row, 1.0)
            for k in range(len(beta)):
                if beta[k, i] != 0.0:
                    total = 0.0
                    for j in range(i):
                        total += beta[k, j] * row[j]
                    out[f, k] += beta[k, i] * (beta[k, i] + 2.0 * total)
    return out
