"""Small encoded tables of every kind of column, and problems of them."""

import numpy as np

from hetsel.kernels.scaled_kernels import Expansion
from hetsel.selection import Problem
from hetsel.tables import Classes, Column, Schema, Table

KINDS = ["continuous", "continuous", "nominal", "ordinal", "nominal", "continuous"]


def mixed(seed, n=40, classes=2, missing=0.0):
    """Columns: normal, whole numbers with many ties, 3 levels, 4 ordered levels, 2 levels, flat."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    values = np.column_stack(
        [
            rng.normal(size=n) + y,
            rng.integers(20, 31, size=n) + 2 * y,
            (rng.integers(0, 3, size=n) + y * rng.integers(0, 2, size=n)) % 3,
            np.minimum(rng.integers(0, 3, size=n) + y, 3),
            rng.integers(0, 2, size=n),
            np.full(n, 4.0),
        ]
    )
    values[rng.random(values.shape) < missing] = np.nan
    columns = tuple(
        Column(f"x{j}", kind, () if kind == "continuous" else tuple(range(9)))
        for j, kind in enumerate(KINDS)
    )
    return Table(values, Schema(columns)).resolve_missing("separate"), y


def renamed(table, turn):
    """The table with its rows in this order, other units and other names of levels."""
    values = table.values * np.where(table.nominal, 1.0, -2.54) + np.where(table.nominal, 0, 11.0)
    values[:, 2] = np.array([7.0, 0, 4, 1, 2, 3, 5, 6, 8, 9])[table.values[:, 2].astype(int)]
    return Table(values[turn], table.schema)


def with_a_copy(table):
    """The table with a copy of its first column, turned around: one explains the other."""
    values = np.column_stack([table.values, -2.5 * table.values[:, 0]])
    return Table(values, Schema((*table.schema.columns, Column("turned", "continuous", ()))))


def paths_of(criterion, problem, seed, steps=60):
    """The state at each step of a random path, a fresh one of its subset, what is out and in."""
    state, rng = criterion.start(problem), np.random.default_rng(seed)
    for _ in range(steps):
        f = int(rng.integers(problem.p))
        if f in state.subset:
            state.remove(f)
        else:
            state.add(f)
        outside = [g for g in range(problem.p) if g not in state.subset]
        yield state, criterion.start(problem, state.subset), outside, list(state.subset)


def varying(seed, classes, missing=0.0, n=24):
    """Features of a mixed table without its constant column, their cells and kinds, classes."""
    table, y = mixed(seed, n=n, classes=classes, missing=missing)
    cells, nominal = np.ascontiguousarray(table.values[:, :5].T), table.nominal[:5]
    return Expansion.of(cells, nominal), (cells.tolist(), nominal.tolist()), y


def problem_of(table, y):
    """The problem of a table, or of an array of numbers."""
    if isinstance(table, np.ndarray):
        table = Schema.infer(table).encode(table)
    return Problem(table, Classes(y, np.unique(y)), (1,))
