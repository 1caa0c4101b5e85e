"""What a ranking is worth, for R: stability selection, knockoffs and permuted labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from hetsel.judging.half_samples import selection_in_halves
from hetsel.judging.knockoffs.controlled_selection import knockoff_selection
from hetsel.judging.permuted_importances import permuted_ranking
from hetsel.methods.registry import key_of, own_parameters
from hetsel.selection import BaseSelector
from hetsel.tables.validation import read_features
from r_bridge.from_r.answering import answer
from r_bridge.from_r.described import as_told, facts_of_call, settings
from r_bridge.from_r.fitted import groups_of, selector_of
from r_bridge.from_r.vectors import frame_of, target_of, whole

Columns = Sequence[Mapping[str, Any]]
Given = Mapping[str, Any]


@answer
def halves(
    columns: Columns,
    target: Given,
    method: str,
    size: float,
    selector: Given,
    row_groups: Given | None = None,
    threshold: float | None = None,
    bound: float = 1.0,
    pairs: float = 50,
    assumption: Any = "unimodal",
) -> dict[str, Any]:
    """Select what most halves select; as :func:`hetsel.selection_in_halves` does in Python.

    Parameters
    ----------
    columns, target, method, row_groups
        As :func:`r_bridge.from_r.entry_points.select` takes them.
    selector : dict
        ``kinds``, ``missing``, ``scale``, ``seed`` and ``options``, the parameters of the method.
    size, threshold, bound, pairs, assumption
        Of the function.

    Returns
    -------
    dict
        ``feature``, ``frequency`` and ``selected``, the most frequent first; ``kept``, names;
        ``halves``, bytes of the matrix (2 pairs, p) of what each half selected, column by column,
        and its ``names``; ``threshold``, ``bound``, ``said``; facts about the call.
    """
    own = _selector(method, selector)
    frame, y = frame_of(columns), target_of(target)
    groups = groups_of(row_groups, len(frame))
    found = selection_in_halves(
        own,
        frame,
        y,
        whole(size),
        threshold=threshold,
        bound=bound,
        pairs=whole(pairs),
        assumption=assumption,
        groups=groups,
    )
    names = [found.names[j] for j in found.kept]
    return {
        **_by_column(found.frame()),
        "kept": names,
        **_matrix("halves", found.chosen, found.names),
        "threshold": float(found.threshold),
        "bound": float(found.bound),
        "said": str(found),
        **_facts(own, frame, y, groups),
        "size": int(found.size),
    }


@answer
def knockoffs(
    columns: Columns,
    target: Given,
    method: str,
    selector: Given,
    fdr: float = 0.2,
    repeats: float = 1,
    run_fdr: float | None = None,
    check: bool = True,
) -> dict[str, Any]:
    """Select at a false discovery rate; as :func:`hetsel.knockoff_selection` does in Python.

    Parameters
    ----------
    columns, target, method, selector
        As :func:`halves` takes them.
    fdr, repeats, run_fdr, check
        Of the function.

    Returns
    -------
    dict
        ``feature``, ``W``, ``evalue`` and ``selected``, best first; ``draws_of``, bytes of the
        matrix (repeats, p) of W, column by column, and its ``names``; ``thresholds``; ``run_fdr``;
        ``by_rank``; ``said``; facts about the call.
    """
    own = _selector(method, selector)
    frame, y = frame_of(columns), target_of(target)
    given = {"fdr": fdr, "repeats": whole(repeats), "run_fdr": run_fdr, "check": bool(check)}
    found = knockoff_selection(own, frame, y, **given)
    return {
        **_by_column(found.frame()),
        **_matrix("draws_of", found.W, found.names),
        "thresholds": found.thresholds.tolist(),
        "run_fdr": float(found.run_fdr),
        "by_rank": bool(found.by_rank),
        "said": str(found),
        **_facts(own, frame, y),
        "size": len(found.selected),
    }


@answer
def permuted(
    columns: Columns,
    target: Given,
    method: str,
    selector: Given,
    row_groups: Given | None = None,
    permutations: float = 199,
) -> dict[str, Any]:
    """p-values of a ranking by permuted labels; as :func:`hetsel.permuted_ranking` in Python.

    Parameters
    ----------
    columns, target, method, selector, row_groups
        As :func:`halves` takes them.
    permutations : number

    Returns
    -------
    dict
        ``feature``, ``rank``, ``statistic``, ``pvalue`` and ``adjusted``, by rank; ``permuted``,
        bytes of the matrix (permutations, p) of the statistics, column by column, and its
        ``names``; facts about the call.
    """
    own = _selector(method, selector)
    frame, y = frame_of(columns), target_of(target)
    groups = groups_of(row_groups, len(frame))
    found = permuted_ranking(own, frame, y, permutations=whole(permutations), groups=groups)
    return {
        **_by_column(found.frame()),
        **_matrix("permuted", found.permuted, found.names),
        **_facts(own, frame, y, groups),
        "size": len(found.names),
    }


def _selector(method: str, given: Given) -> BaseSelector:
    kinds, options = given.get("kinds") or {}, given.get("options") or {}
    treatment = {name: given[name] for name in ("missing", "scale")}
    return selector_of(str(method), options, kinds, given["seed"], **treatment)


def _by_column(frame: Any) -> dict[str, list[Any]]:
    return {str(name): frame[name].tolist() for name in frame.columns}


def _matrix(name: str, values: np.ndarray, names: Sequence[str]) -> dict[str, Any]:
    cells = np.asarray(values, dtype=np.float64)
    return {name: bytearray(cells.tobytes(order="F")), "names": list(names)}


def _facts(selector: BaseSelector, frame: Any, y: Any, groups: Any = None) -> dict[str, Any]:
    """What is known of the table, the target and the method."""
    about, kind = selector.about, type(selector)
    table = read_features(clone(selector), frame, reset=True)
    known = as_told(y, len(frame), selector.target_kind)
    return {
        **facts_of_call(table, known, str(selector.missing), selector.scale, groups),
        **settings(selector.get_params(deep=False), own_parameters(kind)),
        "method": key_of(kind),
        "title": about.line,
        "paper": about.paper,
        "seed": float(selector.random_state),
        "draws": True,
    }
