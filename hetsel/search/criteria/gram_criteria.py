"""Criteria of the Gram matrix of a subset's Gaussian product kernel, as ramona2012 has them.

The kernel is that of :mod:`hetsel.search.criteria.hsic_value`, whose width goes with the number of
features, and the criteria those of :mod:`hetsel.kernels.class_separation`, whose scale factors are
all alike here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from hetsel.compiling.arithmetic import product
from hetsel.ground.errors import TableError
from hetsel.kernels.class_separation import refuse_classes_option, target_table
from hetsel.kernels.target_kernels import target_directions
from hetsel.search.criteria.criterion import sampled
from hetsel.search.criteria.hsic_value import ProductKernelState
from hetsel.selection import Problem
from hetsel.selection.about import MACHINES


@dataclass(frozen=True)
class GaussianAlignment:
    """Alignment <K, T> / (|K| |T|) of the subset's Gaussian kernel; 0 without features.

    Ramona, Richard and David 2012, Eq. 3, 4 and 10. It takes twice the exponentials of
    :class:`hetsel.search.criteria.hsic_value.HSICValue`, whose `sample` it has.

    Parameters
    ----------
    target : {"uneven", "even"}
        Target matrix T of classes, see :mod:`hetsel.kernels.class_separation`. Of numbers and
        survival times it is that of :mod:`hetsel.kernels.target_kernels`, and "even" is refused.
    """

    target: str = "uneven"
    sample: int | None = field(default=MACHINES, repr=False)  # of large tables only

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> ProductKernelState:
        problem = sampled(problem, self.sample)
        if problem.target.kind != "classes":
            refuse_classes_option(self.target, problem.target)
            directions = target_directions(problem.target)
            length = np.sqrt((product(directions, directions) ** 2).sum())

            def aligned(sums: Callable[[int], np.ndarray]) -> np.float64:
                return np.float64(sums(1)[0] / (np.sqrt(sums(2)[1]) * length))

            return ProductKernelState(problem, aligned, subset)
        table = target_table(problem.classes.codes, self.target)
        counts = problem.classes.counts
        norm = np.sqrt(counts @ (table * table) @ counts)

        def rate(sums: Callable[[int], np.ndarray]) -> np.float64:
            return (table * sums(1)).sum() / (np.sqrt(sums(2).sum()) * norm)

        return ProductKernelState(problem, rate, subset)


@dataclass(frozen=True)
class ClassSeparability:
    """tr S_b / (tr S_w + epsilon n) in the space of the subset's Gaussian kernel.

    0 without features. Ramona, Richard and David 2012, Eq. 14 to 18. The width of the kernel is
    fixed, so that the regularization epsilon, 0 or larger, is not needed; `sample` is that of
    :class:`hetsel.search.criteria.hsic_value.HSICValue`.
    """

    epsilon: float = 0.0
    sample: int | None = field(default=MACHINES, repr=False)  # of large tables only

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> ProductKernelState:
        if isinstance(self.epsilon, bool) or not 0.0 <= self.epsilon < np.inf:
            raise TableError(f"epsilon must be a number, 0 or larger. Got {self.epsilon!r}")
        problem = sampled(problem, self.sample)
        counts, n = problem.classes.counts, problem.n

        def rate(sums: Callable[[int], np.ndarray]) -> np.float64:
            by_class = sums(1)
            within = (np.diag(by_class) / counts).sum()
            scatter = n - within + self.epsilon * n
            # the rows of each class may be one point
            return (within - by_class.sum() / n) / np.maximum(scatter, 1e-9 * n)

        return ProductKernelState(problem, rate, subset)


@dataclass(frozen=True)
class FrobeniusProduct:
    """Frobenius product <K, T> / n^2 of the subset's Gaussian kernel; 0 without features.

    Ramona, Richard and David 2012, Eq. 24. The parameters are those of :class:`GaussianAlignment`;
    "uneven" makes it tr S_b / n^2.
    """

    target: str = "uneven"
    sample: int | None = field(default=MACHINES, repr=False)  # of large tables only

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> ProductKernelState:
        problem = sampled(problem, self.sample)
        if problem.target.kind != "classes":
            refuse_classes_option(self.target, problem.target)
            return ProductKernelState(problem, lambda sums: sums(1)[0] / problem.n**2, subset)
        table = target_table(problem.classes.codes, self.target) / problem.n**2

        def rate(sums: Callable[[int], np.ndarray]) -> np.float64:
            return (table * sums(1)).sum()

        return ProductKernelState(problem, rate, subset)
