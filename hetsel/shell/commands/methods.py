"""Run the command `hetsel methods`."""

import argparse
import textwrap
from typing import Any

from hetsel.methods.registry import get_method, method_table
from hetsel.selection.about import SIZES
from hetsel.shell.printing import print_json

WIDTH = 96
TARGETS = {"classes": "two or more classes", "numbers": "numbers", "survival": "survival times"}


def run(options: argparse.Namespace) -> int:
    """Print the selection methods."""
    catalogue = method_table()
    if options.methods:
        known = {
            key: get_method(key).about for key in options.methods
        }  # raises an error for an unknown key
        catalogue = catalogue[catalogue["key"].isin(known)]
        costs = {key: about.costs_in_words() for key, about in known.items()}
        catalogue = catalogue.assign(cost=catalogue["key"].map(costs))
    if options.json:
        print_json({"methods": catalogue.to_dict("records")})
        return 0
    width = int(catalogue["key"].str.len().max()) + 2
    for row in catalogue.astype(str).to_dict("records"):
        print(_entry(row, width))
    sizes = ", ".join(f"{letter} {what}" for letter, what in SIZES.items())
    grow = f"Time and memory grow with {sizes}."
    print(textwrap.fill(grow, WIDTH, initial_indent=" " * width, subsequent_indent=" " * width))
    return 0


def _entry(row: dict[Any, str], width: int) -> str:
    """Format key and title of a method, its input, its cost and its reference."""
    indent = " " * width
    taken = _columns(row["takes"])
    if row["takes_otherwise"] not in ("", row["takes"]):
        taken += f", or {_columns(row['takes_otherwise'])} for targets other than classes"
    facts = [
        row["family"],
        taken,
        _either([TARGETS[kind] for kind in row["targets"].split(", ")]),
    ]
    if row["requires"]:
        facts.append(f"needs hetsel[{row['requires']}]")
    head = f"{row['key']:<{width}}{row['title']}"
    lines = [textwrap.fill(head, WIDTH, subsequent_indent=indent)]
    short = f"time {row['time']}, memory {row['memory']}" if row["time"] else ""
    cost = row.get("cost", short)
    for text in filter(None, ("; ".join(facts), cost, row["paper"])):
        lines.append(textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent))
    return "\n".join(lines)


def _columns(takes: str) -> str:
    """Describe the kinds of columns that a method takes.

    Examples
    --------
    >>> _columns("continuous, ordinal, nominal"), _columns("continuous, ordinal")
    ('mixed columns', 'continuous, ordinal columns')
    """
    mixed = "nominal" in takes and "continuous" in takes
    return "mixed columns" if mixed else f"{takes} columns"


def _either(words: list[str]) -> str:
    """Join words as alternatives.

    Examples
    --------
    >>> _either(["classes"]), _either(["classes", "numbers", "survival times"])
    ('classes', 'classes, numbers or survival times')
    """
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
