"""The files that a command writes, refused before any work is done."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hetsel.ground.errors import TableError
from hetsel.shell.command_line import add_raw_text

SUFFIXES = {
    "out": (".csv", ".tsv"),
    "plot": (".png", ".svg", ".pdf"),
    "save_schema": (),
    "report": (".html", ".htm", ".md", ".markdown", ".docx"),
    "save": (".json",),
}


def output_paths(options: argparse.Namespace) -> dict[str, str]:
    """Files to write, by option.

    Raises
    ------
    TableError
        Another suffix, no such folder, or one file for two options.
    """
    paths: dict[str, str] = {}
    for option, legal in SUFFIXES.items():
        path = getattr(options, option, None)
        if not path:
            continue
        flag = "--" + option.replace("_", "-")
        if legal and Path(path).suffix.lower() not in legal:
            raise TableError(f"{flag} must end in {', '.join(legal)}. Got {path}")
        if not Path(path).absolute().parent.is_dir():
            raise TableError(f"{flag}: there is no folder {Path(path).absolute().parent}")
        if path in paths.values():
            raise TableError(f"{flag}: {path} is named twice")
        paths[option] = path
    return paths


def add_files(group: argparse._ArgumentGroup, out: str, plot: str) -> None:
    """Add the options that name the files to write."""
    group.add_argument("--out", metavar="FILE", help=f"write {out} to a .csv or .tsv file")
    add_raw_text(group)
    group.add_argument("--plot", metavar="FILE", help=f"draw {plot}: .png, .svg or .pdf")
    group.add_argument("--save-schema", metavar="FILE", help="write the schema as JSON")


def say_written(paths: dict[str, str]) -> None:
    """A line for each file."""
    for path in paths.values():
        print(f"wrote {path}", file=sys.stderr)
