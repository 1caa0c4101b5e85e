"""Print and write a ranking, or the subsets of a search."""

import math
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel.ground import Content, counted, listed, shown
from hetsel.ground.writing import csv
from hetsel.selection import SearchPath
from hetsel.shell.asked_target import target_line

INNER = "inner score: optimistic, since the search maximized it; performance on new rows is lower"


def is_path(selector: Any) -> bool:
    """Return whether a fitted selector has a separate subset for each size."""
    return isinstance(selector.answer_, SearchPath)


def answer_files(
    selector: Any, option: str, path: str, name: str, *, top: int | None, raw_text: bool
) -> dict[str | Path, Content]:
    """Return the file that an option writes."""
    if option == "save_schema":
        return {path: selector.schema_.to_json()}
    if option == "plot":
        return {path: _figure_file(selector, path, name, top)}
    frame: pd.DataFrame = selector.frame()
    if is_path(selector):
        frame = frame.rename(columns={"score": "inner_score"})
        frame["features"] = frame["features"].map("; ".join)
    return {path: table_file(frame, path, raw_text)}


def table_file(frame: pd.DataFrame, path: str, raw_text: bool) -> Content:
    """Return the content of a .csv or .tsv file, by the suffix of the path."""
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


def print_head(what: str, facts: dict[str, Any], seconds: float) -> None:
    """Print the line above a result."""
    scale = "" if facts["scale"] == "range" else f"scale {facts['scale']}, "
    weighted = f" weighted by {shown(facts['row_weights'])}" if "row_weights" in facts else ""
    print(
        f"{what}: {counted(facts['rows'], 'row')}{weighted}, "
        f"{counted(facts['features'], 'feature')}, "
        f"target {shown(facts['target'])} ({target_line(facts)}), {scale}{seconds:.2f} s"
    )


def path_facts(selector: Any) -> dict[str, Any]:
    """Return the result of a search for JSON."""
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
        "sampled": answer.sampled or None,
        "equal": equal,
        "path": rows,
        "moves": moves,
    }


def print_sample(selector: Any, rows: int, how: str = "") -> None:
    """Print how many rows the criterion used, if it used a sample."""
    if sampled := selector.answer_.sampled:
        said = f"; {how}" if how else ""
        print(f"criterion on a sample of {sampled:,} of {rows:,} rows{said}")


def print_path(selector: Any, top: int | None = None) -> None:
    """Print the subset of each size, and the chosen subset in full."""
    found = path_facts(selector)
    chosen = found["chosen_size"]
    print(f"{'size':>4}  {'inner score':>11}  features")
    for row in found["path"][:top]:
        mark = "*" if row["size"] == chosen else " "
        features = listed(row["features"], 8)
        print(f"{row['size']:>4}{mark} {row['inner_score']:>11.4g}  {features}")
    if top is not None and top < len(found["path"]):
        print(f"      ... and {counted(len(found['path']) - top, 'more size')}")
    for one in found["equal"] if len(found["equal"]) > 1 else ():
        features = ", ".join(map(shown, one["features"]))
        print(f"tied with the best within a proportion of {one['share']:g}: {features}")
    print(f"* signature of size {chosen}: {', '.join(map(shown, found['signature']))}")
    if found["stopped"]:
        print(f"the search stopped early: {found['stopped']}")
    if found["evaluations"]:
        several = "s" if found["evaluations"] > 1 else ""
        print(f"{found['evaluations']:,} subset{several} evaluated")
    if any(math.isfinite(row["inner_score"]) for row in found["path"]):
        print(INNER)
