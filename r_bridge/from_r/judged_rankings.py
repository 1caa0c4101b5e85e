"""What a ranking is worth, for R: stability selection, knockoffs and permuted labels."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pandas as pd
from msgspec import Struct
from sklearn.base import clone

from hetsel.judging.half_samples import selection_in_halves
from hetsel.judging.knockoffs.controlled_selection import knockoff_selection
from hetsel.judging.permuted_importances import permuted_ranking
from hetsel.methods.registry import key_of
from hetsel.selection import BaseSelector
from hetsel.tables.validation import read_features
from r_bridge.from_r.asked import Column, Frame, Kinds, Target, groups_of, selector_of, whole
from r_bridge.from_r.described import Facts, as_told, facts_of_call
from r_bridge.from_r.selections import facts_of_method
from r_bridge.r_vectors import INLINE, RVector, matrix

Options = Mapping[str, Any]
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
    columns: Frame,
    target: Target,
    method: str,
    size: float,
    row_groups: Column | None = None,
    threshold: float | None = None,
    bound: float = 1.0,
    pairs: float = 50,
    assumption: Assumption = "unimodal",
    kinds: Kinds | None = None,
    **treatment: Any,
) -> HalvesAnswer:
    """Select what most halves select; as :func:`hetsel.selection_in_halves` does in Python."""
    own = _selector(method, kinds, **treatment)
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
    features = found.frame()
    return HalvesAnswer(
        features=features,
        selected=_selected(features),
        kept=tuple(found.names[j] for j in found.kept),
        threshold=float(found.threshold),
        bound=float(found.bound),
        assumption=assumption,
        pairs=whole(pairs),
        halves=matrix(found.chosen, found.names),
        said=str(found),
        facts=_facts(own, columns, target, int(found.size), groups),
    )


def knockoffs(
    columns: Frame,
    target: Target,
    method: str,
    fdr: float = 0.2,
    repeats: float = 1,
    run_fdr: float | None = None,
    check: bool = True,
    kinds: Kinds | None = None,
    **treatment: Any,
) -> KnockoffsAnswer:
    """Select at a false discovery rate; as :func:`hetsel.knockoff_selection` does in Python."""
    own = _selector(method, kinds, **treatment)
    asked = {"fdr": fdr, "repeats": whole(repeats), "run_fdr": run_fdr, "check": bool(check)}
    found = knockoff_selection(own, columns, target, **asked)
    features = found.frame()
    return KnockoffsAnswer(
        features=features,
        selected=_selected(features),
        W=matrix(found.W, found.names),
        thresholds=tuple(found.thresholds.tolist()),
        fdr=fdr,
        run_fdr=float(found.run_fdr),
        by_rank=bool(found.by_rank),
        said=str(found),
        facts=_facts(own, columns, target, len(found.selected)),
    )


def permuted(
    columns: Frame,
    target: Target,
    method: str,
    row_groups: Column | None = None,
    permutations: float = 199,
    kinds: Kinds | None = None,
    **treatment: Any,
) -> PermutedAnswer:
    """p-values of a ranking by permuted labels; as :func:`hetsel.permuted_ranking` in Python."""
    own = _selector(method, kinds, **treatment)
    groups = groups_of(row_groups, len(columns))
    found = permuted_ranking(own, columns, target, permutations=whole(permutations), groups=groups)
    return PermutedAnswer(
        features=found.frame(),
        permuted=matrix(found.permuted, found.names),
        permutations=whole(permutations),
        facts=_facts(own, columns, target, len(found.names), groups),
    )


def _selector(
    method: str,
    kinds: Options | None,
    options: Options | None = None,
    seed: float = 0,
    missing: str = "impute",
    scale: str = "range",
) -> BaseSelector:
    return selector_of(str(method), options or {}, kinds or {}, seed, missing=missing, scale=scale)


def _selected(features: pd.DataFrame) -> tuple[str, ...]:
    return tuple(features["feature"][features["selected"]])


def _facts(
    selector: BaseSelector, frame: pd.DataFrame, y: Any, size: int, groups: Any = None
) -> Facts:
    table = read_features(clone(selector), frame, reset=True)
    known = as_told(y, len(frame), selector.target_kind)
    told = facts_of_method(selector) | {"draws": True, "method": key_of(type(selector))}
    return facts_of_call(
        table, known, str(selector.missing), selector.scale, groups, size=size, **told
    )
