"""Rankings and searches over subsets for R: a method fitted, and what it found."""

import warnings
from collections.abc import Iterable
from typing import Annotated, Any

import numpy as np
import pandas as pd
from msgspec import UNSET, Struct, UnsetType

from hetsel.ground.errors import HetselWarning
from hetsel.methods.registry import key_of, own_parameters
from hetsel.selection import BaseSelector, Ranking, SearchPath
from hetsel.selection.cut_verdicts import at_size, by_rank, cuts_in_words
from hetsel.tables import Table
from r_bridge.from_r import asked, described
from r_bridge.from_r.asked import Cells, Labels, groups_of, strings, whole
from r_bridge.from_r.described import ColumnFacts, Facts, Groups
from r_bridge.from_r.guarded_calls import kept_in
from r_bridge.from_r.r_words import text_of
from r_bridge.r_vectors import INLINE, Values, filled


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

    ranking: pd.DataFrame  # as :meth:`hetsel.selection.BaseSelector.frame` has it
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
    columns: pd.DataFrame,
    target: Labels,
    method: str = "rfe-mkl",
    size: float | None = None,
    row_weights: Cells | None = None,
    row_groups: Cells | None = None,
    **treatment: Any,
) -> RankingAnswer | PathAnswer:
    """Rank the columns of a data frame; the same call in Python gives the same ranking."""
    selector = asked.selector_of(method, size=whole(size), **treatment)
    weights = asked.weights_of(row_weights, selector)
    groups = groups_of(row_groups, len(columns))
    return _answer_of(selector, key_of(type(selector)), columns, target, groups, weights)


def search(
    columns: pd.DataFrame,
    target: Labels,
    size: float | None = None,
    row_groups: Cells | None = None,
    **treatment: Any,
) -> RankingAnswer | PathAnswer:
    """Search for the best subset of columns; as :class:`hetsel.SubsetSearch` does in Python."""
    selector = asked.selector_of("", size=whole(size), **treatment)
    return _answer_of(selector, "", columns, target, groups_of(row_groups, len(columns)))


def _answer_of(
    selector: BaseSelector,
    key: str,
    frame: pd.DataFrame,
    y: Labels,
    groups: Groups = None,
    weights: np.ndarray | None = None,
) -> RankingAnswer | PathAnswer:
    """Fit, with what is said of the rows; the ranking or the path, and facts about the call."""
    options = {kind: getattr(selector, kind) for kind in ("nominal", "ordinal", "continuous")}
    table = Table.read(frame, **options)  # read once, for the method and for what is said of it
    of_rows = {"sample_weight": weights, "groups": groups}
    with kept_in(getattr(selector, "archive", None)):
        selector.fit(table, y, **{k: v for k, v in of_rows.items() if v is not None})
    known = described.as_told(y, len(frame), selector.target_kind)
    table, known, groups = described.weighed(weights, table, known, groups)
    found = selector.answer_
    size = _size(selector.size_, found) if isinstance(found, SearchPath) else int(selector.size_)
    more = {**facts_of_method(selector), "method": key, "size": size}
    facts = described.facts_of_call(table, known, selector.missing, selector.scale, groups, more)
    if isinstance(found, SearchPath):
        return _path(selector, found, facts)
    assert isinstance(found, Ranking)
    return _ranking(selector, found, facts)


def facts_of_method(selector: BaseSelector) -> Values:
    """What is known of a method, whatever it was fitted to."""
    about = selector.about
    return {
        "title": about.line,
        "paper": about.paper,
        **described.settings(selector.get_params(deep=False), own_parameters(type(selector))),
        "seed": (float(selector.random_state),),
        "draws": about.draws,
    }


def _ranking(selector: BaseSelector, answer: Ranking, facts: Facts) -> RankingAnswer:
    ranking = selector.frame()
    if any(answer.cuts):
        ranking["verdict"] = by_rank(answer.cuts)
    ordered = ("rank", "feature", "kind", "importance", "p_value", "p_adjusted", "verdict", "step")
    names, seeded = selector.schema_.names, answer.seeded
    return RankingAnswer(
        ranking=ranking[[name for name in ordered if name in ranking]],
        selected=tuple(ranking["feature"][: facts.size]),
        columns=facts.columns,
        trace=tuple(
            TraceRow(k, s.size, names[j], s.objective, s.gap, s.bound, s.verdict)
            for k, s in enumerate(answer.steps, start=1)
            for j in s.features
        ),
        order=cuts_in_words(answer.cuts, answer.rounding),
        cut=at_size(answer.cuts, facts.size),
        sampled=int(answer.sampled),
        always=tuple(ranking["feature"][: answer.always]),
        unranked=tuple(selector.unranked_),
        facts=facts,
        repeat_by=UNSET
        if seeded is None
        else RepeatBy(seeded.seed, tuple(names[j] for j in seeded.columns)),
    )


def _path(selector: BaseSelector, answer: SearchPath, facts: Facts) -> PathAnswer:
    names = selector.schema_.names

    def named(features: Iterable[int]) -> tuple[str, ...]:
        return tuple(names[j] for j in features)

    return filled(
        PathAnswer,
        answer,
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
        search=str(getattr(selector, "search", "")),
        criterion=", ".join(strings(getattr(selector, "criterion", ""))),
        facts=facts,
    )


def _size(wanted: int, answer: SearchPath) -> int:
    """The size asked for; the best one if the search was ended before it came there."""
    if wanted in answer.subsets:
        return int(wanted)
    warnings.warn(
        HetselWarning(
            f"the search ended before it came to size {wanted}; selected is the subset of size "
            f"{answer.best_size}, the best one it had"
        ),
        stacklevel=2,
    )
    return int(answer.best_size)
