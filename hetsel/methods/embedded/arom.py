import warnings
from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import gram, product
from hetsel.ground import TableError, whole_number
from hetsel.ground.equal_numbers import tied
from hetsel.kernels.scaled_kernels import Expansion
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking, Step, order_best_first
from hetsel.solvers.svm import two_class_svm as svm
from hetsel.solvers.svm.machines import (
    NO_FEATURE,
    MachineProblem,
    Machines,
    linear_weights,
    solve_machines,
)
from hetsel.tables import canonical_form

SETTLED = 1e-3  # relative change of a factor at which the iterations end


class AROM(BaseSelector):
    """Rank features by an approximate minimization of the zero norm (l2-AROM).

    minimize sum_f log |w_f|   over hyperplanes that separate the classes, by
    v_f <- v_f sum_machines ||w_f||,

    with w the weights of linear machines on the columns times v, from v = 1. w_f are the weights of
    the columns that represent feature f: one for a continuous or ordinal feature, one per level for
    a nominal feature, see :mod:`hetsel.kernels.scaled_kernels`. For two classes and continuous
    columns only this is v <- v |w|, the published method. More than two classes have one machine
    against the rest per class, and one v for all of them. Columns of all kinds are accepted; the
    target must be classes. Prefer AROM to `rfe-linear` if a very small signature is wanted.

    A feature leaves when its factor falls to `threshold` of the largest one. Features are ranked by
    the iteration at which they leave, those that stay first, and within an iteration by their
    factors.

    Parameters
    ----------
    C : float or "radius"
        Bound on the dual variables, for rows as long as they are at the first iteration. "radius"
        is 1 / Rbar^2 with Rbar the mean length of the rows, as in SVMlight.
    iterations : int
        Maximum number of iterations. The method ends earlier if no factor changes by more than
        0.1%.
    threshold : float
        Proportion of the largest factor, above 0 and below 1.
    class_weight : "balanced", mapping of class to weight, or None
        "balanced" multiplies C by n / (2 n_class), a mapping by the weight of the class.
    normalize : {"trace", "norm", "none"}
        Scaling that makes kinds of features comparable, see :mod:`hetsel.kernels.scaled_kernels`.

    Attributes
    ----------
    importances_ : ndarray of float, shape (p,)
        Factor of each feature when it left or at the end, divided by the largest factor.
    answer_ : Ranking
        Its steps list the features that left together.

    Warns
    -----
    UserWarning
        No machine uses any feature, for example because of a rare class that no linear function
        separates.

    Notes
    -----
    The bounds follow the length of the rows, so that C Rbar^2 is the same at each iteration. For a
    hard margin this has no effect. With a fixed soft margin all factors may go to zero together,
    where sum_f log |w_f| is smallest.

    Among uninformative columns those of many levels come first. Each level has its own weight,
    which is fitted to the rows, and the norm adds them up (`vignettes/what-it-claims.Rmd`).

    See Also
    --------
    RFELinear : Recursive elimination with the same machine.
    KFDS : The same update with a Fisher discriminant.

    References
    ----------
    Weston, Elisseeff, Schoelkopf and Tipping 2003, Journal of Machine Learning Research 3,
    1439-1461, l2-AROM; the threshold of 1e-3 and the order of the features that left are those of
    the authors' program Spider.

    Examples
    --------
    >>> from hetsel import AROM, datasets
    >>> heart = datasets.load("heart")
    >>> AROM(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    C: Any = "radius"
    iterations: int = 20
    threshold: float = 1e-3
    class_weight: Any = None
    normalize: str = "trace"

    about = About(
        "L2-AROM: approximate minimization of the zero norm of a linear machine",
        paper="Weston et al. 2003, l2-AROM",
        cost=Cost("n^2 d", "n^2 + 3 n d"),
        why_not=dict.fromkeys(
            ("numbers", "survival"),
            "it searches hyperplanes that separate classes; use rfe-linear",
        ),
    )

    def _select(self, problem: Problem) -> Ranking:
        whole_number("iterations", self.iterations, 1)
        if not 0.0 < self.threshold < 1.0:
            raise TableError(
                f"threshold must be a number above 0 and below 1. Got {self.threshold!r}"
            )
        form = canonical_form(problem.table, problem.classes.codes)
        features = Expansion.of(form.cells, form.nominal, self.normalize)
        machines = ScaledMachines(form.codes, problem.classes.labels, self)
        factors, left = features.varies * 1.0, np.flatnonzero(features.varies)
        order = np.sort(form.columns[~features.varies])
        first = np.zeros(len(factors))
        steps: list[Step] = []
        for iteration in range(self.iterations):
            before = factors[left]
            solution, weights = machines.fit(features.subset(left), before)
            if not weights.any():
                if iteration == 0:
                    warnings.warn(NO_FEATURE, UserWarning, stacklevel=2)
                break
            if iteration == 0:
                first[left] = machines.margins(features.subset(left))
            factors[left] = tied(before * weights / (before * weights).max())
            fallen = left[factors[left] <= self.threshold]
            if len(fallen):
                steps.append(_step(len(left), fallen, factors, form.columns, solution))
                left = np.setdiff1d(left, fallen)
            elif (np.abs(factors[left] - before) <= SETTLED * before).all():
                break
        steps.append(_step(len(left), left, factors, form.columns, solution))
        for step in steps:
            order = np.append(step.features, order)
        importance, compared = np.empty(problem.p), np.empty(problem.p)
        importance[form.columns], compared[form.columns] = factors, first
        return Ranking(order.astype(np.intp), importance, tuple(steps), first=compared)


def _step(
    size: int, features: np.ndarray, factors: np.ndarray, columns: np.ndarray, solution: Machines
) -> Step:
    """Return the step of the features that leave together, or stay, best first."""
    ranked = columns[features[order_best_first(factors[features])]]
    return Step(size, tuple(ranked.tolist()), solution.objective, solution.gap)


class ScaledMachines:
    """Support vector machines on scaled columns, each started from the one before."""

    def __init__(self, codes: np.ndarray, classes: np.ndarray, method: AROM) -> None:
        self._method = method
        self._labels = svm.two_class_problems(codes)
        self._bounds = svm.problem_bounds(codes, 1.0, method.class_weight, classes)
        self._beta = np.zeros(self._labels.shape)
        self._last_C = 0.0
        self._first = 1.0  # C Rbar^2

    def fit(self, features: Expansion, factors: np.ndarray) -> tuple[Machines, np.ndarray]:
        """Return the machines, and the norm of each feature's weights, summed over machines."""
        method = self._method
        scaled = features.scaled(factors**2)
        products = gram(scaled)
        lengths = products.diagonal()
        if not self._last_C:
            self._first = svm.numeric_bound(method.C, lengths) / svm.numeric_bound(
                "radius", lengths
            )
        C = self._first * svm.numeric_bound("radius", lengths)
        start = self._beta * (C / self._last_C) if self._last_C else self._beta
        solution = solve_machines(MachineProblem(products, self._labels, C * self._bounds), start)
        self._last_C, self._beta = C, solution.beta
        weights = linear_weights(solution.beta, scaled, lengths.mean())
        return solution, np.sqrt(features.by_feature(weights * weights)).sum(axis=0)

    def margins(self, features: Expansion) -> np.ndarray:
        """Return the part (k,) of each feature in the margins of the rows by the last machines.

        For the first machines, on unscaled columns, it is comparable over other labels.
        """
        pull = svm.even_pull(self._labels, self._last_C * self._bounds)
        columns = features.columns
        parts = product(self._beta, columns.T) * product(pull, columns.T)
        return tied(features.by_feature(parts.sum(axis=0)))
