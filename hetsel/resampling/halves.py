"""Pairs of halves of the rows, every class with its share in each, or every stratum of numbers."""

from __future__ import annotations

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.text import counted
from hetsel.resampling.folds import rows_by_class, stratified_folds
from hetsel.selection.problem import Problem

FEWEST = 2  # rows of a class in a half
TRIES = 100  # of a split into halves, until both have rows of every class


def draw_halves(problem: Problem, n_pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Rows (B, n) of the first half of each pair; the others are the second half.

    Every class is spread evenly, its rows or its row groups.

    Raises
    ------
    TableError
        A class that has not two rows in each half, however often the halves are drawn.
    """
    y, halves = problem.target.strata, np.zeros((n_pairs, problem.n), dtype=bool)
    members, group = _members(problem)
    for half in halves:
        for _ in range(TRIES):
            dealt = stratified_folds(y, 2, rng) if group is None else _deal(members, rng)[group]
            half[:] = dealt == 0
            counts = [np.bincount(y[part], minlength=y.max() + 1) for part in (half, ~half)]
            few = np.flatnonzero(np.min(counts, axis=0) < FEWEST)
            if not len(few):
                break
        else:
            rows = counted(int((y == few[0]).sum()), "row")
            held = int((members[:, few[0]] > 0).sum()) if group is not None else 0
            where = f" and {counted(held, 'group')}" if held else ""
            called = problem.target.stratum_names[few[0]]
            if problem.target.kind == "numbers":
                raise TableError(
                    f"every tenth of the numbers must have {FEWEST} rows in each half. "
                    f"{called} has {rows}{where}: take more groups of rows, or none"
                )
            raise TableError(
                f"every class must have {FEWEST} rows in each half. "
                f"{called} has {rows}{where}: drop its rows or merge the class with "
                "another"
            )
    return halves


def _members(problem: Problem) -> tuple[np.ndarray, np.ndarray | None]:
    """Rows (groups, classes) of each row group, and the group (n,) of each row; None: no groups."""
    y = problem.target.strata
    if problem.row_groups is None:
        return np.empty((0, 0)), None
    _, group = np.unique(problem.row_groups, return_inverse=True)
    return rows_by_class(y, group), group


def _deal(members: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Half of each group: dealt in a drawn order, to the half with fewer rows of its main class.

    Not the largest first, as where folds are dealt: that would be the same halves again and again.
    """
    half = np.empty(len(members), dtype=np.int64)
    rows = np.zeros((2, members.shape[1]))
    for g in rng.permutation(len(members)):
        main = int(members[g].argmax())
        fewer = [(rows[side, main], rows[side].sum()) for side in (0, 1)]
        half[g] = int(fewer[1] < fewer[0])
        rows[half[g]] += members[g]
    return half
