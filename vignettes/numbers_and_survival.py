"""Print the tables of numbers_and_survival.md from the results in numbers_and_survival.jsonl.

    python vignettes/numbers_and_survival.py

Each line of the results is a method on tables of one design. The results come from
tests/arena/campaigns/planted_targets.py. The worst methods come first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("numbers_and_survival.jsonl")
TARGETS = ("numbers", "survival", "martingale")
KINDS = ("numbers", "2 levels", "5 levels", "20 levels")
Line = dict[str, Any]


def lines(tables_are: str, target: str) -> dict[str, list[Line]]:
    """Return the results by method, with a line for each design."""
    found: dict[str, list[Line]] = {}
    for line in map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines()):
        if line["tables are"] == tables_are and line["target"] == target:
            found.setdefault(line["method"], []).append(line)
    return found


def printed(head: list[str], rows: list[list[str]]) -> str:
    """Format a Markdown table."""
    lines = (f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
    return "\n".join(lines).replace(" % ", "% ")


def share(value: float | None) -> str:
    """Format a proportion with two digits; empty where a method accepts no such column."""
    return "" if value is None else f"{value:.2f}"


def planted(target: str) -> str:
    """Tabulate the proportion found of all five columns, of continuous and of nominal ones."""
    found = lines("planted", target)

    def mean(method: str) -> float:
        return sum(line["found"] for line in found[method]) / len(found[method])

    designs = list(dict.fromkeys(line["design"] for every in found.values() for line in every))
    rows = []
    for method in sorted(found, key=mean):
        every = {line["design"]: line for line in found[method]}
        cells = []
        for design in designs:
            if design not in every:
                cells.append("")
                continue
            line = every[design]
            parts = ", ".join(filter(None, map(share, map(line.get, ("continuous", "nominal")))))
            error = f" ± {line['errors']['found']:.2f}" if line["tables"] > 1 else ""
            cells.append(f"{line['found']:.2f}{error} ({parts})")
        rows.append([f"`{method}`", *cells, str(line["tables"])])
    return printed(["method", *designs, "tables"], rows)


def searches() -> str:
    """Tabulate the sizes that searches choose, and the proportion of planted columns."""
    rows = []
    for target in TARGETS:
        for method, every in lines("planted", target).items():
            for line in every:
                if "own size" in line:
                    own = [f"{line['own size']:.1f}", share(line["right at its own size"])]
                    rows.append([f"`{method}`", target, line["design"], *own])
    return printed(["method", "target", "design", "size", "proportion planted"], rows)


def parts(target: str) -> str:
    """Tabulate which planted column is found, over all methods that accept all kinds."""
    names = ("line 1", "line 2", "exponential", "3 levels", "6 levels")
    found = [one for every in lines("planted", target).values() for one in every]
    rows = []
    for design in dict.fromkeys(line["design"] for line in found):
        those = [one for one in found if one["design"] == design and "6 levels" in one]
        means = [share(sum(one[name] for one in those) / len(those)) for name in names]
        rows.append([design, *means])
    return printed(["", *names], rows)


def noise(target: str) -> str:
    """Tabulate how often each kind of column comes first by chance; fair is 0.25."""
    found = {
        method: every
        for method, every in lines("noise", target).items()
        if f"first {KINDS[-1]}" in every[0]
    }

    def farthest(method: str) -> float:
        return max(abs(line[f"first {kind}"] - 0.25) for line in found[method] for kind in KINDS)

    rows = []
    for method in sorted(found, key=lambda method: -farthest(method)):
        cells = (
            ", ".join(share(line[f"first {kind}"]) for line in found[method]) for kind in KINDS
        )
        tables = str(found[method][0]["tables"])
        rows.append([f"`{method}`", *cells, share(farthest(method)), tables])
    head = ["method", "continuous", *KINDS[1:], "largest distance from 0.25", "tables"]
    return printed(head, rows)


def tables() -> list[str]:
    """Return all tables of the document."""
    both = [make(target) for make in (planted, parts) for target in ("numbers", "survival")]
    noises = [noise(target) for target in ("numbers", "survival", "classes")]
    return [*both, planted("martingale"), planted("classes"), searches(), *noises]


if __name__ == "__main__":
    print("\n\n".join(tables()))
