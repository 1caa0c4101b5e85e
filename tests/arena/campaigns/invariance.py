"""Rankings of real tables in other units, other orders of rows and columns, from other starts.

    python tests/arena/campaigns/invariance.py --resamplings 200

Each resampling of each data set of paul2015 is ranked as it is; with each column of numbers under
an affine map of its own, levels renamed, rows and columns permuted, before missing cells are filled
in; and with each machine started at random. Prints how many ranks differ, and the verdicts on the
cuts between the steps. Columns of the same content are ordered by their place, so the ranks of such
copies are compared as a set.
"""

import argparse
import warnings
from collections import Counter
from unittest import mock

import numpy as np

from hetsel import get_method
from hetsel.datasets import PAUL2015, load
from hetsel.methods.embedded import rfe_mkl, rfe_svm
from hetsel.selection import Problem
from hetsel.solvers.mkl.mkl_solution import MKLSolution, solve_mkl
from hetsel.solvers.svm.machines import solve_machines
from hetsel.tables import Classes, Schema, Table
from hetsel.tables.canonical_table import canonical_form
from hetsel.tables.table import Column
from hetsel.tables.validation import read_features

METHODS = ("rfe-svm", "rfe-svm-printed", "rfe-mkl")


def transformed(table, target, rng):
    """The same table in other units, orders and names; and which column each of its columns is."""
    rows, columns = rng.permutation(table.shape[0]), rng.permutation(table.shape[1])
    values = table.values.copy()
    named = []
    for f, column in enumerate(table.schema.columns):
        if column.kind == "nominal":
            codes = rng.permutation(len(column.levels))
            known = ~np.isnan(values[:, f])
            values[known, f] = codes[values[known, f].astype(int)]
            levels = tuple(np.array(column.levels, dtype=object)[np.argsort(codes)].tolist())
            named.append(Column(column.name, "nominal", levels))
        else:
            factor = np.exp(rng.uniform(-12.0, 12.0)) * rng.choice([-1.0, 1.0])
            width = np.nanmax(values[:, f]) - np.nanmin(values[:, f])
            values[:, f] = factor * (values[:, f] + rng.normal() * width)
            named.append(Column(column.name, "continuous"))
    other = Table(values, Schema(tuple(named))).take(rows=rows)
    mixed = Table(
        np.ascontiguousarray(other.values[:, columns]), Schema(tuple(named[f] for f in columns))
    )
    return mixed, target.take(rows), columns


def elsewhere(rng):
    """The solvers, started at random."""

    def machines(problem, start):
        return solve_machines(problem, rng.normal(size=start.shape) * problem.bounds)

    def mkl(kernels, labels, C, *, q, start, tolerance):
        begin = np.maximum(rng.uniform(-1.0, 1.0, size=labels.shape), 0.0) * labels * C
        weights = rng.uniform(0.1, 1.0, size=kernels.p)
        nothing = np.zeros(len(labels))
        start = MKLSolution(weights, begin, nothing, weights, 0.0, 0.0, ())
        return solve_mkl(kernels, labels, C, q=q, start=start, tolerance=tolerance)

    return mock.patch.multiple(rfe_svm, solve_machines=machines), mock.patch.multiple(
        rfe_mkl, solve_mkl=mkl
    )


def shared_ranks(ranks, table, codes):
    """Ranks (p,), those of copies in the order of their columns."""
    form = canonical_form(table, codes)
    kinds = {}
    for cells, column in zip(form.cells, form.columns.tolist(), strict=True):
        kinds.setdefault(cells.tobytes(), []).append(column)
    out = ranks.copy()
    for copies in kinds.values():
        out[np.sort(copies)] = np.sort(ranks[copies])
    return out


def differing(method, table, target, rng, seen):
    """Ranks that differ in other units and orders, and from other starts; verdicts into seen."""
    raw, table = table, table.resolve_missing("impute")
    answer = method.solve(Problem(table, target, ()))
    seen.update(step.verdict for step in answer.steps[:-1])
    mixed, codes, columns = transformed(raw, target, rng)
    moved = method.solve(Problem(mixed.resolve_missing("impute"), codes, ()))
    back = np.empty_like(moved.ranks)
    back[columns] = moved.ranks
    first, second = elsewhere(rng)
    with first, second:
        other = method.solve(Problem(table, target, ()))
    own, back, other = (
        shared_ranks(ranks, table, target.codes) for ranks in (answer.ranks, back, other.ranks)
    )
    return int((back != own).sum()), int((other != own).sum())


def main():
    """Print a line for each data set and method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resamplings", type=int, default=200)
    parser.add_argument("--datasets", nargs="*", default=list(PAUL2015))
    parser.add_argument("--methods", nargs="*", default=METHODS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in given.datasets:
        data = load(name)
        selector = get_method("rfe-svm")()
        table = read_features(selector, data.X, reset=True)
        target = Classes.of(data.y, len(table.values))
        n = len(table.values)
        for key in given.methods:
            totals, seen = np.zeros(2, dtype=int), Counter()
            for number in range(given.resamplings):
                rng = np.random.default_rng([2015, number])
                rows = np.sort(rng.permutation(n)[: round(0.9 * n)])
                part = table.take(rows=rows), target.take(rows)
                totals += differing(get_method(key)(), *part, rng, seen)
            steps = sum(seen.values())
            shares = ", ".join(f"{100 * v / steps:.2f} % {k}" for k, v in seen.most_common())
            print(
                f"{name:<12} {key:<16} ranks that differ: {totals[0]} units and orders, "
                f"{totals[1]} starts, of {given.resamplings * table.shape[1]:,}; "
                f"{steps:,} steps: {shares}",
                flush=True,
            )


if __name__ == "__main__":
    main()
