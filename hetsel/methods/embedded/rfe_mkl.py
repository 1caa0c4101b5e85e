"""RFE^MKL: recursive elimination by the weights of multiple kernel learning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.normalization import Normalization
from hetsel.search.canonical import canonical_form
from hetsel.search.elimination import Evaluation, recursive_elimination
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.solvers.mkl import MKLSolution, fixed_point_weights, solve_mkl, update_weights
from hetsel.solvers.two_class import (
    problem_bounds,
    two_class_problems,
    warn_of_missed_classes,
)
from hetsel.tables.ties import tied


class RFEMKL(BaseSelector):
    """Recursive feature elimination by multiple kernel learning with the clinical kernel.

    J(f) = mu_f, the weight of the feature's kernel in k = sum_f mu_f k_f, ||mu||_q = 1, taken at
    mu_f ~ s_f^(1/(q-1)), where the optimum has it. More than two classes: one against the rest,
    with one shared mu.

    Parameters
    ----------
    C : float
        Bound on the dual variables of the support vector machine; the paper takes 0.1.
    q : float
        Norm of the kernel weights, at least 1.
    step : float
        Share of the features left that each step drops.
    tolerance : float
        Largest relative duality gap of each model; the weights are known to about its square root.
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
    Paul, D'Ambrosio and Dupont 2015, sections 2.1 and 2.4, Eq. 6 to 8.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> RFEMKL(size=1).fit(frame, [0, 0, 1, 1]).get_feature_names_out()
    array(['sex'], dtype=object)
    """

    C: float = 0.1
    q: float = 2.0
    step: float = 0.2
    tolerance: float = 1e-6
    class_weight: Any = None
    normalize: str = "none"

    about = About(
        "recursive elimination by multiple kernel learning, clinical kernel",
        paper="paul2015, Eq. 6-8",
        revision=4,
        squares=2.0,
    )

    def _select(self, problem: Problem) -> Ranking:
        form = canonical_form(problem.table, problem.target.codes)
        normal = Normalization(self.normalize, FeatureKernels(form.cells, form.nominal))
        kernels = normal.kernels
        labels = two_class_problems(form.codes)
        bounds = problem_bounds(form.codes, self.C, self.class_weight, problem.target.labels)
        last: tuple[np.ndarray, np.ndarray, MKLSolution] | None = None

        def importances(left: np.ndarray) -> Evaluation:
            nonlocal last
            start = None
            if last is not None:
                features, weights, solution = last
                start = replace(solution, weights=weights[np.searchsorted(features, left)])
            solution = solve_mkl(
                kernels.subset(left),
                labels,
                bounds,
                q=self.q,
                start=start,
                tolerance=self.tolerance,
            )
            if last is None:
                decisions = kernels.decisions(solution.weights, solution.beta, solution.bias)
                warn_of_missed_classes(decisions, bounds, form.codes, problem.target.labels)
            # one more update costs nothing: it needs the energies only
            weights = update_weights(solution.weights, solution.energy, self.q)
            last = (left, weights, solution)
            keys: tuple[np.ndarray, ...] = (fixed_point_weights(weights, solution.energy, self.q),)
            if self.normalize == "p-value":
                keys = normal.keys(solution.energy, solution.beta, left)
            return Evaluation(tuple(map(tied, keys)), solution.objective, solution.gap)

        return recursive_elimination(importances, form.columns, self.step)
