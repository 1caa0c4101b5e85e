"""Run the command `hetsel select`."""

import argparse
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
from msgspec.structs import asdict

from hetsel.evaluation.progress import StepsTold
from hetsel.ground import Content, Fix, TableError
from hetsel.ground.sealed_json import plain_values
from hetsel.methods.registry import refuse_weights
from hetsel.questions import of_a_table, select
from hetsel.questions.option import flag
from hetsel.shell.asked_options import arguments
from hetsel.shell.asked_target import residuals_asked
from hetsel.shell.commands.rank import own_options
from hetsel.shell.output_files import output_paths, written
from hetsel.shell.printed_cautions import say
from hetsel.shell.printing import elapsed, print_json
from hetsel.shell.selection_input import Case, columns_of, read_case, rules_of
from hetsel.shell.selection_output import print_head, table_file
from hetsel.signature import estimator, request, signature_facts
from hetsel.tables import Classes, Note
from hetsel.words.signature_sentences import sentences


def run(options: argparse.Namespace) -> int:
    """Select the signature; print and write its facts."""
    paths = output_paths(options)
    if residuals_asked(options):
        raise TableError(
            "--as martingale is for `hetsel rank` and `hetsel search`; select takes survival times"
        )
    settings = arguments(
        options,
        select.Procedure,
        select.Probabilities,
        of_a_table.Cells,
        of_a_table.Seed,
        of_a_table.Processes,
    )
    settings |= {"n_jobs": -1 if options.jobs is None else options.jobs}
    signature = estimator.Signature(_method(options), **settings)
    if options.row_weights is not None:
        for method in request.methods_of(_method(options)):
            refuse_weights(request.balanced(method).build(), "--row-weights")
    case = read_case(options)
    if options.positive is None:
        _say_positive(case, options)
    names = list(case.table.names)
    signature.set_params(
        method=_method(options, names), always=columns_of("--always", options.always, names)
    )
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


def _beside(facts: signature_facts.SignatureFacts, case: Case) -> signature_facts.SignatureFacts:
    """Return the facts, with the notes on the table."""
    given = case.facts
    return msgspec.structs.replace(
        facts,
        table=given["table"],
        target=given["target"],
        row_weights=given.get("row_weights"),
        cautions=msgspec.convert(given["cautions"], list[signature_facts.ColumnNote]),
        left_out=msgspec.convert(case.left_out, list[signature_facts.LeftOut]),
        notes=msgspec.convert(given["notes"], list[signature_facts.ColumnNote]),
        flow=msgspec.structs.replace(facts.flow, **case.flow),
    )


def _say_positive(case: Case, options: argparse.Namespace) -> None:
    """Print a note if only the alphabet determines the positive class."""
    if case.facts.get("positive") is None or isinstance(
        getattr(case.y, "dtype", None), pd.CategoricalDtype
    ):
        return
    classes = Classes.of(case.y).with_positive()
    if not classes.affirmed:
        other, positive = classes.labels.tolist()
        what = f"{positive} is the positive class, since it is the last by name"
        fix = Fix("positive", str(other), "if that is the class of interest")
        say(options, "target", Note((what,), (fix,)), of=str(case.facts["target"]))


def _method(options: argparse.Namespace, names: list[str] | None = None) -> Any:
    """Return the method with its parameters, or several methods."""
    if options.methods is not None:
        for asked in ("params", "prove", *of_a_table.RULES):
            if getattr(options, asked):
                option = "--param" if asked == "params" else flag(asked)
                raise TableError(f"{option} is for --method only: leave it out with --methods")
        options.flags["method"] = "--methods"  # in errors
        return [key.strip() for key in options.methods.split(",")]
    rules = {} if names is None else rules_of(options, names)
    return {"key": options.method, "params": own_options(options) | rules}


def _files(
    signature: Any,
    facts: signature_facts.SignatureFacts,
    options: argparse.Namespace,
    option: str,
    path: str,
) -> Mapping[str | Path, Content]:
    """Return the files that an option writes."""
    if option == "save":
        return {path: signature.saved().to_json(facts, sketches=not options.without_sketches)}
    if option == "report":
        from hetsel.report.pages.signature_page import report_files

        return report_files(facts, path)
    frame = pd.DataFrame([*map(asdict, facts.features)])
    frame["alternatives"] = frame["alternatives"].map("; ".join)
    return {path: table_file(frame, path, options.raw_text)}
