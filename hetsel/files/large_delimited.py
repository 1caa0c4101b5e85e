"""Delimited text of a large file: the table of :func:`read_delimited` in a fraction of its time.

The form of the table is found by the same code, in the first lines. A fast parser reads plain
numbers; the distinct cells of other columns are read as a small table by the same code.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute, csv

from hetsel.files import delimited, delimited_form
from hetsel.files.line_blocks import Unfit, check_lines, line_blocks
from hetsel.files.numbers_in_text import EXACT
from hetsel.ground import refuse_bytes
from hetsel.tables import Note

BLOCK = 2**24  # bytes that are parsed at once
FIRST = 2**20  # bytes by which the columns are told apart
MOST_COLUMNS = 4096  # with more of them, what a block costs is the number of its columns
_ODD_NUMBER = r"^[ \t]|[ \t]$|^\+|^-?0[0-9xX]|^-0$"
_NO_NUMBER = re.compile(r"In CSV column #(\d+): CSV conversion error")

CellType = Literal["integer", "float", "text"]
Watch = Callable[[float], object]


def read_large_file(
    path: Path, packing: str, layout: delimited_form.Layout, watch: Watch | None = None
) -> pd.DataFrame | None:
    """Data frame of a file of delimited UTF-8; None where only the reader of whole texts will do.
    What is refused is refused as there. `watch` is called with the share of the file that is read;
    it begins anew where columns that turn out to be no numbers are read again."""
    try:
        form = _form_of_first_block(path, packing, layout)
        return _Reading(path, packing, form, watch or (lambda _: None)).frame()
    except Unfit:
        return None


def _form_of_first_block(
    path: Path, packing: str, layout: delimited_form.Layout
) -> delimited_form.Form:
    first = list(islice(line_blocks(path, packing, BLOCK), 2))
    text = first[0][0].decode() if first else ""
    if not text.strip() or (
        len(first) > 1 and not delimited_form.shows_form(text, path.name, layout)
    ):
        raise Unfit
    form = delimited_form.find_form(text, path.name, layout)
    if not 1 < len(form.names) <= MOST_COLUMNS:
        raise Unfit  # an empty cell of a single column is a blank line to some parsers
    return replace(form, rows="")


class GrowingColumn:
    """A column as far as it is read: numbers in one piece, text by its distinct cells. `kind` is
    what its cells have been until now; `marks` are the numbers that mean missing."""

    def __init__(self, kind: CellType, marks: Collection[float]) -> None:
        self.kind = kind
        self.n_rows = 0
        self._marks = marks
        self._gaps = False
        self._numbers = np.empty(0, dtype=np.int64 if kind == "integer" else np.float64)
        self._chunks: list[Any] = []

    def take(self, cells: pa.ChunkedArray, expected: int) -> bool:
        """Append the cells of a block, of about `expected` in all; False if they are not plain:
        numbers of which each parser and the rules for whole texts say the same."""
        if self.kind == "text":
            self._chunks += cells.chunks
            self.n_rows += len(cells)
            return True
        values = self._whole(cells) if self.kind == "integer" else self._floats(cells)
        if values is None:
            return False
        after = self.n_rows + len(cells)
        if after > len(self._numbers):
            self._numbers.resize(max(after, expected), refcheck=False)
        self._numbers[self.n_rows : after] = values
        self.n_rows = after
        return True

    def _floats(self, cells: pa.ChunkedArray) -> np.ndarray | None:
        """None if one is not finite, or so large that floats may merge whole numbers there."""
        values = cells.to_numpy()
        if np.count_nonzero(np.isfinite(values)) < len(values) - cells.null_count:
            return None
        for mark in self._marks:
            values = np.where(values == mark, np.nan, values)
        largest = np.fmax.reduce(np.abs(values), initial=0.0)
        return None if largest > EXACT else values

    def _whole(self, cells: pa.ChunkedArray) -> np.ndarray | None:
        """None if a number marks a gap, or if beside a gap they are not all exact as floats."""
        values = (cells.fill_null(0) if cells.null_count else cells).to_numpy()
        if any(mark in values for mark in self._marks):
            return None
        if cells.null_count and not self._gaps:
            before = self._numbers[: self.n_rows]
            if not _exact(before):
                return None
            self._numbers, self._gaps = before.astype(np.float64), True
        if self._gaps:
            if not _exact(values):
                return None
            values = values.astype(np.float64)
            if cells.null_count:
                values[cells.is_null().to_numpy()] = np.nan
        return values

    def numbers(self) -> np.ndarray:
        """The numbers (n,), in no more memory than they need."""
        self._numbers.resize(self.n_rows, refcheck=False)
        return self._numbers

    def holds(self, text: str) -> bool:
        """Whether a text is among the cells."""
        cells = (chunk.dictionary for chunk in self._chunks)
        return any(compute.index(texts, text).as_py() >= 0 for texts in cells)

    def distinct(self) -> tuple[list[str], np.ndarray]:
        """The distinct texts in the order of their first rows, and which of them each cell is."""
        chunks = pa.chunked_array(self._chunks).unify_dictionaries()
        self._chunks = []
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in chunks.chunks])
        return chunks.chunk(chunks.num_chunks - 1).dictionary.to_pylist(), codes


def _exact(values: np.ndarray) -> bool:
    return len(values) == 0 or (values.max() <= EXACT and values.min() >= -EXACT)


class _Reading:
    """One file, block by block."""

    def __init__(self, path: Path, packing: str, form: delimited_form.Form, watch: Watch) -> None:
        self._path, self._packing, self._watch = path, packing, watch
        self._form, self._layout = form, form.layout
        self._separator = form.layout.separator or ","
        marks = {mark: _number(mark) for mark in form.layout.missing_marks}
        self._marks = [number for number in marks.values() if number is not None]
        self._texts = [mark for mark, number in marks.items() if number is None]

    def frame(self) -> pd.DataFrame:
        """The table."""
        names = self._form.names
        # cells without a name are looked at, but for the names that a header knows of
        wanted = [j for j, name in enumerate(names) if name or j or self._form.names_rows]
        read, again = self._pass(wanted, {j: "text" for j in wanted if not names[j]})
        while again:
            more, again = self._pass(sorted(again), again)
            read |= more
        if len({column.n_rows for column in read.values()}) != 1:
            raise Unfit  # the file has changed
        for j in wanted:
            if not names[j]:
                self._check_unnamed(j, read.pop(j))
        notes, columns = [*self._form.notes], {}
        if all(column.holds(names[j]) for j, column in read.items()):
            raise Unfit  # perhaps a line of names among the rows
        for j in sorted(read):
            columns[names[j]], own = self._finished(read.pop(j), names[j])
            notes += own
        frame = pd.DataFrame(columns, copy=False)
        frame.attrs["notes"] = tuple(notes)
        return frame

    def _blocks(self) -> Iterator[tuple[bytes, bool, int, float]]:
        """Rows, whether odd numbers may be among them, lines before them, share of the file."""
        lines, skipped = 0, self._form.body + self._layout.skip
        for content, share in line_blocks(self._path, self._packing, BLOCK):
            here = content.count(b"\n")
            if lines < skipped:
                content = b"".join(content.split(b"\n", skipped - lines)[skipped - lines :])
            if self._separator == " ":
                content = delimited_form.one_blank(content.decode()).encode()
            content, odd = check_lines(content, self._separator)
            if content.strip(b"\n"):
                yield content, odd, max(lines, skipped), share
            lines += here

    def _pass(
        self, wanted: Sequence[int], known: dict[int, CellType]
    ) -> tuple[dict[int, GrowingColumn], dict[int, CellType]]:
        """Some columns, and what those are that have to be read again from the first row on."""
        columns: dict[int, GrowingColumn] = {}
        again: dict[int, CellType] = {}
        n_rows = 0
        for content, odd, begin, share in self._blocks():
            if n_rows == 0:
                new = [j for j in wanted if j not in known]
                kinds = known | (self._kinds(content, new, begin) if new else {})
                columns = {j: GrowingColumn(kinds[j], self._marks) for j in wanted}
            if odd:
                for j in self._odd(content, columns, begin):
                    self._change(j, "text", columns, again)
            table = self._parsed(content, columns, again, begin)
            expected = int((n_rows + table.num_rows) / share * 1.01)
            if n_rows == 0:
                self._refuse_too_large(table, columns, expected)
            for j in [j for j, one in columns.items() if not one.take(table[str(j)], expected)]:
                del columns[j]
                again[j] = "text"
            n_rows += table.num_rows
            self._watch(share)
        if n_rows == 0:
            raise Unfit
        return columns, again

    def _kinds(self, content: bytes, wanted: Sequence[int], begin: int) -> dict[int, CellType]:
        """What the columns are in the first rows."""
        content = content[: content.find(b"\n", FIRST) + 1] or content
        schema = self._read_csv(content, {j: None for j in wanted}, begin).schema
        kinds: dict[int, CellType] = {}
        for j in wanted:
            dtype = schema.field(str(j)).type
            whole = pa.types.is_integer(dtype)
            number = whole or pa.types.is_floating(dtype) or pa.types.is_null(dtype)
            kinds[j] = "integer" if whole else "float" if number else "text"
        return kinds

    def _odd(self, content: bytes, columns: dict[int, GrowingColumn], begin: int) -> list[int]:
        """Columns of numbers with one that is written oddly."""
        numbers = {j: pa.string() for j, column in columns.items() if column.kind != "text"}
        if not numbers:
            return []
        table = self._read_csv(content, numbers, begin)
        found = ((j, compute.match_substring_regex(table[str(j)], _ODD_NUMBER)) for j in numbers)
        return [j for j, matches in found if compute.any(matches).as_py()]

    def _parsed(
        self,
        content: bytes,
        columns: dict[int, GrowingColumn],
        again: dict[int, CellType],
        begin: int,
    ) -> pa.Table:
        """The cells of a block; a column of which one does not parse is left out."""
        dtypes = {
            "integer": pa.int64(),
            "float": pa.float64(),
            "text": pa.dictionary(pa.int32(), pa.string()),
        }
        while True:
            wanted = {j: dtypes[column.kind] for j, column in columns.items()}
            try:
                return self._read_csv(content, wanted, begin)
            except pa.ArrowInvalid as reason:
                found = _NO_NUMBER.search(str(reason))
                j = int(found[1]) if found else -1
                if j not in columns or columns[j].kind == "text":
                    raise Unfit from None
                kind: CellType = "float" if columns[j].kind == "integer" else "text"
                self._change(j, kind, columns, again)

    def _change(
        self, j: int, kind: CellType, columns: dict[int, GrowingColumn], again: dict[int, CellType]
    ) -> None:
        """A column is of this kind, from its first row on; rows that are read are read again."""
        if columns[j].n_rows == 0:
            columns[j] = GrowingColumn(kind, self._marks)
        else:
            del columns[j]
            again[j] = kind

    def _read_csv(self, content: bytes, wanted: dict[int, Any], begin: int) -> pa.Table:
        """Columns of a block, of a dtype or of the one that fits; lines of other widths refused."""
        names = [str(j) for j in range(len(self._form.names))]
        # of no columns at all pyarrow takes all
        include = [str(j) for j in wanted] or names[:1]
        try:
            return csv.read_csv(
                pa.BufferReader(content),
                read_options=csv.ReadOptions(column_names=names),
                parse_options=csv.ParseOptions(delimiter=self._separator),
                convert_options=csv.ConvertOptions(
                    include_columns=include,
                    column_types={str(j): dtype for j, dtype in wanted.items() if dtype},
                    null_values=self._texts,
                    strings_can_be_null=False,
                    decimal_point=self._layout.decimal,
                ),
            )
        except pa.ArrowInvalid as reason:
            if not _NO_NUMBER.search(str(reason)):
                layout = replace(self._layout, skip=begin)
                delimited_form.check_rows(
                    replace(self._form, rows=content.decode(), layout=layout, body=0)
                )
                raise Unfit from None
            raise

    def _refuse_too_large(
        self, table: pa.Table, columns: dict[int, GrowingColumn], expected: int
    ) -> None:
        """Refuse a table that does not fit into memory, by its first rows."""
        per_row = 0.0
        for j, column in columns.items():
            per_row += 8
            if column.kind == "text":
                lengths = compute.binary_length(table[str(j)].cast("string"))
                per_row += 4 + compute.mean(lengths).as_py()
        what = f"the table of {self._path.name}"
        refuse_bytes(what, expected, per_row * expected, lambda _: "leave columns out of the file")

    def _finished(self, column: GrowingColumn, name: str) -> tuple[Any, tuple[Note, ...]]:
        """The cells of a column with a name, and what is to be said of them."""
        if column.kind != "text":
            return column.numbers(), ()
        texts, codes = column.distinct()
        small = delimited.read_column(texts, name, self._form)
        return small[name].array.take(codes), small.attrs["notes"]

    def _check_unnamed(self, j: int, column: GrowingColumn) -> None:
        """Cells that the header has no name for are empty, or they are names of rows."""
        texts = {text.strip() for text in column.distinct()[0]}
        if j == 0:
            wrong = len(texts) < column.n_rows
        else:
            wrong = not texts <= {"", *self._layout.missing_marks}
        if wrong:
            raise Unfit


def _number(mark: str) -> float | None:
    """A mark as the number that it is, if it is one."""
    try:
        number = float(mark)
    except ValueError:
        return None
    return None if number != number else number
