"""RFE^SVM: recursive elimination by the energy of each feature in a support vector machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.normalization import Normalization
from hetsel.kernels.sums import mirror
from hetsel.search.canonical import canonical_form
from hetsel.search.elimination import recursive_elimination
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.solvers.machines import solve_machines
from hetsel.solvers.two_class import (
    problem_bounds,
    two_class_problems,
    warn_of_missed_classes,
)
from hetsel.tables.target import Classes, Target
from hetsel.tables.ties import tied


class RFESVM(BaseSelector):
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
    tolerance : float
        Largest violation of the optimality conditions of each support vector machine.
    class_weight : "balanced", mapping of class to weight, or None
        Multiplies C by n / (2 n_class), or by the weight of the class.
    normalize : {"none", "norm", "trace", "p-value"}
        What is done about columns of many levels, whose kernels lead by chance; see
        :class:`hetsel.kernels.normalization.Normalization`. "norm" and "trace" train on
        normalized kernels; "p-value" takes -log10 of the p-value of s_f for J.

    Notes
    -----
    The table is ranked in its :func:`canonical form <hetsel.search.canonical.canonical_form>`: the
    order of rows and columns, the names of levels and the units do not move a rank. Columns of one
    step whose importances differ by less than the width of a tie (1e-8 of the largest) are ordered
    by their content, and copies by their place. What differs by more, but less than the tolerance
    leaves open, is in an order that another processor need not share.

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
    tolerance: float = 1e-6
    class_weight: Any = None
    normalize: str = "none"

    about = About(
        "recursive elimination by a support vector machine, clinical kernel",
        paper="paul2015, Eq. 3, importance s_f",
        revision=4,
        squares=2.6,
    )

    def _select(self, problem: Problem) -> Ranking:
        form = canonical_form(problem.table, problem.target.codes)
        normal = Normalization(self.normalize, FeatureKernels(form.cells, form.nominal))
        kernels = normal.kernels
        machines = SummedMachines(kernels, Classes(form.codes, problem.target.labels), self)

        def importances(left: np.ndarray) -> tuple[tuple[np.ndarray, ...], float, float]:
            objective, gap = machines.fit(left)
            energy = kernels.subset(left).energies(machines.beta)
            values, *ties = normal.keys(energy, machines.beta, left)
            return (*self._keys(values), *map(tied, ties)), objective, gap

        return recursive_elimination(importances, form.columns, self.step)

    def _keys(self, energy: np.ndarray) -> tuple[np.ndarray, ...]:
        """Importances of the features left, from s_f or what stands for it; the first decides."""
        return (tied(energy),)


class SummedMachines:
    """Support vector machines on (1/p) sum_f K_f, followed through an elimination.

    The sum loses the kernels of the features that leave; it is built anew whenever half of the
    features of the last building have left, so that rounding cannot pile up. Each fit starts from
    the solution before.
    """

    def __init__(self, kernels: FeatureKernels, target: Target, method: RFESVM) -> None:
        self._kernels = kernels
        self._target = target
        self._labels = two_class_problems(target.codes)
        self._bounds = problem_bounds(target.codes, method.C, method.class_weight, target.labels)
        self._tolerance = method.tolerance
        self._features = np.array([], dtype=np.intp)
        self._built = 0
        # kept for all steps: fresh memory at each costs more than the arithmetic
        self._total, self._gram = np.zeros((2, kernels.n, kernels.n))
        self.beta = np.zeros(self._labels.shape)

    def fit(self, features: np.ndarray) -> tuple[float, float]:
        """Fit the machines on these features; dual objective and largest relative gap."""
        first = not self._built
        if 2 * len(features) <= self._built or first:
            self._total[:] = 0.0
            self._kernels.subset(features).add(self._total, np.ones(len(features)))
            self._built = len(features)
        else:
            gone = np.setdiff1d(self._features, features, assume_unique=True)
            self._kernels.subset(gone).add(self._total, -np.ones(len(gone)))
        self._features = features
        gram = np.divide(self._total, len(features), out=self._gram)
        mirror(gram)
        machines = solve_machines(
            gram, self._labels, self._bounds, start=self.beta, tolerance=self._tolerance
        )
        self.beta = machines.beta
        if first:
            decisions = machines.beta @ gram + machines.bias[:, None]
            warn_of_missed_classes(decisions, self._bounds, self._target.codes, self._target.labels)
        return machines.objective, machines.gap
