"""Run the command `hetsel plan-rows`."""

import argparse
from typing import Any

from hetsel.ground import TableError
from hetsel.ground.sealed_json import plain_values
from hetsel.questions.of_a_table import Cells, Processes, Seed
from hetsel.questions.plan_rows import OfSignature, PlanRows
from hetsel.shell.asked_options import arguments, given_options
from hetsel.shell.asked_target import residuals_asked
from hetsel.shell.commands.rank import own_options
from hetsel.shell.output_files import output_paths, written
from hetsel.shell.printing import elapsed, print_json
from hetsel.shell.selection_input import columns_of, read_case, rules_of
from hetsel.shell.selection_output import table_file
from hetsel.signature.estimator import Signature
from hetsel.signature.planning.row_plan import RowPlan, plan_rows
from hetsel.words.summary import summary


def run(options: argparse.Namespace) -> int:
    """Plan the rows; print and write the rows that each criterion needs."""
    paths = output_paths(options)
    found, about = _planned(options)
    with written(paths, lambda _, path: {path: table_file(found.frame(), path, options.raw_text)}):
        if options.json:
            print_json({**plain_values(found.facts()), **about})
        else:
            print(summary(found))
    return 0


def _planned(options: argparse.Namespace) -> tuple[RowPlan, dict[str, Any]]:
    """Return the plan, and the facts of the table."""
    asked = given_options(options, PlanRows)
    if options.table is None:
        if options.target is not None or options.time is not None:
            raise TableError("--target and --time need a TABLE. Got none: name the file first")
        return plan_rows(**asked), {}
    if residuals_asked(options):
        raise TableError(
            "--as martingale is for `hetsel rank` and `hetsel search`; "
            "plan-rows takes survival times"
        )
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
    """Return the signature procedure that the options name."""
    method = {"key": options.method, "params": own_options(options) | rules_of(options, names)}
    settings = arguments(options, OfSignature, Cells, Seed, Processes)
    return Signature(method, **settings, always=columns_of("--always", options.always, names))
