"""RFE^SVM: recursive elimination by the energy of each feature in a support vector machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.ties import NORM_WIDTH, merged, tied
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.feature_loops import mirror
from hetsel.kernels.normalization import Normalization
from hetsel.search.rankings.recursive_elimination import Evaluation, recursive_elimination
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import WeighingSelector
from hetsel.selection.problem import Problem
from hetsel.solvers.svm.machines import MachineProblem, Machines, refine_machines, solve_machines
from hetsel.solvers.svm.two_class_problems import (
    even_pull,
    problem_bounds,
    two_class_problems,
    warn_of_missed_classes,
)
from hetsel.tables.canonical_table import canonical_form
from hetsel.tables.target import Classes


class RFESVM(WeighingSelector):
    """Recursive feature elimination by a support vector machine with the clinical kernel.

    J(f) = s_f = beta' K_f beta, the share of the feature in W^2 = (1/p) sum_f s_f. It is Eq. 4 and
    5 of the paper without the renormalization of the kernel once a feature is out, which would
    make a useless feature important; `rfe-svm-printed` is the letter of the paper. More than two
    classes: one against the rest, s_f summed over the classes.

    Parameters
    ----------
    C : float
        Bound on the dual variables; the paper takes 0.1.
    step : float
        Share of the features left that each step drops.
    class_weight : "balanced", mapping of class to weight, or None
        Multiplies C by n / (2 n_class), or by the weight of the class.
    normalize : {"none", "norm", "trace", "p-value"}
        What is done about columns of many levels, whose kernels lead by chance; see
        :class:`hetsel.kernels.normalization.Normalization`. "norm" and "trace" train on
        normalized kernels; "p-value" takes -log10 of the p-value of s_f for J.

    Notes
    -----
    The table is ranked in its
    :func:`canonical form <hetsel.tables.canonical_table.canonical_form>`: the order of rows and
    columns, the names of levels and the units do not move a rank.

    Each machine is solved to the end, and the order is proved. With w_f = sum_i beta_i phi_f(x_i),
    s_f = ||w_f||^2, and G the duality gap of the machine on sum_f K_f,

        sum_f ||w_f - w_f*||^2 <= G,

    see :mod:`hetsel.solvers.svm.certificate`: the root of s_f is within sqrt(G) of that at the
    optimum, here about 1e-7 of ||w||, and 1e-11 where a cut asks for a refinement. Features whose
    roots differ by less than 1e-10 of ||w|| tie: what spreads more comes first (the larger mean
    distance between two rows, which changes little from one part of a table to another), then the
    content decides, and copies are ordered by their place. `answer_.steps` and `answer_.cuts` say
    which cuts are proved, which are ties. Under normalize="norm" and "trace" the kernels themselves
    are rounded, and cuts within 1e-7 may stay open; under "p-value" nothing is proved.

    Cells are rounded to a grid of 2^-24 of the range of their column. The distances allow for what
    moving them back does to each s_f while the dual variables stay; how little these then change
    is not proved, so that what is proved is the order of the rounded table, with this margin.

    Warns
    -----
    HetselWarning
        The first model predicts no row of a class that weighs less than half of the largest one.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, sections 2.1 and 2.3, Eq. 3.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> RFESVM(size=1).fit(frame, [0, 0, 1, 1]).get_feature_names_out()
    array(['sex'], dtype=object)
    """

    C: float = 0.1
    step: float = 0.2
    class_weight: Any = None
    normalize: str = "none"

    about = About(
        "recursive elimination by a support vector machine, clinical kernel",
        paper="paul2015, Eq. 3, importance s_f",
        revision=6,
        squares=2.6,
    )

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Refuse weights of rows where kernels are normalized."""
        refuse_normalized(option, self.normalize)

    def _select(self, problem: Problem) -> Ranking:
        form = canonical_form(problem.table, problem.classes.codes)
        plain = FeatureKernels(form.cells, form.nominal)
        normal, spread = Normalization(self.normalize, plain), plain.spreads()
        kernels = normal.kernels
        target = Classes(form.codes, problem.classes.labels)
        weights = weights_in_order(problem, form.rows)
        machines = SummedMachines(kernels, target, self, weights)

        def evaluated(left: np.ndarray, refined: bool) -> Evaluation:
            found = machines.refine() if refined else machines.fit(left)
            energy = kernels.subset(left).energies(found.beta)
            more = None if refined or not machines.exact else lambda: evaluated(left, True)
            if self.normalize == "p-value":
                keys = normal.keys(energy, found.beta, left)  # compare as they are
                return Evaluation(tuple(map(tied, keys)), found.objective, found.gap)
            rounding = norm_rounding(found.beta) * np.sqrt(kernels.largest)
            width = max(NORM_WIDTH * np.sqrt(energy.sum()), 10.0 * rounding)
            moved = energy - kernels.subset(left).moved(found.beta, form.off)
            grid = np.sqrt(energy) - np.sqrt(np.maximum(moved, 0.0))
            keys, radius = self._keys(energy, np.sqrt(found.square) + rounding + grid, width)
            keys, margin = (*keys, spread[left]), machines.margins(left)
            return Evaluation(keys, found.objective, found.gap, radius, more, margin)

        return recursive_elimination(
            lambda left: evaluated(left, False),
            form.columns,
            self.step,
            problem.sizes,
            problem.always,
        )

    def _keys(
        self, energy: np.ndarray, off: np.ndarray, width: float
    ) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """Importances of the features left and how far the first can be from the optimum's.

        Parameters
        ----------
        energy : ndarray of shape (k,)
            s_f.
        off : ndarray of shape (k,)
            Bound on the distance between the roots of s_f and those at the optimum, of cells that
            are not rounded.
        width : float
            Roots that are nearer to each other tie.
        """
        norms = np.sqrt(energy)
        shared = merged(norms, width)
        off = off + shared - norms
        return (shared * shared,), off * (2.0 * shared + off)


def weights_in_order(problem: Problem, rows: np.ndarray) -> np.ndarray | None:
    """Weights (n,) of rows in another order, None where all weigh the same."""
    return None if problem.weights is None else problem.weights[rows]


def refuse_normalized(option: str, normalize: str) -> None:
    """Refuse weights of rows where kernels are normalized by what all rows alike say.

    Raises
    ------
    TableError
    """
    if normalize != "none":
        raise TableError(f"{option} is for normalize='none'. Got normalize={normalize!r}")


def norm_rounding(beta: np.ndarray) -> float:
    """Bound on the rounding of the root of s_f by :func:`hetsel.kernels.feature_loops.energies`.

    s_f is a sum of squares of sums of at most n of the beta (problems, n), weighted by shares of a
    range: the root is off by less than n + 2 roundings of sum |beta|, and half as many of itself.
    """
    return 4.0 * (beta.shape[1] + 2) * 2.0**-53 * float(np.abs(beta).sum())


class SummedMachines:
    """Support vector machines on (1/p) sum_f K_f, followed through an elimination.

    The sum loses the kernels of the features that leave; it is built anew whenever half of the
    features of the last building have left, so that rounding cannot pile up. Each fit starts from
    the solution before. The sum is not divided by the number of features: cells on a grid of 2^-24
    make it exact.
    """

    def __init__(
        self,
        kernels: FeatureKernels,
        target: Classes,
        method: RFESVM,
        row_weights: np.ndarray | None = None,
    ) -> None:
        self._kernels = kernels
        self._target = target
        self._labels = two_class_problems(target.codes)
        self._bounds = problem_bounds(
            target.codes, method.C, method.class_weight, target.labels, row_weights
        )
        self._features = np.array([], dtype=np.intp)
        self._built = 0
        # kept for all steps: fresh memory at each costs more than the arithmetic
        self._total = np.zeros((kernels.n, kernels.n))
        self._solution: Machines | None = None
        # each entry is the rounded sum of p terms
        self._rounding = 0.0 if kernels.exact else 2.0 * (kernels.p + 2) * 2.0**-53

    @property
    def exact(self) -> bool:
        """Whether the sum of the kernels is free of rounding."""
        return self._rounding == 0.0

    def fit(self, features: np.ndarray) -> Machines:
        """Fit the machines on these features."""
        first = not self._built
        if 2 * len(features) <= self._built or first:
            self._total[:] = 0.0
            self._kernels.subset(features).add(self._total, np.ones(len(features)))
            self._built = len(features)
        else:
            gone = np.setdiff1d(self._features, features, assume_unique=True)
            self._kernels.subset(gone).add(self._total, -np.ones(len(gone)))
        self._features = features
        mirror(self._total)
        start = np.zeros(self._labels.shape) if self._solution is None else self._solution.beta
        self._solution = solve_machines(self._problem, start)
        if first:
            decisions = self._solution.beta @ self._total / len(features)
            decisions += self._solution.bias[:, None]
            warn_of_missed_classes(decisions, self._bounds, self._target.codes, self._target.labels)
        return self._solution

    def margins(self, features: np.ndarray) -> np.ndarray | None:
        """What the first machines, of all features, are compared by over other labels (p,).

        The part of each feature in the margins of the rows, see :meth:`FeatureKernels.margins
        <hetsel.kernels.feature_kernels.FeatureKernels.margins>`; None for later machines.
        """
        if len(features) < self._kernels.p or self._solution is None:
            return None
        pull = even_pull(self._labels, self._bounds)
        return tied(self._kernels.margins(self._solution.beta, pull))

    def refine(self) -> Machines:
        """The last machines in twice the precision."""
        assert self._solution is not None
        self._solution = refine_machines(self._problem, self._solution)
        return self._solution

    @property
    def _problem(self) -> MachineProblem:
        scale = float(len(self._features))
        return MachineProblem(self._total, self._labels, self._bounds, scale, self._rounding)
