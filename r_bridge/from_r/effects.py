"""What features add to a decision value, in pieces and in points, as vectors of R."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hetsel.ground.sealed_json import plain_values
from hetsel.signature.signature_facts import Effect
from hetsel.tables import Schema
from r_bridge.from_r.described import kinds_of_columns as kinds
from r_bridge.from_r.described import rows_of, text_of
from r_bridge.r_objects import RVector

PIECE = kinds(str, "feature", "class", "level")
PIECE |= kinds(float, "low", "high", "effect_low", "effect_high") | {"rows": int}
BAND = kinds(str, "feature", "value") | {"points": int, "effect": float, "rows": int}
TOTAL = kinds(int, "low", "high") | kinds(float, "risk_low", "risk_high")
TOTAL |= {"rows": int, "share": float}
COST = {"measure": str} | kinds(float, "model", "points", "difference", "error")

UNIT = ("unit", "constant", "largest", "cut")


class PointsAnswer(Struct):
    """The bands of a model in points, what totals say, and what rounding costs."""

    values: RVector
    totals: RVector
    cost: RVector
    unit: float | None
    constant: float | None
    largest: int | None
    cut: int | None
    reason: str


def with_labels(pieces: Sequence[Effect], names: Mapping[str, str]) -> list[Effect]:
    """The pieces with the classes, if there are some, as in R."""
    return [replace(one, of_class=names.get(one.of_class, "")) for one in pieces]


def effects_of(
    schema: Schema, pieces: Sequence[Effect], classes: Sequence[str]
) -> tuple[RVector, dict[str, tuple[str, ...]]]:
    """The pieces of the effects, and the levels of the features that have some.

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
            ends: dict[str, float | None] = {"low": None, "high": None}
            level = text_of(low)
        else:
            first = kind == "ordinal"
            ends = {"low": low + first, "high": high + first}
        counts = dict(zip(rows, piece.class_rows, strict=True))
        content.append({**plain_values(piece), **counts, "level": level, **ends})
    levels = {n: tuple(map(text_of, c.levels)) for n, c in columns.items() if c.levels}
    return rows_of(content, PIECE | kinds(int, *rows)), levels


def points_of(facts: Mapping[str, Any]) -> PointsAnswer:
    """The points of the facts of a signature; levels as R writes them."""
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
    return PointsAnswer(
        values=rows_of(bands, BAND),
        totals=rows_of(facts["totals"], TOTAL),
        cost=rows_of(costs, COST),
        **{name: None if facts["reason"] else facts[name] for name in UNIT},
        reason=facts["reason"],
    )
