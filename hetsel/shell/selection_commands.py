"""What the commands that select features share: the table, the options, the output."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hetsel.ground.errors import Fix, TableError
from hetsel.shell.command_line import add_raw_text

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from hetsel.ground.writing import Content
    from hetsel.selection.answer import SearchPath
    from hetsel.tables.table import Table

WORDS = ("copies", "rows")  # in place of a column of row groups
INNER = (
    "inner score: the search looked for its largest value; rows outside the search do worse than it"
)


def add_fitting(group: argparse._ArgumentGroup, *, weights: str = "") -> None:
    """Add the options that every selector has; weights of rows, where it is said what they do."""
    group.add_argument(
        "--row-groups",
        metavar="COLUMN",
        help="rows with one value of this column are held out together; it is no feature. Where no "
        "column has that name: copies groups equal and nearly equal rows, rows takes each as one "
        "of its own",
    )
    if weights:
        group.add_argument(
            "--row-weights",
            metavar="COLUMN",
            help="weights of the rows, numbers above 0, for the methods that weigh rows: rfe-mkl, "
            f"rfe-svm, rfe-svm-printed; {weights}; it is no feature",
        )
    group.set_defaults(row_weights=None)
    group.add_argument(
        "--missing",
        choices=("impute", "separate", "error"),
        default="impute",
        help="fill in missing cells (default), keep missing as a value of its own, or refuse",
    )
    group.add_argument(
        "--scale",
        choices=("range", "quantile", "robust"),
        default="range",
        help="what continuous columns are measured by: their range (default), which one cell can "
        "stretch, the share of the rows below, or the range of the middle 90 %% of the rows",
    )
    group.add_argument(
        "--drop-unlabeled", action="store_true", help="leave out rows whose target is missing"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="default 0")


def add_size(group: argparse._ArgumentGroup, what: str) -> None:
    """Add the options that say how many features."""
    group.add_argument(
        "--size",
        type=_size,
        metavar="K",
        help=f"{what}; auto chooses the size by inner resamplings, which takes ten times as long",
    )
    group.add_argument(
        "--size-rule",
        choices=("one-se", "knee", "equal"),
        help="of --size auto: the smallest size within one standard error of the best (default), "
        "where the curve bends, or the smallest within 1%% of the best",
    )


def _size(text: str) -> int | str:
    if text == "auto":
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, or auto. Got {text!r}") from None


def fixed_size(options: argparse.Namespace) -> int | None:
    """The size that the options name; None where there is none yet."""
    if options.size_rule is not None and options.size != "auto":
        raise TableError("--size-rule needs --size auto")
    return None if options.size == "auto" else options.size


def settle_size(selector: Any, case: Case, options: argparse.Namespace) -> dict[str, Any] | None:
    """Choose the size of a fitted selector where the options leave it open; what is said of it."""
    if options.size != "auto":
        return None
    from hetsel.judging.size_rules import choose_size

    rule = options.size_rule or "one-se"
    choice = choose_size(selector, case.table, case.y, rule, groups=case.row_groups)
    selector.size_ = choice.size
    means = choice.means.tolist()
    return {
        "size": choice.size,
        "rule": rule,
        "classifier": choice.classifier,
        "resamplings": len(choice.scores),
        "inner_score": choice.inner_score,
        "best_inner_score": max(means),
        "sizes": list(choice.sizes),
        "inner_scores": means,
    }


def print_choice(choice: dict[str, Any] | None) -> None:
    """How a size was chosen."""
    if choice is None:
        return
    print(
        f"size {choice['size']} by the rule {choice['rule']}: inner score "
        f"{choice['inner_score']:.3f} (the best of {len(choice['sizes'])} sizes: "
        f"{choice['best_inner_score']:.3f}), {choice['classifier']} on the rows held out of "
        f"{choice['resamplings']} inner resamplings; it chose the size, new rows do worse"
    )


def add_files(group: argparse._ArgumentGroup, out: str, plot: str) -> None:
    """Add the options that name the files to write."""
    group.add_argument("--out", metavar="FILE", help=f"write {out} to a .csv or .tsv file")
    add_raw_text(group)
    group.add_argument("--plot", metavar="FILE", help=f"draw {plot}: .png, .svg or .pdf")
    group.add_argument("--save-schema", metavar="FILE", help="write the schema as JSON")


@dataclass(frozen=True)
class Case:
    """A table with its target, and what there is to say of it.

    Parameters
    ----------
    table : Table
    y : Series or Numbers
    row_groups : Series, "copies" or "rows", optional
    facts : dict
        For the output.
    row_weights : ndarray of shape (n,), optional
    """

    table: Table
    y: Any
    row_groups: pd.Series | str | None
    facts: dict[str, Any]
    row_weights: np.ndarray | None = None


def read_case(options: argparse.Namespace) -> Case:
    """The table that the options name; notes on its columns go to stderr."""
    import numpy as np
    import pandas as pd

    from hetsel.shell.printed_cautions import print_cautions
    from hetsel.shell.table_reading import encoded, read
    from hetsel.shell.target_options import asked_target, target_facts
    from hetsel.tables.validation import weights_in_column

    frame, target, name = read(options)
    X, cells = _features_and_target(frame, target, options.drop_unlabeled)
    y = asked_target(cells, options)
    roles = _columns_of_rows(options, list(frame.columns), target)
    weighed = None if roles["--row-weights"] is None else X[roles["--row-weights"]]
    groups = None if (word := roles["--row-groups"]) is None else X.get(word, word)
    if isinstance(groups, pd.Series) and (gaps := int(groups.isna().sum())):
        raise TableError(f"--row-groups: {groups.name!r} is missing in {gaps} of {len(y)} rows")
    weights = None
    if weighed is not None:
        weights = weights_in_column("--row-weights", repr(weighed.name), weighed)
    X = X.drop(columns=[column for column in roles.values() if column in X])
    table = encoded(X, options)
    _print_notes(table, options.missing)
    facts = {
        "table": name,
        "target": target,
        "rows": len(X),
        "features": X.shape[1],
        **target_facts(y),
        "missing_cells": int(np.isnan(table.values).sum()),
        "missing": options.missing,
        "scale": options.scale,
        "cautions": print_cautions(table, y, options.scale, groups),
    }
    if weights is not None:
        facts["row_weights"] = roles["--row-weights"]
    return Case(table, y, groups, facts, weights)


def _columns_of_rows(
    options: argparse.Namespace, names: list[str], target: str | None
) -> dict[str, str | None]:
    """The columns that say something of the rows, by the option that names each."""
    from hetsel.tables.names import find_column

    roles: dict[str, str | None] = {}
    taken = {target: "--target"}
    given = {"--row-groups": options.row_groups, "--row-weights": options.row_weights}
    for option, name in given.items():
        roles[option] = None
        if option == "--row-groups" and name in WORDS and name not in names:
            roles[option] = name
        elif name is not None:
            column = find_column(names, name, option=option)
            if column in taken:
                raise TableError(f"{column!r} is both {taken[column]} and {option}")
            roles[option], taken[column] = column, option
    return roles


def _features_and_target(
    frame: pd.DataFrame, target: str | None, drop_unlabeled: bool
) -> tuple[pd.DataFrame, Any]:
    from hetsel.ground.text import counted, listed, shown
    from hetsel.tables.names import ALL

    if target is None:
        raise TableError(f"--target is needed; the columns are {listed(frame.columns, ALL)}")
    gaps = frame[target].isna()
    if n_missing := int(gaps.sum()):
        if not drop_unlabeled:
            raise TableError(
                f"the target {target!r} is missing in {n_missing} of {len(frame)} rows",
                Fix("drop_unlabeled", True, "leaves them out"),
            )
        rows = counted(n_missing, "row")
        print(f"hetsel: note: {rows} without a {shown(target)} left out", file=sys.stderr)
    labeled = frame[~gaps]
    return labeled.drop(columns=target), labeled[target]


def _print_notes(table: Table, missing: str) -> None:
    """What is open about the columns, and what becomes of missing cells."""
    import numpy as np

    from hetsel.ground.text import listed
    from hetsel.shell.error_wording import in_shell
    from hetsel.tables.column import open_questions

    for names, note in open_questions(table.schema.columns):
        print(f"hetsel: note: {listed(names)}: {note.in_words(in_shell)}", file=sys.stderr)
    gaps = np.isnan(table.values)
    if gaps.any() and missing != "error":
        where = listed(table.names[j] for j in np.flatnonzero(gaps.any(axis=0)))
        done = "filled in" if missing == "impute" else "kept as a value of their own"
        print(f"hetsel: note: {int(gaps.sum())} missing cells {done}: {where}", file=sys.stderr)


def columns_of(option: str, texts: list[str], names: list[str]) -> list[str]:
    """Names of the columns that an option names."""
    from hetsel.shell.table_reading import split_names
    from hetsel.tables.names import find_column

    return [find_column(names, given, option) for given in split_names(texts, names)]


def is_path(selector: Any) -> bool:
    """Whether a fitted selector has a subset of its own for each size."""
    from hetsel.selection.answer import SearchPath

    return isinstance(selector.answer_, SearchPath)


def write_answer(
    selector: Any,
    paths: dict[str, str],
    name: str,
    *,
    top: int | None = None,
    raw_text: bool = False,
) -> None:
    """Write the files that the options name."""
    from hetsel.ground.writing import write_files

    contents: dict[str | Path, Content] = {}
    for option, path in paths.items():
        if option == "out":
            contents[path] = _table_file(selector, path, raw_text)
        elif option == "save_schema":
            contents[path] = selector.schema_.to_json()
        else:
            contents[path] = _figure_file(selector, path, name, top)
    write_files(contents)


def _table_file(selector: Any, path: str, raw_text: bool) -> Content:
    from hetsel.ground.writing import csv

    frame = selector.frame()
    if is_path(selector):
        frame = frame.rename(columns={"score": "inner_score"})
        frame["features"] = frame["features"].map("; ".join)
    separator = "\t" if Path(path).suffix.lower() == ".tsv" else ","
    return csv(frame, separator, spreadsheet_safe=not raw_text)


def _figure_file(selector: Any, path: str, name: str, top: int | None) -> Content:
    from hetsel.report.figures.figure_style import figure_file, house_style

    with house_style():
        if is_path(selector):
            from hetsel.report.figures.search_path_figure import plot_path

            figure: Any = plot_path(selector, top=30 if top is None else top, data=name)
        else:
            from hetsel.report.figures.ranking_figure import plot_ranking

            figure = plot_ranking(selector, top=15 if top is None else top, data=name)
        return figure_file(figure, Path(path).suffix)


def say_written(paths: dict[str, str]) -> None:
    """A line for each file."""
    for path in paths.values():
        print(f"wrote {path}", file=sys.stderr)


def print_head(what: str, facts: dict[str, Any], seconds: float) -> None:
    """The line above a result."""
    from hetsel.ground.text import shown
    from hetsel.shell.target_options import target_line

    scale = "" if facts["scale"] == "range" else f"scale {facts['scale']}, "
    weighted = f" weighted by {shown(facts['row_weights'])}" if "row_weights" in facts else ""
    print(
        f"{what}: {facts['rows']} rows{weighted}, {facts['features']} features, "
        f"target {shown(facts['target'])} ({target_line(facts)}), {scale}{seconds:.2f} s"
    )


def path_facts(selector: Any) -> dict[str, Any]:
    """A search's answer, for JSON."""
    answer: SearchPath = selector.answer_
    names = selector.schema_.names
    size = selector.size_

    def named(features: Any) -> list[str]:
        return [names[j] for j in features]

    rows = [
        {"size": s, "inner_score": answer.score(s), "features": named(answer.signature(s))}
        for s in answer.sizes
    ]
    moves = [
        {
            "size": move.size,
            "inner_score": move.score,
            "added": named(move.added),
            "removed": named(move.removed),
        }
        for move in answer.moves
    ]
    equal = [{"share": tau, "features": named(subset)} for tau, subset in answer.equal.items()]
    return {
        "signature": named(answer.signature(size)),
        "chosen_size": size,
        "inner_score": answer.score(size),
        "evaluations": len(answer.evaluated),
        "stopped": answer.stopped,
        "equal": equal,
        "path": rows,
        "moves": moves,
    }


def print_path(selector: Any, top: int | None = None) -> None:
    """A search's subsets, one line each size; the chosen one in full."""
    import math

    from hetsel.ground.text import listed, shown

    found = path_facts(selector)
    chosen = found["chosen_size"]
    print(f"{'size':>4}  {'inner score':>11}  features")
    for row in found["path"][:top]:
        mark = "*" if row["size"] == chosen else " "
        features = listed(row["features"], 8)
        print(f"{row['size']:>4}{mark} {row['inner_score']:>11.4g}  {features}")
    if top is not None and top < len(found["path"]):
        print(f"      ... and {len(found['path']) - top} sizes more")
    for one in found["equal"] if len(found["equal"]) > 1 else ():
        print(f"treated as equal, share {one['share']:g}: {', '.join(map(shown, one['features']))}")
    print(f"* signature of size {chosen}: {', '.join(map(shown, found['signature']))}")
    if found["stopped"]:
        print(f"the search was ended before its time: {found['stopped']}")
    if found["evaluations"]:
        print(f"{found['evaluations']:,} subsets evaluated")
    if any(math.isfinite(row["inner_score"]) for row in found["path"]):
        print(INNER)
