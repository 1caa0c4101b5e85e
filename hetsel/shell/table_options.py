"""The options that name a table, say what its columns are and how its file is read."""

import argparse
from typing import Any

from hetsel.shell.target_options import add_target

FILES = """\
A .csv, .tsv, .txt, .data, .arff, .json or .jsonl file (.gz, .bz2, .xz or .zip may follow); a
.parquet, .feather, .xlsx, .xls or .ods (sheets), .dta (Stata), .sav (SPSS), .sas7bdat or .xpt
(SAS), .rds or .rda (R) file; or the name of a data set: heart comes with hetsel; arrhythmia, bands,
hepatitis, housing and van-t-veer are read from the folder HETSEL_DATA or downloaded once. Empty
cells, NA, N/A, n/a, #N/A, <NA>, NaN, nan, ?, null and NULL mean missing; None is a level, with a
note.
"""


def add_table_options(command: argparse.ArgumentParser, *, needed: bool = True) -> None:
    """Add them to a command; :mod:`hetsel.shell.table_reading` reads the table."""
    what = "a file, or the name of a bundled table" + (
        "" if needed else "; none: by criteria alone"
    )
    number: dict[str, Any] = {} if needed else {"nargs": "?"}
    command.add_argument("table", metavar="TABLE", help=what, **number)
    add_target(command)
    _add_kinds(command.add_argument_group("what the columns are"))
    add_reading(command.add_argument_group("how the file is read"))


def _add_kinds(group: argparse._ArgumentGroup) -> None:
    several: dict[str, Any] = {"action": "append", "default": []}
    for kind, meaning in (("nominal", "levels without order"), ("continuous", "numbers, dates")):
        group.add_argument(f"--{kind}", metavar="A,B", help=f"columns of {meaning}", **several)
    group.add_argument(
        "--ordinal",
        metavar="A,B or 'A=I<II<III'",
        help="columns of ordered numbers, or one of ordered text with its levels",
        **several,
    )
    group.add_argument("--drop", metavar="A,B", help="columns to leave out", **several)
    group.add_argument("--schema", metavar="FILE", help="take the kinds from a saved schema")


def add_reading(group: argparse._ArgumentGroup) -> None:
    """Add the options that say how the file is read."""
    group.add_argument(
        "--separator", metavar="SEP", help=r"what separates the cells: , ; | \t or ' '"
    )
    group.add_argument(
        "--skip",
        type=int,
        default=0,
        metavar="N",
        help="leave out the first N lines: a title, comments",
    )
    group.add_argument(
        "--sheet",
        metavar="NAME",
        help="sheet of a workbook (default: the first), or data frame of a file of R",
    )
    group.add_argument("--encoding", metavar="NAME", help="encoding, e.g. latin-1")
    group.add_argument("--decimal", choices=(".", ","), default=".", help="decimal mark")
    group.add_argument(
        "--thousands", metavar="MARK", help="what groups the digits of numbers: , . ' or ' '"
    )
    group.add_argument(
        "--header", choices=("yes", "no"), help="whether the first line names the columns"
    )
    group.add_argument(
        "--missing-mark",
        metavar="TEXT",
        action="append",
        default=[],
        help="a further mark of a missing cell",
    )


def add_rows(group: argparse._ArgumentGroup, *, weights: str = "") -> None:
    """Add the options on rows that every selector has; weights, where it is said what they do."""
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
        "--drop-unlabeled", action="store_true", help="leave out rows whose target is missing"
    )
    group.add_argument(
        "--scale",
        choices=("range", "quantile", "robust"),
        default="range",
        help="what continuous columns are measured by: their range (default), which one cell can "
        "stretch, the share of the rows below, or the range of the middle 90 %% of the rows",
    )


def add_fitting(group: argparse._ArgumentGroup, *, weights: str = "") -> None:
    """Add the options that every selector has."""
    add_rows(group, weights=weights)
    group.add_argument(
        "--missing",
        choices=("impute", "separate", "error"),
        default="impute",
        help="fill in missing cells (default), keep missing as a value of its own, or refuse",
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="default 0")
