"""Tables from files: delimited text, Parquet and ARFF, read without silent guesses."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pandas as pd

from hetsel.errors import Fix, TableError
from hetsel.text import listed
from hetsel.writing import without_apostrophe

MISSING_MARKS = ("", "NA", "N/A", "NaN", "nan", "?", "null", "NULL")
SEPARATORS = {",": "','", ";": "';'", "\t": "'\\t'", " ": "' '"}
_OWN_SEPARATOR = {".csv": ",", ".tsv": "\t", ".txt": None, ".data": None}
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_NUMBER_WITH_COMMA = re.compile(r"[-+]?\d+(,\d+)?")
_BINARY = {
    b"PK\x03\x04": "a zip archive (an .xlsx workbook is one)",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"PAR1": "a Parquet file; name it .parquet",
    b"\x1f\x8b": "a gzip file; name it .gz",
    b"%PDF": "a PDF",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
}


def read_table(
    path: str | Path,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str = ".",
    header: bool | None = None,
    missing_marks: Sequence[str] = MISSING_MARKS,
) -> pd.DataFrame:
    """Read a table from a file; the suffix says what it is.

    .csv (comma), .tsv (tab), .txt and .data (the one separator that fits, else it must be given),
    .arff and .parquet; each but the last also gzipped (.csv.gz). Spaces around a cell are dropped.
    Nothing is taken for an index. ARFF is typed: a nominal attribute becomes a category with the
    declared levels.

    Parameters
    ----------
    path : str or Path
    separator : str, optional
        One of ``,`` ``;`` tab or space (any run of blanks); None goes by the suffix.
    encoding : str, optional
        Encoding of a text file; None is UTF-8, or what a byte order mark says.
    decimal : {".", ","}
        Decimal mark of the numbers.
    header : bool, optional
        Whether the first line names the columns. None: it does, and a first line that holds a
        number is refused. False: the columns are x0, x1, ...
    missing_marks : sequence of str
        Cells that mean missing; ARFF knows ``?`` only.

    Returns
    -------
    DataFrame

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
    suffixes = [s.lower() for s in path.suffixes]
    packed = bool(suffixes) and suffixes[-1] == ".gz"
    kind = (suffixes[:-1] if packed else suffixes)[-1:]
    suffix = kind[0] if kind else ""
    if separator is not None and separator not in SEPARATORS:
        raise TableError(f"separator must be one of {', '.join(SEPARATORS.values())}")
    if decimal not in (".", ","):
        raise TableError(f"decimal must be '.' or ','. Got {decimal!r}")
    if not path.exists():
        raise TableError(f"no such file: {path}")
    if path.is_dir():
        raise TableError(f"{path} is a folder, not a file")
    if suffix == ".parquet" and not packed:
        return _read_parquet(path)
    if suffix not in (*_OWN_SEPARATOR, ".arff"):
        raise TableError(
            f"cannot tell what {path.name} is: the name must end in .csv, .tsv, .txt, .data or "
            ".arff (.gz may follow), or in .parquet"
        )
    text = _text(path, packed, encoding)
    if not text.strip():
        raise TableError(f"{path.name} is empty")
    if suffix == ".arff":
        from hetsel.files.arff import parse_arff

        return parse_arff(text, path.name)
    separator = separator or _OWN_SEPARATOR[suffix]
    return _read_delimited(text, path.name, separator, decimal, header, tuple(missing_marks))


def _text(path: Path, packed: bool, encoding: str | None) -> str:
    """The text of a file, unpacked and decoded."""
    try:
        content = path.read_bytes()
        if packed:
            content = gzip.decompress(content)
    except (gzip.BadGzipFile, EOFError, zlib.error) as reason:
        raise TableError(f"{path.name} cannot be unpacked: {reason}") from None
    except OSError as reason:
        raise TableError(f"{path} cannot be read: {reason.strerror}") from None
    for mark, what in _BINARY.items():
        if content.startswith(mark):
            raise TableError(f"{path.name} is not text but {what}")
    if encoding is None:
        encoding = _marked_encoding(content)
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


def _marked_encoding(content: bytes) -> str:
    marks = {
        codecs.BOM_UTF8: "utf-8-sig",
        codecs.BOM_UTF32_LE: "utf-32",
        codecs.BOM_UTF32_BE: "utf-32",
        codecs.BOM_UTF16_LE: "utf-16",
        codecs.BOM_UTF16_BE: "utf-16",
    }
    return next((name for mark, name in marks.items() if content.startswith(mark)), "utf-8")


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


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        import pyarrow
    except ImportError:
        raise TableError(
            "reading Parquet needs the package pyarrow: pip install 'hetsel[files]'"
        ) from None
    try:
        frame = pd.read_parquet(path, engine="pyarrow")
    except (pyarrow.ArrowException, OSError) as reason:
        text = str(reason).splitlines()[0]
        raise TableError(f"{path.name} cannot be read as Parquet: {text}") from None
    if frame.shape[0] == 0:
        raise TableError(f"{path.name} has columns but no rows")
    return frame.reset_index(drop=True)


def _read_delimited(
    text: str,
    name: str,
    separator: str | None,
    decimal: str,
    header: bool | None,
    missing_marks: tuple[str, ...],
) -> pd.DataFrame:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    chosen = separator is None
    separator = _fitting_separator(text, name) if separator is None else separator
    if separator == " ":
        text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
    names = _names(text, name, separator, header, missing_marks)
    n_lines = _check_rows(text, name, separator, len(names))
    n_rows = n_lines - (header is not False)
    if n_rows == 0:
        raise TableError(f"{name} has a header but no rows")
    try:
        frame = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            names=names,
            header=None if header is False else 0,
            index_col=False,
            decimal=decimal,
            skipinitialspace=True,
            keep_default_na=False,
            na_values=list(missing_marks),
            low_memory=False,
        )
    except (ValueError, pd.errors.ParserError) as reason:
        raise TableError(f"{name} cannot be read: {str(reason).splitlines()[0]}") from None
    if len(frame) != n_rows:  # the two parsers disagree, so neither is to be trusted
        raise TableError(f"{name} cannot be read: {n_rows} rows, of which {len(frame)} parse")
    for column in frame.columns:
        if frame[column].dtype == object or pd.api.types.is_string_dtype(frame[column].dtype):
            frame[column] = _tidy_text(frame[column], name, missing_marks)
    if chosen:
        frame.attrs["separator"] = separator
    return frame


def _cells(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each line that is not blank."""
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    for cells in reader:
        if len(cells) > 1 or (cells and cells[0].strip()):
            yield reader.line_num, [cell.strip() for cell in cells]


def _fitting_separator(text: str, name: str) -> str:
    """The one separator by which the first lines have equally many cells, more than one."""
    fitting = []
    for separator in SEPARATORS:
        sample = text
        if separator == " ":
            sample = "\n".join(" ".join(line.split()) for line in text.split("\n", 40)[:40])
        widths = {len(cells) for _, cells in islice(_cells(sample, separator), 20)}
        if len(widths) == 1 and widths.pop() > 1:
            fitting.append(separator)
    if len(fitting) > 1 and fitting[-1] == " ":
        fitting.pop()  # blanks inside the cells
    if len(fitting) != 1:
        which = "none fits" if not fitting else "several fit: " + listed(_shown(fitting))
        raise TableError(
            f"cannot tell what separates the cells of {name} ({which})",
            Fix("separator", then=f"names it, one of {listed(_shown(SEPARATORS))}"),
        )
    return fitting[0]


def _shown(separators: Iterable[str]) -> list[str]:
    return [SEPARATORS[separator] for separator in separators]


def _names(
    text: str, name: str, separator: str, header: bool | None, missing_marks: tuple[str, ...]
) -> list[str]:
    """Names of the columns: the first line, or x0, x1, ..."""
    try:
        line, names = next(_cells(text, separator))
    except csv.Error as reason:
        raise TableError(f"{name} cannot be read: {reason}") from None
    if len(names) == 1:
        _refuse_other_separator(text, name, separator)
    if header is False:
        return [f"x{j}" for j in range(len(names))]
    odd = [cell for cell in names if _NUMBER.fullmatch(cell) or (cell and cell in missing_marks)]
    if header is None and odd:
        raise TableError(
            f"the first line of {name} does not look like column names (it holds {listed(odd)})",
            Fix("header", False, "if the file has none"),
            Fix("header", True, "if these are names"),
        )
    if "" in names:
        place = names.index("") + 1
        hint = " (row numbers? write the table without them)" if place == 1 else ""
        raise TableError(f"column {place} of {name} has no name in line {line}{hint}: name it")
    twice = [cell for j, cell in enumerate(names) if cell in names[:j]]
    if twice:
        raise TableError(
            f"column names must be unique. {name} has {twice[0]!r} more than once: rename one"
        )
    return [without_apostrophe(cell) for cell in names]


def _refuse_other_separator(text: str, name: str, separator: str) -> None:
    """Refuse a table of one column whose first line holds another separator."""
    first = text.lstrip("\n").split("\n", 1)[0]
    others = [s for s in SEPARATORS if s not in (separator, " ") and s in first]
    if not others and " " in first.strip() and separator != " ":
        widths = {len(line.split()) for line in text.split("\n")[:20] if line.strip()}
        others = [" "] if len(widths) == 1 else []
    if others:
        found = max(others, key=first.count)
        raise TableError(
            f"{name} has only one column when {SEPARATORS[separator]} separates the cells, but "
            f"its first line holds {SEPARATORS[found]}",
            Fix("separator", found, "reads it so"),
        )


def _check_rows(text: str, name: str, separator: str, width: int) -> int:
    """Number of lines that are not blank; each must have `width` cells."""
    n_lines = 0
    try:
        for line, cells in _cells(text, separator):
            n_lines += 1
            if len(cells) == width:
                continue
            hint = ""
            if any("\n" in cell for cell in cells):
                hint = ": is a quotation mark left open?"
            elif n_lines == 2 and len(cells) == width + 1:
                hint = ": if the first cell is the name of the row, its column needs a name too"
            raise TableError(
                f"line {line} of {name} has {len(cells)} cells, expected {width} as in the first "
                f"line{hint}"
            )
    except csv.Error as reason:
        raise TableError(f"{name} cannot be read: {reason}") from None
    return n_lines


def _tidy_text(cells: pd.Series, name: str, missing_marks: tuple[str, ...]) -> pd.Series:
    """Text without blanks around it; marks that had some are missing after all."""
    present = cells.dropna()
    if not all(isinstance(cell, str) for cell in present):
        return cells  # flags, some of them missing
    text = cells.str.strip()
    text = text.mask(text.isin(missing_marks))
    present = text.dropna()
    if len(present) and present.str.fullmatch(_NUMBER).all():
        return pd.to_numeric(text)
    if len(present) and present.str.fullmatch(_NUMBER_WITH_COMMA).all():
        raise TableError(
            f"column {cells.name!r} of {name} holds numbers with a comma, as in "
            f"{_first_with_comma(present)!r}",
            Fix("decimal", ",", "if it is the decimal mark"),
        )
    return text.map(without_apostrophe, na_action="ignore")


def _first_with_comma(cells: pd.Series) -> str:
    return next(cell for cell in cells if "," in cell)
