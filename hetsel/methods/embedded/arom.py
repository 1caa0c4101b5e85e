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

SETTLED = 1e-3  # relative change of a factor


class AROM(BaseSelector):
    """Rank features by the scale factors of an approximate minimization of the zero norm.

    minimize sum_f log |w_f| over hyperplanes that part the classes, by

    v_f <- v_f sum_machines ||w_f||,   w the weights of linear machines on the columns times v_f,

    from v = 1, where w_f are the weights of the columns that stand for the feature (one of a
    number, one a level of a nominal feature: :mod:`hetsel.kernels.scaled_kernels`): of numbers
    alone, and two classes, v <- v |w|, the method as published. More than two classes have one
    machine against the rest for each, and one v for all of them.

    A feature whose factor falls to `threshold` of the largest one is out. Features are ranked by
    the iteration at which they fall, those that never do first, and within one iteration by their
    factors.

    Parameters
    ----------
    C : float or "radius"
        Bound on the dual variables, for rows as long as they are at the first iteration. "radius":
        1 / Rbar^2, Rbar the mean length of the rows, as SVMlight does.
    iterations : int
        Most iterations; the method ends before if no factor changes by more than 0.1 %.
    threshold : float
        Share of the largest factor, above 0 and below 1.
    class_weight : "balanced", mapping of class to weight, or None
        Multiplies C by n / (2 n_class), or by the weight of the class.
    normalize : {"trace", "norm", "none"}
        How kinds of features become comparable, see :mod:`hetsel.kernels.scaled_kernels`.

    Warns
    -----
    UserWarning
        No machine uses any feature, as with a rare class that no linear function tells apart.

    Notes
    -----
    The importance of a feature is its share of the largest factor when it fell, or at the end; the
    answer's steps say which features fell together.

    The bounds keep to the length of the rows (C Rbar^2 is the same at each iteration). For a hard
    margin that changes nothing; with a fixed soft margin all factors may fall to zero together,
    where sum_f log |w_f| is least.

    Of columns that say nothing those of many levels come first: each level has a weight of its own,
    fitted to the rows, and the norm adds them up (`vignettes/what-it-claims.Rmd`).

    References
    ----------
    Weston, Elisseeff, Schoelkopf and Tipping 2003, Journal of Machine Learning Research 3,
    1439-1461, l2-AROM; the threshold of 1e-3 and the order of what fell as in the authors' Spider.
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
            "its minimum is over hyperplanes that part classes; rfe-linear is near",
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
    """The features that fall together, or stay, best first."""
    ranked = columns[features[order_best_first(factors[features])]]
    return Step(size, tuple(ranked.tolist()), solution.objective, solution.gap)


class ScaledMachines:
    """Support vector machines on the inner products of scaled columns, each from the one before."""

    def __init__(self, codes: np.ndarray, classes: np.ndarray, method: AROM) -> None:
        self._method = method
        self._labels = svm.two_class_problems(codes)
        self._bounds = svm.problem_bounds(codes, 1.0, method.class_weight, classes)
        self._beta = np.zeros(self._labels.shape)
        self._last_C = 0.0
        self._first = 1.0  # C Rbar^2

    def fit(self, features: Expansion, factors: np.ndarray) -> tuple[Machines, np.ndarray]:
        """The machines, and the norm of the weights of each feature, summed over the machines."""
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
        """The part (k,) of each feature in the margins of the rows by the last machines. Of the
        first ones, on columns as they are, it is what compares over other labels."""
        pull = svm.even_pull(self._labels, self._last_C * self._bounds)
        columns = features.columns
        parts = product(self._beta, columns.T) * product(pull, columns.T)
        return tied(features.by_feature(parts.sum(axis=0)))
