"""Run the command `hetsel search`."""

import argparse
import math
import sys
import time
from typing import Any

from hetsel.ground import TableError, interrupted
from hetsel.questions import of_a_table, search
from hetsel.search.subsets import subset_selector, subset_values
from hetsel.shell import selection_output
from hetsel.shell.asked_options import arguments
from hetsel.shell.asked_target import residuals_asked
from hetsel.shell.chosen_size import fixed_size, print_choice, settle_size
from hetsel.shell.output_files import output_paths, refuse_path_twice, written
from hetsel.shell.printing import elapsed, print_json
from hetsel.shell.selection_input import columns_of, read_case, rules_of


class SearchWatch:
    """Describe the state of a search for the line on the terminal."""

    def __init__(self) -> None:
        self._at: subset_values.Progress | None = None
        self._when = 0.0

    def __call__(self, progress: subset_values.Progress) -> bool:
        """Store the state of the search, and let it continue."""
        self._at, self._when = progress, time.monotonic()
        return False

    def line(self) -> str:
        """Return evaluations, size, best score so far and remaining time."""
        if self._at is None:
            return ""
        at, left = self._at, self._at.left - (time.monotonic() - self._when)
        subsets = f", {at.evaluations:,} subsets, size {at.size}"
        text = f"{subsets}, best inner score {at.best_value:.4g}"
        return f"{text}, {max(0.0, left):.0f} s left" if math.isfinite(left) else text


def run(options: argparse.Namespace) -> int:
    """Search; print, write and draw the path."""
    paths = output_paths(options)
    if options.archive is not None:
        refuse_path_twice("--archive", options.archive, paths)
    if options.prefilter != "mutual-information" and options.hybrid is None:
        raise TableError("--prefilter needs --hybrid, the proportion of candidates that it keeps")
    case = read_case(options)
    watch = SearchWatch()
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
        kept = f"{options.archive} keeps every evaluation; run the same command to continue"
        raise KeyboardInterrupt(kept) from None
    seconds = round(time.perf_counter() - start, 3)
    how = {"name": case.facts["table"], "top": None, "raw_text": options.raw_text}
    with written(
        paths,
        lambda *which: selection_output.answer_files(selector, *which, **how),
        quiet=options.json,
    ):
        _print(selector, case.facts, choice, seconds, options)
    return 0


def _print(
    selector: Any,
    facts: dict[str, Any],
    choice: dict[str, Any] | None,
    seconds: float,
    options: argparse.Namespace,
) -> None:
    """Print the subsets of a search as JSON or as a table."""
    if options.json:
        how = {name: getattr(options, name) for name in ("search", "criterion", "rate")}
        more = {"size_choice": choice} if choice else {}
        print_json(
            {**how, **facts, "seconds": seconds, **selection_output.path_facts(selector), **more}
        )
        return
    rate = f", {options.rate}" if options.rate else ""
    selection_output.print_head(f"{options.search} by {options.criterion}{rate}", facts, seconds)
    selection_output.print_path(selector)
    selection_output.print_sample(selector, facts["rows"], "--sample sets the number, or all")
    print_choice(choice)


def _selector(options: argparse.Namespace, names: list[str], watch: SearchWatch) -> Any:
    return subset_selector.SubsetSearch(
        **arguments(options, search.Searched, search.Limits, of_a_table.Cells, of_a_table.Seed)
        | {"size": fixed_size(options), "target_kind": residuals_asked(options)},
        always=columns_of("--always", options.always, names),
        **rules_of(options, names),
        progress=watch if sys.stderr.isatty() else None,
    )
