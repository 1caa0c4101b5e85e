"""The target that the options of a command name, and what the shell says of it."""

from __future__ import annotations

import argparse
from typing import Any

from hetsel.ground.errors import TableError


def add_target_kind(group: argparse._ArgumentGroup) -> None:
    """Add the option that says what the target holds."""
    group.add_argument(
        "--target-kind",
        choices=("classes", "numbers"),
        help="what the target holds; default: fractions are numbers, all else is classes. "
        "`hetsel methods` says which methods take numbers",
    )


def asked_target(y: Any, options: argparse.Namespace) -> Any:
    """Numbers where the target holds them, else the cells as they are, for the command to check.

    Raises
    ------
    TableError
        --target-kind of a target that holds something else; --size auto of numbers.
    """
    from hetsel.tables.target import Numbers, read_target
    from hetsel.tables.validation import is_measured, target_cells

    if not hasattr(options, "target_kind"):  # a command for classes only
        return y
    kind = options.target_kind
    if kind == "classes":
        read_target(y, len(y), kind)
    if kind == "classes" or (kind is None and not is_measured(target_cells(y, len(y)))):
        return y
    target = Numbers.of(y, len(y))
    if options.size == "auto":
        raise TableError(
            "--size auto judges sizes by the rate of a classifier. Got a target of "
            f"{target.in_words()}. Give --size K"
        )
    return target


def target_facts(y: Any) -> dict[str, Any]:
    """What is said of a target, for the output."""
    from hetsel.tables.target import Numbers, positive_label

    if isinstance(y, Numbers):
        lowest, highest = float(y.values.min()), float(y.values.max())
        found = {"values": y.distinct, "lowest": lowest, "highest": highest}
        return {"target_kind": y.kind, **found}
    counts = y.astype(str).value_counts().sort_index()
    classes = {str(label): int(count) for label, count in counts.items()}
    return {"classes": classes, "positive": positive_label(y)}


def target_line(facts: dict[str, Any]) -> str:
    """The classes and their rows, or the numbers and their range, for people.

    Examples
    --------
    >>> target_line({"target_kind": "numbers", "values": 214, "lowest": 25.0, "highest": 346.0})
    'numbers, 214 values from 25 to 346'
    """
    from hetsel.shell.printing import class_line

    if facts.get("target_kind") == "numbers":
        low, high = (f"{facts[end]:.6g}" for end in ("lowest", "highest"))
        return f"numbers, {facts['values']} values from {low} to {high}"
    return class_line(facts["classes"], positive=facts["positive"])
