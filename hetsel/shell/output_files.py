"""The files that a command writes, refused before any work is done."""

from __future__ import annotations

import argparse
from pathlib import Path

from hetsel.ground.errors import TableError

SUFFIXES = {
    "out": (".csv", ".tsv"),
    "plot": (".png", ".svg", ".pdf"),
    "save_schema": (),
    "report": (".html", ".htm"),
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
