"""Pairs of halves of the rows, every class with its share in each, or every stratum of numbers."""

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.text import counted
from hetsel.resampling.folds import stratified_folds, units_of
from hetsel.selection import Problem

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
    grouped = problem.row_groups is not None
    unit, members = units_of(y, problem.row_groups)
    for half in halves:
        for _ in range(TRIES):
            dealt = _deal(members, rng)[unit] if grouped else stratified_folds(y, 2, rng)
            half[:] = dealt == 0
            counts = [np.bincount(y[part], minlength=y.max() + 1) for part in (half, ~half)]
            few = np.flatnonzero(np.min(counts, axis=0) < FEWEST)
            if not len(few):
                break
        else:
            rows = counted(int((y == few[0]).sum()), "row")
            held = int((members[:, few[0]] > 0).sum()) if grouped else 0
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
