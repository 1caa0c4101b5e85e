"""Folds of rows, drawn so that every class is spread evenly, its rows or its groups; a target of
numbers has strata of its values in place of classes, and a fold may hold all rows of one.
"""

import numpy as np

from hetsel.ground import PlanError, TableError, whole_number
from hetsel.selection import Problem
from hetsel.tables.content import numbered

SMALLEST_FACTOR = 0.5  # of the size of a group: near 1 the same folds come again and again


def draw_folds(problem: Problem, folds: int, repeats: int = 1) -> np.ndarray:
    """Fold (repeats, n) by the problem's seed, every class, or its row groups, spread evenly."""
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
        raise TableError("row groups must be two or more, to hold one out. Got one")
    folds = min(folds, len(members))
    drawn = np.array([group_folds(members, folds, rng)[group] for _ in range(repeats)])
    for c, label in enumerate(problem.classes.labels if classes else ()):
        if any(np.ptp(fold[y == c]) == 0 for fold in drawn):
            raise TableError(
                f"class {label!s} stands in {int((members[:, c] > 0).sum())} of the row groups: "
                "a fold holds all its rows, and no row is left to learn it from. Merge the class "
                "with another, or leave the groups of rows out"
            )
    return drawn


def whole_folds(
    codes: np.ndarray,
    n_folds: int,
    source: np.random.SeedSequence,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Fold (n,) of each row, as many as asked for, each class spread evenly, rows or groups."""
    rng, codes = np.random.default_rng(source), numbered(codes)
    what = "rows" if groups is None else "groups of rows"
    unit, members = units_of(codes, groups)
    if n_folds > len(members):
        raise PlanError(f"folds must be in 2..{len(members)}, the number of {what}. Got {n_folds}")
    rarest = int((members > 0).sum(axis=0).min())
    if rarest < 2:
        raise PlanError(f"kind = 'k-fold' needs two {what} of every class. One class has {rarest}")
    if groups is None:
        return spread_evenly(codes, n_folds, rng)
    return np.asarray(group_folds(members, n_folds, rng)[unit])


def group_folds(members: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Fold of each group, given its rows of each class (groups, classes).

    The groups are dealt in the order of their sizes, each times a number drawn from 1/2 to 1: large
    ones first, so that folds are even, and in another order at every draw. Each goes to the fold
    with the fewest rows of its main class, of several to the one with the fewest rows. A fold is
    empty only where there are fewer groups than folds.
    """
    fold = np.empty(len(members), dtype=np.int64)
    rows = np.zeros((folds, members.shape[1]), dtype=np.int64)
    main, size = members.argmax(axis=1), members.sum(axis=1)
    for g in np.argsort(-size * rng.uniform(SMALLEST_FACTOR, 1, len(members)), kind="stable"):
        fold[g] = np.lexsort((rows.sum(axis=1), rows[:, main[g]]))[0]
        rows[fold[g]] += members[g]
    return fold


def stratified_folds(y: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Fold (n,), every class spread evenly; no more folds than rows of the rarest class."""
    return spread_evenly(y, min(folds, int(np.bincount(y).min())), rng)


def spread_evenly(y: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Fold (n,) of each row, every class and all rows spread evenly, also where a class has few."""
    fold = np.empty(len(y), dtype=np.int64)
    start = 0
    for c in range(int(y.max()) + 1):
        rows = rng.permutation(np.flatnonzero(y == c))
        fold[rows] = (start + np.arange(len(rows))) % folds
        start += len(rows)
    return fold


def units_of(codes: np.ndarray, groups: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Unit (n,) of each row, its group or the row itself, and rows (units, classes) of each."""
    unit = np.arange(len(codes)) if groups is None else np.unique(groups, return_inverse=True)[1]
    members = np.zeros((int(unit.max()) + 1, int(codes.max()) + 1), dtype=np.int64)
    np.add.at(members, (unit, codes), 1)
    return unit, members
