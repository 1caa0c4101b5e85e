"""The command `hetsel search`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from hetsel.ground import TableError, interrupted
from hetsel.questions.of_a_table import Cells, Seed
from hetsel.questions.search import Limits, Search, Searched
from hetsel.shell.asked_options import arguments
from hetsel.shell.asked_target import residuals_asked
from hetsel.shell.chosen_size import fixed_size, print_choice, settle_size
from hetsel.shell.command_line import add_command
from hetsel.shell.output_files import output_paths, refuse_twice, written
from hetsel.shell.selection_input import columns_of, read_case, rules_of
from hetsel.shell.selection_output import (
    answer_files,
    path_facts,
    print_head,
    print_path,
    print_sample,
)

if TYPE_CHECKING:
    from hetsel.search.subsets.subset_values import Progress

ABOUT = """\
Search for the subset of features that is best by a criterion. The criterion is an inner score: the
search looks for its largest value, and rows outside the search do worse."""
EXAMPLES = """\
examples:
  hetsel search heart --search sffs --criterion 5nn --ties 0.01,0.02,0.05 --plot path.png
  hetsel search patients.csv --target relapse --search dos --criterion 1nn,3nn,5nn --voting order
  hetsel search patients.csv --target relapse --costs mri=300,blood=12 --budget 310
  hetsel search patients.csv --target relapse --row-groups patient --archive search.txt
  hetsel search patients.csv --time days --event died --criterion ridge

A search with --archive that was stopped goes on where it was by the same command.
"""


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    add_command(commands, "search", summary, run, Search, ABOUT, EXAMPLES)


def run(options: argparse.Namespace) -> int:
    """Search; print, write and draw the path."""
    from hetsel.shell.deferred_imports import load_libraries

    load_libraries()
    from hetsel.shell.printing import elapsed

    paths = output_paths(options)
    if options.archive is not None:
        refuse_twice("--archive", options.archive, paths)
    if options.prefilter != "mutual-information" and options.hybrid is None:
        raise TableError("--prefilter needs --hybrid, the share of the candidates that it leaves")
    case = read_case(options)
    watch = Watch()
    selector = _selector(options, case.table.names, watch)
    what = f"{options.search} by {options.criterion}"
    start = time.perf_counter()
    try:
        with elapsed(what, watch.line):
            selector.fit(case.table, case.y, groups=case.row_groups)
            choice = settle_size(selector, case, options)
    except (KeyboardInterrupt, SystemError) as reason:
        if options.archive is None or not interrupted(reason):
            raise
        kept = f"{options.archive} keeps every evaluation, the same command goes on from it"
        raise KeyboardInterrupt(kept) from None
    seconds = round(time.perf_counter() - start, 3)
    how = {"name": case.facts["table"], "top": None, "raw_text": options.raw_text}
    with written(paths, lambda *which: answer_files(selector, *which, **how), quiet=options.json):
        _print(selector, case.facts, choice, seconds, options)
    return 0


def _print(
    selector: Any,
    facts: dict[str, Any],
    choice: dict[str, Any] | None,
    seconds: float,
    options: argparse.Namespace,
) -> None:
    """The subsets of a search, as JSON or as a table."""
    from hetsel.shell.printing import print_json

    if options.json:
        how = {name: getattr(options, name) for name in ("search", "criterion", "rate")}
        more = {"size_choice": choice} if choice else {}
        print_json({**how, **facts, "seconds": seconds, **path_facts(selector), **more})
        return
    rate = f", {options.rate}" if options.rate else ""
    print_head(f"{options.search} by {options.criterion}{rate}", facts, seconds)
    print_path(selector)
    print_sample(selector, facts["rows"], "--sample says how many, or all")
    print_choice(choice)


def _selector(options: argparse.Namespace, names: list[str], watch: Watch) -> Any:
    from hetsel.search.subsets.subset_selector import SubsetSearch

    return SubsetSearch(
        **arguments(options, Searched, Limits, Cells, Seed)
        | {"size": fixed_size(options), "target_kind": residuals_asked(options)},
        always=columns_of("--always", options.always, names),
        **rules_of(options, names),
        progress=watch if sys.stderr.isatty() else None,
    )


class Watch:
    """Where a search stands, as words for the line on the terminal."""

    def __init__(self) -> None:
        self._at: Progress | None = None
        self._when = 0.0

    def __call__(self, progress: Progress) -> bool:
        """Remember where the search stands; never ends it."""
        self._at, self._when = progress, time.monotonic()
        return False

    def line(self) -> str:
        """Evaluations, size, the best score so far and the time left."""
        import math

        if self._at is None:
            return ""
        at, left = self._at, self._at.left - (time.monotonic() - self._when)
        subsets = f", {at.evaluations:,} subsets, size {at.size}"
        text = f"{subsets}, best inner score {at.best_value:.4g}"
        return f"{text}, {max(0.0, left):.0f} s left" if math.isfinite(left) else text
