"""Rankings and searches over subsets for R: a method fitted, and what it found."""

import os
import warnings
from collections.abc import Iterable
from typing import Annotated, Any

import pandas as pd
from msgspec import UNSET, Struct, UnsetType

from hetsel.ground.errors import HetselWarning
from hetsel.methods.registry import key_of, own_parameters
from hetsel.search.subsets.subset_selector import SubsetSearch
from hetsel.selection import BaseSelector, Ranking, SearchPath
from hetsel.selection.cut_verdicts import at_size, by_rank, in_words
from hetsel.tables import Table
from r_bridge.from_r.asked import (
    Column,
    Frame,
    Kinds,
    Options,
    Target,
    groups_of,
    selector_of,
    settings_of,
    strings,
    weights_of,
    whole,
)
from r_bridge.from_r.described import (
    ColumnFacts,
    Facts,
    as_told,
    facts_of_call,
    settings,
    text_of,
    weighed,
)
from r_bridge.from_r.guarded_calls import Kept
from r_bridge.interrupts import ctrl_c_heard
from r_bridge.r_vectors import INLINE


class TraceRow(Struct):
    """A feature that a step dropped (or added)."""

    step: int
    size: int
    feature: str
    objective: float
    gap: float
    bound: float
    verdict: str


class RepeatBy(Struct):
    """What repeats the importances in R: a seed, and the columns in the order of their entry."""

    seed: int
    columns: tuple[str, ...]


class RankingAnswer(Struct, kw_only=True):
    """A ranking, what is proved of it, and its trace."""

    ranking: pd.DataFrame  # as :meth:`hetsel.BaseSelector.frame` has it
    selected: tuple[str, ...]
    columns: tuple[ColumnFacts, ...]
    trace: tuple[TraceRow, ...]
    order: str  # how many boundaries between ranks are proved
    cut: str  # the verdict on the one at the size
    sampled: int
    always: tuple[str, ...]
    unranked: tuple[str, ...]
    facts: Annotated[Facts, INLINE]
    repeat_by: RepeatBy | UnsetType = UNSET  # of methods that R computes


class PathRow(Struct):
    """The best subset of a size."""

    size: int
    score: float
    features: tuple[str, ...]


class Move(Struct):
    """A step of a search."""

    step: int
    size: int
    score: float
    added: tuple[str, ...]
    removed: tuple[str, ...]


class PathAnswer(Struct, kw_only=True):
    """What a search over subsets found; features are in the order of the table."""

    path: tuple[PathRow, ...]
    selected: tuple[str, ...]
    moves: tuple[Move, ...]
    equal: dict[str, tuple[str, ...]]  # by the share that counts as none
    evaluations: int
    stopped: str
    sampled: int
    search: str
    criterion: str
    facts: Annotated[Facts, INLINE]


def rank(
    columns: Frame,
    target: Target,
    method: str = "rfe-mkl",
    size: float | None = None,
    missing: str = "impute",
    scale: str = "range",
    kinds: Kinds | None = None,
    seed: float = 0,
    options: Options | None = None,
    row_weights: Column | None = None,
    row_groups: Column | None = None,
) -> RankingAnswer | PathAnswer:
    """Rank the columns of a data frame; the same call in Python gives the same ranking."""
    treatment = {"size": whole(size), "missing": missing, "scale": scale}
    selector = selector_of(str(method), options or {}, kinds or {}, seed, **treatment)
    weights = weights_of(selector, row_weights)
    of_rows = {"sample_weight": weights, "groups": groups_of(row_groups, len(columns))}
    return _answer_of(selector, key_of(type(selector)), columns, target, **of_rows)


def search(
    columns: Frame,
    target: Target,
    size: float | None = None,
    missing: str = "impute",
    scale: str = "range",
    kinds: Kinds | None = None,
    seed: float = 0,
    row_groups: Column | None = None,
    options: Options | None = None,
) -> RankingAnswer | PathAnswer:
    """Search for the best subset of columns; as :class:`hetsel.SubsetSearch` does in Python."""
    selector = SubsetSearch(
        size=whole(size),
        missing=missing,
        scale=scale,
        random_state=whole(seed),
        **(kinds or {}),
        **settings_of(options or {}, "hetsel_search"),
    )
    return _answer_of(selector, "", columns, target, groups=groups_of(row_groups, len(columns)))


def _answer_of(
    selector: BaseSelector, key: str, frame: pd.DataFrame, y: Any, **of_rows: Any
) -> RankingAnswer | PathAnswer:
    """Fit, with what is said of the rows; the ranking or the path, and facts about the call."""
    options = {kind: getattr(selector, kind) for kind in ("nominal", "ordinal", "continuous")}
    table = Table.read(frame, **options)  # read once, for the method and for what is said of it
    try:
        with ctrl_c_heard():
            selector.fit(table, y, **{k: v for k, v in of_rows.items() if v is not None})
    except KeyboardInterrupt:
        archive = getattr(selector, "archive", None)
        if archive:
            raise Kept(os.path.abspath(archive)) from None
        raise
    known = as_told(y, len(frame), selector.target_kind)
    groups = of_rows.get("groups")
    table, known, groups = weighed(of_rows.get("sample_weight"), table, known, groups)
    found = selector.answer_
    size = _size(selector.size_, found) if isinstance(found, SearchPath) else int(selector.size_)
    facts = facts_of_call(
        table,
        known,
        str(selector.missing),
        selector.scale,
        groups,
        method=key,
        size=size,
        **facts_of_method(selector),
    )
    return (_path if isinstance(found, SearchPath) else _ranking)(selector, facts)


def facts_of_method(selector: BaseSelector) -> dict[str, Any]:
    """What is known of a method, whatever it was fitted to."""
    about = selector.about
    return {
        "title": about.line,
        "paper": about.paper,
        **settings(selector.get_params(deep=False), own_parameters(type(selector))),
        "seed": (float(selector.random_state),),
        "draws": about.draws,
    }


def _ranking(selector: BaseSelector, facts: Facts) -> RankingAnswer:
    answer, ranking = selector.answer_, selector.frame()
    assert isinstance(answer, Ranking)
    if any(answer.cuts):
        ranking["verdict"] = by_rank(answer.cuts)
    ordered = ("rank", "feature", "kind", "importance", "p_value", "p_adjusted", "verdict", "step")
    names = selector.schema_.names
    seeded = answer.seeded
    return RankingAnswer(
        ranking=ranking[[name for name in ordered if name in ranking]],
        selected=tuple(ranking["feature"][: facts.size]),
        columns=facts.columns,
        trace=tuple(
            TraceRow(k, s.size, names[j], s.objective, s.gap, s.bound, s.verdict)
            for k, s in enumerate(answer.steps, start=1)
            for j in s.features
        ),
        order=in_words(answer.cuts, answer.rounding),
        cut=at_size(answer.cuts, facts.size),
        sampled=int(answer.sampled),
        always=tuple(ranking["feature"][: answer.always]),
        unranked=tuple(selector.unranked_),
        facts=facts,
        repeat_by=UNSET
        if seeded is None
        else RepeatBy(seeded.seed, tuple(names[j] for j in seeded.columns)),
    )


def _path(selector: BaseSelector, facts: Facts) -> PathAnswer:
    answer, names = selector.answer_, selector.schema_.names
    assert isinstance(answer, SearchPath)

    def named(features: Iterable[int]) -> tuple[str, ...]:
        return tuple(names[j] for j in features)

    return PathAnswer(
        path=tuple(
            PathRow(size, answer.score(size), named(answer.signature(size)))
            for size in answer.sizes
        ),
        selected=named(answer.signature(facts.size)),
        moves=tuple(
            Move(step, move.size, float(move.score), named(move.added), named(move.removed))
            for step, move in enumerate(answer.moves, start=1)
        ),
        equal={text_of(share): named(subset) for share, subset in answer.equal.items()},
        evaluations=len(answer.evaluated),
        stopped=answer.stopped,
        sampled=int(answer.sampled),
        search=str(getattr(selector, "search", "")),
        criterion=", ".join(strings(getattr(selector, "criterion", ""))),
        facts=facts,
    )


def _size(asked: int, answer: SearchPath) -> int:
    """The size asked for; the best one if the search was ended before it came there."""
    if asked in answer.subsets:
        return int(asked)
    warnings.warn(
        HetselWarning(
            f"the search ended before it came to size {asked}; selected is the subset of size "
            f"{answer.best_size}, the best one it had"
        ),
        stacklevel=2,
    )
    return int(answer.best_size)
