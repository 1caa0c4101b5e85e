"""What features add to a decision value, in pieces and in points, as vectors of R."""

from collections.abc import Mapping, Sequence
from typing import Any

from hetsel.tables import Schema
from r_bridge.from_r.described import NONE, by_column, text_of
from r_bridge.r_objects import RVector, table

KEPT = ("feature", "class", "level", "low", "high", "effect_low", "effect_high", "rows")
BAND = ("feature", "value", "points", "effect", "rows")
TOTAL = ("low", "high", "risk_low", "risk_high", "rows", "share")
COST = ("measure", "model", "points", "difference", "error")

Pieces = Sequence[Mapping[str, Any]]


def with_labels(pieces: Pieces, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The pieces with the classes, if there are some, and the columns of their rows, as in R."""
    rows = {f"rows {label}": f"rows {text}" for label, text in names.items()}
    return [
        {rows.get(k, k): value for k, value in one.items()} | {"class": names.get(one["class"], "")}
        for one in pieces
    ]


def effects_by_column(schema: Schema, pieces: Pieces, classes: Sequence[str]) -> dict[str, Any]:
    """The pieces of the effects by column, and the levels of the features that have some.

    `level` is a level, or "missing"; else a piece goes from `low` to `high`, places of levels
    counted from 1.
    """
    columns = {column.name: column for column in schema.columns}
    content = []
    for piece in pieces:
        kind = columns[piece["feature"]].kind
        low, high, level = piece["low"], piece["high"], ""
        if kind == "nominal" or isinstance(low, str):
            low, high, level = NONE, NONE, text_of(low)
        elif kind == "ordinal":
            low, high = low + 1, high + 1
        content.append({**piece, "level": level, "low": low, "high": high})
    return {
        "effects": by_column(content, (*KEPT, *(f"rows {label}" for label in classes))),
        "levels": {n: [text_of(v) for v in c.levels] for n, c in columns.items() if c.levels},
    }


def pieces_table(effects: Mapping[str, Any]) -> RVector:
    """The pieces of the effects as a data frame of R."""
    words, ends = KEPT[:3], KEPT[3:7]
    kinds = dict.fromkeys(words, str) | dict.fromkeys(ends, float)
    return table(effects, {name: kinds.get(name, int) for name in effects})


def points_by_column(facts: Mapping[str, Any]) -> dict[str, Any]:
    """By column the bands, what totals say, and what rounding costs; levels as R writes them.

    Parameters
    ----------
    facts : mapping
        `points` of the facts of a signature.
    """
    bands = [
        {
            "feature": one["feature"],
            **band,
            "value": ", ".join(map(text_of, band["levels"])) or band["value"],
        }
        for one in facts.get("features", ())
        for band in one["bands"]
    ]
    costs = [{**one, "measure": one["label"]} for one in facts.get("cost", ())]
    return {
        "values": by_column(bands, BAND),
        "totals": by_column(facts.get("totals", ()), TOTAL),
        "cost": by_column(costs, COST),
        **{name: facts.get(name) for name in ("unit", "constant", "largest", "cut")},
        "reason": facts["reason"],
    }
