"""Held-out performance of support vector machines on two kernels for mixed columns."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import exponentiate
from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import TableError, positive
from hetsel.ground.equal_numbers import FINE_GRID, unit_scale
from hetsel.models.neighbors import DISTANCE_UNIT, MISSING, add_distances
from hetsel.resampling.folds import draw_folds
from hetsel.search.criteria.criterion import sampled
from hetsel.search.criteria.rates.held_out_rates import HeldOutState, most_frequent
from hetsel.selection import ROWS_FOR_MACHINES, Cost, Problem
from hetsel.selection.about import refuse_memory
from hetsel.solvers.svm.active_set import solve_box
from hetsel.solvers.svm.two_class_svm import pair_problems, two_class_problems

NEAR = 0.03  # violation below which few rows are solved exactly; 0.01 to 0.1 take equally long
STEPS = 1e10  # per unit: decision values on a grid, so that rounding separates no classes


@dataclass(frozen=True)
class ClinicalSVMRate:
    """Score a subset by the held-out performance of the SVM with the clinical kernel.

    k(x, y) = (1/d) sum_f k_f(x_f, y_f) over the d features of the subset that vary, with the range
    of all rows of the table (paul2015, Eq. 1 and 2). It is the machine of
    :class:`hetsel.ClinicalSVC`, with C the bound on its dual variables. Ties go to the class of the
    lower code.

    The state is the sum of the kernels (n, n); values are read to 2^-24 of their range, so that the
    sum is exact. Every machine is trained from zero to the end. An empty subset predicts the most
    frequent class of the other folds. :mod:`hetsel.search.criteria.rates.held_out_rates` describes
    the other parameters.
    """

    C: float = 10.0
    folds: int = 5
    rate: str = "bcr"
    repeats: int = 1
    sample: int | None = field(default=ROWS_FOR_MACHINES, repr=False)  # of large tables only

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "MachineState":
        problem = sampled(problem, self.sample, self.folds)
        fold = draw_folds(problem, self.folds, self.repeats)
        labels = two_class_problems(problem.classes.codes)
        machines = (labels, positive("C", self.C))
        return ClinicalState(problem, fold, self.rate, *machines).extended(subset)


@dataclass(frozen=True)
class GaussianSVMRate(ClinicalSVMRate):
    """Score a subset by the held-out performance of the SVM with a Gaussian kernel.

    k(x, y) = exp(-gamma d(x, y)^2), with the squared distance of :mod:`hetsel.models.neighbors` and
    the range of all rows of the table. More than two classes have one machine per pair of classes,
    and the class with the most votes wins (as in LIBSVM; somol2011, Tables 1 and 2); ties go to the
    lower code.

    `gamma` "scale" is 2 / (mean of d^2 over all pairs of rows): for numbers, 1 / (sum of the
    variances of the columns). "auto" is 1 / (number of features of the subset), the default of
    LIBSVM. The other parameters are those of :class:`ClinicalSVMRate`.
    """

    C: float = 1.0
    gamma: float | str = "scale"

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "MachineState":
        problem = sampled(problem, self.sample, self.folds)
        fold = draw_folds(problem, self.folds, self.repeats)
        labels = pair_problems(problem.classes.codes)
        machines = (labels, positive("C", self.C))
        if isinstance(self.gamma, str) and self.gamma not in ("scale", "auto"):
            raise TableError(
                f"gamma must be a positive number, 'scale' or 'auto'. Got {self.gamma!r}"
            )
        gamma = self.gamma if isinstance(self.gamma, str) else positive("gamma", self.gamma)
        state = GaussianMachineState(problem, fold, self.rate, *machines, gamma=gamma)
        return state.extended(subset)


class MachineState(HeldOutState):
    """A subset with the matrix (n, n) from which its kernel is made, and machines on the kernel."""

    def __init__(
        self, problem: Problem, fold: np.ndarray, rate: str, labels: np.ndarray, C: float
    ) -> None:
        super().__init__(problem, fold, rate)
        refuse_memory("a support vector machine", Cost("n^3", "3 n^2"), problem)
        self._labels, self._C = labels, C
        table = problem.table  # numbers in [0, 1] to 2^-24, level codes as they are
        self._columns = np.rint(unit_scale(table.values) * FINE_GRID) / FINE_GRID
        self._columns[:, table.nominal] = table.values[:, table.nominal]
        self._columns[np.isnan(self._columns)] = MISSING
        self._sums = np.zeros((problem.n, problem.n))
        self._gram = np.empty_like(self._sums)

    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        decisions_of_folds = self._held_out(feature, sign)
        if decisions_of_folds is None:
            return most_frequent(self.y, self.fold)
        return np.array([self._classes(decisions) for decisions in decisions_of_folds])

    def scores(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Return decision values (repeats, n, d) of held-out rows; d is 1 for two classes."""
        decisions_of_folds = self._held_out(feature, sign)
        if decisions_of_folds is None:
            return np.zeros((*self.fold.shape, 1))
        return np.array([self._by_class(decisions).T for decisions in decisions_of_folds])

    def _held_out(self, feature: int | None, sign: float) -> np.ndarray | None:
        """Return decision values (repeats, machines, n) of held-out rows; None without features."""
        sign = 0.0 if feature is None else sign
        if len(self._subset) + sign == 0:
            return None
        self._kernel(0 if feature is None else feature, sign)
        out = np.empty((len(self.fold), *self._labels.shape))
        for part, decisions in zip(self.fold, out, strict=True):
            hold_out_machines(self._gram, self._labels, part, self._C, decisions)
        return out

    @abstractmethod
    def _kernel(self, feature: int, sign: float) -> None:
        """Write the kernel of the subset into _gram, with a feature added (1), removed (-1) or
        neither.
        """

    @abstractmethod
    def _classes(self, decisions: np.ndarray) -> np.ndarray:
        """Return the class (n,) from decision values (machines, n)."""

    def _by_class(self, decisions: np.ndarray) -> np.ndarray:
        """Return decision values (d, n) of each class, of class 1 only for two classes."""
        return decisions


class ClinicalState(MachineState):
    """The sum of clinical kernels, and one machine per class."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._varies = (self._columns != self._columns[:1]).any(axis=0)

    def _kernel(self, feature: int, sign: float) -> None:
        # the kernel of a constant feature is one number, which the bias absorbs
        varying = self._varies[self._subset].sum() + sign * self._varies[feature]
        column = self._columns[:, feature]
        mean_similarities(self._sums, column, sign, max(float(varying), 1.0), self._gram)

    def _update(self, feature: int, sign: float) -> None:
        add_similarities(self._sums, self._columns[:, feature], sign)

    def _classes(self, decisions: np.ndarray) -> np.ndarray:
        return np.argmax(decisions, axis=0) if len(decisions) > 1 else (decisions[0] > 0) * 1


class GaussianMachineState(MachineState):
    """The squared distances of a subset, and one machine per pair of classes."""

    def __init__(self, *parts: Any, gamma: float | str) -> None:
        super().__init__(*parts)
        self._gamma = gamma

    def _kernel(self, feature: int, sign: float) -> None:
        column = self._columns[:, feature]
        self._gram[...] = self._sums
        if sign:
            add_distances(self._gram, column, column, sign)
        if isinstance(self._gamma, float):
            gamma = self._gamma
        elif self._gamma == "scale":
            gamma = 2.0 * DISTANCE_UNIT / max(self._gram.mean(), 1.0)  # whole numbers: exact sums
        else:
            gamma = 1.0 / (len(self._subset) + sign)
        self._gram *= -gamma / DISTANCE_UNIT
        exponentiate(self._gram)

    def _update(self, feature: int, sign: float) -> None:
        column = self._columns[:, feature]
        add_distances(self._sums, column, column, sign)

    def _classes(self, decisions: np.ndarray) -> np.ndarray:
        return np.argmax(self._votes(decisions)[0], axis=0)

    def _by_class(self, decisions: np.ndarray) -> np.ndarray:
        """Return the votes of each class, and within ties the sum of its decision values."""
        if self.n_classes == 2:
            return decisions
        votes, sums = self._votes(decisions)
        return votes + sums / (3 * (np.abs(sums) + 1))  # as of scikit-learn's SVC

    def _votes(self, decisions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the votes (classes, n) of the pairwise machines, and sums of decision values."""
        votes, sums = np.zeros((2, self.n_classes, decisions.shape[1]))
        first, second = np.triu_indices(self.n_classes, 1)
        for a, b, decision in zip(first, second, decisions, strict=True):
            votes[b] += decision > 0
            votes[a] += decision <= 0
            sums[b] += decision
            sums[a] -= decision
        return votes, sums


@compiled
def add_similarities(sums, column, sign):
    """Add sign times k_f of a column (n,) to the sum of kernels (n, n)."""
    n = len(column)
    for i in range(n):
        for j in range(n):
            sums[i, j] += sign * max(0.0, 1.0 - abs(column[i] - column[j]))


@compiled
def mean_similarities(sums, column, sign, size, out):
    """Write the mean of `size` kernels (n, n): their sum, with sign times k_f of a column added."""
    n = len(column)
    for i in range(n):
        for j in range(n):
            own = max(0.0, 1.0 - abs(column[i] - column[j]))
            out[i, j] = (sums[i, j] + sign * own) / size


@compiled
def hold_out_machines(gram, labels, fold, C, out):
    """Write decision values (machines, n) of every row by the machines of the other folds.

    Rows with label 0 train no machine. Machines that are trained on the same rows share their
    kernel.
    """
    n = labels.shape[1]
    rows, known = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for k in range(fold.max() + 1):
        part, kept = np.empty((0, 0)), -1
        for machine in range(len(labels)):
            m, same = 0, True
            for i in range(n):
                if fold[i] != k and labels[machine, i] != 0.0:
                    same = same and m < kept and known[m] == i
                    rows[m] = i
                    m += 1
            if not same or m != kept:
                part, kept = submatrix(gram, rows[:m]), m
                known[:m] = rows[:m]
            own = labels[machine][rows[:m]]
            beta = np.zeros(m)
            low, high = np.minimum(0.0, C * own), np.maximum(0.0, C * own)
            _, bias, _ = solve_box(part, own, low, high, beta, 1.0, NEAR)
            decide(gram, rows, beta, bias, fold, k, out[machine])


@compiled_part
def submatrix(gram, rows):
    """Return the rows and columns (m, m) of a matrix (n, n)."""
    m = len(rows)
    part = np.empty((m, m))
    for i in range(m):
        row = gram[rows[i]]
        for j in range(m):
            part[i, j] = row[rows[j]]
    return part


@compiled_part
def decide(gram, rows, beta, bias, fold, k, out):
    """Write the decision value of each row of fold k by a machine of other rows, on the grid."""
    for i in range(len(out)):
        if fold[i] == k:
            out[i] = bias
            row = gram[i]
            for j in range(len(beta)):
                if beta[j] != 0.0:
                    out[i] += beta[j] * row[rows[j]]
            out[i] = np.rint(out[i] * STEPS) / STEPS
