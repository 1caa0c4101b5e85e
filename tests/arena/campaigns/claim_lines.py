"""What a campaign found, as lines of JSON, those of vignettes/claims.jsonl.

    python tests/arena/campaigns/false_selections.py --results vignettes/claims.jsonl

A line is one measure of one design: the claim, the command that makes it, the number of tables, the
value and its standard error (none for a share, whose binomial one follows from the tables). Lines
are appended; of two with the same claim, design, method and measure the later one counts.
vignettes/what-it-claims.Rmd draws them.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def add_results_option(parser):
    """The option that every campaign with claims has."""
    parser.add_argument("--results", type=Path, help="append the results to this file, as JSON")


def append_claim(
    path: Path | None,
    claim: str,
    design: Mapping[str, Any],
    measures: Mapping[str, float | tuple[float, float]],
    *,
    method: str | None = None,
    tables: int,
):
    """Append a line for each measure, a value or a value with its standard error, if asked."""
    if path is None:
        return
    with path.open("a", encoding="utf-8") as file:
        for measure, found in measures.items():
            value, error = found if isinstance(found, tuple) else (found, None)
            line = {
                "claim": claim,
                "design": dict(design),
                "method": method,
                "measure": measure,
                "tables": tables,
                "value": shortened(value),
                "error": shortened(error),
                "command": own_command(),
            }
            file.write(json.dumps(line) + "\n")


def shortened(value: float | None) -> float | None:
    """A number to five digits; none where it is not finite."""
    short = None if value is None else float(f"{value:.5g}")
    return None if short is None or short - short != 0 else short


def own_command() -> str:
    """The command line that is running, without what says where its results go."""
    words = [f"tests/arena/campaigns/{Path(sys.argv[0]).name}", *sys.argv[1:]]
    for name in ("--results", "--store"):
        if name in words:
            at = words.index(name)
            del words[at : at + 2]
    return shlex.join(["python", *words])
