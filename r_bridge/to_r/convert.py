"""Table to data.frame and back, cell by cell under our own control.

The generic converters turn a categorical with levels that are no text into character, and drop
the difference between NA and NaN. Here a column crosses as its codes and its full set of levels.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from hetsel.tables import Column, Schema, Table
from hetsel.tables.encode import quiet
from r_bridge.to_r import session

MISSING_LEVEL = "(missing)"  # of a nominal column in which missing is a value of its own
_NA_REAL = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]
_NA_INTEGER = np.iinfo(np.int32).min
_FRAME = """
function(cells, levels, ordered, names, n) {
  columns <- Map(function(x, levels, ordered) {
    if (is.null(levels)) return(x)
    structure(x, levels = levels, class = c(if (ordered) "ordered", "factor"))
  }, cells, levels, ordered)
  structure(columns, names = names, class = "data.frame", row.names = .set_row_names(n))
}
"""
# What a column is and its cells as plain numbers, so that NA of every type crosses as NA_real_.
_PARTS = """
function(frame) {
  lapply(frame, function(x) {
    if (is.character(x)) x <- factor(x, levels = sort(unique(x), method = "radix"))
    if (is.factor(x)) {
      kind <- if (is.ordered(x)) "ordinal" else "nominal"
      return(list(kind, as.double(as.integer(x)) - 1, enc2utf8(levels(x))))
    }
    if (is.logical(x)) return(list("flag", as.double(x), character()))
    if (inherits(x, "POSIXt")) return(list("date", as.double(as.POSIXct(x)) / 86400, character()))
    if (inherits(x, "Date")) return(list("date", as.double(x), character()))
    if (is.numeric(x)) return(list("continuous", as.double(x), character()))
    stop("a column of class ", class(x)[1], " has no counterpart in a table")
  })
}
"""


def to_r(table: Table) -> Any:
    """The data.frame of a table.

    Parameters
    ----------
    table : Table
        Values (n, p). A nominal column whose missing cells were made a value of its own
        (``missing="separate"``) has the further level ``"(missing)"``.

    Returns
    -------
    R data.frame of n rows and p columns
        Continuous columns are double, with NA for a missing cell; nominal columns are factors and
        ordinal ones ordered factors, each with its full set of levels, as text.

    Raises
    ------
    session.RUnavailable
        R cannot be used.
    """
    session.start()
    import rpy2.rinterface as rinterface

    cells: list[Any] = []
    levels: list[Any] = []
    for column, values in zip(table.schema.columns, table.values.T, strict=True):
        if column.kind == "continuous":
            cells.append(_doubles(values))
            levels.append(rinterface.NULL)
        else:
            cells.append(_codes(values))
            levels.append(rinterface.StrSexpVector(_texts(column, values)))
    return session.call(
        _FRAME,
        rinterface.ListSexpVector(cells),
        rinterface.ListSexpVector(levels),
        rinterface.BoolSexpVector([c.kind == "ordinal" for c in table.schema.columns]),
        rinterface.StrSexpVector(table.names),
        len(table.values),
    )


def from_r(frame: Any) -> Table:
    """The table of a data.frame.

    Numbers become continuous columns, dates too (in days since 1970-01-01), factors and text
    nominal ones, logical columns nominal ones with the levels False and True, ordered factors
    ordinal ones. NA of every type is NaN.

    Raises
    ------
    session.RError
        A column of another class, such as a list.
    TableError
        No columns, or duplicate names.
    """
    names = [str(name) for name in frame.names]
    columns, cells = [], []
    for name, (what, values, levels) in zip(names, session.call(_PARTS, frame), strict=True):
        kind = str(what[0])
        numbers = np.array(values.memoryview(), dtype=np.float64)
        cells.append(quiet(numbers))
        if kind in ("continuous", "date"):
            columns.append(Column(name, "continuous", time="date" if kind == "date" else None))
        elif kind == "flag":
            columns.append(Column(name, "nominal", (False, True)))
        else:
            ordinal = kind == "ordinal"
            texts = tuple(str(level) for level in levels)
            columns.append(Column(name, "ordinal" if ordinal else "nominal", texts))
    schema = Schema(tuple(columns))
    return Table(np.column_stack(cells), schema)


def _doubles(cells: np.ndarray) -> Any:
    """R double vector of cells (n,); NaN becomes NA."""
    import rpy2.rinterface as rinterface

    values = np.ascontiguousarray(np.where(np.isnan(cells), _NA_REAL, cells))
    return rinterface.FloatSexpVector.from_memoryview(values.data)


def _codes(cells: np.ndarray) -> Any:
    """R integer vector, counted from 1, of codes (n,) counted from 0; NaN becomes NA."""
    import rpy2.rinterface as rinterface

    gaps = np.isnan(cells)
    numbers = np.where(gaps, _NA_INTEGER, np.where(gaps, 0.0, cells) + 1).astype(np.int32)
    return rinterface.IntSexpVector.from_memoryview(numbers.data)


def _texts(column: Column, codes: np.ndarray) -> list[str]:
    """Levels as text; codes beyond the known levels are missing, then unseen ones."""
    texts = [str(level) for level in column.levels]
    present: Iterable[float] = codes[~np.isnan(codes)]
    beyond = int(max(present, default=-1)) + 1 - len(texts)
    further = [MISSING_LEVEL, *(f"(unseen {k})" for k in range(1, beyond))][: max(beyond, 0)]
    taken = set(texts)
    for text in further:
        while text in taken:
            text += "*"
        taken.add(text)
        texts.append(text)
    return texts
