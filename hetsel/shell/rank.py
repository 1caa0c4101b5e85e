"""The command `hetsel rank`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hetsel.errors import TableError
from hetsel.shell.command_line import add_command, add_json
from hetsel.shell.table_options import FILES, add_table_options

if TYPE_CHECKING:
    import pandas as pd

    from hetsel.tables.table import Table
    from hetsel.writing import Content


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = add_command(commands, "rank", "rank the features of a table", run, epilog=FILES)
    add_table_options(command)
    _add_method(command.add_argument_group("the ranking"))
    output = command.add_argument_group("the output")
    output.add_argument("--top", type=int, metavar="K", help="print the best K features only")
    output.add_argument("--out", metavar="FILE", help="write all ranks to a .csv or .tsv file")
    output.add_argument("--plot", metavar="FILE", help="draw the ranking: .png, .svg or .pdf")
    output.add_argument("--save-schema", metavar="FILE", help="write the schema as JSON")
    add_json(command)


def _add_method(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--method", default="rfe-mkl", metavar="KEY", help="see `hetsel methods`; default rfe-mkl"
    )
    group.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_parameter,
        help="a parameter of the method, e.g. C=1.0",
    )
    group.add_argument("--size", type=int, metavar="K", help="name the signature of size K, too")
    group.add_argument(
        "--missing",
        choices=("impute", "separate", "error"),
        default="impute",
        help="fill in missing cells (default), keep missing as a value of its own, or refuse",
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="default 0")


def _parameter(text: str) -> tuple[str, Any]:
    """NAME=VALUE; the value as Python writes it, else text."""
    import ast

    name, mark, value = text.partition("=")
    if not mark or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE. Got {text!r}")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def run(options: argparse.Namespace) -> int:
    """Rank the features; print, write and draw the ranking."""
    from hetsel.shell.deferred import defer

    defer()
    from hetsel.shell.outputs import output_paths
    from hetsel.shell.printing import elapsed
    from hetsel.shell.table_reading import encoded, read
    from hetsel.writing import write_files

    if options.top is not None and options.top < 1:
        raise TableError(f"--top must be at least 1. Got {options.top}")
    paths = output_paths(options)
    selector = _selector(options)
    frame, target, name = read(options)
    X, y = _features_and_classes(frame, target)
    table = encoded(X, options)
    _print_notes(table, options.missing)
    start = time.perf_counter()
    with elapsed(f"{options.method} on {len(X)} rows, {X.shape[1]} features"):
        selector.fit(table, y)
    seconds = time.perf_counter() - start
    facts = {
        "method": options.method,
        "table": name,
        "target": target,
        "rows": len(X),
        "features": X.shape[1],
        "classes": _class_counts(y),
        "missing_cells": _n_missing(table),
        "missing": options.missing,
        "seconds": round(seconds, 3),
    }
    write_files(_contents(selector, paths, options.top, name))
    _print(selector, facts, options)
    if not options.json:
        for path in paths.values():
            print(f"wrote {path}", file=sys.stderr)
    return 0


def _features_and_classes(frame: pd.DataFrame, target: str | None) -> tuple[pd.DataFrame, Any]:
    from hetsel.text import listed

    if target is None:
        raise TableError(f"--target is needed; the columns are {listed(frame.columns)}")
    y = frame[target]
    if n_missing := int(y.isna().sum()):
        raise TableError(
            f"the target {target!r} is missing in {n_missing} of {len(y)} rows: "
            "take them out of the file"
        )
    return frame.drop(columns=target), y


def _selector(options: argparse.Namespace) -> Any:
    """The selector, with its parameters."""
    from hetsel.methods.registry import get_method, own_parameters

    method = get_method(options.method)
    legal = sorted(own_parameters(method))
    given = dict(options.param)
    for name in given:
        if name not in legal:
            raise TableError(
                f"{options.method} has no parameter {name!r}; "
                + (f"it has {', '.join(legal)}" if legal else "it has none")
            )
    settings = {"missing": options.missing, "random_state": options.seed}
    return method(size=options.size, **settings, **given)


def _print_notes(table: Table, missing: str) -> None:
    """What is open about the columns, and what becomes of missing cells."""
    import numpy as np

    from hetsel.shell.shell_words import in_shell
    from hetsel.tables.column import open_questions
    from hetsel.text import listed

    for names, note in open_questions(table.schema.columns):
        print(f"hetsel: note: {listed(names)}: {note.in_words(in_shell)}", file=sys.stderr)
    gaps = np.isnan(table.values)
    if gaps.any() and missing != "error":
        where = listed(table.names[j] for j in np.flatnonzero(gaps.any(axis=0)))
        done = "filled in" if missing == "impute" else "kept as a value of their own"
        print(f"hetsel: note: {int(gaps.sum())} missing cells {done}: {where}", file=sys.stderr)


def _n_missing(table: Table) -> int:
    import numpy as np

    return int(np.isnan(table.values).sum())


def _class_counts(y: pd.Series) -> dict[str, int]:
    return {str(k): int(v) for k, v in y.astype(str).value_counts().sort_index().items()}


def _contents(
    selector: Any, paths: dict[str, str], top: int | None, name: str
) -> dict[str | Path, Content]:
    """What is written into each file."""
    from hetsel.writing import csv

    contents: dict[str | Path, Content] = {}
    for option, path in paths.items():
        if option == "out":
            separator = "\t" if Path(path).suffix.lower() == ".tsv" else ","
            contents[path] = csv(selector.frame(), separator)
        elif option == "save_schema":
            contents[path] = selector.schema_.to_json()
        else:
            from hetsel.report.figures import plot_ranking
            from hetsel.report.look import figure_file

            axes = plot_ranking(selector, top=15 if top is None else top, data=name)
            contents[path] = figure_file(axes, Path(path).suffix)
    return contents


def _print(selector: Any, facts: dict[str, Any], options: argparse.Namespace) -> None:
    """The ranking, as JSON or as a table."""
    from hetsel.shell.printing import print_json

    ranking = selector.frame()
    names, steps = selector.schema_.names, selector.answer_.steps
    signature = None
    if options.size is not None:
        signature = [names[j] for j in selector.signature()]
    if options.json:
        trace = [{**vars(step), "features": [names[j] for j in step.features]} for step in steps]
        rows = {"ranking": ranking.to_dict("records"), "trace": trace}
        print_json({**facts, "signature": signature, **rows})
        return
    _print_table(ranking, facts, options.top)
    if signature is not None:
        print(f"signature of size {len(signature)}: {', '.join(signature)}")
    if steps and steps[0].size == len(ranking):
        print("importance: at the step that dropped the feature; steps do not compare")


def _print_table(ranking: pd.DataFrame, facts: dict[str, Any], top: int | None) -> None:
    from hetsel.shell.printing import class_line

    print(
        f"{facts['method']}: {facts['rows']} rows, {facts['features']} features, "
        f"target {facts['target']} ({class_line(facts['classes'])}), {facts['seconds']:.2f} s"
    )
    shown = ranking if top is None else ranking.head(top)
    if "rank" not in ranking:  # a search: a subset of its own for each size
        print(f"{'size':>4}  {'score':>10}  features")
        for size, score, features in shown.itertuples(index=False):
            print(f"{size:>4}  {score:>10.4g}  {', '.join(features)}")
        return
    width = max(len("feature"), *map(len, shown["feature"]))
    print(f"{'rank':>4}  {'feature':<{width}}  {'kind':<10}  importance")
    for place, feature, kind, importance in shown.itertuples(index=False):
        print(f"{place:>4}  {feature:<{width}}  {kind:<10}  {importance:>10.4g}")
    if len(shown) < len(ranking):
        print(f"      ... and {len(ranking) - len(shown)} features more")
