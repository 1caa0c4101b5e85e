import warnings
from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import gram, product, squared_lengths
from hetsel.ground.equal_numbers import NORM_WIDTH, merged, tied
from hetsel.kernels.scaled_kernels import Expansion
from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.search.rankings.recursive_elimination import varying_elimination
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.solvers import cox_ridge, group_lasso_path, group_losses
from hetsel.solvers.svm import two_class_svm as svm
from hetsel.solvers.svm.machines import (
    NO_FEATURE,
    NOISE,
    MachineProblem,
    Machines,
    linear_weights,
    solve_machines,
)
from hetsel.tables import Classes, canonical_form


class RFELinear(BaseSelector):
    """Rank features by recursive elimination with a linear support vector machine.

    J(f) = sum_machines ||w_f||^2,

    with w_f the weights of the columns that represent the feature: one for a continuous or ordinal
    feature, one per level for a nominal feature, see :mod:`hetsel.kernels.scaled_kernels`. There is
    one machine for two classes, and one against the rest per class for more. Constant columns are
    dropped before the first step. Columns of all kinds and all targets are accepted. Prefer it to
    `rfe-svm` if the effects of continuous columns are linear.

    A numeric target has ridge regression in place of the machines, and survival times have Cox
    regression with a ridge penalty (ties by Breslow):

    minimize |w|^2 / 2 + C loss(w),

    where the loss is sum_i (y_i - b - <w, z_i>)^2 / 2, or minus the log partial likelihood. The
    argument for J(f) is the same: to second order it is what the objective loses with the feature
    (Guyon et al. 2002, section 2.4, also for a squared error).

    Parameters
    ----------
    C : float or "radius"
        Bound on the dual variables; for the other targets 1 / C is the ridge penalty. "radius" is 1
        / Rbar^2 with Rbar the mean length of the rows, computed again at each step, as in SVMlight.
    step : float or int
        Proportion of the remaining features that each step drops, or their number: 1 drops one at a
        time.
    class_weight : "balanced", mapping of class to weight, or None
        "balanced" multiplies C by n / (2 n_class), a mapping by the weight of the class. For
        classes only.
    normalize : {"trace", "norm", "none"}
        Scaling that makes kinds of features comparable, see :mod:`hetsel.kernels.scaled_kernels`.

    Warns
    -----
    UserWarning
        No machine uses any feature, for example because of a rare class that no linear function
        separates.

    Notes
    -----
    The machines are solved in the dual, each from the solution before. The order is proved as in
    :class:`hetsel.RFESVM`, for values rounded to its grid and without a margin for this rounding.
    The Gram matrix is rounded, too: cuts between features whose norms differ by less than about
    1e-7 of the whole may stay open. For a numeric target and survival times the proof uses the
    length of the gradient, which bounds the distance of the weights from those at the optimum.

    Among uninformative columns those of many levels come first. Each level has its own weight,
    which is fitted to the rows, and the norm adds them up (`vignettes/what-it-claims.Rmd`).

    See Also
    --------
    RFESVM : The clinical kernel.
    AROM : Fewer features by the zero norm.
    L1SVM : The path of an L1 penalty.

    References
    ----------
    Guyon, Weston, Barnhill and Vapnik 2002, Machine Learning 46, 389-422, section 4.

    Examples
    --------
    >>> from hetsel import RFELinear, datasets
    >>> heart = datasets.load("heart")
    >>> RFELinear(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'slope peak exc ST', 'major vessels colored']
    """

    C: Any = "radius"
    step: float = 0.2
    class_weight: Any = None
    normalize: str = "trace"

    use_of_sizes = "cuts"
    about = About(
        "recursive elimination with a support vector machine, linear kernel",
        paper="Guyon et al. 2002",
        cost=Cost("n^2 d", "2 n^2 + 4 n d"),
        costs=dict.fromkeys(("numbers", "survival"), Cost("n d^2", "7 n d")),
        targets=("classes", "numbers", "survival"),
    )

    def _select(self, problem: Problem) -> Ranking:
        if problem.target.kind != "classes":
            return self._by_ridge(problem)
        form = canonical_form(problem.table, problem.classes.codes)
        features = Expansion.of(form.cells, form.nominal, self.normalize)
        machines = LinearMachines(features, Classes(form.codes, problem.classes.labels), self)

        def importances(left: np.ndarray) -> Evaluation:
            found = machines.fit(left)
            norms, off = machines.norms(left)
            shared = merged(norms, NORM_WIDTH * np.sqrt((norms * norms).sum()))
            off = off + shared - norms
            radius = off * (2.0 * shared + off)
            own = machines.margins(left)
            return Evaluation((shared * shared,), found.objective, found.gap, radius, compared=own)

        ranking = varying_elimination(
            importances, form.columns, features.varies, self.step, problem.sizes, problem.always
        )
        if not ranking.importance.any():
            warnings.warn(NO_FEATURE, UserWarning, stacklevel=2)
        return ranking

    def _by_ridge(self, problem: Problem) -> Ranking:
        """Rank by linear models of a numeric target or of survival times."""
        svm.refuse_class_weight(self.class_weight, problem.target.kind)
        form = canonical_form(problem.table, problem.target.content)
        features = Expansion.of(form.cells, form.nominal, self.normalize)
        if problem.target.kind == "numbers":
            loss = group_losses.GroupLoss.of_numbers(
                group_lasso_path.standardized(problem.numbers.canonical(form.rows).values)
            )
            columns = features.columns
        else:
            target = problem.survival.canonical(form.rows)
            order = cox_ridge.RiskOrder.of(target.times, target.events)
            loss, columns = group_losses.GroupLoss.of_survival(order), features.columns[order.rows]

        def importances(left: np.ndarray) -> Evaluation:
            kept = np.isin(features.feature, left)
            z = np.ascontiguousarray(columns[:, kept])
            found = group_losses.ridge_weights(
                z, loss, svm.numeric_bound(self.C, squared_lengths(z))
            )
            squares = np.bincount(features.feature[kept], found.weights**2, minlength=features.p)
            norms = np.sqrt(squares[left])
            shared = merged(norms, NORM_WIDTH * np.sqrt((norms * norms).sum()))
            off = found.off + shared - norms
            radius = off * (2.0 * shared + off)
            return Evaluation((shared * shared,), found.objective, radius=radius)

        return varying_elimination(
            importances, form.columns, features.varies, self.step, problem.sizes, problem.always
        )


class LinearMachines:
    """Support vector machines on the inner products of the rows, through an elimination.

    The products of removed columns are subtracted from the Gram matrix; it is computed again when
    half of the columns are gone.
    """

    def __init__(self, features: Expansion, target: Classes, method: RFELinear) -> None:
        self._features, self._C = features, method.C
        self._labels = svm.two_class_problems(target.codes)
        self._bounds = svm.problem_bounds(target.codes, 1.0, method.class_weight, target.labels)
        self._inside = np.zeros(features.p, dtype=bool)
        self._built = 0
        self._owner, self._columns = features.feature, features.columns
        self._gram = np.empty((0, 0))
        self._last_C = 0.0
        self._solution: Machines
        self.beta = np.zeros(self._labels.shape)

    def fit(self, left: np.ndarray) -> Machines:
        """Fit the machines on these features."""
        inside = np.zeros(self._features.p, dtype=bool)
        inside[left] = True
        if 2 * len(left) <= self._built or not self._built:
            kept = inside[self._owner]
            self._columns = np.ascontiguousarray(self._columns[:, kept])
            self._owner = self._owner[kept]
            self._gram = gram(self._columns)
            self._built = len(left)
        else:
            gone = self._columns[:, (self._inside & ~inside)[self._owner]]
            self._gram -= gram(gone)
        self._inside = inside
        C = svm.numeric_bound(self._C, self._gram.diagonal())
        # if the rows get shorter the bounds grow, and the solution grows about as much
        start = self.beta * (C / self._last_C) if self._last_C else self.beta
        # each entry is a rounded sum of products, from which others were subtracted
        rounding = 2.0 * (self._columns.shape[1] + 2) * 2.0**-53
        problem = MachineProblem(self._gram, self._labels, C * self._bounds, rounding=rounding)
        self._solution = solve_machines(problem, start)
        self._last_C, self.beta = C, self._solution.beta
        return self._solution

    def margins(self, left: np.ndarray) -> np.ndarray | None:
        """Return the part (p,) of each feature in the margins of the rows, for the first machines.

        The parts are comparable over other labels; None for later machines.
        """
        if len(left) < int(self._features.varies.sum()):
            return None
        weights = product(self.beta, self._columns.T)
        pulled = product(svm.even_pull(self._labels, self._last_C * self._bounds), self._columns.T)
        parts = (weights * pulled).sum(axis=0)
        return tied(np.bincount(self._owner, parts, minlength=self._features.p)[left])

    def norms(self, left: np.ndarray) -> tuple[np.ndarray, float]:
        """Return ||w_f|| of these features over the machines, and a bound on the distance from the
        optimum.

        It is 0 for a feature that moves the rows by no more than rounding does.
        """
        lengths = self._gram.diagonal()
        mean = lengths.mean()
        weights = linear_weights(self.beta, self._columns, mean)
        squares = squared_lengths(np.ascontiguousarray(weights.T))
        norms = np.sqrt(np.bincount(self._owner, squares, minlength=self._features.p)[left])
        whole = np.abs(self.beta).sum() * np.sqrt(lengths.max())
        rounding = 4.0 * (len(lengths) + 2) * 2.0**-53 * whole
        nothing = NOISE * np.sqrt(weights.size / max(mean, 1e-300))
        return norms, float(np.sqrt(self._solution.square) + rounding + nothing)
