"""The command `hetsel rank`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from hetsel.errors import TableError
from hetsel.shell.command_line import add_command, add_json
from hetsel.shell.selecting import (
    add_files,
    add_fitting,
    is_path,
    path_facts,
    print_head,
    print_path,
    read_case,
    say_written,
    write_answer,
)
from hetsel.shell.table_options import FILES, add_table_options

if TYPE_CHECKING:
    import pandas as pd


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = add_command(commands, "rank", "rank the features of a table", run, epilog=FILES)
    add_table_options(command)
    _add_method(command.add_argument_group("the ranking"))
    output = command.add_argument_group("the output")
    output.add_argument("--top", type=int, metavar="K", help="print the best K features only")
    add_files(output, "all ranks", "the ranking")
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
    add_fitting(group)


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

    if options.top is not None and options.top < 1:
        raise TableError(f"--top must be at least 1. Got {options.top}")
    paths = output_paths(options)
    selector = _selector(options)
    case = read_case(options)
    facts = {"method": options.method, **case.facts}
    start = time.perf_counter()
    with elapsed(f"{options.method} on {facts['rows']} rows, {facts['features']} features"):
        selector.fit(case.table, case.y, row_groups=case.row_groups)
    facts["seconds"] = round(time.perf_counter() - start, 3)
    write_answer(selector, paths, facts["table"], options.top)
    _print(selector, facts, options)
    if not options.json:
        say_written(paths)
    return 0


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


def _print(selector: Any, facts: dict[str, Any], options: argparse.Namespace) -> None:
    """The ranking, or the subsets of a search, as JSON or as a table."""
    from hetsel.shell.printing import print_json

    if is_path(selector):
        if options.json:
            print_json({**facts, **path_facts(selector)})
            return
        print_head(facts["method"], facts, facts["seconds"])
        print_path(selector, options.top)
        return
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
    print_head(facts["method"], facts, facts["seconds"])
    _print_ranking(ranking, options.top)
    if signature is not None:
        print(f"signature of size {len(signature)}: {', '.join(signature)}")
    if steps and steps[0].size == len(ranking):
        print("importance: at the step that dropped the feature; steps do not compare")


def _print_ranking(ranking: pd.DataFrame, top: int | None) -> None:
    shown = ranking if top is None else ranking.head(top)
    width = max(len("feature"), *map(len, shown["feature"]))
    print(f"{'rank':>4}  {'feature':<{width}}  {'kind':<10}  importance")
    for place, feature, kind, importance in shown.itertuples(index=False):
        print(f"{place:>4}  {feature:<{width}}  {kind:<10}  {importance:>10.4g}")
    if len(shown) < len(ranking):
        print(f"      ... and {len(ranking) - len(shown)} features more")
