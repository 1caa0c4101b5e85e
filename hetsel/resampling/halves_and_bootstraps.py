"""Bootstraps, subsamples and pairs of half-samples that keep the proportions of classes.

Numeric targets and survival times have strata instead of classes.
"""

from typing import Literal, get_args

import numpy as np

from hetsel.ground import TableError, counted, shown
from hetsel.resampling.folds import stratified_folds, units_of
from hetsel.selection import Problem
from hetsel.tables import Classes

DrawKind = Literal["bootstrap", "subsample"]
FEWEST = 2  # minimum number of different rows of a class in a resampling or half-sample
TRIES = 100  # maximum number of draws until every class has these rows


def draw_rows(
    problem: Problem, kind: DrawKind, share: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw the rows (m,) of a bootstrap or subsample, ascending, with repeats of a bootstrap.

    From the n_c rows of class c, a bootstrap (Abeel, Helleputte, Van de Peer, Dupont & Saeys 2010,
    section 2.2) draws n_c rows with replacement. A subsample (Meinshausen & Buehlmann 2010, section
    2.1) draws max(2, round(share n_c)) rows without replacement. Row groups are drawn as a whole
    from the groups whose most frequent class is c; a subsample has at least one of them.
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
            f"the target must vary in each resampling. Got {problem.target.in_words()} with too "
            "little variation. Use a larger share"
        )
    few = int(np.where(different < FEWEST, members.sum(axis=0), problem.n).argmin())
    held = counted(int((members[:, few] > 0).sum()), "row" if group is None else "row group")
    raise TableError(
        f"every class must have {FEWEST} different rows in each resampling. "
        f"Class {shown(problem.classes.labels[few])} has {held}. Drop its rows, merge the class "
        "with another one, or use a larger share"
    )


def _check(kind: object, share: object) -> None:
    if kind not in get_args(DrawKind):
        raise TableError(f"kind must be one of {', '.join(get_args(DrawKind))}. Got {kind!r}")
    if not isinstance(share, int | float | np.number) or not 0.0 < share <= 1.0:
        raise TableError(f"share must be a number in (0, 1]. Got {share!r}")


def draw_halves(problem: Problem, pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the first half-sample (B, n) of each pair with classes or row groups spread evenly."""
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
            where = f" in {counted(held, 'row group')}" if held else ""
            called = problem.target.stratum_names[few[0]]
            every, advice = "class", "Drop its rows or merge the class with another one"
            if problem.target.kind == "numbers":
                every, advice = "tenth of the target values", "Use more row groups, or none"
            raise TableError(
                f"every {every} must have {FEWEST} rows in each half-sample. "
                f"{called} has {rows}{where}. {advice}"
            )
    return halves


def _deal(members: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the half of each group: in random order, the one with fewer rows of its class."""
    half = np.empty(len(members), dtype=np.int64)
    rows = np.zeros((2, members.shape[1]))
    for g in rng.permutation(len(members)):
        main = int(members[g].argmax())
        fewer = [(rows[side, main], rows[side].sum()) for side in (0, 1)]
        half[g] = int(fewer[1] < fewer[0])
        rows[half[g]] += members[g]
    return half
