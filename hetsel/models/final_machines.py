"""Final support vector machines, trained at every size of signature.

The clinical SVM has the kernel of :class:`hetsel.ClinicalSVC`. The other kernels are

    linear     k(x, y) = sum_f k_f,                k_f = x_f y_f or I(x_f = y_f),
    gaussian   k(x, y) = exp(-gamma sum_f d_f),    d_f = (x_f - y_f)^2 or 2 I(x_f != y_f) / v_f,

with numbers standardized by the training rows and v_f = 1 - sum_levels proportion^2. So the mean of
d_f over pairs of rows is 2 for every feature. A missing number lies at the mean, at distance 1 from
it in a separate direction. An unseen level differs from all others. Features that are constant in
the training rows are left out.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from hetsel.compiling.arithmetic import exponentiate, product, squared_lengths
from hetsel.ground import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.kernels import energies_and_grams, feature_kernels, scaled_kernels
from hetsel.models.rows_in_bins import ROWS_WORTH_BINNING, decisions_in_bins
from hetsel.models.train_test_arrays import Split, Subsets, cross_kernels, growth
from hetsel.solvers.svm import active_set, block_ascent
from hetsel.solvers.svm import two_class_svm as svm
from hetsel.tables.content import told_apart

DISTINCT_SHARE = 0.5  # largest proportion of distinct rows that are merged
WHOLE = 1e-11  # relative to a bound: a closer value is at the bound


def decisions_by_blocks(
    split: Split, subsets: Subsets, labels: np.ndarray, bounds: np.ndarray, tube: float = 0.0
) -> np.ndarray | None:
    """Return decision values (subsets, m, machines) by blocks; None where blocks do not help."""
    kernels = feature_kernels.FeatureKernels(
        np.concatenate([split.train, split.test], axis=1), split.nominal
    )
    out = np.empty((len(subsets), split.test.shape[1], len(labels)))
    equal = [None] * len(subsets) if tube else [*_equal_rows(split.train, split.codes, subsets)]
    for c, (y, bound) in enumerate(zip(labels, bounds, strict=True)):
        machines = _Machines(kernels, y, bound, tube)
        for k, subset in enumerate(subsets):
            if not machines.solve(subset, equal[k]):
                return None
            out[k, :, c] = machines.decisions
    return out


def _equal_rows(
    cells: np.ndarray, codes: np.ndarray, subsets: Subsets
) -> Iterator[np.ndarray | None]:
    """Yield group numbers (n,) of equal rows of a class for each subset; None if few are."""
    equal: np.ndarray | None = codes
    for new, anew in growth(subsets):
        equal = codes if anew else equal
        for f in new:
            if equal is not None:
                equal = told_apart(equal, cells[f])
                equal = equal if int(equal.max()) + 1 <= DISTINCT_SHARE * len(codes) else None
        yield equal


class _Machines:
    """Machines trained in turn, each started from the last; test rows have bounds of 0."""

    def __init__(
        self, kernels: feature_kernels.FeatureKernels, y: np.ndarray, bound: np.ndarray, tube: float
    ):
        self._kernels, self._y, self._bound, self._tube = kernels, y, bound, tube
        self._n = len(y)  # training rows, before the test rows
        self._beta, self._away = np.zeros(kernels.n), np.empty(kernels.n)
        self._size = 0

    @property
    def decisions(self) -> np.ndarray:
        """Decision values (m,) of the test rows."""
        return -self._away[self._n :] / self._size

    def solve(self, subset: np.ndarray, equal: np.ndarray | None) -> bool:
        """Learn from the columns of a subset; return whether it converged."""
        if equal is not None:
            return self._solve_few(subset, equal)
        if self._size:
            self._away *= len(subset) / self._size
        family = self._kernels.subset(np.asarray(subset, dtype=np.int64)).family
        given = (family, self._y, self._bound, self._beta, self._away)
        solved = self._solved(*given, started=self._size > 0)
        self._size = len(subset)
        return solved

    def _solve_few(self, subset: np.ndarray, equal: np.ndarray) -> bool:
        """Learn from one row of each group of equal rows."""
        n, first = self._n, np.unique(equal, return_index=True)[1]
        different = len(first)
        kept = np.append(first, np.arange(n, self._kernels.n))
        family = self._kernels.subset(subset).of_rows(kept).family
        bounds = np.bincount(equal, weights=self._bound)
        beta, away = np.zeros(len(kept)), np.empty(len(kept))
        given = (family, self._y[first], bounds, beta, away)
        solved = self._solved(*given, started=False)
        # rows of a group reach their bounds in turn, so that few are free
        order = np.argsort(equal, kind="stable")
        before = np.empty(n)
        before[order] = np.cumsum(self._bound[order]) - self._bound[order]
        before -= (np.cumsum(bounds) - bounds)[equal]
        own = np.clip(np.abs(beta[equal]) - before, 0.0, self._bound)
        own = np.where(own < WHOLE * self._bound, 0.0, own)
        own = np.where(own > (1.0 - WHOLE) * self._bound, self._bound, own)
        self._beta[:n] = own * self._y
        self._away[:n], self._away[n:] = away[equal], away[different:]
        self._size = len(subset)
        return solved

    def _solved(
        self,
        family: energies_and_grams.Family,
        y: np.ndarray,
        bound: np.ndarray,
        beta: np.ndarray,
        away: np.ndarray,
        started: bool,
    ) -> bool:
        size = len(family.features)
        rest = len(beta) - len(y)
        y, bound = (np.append(own, np.zeros(rest)) for own in (y, bound))
        ends = block_ascent.ends_of(y, bound, self._tube)
        given = (family, np.ones(size), size * y, *ends, beta, float(size), away, started)
        _, violation = block_ascent.solve_kernel_box(*given, size * self._tube)
        return bool(violation <= block_ascent.SOLVED * size)


GRID = 1e-10  # of decision values; mathematically equal ones differ by about 1e-13
COARSE = 1e-3  # of decision values of binned machines, which differ by their gap


def clinical_svm(
    split: Split,
    subsets: Subsets,
    *,
    C: float,
    class_weight: Literal["balanced"] | None = None,
    seed: int,
) -> np.ndarray:
    """Classify by the SVM with the clinical kernel; see :class:`hetsel.ClinicalSVC`.

    It uses the sum of the kernels, which grows with the size s, and s times the problem of their
    mean. Decision values are rounded to 1e-10, so that a row equal to a free support vector has 1
    or -1; with bins they are rounded to 1e-3.
    """
    n, m = split.train.shape[1], split.test.shape[1]
    if n > ROWS_WORTH_BINNING:

        def machines(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            codes, weights = split.codes[rows], split.weights
            weights = None if weights is None else weights[rows]
            bounds = svm.problem_bounds(codes, C, class_weight, row_weights=weights)
            return svm.two_class_problems(codes), bounds

        found = decisions_in_bins(split, subsets, split.codes, machines)
        return np.round(found / COARSE) * COARSE + 0.0
    labels = svm.two_class_problems(split.codes)
    bounds = svm.problem_bounds(split.codes, C, class_weight, row_weights=split.weights)
    if n > block_ascent.SOME:
        decisions = decisions_by_blocks(split, subsets, labels, bounds)
        if decisions is not None:
            return np.round(decisions / GRID) * GRID + 0.0
    refuse_squares("clinical-svm", n, 1.0 + m / n, FRUGAL_CLASSIFIERS)
    gram = np.zeros((n, n))
    low, high = block_ascent.ends_of(labels, bounds)
    beta = np.zeros(labels.shape)
    out = np.zeros((len(subsets), m, len(labels)))
    for k, (new, anew, cross) in enumerate(cross_kernels(split, subsets)):
        size, terms = len(subsets[k]), (split.nominal, split.gaps, new, np.ones(len(new)))
        if len(new) < 3 and not anew:  # two triangles are then faster than a mirror
            energies_and_grams.add_cross(gram, split.train, split.train, *terms)
        else:
            energies_and_grams.add_gram(gram, split.train, *terms, anew)
            energies_and_grams.mirror(gram)
        for c, y in enumerate(labels):
            _, bias, _ = active_set.solve_box(
                gram, size * y, low[c], high[c], beta[c], float(size), active_set.HANDOVER
            )
            decision = np.full(m, bias)
            energies_and_grams.add_decisions(cross, beta[c], decision)
            out[k, :, c] = decision / size
    return np.round(out / GRID) * GRID + 0.0


def linear_svm(
    split: Split, subsets: Subsets, *, C: float | Literal["radius"], seed: int
) -> np.ndarray:
    """Classify by the linear SVM; C and classes as in :func:`gaussian_svm`."""
    return _pair_machines(split, subsets, None, C)


def gaussian_svm(
    split: Split,
    subsets: Subsets,
    *,
    C: float | Literal["radius"],
    gamma: float | Literal["size"],
    seed: int,
) -> np.ndarray:
    """Classify by the SVM with the Gaussian kernel on standardized columns.

    gamma = "size" is 1 / (number of features of the subset). C = "radius" is the SVMlight default
    for the rows of each machine (ramona2012, footnote 4; Joachims 1999): C = 1 / R^2 with R = (1/n)
    sum_i |phi(x_i) - phi(0)|, where 0 is the mean of the training rows.

    With more than two classes there is a machine for each pair. The class with most votes wins; the
    largest sum of decision values breaks ties, as in scikit-learn's SVC with break_ties.
    """
    return _pair_machines(split, subsets, gamma, C)


def _pair_machines(
    split: Split,
    subsets: Subsets,
    gamma: float | Literal["size"] | None,
    C: float | Literal["radius"],
) -> np.ndarray:
    """Return decision values of all pairs of classes; the kernel is linear without gamma."""
    n = split.train.shape[1]
    m = split.test.shape[1]
    name, held = ("linear-svm", 2.0) if gamma is None else ("gaussian-svm", 3.0)
    refuse_squares(name, n, held * (1.0 + m / n), FRUGAL_CLASSIFIERS)
    used = np.unique(np.concatenate(subsets))
    cells = np.concatenate([split.train[used], split.beyond[used]], axis=1)
    norm = "none" if gamma is None else "trace"
    features = scaled_kernels.Expansion.of(cells, split.nominal[used], norm, learned=n)
    products, squares = np.zeros((cells.shape[1], n)), np.zeros(cells.shape[1])
    kernel = products if gamma is None else np.empty_like(products)
    labels = svm.pair_problems(split.codes)
    beta, bias = np.zeros(labels.shape), np.zeros(len(labels))
    out = []
    for subset, (new, anew) in zip(subsets, growth(subsets), strict=True):
        if anew:
            products[:], squares[:] = 0.0, 0.0
        columns = features.subset(np.searchsorted(used, np.sort(new))).columns
        product(columns, columns[:n], add_to=products)
        squares += squared_lengths(columns)
        away = squares[:n]
        if gamma is not None:
            rate = 1.0 / len(subset) if gamma == "size" else gamma
            np.multiply(products, 2.0 * rate, out=kernel)  # in place: new memory costs more
            kernel -= rate * squares[:, None]
            kernel -= rate * squares[:n]
            np.minimum(kernel, 0.0, out=kernel)
            exponentiate(kernel)
            origin = -rate * squares[:n]
            exponentiate(origin[None])
            away = 2.0 - 2.0 * origin
        for c, y in enumerate(labels):
            rows = np.flatnonzero(y)
            bound = svm.numeric_bound(C, away[rows])
            gram, own = kernel[np.ix_(rows, rows)], np.zeros(len(rows))
            low, high = block_ascent.ends_of(y[rows], bound)
            _, bias[c], _ = active_set.solve_box(
                gram, y[rows], low, high, own, 1.0, active_set.HANDOVER
            )
            beta[c, rows] = own
        out.append(product(kernel[n:], beta) + bias)
    decisions = np.round(np.array(out) / GRID) * GRID + 0.0
    return decisions if split.n_classes == 2 else votes_of_pairs(decisions, split.n_classes)


def votes_of_pairs(decisions: np.ndarray, n_classes: int) -> np.ndarray:
    """Return votes (..., classes) of machines of pairs (..., pairs), with a fraction for ties.

    The fraction is s / (3 (|s| + 1)), where s is the sum of the decision values for a class.

    >>> votes_of_pairs(np.array([1.0, 0.5, -0.25]), 3).round(3)
    array([-0.2  ,  2.185,  1.067])
    """
    votes = np.zeros((*decisions.shape[:-1], n_classes))
    sums = np.zeros_like(votes)
    for k, (a, b) in enumerate(zip(*np.triu_indices(n_classes, 1), strict=True)):
        second = decisions[..., k] > 0
        votes[..., b] += second
        votes[..., a] += ~second
        sums[..., b] += decisions[..., k]
        sums[..., a] -= decisions[..., k]
    return np.asarray(votes + sums / (3.0 * (np.abs(sums) + 1.0)))
