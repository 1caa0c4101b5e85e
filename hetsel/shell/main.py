"""The shell command: hetsel inspect | rank | methods | study | doctor.

Only argparse is loaded before a command is known, so that `hetsel --help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hetsel import __version__
from hetsel.errors import Face, Told
from hetsel.shell.shell_words import in_plan, in_shell
from hetsel.shell.study import add_study

ABOUT = "Select features in tables that mix continuous and categorical columns."
EPILOG = """\
examples:
  hetsel inspect patients.csv --target relapse
  hetsel rank patients.csv --target relapse --method rfe-mkl --out ranking.csv
  hetsel rank heart --top 5 --plot ranking.png     (a table that comes with hetsel)

exit codes: 0 done; 1 the table, the target or an option cannot be used (one sentence on
stderr says why); 2 the command line is wrong; 130 interrupted. Results go to stdout, or to
the files named; notes and errors go to stderr. Files are written whole or not at all.
"""
FILES = """\
A .csv, .tsv, .txt, .data or .arff file (.gz may follow), a .parquet file, or the name of a
data set: heart comes with hetsel; arrhythmia, bands, hepatitis, housing and van-t-veer are
read from the folder HETSEL_DATA or downloaded once. Empty cells, NA, N/A, NaN, nan, ?, null
and NULL mean missing.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    options = parse(arguments)
    face = in_plan if options.command == "study" else in_shell
    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_show_warning, face)
            if not sys.warnoptions:
                warnings.simplefilter("default")
            code = int(options.run(options))
            sys.stdout.flush()
            _say_not_kept()
            return code
    except KeyboardInterrupt:
        print("hetsel: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, ImportError, MemoryError, RuntimeError) as reason:
        if os.environ.get("HETSEL_TRACEBACK"):
            raise
        print(f"hetsel: error: {_one_line(reason, face)}", file=sys.stderr)
        return 1


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of a command line; a wrong one ends the program with 2."""
    return _parser().parse_args(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="hetsel",
        description=ABOUT,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hetsel {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="command"
    )
    inspect = _command(commands, "inspect", "what hetsel takes each column for", "inspect", FILES)
    _add_table_options(inspect)
    inspect.add_argument("--save-schema", metavar="FILE", help="write the schema as JSON")
    rank = _command(commands, "rank", "rank the features of a table", "rank", FILES)
    _add_table_options(rank)
    _add_rank_options(rank)
    _command(commands, "methods", "the catalogue of selection methods", "methods")
    _command(commands, "doctor", "check Python, the packages and R; one fix per fault", "doctor")
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="print JSON on stdout")
    add_study(commands)
    return parser


def _command(
    commands: Any, name: str, summary: str, action: str, epilog: str = ""
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=_action(action))
    return command


def _action(name: str) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        from hetsel.shell import commands

        return int(getattr(commands, name)(options))

    return run


def _add_table_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("table", metavar="TABLE", help="a file, or the name of a bundled table")
    command.add_argument("--target", metavar="NAME", help="the column with the class of each row")
    table = command.add_argument_group("what the columns are")
    for kind, meaning in (("nominal", "levels without order"), ("continuous", "numbers, dates")):
        table.add_argument(
            f"--{kind}", metavar="A,B", action="append", default=[], help=f"columns of {meaning}"
        )
    table.add_argument(
        "--ordinal",
        metavar="'A=I<II<III'",
        action="append",
        default=[],
        help="a column of ordered levels; A alone if it holds numbers",
    )
    table.add_argument(
        "--drop", metavar="A,B", action="append", default=[], help="columns to leave out"
    )
    table.add_argument("--schema", metavar="FILE", help="take the kinds from a saved schema")
    reading = command.add_argument_group("how the file is read")
    reading.add_argument(
        "--separator", metavar="SEP", help=r"what separates the cells: , ; \t or ' '"
    )
    reading.add_argument("--encoding", metavar="NAME", help="encoding, e.g. latin-1")
    reading.add_argument("--decimal", choices=(".", ","), default=".", help="decimal mark")
    reading.add_argument(
        "--header", choices=("yes", "no"), help="whether the first line names the columns"
    )
    reading.add_argument(
        "--missing-mark",
        metavar="TEXT",
        action="append",
        default=[],
        help="a further mark of a missing cell",
    )


def _add_rank_options(command: argparse.ArgumentParser) -> None:
    method = command.add_argument_group("the ranking")
    method.add_argument(
        "--method", default="rfe-mkl", metavar="KEY", help="see `hetsel methods`; default rfe-mkl"
    )
    method.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_parameter,
        help="a parameter of the method, e.g. C=1.0",
    )
    method.add_argument("--size", type=int, metavar="K", help="name the signature of size K, too")
    method.add_argument(
        "--missing",
        choices=("impute", "separate", "error"),
        default="impute",
        help="fill in missing cells (default), keep missing as a value of its own, or refuse",
    )
    method.add_argument("--seed", type=int, default=0, metavar="N", help="default 0")
    output = command.add_argument_group("the output")
    output.add_argument("--top", type=int, metavar="K", help="print the best K features only")
    output.add_argument("--out", metavar="FILE", help="write all ranks to a .csv or .tsv file")
    output.add_argument("--plot", metavar="FILE", help="draw the ranking: .png, .svg or .pdf")
    output.add_argument("--save-schema", metavar="FILE", help="write the schema as JSON")


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


def _one_line(reason: BaseException, face: Face) -> str:
    if isinstance(reason, MemoryError):
        return "not enough memory for this table"
    if isinstance(reason, OSError) and reason.filename is not None:
        return f"{reason.filename}: {(reason.strerror or str(reason)).lower()}"
    text = reason.in_words(face) if isinstance(reason, Told) else str(reason)
    return " ".join(text.split()) or type(reason).__name__


def _say_not_kept() -> None:
    """A line where the code that a command compiled could not be kept."""
    compiled = sys.modules.get("hetsel.compiled")  # not loaded: nothing was compiled
    if compiled is not None and (why := compiled.not_kept()):
        print(f"hetsel: note: {why}", file=sys.stderr)


def _show_warning(
    face: Face,
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    text = _one_line(message, face) if isinstance(message, Warning) else message
    print(f"hetsel: warning: {text} ({Path(filename).name}:{lineno})", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
