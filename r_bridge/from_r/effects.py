"""What features add to a decision value, in pieces and in points, as vectors of R."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from hetsel.ground.sealed_json import plain_values
from hetsel.signature.signature_facts import Effect
from hetsel.tables import Schema
from r_bridge.from_r.described import NONE, by_column, text_of

KEPT = ("feature", "class", "level", "low", "high", "effect_low", "effect_high", "rows")
BAND = ("feature", "value", "points", "effect", "rows")
TOTAL = ("low", "high", "risk_low", "risk_high", "rows", "share")
UNIT = ("unit", "constant", "largest", "cut")
COST = ("measure", "model", "points", "difference", "error")


def with_labels(pieces: Sequence[Effect], names: Mapping[str, str]) -> list[Effect]:
    """The pieces with the classes, if there are some, as in R."""
    return [replace(one, of_class=names.get(one.of_class, "")) for one in pieces]


def effects_by_column(
    schema: Schema, pieces: Sequence[Effect], classes: Sequence[str]
) -> dict[str, Any]:
    """The pieces of the effects by column, and the levels of the features that have some.

    `level` is a level, or "missing"; else a piece goes from `low` to `high`, places of levels
    counted from 1.
    """
    columns = {column.name: column for column in schema.columns}
    rows = [f"rows {label}" for label in classes]
    content = []
    for piece in pieces:
        kind = columns[piece.feature].kind
        low, high, level = piece.low, piece.high, ""
        if kind == "nominal" or isinstance(low, str) or isinstance(high, str):
            low, high, level = NONE, NONE, text_of(low)
        elif kind == "ordinal":
            low, high = low + 1, high + 1
        counts = dict(zip(rows, piece.class_rows, strict=True))
        content.append({**plain_values(piece), **counts, "level": level, "low": low, "high": high})
    return {
        "effects": by_column(content, (*KEPT, *rows)),
        "levels": {n: [text_of(v) for v in c.levels] for n, c in columns.items() if c.levels},
    }


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
        for one in facts["features"]
        for band in one["bands"]
    ]
    costs = [{**one, "measure": one["label"]} for one in facts["cost"]]
    return {
        "values": by_column(bands, BAND),
        "totals": by_column(facts["totals"], TOTAL),
        "cost": by_column(costs, COST),
        **{name: None if facts["reason"] else facts[name] for name in UNIT},
        "reason": facts["reason"],
    }
