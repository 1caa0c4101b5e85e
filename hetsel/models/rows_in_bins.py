"""Training rows of many, in bins: machines on any of their columns, and what each column adds."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hetsel.ground import HetselWarning
from hetsel.kernels.binned import binned_columns, binned_kernels
from hetsel.models.train_test_arrays import Split, Subsets
from hetsel.solvers.additive import additive_problem, binned_machines
from hetsel.tables import Table

ROWS_WORTH_BINNING = 5_000  # rows from which on machines are trained in bins
BINS = 1_024  # of a column at most
GAP = 1e-9  # relative duality gap in bins of one machine: decisions to about 1e-4
OBJECTIVE_GAP = 1e-6  # relative duality gap of each machine: most decisions to 1e-3
TURNS = 2_000  # looks at all rows after which a machine ends; the gap is 1e-5 by then

BinnedCurve = tuple[np.ndarray, np.ndarray, np.ndarray]  # knots, values (problems, k), missing


class _Solved(NamedTuple):
    """Machines, and the places (k,) of their columns among the binned ones."""

    places: np.ndarray
    kernels: binned_kernels.BinnedKernels
    found: additive_problem.AdditiveSolution
    functions: additive_problem.Functions


class RowsInBins:
    """Rows of a table (n, p) with cells in bins, at most 1,024 a column, in the order `rows`."""

    def __init__(self, table: Table, cells: np.ndarray, content: np.ndarray) -> None:
        form = binned_columns.binned_form(table, content, BINS)
        self.rows, self._kernels = form.rows, binned_kernels.BinnedKernels(form.columns)
        self._cells, self._nominal = cells, table.nominal
        self._places = np.argsort(form.order)
        self._knots: dict[int, np.ndarray] = {}
        self._last: _Solved | None = None

    def solve(
        self,
        columns: np.ndarray,
        labels: np.ndarray,
        bounds: np.ndarray,
        norm: float,
        *,
        tube: float,
        tolerance: float,
        turns: float = np.inf,
    ) -> tuple[additive_problem.AdditiveSolution, np.ndarray]:
        """Machines on some columns of the table, and the weights (columns,) of their kernels.

        They start from the last ones, of the same labels and bounds (machines, n), where these have
        half of the columns, and then end after so many `turns`, looks at all rows. The norm
        infinity is the mean.
        """
        places = np.sort(self._places[columns])
        kernels, mean = self._kernels.subset(places), bool(np.isinf(norm))
        # a machine on the mean of p kernels is one on their sum, with p times the dual variables
        size = len(places) if mean else 1
        groups = None if tube else additive_problem.EqualRows.of(kernels, labels, bounds / size)
        problem, start = (kernels, labels, bounds / size), self._start(places, kernels, mean)
        if groups is not None:
            problem = groups.kernels, groups.labels_of(labels), groups.bounds
            start = groups.start_of(start)
        limits: dict[str, Any] = {"tube": tube, "tolerance": tolerance, "turns": turns}
        found = binned_machines.solve_additive(*problem, norm, start=start, **limits)
        found = found if groups is None else groups.for_rows(found)
        functions = additive_problem.Functions.of(kernels, found.sums, norm)
        self._last = _Solved(places, kernels, found, functions)
        if found.gap > max(additive_problem.FAR, tolerance):
            warnings.warn(
                f"a machine on {len(places)} columns stopped at a relative duality gap of "
                f"{found.gap:.1g}, far from its optimum. A smaller C is easier",
                HetselWarning,
                stacklevel=2,
            )
        ordered = np.searchsorted(places, self._places[columns])
        return found, np.full(len(places), 1.0 / size) if mean else functions.weights[ordered]

    def _start(
        self, places: np.ndarray, kernels: binned_kernels.BinnedKernels, mean: bool
    ) -> additive_problem.AdditiveSolution | None:
        """The last machines, on those of their columns that are left; None where few are."""
        if self._last is None:
            return None
        before, known, found, _ = self._last
        left = np.isin(places, before)
        if 2 * left.sum() < len(places):
            return None
        sums = np.zeros((len(found.sums), kernels.columns.starts[-1]))
        at = known.bins_of(np.searchsorted(before, places[left]))
        sums[:, kernels.bins_of(np.flatnonzero(left))] = found.sums[:, at]
        return replace(found, sums=sums).resized(len(before) / len(places) if mean else 1.0)

    def curves(self, columns: np.ndarray) -> list[BinnedCurve]:
        """What each of the columns (k,) of the last machines adds, by the functions of the last
        step.
        """
        assert self._last is not None
        kernels, functions = self._last.kernels, self._last.functions
        tables = kernels.weighted(functions.images, functions.weights)
        places = np.searchsorted(self._last.places, self._places[columns])
        starts, out = kernels.columns.starts, []
        for f, at in zip(columns, places, strict=True):
            values = tables[:, starts[at] : starts[at + 1]]
            missing, knots = np.zeros(len(tables)), self._knots_of(int(f))
            if kernels.columns.gaps[at]:
                missing, values = values[:, -1], values[:, :-1]
            order = np.argsort(knots)
            out.append((knots[order], values[:, order], missing))
        return out

    def _knots_of(self, f: int) -> np.ndarray:
        """The mean (bins,) of the cells in each bin of a column of the table, or their level."""
        if f not in self._knots:
            columns, place = self._kernels.columns, self._places[f]
            cells = self._cells[f][self.rows]
            codes = columns.codes[:, place]
            bins = int(columns.starts[place + 1] - columns.starts[place])
            if self._nominal[f]:
                knots = np.full(bins, np.nan)
                knots[codes] = cells
            else:
                present = np.where(np.isnan(cells), 0.0, cells)
                knots = np.bincount(codes, present, bins) / np.bincount(codes, minlength=bins)
            self._knots[f] = knots[: bins - int(columns.gaps[place])]
        return self._knots[f]


def effect(curve: BinnedCurve, cells: np.ndarray, nominal: bool) -> np.ndarray:
    """Effects (problems, n) of scaled cells (n,)."""
    knots, values, missing = curve
    gaps = np.isnan(cells)
    found = np.zeros((len(values), len(cells)))
    if len(knots):
        if nominal:
            place = np.minimum(np.searchsorted(knots, cells), len(knots) - 1)
            found = np.where(knots[place] == cells, values[:, place], 0.0)
        else:
            filled = np.where(gaps, knots[0], cells)
            found = np.array([np.interp(filled, knots, row) for row in values])
    return np.where(gaps, missing[:, None], found)


def decisions_in_bins(
    split: Split,
    subsets: Subsets,
    content: np.ndarray,
    asked: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    tube: float = 0.0,
) -> np.ndarray:
    """Decision values (subsets, m, machines) of the test rows, the largest subset first.

    `asked` gives labels and bounds (machines, n) of the training rows in an order (n,).
    """
    assert split.tables is not None
    inside = RowsInBins(split.tables[0], split.train, content)
    labels, bounds = asked(inside.rows)
    out = np.empty((len(subsets), split.test.shape[1], len(labels)))
    for place in sorted(range(len(subsets)), key=lambda k: -len(subsets[k])):
        own, columns = out[place], np.sort(subsets[place])
        found, _ = inside.solve(
            columns, labels, bounds, np.inf, tube=tube, tolerance=OBJECTIVE_GAP, turns=TURNS
        )
        curves = inside.curves(columns)
        own[:] = found.bias
        for f, curve in zip(columns, curves, strict=True):
            own += effect(curve, split.test[f], bool(split.nominal[f])).T
    return out
