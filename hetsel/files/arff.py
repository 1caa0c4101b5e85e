"""Read ARFF, the typed text format of Weka: declared levels, ``?`` for missing values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hetsel.ground import TableError, counted, listed
from hetsel.tables.column import refuse_column_twice

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_CELL = re.compile(rf"\s*({_QUOTED}|[^,'\"\s][^,]*|)\s*(,|$)")
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.+)", re.IGNORECASE)
_DATE_PARTS = {"yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}
_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True)
class _Attribute:
    name: str
    kind: str  # "nominal", "numeric", "string", "date"
    levels: tuple[str, ...] = ()
    form: str = ""


def parse_arff(text: str, name: str) -> pd.DataFrame:
    """Read a dense ARFF text; `name` is the file name for errors."""
    attributes: list[_Attribute] = []
    rows: list[list[str | None]] = []
    in_data = False
    for number, line in _lines(text):
        where = f"line {number} of {name}"
        if in_data:
            if line.startswith("{"):
                raise TableError(f"{name} is a sparse ARFF file ({where}). Save it as dense ARFF")
            cells = _split(line, where)
            if len(cells) != len(attributes):
                raise TableError(
                    f"{where} must have {counted(len(attributes), 'value')}, one per attribute. "
                    f"Got {len(cells)}"
                )
            rows.append(cells)
        elif line.lower().startswith("@attribute"):
            attributes.append(_attribute(line, where))
        elif line.lower().startswith("@data"):
            in_data = True
        elif not line.lower().startswith("@relation"):
            raise TableError(
                f"{where} is not ARFF: it must begin with @attribute or @data. Got {line[:40]!r}"
            )
    if not attributes or not in_data:
        raise TableError(f"{name} is not ARFF, since it lacks @attribute or @data")
    if not rows:
        raise TableError(f"{name} has attributes but no rows")
    refuse_column_twice((attribute.name for attribute in attributes), name)
    columns = zip(*rows, strict=True)
    return pd.DataFrame(
        {a.name: _column(a, c, name) for a, c in zip(attributes, columns, strict=True)}
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line and not line.startswith("%"):
            yield number, line


def _split(line: str, where: str) -> list[str | None]:
    """Split a line into values; an unquoted ``?`` is missing."""
    if "'" not in line and '"' not in line:
        return [None if c == "?" else c for c in map(str.strip, line.split(","))]
    cells: list[str | None] = []
    start = 0
    while True:
        match = _CELL.match(line, start)
        if match is None:
            raise TableError(f"{where} cannot be read. Check for an open quotation mark")
        cells.append(None if match[1].strip() == "?" else _unquoted(match[1].strip()))
        if match[2] == "":
            return cells
        start = match.end()


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _attribute(line: str, where: str) -> _Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        raise TableError(f"{where} must have the form @attribute name type")
    name, kind = _unquoted(match[1]), match[2].strip()
    if kind.startswith("{"):
        if not kind.endswith("}"):
            raise TableError(f"{where}: the levels of {name!r} must end with }}")
        levels = tuple(str(level) for level in _split(kind[1:-1].strip().rstrip(","), where))
        return _Attribute(name, "nominal", levels)
    word, _, rest = kind.partition(" ")
    if word.lower() in _NUMERIC:
        return _Attribute(name, "numeric")
    if word.lower() == "string":
        return _Attribute(name, "string")
    if word.lower() == "date":
        return _Attribute(name, "date", form=_date_form(_unquoted(rest.strip()), where))
    raise TableError(
        f"{where}: the type of {name!r} must be numeric, real, integer, string, date or a list of "
        f"levels in braces. Got {word!r}"
    )


def _date_form(java: str, where: str) -> str:
    """Convert a date format of Java to one of Python."""
    form = re.sub(r"'([^']*)'", r"\1", java or "yyyy-MM-dd'T'HH:mm:ss")
    for part, code in _DATE_PARTS.items():
        form = form.replace(part, code)
    if re.search(r"(?<!%)[A-SU-Za-z]", form):
        raise TableError(
            f"{where}: a date format must consist of {listed(_DATE_PARTS)}. Got {java!r}"
        )
    return form


def _column(attribute: _Attribute, cells: tuple[str | None, ...], name: str) -> pd.Series:
    if attribute.kind == "nominal":
        strange = sorted({c for c in cells if c is not None and c not in attribute.levels})
        if strange:
            raise TableError(
                f"{name}: the levels of {attribute.name!r} must be {listed(attribute.levels)}. "
                f"Got {listed(strange)}"
            )
        return pd.Series(pd.Categorical(cells, categories=list(dict.fromkeys(attribute.levels))))
    if attribute.kind == "string":
        return pd.Series(cells, dtype="str")
    try:
        if attribute.kind == "date":
            return pd.to_datetime(pd.Series(cells, dtype="str"), format=attribute.form)
        return pd.Series([np.nan if c is None else float(c) for c in cells], dtype="float64")
    except ValueError as reason:
        raise TableError(
            f"{name}: {attribute.name!r} is declared as {attribute.kind}, but "
            + str(reason).splitlines()[0]
        ) from None
