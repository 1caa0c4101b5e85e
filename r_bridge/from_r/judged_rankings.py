"""What a ranking is worth, for R: stability selection, knockoffs and permuted labels."""

from typing import Annotated, Any, Literal

import pandas as pd
from msgspec import Struct
from sklearn.base import clone

from hetsel.judging.half_samples import HalfSelection, selection_in_halves
from hetsel.judging.knockoffs.controlled_selection import KnockoffSelection, knockoff_selection
from hetsel.judging.permuted_importances import permuted_ranking
from hetsel.methods.registry import key_of
from hetsel.selection import BaseSelector
from hetsel.tables.validation import read_features
from r_bridge.from_r.asked import Cells, Labels, groups_of, selector_of, whole
from r_bridge.from_r.described import Facts, Groups, as_told, facts_of_call
from r_bridge.from_r.selections import facts_of_method
from r_bridge.r_vectors import INLINE, RVector, Values, filled, matrix

Assumption = Literal["unimodal", "r-concave", "none", "meinshausen-buehlmann"]


class HalvesAnswer(Struct, kw_only=True):
    """What most halves of the rows select, see :class:`hetsel.HalfSamples`."""

    features: pd.DataFrame
    selected: tuple[str, ...]
    kept: tuple[str, ...]
    threshold: float
    bound: float
    assumption: str
    pairs: int
    halves: RVector  # (2 pairs, p), whether a half selects a feature
    said: str
    facts: Annotated[Facts, INLINE]


class KnockoffsAnswer(Struct, kw_only=True):
    """What wins against its knockoffs."""

    features: pd.DataFrame
    selected: tuple[str, ...]
    W: RVector  # (repeats, p)
    thresholds: tuple[float, ...]
    fdr: float
    run_fdr: float
    by_rank: bool
    said: str
    facts: Annotated[Facts, INLINE]


class PermutedAnswer(Struct, kw_only=True):
    """p-values of importances."""

    features: pd.DataFrame
    permuted: RVector  # (permutations, p)
    permutations: int
    facts: Annotated[Facts, INLINE]


def halves(
    columns: pd.DataFrame,
    target: Labels,
    method: str,
    size: float,
    row_groups: Cells | None = None,
    threshold: float | None = None,
    bound: float = 1.0,
    pairs: float = 50,
    assumption: Assumption = "unimodal",
    **treatment: Any,
) -> HalvesAnswer:
    """Select what most halves select; as :func:`hetsel.selection_in_halves` does in Python."""
    own = selector_of(method, **treatment)
    groups = groups_of(row_groups, len(columns))
    found = selection_in_halves(
        own,
        columns,
        target,
        whole(size),
        threshold=threshold,
        bound=bound,
        pairs=whole(pairs),
        assumption=assumption,
        groups=groups,
    )
    return filled(
        HalvesAnswer,
        found,
        **_features(found),
        kept=tuple(found.names[j] for j in found.kept),
        halves=matrix(found.chosen, found.names),
        facts=_facts(own, columns, target, int(found.size), groups),
    )


def knockoffs(
    columns: pd.DataFrame,
    target: Labels,
    method: str,
    fdr: float = 0.2,
    repeats: float = 1,
    run_fdr: float | None = None,
    check: bool = True,
    **treatment: Any,
) -> KnockoffsAnswer:
    """Select at a false discovery rate; as :func:`hetsel.knockoff_selection` does in Python."""
    own = selector_of(method, **treatment)
    asked = {"fdr": fdr, "repeats": whole(repeats), "run_fdr": run_fdr, "check": bool(check)}
    found = knockoff_selection(own, columns, target, **asked)
    return filled(
        KnockoffsAnswer,
        found,
        **_features(found),
        W=matrix(found.W, found.names),
        fdr=fdr,
        facts=_facts(own, columns, target, len(found.selected)),
    )


def permuted(
    columns: pd.DataFrame,
    target: Labels,
    method: str,
    row_groups: Cells | None = None,
    permutations: float = 199,
    **treatment: Any,
) -> PermutedAnswer:
    """p-values of a ranking by permuted labels; as :func:`hetsel.permuted_ranking` in Python."""
    own = selector_of(method, **treatment)
    groups = groups_of(row_groups, len(columns))
    found = permuted_ranking(own, columns, target, permutations=whole(permutations), groups=groups)
    return PermutedAnswer(
        features=found.frame(),
        permuted=matrix(found.permuted, found.names),
        permutations=whole(permutations),
        facts=_facts(own, columns, target, len(found.names), groups),
    )


def _features(found: HalfSelection | KnockoffSelection) -> Values:
    """The features, those of them that are selected, and what is said of them."""
    features = found.frame()
    selected = tuple(features["feature"][features["selected"]])
    return {"features": features, "selected": selected, "said": str(found)}


def _facts(
    selector: BaseSelector, frame: pd.DataFrame, y: Labels, size: int, groups: Groups = None
) -> Facts:
    table = read_features(clone(selector), frame, reset=True)
    known = as_told(y, len(frame), selector.target_kind)
    of_call = {"draws": True, "method": key_of(type(selector)), "size": size}
    more = {**facts_of_method(selector), **of_call}
    return facts_of_call(table, known, selector.missing, selector.scale, groups, more)
