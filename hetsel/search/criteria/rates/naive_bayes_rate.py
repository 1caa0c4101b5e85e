"""Cross-validated performance of naive Bayes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground.equal_numbers import on_grid, unit_scale
from hetsel.models.naive_bayes import (
    add_level_likelihoods,
    add_number_likelihoods,
    first_likely,
    log_priors,
)
from hetsel.resampling.folds import draw_folds
from hetsel.search.criteria.rates.held_out_rates import HeldOutState
from hetsel.selection import Problem


@dataclass(frozen=True)
class NaiveBayesRate:
    """Score a subset by the cross-validated performance of naive Bayes on mixed columns.

    See :mod:`hetsel.models.naive_bayes`; numbers are read to 2^-32 of the range of their column.
    The default performance is the balanced accuracy. `smoothing` is added to every count of a
    level; `var_smoothing` is the proportion of the variance of a column that is added to the
    variance of each class. :mod:`hetsel.search.criteria.rates.held_out_rates` describes the other
    parameters.
    """

    folds: int = 5
    smoothing: float = 1.0
    var_smoothing: float = 1e-9
    rate: str = "bcr"
    repeats: int = 1

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "NaiveBayesState":
        fold = draw_folds(problem, self.folds, self.repeats)
        smoothing = (float(self.smoothing), float(self.var_smoothing))
        return NaiveBayesState(problem, fold, *smoothing, self.rate).extended(subset)


class NaiveBayesState(HeldOutState):
    """The held-out log posterior (repeats, n, classes) of a subset, without its constant."""

    def __init__(
        self,
        problem: Problem,
        fold: np.ndarray,
        smoothing: float,
        var_smoothing: float,
        rate: str = "bcr",
    ) -> None:
        super().__init__(problem, fold, rate)
        self._smoothing, self._var_smoothing = smoothing, var_smoothing
        table = problem.table
        self._codes, self._nominal = table.values, table.nominal
        self._numbers = on_grid(unit_scale(table.values))
        self._seen: dict[int, np.ndarray] = {}
        self._total = np.empty((*self.fold.shape, self.n_classes))
        for r, part in enumerate(self.fold):
            counts = np.zeros((int(part.max()) + 1, self.n_classes))
            np.add.at(counts, (part, self.y), 1)
            training = counts.sum(axis=0) - counts
            self._total[r] = np.array([log_priors(row) for row in training])[part]

    def likelihoods(self, feature: int) -> np.ndarray:
        """Return the held-out log P(x_f | c), shape (repeats, n, classes), computed when needed."""
        likelihoods = self._seen.get(feature)
        if likelihoods is None:
            out = np.empty(self._total.shape)
            if self._nominal[feature]:
                levels, codes = np.unique(self._codes[:, feature], return_inverse=True)
                codes = codes.astype(np.float64)
                for part, held in zip(self.fold, out, strict=True):
                    hold_out_levels(codes, self.y, part, len(levels), self._smoothing, held)
            else:
                column = self._numbers[:, feature]
                smoothing = (self._smoothing, self._var_smoothing)
                for part, held in zip(self.fold, out, strict=True):
                    hold_out_numbers(column, self.y, part, *smoothing, held)
            likelihoods = self._seen[feature] = out
        return likelihoods

    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        return np.array([first_likely(part) for part in self._totals(feature, sign)])

    def scores(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Return log odds (repeats, n, 1) of class 1, or log posteriors (repeats, n, classes)."""
        totals = self._totals(feature, sign)
        if self.n_classes == 2:
            return on_grid(totals[..., 1:] - totals[..., :1])
        return on_grid(log_softmax(totals, axis=-1))

    def _totals(self, feature: int | None, sign: float) -> np.ndarray:
        return self._total if feature is None else self._total + sign * self.likelihoods(feature)

    def _update(self, feature: int, sign: float) -> None:
        extra = self.likelihoods(feature)
        if sign > 0.0:
            self._total += extra
        else:
            self._total -= extra
        del self._seen[feature]  # memory for the candidates only


@compiled
def hold_out_numbers(column, y, fold, smoothing, var_smoothing, out):
    """Write the held-out log likelihood (n, classes) of a column of numbers (n,) into `out`."""
    missing = np.isnan(column).any()
    cells, codes = np.empty_like(column), np.empty_like(y)
    part = np.empty(out.shape)
    for k in range(fold.max() + 1):
        split = part_by_fold(column, y, fold, k, cells, codes)
        part[split:] = 0.0
        train, held = (cells[:split], codes[:split], cells[split:]), part[split:]
        add_number_likelihoods(*train, smoothing, var_smoothing, missing, held)
        put_back_rows(part[split:], fold, k, out)


@compiled
def hold_out_levels(codes, y, fold, n_levels, smoothing, out):
    """Write the held-out log likelihood (n, classes) of a column of level codes (n,) into `out`."""
    cells, classes = np.empty_like(codes), np.empty_like(y)
    part = np.empty(out.shape)
    for k in range(fold.max() + 1):
        split = part_by_fold(codes, y, fold, k, cells, classes)
        part[split:] = 0.0
        add_level_likelihoods(
            cells[:split], classes[:split], cells[split:], n_levels, smoothing, part[split:]
        )
        put_back_rows(part[split:], fold, k, out)


@compiled_part
def part_by_fold(column, y, fold, k, cells, codes):
    """Write values and codes of the other folds, then of fold k; return the size of the others."""
    first = 0
    for i in range(len(column)):
        if fold[i] != k:
            cells[first], codes[first] = column[i], y[i]
            first += 1
    last = first
    for i in range(len(column)):
        if fold[i] == k:
            cells[last] = column[i]
            last += 1
    return first


@compiled_part
def put_back_rows(part, fold, k, out):
    """Write the rows of `part` into the rows of fold k of `out`."""
    place = 0
    for i in range(len(fold)):
        if fold[i] == k:
            for c in range(out.shape[1]):
                out[i, c] = part[place, c]
            place += 1
