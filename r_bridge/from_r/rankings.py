"""Rankings for the R package, as plain vectors."""

from collections.abc import Sequence
from typing import Any

from hetsel.selection import BaseSelector, Ranking
from hetsel.selection.answer import SeededCall
from hetsel.selection.proved_cuts import at_size, by_rank, in_words

STEP = ("step", "size", "feature", "objective", "gap", "bound", "verdict")


def contents(selector: BaseSelector) -> dict[str, Any]:
    """The ranking of a fitted selector, what is proved of it, and its trace."""
    ranking = selector.frame()
    assert isinstance(selector.answer_, Ranking)
    cuts = selector.answer_.cuts
    size = int(selector.size_)
    return {
        "rank": [int(v) for v in ranking["rank"]],
        "feature": ranking["feature"].tolist(),
        "kind": ranking["kind"].tolist(),
        "importance": [float(v) for v in ranking["importance"]],
        **{n: ranking[n].tolist() if n in ranking else [] for n in ("p_value", "p_adjusted")},
        "verdict": by_rank(cuts) if any(cuts) else [],
        "step": ranking["step"].tolist() if "step" in ranking else [],
        "order": in_words(cuts, selector.answer_.rounding),
        "cut": at_size(cuts, size),
        "sampled": float(selector.answer_.sampled),
        "trace": _trace(selector),
        "size": size,
        "always": ranking["feature"][: selector.answer_.always].tolist(),
        "unranked": list(selector.unranked_),
        **_repeated_by(selector.answer_.seeded, selector.schema_.names),
    }


def _repeated_by(seeded: SeededCall | None, names: Sequence[str]) -> dict[str, Any]:
    """What repeats the importances in R: a seed, and the columns in the order of their entry."""
    if seeded is None:
        return {}
    return {"repeat_by": {"seed": seeded.seed, "columns": [names[j] for j in seeded.columns]}}


def _trace(selector: BaseSelector) -> dict[str, list[Any]]:
    """The steps in long form, one row per feature dropped (or added)."""
    names = selector.schema_.names
    rows = [
        (k, step.size, names[j], *map(float, (step.objective, step.gap, step.bound)), step.verdict)
        for k, step in enumerate(selector.answer_.steps, start=1)
        for j in step.features
    ]
    return {name: [row[i] for row in rows] for i, name in enumerate(STEP)}
