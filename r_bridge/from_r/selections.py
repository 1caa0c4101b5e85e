"""Rankings and searches over subsets for R."""

import warnings
from collections.abc import Iterable
from typing import Any

import pandas as pd

from hetsel.ground.errors import HetselWarning
from hetsel.methods.registry import key_of, own_parameters
from hetsel.selection import BaseSelector, Ranking, SearchPath
from hetsel.selection.verdicts_in_words import at_size, by_rank, cuts_in_words
from hetsel.tables import Table
from r_bridge.from_r import asked, described
from r_bridge.from_r.asked import Cells, Labels, strings, whole
from r_bridge.from_r.guarded_calls import kept_in
from r_bridge.from_r.r_words import text_of
from r_bridge.r_vectors import RVector, Values, fields, kinds, table, texts

NAMES = tuple[str, ...]
TRACE = kinds(int, "step", "size") | {"feature": str} | kinds(float, "objective", "gap", "bound")
TRACE |= {"verdict": str}
PATH = {"size": int, "score": float, "features": NAMES}
MOVE = kinds(int, "step", "size") | {"score": float, "added": NAMES, "removed": NAMES}


def rank(
    columns: pd.DataFrame,
    target: Labels,
    method: str | None = "rfe-mkl",
    size: float | None = None,
    row_weights: Cells | None = None,
    row_groups: Cells | None = None,
    **treatment: Any,
) -> Values:
    """Rank the columns of a data frame; the same call in Python gives the same ranking."""
    selector = asked.selector_of(method, size=whole(size), **treatment)
    weights = asked.weights_of(row_weights, selector)
    groups = asked.groups_of(row_groups, len(columns))
    options = {kind: getattr(selector, kind) for kind in ("nominal", "ordinal", "continuous")}
    read = Table.read(columns, **options)  # once, for the method and its description
    of_rows = {"sample_weight": weights, "groups": groups}
    with kept_in(getattr(selector, "archive", None)):
        selector.fit(read, target, **{k: v for k, v in of_rows.items() if v is not None})
    known = described.as_told(target, len(columns), selector.target_kind)
    read, known, groups = described.weighed(weights, read, known, groups)
    found = selector.answer_
    size = _size(selector.size_, found) if isinstance(found, SearchPath) else int(selector.size_)
    key = "" if method is None else key_of(type(selector))
    more = {**facts_of_method(selector), "method": key, "size": size}
    facts = described.facts_of_call(read, known, selector.missing, selector.scale, groups, more)
    if isinstance(found, SearchPath):
        return _path(selector, found, facts)
    assert isinstance(found, Ranking)
    return _ranking(selector, found, facts)


def search(columns: pd.DataFrame, target: Labels, **treatment: Any) -> Values:
    """Search the best subset of columns like :class:`hetsel.SubsetSearch`."""
    return rank(columns, target, None, **treatment)


def facts_of_method(selector: BaseSelector) -> Values:
    """Describe a method, independent of its data."""
    about = selector.about
    return {
        "title": about.line,
        "paper": about.paper,
        **described.settings(selector.get_params(deep=False), own_parameters(type(selector))),
        "seed": (float(selector.random_state),),
        "draws": about.draws,
    }


def _ranking(selector: BaseSelector, answer: Ranking, facts: Values) -> Values:
    """Convert a ranking, its proofs, and its trace: the features that steps dropped or added."""
    ranking = selector.frame()
    if any(answer.cuts):
        ranking["verdict"] = by_rank(answer.cuts)
    ordered = ("rank", "feature", "kind", "importance", "p_value", "p_adjusted", "verdict", "step")
    names, seeded = selector.schema_.names, answer.seeded
    steps = (
        (k, s.size, names[j], s.objective, s.gap, s.bound, s.verdict)
        for k, s in enumerate(answer.steps, start=1)
        for j in s.features
    )
    found = {
        "ranking": ranking[[name for name in ordered if name in ranking]],
        "selected": texts(ranking["feature"][: facts["size"]]),
        "columns": facts["columns"],
        "trace": table(steps, TRACE),
        "order": cuts_in_words(answer.cuts, answer.rounding),  # how many boundaries are proved
        "cut": at_size(answer.cuts, facts["size"]),
        "sampled": int(answer.sampled),
        "always": texts(ranking["feature"][: answer.always]),
        "unranked": texts(selector.unranked_),
        **facts,
    }
    if seeded is not None:  # what repeats the importances in R
        columns = texts(names[j] for j in seeded.columns)  # in the order of their entry
        found["repeat_by"] = {"seed": seeded.seed, "columns": columns}
    return found


def _path(selector: BaseSelector, answer: SearchPath, facts: Values) -> Values:
    """Convert the result of a subset search; features are in the order of the table."""
    names = selector.schema_.names

    def named(features: Iterable[int]) -> RVector:
        return texts(names[j] for j in features)

    best = ((size, answer.score(size), named(answer.signature(size))) for size in answer.sizes)
    moves = (
        (step, move.size, float(move.score), named(move.added), named(move.removed))
        for step, move in enumerate(answer.moves, start=1)
    )
    return {
        "path": table(best, PATH),
        "selected": named(answer.signature(facts["size"])),
        "moves": table(moves, MOVE),
        "equal": {text_of(share): named(subset) for share, subset in answer.equal.items()},
        "evaluations": len(answer.evaluated),
        **fields(answer, "stopped", "sampled"),
        "search": str(getattr(selector, "search", "")),
        "criterion": ", ".join(strings(getattr(selector, "criterion", ""))),
        **facts,
    }


def _size(wanted: int, answer: SearchPath) -> int:
    """Return the requested size, or the best one if the search stopped before it."""
    if wanted in answer.subsets:
        return int(wanted)
    warnings.warn(
        HetselWarning(
            f"the search stopped before size {wanted}. The best subset so far, of size "
            f"{answer.best_size}, is selected"
        ),
        stacklevel=2,
    )
    return int(answer.best_size)
