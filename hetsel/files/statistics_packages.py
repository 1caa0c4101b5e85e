"""Tables that Stata, SPSS and SAS wrote: labels become levels, user-missing values missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel.ground.errors import Fix, TableError
from hetsel.ground.optional_packages import need
from hetsel.ground.text import listed
from hetsel.tables.column import Note

PROGRAMS = {
    ".sav": ("SPSS", "read_sav"),
    ".zsav": ("SPSS", "read_sav"),
    ".dta": ("Stata", "read_dta"),
    ".sas7bdat": ("SAS", "read_sas7bdat"),
    ".xpt": ("SAS", "read_xport"),
}


def read_statistics_package(path: Path, encoding: str | None) -> pd.DataFrame:
    """Data frame of a file of SPSS, Stata or SAS; its notes in `attrs`.

    Raises
    ------
    TableError
        pyreadstat is not installed; a file that it cannot read.
    """
    program, reader = PROGRAMS[path.suffix.lower()]
    pyreadstat = need("pyreadstat")
    options: dict[str, Any] = {"encoding": encoding, "dates_as_pandas_datetime": True}
    if program == "SPSS":
        options["user_missing"] = True  # only then it tells which values are
    try:
        frame, about = getattr(pyreadstat, reader)(str(path), **options)
    except Exception as reason:  # it raises what its parsers of dates and of text raise, too
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
    said = str(reason).splitlines()[0] if str(reason) else type(reason).__name__
    fixes = []
    if "encoding" in said or isinstance(reason, UnicodeError):
        fixes = [Fix("encoding", other) for other in ("latin-1", "cp1252") if other != encoding]
    return TableError(f"{name} cannot be read as a file of {program}: {said:.200}", *fixes)


def _among(value: Any, missing: list[Any]) -> bool:
    """Whether a value is one of the declared missing ones: ranges of numbers, or texts."""
    for one in missing:
        low, high = (one["lo"], one["hi"]) if isinstance(one, Mapping) else (one, one)
        if isinstance(value, str) == isinstance(low, str) and low <= value <= high:
            return True
    return False


def labeled_cells(
    cells: pd.Series, labels: Mapping[Any, str], measure: str
) -> tuple[pd.Series, Note | None]:
    """The cells of a column by what the file says of it, and what is open."""
    present = cells.dropna()
    if isinstance(cells.dtype, pd.DatetimeTZDtype) or cells.dtype.kind == "M":
        return cells, None
    if len(present) and all(isinstance(value, str) for value in present):
        cells = cells.str.strip().replace("", None)  # these files have no other missing text
    cells = cells.infer_objects()  # numbers beside letters that mean missing
    present = cells.dropna()
    # the letters of Stata's and SAS's missing values have labels as well
    labels = {v: text for v, text in labels.items() if _like(v, present)}
    known = present.isin(list(labels))
    if labels and known.all():
        return _categories(cells, labels, measure), None
    if labels and known.any():
        which = [v for v in labels if (present == v).any()]
        some = listed(f"{_plain(v)} is {labels[v]!r}" for v in which)
        marks = Fix("missing_marks", tuple(map(_plain, which)), "if these mark missing cells")
        what = f"some of its values have labels, which are not used ({some})"
        return cells, Note((what,), (marks, Fix("nominal", (str(cells.name),), "if all are codes")))
    numeric = pd.api.types.is_numeric_dtype(cells.dtype)
    if measure in ("nominal", "ordinal") and numeric and (present == present.round()).all():
        codes = {value: int(value) for value in sorted(present.unique())}
        return _categories(cells, codes, measure), None
    return cells, None


def _like(value: Any, present: pd.Series) -> bool:
    """Whether a labeled value is of the type of the cells: text, or a number."""
    text = len(present) > 0 and isinstance(present.iloc[0], str)
    return isinstance(value, str) == text


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.15g}"


def _categories(cells: pd.Series, labels: Mapping[Any, Any], measure: str) -> pd.Series:
    """The cells as levels, in the order of their values; two values of one label stay two."""
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
