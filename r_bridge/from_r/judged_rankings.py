"""Stability selection, knockoffs and permuted rankings for R."""

from typing import Any, Literal

import pandas as pd
from sklearn.base import clone

from hetsel.judging.half_samples import HalfSelection, selection_in_halves
from hetsel.judging.knockoffs.controlled_selection import KnockoffSelection, knockoff_selection
from hetsel.judging.permuted_importances import permuted_ranking
from hetsel.methods.registry import key_of
from hetsel.selection import BaseSelector
from hetsel.tables.validation import read_features
from r_bridge.from_r.asked import Cells, Labels, groups_of, selector_of, whole
from r_bridge.from_r.described import Groups, as_told, facts_of_call
from r_bridge.from_r.selections import facts_of_method
from r_bridge.r_vectors import Values, fields, matrix, texts

Assumption = Literal["unimodal", "r-concave", "none", "meinshausen-buehlmann"]


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
) -> Values:
    """Run stability selection like :func:`hetsel.selection_in_halves`."""
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
    return {
        **_features(found),
        "kept": texts(found.names[j] for j in found.kept),
        **fields(found, "threshold", "bound", "assumption", "pairs"),
        # (2 pairs, p), whether a half-sample selects a feature
        "half_samples": matrix(found.chosen, found.names),
        "said": str(found),
        **_facts(own, columns, target, int(found.size), groups),
    }


def knockoffs(
    columns: pd.DataFrame,
    target: Labels,
    method: str,
    fdr: float = 0.2,
    repeats: float = 1,
    run_fdr: float | None = None,
    check: bool = True,
    **treatment: Any,
) -> Values:
    """Select at a false discovery rate like :func:`hetsel.knockoff_selection`."""
    own = selector_of(method, **treatment)
    asked = {"fdr": fdr, "repeats": whole(repeats), "run_fdr": run_fdr, "check": bool(check)}
    found = knockoff_selection(own, columns, target, **asked)
    return {
        **_features(found),
        "W": matrix(found.W, found.names),  # (repeats, p)
        **fields(found, "thresholds", "fdr", "run_fdr", "by_rank"),
        "said": str(found),
        **_facts(own, columns, target, len(found.selected)),
    }


def permuted(
    columns: pd.DataFrame,
    target: Labels,
    method: str,
    row_groups: Cells | None = None,
    permutations: float = 199,
    **treatment: Any,
) -> Values:
    """Compute p-values of importances like :func:`hetsel.permuted_ranking`."""
    own = selector_of(method, **treatment)
    groups = groups_of(row_groups, len(columns))
    found = permuted_ranking(own, columns, target, permutations=whole(permutations), groups=groups)
    return {
        "features": found.frame(),
        "permuted": matrix(found.permuted, found.names),  # (permutations, p)
        "permutations": whole(permutations),
        **_facts(own, columns, target, len(found.names), groups),
    }


def _features(found: HalfSelection | KnockoffSelection) -> Values:
    """Return the features and the selected features."""
    features = found.frame()
    return {"features": features, "selected": texts(features["feature"][features["selected"]])}


def _facts(
    selector: BaseSelector, frame: pd.DataFrame, y: Labels, size: int, groups: Groups = None
) -> Values:
    table = read_features(clone(selector), frame, reset=True)
    known = as_told(y, len(frame), selector.target_kind)
    of_call = {"draws": True, "method": key_of(type(selector)), "size": size}
    more = {**facts_of_method(selector), **of_call}
    return facts_of_call(table, known, selector.missing, selector.scale, groups, more)
