"""Read the table and the target that the options of a command name."""

import argparse
import time
from pathlib import Path

import pandas as pd

from hetsel import datasets
from hetsel.evaluation.progress import clock
from hetsel.files import reading
from hetsel.ground import Fix, TableError, counted, did_you_mean, listed
from hetsel.shell import asked_target, printed_cautions, printing
from hetsel.tables import Note, Schema, Table, find_column
from hetsel.tables.missing_cells import MISSING_MARKS


def read_asked_table(options: argparse.Namespace) -> tuple[pd.DataFrame, tuple[str, ...], str]:
    """Return the table without dropped columns, the columns of its target, and its name."""
    own: tuple[str, ...] = ()
    if is_data_set(options):
        data = datasets.load(options.table)
        frame, name, own = data.frame, data.name, data.target
    else:
        frame, name = _read_file(options), Path(options.table).name
    frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
    names = list(frame.columns)
    target = asked_target.target_columns(options, names, own)
    asked = {
        name: getattr(options, name, []) for name in ("drop", "by")
    }  # some commands have neither
    dropped = {
        find_column(names, given, option="--drop") for given in split_names(asked["drop"], names)
    }
    for column, option in zip(target, options_of_target(target), strict=True):
        if column in dropped:
            raise TableError(f"--drop must not name the column of {option}. Got {column!r}")
    by = [find_column(names, given, option="--by") for given in split_names(asked["by"], names)]
    parts = frame[by]
    if dropped:
        frame = frame.drop(columns=list(dropped))
        frame.attrs["dropped"] = sorted(dropped, key=names.index)
    if by:
        frame.attrs["by"] = parts
    return frame, target, name


def is_data_set(options: argparse.Namespace) -> bool:
    """Return whether the table is a named data set."""
    known = (*datasets.NAMES, *datasets.NOT_PUBLIC)
    return options.table in known and not Path(options.table).exists()


def options_of_target(target: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options that name the columns of the target."""
    return ("--time", "--event") if len(target) == 2 else ("--target",) * len(target)


def _read_file(options: argparse.Namespace) -> pd.DataFrame:
    name = Path(options.table).name
    hint = did_you_mean(options.table, datasets.NAMES)
    if hint and not Path(options.table).exists():
        raise TableError(f"no such file or data set: {options.table}{hint}")
    share = ReadShare()
    with printing.elapsed(f"reading {name}", share.line):
        frame = reading.read_table(
            options.table,
            separator="\t" if options.separator == r"\t" else options.separator,
            encoding=options.encoding,
            decimal=options.decimal,
            thousands=options.thousands,
            skip=options.skip,
            sheet=options.sheet,
            header=None if options.header is None else options.header == "yes",
            missing_marks=(*MISSING_MARKS, *options.missing_marks),
            watch=share,
        )
    for note in frame.attrs.pop("notes", ()):
        # `predict` and `validate` have no --nominal: the signature fixes the kinds of columns
        fixes = tuple(
            fix for fix in note.fixes if fix.option != "nominal" or hasattr(options, fix.option)
        )
        printed_cautions.say(options, "file", Note(note.parts, fixes), of=name)
    return frame


class ReadShare:
    """Describe how much of a file is read, for the line on the terminal.

    Examples
    --------
    >>> share = ReadShare()
    >>> share.line()
    ''
    >>> share(0.25)
    >>> share.line().startswith(", 25%, ")
    True
    """

    def __init__(self) -> None:
        self._share = 0.0
        self._begin = self._at = time.monotonic()

    def __call__(self, share: float) -> None:
        """Store the proportion that is read; a smaller one restarts the clock."""
        now = time.monotonic()
        if share < self._share:
            self._begin = self._at
        self._share, self._at = share, now

    def line(self) -> str:
        """Return the percentage that is read and the remaining time."""
        if not self._share:
            return ""
        passed, since = self._at - self._begin, time.monotonic() - self._at
        left = max(0.0, passed * (1 / self._share - 1) - since)
        return f", {100 * self._share:.0f}%, {clock(left)} left"


def split_names(texts: list[str], names: list[str]) -> list[str]:
    """Split the column names of an option at commas, except at a comma within a name."""
    given = []
    for text in texts:
        given += [text] if text in names else [part for part in text.split(",") if part]
    return given


def encode_by_options(frame: pd.DataFrame, options: argparse.Namespace) -> Table:
    """Encode the table by a saved schema, or by kinds inferred with the options."""
    names = list(frame.columns)
    if not names:
        raise TableError(
            "the table has no column that can be a feature beside the target and the columns of "
            "--drop, --row-groups and --row-weights"
        )
    if options.schema:
        if options.nominal or options.ordinal or options.continuous:
            raise TableError(
                "--schema defines all columns: leave out --nominal, --ordinal and --continuous"
            )
        return _load_schema(options.schema, names).encode(frame)
    ordinal: dict[str, list[str] | None] = {}
    for text in options.ordinal:
        if "=" not in text:
            several = split_names([text], names)
            ordinal |= {find_column(names, one, option="--ordinal"): None for one in several}
            continue
        column, mark, order = text.partition("=") if text not in names else (text, "", "")
        column = find_column(names, column, option="--ordinal")
        ordinal[column] = [level.strip() for level in order.split("<")] if mark else None
    return Table.read(
        frame,
        nominal=split_names(options.nominal, names),
        ordinal=ordinal,
        continuous=split_names(options.continuous, names),
    )


def _load_schema(path: str, names: list[str]) -> Schema:
    schema = Schema.load(path)
    unknown = [name for name in names if name not in schema.names]
    if unknown:
        raise TableError(
            f"{path} lacks {counted(len(unknown), 'column')} of the table: {listed(unknown)}",
            Fix("drop", tuple(unknown) if len(unknown) <= 20 else ("NAME",)),
        )
    return schema
