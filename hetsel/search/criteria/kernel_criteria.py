"""Criteria of the Gaussian product kernel of a subset: HSIC, and those of ramona2012.

    HSIC(S) = tr(K_S H L H) / (n - 1)^2,
    K_S(i, j) = prod_f exp(-d_f(i, j) / v) = exp(-(1/v) sum_f d_f(i, j)),

with H = I - 11'/n, L the class kernel I(y_i = y_j) n / (c n_y), or H L H that of a numeric target
or survival times in :mod:`hetsel.kernels.target_kernels`, and d_f the squared distance of two rows
in feature f divided by its mean over all pairs of rows:

    d_f = (a - b)^2 / (2 s_f^2) (continuous, ordinal; s_f the standard deviation),
    d_f = I(a != b) / (1 - sum_levels q_level^2) (nominal), 0 for a constant column,

and v the number of features of the subset that vary: the width grows with the dimension. A missing
number is at the mean distance 1 from a present one, at 0 from another missing one. Each d_f is
rounded to 2^-32, so that sums are exact and a removed feature has no effect. The other criteria are
those of :mod:`hetsel.kernels.class_separation`, with equal scale factors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import factorial
from typing import Any, ClassVar

import numpy as np

from hetsel.compiling.arithmetic import gram, product
from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import not_negative
from hetsel.ground.equal_numbers import GRID, on_grid, unit_scale
from hetsel.kernels import class_separation, target_kernels
from hetsel.search.criteria.criterion import SubsetState, sampled
from hetsel.selection import ROWS_FOR_MACHINES, Cost, Problem
from hetsel.selection.about import refuse_memory

TraceRate = Callable[[Callable[[int], np.ndarray]], np.float64]
SERIES = tuple(1.0 / factorial(k) for k in range(9))  # of the exponential


@dataclass(frozen=True)
class HSICValue:
    """Score a subset by HSIC of its Gaussian product kernel with the target; 0 without features.

    `sample` is that of :mod:`hetsel.search.criteria.rates.held_out_rates`. The state is one (n, n)
    matrix, 8 n^2 bytes, and two matrices for a numeric target and survival times; a candidate takes
    n^2 / 2 exponentials. Song, Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning
    Research 13, 1393-1434.
    """

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    sample: int | None = field(default=ROWS_FOR_MACHINES, repr=False)  # of large tables only

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "ProductKernelState":
        problem = sampled(problem, self.sample)
        if problem.target.kind != "classes":
            size = (problem.n - 1) ** 2
            return ProductKernelState(problem, lambda sums: sums(1)[0] / size, subset)
        centered = target_kernels.centered_by_class(problem.classes.codes) / (problem.n - 1) ** 2
        return ProductKernelState(problem, lambda sums: (centered * sums(1)).sum(), subset)


class ProductKernelState(SubsetState):
    """A subset with a criterion of its product kernel K_S, from few sums over it and summed d_f (n,
    n).

    `rate` is called with a function of a power, 1 or 2. For classes this function returns the sums
    (c, c) of K_S^power between the rows of two classes; for another target <K_S^power, T> and sum
    K_S^power (2,).
    """

    def __init__(self, problem: Problem, rate: TraceRate, subset: Sequence[int] = ()) -> None:
        super().__init__()
        levels, table = problem.target.kind == "classes", problem.table
        cost = Cost("n^2", "n^2" if levels else "2 n^2")
        refuse_memory("a kernel of all pairs of rows", cost, problem)
        self._rate = rate
        rows = np.arange(problem.n)
        if levels:
            rows = np.argsort(problem.classes.codes, kind="stable")
            self._starts = np.append(0, np.cumsum(problem.classes.counts))
            self._told = None
        else:
            self._told = gram(target_kernels.target_directions(problem.target).T)
        self._nominal = table.nominal
        self._columns, self._weights = unit_distances(table.values[rows], table.nominal)
        self._distances = np.zeros((problem.n, problem.n))
        self.extended(subset)

    @property
    def varies(self) -> np.ndarray:
        """Whether each feature (p,) of the table varies."""
        return self._weights > 0

    def _changed(self, feature: int | None, sign: float) -> float:
        """Return the criterion with sign times d_f of this feature; 0 if no feature varies."""
        if feature is None:
            feature, sign = 0, 0.0
        varying = float(self.varies[self._subset].sum())
        varying += sign * self.varies[feature]
        if varying == 0:
            return 0.0

        def sums(power: int) -> np.ndarray:
            change = (*self._change(feature, sign), power / varying)
            if self._told is None:
                return np.asarray(class_sums(*change, self._starts))
            return np.array(told_sums(*change, self._told))

        return float(on_grid(np.asarray(self._rate(sums))))

    def _update(self, feature: int, sign: float) -> None:
        add_squares(*self._change(feature, sign))

    def _change(self, feature: int, sign: float) -> tuple[Any, ...]:
        weight = sign * self._weights[feature]
        return self._distances, self._columns[feature], self._nominal[feature], weight


def unit_distances(values: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return columns (p, n) and weights (p,) of d_f: weight times squared distance or overlap."""
    columns = np.ascontiguousarray(unit_scale(values).T)
    columns[nominal] = values.T[nominal]
    weights = np.zeros(len(columns))
    for f in range(len(columns)):
        cells = columns[f]
        if nominal[f]:
            counts = np.unique(cells, return_counts=True)[1]
            mean = 1.0 - ((counts / len(cells)) ** 2).sum() if len(counts) > 1 else 0.0
        else:
            present = cells[~np.isnan(cells)]
            mean = 2.0 * present.var() if len(present) and (present != present[0]).any() else 0.0
            if not mean and 0 < len(present) < len(cells):
                mean = 1.0  # one number and gaps
        weights[f] = 1.0 / mean if mean else 0.0
    return columns, weights


@compiled_part
def squared_distance(a, b, nominal, weight):
    """Return weight times d of two values, rounded to 2^-32; 1 if only one is missing."""
    gaps = int(np.isnan(a)) + int(np.isnan(b))
    if nominal:
        away = 0.0 if a == b or gaps == 2 else weight
    elif gaps > 0:
        away = 0.0 if gaps == 2 else np.sign(weight)
    else:
        away = (a - b) * (a - b) * weight
    return np.rint(away * GRID) / GRID


@compiled
def add_squares(distances, column, nominal, weight):
    """Add weight times d of a column (n,) to the distances (n, n) below the diagonal."""
    for i in range(len(column)):
        for j in range(i):
            distances[i, j] += squared_distance(column[i], column[j], nominal, weight)


@compiled
def class_sums(distances, column, nominal, weight, rate, starts):
    """Return sums (c, c) of exp(-rate (D + weight d)) over pairs of rows of two classes.

    The rows of class c begin at starts_c.
    """
    n_classes = len(starts) - 1
    out = np.zeros((n_classes, n_classes))
    room = np.empty(len(column))
    plain = not nominal and not np.isnan(column).any()
    for own in range(n_classes):
        for i in range(starts[own], starts[own + 1]):
            row = room[:i]
            fill_distances(row, distances[i, :i], column, i, nominal, plain, weight)
            negative_exponentials(row, rate)
            out[own, own] += 1.0
            for other in range(own + 1):
                total = 0.0
                for j in range(starts[other], min(starts[other + 1], i)):
                    total += row[j]
                out[own, other] += total
                out[other, own] += total
    return out


@compiled
def told_sums(distances, column, nominal, weight, rate, told):
    """Return the sums of exp(-rate (D + weight d)) T and of exp(-rate (D + weight d))."""
    n = len(column)
    room = np.empty(n)
    plain = not nominal and not np.isnan(column).any()
    toward, whole = 0.0, float(n)
    for i in range(n):
        row = room[:i]
        fill_distances(row, distances[i, :i], column, i, nominal, plain, weight)
        negative_exponentials(row, rate)
        here, all_of_it = 0.0, 0.0
        for j in range(i):
            here += row[j] * told[i, j]
            all_of_it += row[j]
        toward += told[i, i] + 2.0 * here
        whole += 2.0 * all_of_it
    return toward, whole


@compiled_part
def fill_distances(row, known, column, i, nominal, plain, weight):
    """Write D + weight d of row i with the rows before it into row (i,); D is known."""
    if weight == 0.0:
        row[:] = known
    elif plain:
        a = column[i]
        for j in range(i):
            away = column[j] - a
            row[j] = known[j] + np.rint(away * away * weight * GRID) / GRID
    else:
        for j in range(i):
            row[j] = known[j] + squared_distance(column[i], column[j], nominal, weight)


@compiled_part
def negative_exponentials(x, rate):
    """Replace x by exp(-rate x), for rate x >= 0, to 12 digits; not below e^-64.

    The series of e^-u, u = rate x / 1024, then ten squarings: the same on any machine.
    """
    scale = rate / 1024.0
    for j in range(len(x)):
        u = x[j] * scale
        u = -(u if u < 0.0625 else 0.0625)
        e = SERIES[8]
        for k in range(7, -1, -1):
            e = SERIES[k] + u * e
        for _ in range(10):
            e = e * e
        x[j] = e


@dataclass(frozen=True)
class GaussianAlignment:
    """Score a subset by the alignment <K, T> / (|K| |T|) of its Gaussian kernel with the target.

    It is 0 without features. `target` is "uneven" or "even", the target matrix T of classes, see
    :mod:`hetsel.kernels.class_separation`. For a numeric target and survival times T is that of
    :mod:`hetsel.kernels.target_kernels`, and "even" is refused. `sample` as in :class:`HSICValue`.
    Ramona, Richard and David 2012, Eq. 3, 4 and 10.
    """

    target: str = "uneven"
    sample: int | None = field(default=ROWS_FOR_MACHINES, repr=False)  # of large tables only

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> ProductKernelState:
        problem = sampled(problem, self.sample)
        if problem.target.kind != "classes":
            class_separation.refuse_classes_option(self.target, problem.target)
            directions = target_kernels.target_directions(problem.target)
            length = np.sqrt((product(directions, directions) ** 2).sum())

            def aligned(sums: Callable[[int], np.ndarray]) -> np.float64:
                return np.float64(sums(1)[0] / (np.sqrt(sums(2)[1]) * length))

            return ProductKernelState(problem, aligned, subset)
        table = class_separation.target_table(problem.classes.codes, self.target)
        counts = problem.classes.counts
        norm = np.sqrt(counts @ (table * table) @ counts)

        def rate(sums: Callable[[int], np.ndarray]) -> np.float64:
            return (table * sums(1)).sum() / (np.sqrt(sums(2).sum()) * norm)

        return ProductKernelState(problem, rate, subset)


@dataclass(frozen=True)
class ClassSeparability:
    """Score a subset by the class separability in the space of its Gaussian kernel.

    J = tr S_b / (tr S_w + epsilon n), 0 without features. The width of the kernel is fixed, so that
    the regularization epsilon, 0 or larger, is not needed; `sample` as in :class:`HSICValue`.
    Ramona, Richard and David 2012, Eq. 14 to 18.
    """

    epsilon: float = 0.0
    sample: int | None = field(default=ROWS_FOR_MACHINES, repr=False)  # of large tables only

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> ProductKernelState:
        not_negative("epsilon", self.epsilon)
        problem = sampled(problem, self.sample)
        counts, n = problem.classes.counts, problem.n

        def rate(sums: Callable[[int], np.ndarray]) -> np.float64:
            by_class = sums(1)
            within = (np.diag(by_class) / counts).sum()
            scatter = n - within + self.epsilon * n
            # the rows of each class may coincide
            return (within - by_class.sum() / n) / np.maximum(scatter, 1e-9 * n)

        return ProductKernelState(problem, rate, subset)


@dataclass(frozen=True)
class FrobeniusProduct:
    """Score a subset by the Frobenius product <K, T> / n^2 of its Gaussian kernel with the target.

    It is 0 without features. The parameters are those of :class:`GaussianAlignment`. Ramona,
    Richard and David 2012, Eq. 24.
    """

    target: str = "uneven"
    sample: int | None = field(default=ROWS_FOR_MACHINES, repr=False)  # of large tables only

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> ProductKernelState:
        problem = sampled(problem, self.sample)
        if problem.target.kind != "classes":
            class_separation.refuse_classes_option(self.target, problem.target)
            return ProductKernelState(problem, lambda sums: sums(1)[0] / problem.n**2, subset)
        table = class_separation.target_table(problem.classes.codes, self.target) / problem.n**2

        def rate(sums: Callable[[int], np.ndarray]) -> np.float64:
            return (table * sums(1)).sum()

        return ProductKernelState(problem, rate, subset)
