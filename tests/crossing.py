"""Entry points of the bridge as R calls them: objects of R go in, and come out as plain values.

`crossing.rank(frame, labels, "hsic")` takes data frames, arrays and what :func:`column` makes, by
the names that the entry point has. The answer is a mapping with the elements that R gets, a data
frame a mapping of its columns, and `warnings`; or it has `error` or `interrupted`.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from r_bridge.from_r.entry_points import ENTRIES, answer
from r_bridge.r_vectors import NA_INTEGER, RVector, dumps, loads, texts


def __getattr__(name: str) -> Callable[..., Any]:
    if name not in ENTRIES:
        raise AttributeError(name)
    arguments = [*inspect.signature(ENTRIES[name]).parameters]

    def call(*given: Any, **named: Any) -> Any:
        asked = dict(zip(arguments, given, strict=False)) | named
        found = read(loads(bytes(answer(name, dumps(asked)))))
        told = {key: found[key] for key in ("error", "interrupted") if found[key] is not None}
        if told:
            return told
        value = found["value"]
        return {**value, "warnings": found["warnings"]} if type(value) is dict else value

    return call


class Columns(dict[str, list[Any]]):
    """A data frame."""


def column(form: str, cells: Any, levels: Any = ()) -> RVector:
    """A column of R: of numbers, a date, a flag, or codes from 0 of text or of a factor."""
    cells = np.asarray(cells, dtype=np.float64)
    if form in ("number", "date"):
        return RVector("double", cells, {"class": texts(["Date"])} if form == "date" else {})
    codes = np.where(np.isnan(cells), NA_INTEGER, cells).astype(np.int32)
    if form == "flag":
        return RVector("logical", codes)
    if form == "text":
        return texts([None if code == NA_INTEGER else levels[code] for code in codes])
    places = np.where(codes == NA_INTEGER, codes, codes + 1).astype(np.int32)
    classes = ["ordered", "factor"] if form == "ordered" else ["factor"]
    return RVector("integer", places, {"levels": texts(levels), "class": texts(classes)})


def read(vector: RVector | None) -> Any:
    """Plain values; NA is None."""
    if vector is None:
        return None
    if vector.kind == "raw":
        return vector.values
    values = [read(value) for value in vector.values] if vector.kind == "list" else known(vector)
    if "data.frame" in vector.classes:
        return Columns(zip(vector.names, map(several, vector.values), strict=True))
    if "dim" in vector.attributes:
        return np.array(values).reshape(vector.attributes["dim"].values, order="F")
    if vector.names is not None:
        return dict(zip(vector.names, values, strict=True))
    return values[0] if len(values) == 1 and vector.kind != "list" else values


def several(vector: RVector) -> list[Any]:
    """The values of a column."""
    if vector.kind != "list":
        return known(vector)
    return [several(cell) for cell in vector.values]


def known(vector: RVector) -> list[Any]:
    """The values of a vector that is no list."""
    if vector.kind == "character":
        return vector.values
    values = vector.values.tolist()
    if vector.kind == "double":
        return [None if value != value else value for value in values]
    kind = bool if vector.kind == "logical" else int
    return [None if value == NA_INTEGER else kind(value) for value in values]
