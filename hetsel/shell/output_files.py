"""The files that a command writes: tried before any work is done, then written one by one."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hetsel.ground import Content, TableError, interrupted, need, write_files
from hetsel.ground.writing import try_writing

SUFFIXES = {  # in the order in which they are written: what takes longest is last
    "save": (".json",),
    "out": (".csv", ".tsv"),
    "save_schema": (),
    "plot": (".png", ".svg", ".pdf"),
    "report": (".html", ".htm", ".md", ".markdown", ".docx"),
}
Maker = Callable[[str, str], "Mapping[str | Path, Content]"]  # of an option and its path


def output_paths(options: argparse.Namespace) -> dict[str, str]:
    """Files to write, by option.

    Raises
    ------
    TableError
        Another suffix, no such folder, one file for two options or a file that the command reads,
        or a package is missing.
    OSError
        A file cannot be written.
    """
    paths: dict[str, str] = {}
    for option, legal in SUFFIXES.items():
        path = getattr(options, option, None)
        if not path:
            continue
        flag = "--" + option.replace("_", "-")
        if legal and Path(path).suffix.lower() not in legal:
            raise TableError(f"{flag} must end in {', '.join(legal)}. Got {path}")
        if not Path(path).parent.is_dir():
            raise TableError(f"{flag}: there is no folder {Path(path).absolute().parent}")
        refuse_path_twice(flag, path, paths)
        for read in _read(options):
            if Path(path).exists() and Path(path).samefile(read):
                raise TableError(f"{flag}: {path} is read by this command: name another file")
        need_packages(option, Path(path).suffix.lower())
        paths[option] = path
    try_writing(paths.values())
    return paths


def refuse_path_twice(flag: str, path: str, paths: Mapping[str, str]) -> None:
    """Refuse a path that another option names, in whatever spelling.

    Raises
    ------
    TableError
    """
    if any(_is_one(Path(path), Path(other)) for other in paths.values()):
        raise TableError(f"{flag}: {path} is named twice")


def _is_one(path: Path, other: Path) -> bool:
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.name == other.name and path.parent.samefile(other.parent)


def _read(options: argparse.Namespace) -> Iterator[str]:
    """Files that a command reads and that are not to be written over."""
    for option in ("table", "model", "schema"):
        named = getattr(options, option, None) or []
        yield from filter(os.path.exists, [named] if isinstance(named, str) else named)


def need_packages(option: str, suffix: str) -> None:
    """Refuse a file that needs a package which is not installed."""
    if option in ("plot", "report"):
        need("matplotlib")
    if option == "report" and not suffix.startswith(".m"):
        need("docx" if suffix == ".docx" else "jinja2")


@contextmanager
def written(paths: Mapping[str, str], make: Maker, *, quiet: bool = False) -> Iterator[None]:
    """What is printed inside, then the files: also where the reader, such as `head`, has gone."""
    try:
        yield
    finally:
        write_outputs(paths, make, quiet=quiet)


def write_outputs(paths: Mapping[str, str], make: Maker, *, quiet: bool = False) -> None:
    """Write the files of each option; what cannot be written keeps nothing else from it.

    Parameters
    ----------
    paths : mapping of option to path
    make : callable
        From an option and its path the contents of its files, the path itself among them.
    quiet : bool
        No line for each file.

    Raises
    ------
    Exception
        The first that came, when all else has been tried.
    """
    failed: list[Exception] = []
    for option, path in paths.items():
        try:
            write_files(make(option, path))
        except Exception as reason:
            if interrupted(reason):
                raise
            failed.append(reason)
            continue
        if not quiet:
            print(f"wrote {path}", file=sys.stderr)
    if failed:
        raise failed[0]
