"""The command `hetsel plan-rows`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hetsel.ground.errors import TableError
from hetsel.questions.plan_rows import TABLE, PlanRows
from hetsel.shell.asked_options import add_asked, asked_of
from hetsel.shell.command_line import add_command, add_dask, add_json, add_raw_text
from hetsel.shell.commands.rank import add_method, own_options
from hetsel.shell.output_files import output_paths, written
from hetsel.shell.selection_input import columns_of, read_case
from hetsel.shell.selection_output import table_file
from hetsel.shell.table_options import FILES, add_fitting, add_table_options
from hetsel.shell.target_options import residuals_asked

if TYPE_CHECKING:
    from hetsel.signature.estimator import Signature
    from hetsel.signature.planning.row_plan import RowPlan

ABOUT = """\
How many rows a study needs, before it. Without a table: the criteria of Riley and colleagues, by
which pmsampsize computes, for two and more classes, numbers and survival times, and rows for a
wanted width of an interval. With a table: the learning curve of `hetsel select` on nested subsets
of its rows, rows for a wanted width or rate by it, and the chance to find a feature of a given
effect. What is expected of two classes comes from the table then, where it is not said."""
EPILOG = """\
examples:
  hetsel plan-rows --candidates 24 --prevalence 0.174 --c-statistic 0.89 --width 0.1
  hetsel plan-rows --candidates 30 --event-rate 0.065 --follow-up 2.07 --horizon 2 --r2 0.051
  hetsel plan-rows --candidates 25 --r2 0.2 --mean 1.9 --deviation 0.6
  hetsel plan-rows pilot.csv --target relapse --width 0.1 --rate 0.8 --find-effect 0.5

"""


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    command = add_command(
        commands, "plan-rows", summary, run, description=ABOUT, epilog=EPILOG + FILES
    )
    add_table_options(command, needed=False)
    groups = add_asked(command, PlanRows)
    _add_procedure(groups[TABLE])
    output = command.add_argument_group("the output")
    output.add_argument("--out", metavar="FILE", help="write the criteria to a .csv or .tsv file")
    add_raw_text(output)
    add_json(command)


def _add_procedure(group: argparse._ArgumentGroup) -> None:
    add_method(group)
    group.add_argument(
        "--size",
        type=lambda text: int(text) if text.lstrip("-").isdigit() else text,
        metavar="RULE",
        help="as in select: one-se, quarter-se, knee, equal, or a number",
    )
    group.add_argument(
        "--positive", metavar="CLASS", help="the positive one of two; default: yes, true, 1 or last"
    )
    group.add_argument(
        "--folds", type=int, default=5, metavar="N", help="of the cross-validations; default 5"
    )
    group.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="processes at the most; it changes no number; default 1",
    )
    add_dask(group)
    add_fitting(group)


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
    signature = _signature(options).set_params(
        always=columns_of("--always", options.always, list(case.table.names))
    )
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


def _signature(options: argparse.Namespace) -> Signature:
    """The procedure that the options name."""
    from hetsel.signature.estimator import Signature

    return Signature(
        {"key": options.method, "params": own_options(options)},
        options.size,
        folds=options.folds,
        positive=options.positive,
        missing=options.missing,
        scale=options.scale,
        random_state=options.seed,
        n_jobs=options.jobs,
        dask=options.dask,
    )
