"""The command `hetsel plan-rows`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hetsel.ground import TableError
from hetsel.questions.of_a_table import Cells, Processes, Seed
from hetsel.questions.plan_rows import OfSignature, PlanRows, PlanRowsOfTable
from hetsel.shell.asked_options import arguments, asked_of
from hetsel.shell.asked_target import residuals_asked
from hetsel.shell.command_line import add_command
from hetsel.shell.commands.rank import own_options
from hetsel.shell.output_files import output_paths, written
from hetsel.shell.selection_input import columns_of, read_case, rules_of
from hetsel.shell.selection_output import table_file

if TYPE_CHECKING:
    from hetsel.signature.estimator import Signature
    from hetsel.signature.planning.row_plan import RowPlan

ABOUT = """\
How many rows a study needs, before it. Without a table: the criteria of Riley and colleagues, by
which pmsampsize computes, for two and more classes, numbers and survival times, and rows for a
wanted width of an interval. With a table: the learning curve of `hetsel select` on nested subsets
of its rows, rows for a wanted width or rate by it, and the chance to find a feature of a given
effect. What is expected of two classes comes from the table then, where it is not said."""
EXAMPLES = """\
examples:
  hetsel plan-rows --candidates 24 --prevalence 0.174 --c-statistic 0.89 --width 0.1
  hetsel plan-rows --candidates 30 --event-rate 0.065 --follow-up 2.07 --horizon 2 --r2 0.051
  hetsel plan-rows --candidates 25 --r2 0.2 --mean 1.9 --deviation 0.6
  hetsel plan-rows pilot.csv --target relapse --width 0.1 --rate 0.8 --find-effect 0.5
"""


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    add_command(commands, "plan-rows", summary, run, PlanRowsOfTable, ABOUT, EXAMPLES)


def run(options: argparse.Namespace) -> int:
    """Plan the rows; print and write what each criterion asks for."""
    from hetsel.shell.deferred_imports import load_libraries

    load_libraries()
    from hetsel.ground.sealed_json import plain_values
    from hetsel.shell.printing import print_json
    from hetsel.words.summary import summary

    paths = output_paths(options)
    found, about = _planned(options)
    with written(paths, lambda _, path: {path: table_file(found.frame(), path, options.raw_text)}):
        if options.json:
            print_json({**plain_values(found.facts()), **about})
        else:
            print(summary(found))
    return 0


def _planned(options: argparse.Namespace) -> tuple[RowPlan, dict[str, Any]]:
    """The plan, and what there is to say of the table."""
    from hetsel.shell.printing import elapsed
    from hetsel.signature.planning.row_plan import plan_rows

    asked = asked_of(options, PlanRows)
    if options.table is None:
        if options.target is not None or options.time is not None:
            raise TableError("--target and --time are columns of a TABLE; there is none")
        return plan_rows(**asked), {}
    if residuals_asked(options):
        raise TableError("--as martingale is for rank and search: this takes survival times")
    case = read_case(options)
    names = list(case.table.names)
    signature = _signature(options, names)
    done = {"finished": 0, "all": 0}
    with elapsed("planning", lambda: f", {done['finished']} of {done['all']} parts"):
        found = plan_rows(
            case.table,
            case.y,
            groups=case.row_groups,
            signature=signature,
            progress=lambda finished, every: done.update(finished=finished, all=every),
            **asked,
        )
    return found, {name: case.facts[name] for name in ("table", "target", "cautions", "notes")}


def _signature(options: argparse.Namespace, names: list[str]) -> Signature:
    """The procedure that the options name."""
    from hetsel.signature.estimator import Signature

    method = {"key": options.method, "params": own_options(options) | rules_of(options, names)}
    settings = arguments(options, OfSignature, Cells, Seed, Processes)
    return Signature(method, **settings, always=columns_of("--always", options.always, names))
