"""The order of the levels of an ordinal column, as its user gives it."""

from collections.abc import Sequence
from typing import Any

from hetsel.ground import Fix, TableError, listed
from hetsel.ground.errors import LOWEST_TO_HIGHEST
from hetsel.tables import levels_and_times
from hetsel.tables.column import Column, ColumnKind


def settled_levels(
    name: str,
    levels: tuple[Any, ...],
    in_order: bool,
    kind: ColumnKind,
    order: tuple[Any, ...] | None,
    declared: bool = False,
) -> Column:
    """A column of levels whose kind the user settled; `in_order`: they have an order."""
    if kind == "ordinal" and order is not None:
        levels = given_order(name, levels, order)
    elif kind == "ordinal" and not in_order:
        raise TableError(
            f"ordinal column {name!r} holds text, which has no order of its own; its levels are "
            f"{listed(levels)}",
            Fix("ordinal", (name,), "gives the order", levels=LOWEST_TO_HIGHEST),
        )
    return Column(name, kind, levels, declared=declared or order is not None)


def given_order(name: str, levels: Sequence[Any], order: Sequence[Any]) -> tuple[Any, ...]:
    by_text = {str(level): level for level in levels}  # the shell and a plan write 2 as text
    given = tuple(
        by_text.get(str(levels_and_times.simple_level(v)), levels_and_times.simple_level(v))
        for v in order
    )
    lacking = [v for v in levels if v not in given]
    if len(set(given)) != len(given):
        raise TableError(
            f"the order of the levels of ordinal column {name!r} must name each level once. "
            f"Got {listed(given)}"
        )
    if lacking:
        raise TableError(
            f"the order of the levels of ordinal column {name!r} must name every level. It lacks "
            f"{listed(lacking)}"
        )
    return given
