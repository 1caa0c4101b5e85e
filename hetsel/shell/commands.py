"""What the commands of the shell do; the command line itself is in hetsel.shell.main."""

from __future__ import annotations

import argparse
import json
import math
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.errors import TableError
from hetsel.shell.shell_words import in_shell
from hetsel.tables.column import open_questions
from hetsel.tables.names import find_column
from hetsel.tables.table import Schema, Table
from hetsel.text import listed
from hetsel.writing import Content, Writer, csv, write_files


def inspect(options: argparse.Namespace) -> int:
    """What each column is taken for, what is open, missing cells and class counts."""
    frame, target, name = _read(options)
    y = None
    if target is not None:
        y = frame[target]
        frame = frame.drop(columns=target)
    schema = _schema(frame, options)
    table = schema.encode(frame)
    counts = {} if y is None else {str(k): int(v) for k, v in y.value_counts().items()}
    n_unlabeled = 0 if y is None else int(y.isna().sum())
    if options.json:
        missing = np.isnan(table.values).sum(axis=0)
        columns = [
            {
                **entry,
                "note": "" if c.note is None else c.note.in_words(in_shell),
                "missing": int(m),
            }
            for entry, c, m in zip(
                schema.to_dict()["columns"], schema.columns, missing, strict=True
            )
        ]
        shape = {"rows": len(frame), "columns": columns, "missing": int(missing.sum())}
        about = {"target": target, "classes": counts, "unlabeled": n_unlabeled}
        _print_json({"table": name, **shape, **about})
    else:
        print(table.summary(face=in_shell))
        print(f"missing cells: {int(np.isnan(table.values).sum())}")
        if y is not None:
            print(f"target {target}: " + _class_line(counts, n_unlabeled))
    if options.save_schema:
        write_files({options.save_schema: schema.to_json()})
    return 0


def rank(options: argparse.Namespace) -> int:
    """Rank the features; print, write and draw the ranking."""
    writers = _check_outputs(options)
    frame, target, name = _read(options)
    if target is None:
        raise TableError(f"--target is needed; the columns are {listed(frame.columns)}")
    y, X = frame[target], frame.drop(columns=target)
    if n_missing := int(y.isna().sum()):
        raise TableError(
            f"the target {target!r} is missing in {n_missing} of {len(y)} rows: "
            "take them out of the file"
        )
    schema = _schema(X, options)
    selector = _method(options, schema)
    table = schema.encode(X)
    _print_notes(table, options)
    start = time.perf_counter()
    with _elapsed(f"{options.method} on {len(X)} rows, {X.shape[1]} features"):
        selector.fit(X, y)
    seconds = time.perf_counter() - start
    ranking = selector.frame()
    n_filled = int(np.isnan(table.values).sum())
    counts = dict(zip(*np.unique(y.astype(str), return_counts=True), strict=True))
    about = {
        "method": options.method,
        "table": name,
        "target": target,
        "rows": len(X),
        "features": X.shape[1],
        "classes": {str(k): int(v) for k, v in counts.items()},
        "missing_cells": n_filled,
        "missing": options.missing,
        "seconds": round(seconds, 3),
    }
    separator = "\t" if Path(options.out or "").suffix.lower() == ".tsv" else ","
    outputs: dict[str, Content] = {
        "out": csv(ranking, separator),
        "save_schema": schema.to_json(),
    }
    if options.plot:
        outputs["plot"] = _draw(selector, options, name)
    write_files({path: outputs[option] for option, path in writers.items()})
    if options.json:
        rows = {"ranking": ranking.to_dict("records"), "trace": _trace(selector)}
        _print_json({**about, "signature": _signature(selector, options), **rows})
    else:
        _print_ranking(ranking, about, options, _signature(selector, options))
        if selector.answer_.steps and selector.answer_.steps[0].size == len(ranking):
            print("importance: at the step that dropped the feature; steps do not compare")
        for path in writers.values():
            print(f"wrote {path}", file=sys.stderr)
    return 0


def methods(options: argparse.Namespace) -> int:
    """The catalogue of methods."""
    from hetsel.methods.registry import method_table

    catalogue = method_table()
    if options.json:
        _print_json({"methods": catalogue.to_dict("records")})
        return 0
    width = int(catalogue["key"].str.len().max()) + 2
    indent = " " * width
    for row in catalogue.astype(str).to_dict("records"):
        mixed = "nominal" in row["takes"] and "continuous" in row["takes"]
        facts = [
            row["family"],
            "mixed columns" if mixed else f"{row['takes']} columns",
            "two or more classes" if row["targets"] == "classes" else f"{row['targets']} targets",
        ]
        if row["requires"]:
            facts.append(f"needs hetsel[{row['requires']}]")
        print(textwrap.fill(f"{row['key']:<{width}}{row['title']}", 96, subsequent_indent=indent))
        for line in ("; ".join(facts), row["paper"]):
            if line:
                print(textwrap.fill(line, 96, initial_indent=indent, subsequent_indent=indent))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """What works here and what does not."""
    from hetsel.shell import doctor as checking  # the module

    findings = checking.examine()
    if options.json:
        _print_json({"ok": checking.core_works(findings), "checks": [vars(f) for f in findings]})
    else:
        print(checking.report(findings))
    return 0 if checking.core_works(findings) else 1


def _read(options: argparse.Namespace) -> tuple[pd.DataFrame, str | None, str]:
    """The table of a command without the dropped columns, the target, and the table's name."""
    from hetsel import datasets
    from hetsel.files import reading as files

    target = options.target
    known = (*datasets.LOADERS, *datasets.NOT_PUBLIC)
    bundled = options.table in known and not Path(options.table).exists()
    if bundled:
        data = datasets.load(options.table)
        frame, name = data.frame, data.name
        target = str(data.y.name) if target is None else target
    else:
        separator = options.separator
        frame = files.read_table(
            options.table,
            separator="\t" if separator == r"\t" else separator,
            encoding=options.encoding,
            decimal=options.decimal,
            header=None if options.header is None else options.header == "yes",
            missing_marks=(*files.MISSING_MARKS, *options.missing_mark),
        )
        name = Path(options.table).name
        if "separator" in frame.attrs:
            shown = files.SEPARATORS[frame.attrs["separator"]]
            print(f"hetsel: note: {name}: cells separated by {shown}", file=sys.stderr)
    frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
    names = list(frame.columns)
    if target is not None:
        target = find_column(names, target, option="--target")
    dropped = {find_column(names, given, option="--drop") for given in _split(options.drop, names)}
    if target in dropped:
        raise TableError(f"{target!r} is both --target and in --drop")
    return frame.drop(columns=list(dropped)), target, name


def _split(texts: list[str], names: list[str]) -> list[str]:
    """Column names of an option; a comma separates them unless it belongs to a name."""
    given = []
    for text in texts:
        given += [text] if text in names else [part for part in text.split(",") if part]
    return given


def _schema(frame: pd.DataFrame, options: argparse.Namespace) -> Schema:
    """What the columns are: from a saved schema, or inferred with the options."""
    names = list(frame.columns)
    if options.schema:
        if options.nominal or options.ordinal or options.continuous:
            raise TableError("--schema settles every column: leave the other kinds out")
        return _load_schema(options.schema, names)
    ordinal: dict[str, list[str] | None] = {}
    for text in options.ordinal:
        column, mark, order = text.partition("=") if text not in names else (text, "", "")
        column = find_column(names, column, option="--ordinal")
        ordinal[column] = [level.strip() for level in order.split("<")] if mark else None
    return Schema.infer(
        frame,
        nominal=_split(options.nominal, names),
        ordinal=ordinal,
        continuous=_split(options.continuous, names),
    )


def _load_schema(path: str, names: list[str]) -> Schema:
    schema = Schema.load(path)
    unknown = [name for name in names if name not in schema.names]
    if unknown:
        raise TableError(
            f"{path} does not know {len(unknown)} columns of the table: {listed(unknown)}. "
            "Leave them out with --drop"
        )
    return schema


def _method(options: argparse.Namespace, schema: Schema) -> Any:
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
    return method(
        size=options.size,
        schema=schema,
        missing=options.missing,
        random_state=options.seed,
        **given,
    )


def _signature(selector: Any, options: argparse.Namespace) -> list[str] | None:
    if options.size is None:
        return None
    names = selector.schema_.names
    return [names[j] for j in selector.signature()]


def _print_notes(table: Table, options: argparse.Namespace) -> None:
    for names, note in open_questions(table.schema.columns):
        print(f"hetsel: note: {listed(names)}: {note.in_words(in_shell)}", file=sys.stderr)
    gaps = np.isnan(table.values)
    if gaps.any() and options.missing != "error":
        where = listed(table.names[j] for j in np.flatnonzero(gaps.any(axis=0)))
        done = "filled in" if options.missing == "impute" else "kept as a value of their own"
        print(f"hetsel: note: {int(gaps.sum())} missing cells {done}: {where}", file=sys.stderr)


def _print_ranking(
    ranking: pd.DataFrame,
    about: dict[str, Any],
    options: argparse.Namespace,
    signature: list[str] | None,
) -> None:
    print(
        f"{about['method']}: {about['rows']} rows, {about['features']} features, "
        f"target {about['target']} ({_class_line(about['classes'])}), {about['seconds']:.2f} s"
    )
    shown = ranking if options.top is None else ranking.head(options.top)
    width = max(len("feature"), *map(len, shown["feature"]))
    print(f"{'rank':>4}  {'feature':<{width}}  {'kind':<10}  importance")
    for place, feature, kind, importance in shown.itertuples(index=False):
        print(f"{place:>4}  {feature:<{width}}  {kind:<10}  {importance:>10.4g}")
    if len(shown) < len(ranking):
        print(f"      ... and {len(ranking) - len(shown)} features more")
    if signature is not None:
        print(f"signature of size {len(signature)}: {', '.join(signature)}")


def _class_line(counts: dict[str, int], n_unlabeled: int = 0) -> str:
    text = listed((f"{label} {count}" for label, count in sorted(counts.items())), 8)
    return text + (f"; missing in {n_unlabeled} rows" if n_unlabeled else "")


def _trace(selector: Any) -> list[dict[str, Any]]:
    names = selector.schema_.names
    steps = selector.answer_.steps
    return [{**vars(step), "features": [names[j] for j in step.features]} for step in steps]


def _print_json(content: dict[str, Any]) -> None:
    print(json.dumps(_plain(content), indent=1, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    """A value that JSON knows: NaN and infinities become null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _check_outputs(options: argparse.Namespace) -> dict[str, str]:
    """Files to write, by option; refused before any work is done."""
    suffixes = {"out": (".csv", ".tsv"), "plot": (".png", ".svg", ".pdf"), "save_schema": None}
    writers: dict[str, str] = {}
    for option, legal in suffixes.items():
        path = getattr(options, option)
        if not path:
            continue
        flag = "--" + option.replace("_", "-")
        if legal and Path(path).suffix.lower() not in legal:
            raise TableError(f"{flag} must end in {', '.join(legal)}. Got {path}")
        if not Path(path).absolute().parent.is_dir():
            raise TableError(f"{flag}: there is no folder {Path(path).absolute().parent}")
        if path in writers.values():
            raise TableError(f"{flag}: {path} is named twice")
        writers[option] = path
    if options.top is not None and options.top < 1:
        raise TableError(f"--top must be at least 1. Got {options.top}")
    return writers


def _draw(selector: Any, options: argparse.Namespace, name: str) -> Writer:
    from hetsel.report.figures import picture, plot_ranking

    top = 15 if options.top is None else options.top
    axes = plot_ranking(selector, top=top, data=name)
    return picture(axes, Path(options.plot).suffix)


@contextmanager
def _elapsed(what: str) -> Iterator[None]:
    """A line on the terminal that counts the seconds; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def count() -> None:
        start = time.perf_counter()
        while not done.wait(0.5):
            seconds = time.perf_counter() - start
            print(f"\r{what}: {seconds:.0f} s ", end="", file=sys.stderr, flush=True)

    clock = threading.Thread(target=count, daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
