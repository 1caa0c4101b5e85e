"""Tables from files, of the kinds that people have, read without silent guesses."""

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
_FASTER = Note(("a large file is read much faster with pyarrow: pip install 'hetsel[files]'",))
_BINARY = {
    b"PK\x03\x04": "a zip archive: name it .zip, or .xlsx or .ods if it is a workbook",
    b"$FL2": "a file of SPSS; name it .sav",
    b"$FL3": "a file of SPSS; name it .zsav",
    b"<stata_dta>": "a file of Stata; name it .dta",
    b"ARROW1": "a Feather file; name it .feather",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file; name it .xls if it is a workbook",
    b"PAR1": "a Parquet file; name it .parquet",
    b"\x1f\x8b": "a gzip file; name it .gz",
    b"%PDF": "a PDF",
    b"BZh": "a bzip2 file; name it .bz2",
    b"\xfd7zXZ": "an xz file; name it .xz",
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
    """Read a table from a file; the suffix says what it is.

    .csv (comma), .tsv (tab), .txt and .data (the one separator that fits, else it must be given),
    .arff, .json (a list of objects) and .jsonl (an object a line), also packed (.csv.gz, .csv.bz2,
    .csv.xz, .zip of one such file); and .parquet, .feather, .xlsx and .xls (Excel), .ods (a sheet
    of LibreOffice), .dta (Stata), .sav and .zsav (SPSS), .sas7bdat and .xpt (SAS), .rds, .rda and
    .RData (a data frame of R). Spaces around a cell are dropped. ARFF is typed: a nominal attribute
    becomes a category with the declared levels.

    A sheet is read as delimited text would be; dates are dates, a formula is the value
    that was saved with it, an error such as #N/A is missing. Value labels of Stata and SPSS become
    levels in the order of their values, ordered where SPSS calls the variable ordinal; values that
    the file declares missing are missing; a whole-numbered variable that SPSS calls nominal or
    ordinal is one. SAS keeps its labels in another file, and the codes remain.

    Left out are the names of the rows (a first column without a name, as pandas and R write it, or
    first cells that the header has no name for) and what separators at the ends of lines leave
    empty. Leading zeros of whole numbers are dropped, unless 7 and 007 stand in one column. Cells
    that all have one sign, such as "12 %" or "$1200", are numbers. `frame.attrs["notes"]` says so.

    Delimited UTF-8 of 32 MB or more is read block by block, by pyarrow where it is there: the same
    table in a fraction of the time, with little memory beside it.

    Parameters
    ----------
    path : str or Path
    separator : str, optional
        One of ``,`` ``;`` ``|`` tab or space (any run of blanks); None goes by the suffix.
    encoding : str, optional
        Encoding of a text file; None is UTF-8, or what a byte order mark says.
    decimal : {".", ","}
        Decimal mark of the numbers.
    thousands : {",", ".", " ", "'"}, optional
        What groups the digits of large numbers, as in 1,200.
    header : bool, optional
        Whether the first line names the columns. None: it does, and a first line that holds a
        number is refused. False: the columns are x0, x1, ...
    skip : int
        Number of lines (rows of a sheet) to leave out before the table: a title, comments.
    sheet : str, optional
        Name of the sheet of a workbook, or its place from 1 on; None takes the first that is not
        empty. Of a file of R with several data frames the name of one.
    missing_marks : str or sequence of str
        Cells that mean missing, in text, sheets and JSON; ARFF knows ``?`` only. Files that have
        missing cells of their own take those marks that are not among the default ones.
    watch : callable, optional
        Called with the share of a large file that is read, again and again; what it raises ends the
        reading.

    Raises
    ------
    TableError
        A file that cannot be read as a table; the message says why and what to do.

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
        raise TableError(f"missing_marks must be texts, as ['NA', '-9']. Got {missing_marks!r:.60}")
    missing_marks = tuple(marks)
    if separator is not None and separator not in delimited_form.SEPARATORS:
        raise TableError(
            f"separator must be one of {', '.join(delimited_form.SEPARATORS.values())}"
        )
    if decimal not in (".", ","):
        raise TableError(f"decimal must be '.' or ','. Got {decimal!r}")
    if thousands is not None and thousands not in set(THOUSANDS) - {decimal}:
        legal = ", ".join(repr(mark) for mark in THOUSANDS if mark != decimal)
        taken = ", which is the decimal mark" if thousands == decimal else ""
        raise TableError(f"thousands must be one of {legal}. Got {thousands!r}{taken}")
    if isinstance(skip, bool) or not isinstance(skip, int) or skip < 0:
        raise TableError(f"skip must be a number of lines, 0 or more. Got {skip!r}")
    if not path.exists():
        raise TableError(f"no such file: {path}")
    if path.is_dir():
        raise TableError(f"{path} is a folder, not a file")
    suffix, packing = _kind(path)
    if sheet is not None and suffix not in (*WORKBOOKS, *files_of_programs.R_FILES):
        of_r = ", ".join(files_of_programs.R_FILES)
        legal = f"workbooks ({', '.join(WORKBOOKS)}) and files of R ({of_r})"
        raise TableError(f"sheet is for {legal}. Got {sheet!r} for {path.name}")
    layout = delimited_form.Layout(separator, header, skip, decimal, thousands, missing_marks)
    if suffix in BINARY:
        if packing:
            raise TableError(f"{path.name} is a packed {suffix} file: unpack it first")
        return _binary(path, suffix, sheet, encoding, layout)
    if suffix not in TEXT:
        raise TableError(
            f"cannot tell what {path.name} is: the name must end in {', '.join(TEXT)} "
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
    """What a file is and how it is packed, by the suffixes of its name, or of the name in it."""
    others = [suffix.lower() for suffix in path.suffixes]
    last = others.pop() if others else ""
    if last not in unpacking.PACKED:
        return last, ""
    kind = others[-1] if others else ""
    if last == ".zip" and kind not in (*TEXT, *BINARY):
        kind = Path(unpacking.packed_name(path)).suffix.lower()
    return kind, last


def _is_large(path: Path, packing: str, encoding: str | None) -> bool:
    """Whether a file is read block by block, if its text is as simple as it seems."""
    try:
        if codecs.lookup(encoding or "utf-8").name != "utf-8":
            return False
        with unpacking.opened(path, packing) as (content, _):
            if content.read(16).startswith(tuple(_BINARY)):
                return False
            content.seek(max(0, LARGE - 1))  # to the end at most
            return len(content.read(1)) > 0
    except (*unpacking.FAULTS, LookupError):
        return False  # which the reader of whole texts puts into words


def _binary(
    path: Path, suffix: str, sheet: str | None, encoding: str | None, layout: delimited_form.Layout
) -> pd.DataFrame:
    """The table of a file that is no text."""
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
    """The frame with cells that are such marks missing, as text or as the number of that name."""
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
    """The text of a file, unpacked and decoded."""
    content = b"".join(unpacking.pieces(path, packing, "unpack it, if it is one"))
    for mark, what in _BINARY.items():
        if content.startswith(mark):
            raise TableError(f"{path.name} is not text but {what}")
    if encoding is None:
        marks = (mark for mark in _ORDER_MARKS if content.startswith(mark))
        encoding = _ORDER_MARKS.get(next(marks, b""), "utf-8")
        if encoding == "utf-8" and b"\0" in content:
            raise TableError(
                f"{path.name} is not text (it holds zero bytes)",
                Fix("encoding", "utf-16", "if it is text in that encoding"),
            )
    try:
        text = content.decode(encoding)
    except LookupError:
        raise TableError(f"encoding {encoding!r} is not known; e.g. 'utf-8', 'latin-1'") from None
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
        f"{name} is not {encoding} text{where}: name its encoding",
        *(Fix("encoding", other) for other in likely),
    )


def read_json_table(text: str, name: str) -> pd.DataFrame:
    """Data frame of JSON: a list of objects, or an object a line; `name` is the file's. A name that
    an object does not have is a missing cell there."""
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
        raise TableError(f"{name} names no columns")
    return pd.DataFrame(
        {column: _column([record.get(column) for record in records]) for column in columns}
    )


class _Pairs(list[tuple[str, Any]]):
    """An object as it stands, with names that may be there twice."""


def _loaded(text: str, where: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as reason:
        said = f"{where} is no JSON: {reason!s:.200}"
        if text.strip() == "{":
            said += "; write a list of objects, or an object a line"
        raise TableError(said) from None


def _record(found: Any, where: str) -> dict[str, Any]:
    if not isinstance(found, _Pairs):
        got = json.dumps(found)
        raise TableError(f'{where} must be an object such as {{"age": 61}}. Got {got:.40}')
    names = [key.strip() for key, _ in found]
    if len(set(names)) < len(names):
        twice = next(key for key in names if names.count(key) > 1)
        raise TableError(f"{where} has {twice!r} more than once")
    record = dict(zip(names, (value for _, value in found), strict=True))
    if nested := [key for key, value in record.items() if isinstance(value, list)]:
        raise TableError(
            f"{where} holds a list or an object in {listed(map(repr, nested))}: a cell is a "
            "number, a text, true, false or null"
        )
    return record


def _column(cells: list[Any]) -> pd.Series:
    """Cells as numbers where all of them are; whole ones beyond 64 bits as they are."""
    present = [cell for cell in cells if cell is not None]
    numbers = all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in present)
    small = all(abs(cell) < 2**63 for cell in present if isinstance(cell, int))
    return pd.Series(cells) if present and numbers and small else pd.Series(cells, dtype=object)
