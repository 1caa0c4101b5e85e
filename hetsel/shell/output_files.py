"""Check the files that a command will write before its work, then write them."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hetsel.ground import Content, TableError, interrupted, need, write_files
from hetsel.ground.writing import try_writing

SUFFIXES = {  # in the order of writing: the slowest is last
    "save": (".json",),
    "out": (".csv", ".tsv"),
    "save_schema": (),
    "plot": (".png", ".svg", ".pdf"),
    "report": (".html", ".htm", ".md", ".markdown", ".docx"),
}
Maker = Callable[[str, str], "Mapping[str | Path, Content]"]  # of an option and its path


def output_paths(options: argparse.Namespace) -> dict[str, str]:
    """Return the files to write, by option.

    Raises
    ------
    TableError
        The suffix is not supported, the folder does not exist, two options name the same file, the
        command reads the file, or a package is missing.
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
            raise TableError(
                f"{flag} must be in a folder that exists. Got {Path(path).absolute().parent}"
            )
        refuse_path_twice(flag, path, paths)
        for read in _read(options):
            if Path(path).exists() and Path(path).samefile(read):
                raise TableError(f"{flag} must not name a file that the command reads. Got {path}")
        need_packages(option, Path(path).suffix.lower())
        paths[option] = path
    try_writing(paths.values())
    return paths


def refuse_path_twice(flag: str, path: str, paths: Mapping[str, str]) -> None:
    """Refuse a path that another option names, in any spelling.

    Raises
    ------
    TableError
    """
    if any(_is_one(Path(path), Path(other)) for other in paths.values()):
        raise TableError(f"{flag} must not name the file of another option. Got {path}")


def _is_one(path: Path, other: Path) -> bool:
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.name == other.name and path.parent.samefile(other.parent)


def _read(options: argparse.Namespace) -> Iterator[str]:
    """Yield the files that a command reads and must not overwrite."""
    for option in ("table", "model", "schema"):
        named = getattr(options, option, None) or []
        yield from filter(os.path.exists, [named] if isinstance(named, str) else named)


def need_packages(option: str, suffix: str) -> None:
    """Raise an error if a file needs a package that is not installed."""
    if option in ("plot", "report"):
        need("matplotlib")
    if option == "report" and not suffix.startswith(".m"):
        need("docx" if suffix == ".docx" else "jinja2")


@contextmanager
def written(paths: Mapping[str, str], make: Maker, *, quiet: bool = False) -> Iterator[None]:
    """Run the block that prints, then write the files, even if the reader closed the pipe."""
    try:
        yield
    finally:
        write_outputs(paths, make, quiet=quiet)


def write_outputs(paths: Mapping[str, str], make: Maker, *, quiet: bool = False) -> None:
    """Write the files of each option; an error in one file does not prevent the others.

    Parameters
    ----------
    paths : mapping of option to path
    make : callable
        Function of an option and its path that returns the contents of the files.
    quiet : bool
        Whether to print no line for each file.

    Raises
    ------
    Exception
        The first error, after all files were tried.
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
