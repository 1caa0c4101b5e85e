"""Read tables from files of many formats, without silent guesses."""

import codecs
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from numbers import Number
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel.files import delimited, delimited_form, files_of_programs, unpacking, workbooks
from hetsel.files.numbers_in_text import THOUSANDS
from hetsel.ground import Fix, TableError, listed
from hetsel.tables import Note
from hetsel.tables.missing_cells import MISSING_MARKS

_OWN_SEPARATOR = {".csv": ",", ".tsv": "\t", ".txt": None, ".data": None}
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
JSON = (".json", ".jsonl", ".ndjson")
TEXT = (*_OWN_SEPARATOR, ".arff", *JSON)
BINARY = (
    *files_of_programs.ARROW,
    *WORKBOOKS,
    *files_of_programs.PROGRAMS,
    *files_of_programs.R_FILES,
)
LARGE = 2**25  # bytes of a file from which on a fast parser saves seconds
_FASTER = Note(("pyarrow reads a large file much faster: pip install 'hetsel[files]'",))
_BINARY = {
    b"PK\x03\x04": "a zip archive: rename it to .zip, or to .xlsx or .ods if it is a workbook",
    b"$FL2": "an SPSS file: rename it to .sav",
    b"$FL3": "an SPSS file: rename it to .zsav",
    b"<stata_dta>": "a Stata file: rename it to .dta",
    b"ARROW1": "a Feather file: rename it to .feather",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file: rename it to .xls if it is a workbook",
    b"PAR1": "a Parquet file: rename it to .parquet",
    b"\x1f\x8b": "a gzip file: rename it to .gz",
    b"%PDF": "a PDF: save the table as .csv",
    b"BZh": "a bzip2 file: rename it to .bz2",
    b"\xfd7zXZ": "an xz file: rename it to .xz",
}

_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read_table(
    path: str | Path,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str = ".",
    thousands: str | None = None,
    header: bool | None = None,
    skip: int = 0,
    sheet: str | None = None,
    missing_marks: str | Sequence[str] = MISSING_MARKS,
    watch: Callable[[float], object] | None = None,
) -> pd.DataFrame:
    """Read a table from a file.

    The suffix determines the format:

    - .csv (comma), .tsv (tab), .txt and .data (the only separator that fits; specify it if several
      fit), .arff, .json (a list of objects) and .jsonl (an object per line). These files can be
      packed: .csv.gz, .csv.bz2, .csv.xz, or a .zip with one such file.
    - .parquet, .feather, .xlsx and .xls (Excel), .ods (LibreOffice), .dta (Stata), .sav and .zsav
      (SPSS), .sas7bdat and .xpt (SAS), .rds, .rda and .RData (a data frame of R).

    Spaces around a value are removed. A nominal attribute of ARFF becomes a category with the
    declared levels. A sheet is read like delimited text: dates stay dates, a formula is read as its
    saved value, and an error such as #N/A is missing. Value labels of Stata and SPSS become levels
    in the order of their values; the levels are ordered if the measure in SPSS is ordinal. Values
    that the file declares missing are missing. A whole-numbered variable whose measure in SPSS is
    nominal or ordinal becomes a category. SAS keeps value labels in another file, so its codes
    remain.

    Row names are left out: a first column without a name, as pandas and R write it, or first values
    for which the header has no name. Empty columns from separators at the ends of lines are left
    out. Whole numbers lose their leading zeros, unless 7 and 007 occur in the same column. Columns
    whose values all have the same sign, such as "12 %" or "$1200", are read as numbers.
    `frame.attrs["notes"]` lists these decisions.

    Delimited UTF-8 text of 32 MB or more is read in blocks by pyarrow if it is installed. The table
    is the same, and reading takes much less time and memory.

    Parameters
    ----------
    path : str or Path
        File to read.
    separator : str, optional
        One of ``,`` ``;`` ``|``, tab or space (any run of blanks). Default: by the suffix.
    encoding : str, optional
        Encoding of a text file. Default: UTF-8, or the encoding of a byte order mark.
    decimal : {".", ","}
        Decimal mark of the numbers.
    thousands : {",", ".", " ", "'"}, optional
        Mark that groups the digits of numbers, as in 1,200. Default: none.
    header : bool, optional
        Whether the first line names the columns. False: the columns are x0, x1, ... Default: True,
        but a first line with a number is refused.
    skip : int
        Number of lines (rows of a sheet) to skip before the table, such as a title or comments.
    sheet : str, optional
        Sheet of a workbook, by its name or its position from 1, or data frame of an R file, by its
        name. Default: the first sheet with values.
    missing_marks : str or sequence of str
        Texts that mark a missing value in text, sheets and JSON; ARFF uses only ``?``. In formats
        with their own missing values, only the marks that are not among the defaults apply.
    watch : callable, optional
        Function to call repeatedly with the proportion of a large file that is read. An exception
        that it raises ends the reading.

    Returns
    -------
    DataFrame
        The table; `attrs["notes"]` holds notes on decisions.

    Raises
    ------
    TableError
        The file cannot be read as a table; the message states the reason and what to do.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "patients.csv")
    ...     _ = path.write_text("age,sex\\n61,f\\n?,m\\n")
    ...     read_table(path)
        age sex
    0  61.0   f
    1   NaN   m
    """
    path = Path(path)
    marks = (missing_marks,) if isinstance(missing_marks, str) else missing_marks
    if not isinstance(marks, Iterable) or not all(isinstance(mark, str) for mark in marks):
        raise TableError(
            f"missing_marks must be texts, for example ['NA', '-9']. Got {missing_marks!r:.60}"
        )
    missing_marks = tuple(marks)
    if separator is not None and separator not in delimited_form.SEPARATORS:
        raise TableError(
            f"separator must be one of {', '.join(delimited_form.SEPARATORS.values())}. "
            f"Got {separator!r}"
        )
    if decimal not in (".", ","):
        raise TableError(f"decimal must be '.' or ','. Got {decimal!r}")
    if thousands is not None and thousands not in set(THOUSANDS) - {decimal}:
        legal = ", ".join(repr(mark) for mark in THOUSANDS if mark != decimal)
        taken = ", which is also the decimal mark" if thousands == decimal else ""
        raise TableError(f"thousands must be one of {legal}. Got {thousands!r}{taken}")
    if isinstance(skip, bool) or not isinstance(skip, int) or skip < 0:
        raise TableError(f"skip must be a whole number of lines, 0 or more. Got {skip!r}")
    if header not in (True, False, None):
        raise TableError(f"header must be True, False or None. Got {header!r:.60}")
    if not path.exists():
        raise TableError(f"no such file: {path}")
    if path.is_dir():
        raise TableError(f"{path} is a folder. Name a file")
    suffix, packing = _kind(path)
    if sheet is not None and suffix not in (*WORKBOOKS, *files_of_programs.R_FILES):
        of_r = ", ".join(files_of_programs.R_FILES)
        legal = f"workbooks ({', '.join(WORKBOOKS)}) and R files ({of_r})"
        raise TableError(f"sheet is only for {legal}. Got {sheet!r} for {path.name}")
    layout = delimited_form.Layout(separator, header, skip, decimal, thousands, missing_marks)
    if suffix in BINARY:
        if packing:
            raise TableError(f"{path.name} is a packed {suffix} file. Unpack it first")
        return _binary(path, suffix, sheet, encoding, layout)
    if suffix not in TEXT:
        raise TableError(
            f"the format of {path.name} is unknown. Its name must end in {', '.join(TEXT)} "
            f"({', '.join(unpacking.PACKED)} may follow), or in {', '.join(BINARY)}"
        )
    layout = replace(layout, separator=separator or _OWN_SEPARATOR.get(suffix))
    notes: tuple[Note, ...] = ()
    if suffix in _OWN_SEPARATOR and _is_large(path, packing, encoding):
        if find_spec("pyarrow") is None:
            notes = (_FASTER,)
        else:
            from hetsel.files.large_delimited import read_large_file

            if (large := read_large_file(path, packing, layout, watch)) is not None:
                return large
    text = _text(path, packing, encoding)
    if not text.strip():
        raise TableError(f"{path.name} is empty")
    if suffix == ".arff":
        from hetsel.files.arff import parse_arff

        return parse_arff(text, path.name)
    if suffix in JSON:
        return _marked(read_json_table(text, path.name), missing_marks)
    frame = delimited.read_delimited(text, path.name, layout)
    frame.attrs["notes"] += notes
    return frame


def _kind(path: Path) -> tuple[str, str]:
    """Return the format and the packing of a file, by its name or the name of its member."""
    others = [suffix.lower() for suffix in path.suffixes]
    last = others.pop() if others else ""
    if last not in unpacking.PACKED:
        return last, ""
    kind = others[-1] if others else ""
    if last == ".zip" and kind not in (*TEXT, *BINARY):
        kind = Path(unpacking.packed_name(path)).suffix.lower()
    return kind, last


def _is_large(path: Path, packing: str, encoding: str | None) -> bool:
    """Return whether a file is large enough to read in blocks."""
    try:
        if codecs.lookup(encoding or "utf-8").name != "utf-8":
            return False
        with unpacking.opened(path, packing) as (content, _):
            if content.read(16).startswith(tuple(_BINARY)):
                return False
            content.seek(max(0, LARGE - 1))  # beyond the end: nothing to read
            return len(content.read(1)) > 0
    except (*unpacking.FAULTS, LookupError):
        return False  # the reader of whole texts raises the error


def _binary(
    path: Path, suffix: str, sheet: str | None, encoding: str | None, layout: delimited_form.Layout
) -> pd.DataFrame:
    """Read the table of a binary file."""
    if path.stat().st_size == 0:
        raise TableError(f"{path.name} is empty")
    if suffix in WORKBOOKS:
        return workbooks.read_workbook(path, sheet, layout)
    if suffix in files_of_programs.PROGRAMS:
        frame = files_of_programs.read_statistics_package(path, encoding)
    elif suffix in files_of_programs.R_FILES:
        frame = files_of_programs.read_r_file(path, sheet, encoding)
    else:
        frame = files_of_programs.read_arrow(path, suffix)
    if frame.shape[0] == 0:
        raise TableError(f"{path.name} has columns but no rows")
    return _marked(frame, [mark for mark in layout.missing_marks if mark not in MISSING_MARKS])


def _marked(frame: pd.DataFrame, marks: Sequence[str]) -> pd.DataFrame:
    """Set values that equal a mark to missing, as text or as a number."""
    numbers = {float(mark) for mark in marks if delimited_form.NUMBER.fullmatch(mark)}
    texts = set(marks)
    for place in range(frame.shape[1]) if marks else ():
        cells = frame.iloc[:, place]
        if isinstance(cells.dtype, pd.CategoricalDtype):
            found = [level for level in cells.cat.categories if _is_mark(level, texts, numbers)]
            marked = cells.cat.remove_categories(found)
        else:
            found = [cell for cell in cells.dropna().unique() if _is_mark(cell, texts, numbers)]
            marked = cells.mask(cells.isin(found))
        if found:
            frame.isetitem(place, marked.array)
    return frame


def _is_mark(cell: object, texts: set[str], numbers: set[float]) -> bool:
    if isinstance(cell, str):
        return cell.strip() in texts
    return isinstance(cell, Number) and not isinstance(cell, bool) and cell in numbers


def _text(path: Path, packing: str, encoding: str | None) -> str:
    """Unpack and decode the text of a file."""
    content = b"".join(unpacking.pieces(path, packing, "unpack it if it is a table"))
    for mark, what in _BINARY.items():
        if content.startswith(mark):
            raise TableError(f"{path.name} is not a text file but {what}")
    if encoding is None:
        marks = (mark for mark in _ORDER_MARKS if content.startswith(mark))
        encoding = _ORDER_MARKS.get(next(marks, b""), "utf-8")
        if encoding == "utf-8" and b"\0" in content:
            raise TableError(
                f"{path.name} is not a text file, since it contains bytes with the value 0",
                Fix("encoding", "utf-16", "if its encoding is utf-16"),
            )
    try:
        text = content.decode(encoding)
    except LookupError:
        raise TableError(
            f"encoding must be a known one, such as 'utf-8' or 'latin-1'. Got {encoding!r}"
        ) from None
    except UnicodeError as reason:
        raise _not_decoded(path.name, content, encoding, reason) from None
    return text.removeprefix("\ufeff")


def _not_decoded(name: str, content: bytes, encoding: str, reason: UnicodeError) -> TableError:
    where = ""
    if isinstance(reason, UnicodeDecodeError):
        line = content.count(b"\n", 0, reason.start) + 1
        where = f" (byte 0x{content[reason.start]:02x} in line {line})"
    likely = ("latin-1", "cp1252") if encoding.startswith("utf") else ("utf-8",)
    return TableError(
        f"{name} is not {encoding} text{where}",
        *(Fix("encoding", other) for other in likely),
    )


def read_json_table(text: str, name: str) -> pd.DataFrame:
    """Read a list of JSON objects, or an object per line; `name` is the file name for errors.

    A key that an object lacks is a missing value.
    """
    if text.lstrip().startswith("["):
        found = _loaded(text, name)
        records = [_record(one, f"record {k} of {name}") for k, one in enumerate(found, start=1)]
    else:
        records = []
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
            if line.strip():
                where = f"line {number} of {name}"
                records.append(_record(_loaded(line, where), where))
    columns = list(dict.fromkeys(key for record in records for key in record))
    if not columns:
        raise TableError(f"{name} has no columns: its objects are empty")
    return pd.DataFrame(
        {column: _column([record.get(column) for record in records]) for column in columns}
    )


class _Pairs(list[tuple[str, Any]]):
    """Hold the pairs of a JSON object, where a key may occur twice."""


def _loaded(text: str, where: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as reason:
        said = f"{where} is not valid JSON: {reason!s:.200}"
        if text.strip() == "{":
            said += ". Write a list of objects, or an object per line"
        raise TableError(said) from None


def _record(found: Any, where: str) -> dict[str, Any]:
    if not isinstance(found, _Pairs):
        got = json.dumps(found)
        raise TableError(f'{where} must be an object such as {{"age": 61}}. Got {got:.40}')
    names = [key.strip() for key, _ in found]
    if len(set(names)) < len(names):
        twice = next(key for key in names if names.count(key) > 1)
        raise TableError(f"{where} has the key {twice!r} more than once: rename one")
    record = dict(zip(names, (value for _, value in found), strict=True))
    if nested := [key for key, value in record.items() if isinstance(value, list)]:
        raise TableError(
            f"{where} has a list or an object as the value of {listed(map(repr, nested))}. A value "
            "must be a number, a text, true, false or null"
        )
    return record


def _column(cells: list[Any]) -> pd.Series:
    """Return the values as numbers if all are; whole numbers beyond 64 bits stay objects."""
    present = [cell for cell in cells if cell is not None]
    numbers = all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in present)
    small = all(abs(cell) < 2**63 for cell in present if isinstance(cell, int))
    return pd.Series(cells) if present and numbers and small else pd.Series(cells, dtype=object)
