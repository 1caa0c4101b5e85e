"""Read large delimited files: the table of :func:`read_delimited` in a fraction of its time.

The same code finds the form of the table in the first lines. A fast parser reads plain numbers, and
the same code reads the distinct values of other columns as a small table.
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
FIRST = 2**20  # bytes that determine the types of the columns
MOST_COLUMNS = 4096  # with more columns a block costs too much
_ODD_NUMBER = r"^[ \t]|[ \t]$|^\+|^-?0[0-9xX]|^-0$"
_NO_NUMBER = re.compile(r"In CSV column #(\d+): CSV conversion error")

CellType = Literal["integer", "float", "text"]
Watch = Callable[[float], object]


def read_large_file(
    path: Path, packing: str, layout: delimited_form.Layout, watch: Watch | None = None
) -> pd.DataFrame | None:
    """Read a file of delimited UTF-8; return None if only the reader of whole texts can read it.

    Errors are those of that reader. `watch` is called with the proportion of the file that is read;
    the proportion starts again when columns that are not numeric are read a second time.
    """
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
        raise Unfit  # some parsers skip the empty line of an empty value
    return replace(form, rows="")


class GrowingColumn:
    """Collect a column: numbers in one array, text by its distinct values.

    `kind` is the type of the values so far; `marks` are the numbers that mark missing values.
    """

    def __init__(self, kind: CellType, marks: Collection[float]) -> None:
        self.kind = kind
        self.n_rows = 0
        self._marks = marks
        self._gaps = False
        self._numbers = np.empty(0, dtype=np.int64 if kind == "integer" else np.float64)
        self._chunks: list[Any] = []

    def take(self, cells: pa.ChunkedArray, expected: int) -> bool:
        """Append the values of a block of about `expected` in all; return False if not plain.

        Plain numbers are those that each parser and the rules for whole texts read alike.
        """
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
        """Return None if a value is not finite, or too large for exact whole numbers."""
        values = cells.to_numpy()
        if np.count_nonzero(np.isfinite(values)) < len(values) - cells.null_count:
            return None
        for mark in self._marks:
            values = np.where(values == mark, np.nan, values)
        largest = np.fmax.reduce(np.abs(values), initial=0.0)
        return None if largest > EXACT else values

    def _whole(self, cells: pa.ChunkedArray) -> np.ndarray | None:
        """Return None if a number marks missing values, or floats would not be exact."""
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
        """Return the numbers (n,) without spare memory."""
        self._numbers.resize(self.n_rows, refcheck=False)
        return self._numbers

    def holds(self, text: str) -> bool:
        """Return whether a text occurs."""
        cells = (chunk.dictionary for chunk in self._chunks)
        return any(compute.index(texts, text).as_py() >= 0 for texts in cells)

    def distinct(self) -> tuple[list[str], np.ndarray]:
        """Return the distinct texts in the order of their first rows, and the code of each row."""
        chunks = pa.chunked_array(self._chunks).unify_dictionaries()
        self._chunks = []
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in chunks.chunks])
        return chunks.chunk(chunks.num_chunks - 1).dictionary.to_pylist(), codes


def _exact(values: np.ndarray) -> bool:
    return len(values) == 0 or (values.max() <= EXACT and values.min() >= -EXACT)


class _Reading:
    """Read one file in blocks."""

    def __init__(self, path: Path, packing: str, form: delimited_form.Form, watch: Watch) -> None:
        self._path, self._packing, self._watch = path, packing, watch
        self._form, self._layout = form, form.layout
        self._separator = form.layout.separator or ","
        marks = {mark: _number(mark) for mark in form.layout.missing_marks}
        self._marks = [number for number in marks.values() if number is not None]
        self._texts = [mark for mark, number in marks.items() if number is None]

    def frame(self) -> pd.DataFrame:
        """Return the table."""
        names = self._form.names
        # values without a name are checked, except row names that the header announces
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
        """Yield rows, whether numbers may be odd, lines before them, and the proportion read."""
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
        """Return columns, and the types of columns that must be read again from the first row."""
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
        """Return the types of the columns in the first rows."""
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
        """Return the numeric columns with an odd number."""
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
        """Return the values of a block without columns that do not parse."""
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
        """Set the type of a column; rows that are already read are read again."""
        if columns[j].n_rows == 0:
            columns[j] = GrowingColumn(kind, self._marks)
        else:
            del columns[j]
            again[j] = kind

    def _read_csv(self, content: bytes, wanted: dict[int, Any], begin: int) -> pa.Table:
        """Parse columns of a block; raise an error for lines of another width."""
        names = [str(j) for j in range(len(self._form.names))]
        # pyarrow reads all columns if none is named
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
        """Raise an error if the table does not fit into memory, by its first rows."""
        per_row = 0.0
        for j, column in columns.items():
            per_row += 8
            if column.kind == "text":
                lengths = compute.binary_length(table[str(j)].cast("string"))
                per_row += 4 + compute.mean(lengths).as_py()
        what = f"the table of {self._path.name}"
        refuse_bytes(what, expected, per_row * expected, lambda _: "remove columns from the file")

    def _finished(self, column: GrowingColumn, name: str) -> tuple[Any, tuple[Note, ...]]:
        """Return the values of a named column, and the notes on them."""
        if column.kind != "text":
            return column.numbers(), ()
        texts, codes = column.distinct()
        small = delimited.read_column(texts, name, self._form)
        return small[name].array.take(codes), small.attrs["notes"]

    def _check_unnamed(self, j: int, column: GrowingColumn) -> None:
        """Check that values without a column name are empty or row names."""
        texts = {text.strip() for text in column.distinct()[0]}
        if j == 0:
            wrong = len(texts) < column.n_rows
        else:
            wrong = not texts <= {"", *self._layout.missing_marks}
        if wrong:
            raise Unfit


def _number(mark: str) -> float | None:
    """Return a mark as a number, or None."""
    try:
        number = float(mark)
    except ValueError:
        return None
    return None if number != number else number
