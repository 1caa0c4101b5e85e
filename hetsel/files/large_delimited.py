"""Delimited text of a large file: the table of :func:`read_delimited`, in a fraction of the time.

The form of the table is found by the same code, in the first lines. A fast parser reads numbers
whose text says the same to every parser. Of all other columns it gathers the distinct cells, and
these are read as a small table by the same code, so each rule stands in one place only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from hetsel.files.delimited import (
    SEPARATORS,
    Form,
    Layout,
    after_skipped,
    check_rows,
    few_lines,
    fitting_separator,
    form_of_table,
    read_body,
    separator_note,
)
from hetsel.files.line_blocks import Block, Unfit, checked, line_blocks, one_blank
from hetsel.files.numbers_in_text import EXACT
from hetsel.tables.column import Note
from hetsel.tables.memory import refuse_bytes

LARGE = 2**25  # bytes of a file from which on the fast parser saves seconds
BLOCK = 2**24  # bytes that are parsed at once
MOST_COLUMNS = 4096  # with more of them, what a block costs is the number of its columns
_LONGEST_CELL = 2**17  # characters; Python's csv refuses more
_ODD_NUMBER = r"^[ \t]|[ \t]$|^\+|^-?0[0-9xX]|^-0$"
_NO_NUMBER = re.compile(r"In CSV column #(\d+): CSV conversion error")

Kind = Literal["integer", "float", "text"]
Watch = Callable[[float], object]


def read_large_delimited(
    path: Path, packed: bool, layout: Layout, watch: Watch | None = None
) -> pd.DataFrame | None:
    """Data frame of a file of delimited UTF-8; None where only the reader of whole texts will do.

    Parameters
    ----------
    path : Path
    packed : bool
        By gzip.
    layout : Layout
    watch : callable, optional
        Called with the share of the file that is read. It begins anew where columns that turn out
        to be no numbers are read again.

    Raises
    ------
    TableError
        As :func:`hetsel.files.delimited.read_delimited`; and a table that does not fit into memory.
    """
    try:
        return _Reading(path, packed, layout, watch).frame()
    except Unfit:
        return None


@dataclass
class _Column:
    """A column as far as it is read.

    Parameters
    ----------
    kind : {"integer", "float", "text"}
        What its cells have been until now.
    buffer : ndarray
        The numbers, with room for more.
    gaps : bool
        Whether a cell is missing.
    chunks : list of Arrow dictionary arrays
        The texts.
    """

    kind: Kind
    buffer: np.ndarray = field(default_factory=lambda: np.empty(0))
    gaps: bool = False
    chunks: list[Any] = field(default_factory=list)


class _Reading:
    """One file, block by block."""

    def __init__(self, path: Path, packed: bool, layout: Layout, watch: Watch | None) -> None:
        self._path, self._packed, self._watch = path, packed, watch or (lambda _: None)
        first = next(self._all_blocks(), None)
        if first is None:
            raise Unfit
        self._layout, self._form, self._notes = _form_of(first, path.name, layout)
        self._separator = (self._layout.separator or ",").encode()
        self._skipped = self._form.body + self._layout.skip
        self._marks = {m for mark in layout.missing_marks if (m := _as_number(mark)) is not None}
        self._n_rows = 0
        self._read_columns: dict[int, _Column] = {}

    def _all_blocks(self) -> Iterable[Block]:
        return line_blocks(self._path, self._packed, BLOCK)

    def frame(self) -> pd.DataFrame:
        """The table."""
        form = self._form
        wanted = [j for j, name in enumerate(form.names) if name or j or form.names_rows]
        late: dict[int, Kind] = {}
        while wanted:
            late = self._pass(wanted, late)
            wanted = sorted(late)
        self._check_unnamed()
        columns, notes = {}, [*form.notes, *self._notes]
        for j, name in enumerate(form.names):
            if name:
                columns[name], own = self._cells(self._read_columns.pop(j), name)
                notes += own
        frame = pd.DataFrame(columns, copy=False)
        frame.attrs["notes"] = tuple(notes)
        return frame

    def _pass(self, wanted: list[int], kinds: dict[int, Kind]) -> dict[int, Kind]:
        """Read some columns; what else those are that must be read again, from the first row on."""
        columns = {j: _Column(kind) for j, kind in kinds.items()}
        late: dict[int, Kind] = {}
        n_rows, lines, room = 0, 0, 0
        for block in self._all_blocks():
            content = block.content
            lines_here = content.count(b"\n")
            if lines < self._skipped:
                content = _without_lines(content, self._skipped - lines)
            begin, lines = max(lines, self._skipped), lines + lines_here
            content, odd = self._checked(content)
            if not content.strip():
                continue
            if not columns:
                columns = self._first_kinds(content, wanted)
            if odd:
                late |= self._odd_numbers(content, columns, begin)
            table = self._parsed(content, columns, late, begin)
            more = n_rows + table.num_rows
            if more > room:
                room = self._room(more, block.read, columns, table)
            for j in [*columns]:
                kind = self._take(columns[j], table[str(j)], n_rows, room) if j not in late else "text"
                if kind is not None:
                    late[j] = late.get(j, kind)
                    del columns[j]
            n_rows = more
            self._watch(block.read)
        self._n_rows = self._n_rows or n_rows
        if n_rows == 0 or n_rows != self._n_rows:
            raise Unfit
        self._read_columns |= columns
        return late
