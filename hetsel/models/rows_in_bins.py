"""Many training rows in bins: machines on subsets of columns, and effects of columns."""

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

ROWS_WORTH_BINNING = 5_000  # with more rows, machines are trained in bins
BINS = 1_024  # most bins of a column
GAP = 1e-9  # relative duality gap of one binned machine: decisions to about 1e-4
OBJECTIVE_GAP = 1e-6  # relative duality gap of each machine: most decisions to 1e-3
TURNS = 2_000  # most passes over all rows; the gap is about 1e-5 by then

BinnedCurve = tuple[np.ndarray, np.ndarray, np.ndarray]  # knots, values (problems, k), missing


class _Solved(NamedTuple):
    """Solved machines, and the places (k,) of their columns."""

    places: np.ndarray
    kernels: binned_kernels.BinnedKernels
    found: additive_problem.AdditiveSolution
    functions: additive_problem.Functions


class RowsInBins:
    """Rows of a table (n, p) in at most 1,024 bins per column, in the order `rows`."""

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
        """Train machines on some columns and return them with their kernel weights (columns,).

        They start from the last machines, with the same labels and bounds (machines, n), if these
        have half of the columns. Then they end after `turns` passes over all rows. An infinite norm
        means the mean of the kernels.
        """
        places = np.sort(self._places[columns])
        kernels, mean = self._kernels.subset(places), bool(np.isinf(norm))
        # a machine on the mean of p kernels is one on their sum with p times the dual variables
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
                f"a support vector machine on {len(places)} columns stopped at a relative duality "
                f"gap of {found.gap:.1g}, far from its optimum. Use a smaller C",
                HetselWarning,
                stacklevel=2,
            )
        ordered = np.searchsorted(places, self._places[columns])
        return found, np.full(len(places), 1.0 / size) if mean else functions.weights[ordered]

    def _start(
        self, places: np.ndarray, kernels: binned_kernels.BinnedKernels, mean: bool
    ) -> additive_problem.AdditiveSolution | None:
        """Return the last machines on their remaining columns; None if few remain."""
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
        """Return the effect curves of columns (k,) of the last machines."""
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
        """Return the mean value (bins,) or the level of each bin of a column."""
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
    """Compute effects (problems, n) of scaled values (n,)."""
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
    """Return decision values (subsets, m, machines) of the test rows, largest subset first.

    `asked` returns labels and bounds (machines, n) of the training rows in an order (n,).
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
