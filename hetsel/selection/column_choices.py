"""Requested columns: those that a method accepts, and those that are always included."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hetsel.ground import TableError, counted, listed
from hetsel.selection.answer import Answer, Ranking, SearchPath
from hetsel.selection.problem import Problem
from hetsel.selection.verdicts_in_words import UNSAID
from hetsel.tables.column import find_column, listed_names

EVERY = ("always", "unsupported")  # parameters of every method that a plan may set
UNSUPPORTED = ("error", "skip")


def unasked(parameters: Mapping[str, Any]) -> set[str]:
    """Return the names of the parameters that request nothing."""
    others, always = parameters.get("unsupported", "error"), parameters.get("always", ())
    nothing = {"unsupported": others == "error", "always": always is None or len(always) == 0}
    return {name for name, empty in nothing.items() if empty}


def refuse_no_method(selector: Any) -> None:
    """Refuse anything but a selector of hetsel, such as a key, a class or another estimator."""
    if isinstance(selector, type) or not hasattr(selector, "refuse_target"):
        raise TableError(
            f"selector must be a method, such as get_method('hsic')(). Got {selector!r:.60}"
        )


def refuse_asked(selector: Any, what: str) -> None:
    """Refuse requested columns for procedures that test every column alike."""
    refuse_no_method(selector)
    asked = sorted({*EVERY} - unasked(selector.get_params(deep=False)))
    skips = "unsupported" in asked
    if asked:
        raise TableError(
            f"{asked[0]}: {what} test every column of the table alike. Leave this option out"
            + (", and drop the columns that the method does not accept" if skips else "")
        )


def positions(names: Sequence[str], always: Any, option: str = "always") -> tuple[int, ...]:
    """Return the positions of columns given by name or position, each once."""
    if always is None:
        return ()
    if not isinstance(always, str | Collection):
        raise TableError(f"{option} must be column names or positions. Got {always!r:.60}")
    known = list(names)
    chosen = [always] if isinstance(always, str) else list(listed_names(always, option, len(known)))
    if not chosen:
        return ()
    place = {name: j for j, name in enumerate(known)}
    places = [place[find_column(known, name, option, place.keys())] for name in chosen]
    if twice := sorted({known[j] for j, times in Counter(places).items() if times > 1}):
        raise TableError(f"{option} must name each column once. Got {listed(twice)} twice")
    return tuple(places)


def sizes_with(problem: Problem, always: Sequence[int]) -> tuple[int, ...]:
    """Return the requested sizes that hold all always included features; at least one must."""
    sizes = tuple(size for size in problem.sizes if size >= len(always))
    if problem.sizes and not sizes:
        names = listed([problem.table.names[j] for j in always])
        raise TableError(
            f"size must be at least {len(always)}, since {counted(len(always), 'feature')} "
            f"{'is' if len(always) == 1 else 'are'} always included ({names}). "
            f"Got {max(problem.sizes)}"
        )
    return sizes


def of_columns(problem: Problem, columns: np.ndarray) -> Problem:
    """Restrict a problem to some columns (k,) of its table, ascending."""
    place = {int(j): number for number, j in enumerate(columns)}
    return replace(
        problem,
        table=problem.table.take(columns=columns),
        sizes=tuple(sorted({min(size, len(columns)) for size in problem.sizes})),
        always=tuple(place[j] for j in problem.always if j in place),
    )


def of_whole_table(answer: Answer, columns: np.ndarray, p: int) -> Answer:
    """Extend an answer for some columns (k,) to all p; the others are unranked.

    Their importances and other numbers are NaN.
    """
    if isinstance(answer, Ranking):
        whole = answer.within(columns, p)
        others = np.setdiff1d(np.arange(p), columns)

        def unknown(values: np.ndarray) -> np.ndarray:
            values = values.astype(np.float64) if values.dtype.kind in "iuf" else values
            values[others] = np.nan if values.dtype.kind == "f" else values.dtype.type()
            return values

        extras = {name: unknown(values) for name, values in whole.extras.items()}
        order = whole.order[: len(answer.order)]
        importance = unknown(whole.importance)
        return replace(whole, order=order, importance=importance, extras=extras, cuts=answer.cuts)
    return answer.within(columns, p) if isinstance(answer, SearchPath) else answer


def with_last(answer: Answer, last: np.ndarray) -> Answer:
    """Move some features (a mask, (p,)) to the end of a ranking; their importance stays.

    A verdict on a cut stays if the signature above it is the same; otherwise it is empty.
    """
    if not isinstance(answer, Ranking):
        return answer  # a search handles them itself
    behind = last[answer.order]
    order = np.append(answer.order[~behind], answer.order[behind])
    moved = np.cumsum(last[order].astype(np.int64) - behind) != 0  # another signature up to here
    if not moved.any():
        return answer
    cuts = tuple(UNSAID if other else cut for cut, other in zip(answer.cuts, moved, strict=False))
    return replace(answer, order=order, cuts=cuts)


def with_always(answer: Answer, always: Sequence[int]) -> Answer:
    """Always include some features: at the start of a ranking, in their order, and in each subset.

    A subset grows by the features that it lacked.
    """
    if isinstance(answer, Ranking):
        order = np.asarray(answer.order)
        first = [j for j in order.tolist() if j in always]
        head = [*first, *(j for j in always if j not in first)]
        placed = np.array([*head, *order[~np.isin(order, head)].tolist()], dtype=np.intp)
        cuts: tuple[str, ...] = ()
        if any(answer.cuts) and np.array_equal(placed, order):
            # no model made the cut below always included features
            cuts = tuple(
                UNSAID if rank == len(head) else cut for rank, cut in enumerate(answer.cuts, 1)
            )
        return replace(answer, order=placed, cuts=cuts, always=len(head))
    if not isinstance(answer, SearchPath):
        return answer
    if all({*always} <= {*np.asarray(subset).tolist()} for subset in answer.subsets.values()):
        return answer
    subsets: dict[int, np.ndarray] = {}
    scores: dict[int, float] = {}
    size_of: dict[int, int] = {}
    for size, subset in sorted(answer.subsets.items()):
        chosen = [*always, *(j for j in np.asarray(subset).tolist() if j not in always)]
        size_of[size], score = len(chosen), answer.score(size)
        if len(chosen) not in subsets or score > scores.get(len(chosen), -np.inf):
            subsets[len(chosen)] = np.array(chosen, dtype=np.intp)
            scores[len(chosen)] = score
    kept = {size: score for size, score in scores.items() if not np.isnan(score)}
    chosen_size = None if answer.chosen is None else size_of[answer.chosen]
    return replace(answer, subsets=subsets, scores=kept, chosen=chosen_size)
