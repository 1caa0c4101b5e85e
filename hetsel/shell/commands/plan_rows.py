"""The command `hetsel plan-rows`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hetsel.ground.errors import TableError
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
# options of what is expected: metavar, help
EXPECTED: dict[str, tuple[str, str]] = {
    "c-statistic": ("C", "area under the ROC curve; of more than two classes of each pair"),
    "r2": ("R2", "R^2 of Cox and Snell of classes and survival times, R^2 of numbers"),
    "nagelkerke-r2": ("R2", "Nagelkerke's R^2; 0.15 where nothing is known"),
    "event-rate": ("RATE", "of survival times: events in a unit of time"),
    "follow-up": ("TIME", "mean time that a row is followed"),
    "horizon": ("TIME", "time at which the risk is asked for"),
    "mean": ("MEAN", "of numbers; with --deviation, that the mean be known within 10 %%"),
    "deviation": ("SD", "standard deviation of the numbers"),
    "shrinkage": ("S", "that effects may need by overfitting; default 0.9"),
    "optimism": ("D", "by which the apparent R^2 may be too large; default 0.05"),
    "margin": ("D", "to which the overall risk is to be known; default 0.05"),
}


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    command = add_command(
        commands, "plan-rows", summary, run, description=ABOUT, epilog=EPILOG + FILES
    )
    add_table_options(command, needed=False)
    _add_expected(command.add_argument_group("what is expected"))
    _add_wanted(command.add_argument_group("what is wanted"))
    _add_procedure(command.add_argument_group("the signature, with a table"))
    output = command.add_argument_group("the output")
    output.add_argument("--out", metavar="FILE", help="write the criteria to a .csv or .tsv file")
    add_raw_text(output)
    add_json(command)


def _add_expected(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--candidates",
        type=int,
        metavar="N",
        help="parameters that the selection may choose from, not those that it chooses: a column "
        "of numbers has one, one of k levels k - 1",
    )
    group.add_argument(
        "--prevalence",
        type=_shares,
        metavar="P[,P...]",
        help="share of the rows with the event; of more than two classes that of each",
    )
    for name, (metavar, said) in EXPECTED.items():
        also = ["--auc"] if name == "c-statistic" else []
        group.add_argument(f"--{name}", *also, type=float, metavar=metavar, help=said)


def _add_wanted(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--width",
        type=float,
        metavar="W",
        help="of the 95 %% interval of the balanced rate and of the AUC by nested "
        "cross-validation; of other targets with a table: of R^2 or concordance",
    )
    group.add_argument(
        "--rate",
        type=float,
        metavar="RATE",
        help="balanced rate, R^2 or concordance on new rows, with a table",
    )
    group.add_argument(
        "--find-effect",
        type=float,
        metavar="D",
        help="effect of a feature to be found, with a table: difference of two classes in standard "
        "deviations, Cohen's w of a nominal one, correlation with numbers, or logarithm of the "
        "hazard ratio of a standard deviation",
    )
    group.add_argument(
        "--effect-kind", choices=("continuous", "nominal"), default="continuous", help="its column"
    )


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
        "--repeats", type=int, default=10, metavar="N", help="draws of the subsets; default 10"
    )
    group.add_argument(
        "--plantings",
        type=int,
        default=40,
        metavar="N",
        help="planted features at each number of rows; default 40",
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


def _shares(text: str) -> float | list[float]:
    """One share, or several."""
    each = [float(part) for part in text.split(",")]
    return each[0] if len(each) == 1 else each


def run(options: argparse.Namespace) -> int:
    """Plan the rows; print and write what each criterion asks for."""
    from hetsel.shell.deferred_imports import load_libraries

    load_libraries()
    from hetsel.shell.printing import print_json

    paths = output_paths(options)
    found, about = _planned(options)
    with written(paths, lambda _, path: {path: table_file(found.frame(), path, options.raw_text)}):
        if options.json:
            print_json({**found.facts(), **about})
        else:
            print(found)
    return 0


def _planned(options: argparse.Namespace) -> tuple[RowPlan, dict[str, Any]]:
    """The plan, and what there is to say of the table."""
    from hetsel.shell.printing import elapsed
    from hetsel.signature.planning.row_plan import plan_rows

    names = ("candidates", "prevalence", *(name.replace("-", "_") for name in EXPECTED))
    expected = {name: getattr(options, name) for name in names}
    wanted = {"width": options.width, "rate": options.rate, "find_effect": options.find_effect}
    if options.table is None:
        if options.target is not None or options.time is not None:
            raise TableError("--target and --time are columns of a TABLE; there is none")
        return plan_rows(**wanted, **expected), {}
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
            repeats=options.repeats,
            plantings=options.plantings,
            effect_kind=options.effect_kind,
            say=lambda finished, every: done.update(finished=finished, all=every),
            **wanted,
            **expected,
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
