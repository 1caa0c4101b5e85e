"""Random parts of the rows of a problem: bootstraps, subsamples and pairs of halves, every class
with its share; a target of numbers or survival times has strata in place of classes.
"""

from typing import Literal, get_args

import numpy as np

from hetsel.ground import TableError, counted, shown
from hetsel.resampling.folds import stratified_folds, units_of
from hetsel.selection import Problem
from hetsel.tables import Classes

DrawKind = Literal["bootstrap", "subsample"]
FEWEST = 2  # different rows of a class, in a resampling or a half
TRIES = 100  # of a draw, until every class has them


def draw_rows(
    problem: Problem, kind: DrawKind, share: float, rng: np.random.Generator
) -> np.ndarray:
    """Rows (m,) of a resampling, ascending: a bootstrap names a row as often as it was drawn.

    Of the n_c rows of class c a bootstrap (Abeel, Helleputte, Van de Peer, Dupont & Saeys 2010,
    section 2.2) draws n_c with replacement, a subsample (Meinshausen & Buehlmann 2010, section 2.1)
    max(2, round(share n_c)) without. Where row groups are named, whole groups are drawn so, from
    those whose largest class is c (a subsample takes one of them at least).
    """
    _check(kind, share)
    y, group = problem.target.strata, problem.row_groups
    unit, members = units_of(y, group)
    strata = [np.flatnonzero(members.argmax(axis=1) == c) for c in range(members.shape[1])]
    least = FEWEST if group is None else 1
    for _ in range(TRIES):
        if kind == "bootstrap":
            parts = [s[rng.integers(len(s), size=len(s))] if len(s) else s for s in strata]
        else:
            numbers = [min(len(s), max(least, round(share * len(s)))) for s in strata]
            parts = [rng.permutation(s)[:k] for s, k in zip(strata, numbers, strict=True)]
        drawn = np.concatenate(parts)
        times = np.bincount(drawn, minlength=len(members))
        different = members[times > 0].sum(axis=0)
        rows = np.repeat(np.arange(problem.n), times[unit])
        if isinstance(problem.target, Classes):
            told = bool((different >= FEWEST).all())
        else:
            told = problem.target.take(rows).varies
        if told:
            return rows
    if not isinstance(problem.target, Classes):
        raise TableError(
            f"the target must vary in each resampling. Got {problem.target.in_words()}: too few "
            "rows make it vary. Take a larger share"
        )
    few = int(np.where(different < FEWEST, members.sum(axis=0), problem.n).argmin())
    held = counted(int((members[:, few] > 0).sum()), "row" if group is None else "row group")
    raise TableError(
        f"every class must have {FEWEST} different rows in each resampling. "
        f"Class {shown(problem.classes.labels[few])} has {held}: drop its rows, merge the class "
        "with another, or take a larger share"
    )


def _check(kind: object, share: object) -> None:
    if kind not in get_args(DrawKind):
        raise TableError(f"kind must be one of {', '.join(get_args(DrawKind))}. Got {kind!r}")
    if not isinstance(share, int | float | np.number) or not 0.0 < share <= 1.0:
        raise TableError(f"share must be a number in (0, 1]. Got {share!r}")


def draw_halves(problem: Problem, pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Rows (B, n) of the first half of each pair, every class, or its row groups, evenly."""
    y, halves = problem.target.strata, np.zeros((pairs, problem.n), dtype=bool)
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
            every, advice = "class", "drop its rows or merge the class with another"
            if problem.target.kind == "numbers":
                every, advice = "tenth of the numbers", "take more groups of rows, or none"
            raise TableError(
                f"every {every} must have {FEWEST} rows in each half. "
                f"{called} has {rows}{where}: {advice}"
            )
    return halves


def _deal(members: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Half of each group, dealt in drawn order to the half with fewer rows of its main class."""
    half = np.empty(len(members), dtype=np.int64)
    rows = np.zeros((2, members.shape[1]))
    for g in rng.permutation(len(members)):
        main = int(members[g].argmax())
        fewer = [(rows[side, main], rows[side].sum()) for side in (0, 1)]
        half[g] = int(fewer[1] < fewer[0])
        rows[half[g]] += members[g]
    return half
