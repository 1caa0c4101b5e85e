"""The points of a signature as vectors of R."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from r_bridge.from_r.described import by_column, text_of

BAND = ("feature", "value", "points", "effect", "rows")
TOTAL = ("low", "high", "risk_low", "risk_high", "rows", "share")
COST = ("measure", "model", "points", "difference", "error")


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
