"""A command with its place on the command line; only argparse is loaded here."""

import argparse
from collections.abc import Callable
from typing import Any


def add_command(
    commands: Any,
    name: str,
    summary: str,
    run: Callable[[argparse.Namespace], int] | None = None,
    *,
    description: str = "",
    epilog: str = "",
) -> argparse.ArgumentParser:
    """Add a command to a parser; `run` gets its options and returns the exit code."""
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=description or summary[0].upper() + summary[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if run is not None:
        command.set_defaults(run=run)
    return command


def add_json(command: argparse.ArgumentParser) -> None:
    """Add the option --json."""
    command.add_argument("--json", action="store_true", help="print JSON on stdout")


def add_dask(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    """Add the option --dask."""
    group.add_argument(
        "--dask", metavar="ADDRESS", help="an existing Dask cluster, e.g. tcp://host:8786"
    )


def add_trust(command: argparse.ArgumentParser) -> None:
    """Add the option --trust-edited of a saved signature."""
    command.add_argument(
        "--trust-edited",
        action="store_true",
        help="load a MODEL that was changed after it was written; without this it is refused",
    )


def add_raw_text(command: Any) -> None:
    """Add the option --raw-text."""
    command.add_argument(
        "--raw-text",
        action="store_true",
        help="write names that begin with = + - @ as they are; without this an apostrophe before "
        "them keeps spreadsheets from running them, and is taken away where hetsel reads the file",
    )
