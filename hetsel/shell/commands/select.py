"""The command `hetsel select`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from hetsel.ground.errors import TableError
from hetsel.shell.command_line import add_command, add_dask, add_json, add_raw_text
from hetsel.shell.commands.rank import add_method, own_options
from hetsel.shell.output_files import output_paths, written
from hetsel.shell.selection_input import Case, columns_of, read_case
from hetsel.shell.selection_output import print_head, table_file
from hetsel.shell.table_options import FILES, add_fitting, add_table_options
from hetsel.shell.target_options import residuals_asked

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hetsel.ground.writing import Content
    from hetsel.signature.signature_facts import SignatureFacts

ABOUT = """\
Find one signature: how many features, which, how good, how sure. The size, the features and the
model are chosen by the rows that are at hand, and judged by nested cross-validation, in which no
row judges what it has chosen; permutations of the labels test whether it is better than chance."""
EPILOG = """\
examples:
  hetsel select heart --report heart.html
  hetsel select patients.csv --target relapse --row-groups patient --save signature.json
  hetsel select patients.csv --target relapse --size 5 --permutations 0
  hetsel select patients.csv --time days --event status --event-value dead
  hetsel select survey.csv --target smokes --row-weights weight --method rfe-svm

"""


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    command = add_command(
        commands, "select", summary, run, description=ABOUT, epilog=EPILOG + FILES
    )
    add_table_options(command)
    _add_procedure(command.add_argument_group("the signature"))
    add_probabilities(command.add_argument_group("what its probabilities are worth"))
    output = command.add_argument_group("the output")
    output.add_argument(
        "--report",
        metavar="FILE",
        help="write a page to read, with what a paper needs: .html, .md or .docx",
    )
    output.add_argument(
        "--save", metavar="FILE", help="write model and facts: .json, for `hetsel predict`"
    )
    output.add_argument(
        "--without-sketches",
        action="store_true",
        help="of --save: without the numbers by which `hetsel validate` knows rows again",
    )
    output.add_argument("--out", metavar="FILE", help="write the features to a .csv or .tsv file")
    add_raw_text(output)
    add_json(command)


def _add_procedure(group: argparse._ArgumentGroup) -> None:
    add_method(group)
    group.add_argument(
        "--methods",
        metavar="A,B",
        help="several methods, of which the best is chosen by rows that do not judge it; in place "
        "of --method",
    )
    group.add_argument(
        "--size",
        type=_size,
        default=None,
        metavar="RULE",
        help="one-se: the smallest size within one standard error of the best; quarter-se: a "
        "quarter of it; knee: where the curve bends; equal: the smallest within 1%% of the best; "
        "or a number; default: quarter-se for classes, else one-se",
    )
    group.add_argument(
        "--positive", metavar="CLASS", help="the positive one of two; default: yes, true, 1 or last"
    )
    group.add_argument(
        "--folds",
        type=int,
        metavar="N",
        help="of the cross-validations; default 10, of more than 5,000 rows 5",
    )
    group.add_argument(
        "--repeats",
        type=int,
        metavar="N",
        help="of the cross-validations; default 3, of more than 5,000 rows 1",
    )
    group.add_argument(
        "--permutations",
        type=int,
        metavar="N",
        help="of the labels, to test against chance, 39 or more; 0 is no test; default: as many as "
        "settle the verdict, 499 at the most (of k methods 40 k - 1 and 500 k - 1)",
    )
    group.add_argument(
        "--quick",
        action="store_true",
        help="for a first look: one cross-validation, no test, no halves, unless their numbers are "
        "given, and no joint effects; the page says what it lacks",
    )
    group.add_argument(
        "--C",
        type=float,
        metavar="C",
        help="cost of a row in the final model; default 10 for classes, 3 for numbers, 1 for "
        "survival times",
    )
    group.add_argument(
        "--pairs",
        type=int,
        metavar="N",
        help="of halves of the rows; default 50, of more than 5,000 rows 20",
    )
    group.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="processes at the most, where they pay; it changes no number; default: every CPU",
    )
    add_dask(group)
    add_fitting(group, weights="only their ratios count")


def add_probabilities(group: argparse._ArgumentGroup) -> None:
    """Add the options of what probabilities are judged by."""
    group.add_argument(
        "--prevalence",
        metavar="SHARE",
        type=share,
        help="share of the positive class where the model is used, if rows were sampled by class: "
        "0.02; of more classes A=0.1,B=0.9",
    )
    group.add_argument(
        "--cost-of-missing",
        type=float,
        metavar="C",
        help="loss of a case that is missed over that of a needless treatment: treat from a "
        "probability of 1 / (1 + C) on",
    )
    group.add_argument(
        "--thresholds",
        metavar="P,P",
        type=numbers,
        help="probabilities at which predictive values are told; the decision curve goes from the "
        "first to the last",
    )
    group.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="A,B",
        help="columns in whose parts the performance is told as well; where a signature "
        "is learned --drop keeps them from being features",
    )


def share(text: str) -> Any:
    """A share, or shares by class."""
    if "=" not in text:
        return float(text)
    pairs = (part.rpartition("=") for part in text.split(","))
    return {label.strip(): float(share) for label, _, share in pairs}


def numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def _size(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() else text


def run(options: argparse.Namespace) -> int:
    """Find the signature; print, write and draw what it is worth."""
    from hetsel.shell.deferred_imports import load_libraries

    load_libraries()
    from hetsel.evaluation.progress import StepsTold
    from hetsel.ground.sealed_json import plain_values
    from hetsel.methods.registry import refuse_weights
    from hetsel.shell.printing import elapsed, print_json
    from hetsel.signature.estimator import Signature
    from hetsel.signature.request import balanced, methods_of
    from hetsel.words.signature_sentences import sentences

    paths = output_paths(options)
    if residuals_asked(options):
        raise TableError("--as martingale is for rank and search: select takes survival times")
    signature = Signature(
        _method(options),
        options.size,
        C=options.C,
        folds=options.folds,
        repeats=options.repeats,
        permutations=options.permutations,
        pairs=options.pairs,
        quick=options.quick,
        positive=options.positive,
        prevalence=options.prevalence,
        thresholds=options.thresholds,
        cost_of_missing=options.cost_of_missing,
        missing=options.missing,
        scale=options.scale,
        random_state=options.seed,
        n_jobs=-1 if options.jobs is None else options.jobs,
        dask=options.dask,
    )
    if options.row_weights is not None:
        for method in methods_of(_method(options)):
            refuse_weights(balanced(method).build(), "--row-weights")
    case = read_case(options)
    if options.positive is None:
        _say_positive(case, options)
    signature.set_params(always=columns_of("--always", options.always, list(case.table.names)))
    told = StepsTold()
    start = time.perf_counter()
    with elapsed("selecting", lambda: (words := told.words()) and f", {words}"):
        signature.fit(
            case.table,
            case.y,
            case.row_weights,
            groups=case.row_groups,
            by=case.by,
            progress=told,
        )
    facts = _beside(signature.facts(), case)
    seconds = time.perf_counter() - start
    make = partial(_files, signature, facts, options)
    with written(paths, make, quiet=options.json):
        if options.json:
            print_json({**plain_values(facts), "seconds": round(seconds, 3)})
        else:
            print_head(facts.method, case.facts | {"positive": facts.positive}, seconds)
            print("\n".join(sentences(facts)))
    return 0


def _beside(facts: SignatureFacts, case: Case) -> SignatureFacts:
    """The facts with what was said of the table when it was read."""
    import msgspec

    from hetsel.signature.signature_facts import ColumnNote, LeftOut

    given = case.facts
    return msgspec.structs.replace(
        facts,
        table=given["table"],
        target=given["target"],
        row_weights=given.get("row_weights"),
        cautions=msgspec.convert(given["cautions"], list[ColumnNote]),
        left_out=msgspec.convert(case.left_out, list[LeftOut]),
        notes=msgspec.convert(given["notes"], list[ColumnNote]),
        flow=msgspec.structs.replace(facts.flow, **case.flow),
    )


def _say_positive(case: Case, options: argparse.Namespace) -> None:
    """A note where nothing but the alphabet says which of two classes is the positive one."""
    import pandas as pd

    from hetsel.ground.errors import Fix
    from hetsel.shell.printed_cautions import say
    from hetsel.tables import Note
    from hetsel.tables.target import Classes

    if case.facts.get("positive") is None or isinstance(
        getattr(case.y, "dtype", None), pd.CategoricalDtype
    ):
        return
    classes = Classes.of(case.y).with_positive()
    if not classes.affirmed:
        other, positive = classes.labels.tolist()
        what = f"{positive} is taken as the positive class, as the last by name"
        fix = Fix("positive", str(other), "if it is the one to predict")
        say(options, "target", Note((what,), (fix,)), of=str(case.facts["target"]))


def _method(options: argparse.Namespace) -> Any:
    """The method with its parameters, or several."""
    if options.methods is not None:
        if options.param or options.prove:
            asked = "--param" if options.param else "--prove"
            raise TableError(f"{asked} is of --method: methods of --methods take none")
        return [key.strip() for key in options.methods.split(",")]
    return {"key": options.method, "params": own_options(options)}


def _files(
    signature: Any, facts: SignatureFacts, options: argparse.Namespace, option: str, path: str
) -> Mapping[str | Path, Content]:
    """What an option writes."""
    import pandas as pd
    from msgspec.structs import asdict

    if option == "save":
        return {path: signature.saved().to_json(facts, sketches=not options.without_sketches)}
    if option == "report":
        from hetsel.report.pages.signature_page import report_files

        return report_files(facts, path)
    frame = pd.DataFrame([*map(asdict, facts.features)])
    frame["alternatives"] = frame["alternatives"].map("; ".join)
    return {path: table_file(frame, path, options.raw_text)}
