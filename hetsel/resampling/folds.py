"""Random folds of rows with every class, or its row groups, spread evenly.

A numeric target has strata of its values instead of classes, and a fold may hold all rows of one.
"""

import numpy as np

from hetsel.ground import PlanError, TableError, counted, whole_number
from hetsel.selection import Problem
from hetsel.tables.content import numbered

SMALLEST_FACTOR = 0.5  # of the size of a group; near 1 the same folds occur repeatedly


def draw_folds(problem: Problem, folds: int, repeats: int = 1) -> np.ndarray:
    """Draw folds (repeats, n) with every class, or its row groups, spread evenly."""
    folds = whole_number("folds", folds, 2)
    repeats = whole_number("repeats", repeats, 1)
    rng, y = problem.rng(), problem.target.strata
    classes = problem.target.kind == "classes"
    if problem.row_groups is None:
        if not classes:
            most = min(folds, problem.n)
            return np.array([spread_evenly(y, most, rng) for _ in range(repeats)])
        return np.array([stratified_folds(y, folds, rng) for _ in range(repeats)])
    group, members = units_of(y, problem.row_groups)
    if len(members) < 2:
        raise TableError("row groups must be at least 2, to hold one out. Got 1")
    folds = min(folds, len(members))
    drawn = np.array([group_folds(members, folds, rng)[group] for _ in range(repeats)])
    for c, label in enumerate(problem.classes.labels if classes else ()):
        if any(np.ptp(fold[y == c]) == 0 for fold in drawn):
            raise TableError(
                f"every class must have training rows in each fold. Class {label!s} occurs in "
                f"{counted(int((members[:, c] > 0).sum()), 'row group')}, so one fold has all its "
                "rows. Merge the class with another one, or leave the row groups out"
            )
    return drawn


def whole_folds(
    codes: np.ndarray,
    n_folds: int,
    source: np.random.SeedSequence,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Draw exactly `n_folds` folds (n,), with rows or groups of each class spread evenly."""
    rng, codes = np.random.default_rng(source), numbered(codes)
    what = "rows" if groups is None else "row groups"
    unit, members = units_of(codes, groups)
    if n_folds > len(members):
        raise PlanError(f"folds must be in 2..{len(members)}, the number of {what}. Got {n_folds}")
    rarest = int((members > 0).sum(axis=0).min())
    if rarest < 2:
        raise PlanError(
            f"kind = 'k-fold' needs at least 2 {what} of every class. One class has {rarest}"
        )
    if groups is None:
        return spread_evenly(codes, n_folds, rng)
    return np.asarray(group_folds(members, n_folds, rng)[unit])


def group_folds(members: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fold of each group from its rows of each class (groups, classes).

    Groups are sorted by size times a random number from 1/2 to 1, largest first: folds become even,
    and the order differs between draws. Each group goes to the fold with the fewest rows of its
    most frequent class, and among several to the one with the fewest rows. A fold is empty only if
    there are fewer groups than folds.
    """
    fold = np.empty(len(members), dtype=np.int64)
    rows = np.zeros((folds, members.shape[1]), dtype=np.int64)
    main, size = members.argmax(axis=1), members.sum(axis=1)
    for g in np.argsort(-size * rng.uniform(SMALLEST_FACTOR, 1, len(members)), kind="stable"):
        fold[g] = np.lexsort((rows.sum(axis=1), rows[:, main[g]]))[0]
        rows[fold[g]] += members[g]
    return fold


def stratified_folds(y: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Draw folds (n,) with every class spread evenly, at most one per row of the rarest class."""
    return spread_evenly(y, min(folds, int(np.bincount(y).min())), rng)


def spread_evenly(y: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Draw folds (n,) with every class and all rows spread evenly, also for rare classes."""
    fold = np.empty(len(y), dtype=np.int64)
    start = 0
    for c in range(int(y.max()) + 1):
        rows = rng.permutation(np.flatnonzero(y == c))
        fold[rows] = (start + np.arange(len(rows))) % folds
        start += len(rows)
    return fold


def units_of(codes: np.ndarray, groups: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the unit (n,) of each row (group or row) and the rows (units, classes) of each."""
    unit = np.arange(len(codes)) if groups is None else np.unique(groups, return_inverse=True)[1]
    members = np.zeros((int(unit.max()) + 1, int(codes.max()) + 1), dtype=np.int64)
    np.add.at(members, (unit, codes), 1)
    return unit, members
