"""The command `hetsel search`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from hetsel.ground.errors import TableError, interrupted
from hetsel.shell.command_line import add_command, add_json
from hetsel.shell.output_files import add_files, output_paths, refuse_twice, written
from hetsel.shell.selection_input import columns_of, read_case
from hetsel.shell.selection_output import (
    answer_files,
    path_facts,
    print_head,
    print_path,
    print_sample,
)
from hetsel.shell.size_options import add_size, fixed_size, print_choice, settle_size
from hetsel.shell.table_options import FILES, add_fitting, add_table_options
from hetsel.shell.target_options import residuals_asked

if TYPE_CHECKING:
    from hetsel.search.subsets.subset_values import Progress

ABOUT = """\
Search for the subset of features that is best by a criterion. The criterion is an inner score: the
search looks for its largest value, and rows outside the search do worse."""
EPILOG = """\
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
    command = add_command(
        commands, "search", summary, run, description=ABOUT, epilog=EPILOG + FILES
    )
    add_table_options(command)
    _add_search(command.add_argument_group("the search"))
    _add_features(command.add_argument_group("what features may do"))
    _add_limits(command.add_argument_group("how long it may take"))
    output = command.add_argument_group("the output")
    add_files(output, "size, inner score and features of each subset", "the path")
    add_json(command)


def _add_search(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--search",
        default="sffs",
        metavar="NAME",
        help="bif, sfs, sbs, sffs (default), sbfs, os, dos, exhaustive or branch-and-bound",
    )
    group.add_argument(
        "--criterion",
        default="5nn",
        metavar="A,B",
        help="5nn (default; any number), naive-bayes, svm, gaussian-svm, ridge, bhattacharyya, "
        "divergence, mahalanobis, hsic, alignment, gaussian-alignment, class-separability, "
        "frobenius, consistency, mutual-information; several are an ensemble",
    )
    group.add_argument("--folds", type=int, metavar="N", help="of the criterion")
    group.add_argument("--repeats", type=int, metavar="N", help="of the folds")
    group.add_argument(
        "--rate",
        choices=("bcr", "accuracy", "auc", "r2", "concordance", "press"),
        help="of classes bcr (balanced classification rate), accuracy or auc (area under the ROC "
        "curve, of more classes the mean of their pairs), of numbers r2, of survival times "
        "concordance; press of ridge",
    )
    group.add_argument(
        "--sample",
        type=_rows,
        metavar="N",
        help="rows of a larger table at which a criterion looks whose time grows with their "
        "square, the same ones in any order of the rows, or all; default: 10,000 of neighbors, "
        "5,000 of machines and Gaussian kernels",
    )
    add_size(group, "default: the size of the best subset")
    group.add_argument(
        "--count", type=int, default=1, metavar="N", help="features that come or go at once"
    )
    group.add_argument(
        "--early-stopping",
        action="store_true",
        help="of sfs and sbs: end where no feature that comes makes the score larger, or every one "
        "that goes makes it smaller",
    )
    group.add_argument("--depth", type=int, metavar="N", help="how far the search strays")
    group.add_argument(
        "--ties",
        type=_shares,
        metavar="A,B",
        help="shares of the largest score that count as none, e.g. 0.01; the first decides",
    )
    group.add_argument(
        "--voting",
        metavar="HOW",
        help="how an ensemble decides: order, median or weighted, or trimmed-order and the like "
        "without the best and the worst vote; without it the mean of the members decides",
    )
    group.add_argument(
        "--hybrid",
        type=float,
        metavar="SHARE",
        help="of the candidates that reach the criterion; 1: no filter",
    )
    group.add_argument(
        "--prefilter",
        metavar="NAME",
        help="the criterion that chooses these; default mutual-information",
    )
    add_fitting(group)


def _add_features(group: argparse._ArgumentGroup) -> None:
    several: dict[str, Any] = {"action": "append", "default": [], "metavar": "A,B"}
    group.add_argument("--always", help="columns that are always in", **several)
    group.add_argument("--never", help="columns that are never in", **several)
    group.add_argument("--group", help="columns that come and go together", **several)
    group.add_argument(
        "--costs",
        action="append",
        default=[],
        metavar="A=1,B=2",
        help="what a column costs, others nothing; ties then go to the cheaper subset",
    )
    group.add_argument("--budget", type=float, metavar="COST", help="most that a subset may cost")


def _add_limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--max-seconds", type=float, metavar="S")
    group.add_argument("--max-evaluations", type=int, metavar="N")
    group.add_argument(
        "--archive", metavar="FILE", help="keeps every evaluation; a stopped search goes on from it"
    )


def _shares(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected numbers, e.g. 0.01,0.02. Got {text!r}"
        ) from None


def _rows(text: str) -> int | str:
    if text != "all" and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number of rows, or all. Got {text!r}")
    return text if text == "all" else int(text)


def run(options: argparse.Namespace) -> int:
    """Search; print, write and draw the path."""
    from hetsel.shell.deferred_imports import load_libraries

    load_libraries()
    from hetsel.shell.printing import elapsed

    paths = output_paths(options)
    if options.archive is not None:
        refuse_twice("--archive", options.archive, paths)
    if options.prefilter is not None and options.hybrid is None:
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

    same = (
        *("search", "criterion", "folds", "repeats", "rate", "sample", "count", "early_stopping"),
        *("depth", "ties", "budget", "voting", "hybrid", "max_seconds", "max_evaluations"),
        *("archive", "missing", "scale"),
    )
    return SubsetSearch(
        **{name: getattr(options, name) for name in same},
        target_kind=residuals_asked(options),
        size=fixed_size(options),
        random_state=options.seed,
        prefilter=options.prefilter or "mutual-information",
        costs=_costs(options.costs, names),
        always=columns_of("--always", options.always, names),
        never=columns_of("--never", options.never, names),
        column_groups=[columns_of("--group", [text], names) for text in options.group],
        progress=watch if sys.stderr.isatty() else None,
    )


def _costs(texts: list[str], names: list[str]) -> dict[str, float] | None:
    """Cost of each column that is named."""
    from hetsel.tables import find_column

    costs = {}
    for part in (part for text in texts for part in text.split(",") if part):
        name, _, cost = part.rpartition("=")
        try:
            value = float(cost)
        except ValueError:
            value = float("nan")
        if not name or not value >= 0:
            raise TableError(f"--costs: expected COLUMN=NUMBER, 0 or larger. Got {part!r}")
        costs[find_column(names, name, option="--costs")] = value
    return costs or None


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
