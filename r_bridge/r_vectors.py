"""Convert objects of R to and from bytes in the format of R's `serialize()`, version 2.

R inside Python and Python inside R exchange raw vectors. A vector keeps its type at any length,
NA stays NA, and names, classes and levels are kept; the generic conversions of reticulate and rpy2
lose some of these. The types of a Python record determine its R object, see :func:`as_vector`.
"""

import functools
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
import pandas as pd

from hetsel.ground.errors import TableError

Values = Mapping[str, Any]  # plain values by name
Buffer = bytes | memoryview
Kind = Literal["logical", "integer", "double", "character", "list", "raw"]

_CODES: dict[Kind, int] = {"logical": 10, "integer": 13, "double": 14, "character": 16}
_CODES |= {"list": 19, "raw": 24}
_KINDS = {code: kind for kind, code in _CODES.items()}
_NULL, _PAIRS, _SYMBOL, _CELL, _SEEN = 254, 2, 1, 9, 255
_UTF8, _LATIN1 = 1 << 3, 1 << 2  # of the levels of a text
_ATTRIBUTES, _TAG = 1 << 9, 1 << 10
_OBJECT = 1 << 8
NA_INTEGER = -(2**31)  # of logical vectors, too
NA_REAL = np.frombuffer(struct.pack("<Q", 0x7FF00000000007A2), "<f8")[0]


@dataclass(frozen=True, eq=False)
class RVector:
    """A vector of R with its attributes.

    Parameters
    ----------
    kind : {"logical", "integer", "double", "character", "list", "raw"}
    values : ndarray, bytes, or list
        int32 for a logical or integer vector, float64 for a double vector; text or None for a
        character vector, RVector or None for a list.
    attributes : dict of str to RVector
    """

    kind: Kind
    values: Any
    attributes: "dict[str, RVector | None]" = field(default_factory=dict)

    def __getitem__(self, place: int) -> object:
        return self.values[place]

    @property
    def names(self) -> list[str] | None:
        """The names of the elements, if there are any."""
        names = self.attributes.get("names")
        return None if names is None else ["" if n is None else n for n in names.values]

    @property
    def by_name(self) -> "dict[str, RVector | None]":
        """The elements of a list by their names."""
        return dict(zip(self.names or (), self.values, strict=True))

    @property
    def classes(self) -> list[str]:
        """The class attribute."""
        classes = self.attributes.get("class")
        return [] if classes is None else list(classes.values)


def loads(content: bytes) -> RVector | None:
    """Read an object that R wrote by `serialize(x, NULL, xdr = FALSE, version = 2)`.

    Other formats and objects without data (a function, an environment, a call) are errors.
    """
    if content[:2] != b"B\n":
        raise TableError("expected what serialize(x, NULL, xdr = FALSE, version = 2) writes")
    return _Reader(memoryview(content), 14).item()


class _Reader:
    """Read item after item."""

    def __init__(self, content: memoryview, place: int) -> None:
        self._content, self._place = content, place
        self._symbols: list[str] = []

    def _integer(self) -> int:
        (value,) = struct.unpack_from("=i", self._content, self._place)
        self._place += 4
        return int(value)

    def _length(self) -> int:
        length = self._integer()
        if length != -1:
            return length
        return (self._integer() << 32) | (self._integer() & 0xFFFFFFFF)

    def _take(self, dtype: str, length: int) -> np.ndarray:
        values = np.frombuffer(self._content, dtype, length, self._place)
        self._place += values.nbytes
        return values

    def item(self) -> RVector | None:
        """Read the next object."""
        flags = self._integer()
        code = flags & 0xFF
        if code == _NULL:
            return None
        kind = _KINDS.get(code)
        if kind is None:
            raise TableError(f"an object of R that holds no data (type {code})")
        length = self._length()
        values: Any
        if kind == "raw":
            values = self._take("u1", length).tobytes()
        elif kind in ("character", "list"):
            values = [self._text() if kind == "character" else self.item() for _ in range(length)]
        else:
            values = self._take("=f8" if kind == "double" else "=i4", length)
        return RVector(kind, values, self._attributes() if flags & _ATTRIBUTES else {})

    def _text(self) -> str | None:
        flags, length = self._integer(), self._integer()
        if length == -1:
            return None
        content = bytes(self._content[self._place : self._place + length])
        self._place += length
        return content.decode("latin-1" if (flags >> 12) & _LATIN1 else "utf-8", "replace")

    def _attributes(self) -> dict[str, RVector | None]:
        attributes = {}
        while (flags := self._integer()) & 0xFF == _PAIRS:
            name = self._symbol() if flags & _TAG else ""
            attributes[name] = self.item()
        return attributes

    def _symbol(self) -> str:
        flags = self._integer()
        if flags & 0xFF == _SEEN:
            return self._symbols[((flags >> 8) or self._integer()) - 1]
        self._integer()  # of the text
        self._place -= 4
        self._symbols.append(self._text() or "")
        return self._symbols[-1]


def plain(vector: RVector | None) -> Any:
    """Convert to Python: a named list to a mapping, one value to that value, others to a list.

    NA of a logical, integer or character vector is None; NA of a double vector is NaN.
    """
    if vector is None or vector.kind == "raw":
        return None if vector is None else vector.values
    if vector.kind == "list":
        values = [plain(value) for value in vector.values]
        return values if vector.names is None else dict(zip(vector.names, values, strict=True))
    if vector.kind in ("integer", "logical"):
        cast = int if vector.kind == "integer" else bool
        values = [None if v == NA_INTEGER else cast(v) for v in vector.values.tolist()]
    else:
        values = vector.values if vector.kind == "character" else vector.values.tolist()
    return values[0] if len(values) == 1 else values


_SCALARS: dict[object, Kind] = {str: "character", int: "integer", float: "double", bool: "logical"}


def dumps(value: object) -> bytes:
    """Write a value as bytes that R's `unserialize()` reads."""
    out: list[Buffer] = [b"B\n", struct.pack("=3i", 2, 0x00040202, 0x00020300)]
    _write(out, as_vector(value))
    return b"".join(out)


def as_vector(value: Any, declared: object = object) -> RVector | None:
    """Convert a value to an object of R by its type.

    A Struct becomes a named list of its fields, by their types. `str`, `int`, `float` and `bool`
    become a vector of one value, in which None is NA. A sequence of these becomes a vector, of
    Structs a data frame, of others a list; a dict becomes a named vector or list. Without a type,
    a mapping becomes a named list, a data frame a data frame with factors for categorical columns,
    an array a vector or a matrix, and a list a vector if all its values have one type; None becomes
    NULL. A whole number becomes an integer if R can represent it, else a double.
    """
    declared = _plain_type(declared)
    if declared in _SCALARS:
        return _of_kind(_SCALARS[declared], [value])
    if value is None or isinstance(value, RVector):
        return value
    of = get_args(declared)
    if get_origin(declared) in (tuple, list):
        return _of_tuple(value, _plain_type(of[0]))
    if get_origin(declared) is dict:
        item = _plain_type(of[1])
        if item in _SCALARS:
            named = _of_kind(_SCALARS[item], value.values())
            return RVector(named.kind, named.values, {"names": texts(map(str, value))})
        return named_list(value, item)
    if isinstance(value, msgspec.Struct):
        return named_list(fields(value, *value.__struct_fields__))
    if isinstance(value, pd.DataFrame):
        return data_frame({str(name): _column(value.iloc[:, j]) for j, name in enumerate(value)})
    if isinstance(value, Mapping):
        return named_list(value)
    if isinstance(value, pd.Series):
        return _column(value)
    if isinstance(value, bytes | bytearray):
        return RVector("raw", bytes(value))
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, list | tuple):
        return _of_sequence(value)
    return _of_sequence([value])


def fields(record: Any, *names: str) -> dict[str, object]:
    """Convert fields of a Struct or a dataclass to objects of R, by name."""
    types = get_type_hints(type(record))
    return {name: as_vector(getattr(record, name), types.get(name, object)) for name in names}


def named_list(values: Mapping[str, object], declared: object = object) -> RVector:
    """Create a list of R with these names."""
    vectors = [as_vector(value, declared) for value in values.values()]
    return RVector("list", vectors, {"names": texts(map(str, values))})


def matrix(values: np.ndarray, columns: Iterable[str]) -> RVector:
    """Create a matrix of R with these column names."""
    names = RVector("list", [None, texts(columns)])
    found = _of_array(values)
    return RVector(found.kind, found.values, {**found.attributes, "dimnames": names})


def table(cells: Any, types: Values) -> RVector:
    """Create a data frame of R from records, tuples, a data frame or a mapping of columns.

    Columns have the given types. Fields that a record does not have are NA.
    """
    if not isinstance(cells, Mapping | pd.DataFrame):
        rows = [row if isinstance(row, Mapping) else zip(types, row, strict=True) for row in cells]
        each = [dict(row) for row in rows]
        cells = {name: [record.get(name) for record in each] for name in types}
    return data_frame({name: _of_tuple(cells[name], kind) for name, kind in types.items()})


def kinds(kind: type, *names: str) -> dict[str, type]:
    """Declare columns of one type."""
    return dict.fromkeys(names, kind)


def data_frame(columns: Mapping[str, RVector]) -> RVector:
    """Create a data frame of R from columns."""
    count = len(next(iter(columns.values())).values) if columns else 0
    rows = RVector("integer", np.array([NA_INTEGER, -count] if count else [], dtype=np.int32))
    attributes = {"row.names": rows, "class": texts(["data.frame"])}
    return RVector("list", [*columns.values()], {"names": texts(columns), **attributes})


def factor(places: np.ndarray, levels: Iterable[str], ordered: bool = False) -> RVector:
    """Create a factor of R from the positions (n,) of its levels, counted from 1."""
    classes = texts(["ordered", "factor"] if ordered else ["factor"])
    return RVector("integer", places, {"levels": texts(levels), "class": classes})


def texts(values: Iterable[str | None]) -> RVector:
    """Create a character vector of any length; None is NA."""
    return RVector("character", [*values])


@functools.cache
def _plain_type(declared: object) -> object:
    """Remove None from a type."""
    while get_origin(declared) in (Union, UnionType):
        declared = next(kind for kind in get_args(declared) if kind is not type(None))
    return declared


def _of_tuple(values: Sequence[Any], item: object) -> RVector:
    if item in _SCALARS:
        return _of_kind(_SCALARS[item], values)
    if isinstance(item, type) and issubclass(item, msgspec.Struct):
        types = {name: _plain_type(kind) for name, kind in get_type_hints(item).items()}
        return table(map(msgspec.structs.asdict, values), types)
    return RVector("list", [as_vector(value, item) for value in values])


def _of_kind(kind: Kind, values: Iterable[Any]) -> RVector:
    """Create a vector of R of one kind; None and NaN are NA."""
    known = [None if value is None or value != value else value for value in values]
    if kind == "character":
        return texts(known)
    if kind == "double" or any(v is not None and abs(v) >= 2**31 for v in known):
        return RVector("double", np.array([NA_REAL if v is None else float(v) for v in known]))
    numbers = [NA_INTEGER if v is None else int(v) for v in known]
    return RVector(kind, np.array(numbers, dtype=np.int32))


def _of_sequence(values: Sequence[Any]) -> RVector:
    """Create a vector if all values have one type, else a list."""
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, str) for value in known):
        return texts(values)
    if known and all(isinstance(value, bool | np.bool_) for value in known):
        return _of_kind("logical", values)
    numeric = int | float | np.integer | np.floating
    if known and all(isinstance(v, numeric) and not isinstance(v, bool) for v in known):
        whole = all(isinstance(v, int | np.integer) for v in known)
        return _of_kind("integer" if whole else "double", values)
    return RVector("list", [as_vector(value) for value in values])


def _of_array(values: np.ndarray) -> RVector:
    if values.ndim == 2:
        shape = RVector("integer", np.array(values.shape, dtype=np.int32))
        cells = _of_array(values.ravel(order="F"))
        return RVector(cells.kind, cells.values, {"dim": shape})
    if values.dtype.kind == "b":
        return RVector("logical", values.astype(np.int32))
    if values.dtype.kind in "iu":
        if len(values) == 0 or (values.min() > -(2**31) and values.max() < 2**31):
            return RVector("integer", values.astype(np.int32))
        return RVector("double", values.astype(np.float64))
    if values.dtype.kind == "f":
        return RVector("double", np.ascontiguousarray(values, dtype=np.float64))
    if values.dtype.kind == "U":
        return texts(values.tolist())
    return _of_sequence(values.tolist()) if len(values) else texts([])


def _column(column: pd.Series) -> RVector:
    """Convert a column of a data frame; a categorical column becomes a factor."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy(np.int32)
        places = np.where(codes < 0, NA_INTEGER, codes + 1).astype(np.int32)
        return factor(places, map(str, column.cat.categories), bool(column.cat.ordered))
    if column.dtype.kind in "bui":
        return _of_array(column.to_numpy())
    if column.dtype.kind == "f":
        return _of_array(np.where(column.isna(), NA_REAL, column.to_numpy(np.float64)))
    gaps = column.isna().to_numpy()
    cells = [None if gap else cell for cell, gap in zip(column, gaps, strict=True)]
    if all(cell is None or isinstance(cell, str) for cell in cells):
        return texts(cells)
    return _of_sequence(cells)


def _write(out: list[Buffer], vector: RVector | None) -> None:
    if vector is None:
        out.append(struct.pack("=i", _NULL))
        return
    held = {name: value for name, value in vector.attributes.items() if value is not None}
    flags = _CODES[vector.kind] | (_ATTRIBUTES if held else 0) | (_OBJECT if "class" in held else 0)
    out.append(struct.pack("=i", flags))
    out.append(_length(len(vector.values)))
    if vector.kind == "character":
        for text in vector.values:
            _write_text(out, text)
    elif vector.kind == "list":
        for item in vector.values:
            _write(out, item)
    elif vector.kind == "raw":
        out.append(vector.values)
    else:
        dtype = np.float64 if vector.kind == "double" else np.int32
        out.append(np.ascontiguousarray(vector.values, dtype=dtype).view(np.uint8).data)
    if held:
        for name, value in held.items():
            out.append(struct.pack("=2i", _PAIRS | _TAG, _SYMBOL))
            _write_text(out, name)
            _write(out, value)
        out.append(struct.pack("=i", _NULL))


def _length(count: int) -> bytes:
    long = struct.pack("=iiI", -1, count >> 32, count & 0xFFFFFFFF)
    return struct.pack("=i", count) if count < 2**31 else long


def _write_text(out: list[Buffer], text: str | None) -> None:
    if text is None:
        out.append(struct.pack("=2i", _CELL, -1))
        return
    content = text.encode("utf-8", "replace")
    level = 1 << 6 if text.isascii() else _UTF8
    out.append(struct.pack("=2i", _CELL | level << 12, len(content)) + content)
