"""Eliminations by machines on binned columns, which need no Gram matrix."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hetsel.ground import HetselWarning
from hetsel.ground.equal_numbers import tied
from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.search.rankings.proof_effort import Precision
from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.solvers.additive import additive_certificate, additive_problem, binned_machines

REST = 1e-16  # relative gap per row: a smaller one is not worth the time
ROUNDED = 1e-11  # relative gap below which a gap in double precision is only rounding
SETTLED = 1e-9  # relative gap below which equal importances are a tie
TOLERANCES = (1e-4, 1e-7, 1e-10, 1e-13)  # relative gaps of a first model and of its refinements

# importances (k,) with the largest distance of each from its value at the optimum, computed from a
# certificate and from the effect (k,) on s_f of moving the values
Keys = Callable[
    [additive_certificate.AdditiveCertificate, np.ndarray],
    tuple[tuple[np.ndarray, ...], np.ndarray],
]


class AdditiveElimination(NamedTuple):
    """The start of an elimination by machines on binned columns."""

    kernels: BinnedKernels  # their memory is that of the kernels on fewer and fewer columns
    labels: np.ndarray  # (machines, n)
    bounds: np.ndarray  # (machines, n)
    pull: np.ndarray  # (machines, n) of the rows on margins, see `two_class_svm.even_pull`
    off: np.ndarray  # (p,), largest distance of a value of a column from that of the table
    q: float  # norm of the kernel weights; infinity for the plain sum
    tube: float  # epsilon of a regression; 0 for classes
    precision: Precision
    mean: bool = False  # whether the bounds are for machines on the mean of the kernels

    @property
    def tolerances(self) -> list[float]:
        """Relative gaps of a first model and of its refinements; rounding grows with the rows."""
        least = max(self.precision.least, TOLERANCES[-1], REST * self.kernels.n)
        return [*(gap for gap in TOLERANCES if least < gap <= self.precision.first), least]

    def bounds_of(self, p: int) -> np.ndarray:
        """Return bounds (machines, n) for a sum of p kernels; for machines on the mean, over p."""
        return self.bounds / p if self.mean else self.bounds


class AdditiveImportances:
    """Train models on fewer and fewer columns, each started from the one before.

    `warn` is called with the decision values (machines, n) of the first model.
    """

    def __init__(
        self, asked: AdditiveElimination, keys: Keys, warn: Callable[[np.ndarray], None]
    ) -> None:
        self._asked, self._keys, self._warn = asked, keys, warn
        self._kernels, self._spread = asked.kernels, asked.kernels.spreads()
        self._features = np.arange(asked.kernels.p)
        self._last: additive_problem.AdditiveSolution | None = None
        self._far = False

    def _fit(self, features: np.ndarray) -> additive_problem.AdditiveSolution:
        """Train the model on these columns, to the first of the tolerances."""
        places = np.searchsorted(self._features, features)
        start = None
        if self._last is not None:  # on some of its columns
            ratio = self._kernels.p / len(places) if self._asked.mean else 1.0
            start = self._last.on(self._kernels.bins_of(places), ratio)
        self._kernels, self._features = self._kernels.narrowed(places), features
        return self._solved(start, self._asked.tolerances[0])

    def _refined(
        self, last: additive_problem.AdditiveSolution, effort: int
    ) -> additive_problem.AdditiveSolution:
        """Solve the last model to a smaller tolerance; return it unchanged if this was given up."""
        model = self._solved(last, self._asked.tolerances[effort], self._asked.precision.turns)
        return model if model.gap < last.gap else last

    def _solved(
        self,
        start: additive_problem.AdditiveSolution | None,
        tolerance: float,
        turns: float = np.inf,
    ) -> additive_problem.AdditiveSolution:
        asked, kernels = self._asked, self._kernels
        labels, bounds = asked.labels, asked.bounds_of(kernels.p)
        options: dict[str, Any] = {"tube": asked.tube, "tolerance": tolerance, "turns": turns}
        groups = None if asked.tube else additive_problem.EqualRows.of(kernels, labels, bounds)
        if groups is None:
            return binned_machines.solve_additive(
                kernels, labels, bounds, asked.q, start=start, **options
            )
        problem = groups.kernels, groups.labels_of(labels), groups.bounds
        model = binned_machines.solve_additive(
            *problem, asked.q, start=groups.start_of(start), **options
        )
        return groups.for_rows(model)

    def _warn_of_gap(self, gap: float, asked: float, size: int) -> None:
        """Warn once about a model that stopped far from its optimum."""
        if gap <= max(additive_problem.FAR, asked) or self._far:
            return
        self._far = True
        warnings.warn(
            f"a model on {size} columns stopped at a relative duality gap of {gap:.1g}. The order "
            "of its columns may be inaccurate. Use a smaller C or solver='gram'",
            HetselWarning,
            stacklevel=2,
        )

    def __call__(self, left: np.ndarray) -> Evaluation:
        """Evaluate a model on these columns, ascending."""
        return self._evaluated(left, 0)

    def _evaluated(self, left: np.ndarray, effort: int) -> Evaluation:
        asked, last = self._asked, self._last
        model = self._fit(left) if effort == 0 or last is None else self._refined(last, effort)
        self._last, kernels = model, self._kernels
        self._warn_of_gap(model.gap, asked.tolerances[effort], len(left))
        scale, margin = len(left) if asked.mean else 1, None
        if len(left) == asked.kernels.p:
            margin = tied(scale * kernels.margins(model.beta, asked.pull))
            if effort == 0:
                self._warn(model.decisions(kernels))
        bounds = asked.bounds_of(kernels.p)
        known = additive_certificate.certify_additive(
            kernels, asked.labels, bounds, model, asked.q, asked.tube
        )
        moved = kernels.moved(model.beta, asked.off[left])
        keys, radius = self._keys(known, moved)
        # by beta alone, or with the functions of the last step: a bound either way
        gap = min(known.gap / max(abs(model.objective), 1e-300), max(model.gap, ROUNDED))
        short = effort > 0 and model.gap > asked.tolerances[effort]
        ended = short or effort + 1 == len(asked.tolerances)
        refine = None if ended else partial(self._evaluated, left, effort + 1)
        keys, objective = (*keys, self._spread[left]), scale * model.objective
        return Evaluation(keys, objective, gap, radius, refine, margin, gap <= SETTLED)
