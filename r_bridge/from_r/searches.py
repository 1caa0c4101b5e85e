"""Searches over subsets for R: their options read, and what they found as plain vectors."""

import warnings
from collections.abc import Mapping
from typing import Any

from hetsel.ground.errors import HetselWarning, TableError
from hetsel.selection import BaseSelector, SearchPath
from r_bridge.from_r.vectors import numbers, strings, whole

# functions stay on their side: neither a function of progress nor a criterion of one's own crosses
OPTIONS = (
    "search",
    "criterion",
    "folds",
    "repeats",
    "rate",
    "sample",
    "count",
    "early_stopping",
    "depth",
    "ties",
    "costs",
    "budget",
    "voting",
    "hybrid",
    "prefilter",
    "always",
    "never",
    "column_groups",
    "max_seconds",
    "max_evaluations",
    "archive",
    "target_kind",
)


def settings_of(options: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Parameters of a search over subsets, from the options that R sends; None is left out.

    Columns are named by their names: positions count from 1 in R and from 0 here.

    Raises
    ------
    TableError
        An option that a search has not, or that no plain vector can be.
    """
    settings: dict[str, Any] = {}
    for name, value in options.items():
        if name not in OPTIONS:
            known = ", ".join(OPTIONS)
            raise TableError(f"{owner} has no option {name!r}; its options are: {known}")
        if value is None:
            continue
        match name:
            case "always" | "never":
                settings[name] = _columns(name, value)
            case "column_groups":
                groups = value.values() if isinstance(value, Mapping) else value
                if isinstance(groups, str):
                    groups = [groups]
                settings[name] = [_columns(name, group) for group in groups]
            case "costs" if isinstance(value, Mapping):
                settings[name] = {str(key): float(cost) for key, cost in value.items()}
            case "costs" | "ties":
                settings[name] = numbers(value).tolist()
            case _:
                settings[name] = whole(value)
    return settings


def _columns(option: str, given: Any) -> list[str]:
    values = [given] if isinstance(given, str | bool | float | int) else list(given)
    if not all(isinstance(value, str) for value in values):
        raise TableError(f"{option} must hold names of columns. Got {values}")
    return strings(values)


def contents(selector: BaseSelector) -> dict[str, Any]:
    """What a fitted search found.

    Returns
    -------
    dict
        ``path``: ``size``, ``score``, ``features``, by size; ``selected`` and ``size``; ``moves``:
        ``size``, ``score``, ``added``, ``removed``, in their order; ``equal``: ``share``,
        ``features``; ``evaluations``, ``stopped``, ``sampled``, ``search``, ``criterion``. Features
        are lists of names in the order of the table.
    """
    answer = selector.answer_
    assert isinstance(answer, SearchPath)
    names = selector.schema_.names

    def named(features: Any) -> list[str]:
        return [names[j] for j in features]

    size = _size(selector.size_, answer)
    criterion = getattr(selector, "criterion", "")
    return {
        "path": {
            "size": list(answer.sizes),
            "score": [answer.score(size) for size in answer.sizes],
            "features": [named(answer.signature(size)) for size in answer.sizes],
        },
        "selected": named(answer.signature(size)),
        "size": size,
        "moves": {
            "size": [move.size for move in answer.moves],
            "score": [float(move.score) for move in answer.moves],
            "added": [named(move.added) for move in answer.moves],
            "removed": [named(move.removed) for move in answer.moves],
        },
        "equal": {
            "share": [float(share) for share in answer.equal],
            "features": [named(subset) for subset in answer.equal.values()],
        },
        "evaluations": len(answer.evaluated),
        "stopped": answer.stopped,
        "sampled": float(answer.sampled),
        "search": str(getattr(selector, "search", "")),
        "criterion": ", ".join(strings(criterion)),
    }


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
