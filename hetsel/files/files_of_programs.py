"""Read files of Stata, SPSS, SAS and R, Parquet and Feather.

Value labels become levels, and user-missing values are missing. Named parts of an index of pandas
become the first columns.
"""

import warnings
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from hetsel.files.unpacking import first_line, pieces
from hetsel.ground import Fix, TableError, did_you_mean, listed, need, refuse_bytes
from hetsel.tables.column import Note, refuse_column_twice
from hetsel.tables.frames import without_enum_order

PROGRAMS = {
    ".sav": ("SPSS", "read_sav"),
    ".zsav": ("SPSS", "read_sav"),
    ".dta": ("Stata", "read_dta"),
    ".sas7bdat": ("SAS", "read_sas7bdat"),
    ".xpt": ("SAS", "read_xport"),
}
R_FILES = (".rds", ".rda", ".rdata")
_PACKINGS = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ": ".xz"}
_IN_DAYS = {"secs": 86_400.0, "mins": 1_440.0, "hours": 24.0, "days": 1.0, "weeks": 1 / 7}


def read_statistics_package(path: Path, encoding: str | None) -> pd.DataFrame:
    """Read a file of SPSS, Stata or SAS; `attrs` holds the notes."""
    program, reader = PROGRAMS[path.suffix.lower()]
    pyreadstat = need("pyreadstat")
    options: dict[str, Any] = {"encoding": encoding, "dates_as_pandas_datetime": True}
    if program == "SPSS":
        options["user_missing"] = True  # otherwise it does not return the missing ranges
    try:
        frame, about = getattr(pyreadstat, reader)(str(path), **options)
    except Exception as reason:  # it also raises the errors of its parsers of dates and text
        raise _unreadable(path.name, program, encoding, reason) from None
    notes: list[Note] = []
    for place, name in enumerate(frame.columns):
        labels = about.variable_value_labels.get(name, {})
        missing = about.missing_ranges.get(name, [])
        cells = frame.iloc[:, place]
        labels = {value: text for value, text in labels.items() if not _among(value, missing)}
        if missing:
            cells = cells.mask([_among(value, missing) for value in cells])
        cells, note = labeled_cells(cells, labels, about.variable_measure.get(name, "unknown"))
        frame.isetitem(place, cells)
        if note is not None:
            notes.append(Note((f"{name}: ", *note.parts), note.fixes))
    frame.attrs["notes"] = tuple(notes)
    return frame


def _unreadable(name: str, program: str, encoding: str | None, reason: Exception) -> TableError:
    said = first_line(reason)
    fixes = []
    if "encoding" in said or isinstance(reason, UnicodeError):
        fixes = [Fix("encoding", other) for other in ("latin-1", "cp1252") if other != encoding]
    return TableError(f"{name} cannot be read as a file of {program} ({said:.200})", *fixes)


def _among(value: Any, missing: list[Any]) -> bool:
    """Return whether a value is declared missing, by ranges of numbers or texts."""
    for mark in missing:
        low, high = (mark["lo"], mark["hi"]) if isinstance(mark, Mapping) else (mark, mark)
        if isinstance(value, str) == isinstance(low, str) and low <= value <= high:
            return True
    return False


def labeled_cells(
    cells: pd.Series, labels: Mapping[Any, str], measure: str
) -> tuple[pd.Series, Note | None]:
    """Convert a column by its labels and its measure; return a note on open questions."""
    present = cells.dropna()
    if isinstance(cells.dtype, pd.DatetimeTZDtype) or cells.dtype.kind == "M":
        return cells, None
    if len(present) and all(isinstance(value, str) for value in present):
        cells = cells.str.strip().replace("", None)  # these formats have no other missing text
    cells = cells.infer_objects()  # numbers beside letters that mark missing values
    present = cells.dropna()
    # the letters of missing values in Stata and SAS also have labels
    of_text = len(present) > 0 and isinstance(present.iloc[0], str)
    labels = {v: text for v, text in labels.items() if isinstance(v, str) == of_text}
    known = present.isin(list(labels))
    if labels and known.all():
        return _categories(cells, labels, measure), None
    if labels and known.any():
        which = [v for v in labels if (present == v).any()]
        some = listed(f"{_plain(v)} is {labels[v]!r}" for v in which)
        marks = Fix("missing_marks", tuple(map(_plain, which)), "if these are missing values")
        what = f"only some values have labels, which are not used ({some})"
        return cells, Note((what,), (marks, Fix("nominal", (str(cells.name),), "if all are codes")))
    numeric = pd.api.types.is_numeric_dtype(cells.dtype)
    if measure in ("nominal", "ordinal") and numeric and (present == present.round()).all():
        codes = {value: int(value) for value in sorted(present.unique())}
        return _categories(cells, codes, measure), None
    return cells, None


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.15g}"


def _categories(cells: pd.Series, labels: Mapping[Any, Any], measure: str) -> pd.Series:
    """Convert values to levels in their order; two values with the same label stay distinct."""
    values = sorted(labels)
    names = [
        label.strip() or _plain(value) if isinstance(label := labels[value], str) else label
        for value in values
    ]
    names = [
        f"{name} ({_plain(value)})" if names.count(name) > 1 else name
        for name, value in zip(names, values, strict=True)
    ]
    place = {value: number for number, value in enumerate(values)}
    dtype = pd.CategoricalDtype(names, ordered=measure == "ordinal")
    codes = [place.get(value, -1) for value in cells]
    return pd.Series(pd.Categorical.from_codes(codes, dtype=dtype), cells.index, name=cells.name)


def read_r_file(path: Path, sheet: str | None, encoding: str | None) -> pd.DataFrame:
    """Read a file that `saveRDS` or `save` wrote; `attrs` holds the notes.

    A factor becomes a category with its levels, ordered if the factor is ordered.
    """
    rdata = need("rdata")
    _refuse_expansion(path)
    in_rds = path.suffix.lower() == ".rds"
    reader = rdata.read_rds if in_rds else rdata.read_rda
    own = {**rdata.conversion.DEFAULT_CLASS_MAP, **_CONSTRUCTORS}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about classes that rdata does not know
            found = reader(path, constructor_dict=own, default_encoding=encoding or "utf-8")
    except MemoryError:
        raise TableError(
            f"{path.name} does not fit into memory. Save fewer columns or rows"
        ) from None
    except Exception as reason:  # it also raises the errors of its parsers of bytes and text
        what = f"{path.name} cannot be read as a file of R ({first_line(reason):.200})"
        raise TableError(what) from None
    if in_rds:
        found = {path.stem: found}
    return _chosen(found, path.name, sheet).frame(path.name)


def _refuse_expansion(path: Path) -> None:
    """Raise an error if the file is too large; R packs files by gzip, bzip2, xz or not."""
    with path.open("rb") as file:
        begin = file.read(8)
    packing = next((one for mark, one in _PACKINGS.items() if begin.startswith(mark)), "")
    for _ in pieces(path, packing, "save fewer columns or rows"):
        pass


class _DataFrame:
    """Hold the columns of a data frame of R as they are in the file."""

    def __init__(self, columns: Any, attributes: Mapping[str, Any]) -> None:
        named = isinstance(columns, Mapping)
        self._columns = {str(name): cells for name, cells in columns.items()} if named else {}
        self._row_names = np.asarray(attributes.get("row.names", ())).tolist()

    def frame(self, file: str) -> pd.DataFrame:
        """Return a data frame of pandas; `attrs` holds the notes."""
        if not self._columns:
            raise TableError(f"the data frame in {file} has no columns")
        notes = []
        if not all(
            str(name).lstrip("-").isdecimal() for name in self._row_names if name is not None
        ):
            notes.append(Note(("row names are left out",)))
        columns = {}
        for name, cells in self._columns.items():
            if isinstance(cells, _Labelled):
                cells, note = labeled_cells(pd.Series(cells.cells, name=name), cells.labels, "")
                if note is not None:
                    notes.append(Note((f"{name}: ", *note.parts), note.fixes))
            columns[name] = _vector(cells, name, file)
        if not len(next(iter(columns.values()))):
            raise TableError(f"{file} has columns but no rows")
        frame = pd.DataFrame(columns)
        frame.attrs["notes"] = tuple(notes)
        return frame


class _Labelled:
    """Hold a labelled vector of haven: numbers or text, some with a label."""

    def __init__(self, cells: Any, attributes: Mapping[str, Any]) -> None:
        self.cells = cells
        labels = attributes.get("labels")
        names = [] if labels is None else labels.coords["dim_0"].values.tolist()
        values = [] if labels is None else np.asarray(labels).tolist()
        self.labels: dict[Any, str] = dict(zip(values, names, strict=True))


def _vector(cells: Any, name: str, file: str) -> pd.Series:
    """Convert a vector of R to a column."""
    if isinstance(cells, pd.Series | pd.Categorical):
        return pd.Series(cells)
    array = cells if isinstance(cells, np.ndarray) else np.asarray(cells, dtype=object)
    if isinstance(cells, list | dict) or array.ndim != 1 or array.dtype.kind not in "biufUO":
        raise TableError(
            f"column {name!r} of {file} must be a vector of numbers, text, a factor or times. "
            "Remove it from the data frame, or save its parts as separate columns"
        )
    if isinstance(array, np.ma.MaskedArray):
        gaps = np.ma.getmaskarray(array)
        if array.dtype.kind == "b":
            return pd.Series(array.data.astype(object)).mask(gaps, None)
        return pd.Series(array.data.astype(float)).mask(gaps)
    return pd.Series(array, dtype=object if array.dtype.kind in "UO" else None)


def _factor(cells: Any, attributes: Mapping[str, Any], ordered: bool = False) -> pd.Categorical:
    """Convert a factor; a level NA, as from addNA, is a missing value."""
    levels = [*attributes["levels"]]
    values = [levels[place - 1] if place >= 0 else None for place in cells]
    return pd.Categorical(values, [one for one in levels if not pd.isna(one)], ordered=ordered)


def _moments(cells: Any, _: Mapping[str, Any], unit: Literal["D", "s"]) -> pd.Series:
    return pd.to_datetime(pd.Series(np.asarray(cells, dtype=float)), unit=unit, utc=unit == "s")


def _durations(cells: Any, attributes: Mapping[str, Any]) -> pd.Series:
    unit = str(np.asarray(attributes.get("units", ["days"])).ravel()[0])
    days = np.asarray(cells, dtype=float) / _IN_DAYS[unit]
    return pd.Series(pd.to_timedelta(days * 86_400, unit="s"))


def _long_whole_numbers(cells: Any, _: Mapping[str, Any]) -> pd.Series:
    """Convert integer64 of bit64, stored in doubles; the smallest integer is missing."""
    whole = np.asarray(cells, dtype=np.float64).view(np.int64)
    gaps = whole == np.iinfo(np.int64).min
    return pd.Series(pd.array(np.where(gaps, 0, whole), dtype="Int64")).mask(gaps)


_CONSTRUCTORS: dict[str, Any] = {
    "data.frame": _DataFrame,
    "factor": _factor,
    "ordered": partial(_factor, ordered=True),
    "Date": partial(_moments, unit="D"),
    "POSIXct": partial(_moments, unit="s"),
    "difftime": _durations,
    "haven_labelled": _Labelled,
    "integer64": _long_whole_numbers,
}


def _chosen(found: Mapping[str, Any], file: str, sheet: str | None) -> _DataFrame:
    """Return the only data frame of a file, or the named one."""
    frames = {name: one for name, one in found.items() if isinstance(one, _DataFrame)}
    if sheet is not None:
        if sheet in frames:
            return frames[sheet]
        known = listed(map(repr, frames)) or "which has none"
        raise TableError(
            f"sheet must name a data frame of {file} ({known}). "
            f"Got {sheet!r}{did_you_mean(sheet, list(frames))}"
        )
    if len(frames) == 1:
        return next(iter(frames.values()))
    if not frames:
        holds = listed(map(repr, found)) or "nothing"
        raise TableError(
            f"{file} contains no data frame (it contains {holds}). Save one with saveRDS()"
        )
    fixes = [Fix("sheet", name) for name in list(frames)[:2]]
    raise TableError(f"{file} contains {len(frames)} data frames ({listed(frames)})", *fixes)


ARROW = {".parquet": ("Parquet", "read_parquet"), ".feather": ("Feather", "read_feather")}
LARGE = 2**25  # bytes; columns of a larger file are read in groups
GROUPS = 8  # reading a group needs three times its memory


def read_arrow(path: Path, suffix: str) -> pd.DataFrame:
    """Read a Parquet or Feather file."""
    kind, reader = ARROW[suffix]
    pyarrow = need("pyarrow")
    try:
        options = {"engine": "pyarrow"} if kind == "Parquet" else {}
        schema, n_rows = _schema(path, kind)
        refuse_column_twice(schema.names, path.name)
        frames = [
            without_enum_order(getattr(pd, reader)(path, columns=columns, **options), schema)
            for columns in _groups(path, schema, n_rows)
        ]
    except TableError:
        raise
    # pandas also reads its own metadata and raises the errors of that
    except (pyarrow.ArrowException, OSError, ValueError, LookupError, TypeError) as reason:
        if isinstance(reason, OSError) and reason.strerror:
            raise TableError(f"{path} cannot be read: {reason.strerror}") from None
        text = str(reason).splitlines()[0]
        raise TableError(
            f"{path.name} cannot be read as {kind}, since it is damaged, incomplete or of another "
            f"format ({text:.200}). Save or copy it again"
        ) from None
    named = _named_index(frames)
    frames = [frame.reset_index(drop=True) for frame in frames]
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, axis=1)
    for name, labels in reversed(named.items()):
        if name not in frame:
            frame.insert(0, name, labels)
        elif not pd.Index(frame[name]).equals(labels):
            raise TableError(
                f"{path.name} must not have a column and an index of the same name. Got {name!r}: "
                "rename one"
            )
    return frame


def _named_index(frames: list[pd.DataFrame]) -> dict[Any, pd.Index]:
    """Return the named parts of the index, which pandas reads with some groups of columns."""
    found: dict[Any, pd.Index] = {}
    for frame in frames:
        for level, name in enumerate(frame.index.names):
            if name is not None:
                found.setdefault(name, frame.index.get_level_values(level))
    return found


def _groups(path: Path, schema: Any, n_rows: int) -> list[list[str] | None]:
    """Return groups of columns to read together; None is all columns."""
    if path.stat().st_size < LARGE:
        return [None]
    names = schema.names
    refuse_bytes(
        f"the table of {path.name}",
        n_rows,
        n_rows * sum(map(_bytes, schema.types)),
        lambda _: "remove columns from the file",
    )
    if any("." in name for name in names):
        return [None]  # pandas would read such a name as several columns
    size = -(-len(names) // GROUPS)
    return [names[start : start + size] for start in range(0, len(names), size)]


def _schema(path: Path, kind: str) -> tuple[Any, int]:
    """Return the names and types of the columns, and the number of rows."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    if kind == "Parquet":
        with parquet.ParquetFile(path) as file:
            return file.schema_arrow, file.metadata.num_rows
    with path.open("rb") as file:
        first = file.read(4)
    if first == b"FEA1":  # as pandas wrote it until 2020
        table = feather.read_table(path, memory_map=True)
        return table.schema, table.num_rows
    with pa.memory_map(str(path)) as mapped, pa.ipc.open_file(mapped) as file:
        batches = (file.get_batch(i).num_rows for i in range(file.num_record_batches))
        return file.schema, sum(batches)


def _bytes(dtype: Any) -> float:
    """Return the smallest number of bytes of a value in a frame."""
    try:
        return max(1.0, dtype.bit_width / 8)
    except ValueError:  # text
        return 8.0
