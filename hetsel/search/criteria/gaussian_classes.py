"""Distances of Gaussian classes: Bhattacharyya, Mahalanobis, divergence, updated by feature.

For more than two classes each distance is the mean over pairs (a, b), weighted by the product of
their prevalences. No distance falls when a feature is added. Each is a sum of terms l ln|A| +
tr(A^-1 T), in which A and T are sums of class covariances and of outer products of means. With a
feature added, A is bordered by B and D:

    ln|A+| = ln|A| + ln|Q|,  tr(A+^-1 T+) = tr(A^-1 T) + tr(Q^-1 W' T+ W),

Q = D - B' A^-1 B, W = (-A^-1 B, I): O(d^2) per candidate. With a feature I removed and P = A^-1,

    ln|A-| = ln|A| + ln|P_II|,  tr(A-^-1 T-) = tr(A^-1 T) - tr(P_II^-1 (P T P)_II).

A number is one column. A nominal feature of L levels is L - 1 columns that span its indicators. A
number with missing values is its value (0 where missing) and an indicator of missing values. The
columns of a feature have covariance I over all rows, so that units and names of levels have no
effect. A constant feature has no column. Covariances are maximum likelihood plus `ridge` times the
variance of the column over all rows: they are regular if a class has few rows or two columns are
the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve

from hetsel.ground import positive
from hetsel.ground.equal_numbers import on_grid, unit_scale
from hetsel.search.criteria.criterion import SubsetState
from hetsel.selection import Problem

STEP = 2.0**-26  # values are multiples of this times the next power of two, at least 1


@dataclass(frozen=True)
class GaussianTerm:
    """log_det ln|A| + tr(A^-1 T): A = sum shares_c S_c, T = sum traces_c S_c + spread' spread."""

    shares: np.ndarray  # (classes,)
    traces: np.ndarray  # (classes,)
    spread: np.ndarray  # (r, columns)
    log_det: float = 0.0


class ClassGaussians:
    """Means (classes, columns) and covariances of the classes, computed when a column is added."""

    def __init__(self, problem: Problem, ridge: float) -> None:
        self.ridge = positive("ridge", ridge)
        table, numbers = problem.table, on_grid(unit_scale(problem.table.values))
        blocks = [
            level_columns(table.values[:, f]) if nominal else number_columns(numbers[:, f])
            for f, nominal in enumerate(table.nominal)
        ]
        self.size = np.array([block.shape[1] for block in blocks])
        self.first = np.cumsum(self.size) - self.size
        columns, codes = np.hstack(blocks), problem.classes.codes
        rows = [np.flatnonzero(codes == c) for c in range(len(problem.classes.labels))]
        self.priors = np.array([len(row) for row in rows]) / len(codes)
        self.means = np.array([columns[row].mean(axis=0) for row in rows])
        parts = zip(rows, self.means, strict=True)
        self._centered = [columns[row] - mean for row, mean in parts]

    @cached_property
    def variances(self) -> np.ndarray:
        """Variance (classes, columns) of each column, with the ridge."""
        return np.array([(part**2).mean(axis=0) for part in self._centered]) + self.ridge

    def columns(self, features: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the columns of these features, in their order."""
        parts = [self.first[f] + np.arange(self.size[f]) for f in features]
        return np.concatenate([*parts, np.empty(0, dtype=np.int64)]).astype(np.int64)

    def rows(self, feature: int) -> np.ndarray:
        """Return covariances (classes, size, columns) of a feature with all, with the ridge."""
        at = self.columns([feature])
        rows = np.array([part[:, at].T @ part / len(part) for part in self._centered])
        rows[:, np.arange(len(at)), at] += self.ridge
        return rows

    def own(self, feature: int) -> np.ndarray:
        """Return covariances (classes, size, size) within a feature, with the ridge."""
        at = self.columns([feature])
        own = np.array([part[:, at].T @ part[:, at] / len(part) for part in self._centered])
        return own + self.ridge * np.eye(len(at))

    def pairs(self) -> list[tuple[int, int, float]]:
        """Return pairs of classes with their weights, products of the priors that sum to 1."""
        lower, upper = np.triu_indices(len(self.priors), 1)
        weight = self.priors[lower] * self.priors[upper]
        weight /= weight.sum()
        return list(zip(lower.tolist(), upper.tolist(), weight.tolist(), strict=True))


def level_columns(codes: np.ndarray) -> np.ndarray:
    """Return the L - 1 columns of a nominal feature: a reflection removes the constant."""
    _, level, count = np.unique(codes, return_inverse=True, return_counts=True)
    root = np.sqrt(count / len(codes))
    normal = root.copy()
    normal[0] += 1.0
    reflection = np.eye(len(root)) - np.outer(normal, normal) / normal[0]
    return np.asarray((reflection[:, 1:] / root[:, None])[level])


def number_columns(cells: np.ndarray) -> np.ndarray:
    """Return the column of a number, and a second one that marks missing values, if any."""
    gaps = np.isnan(cells)
    centered = np.where(gaps, 0.0, cells - (cells[~gaps].mean() if not gaps.all() else 0.0))
    parts = [centered] if centered.any() else []
    if gaps.any() and not gaps.all():
        parts.append(gaps - gaps.mean())
    return np.array([part / np.sqrt((part**2).mean()) for part in parts]).reshape(-1, len(cells)).T


class _Held(NamedTuple):
    """What a term keeps of a subset: the root of A, T without the spread (d, d), and the spread."""

    root: np.ndarray
    traces: np.ndarray
    spread: np.ndarray

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return A^-1 right by the Cholesky root, since an inverse would lose digits."""
        return np.asarray(cho_solve((self.root, True), right)) if len(self.root) else right


class GaussianState(SubsetState):
    """A subset with the roots of the sums of class covariances that its criterion needs.

    They are computed again after each change, in the order of the columns: the path to the subset
    has no effect.
    """

    def __init__(
        self,
        problem: Problem,
        ridge: float,
        terms: Callable[[ClassGaussians], list[GaussianTerm]],
        per_column: float = 0.0,
        subset: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self._gaussians = ClassGaussians(problem, ridge)
        self._terms, self._per_column = terms(self._gaussians), per_column
        self._subset = list(subset)
        self._rows = {feature: self._gaussians.rows(feature) for feature in subset}
        self._own: dict[int, np.ndarray] = {}
        self._factor()

    @property
    def value(self) -> float:
        return float(_rounded(np.array([self._exact]))[0])

    def _update(self, feature: int, sign: float) -> None:
        if sign > 0:
            self._rows[feature] = self._gaussians.rows(feature)
        else:
            del self._rows[feature]
        self._factor()

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        features = np.asarray(candidates, dtype=np.int64)
        size, out = self._gaussians.size[features], np.full(len(features), self._exact)
        for width in np.unique(size[size > 0]):
            out[size == width] += self._gains(features[size == width], int(width))
        return _rounded(out)

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        features = np.asarray(candidates, dtype=np.int64)
        size, out = self._gaussians.size[features], np.full(len(features), self._exact)
        inner = [self._inner(held) for held in self._held]
        for width in np.unique(size[size > 0]):
            out[size == width] += self._losses(features[size == width], int(width), inner)
        return _rounded(out)

    def _inner(self, held: _Held) -> tuple[np.ndarray, np.ndarray]:
        """P = A^-1 and P T P of a term."""
        images = held.solve(held.spread.T)
        middle = held.solve(held.solve(held.traces).T) + images @ images.T
        return held.solve(np.eye(len(held.root))), middle

    def _losses(
        self, features: np.ndarray, width: int, inner: list[tuple[np.ndarray, np.ndarray]]
    ) -> np.ndarray:
        """Return the change from removing each of these features (k,), of `width` columns each."""
        order = sorted(self._subset)
        first = np.cumsum(self._gaussians.size[order]) - self._gaussians.size[order]
        at = first[np.searchsorted(order, features)][:, None] + np.arange(width)
        block = at[:, :, None], at[:, None, :]
        loss = np.full(len(features), self._per_column * width)
        for term, (inverse, middle) in zip(self._terms, inner, strict=True):
            part = inverse[block]
            loss += term.log_det * np.linalg.slogdet(part)[1]
            loss -= np.trace(np.linalg.solve(part, middle[block]), axis1=1, axis2=2)
        return loss

    def _factor(self) -> None:
        """Compute the roots of the subset, and its value before rounding."""
        gaussians, order = self._gaussians, sorted(self._rows)
        at = gaussians.columns(order)
        empty = np.empty((len(gaussians.priors), 0, gaussians.means.shape[1]))
        self._cross = np.concatenate([*(self._rows[f] for f in order), empty], axis=1)
        inner = self._cross[:, :, at]
        inner = np.tril(inner) + np.swapaxes(np.tril(inner, -1), 1, 2)
        self._held, self._exact = [], -self._per_column * len(at)
        for term in self._terms:
            matrix = _combined(term.shares, inner)
            root, traces = np.linalg.cholesky(matrix), _combined(term.traces, inner)
            held = _Held(root, traces, term.spread[:, at])
            self._held.append(held)
            self._exact += 2.0 * term.log_det * float(np.log(np.diag(root)).sum())
            self._exact += float(held.solve(traces).trace())
            self._exact += float((held.solve(held.spread.T) * held.spread.T).sum())

    def _gains(self, features: np.ndarray, width: int) -> np.ndarray:
        """Return the change from adding each of these features (k,), of `width` columns each."""
        k, d = len(features), self._cross.shape[1]
        at = self._gaussians.first[features][:, None] + np.arange(width)
        own = self._own_blocks(features, width)
        cross = self._cross[:, :, at.ravel()]
        gain = np.full(k, -self._per_column * width)
        for term, held in zip(self._terms, self._held, strict=True):
            border = _combined(term.shares, cross)
            solved = held.solve(border)
            blocks = solved.reshape(d, k, width)
            rest = _combined(term.shares, own) - _products(border.reshape(d, k, width), blocks)
            gain += term.log_det * np.linalg.slogdet(rest)[1]
            away = (term.spread[:, at.ravel()] - held.spread @ solved).reshape(-1, k, width)
            middle = _products(away, away)
            if term.traces.any():
                outer = _combined(term.traces, cross)
                image = (held.traces @ solved - outer).reshape(d, k, width)
                middle += _combined(term.traces, own) + _products(blocks, image)
                middle -= _products(outer.reshape(d, k, width), blocks)
            gain += np.trace(np.linalg.solve(rest, middle), axis1=1, axis2=2)
        return gain

    def _own_blocks(self, features: np.ndarray, width: int) -> np.ndarray:
        """Covariances (classes, k, width, width) within each of these features."""
        if width == 1:
            return self._gaussians.variances[:, self._gaussians.first[features], None, None]
        for f in features.tolist():
            if f not in self._own:
                self._own[f] = self._gaussians.own(f)
        return np.stack([self._own[f] for f in features.tolist()], axis=1)


def _combined(weights: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return the sum of weights_c matrices_c over the classes with a nonzero weight."""
    at = np.flatnonzero(weights)
    return np.tensordot(weights[at], matrices[at], 1)


def _products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left_k' right_k (k, width, width) of blocks (d, k, width)."""
    return np.asarray(np.einsum("dka,dkb->kab", left, right))


def _rounded(values: np.ndarray) -> np.ndarray:
    """Round values far more coarsely than their rounding errors; no -0."""
    step = STEP * np.exp2(np.ceil(np.log2(np.maximum(np.abs(values), 1.0))))
    return np.rint(values / step) * step + 0.0


@dataclass(frozen=True)
class Bhattacharyya:
    """Score a subset by the Bhattacharyya distance of Gaussian classes.

    J = (1/8) d' S^-1 d + (1/2) ln(|S| / sqrt(|S_a| |S_b|)), d = m_a - m_b, S = (S_a + S_b) / 2

    (Kailath 1967; somol2011, Section 4). `ridge` is the proportion of the variance over all rows
    that is added to the variance of each class. A column that is constant in one of two classes
    adds up to about -ln(ridge) / 4 for this reason alone.
    """

    ridge: float = 1e-4

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> GaussianState:
        return GaussianState(problem, self.ridge, _bhattacharyya, subset=subset)


@dataclass(frozen=True)
class Mahalanobis:
    """Score a subset by the squared Mahalanobis distance of the class means.

    J = d' S^-1 d with d = m_a - m_b and the pooled covariance S = sum_c q_c S_c, q_c the prevalence
    of class c; `ridge` as in :class:`Bhattacharyya`.
    """

    ridge: float = 1e-4

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> GaussianState:
        return GaussianState(problem, self.ridge, _mahalanobis, subset=subset)


@dataclass(frozen=True)
class Divergence:
    """Score a subset by the divergence of Gaussian classes.

    J is the sum of the Kullback-Leibler divergences in both directions,

    J = (1/2) tr(S_a^-1 S_b + S_b^-1 S_a - 2 I) + (1/2) d' (S_a^-1 + S_b^-1) d, d = m_a - m_b

    (Kailath 1967), `ridge` as in :class:`Bhattacharyya`. A column that is constant in one of two
    classes adds about 1 / (2 ridge) for this reason alone.
    """

    ridge: float = 1e-4

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> GaussianState:
        return GaussianState(problem, self.ridge, _divergence, 1.0, subset)


def _bhattacharyya(gaussians: ClassGaussians) -> list[GaussianTerm]:
    one = np.eye(len(gaussians.priors))
    none, nowhere = np.zeros(len(one)), gaussians.means[:0]
    log_det = np.zeros(len(one))
    terms = []
    for a, b, weight in gaussians.pairs():
        away = gaussians.means[[a]] - gaussians.means[b]
        middle = 0.5 * (one[a] + one[b])
        terms.append(GaussianTerm(middle, none, np.sqrt(weight / 8.0) * away, 0.5 * weight))
        log_det[[a, b]] -= 0.25 * weight
    own = zip(one, log_det.tolist(), strict=True)
    return terms + [GaussianTerm(share, none, nowhere, of_own) for share, of_own in own]


def _mahalanobis(gaussians: ClassGaussians) -> list[GaussianTerm]:
    spread = [
        np.sqrt(weight) * (gaussians.means[a] - gaussians.means[b])
        for a, b, weight in gaussians.pairs()
    ]
    return [GaussianTerm(gaussians.priors, np.zeros(len(gaussians.priors)), np.array(spread))]


def _divergence(gaussians: ClassGaussians) -> list[GaussianTerm]:
    count = len(gaussians.priors)
    weights = np.zeros((count, count))
    for a, b, weight in gaussians.pairs():
        weights[a, b] = weights[b, a] = 0.5 * weight
    return [
        GaussianTerm(share, row, np.sqrt(row)[:, None] * (gaussians.means - mean))
        for share, row, mean in zip(np.eye(count), weights, gaussians.means, strict=True)
    ]
