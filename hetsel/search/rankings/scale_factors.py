"""Rankings by the scale factors of a kernel that maximize a criterion."""

import warnings
from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from hetsel.ground import TableError, positive, whole_number
from hetsel.ground.equal_numbers import tied
from hetsel.kernels.class_separation import KernelCriterion, rate_factors, target_sides
from hetsel.kernels.scaled_kernels import BLOCK_SIZE, SHAPES, Expansion, ScaledKernel, SummedKernels
from hetsel.search.rankings.proved_cuts import Evaluation
from hetsel.search.rankings.recursive_elimination import recursive_elimination
from hetsel.selection import BaseSelector, Problem, Ranking, order_best_first
from hetsel.solvers.ascent import Ascent, Objective, bounded_ascent, gradient_ascent
from hetsel.solvers.svm.two_class_svm import numeric_bound, two_class_problems
from hetsel.tables import Classes, TypedTarget, canonical_form
from hetsel.tables.canonical_table import CanonicalForm

KERNELS = (*SHAPES, "clinical")
SOLVERS = ("l-bfgs-b", "gradient")
FURTHER = 10  # starts around the equal one, the same in every ascent
SPREAD = 1.5  # standard deviation of the logarithms of their squared factors
CHEAP = 2_000_000  # entries of the features' kernels up to which there are further starts
CLOSE = 1e-6  # relative difference up to which two maxima count as one
Features = Expansion | SummedKernels
NOTHING = 1e-8  # of the largest squared factor: a smaller one counts as 0


class ScaleFactorSelector(BaseSelector):
    """Base of the methods that rank features by the scale factors w_f of a kernel.

    A subclass supplies the function of the squared factors u_f = w_f^2 that is maximized from equal
    factors. Features with factor 0 at the maximum are ordered by the derivative there: by how
    little they would lower the criterion.

    Parameters
    ----------
    kernel : {"gaussian", "linear", "polynomial", "clinical"}
        "gaussian" is the product of the features' kernels; "linear" and "clinical" are their
        weighted sums, centered.
    normalize : {"trace", "norm", "none"}
        Scaling that makes kinds of features comparable, see
        :class:`hetsel.kernels.scaled_kernels.Expansion`.
    step : float, optional
        Proportion of the features that an elimination drops in each step, those of the smallest
        factors, before the next ascent; None ranks by the factors of one ascent.
    starts : int
        Number of ascents, one from equal factors and the others from random ones; the largest value
        counts.
    solver : {"l-bfgs-b", "gradient"}
        "gradient" takes steps of a fixed length; it is slower and ends at lower values.
    learning_rate : float
        Step length of "gradient", for factors that start at 1.
    iterations : int
        Maximum number of steps of an ascent.
    tolerance : float
        Largest derivative at the end, relative to the criterion at the start; for "gradient" the
        last change of the criterion.
    block_size : int
        Number of rows whose kernel values are held at a time: block_size^2 numbers.

    Attributes
    ----------
    answer_ : Ranking
        Its extras are `scale_factor` (p,) and, with several starts, `best_rank` and `worst_rank`
        (p,), the best and worst rank of each feature at the end points of all starts.

    Warns
    -----
    UserWarning
        An ascent reached the maximum number of `iterations`.
    """

    kernel: str = "gaussian"
    normalize: str = "trace"
    step: float | None = None
    starts: int = 1
    solver: str = "l-bfgs-b"
    learning_rate: float = 10.0
    iterations: int = 1000
    tolerance: float = 1e-6
    block_size: int = BLOCK_SIZE

    kernels: ClassVar[tuple[str, ...]] = KERNELS
    compares: ClassVar[bool] = (
        True  # whether derivatives at equal factors are comparable over other labels
    )
    several: ClassVar[bool] = False  # whether there are further starts if they are cheap

    @abstractmethod
    def _objective(self, features: Features, target: TypedTarget) -> Objective:
        """Return the function of u (p,) that is maximized, with its derivatives."""

    def _select(self, problem: Problem) -> Ranking:
        self._check()
        form = canonical_form(problem.table, problem.target.content)
        target = problem.target.canonical(form.rows)
        features = self._features(form, target)
        varying = np.flatnonzero(features.varies)
        features = features.subset(varying)
        columns = form.columns[varying]

        def end(left: np.ndarray) -> tuple[Ascent, list[Ascent]]:
            ends = self._ascents(features.subset(left), target, problem)
            highest = max(end.value for end in ends)
            best = next(end for end in ends if end.value >= highest - CLOSE * abs(highest))
            if not best.converged:
                warnings.warn(
                    f"the ascent stopped after iterations={self.iterations} before it reached a "
                    "maximum. Increase iterations or tolerance",
                    UserWarning,
                    stacklevel=2,
                )
            return best, ends

        def importances(left: np.ndarray) -> Evaluation:
            best = end(left)[0]
            whole = self.compares and len(left) == len(columns)
            own = self._first(features, left, target) if whole else None
            return Evaluation(_keys(best), best.value, compared=own)

        if self.step is not None:
            every = np.arange(len(columns))
            stay = np.flatnonzero(np.isin(columns, problem.always)).tolist()
            ranking = recursive_elimination(importances, every, self.step, (), stay)
            ranking = ranking if self.compares else replace(ranking, first=np.empty(0))
            return ranking.within(columns, problem.p)
        best, ends = end(np.arange(len(columns)))
        keys = _keys(best)
        extras = {"scale_factor": np.sqrt(best.u)}
        if self.starts > 1:
            extras |= _agreement(ends)
        every = np.arange(len(columns))
        first = self._first(features, every, target) if self.compares else np.empty(0)
        ranking = Ranking(order_best_first(*keys), keys[0], extras=extras, first=first)
        return ranking.within(columns, problem.p)

    def _first(self, features: Features, left: np.ndarray, target: TypedTarget) -> np.ndarray:
        """Return derivatives times factors (k,) at equal factors; factors at the maximum are
        proportions.
        """
        objective = self._objective(features.subset(left), target)
        equal = np.full(len(left), 1.0 / len(left))
        with threadpool_limits(limits=1, user_api="blas"):
            return tied(objective(equal)[1] * equal)

    def _features(self, form: CanonicalForm, target: TypedTarget) -> Features:
        """Return the features in the form from which the kernel is made."""
        if self.kernel == "clinical":
            table = (form.cells, form.nominal, target_sides(target))
            return SummedKernels.clinical(*table, normalize=self.normalize)
        return Expansion.of(form.cells, form.nominal, self.normalize)

    def _rated(self, criterion: KernelCriterion, features: Features, degree: int = 1) -> Objective:
        """Return a criterion of the kernel as a function of the squared factors."""
        # clinical kernels are summed like inner products
        kernel = ScaledKernel("linear" if self.kernel == "clinical" else self.kernel, degree)
        return rate_factors(criterion, features, kernel, block_size=self.block_size)

    def _ascents(self, features: Features, target: TypedTarget, problem: Problem) -> list[Ascent]:
        """Run one ascent from equal factors, further ones where that is cheap, and random ones."""
        objective = self._objective(features, target)
        equal = np.full(features.p, 1.0 / features.p)
        rng = problem.rng()
        drawn = [equal * np.exp(rng.normal(size=features.p)) for _ in range(self.starts - 1)]
        cheap = self.several and problem.n**2 * features.p <= CHEAP
        further = _further(objective, equal) if cheap and self.solver == "l-bfgs-b" else []
        starts = [equal, *further, *drawn]
        limits: dict[str, Any] = {"tolerance": self.tolerance, "iterations": self.iterations}
        # threads would wait for each other at every small product, for long on a busy machine
        with threadpool_limits(limits=1, user_api="blas"):
            if self.solver == "gradient":
                rate = self.learning_rate
                return [gradient_ascent(objective, u, rate=rate, **limits) for u in starts]
            return [bounded_ascent(objective, u, equal, **limits) for u in starts]

    def _check(self) -> None:
        whole_number("starts", self.starts, 1)
        whole_number("iterations", self.iterations, 1)
        whole_number("block_size", self.block_size, 1)
        if self.kernel not in self.kernels:
            legal = ", ".join(self.kernels)
            raise TableError(f"kernel must be one of {legal}. Got {self.kernel!r}")
        if self.solver not in SOLVERS:
            raise TableError(f"solver must be one of {', '.join(SOLVERS)}. Got {self.solver!r}")
        for name in ("tolerance", "learning_rate"):
            positive(name, getattr(self, name))


class MachineFactorSelector(ScaleFactorSelector):
    """Base of the methods whose criterion comes from support vector machines, one against the rest.

    Parameters
    ----------
    C : float or "radius"
        Bound on the dual variables. "radius" is 1 / (mean distance of a row from the origin in
        feature space)^2 at equal factors, the default of SVMlight.
    kernel : {"gaussian", "linear", "polynomial"}
        The product of the features' kernels; their weighted sum; or (1 + that sum)^degree.
    degree : int
        Degree of the polynomial kernel.
    block_size : int
        No effect: a machine needs the whole Gram matrix.
    """

    C: Any = 1.0
    degree: int = 3

    kernels = SHAPES
    compares = False  # fewer informative features make weights and derivatives larger

    def _objective(self, features: Features, target: TypedTarget) -> Objective:
        assert isinstance(features, Expansion)  # for all kernels of this class
        assert isinstance(target, Classes)
        kernel = ScaledKernel(self.kernel, self.degree)
        equal = np.full(features.p, 1.0 / features.p)
        C = numeric_bound(self.C, kernel.from_origin(features, equal))
        return self._of_machines(features, kernel, two_class_problems(target.codes), C)

    @abstractmethod
    def _of_machines(
        self, features: Expansion, kernel: ScaledKernel, labels: np.ndarray, C: float
    ) -> Objective:
        """Return the function of u (p,) that is maximized; labels (machines, n) are -1 and +1."""


def _further(objective: Objective, equal: np.ndarray) -> list[np.ndarray]:
    """Return starts around equal factors; features with equal derivatives there start alike."""
    levels, place = np.unique(tied(objective(equal)[1]), return_inverse=True)
    numbers = np.random.default_rng(0).normal(size=(FURTHER, len(levels) + 1))
    return [equal * np.exp(SPREAD * own[place + 1] + own[0]) for own in numbers]


def _keys(end: Ascent) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors relative to the largest, and the derivatives of those that are 0."""
    largest = end.u.max()
    if not largest > 0.0:
        return np.zeros(len(end.u)), tied(end.slopes)
    kept = end.u > NOTHING * largest
    factors = np.sqrt(np.where(kept, end.u, 0.0) / largest)
    return tied(factors), tied(np.where(kept, 0.0, end.slopes))


def _agreement(ends: list[Ascent]) -> dict[str, np.ndarray]:
    """Return the best and the worst rank (p,) of each feature at the end points of the starts."""
    ranks = np.empty((len(ends), len(ends[0].u)), dtype=np.int64)
    for rank, end in zip(ranks, ends, strict=True):
        rank[order_best_first(*_keys(end))] = np.arange(1, len(rank) + 1)
    return {"best_rank": ranks.min(axis=0), "worst_rank": ranks.max(axis=0)}
