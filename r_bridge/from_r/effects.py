"""What features add to a decision value, in pieces and in points, as vectors of R."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

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


Pieces = Sequence[Mapping[str, Any]]


def with_labels(pieces: Pieces, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The pieces with the classes, if there are some, and the columns of their rows, as in R."""
    rows = {f"rows {label}": f"rows {text}" for label, text in names.items()}
    return [
        {rows.get(k, k): value for k, value in one.items()} | {"class": names.get(one["class"], "")}
        for one in pieces
    ]


def effects_of(
    schema: Schema, pieces: Pieces, classes: Sequence[str]
) -> tuple[RVector, dict[str, tuple[str, ...]]]:
    """The pieces of the effects, and the levels of the features that have some.

    `level` is a level, or "missing"; else a piece goes from `low` to `high`, places of levels
    counted from 1.
    """
    columns = {column.name: column for column in schema.columns}
    content = []
    for piece in pieces:
        kind = columns[piece["feature"]].kind
        low, high, level = piece["low"], piece["high"], ""
        if kind == "nominal" or isinstance(low, str):
            low, high, level = None, None, text_of(low)
        elif kind == "ordinal":
            low, high = low + 1, high + 1
        content.append({**piece, "level": level, "low": low, "high": high})
    levels = {n: tuple(map(text_of, c.levels)) for n, c in columns.items() if c.levels}
    return rows_of(content, PIECE | kinds(int, *(f"rows {label}" for label in classes))), levels


def points_of(facts: Mapping[str, Any]) -> PointsAnswer:
    """The points of the facts of a signature; levels as R writes them."""
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
    return PointsAnswer(
        values=rows_of(bands, BAND),
        totals=rows_of(facts.get("totals", ()), TOTAL),
        cost=rows_of(costs, COST),
        **{name: facts.get(name) for name in ("unit", "constant", "largest", "cut")},
        reason=facts["reason"],
    )
