"""A command with its place on the command line; nothing heavy is loaded here."""

import argparse
from collections.abc import Callable
from typing import Any

from hetsel.questions.option import Question, asked_by
from hetsel.shell.asked_options import add_asked

FILES = """\
A .csv, .tsv, .txt, .data, .arff, .json or .jsonl file (.gz, .bz2, .xz or .zip may follow); a
.parquet, .feather, .xlsx, .xls or .ods (sheets), .dta (Stata), .sav (SPSS), .sas7bdat or .xpt
(SAS), .rds or .rda (R) file; or the name of a data set: heart comes with hetsel; arrhythmia, bands,
hepatitis, housing and van-t-veer are read from the folder HETSEL_DATA or downloaded once. Empty
cells, NA, N/A, n/a, #N/A, <NA>, NaN, nan, ?, null and NULL mean missing; None is a level, with a
note.
"""


def add_command(
    commands: Any,
    name: str,
    summary: str,
    run: Callable[[argparse.Namespace], int] | None = None,
    question: type[Question] = Question,
    about: str = "",
    examples: str = "",
) -> argparse.ArgumentParser:
    """Add a command to a parser: `run` gets the options of its question, returns the exit code."""
    files = FILES if any(one.name == "table" for one in asked_by(question)) else ""
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=about or summary[0].upper() + summary[1:] + ".",
        epilog="\n".join(filter(None, (examples, files))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if run is not None:
        command.set_defaults(run=run)
    add_asked(command, question)
    return command
