"""Read numbers: scores of data sets x methods, lists of numbers, tables of counts.

Frames of pandas, polars, Arrow or another library, dicts of columns, records, lists of rows and
arrays, masked or not, become numpy arrays. A missing value (None, NaN, a null, ``pandas.NA``, a
masked cell) is NaN among numbers, else None; numbers next to text stay numbers. A first column of
text names the rows (data sets), as in R's ``hetsel_compare``; any other text is refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Number, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hetsel.ground import TableError, is_dask
from hetsel.ground.array_types import Floats

CellArray = NDArray[Any]
MethodNames = tuple[str, ...]
EXACT = 2.0**53  # whole numbers up to it are exact doubles
LONG = ("dataset", "size", "method")


def frame_cells(data: Any, what: str) -> tuple[CellArray, MethodNames | None]:
    """Return a table of any kind as cells (n, k), with its column names; errors call it `what`."""
    data = _as_frame(data, what)
    if isinstance(data, np.ndarray):
        return _array_cells(data), None
    if not hasattr(data, "iter_columns"):  # no frame
        return _row_cells(data, what), None
    columns = [_series_cells(column) for column in data.iter_columns()]
    if not columns:
        return np.empty((len(data), 0)), ()
    return _side_by_side(columns), tuple(str(name) for name in data.columns)


def list_cells(values: Any, what: str) -> CellArray:
    """Return a series of any library, an array or any iterable of cells as an array."""
    if isinstance(values, np.ndarray):
        return _array_cells(values)
    if hasattr(values, "to_pylist"):  # an array of Arrow
        cells = values.to_pylist()
        lengths = {len(cell) for cell in cells if isinstance(cell, list)}
        return _objects(cells) if len(lengths) > 1 else _plain_array(cells, what)
    series = _narwhals(values, what)
    if hasattr(series, "iter_columns"):  # a frame: its only column, else it has two dimensions
        cells, _ = frame_cells(values, what)
        return cells[:, 0] if cells.shape[1] == 1 else cells
    if hasattr(series, "null_count"):
        return _series_cells(series)
    if isinstance(values, Mapping):
        values = list(values.values())
    elif holds_cells(values) and not hasattr(values, "__array__"):
        values = list(values)
    if isinstance(values, list) and any(value is np.ma.masked for value in values):
        values = [None if value is np.ma.masked else value for value in values]
    return _plain_array(values, what)


def floats_of(cells: CellArray) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return cells as numbers, NaN if missing, and which cells are no numbers (text, dates)."""
    if cells.dtype.kind in "biuf":
        numbers, wrong = cells.astype(np.float64), np.zeros(cells.shape, dtype=np.bool_)
        if cells.dtype.kind in "iu":
            _refuse_lost_digits(cells, numbers)
        return numbers, wrong
    numbers, wrong = np.full(cells.shape, np.nan), np.ones(cells.shape, dtype=np.bool_)
    if cells.dtype.kind == "O":
        for place, cell in np.ndenumerate(cells):
            wrong[place] = not (is_number_cell(cell) or is_missing(cell))
            if is_number_cell(cell):
                numbers[place] = float(cell)
        whole = np.array([isinstance(cell, int) for cell in cells.flat], dtype=np.bool_)
        _refuse_lost_digits(cells.ravel()[whole], numbers.ravel()[whole])
    return numbers, wrong


def _refuse_lost_digits(cells: CellArray, numbers: NDArray[np.float64]) -> None:
    for place in np.argwhere(np.abs(numbers) > EXACT):
        cell = int(cells[tuple(place)])
        if cell != int(numbers[tuple(place)]):
            raise TableError(
                f"whole numbers beyond 2^53 lose their last digits. Got {cell}. Subtract a "
                "constant from all numbers"
            )


def is_number_cell(cell: object) -> bool:
    """Check whether a cell is a real number: of Python, numpy, a decimal or a fraction; no text."""
    return isinstance(cell, Real | np.bool_) or (
        isinstance(cell, Number) and not isinstance(cell, complex | np.complexfloating)
    )


def is_missing(cell: object) -> bool:
    """Check whether a cell is None, NaN, NaT, ``pandas.NA`` or masked."""
    if cell is None or cell is np.ma.masked:
        return True
    if isinstance(cell, float):
        return cell != cell
    return type(cell).__name__ in ("NAType", "NaTType")  # of pandas, without importing pandas


def holds_cells(values: object) -> bool:
    """Check whether the object is iterable and no text."""
    return isinstance(values, Iterable) and not isinstance(values, str | bytes)


def is_text(cells: CellArray) -> bool:
    """Check whether all cells that are not missing are text, and at least one is."""
    if cells.dtype.kind in "US":
        return True
    there = [cell for cell in cells if not is_missing(cell)] if cells.dtype.kind == "O" else []
    return bool(there) and all(isinstance(cell, str) for cell in there)


def _as_frame(data: Any, what: str) -> Any:
    """Return anything with named columns as a narwhals frame, all else unchanged."""
    labeled = Mapping | pd.Series
    records = isinstance(data, list | tuple) and data and all(isinstance(r, labeled) for r in data)
    if isinstance(data, np.ndarray):
        if data.dtype.names is None:
            return data
        data = pd.DataFrame(data)
    elif records:
        data = pd.DataFrame(list(data))
    elif isinstance(data, Mapping):
        columns = {
            name: column if isinstance(column, labeled) else list_cells(column, what)
            for name, column in data.items()
        }
        try:
            data = pd.DataFrame(columns)
        except ValueError as reason:
            raise TableError(f"{what}: the dict is no table of columns: {reason}") from None
    if isinstance(data, pd.DataFrame) and not all(isinstance(name, str) for name in data.columns):
        data = data.set_axis([str(name) for name in data.columns], axis=1)
    return _narwhals(data, what)


def _narwhals(data: Any, what: str) -> Any:
    """Return a frame or a series of any library as one of narwhals, all else unchanged."""
    if is_dask(data):  # which narwhals warns of
        raise _lazy(data, what)
    import narwhals as nw

    try:
        held = nw.from_native(data, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError as reason:
        said = str(reason).splitlines()[-1].strip("- ")
        raise TableError(f"{what}: names of columns must be unique. Got {said}") from None
    if isinstance(held, nw.LazyFrame):
        raise _lazy(data, what)
    return held


def _lazy(data: Any, what: str) -> TableError:
    return TableError(
        f"{what} must contain the cells. Got a lazy {type(data).__name__}. Collect it first"
    )


def _series_cells(series: Any) -> CellArray:
    """Return the cells of a narwhals series."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_decimal():
        series, dtype = series.cast(nw.Float64), nw.Float64()
    if isinstance(dtype, nw.Boolean):
        return np.array(series.to_list(), dtype=object if series.null_count() else np.bool_)
    if dtype.is_numeric() and not isinstance(dtype, nw.Int128 | nw.UInt128):
        if series.null_count():
            series = series.cast(nw.Float64)
        numbers = np.asarray(series.to_numpy())
        return numbers if numbers.dtype.kind != "O" else floats_of(numbers)[0]
    return _objects(series.to_list())


def _array_cells(array: CellArray) -> CellArray:
    """Return the cells of an array; masked cells are missing."""
    if not isinstance(array, np.ma.MaskedArray):
        return np.asarray(array)
    hidden = np.ma.getmaskarray(array)
    if not hidden.any():
        return np.asarray(array.data)
    if array.dtype.kind in "iuf":
        return np.where(hidden, np.nan, array.data.astype(np.float64))
    cells = array.data.astype(object)
    cells[hidden] = None
    return cells


def _row_cells(data: Any, what: str) -> CellArray:
    """Return the cells of a list of rows, or of an object that converts itself to an array."""
    if not holds_cells(data) or hasattr(data, "__array__"):
        return _plain_array(data, what)
    rows = [list_cells(row, what) if holds_cells(row) else row for row in data]
    if not rows or not all(isinstance(row, np.ndarray) for row in rows):
        return _plain_array(rows, what)
    lengths = sorted({row.shape for row in rows})
    if len(lengths) > 1:
        raise TableError(f"{what} must have rows of one length. Got {lengths[0]} and {lengths[-1]}")
    return _side_by_side(rows, axis=0)


def _side_by_side(parts: list[CellArray], axis: int = -1) -> CellArray:
    """Stack arrays of one shape; numbers next to text stay numbers."""
    kinds = {part.dtype.kind for part in parts}
    if len(kinds) == 1 or kinds <= set("iuf"):
        return np.stack(parts, axis=axis)
    return np.stack([part.astype(object) for part in parts], axis=axis)


def _plain_array(values: Any, what: str) -> CellArray:
    """Convert values by numpy, except that numbers next to text stay numbers."""
    try:
        array = np.asarray(values)
        mixed = array.dtype.kind in "US" and isinstance(values, list)
        return _objects(values) if mixed and array.ndim == 1 else array
    except (TypeError, ValueError, RuntimeError) as reason:  # its own `__array__` refuses
        raise TableError(
            f"{what} must have rows of one length. Got a {type(values).__name__}: {reason}"
        ) from None


def _objects(values: list[Any]) -> CellArray:
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells


def read_scores(
    scores: Any, names: Sequence[Any] | None = None, *, gaps: bool = False
) -> tuple[Floats, MethodNames]:
    """Return scores (N, k), NaN for allowed gaps only, and the method names, else 1, 2, ..."""
    cells, columns = frame_cells(scores, "scores")
    refuse_shape(cells, 2, "scores must have 2 dimensions (blocks, methods)", scores)
    cells, columns = without_row_names(cells, columns)
    n, k = cells.shape
    if n < 2 or k < 2:
        raise TableError(
            f"a comparison needs 2 blocks and 2 methods or more. Got {n} blocks, {k} methods"
        )
    held = columns or np.arange(1, k + 1).tolist() if names is None else list_cells(names, "names")
    labels = tuple(str(name) for name in np.ravel(held).tolist())
    if len(labels) != k or len(set(labels)) != k:
        raise TableError(f"names must be {k} different names, one per method. Got {labels}")
    values, no_number = floats_of(cells)
    if no_number.any():
        block, method = np.argwhere(no_number)[0]
        raise TableError(
            f"the scores of method {labels[method]} must be numbers. Got "
            f"{cells[block, method]!r:.60} in row {block} (counted from 0)"
        )
    wrong = np.argwhere(np.isinf(values) if gaps else ~np.isfinite(values))
    if len(wrong):
        block, method = wrong[0]
        raise TableError(
            f"every method needs a score in every block. Got {values[block, method]} for method "
            f"{labels[method]} in row {block} (counted from 0). Leave out the method or the block"
        )
    return values, labels


def read_long_scores(frame: Any) -> pd.Series:
    """Return scores by dataset, size and method, as text, from a table with one row per score."""
    cells, columns = frame_cells(frame, "frame")
    absent = sorted({*LONG, "score"} - set(columns or ()))
    if absent or columns is None:
        raise TableError(
            "frame must have the columns dataset, size, method and score. Missing: "
            f"{', '.join(absent)}"
        )
    of = {name: cells[:, columns.index(name)] for name in (*LONG, "score")}
    for name in LONG:
        missing = [row for row, cell in enumerate(of[name]) if is_missing(cell)]
        if missing:
            raise TableError(f"every score needs its {name}. Missing in row {missing[0]} of frame")
    values, no_number = floats_of(of["score"])
    if no_number.any():
        cell = of["score"][no_number][0]
        raise TableError(f"the column score must contain numbers. Got {cell!r:.60}")
    index = pd.MultiIndex.from_arrays([[_label(v) for v in of[name]] for name in LONG], names=LONG)
    if index.has_duplicates:
        dataset, size, method = index[index.duplicated()][0]
        raise TableError(
            f"a combination occurs twice: dataset {dataset}, size {size}, method {method}"
        )
    return pd.Series(values, index, name="score")


def _label(cell: Any) -> str:
    """Return a name as text; 2.0 and 2 are the same."""
    whole = is_number_cell(cell) and float(cell).is_integer()
    return str(int(cell) if whole else cell)


def read_numbers(values: Any, ndim: int, expected: str, row: str) -> Floats:
    """Return numbers, none missing; errors name what is `expected` and call a place `row`."""
    what = expected.split(maxsplit=1)[0]
    if ndim == 1:
        cells = list_cells(values, what)
    else:
        cells, columns = frame_cells(values, what)
        cells = without_row_names(cells, columns)[0] if cells.ndim == ndim else cells
    refuse_shape(cells, ndim, expected, values, " dimensions")
    numbers, _ = floats_of(cells)
    wrong = np.argwhere(~np.isfinite(numbers))
    if len(wrong):
        cell = cells[tuple(wrong[0])]
        raise TableError(
            f"{expected}, none missing. Got {cell!s:.60} in {row} {wrong[0][0]} (counted from 0)"
        )
    return numbers


def refuse_shape(cells: CellArray, ndim: int, expected: str, held: Any, unit: str = "") -> None:
    """Refuse cells with another number of dimensions."""
    if cells.ndim != ndim:
        kind = f" in a {type(held).__name__}" if cells.ndim == 0 else ""
        raise TableError(f"{expected}. Got {cells.ndim}{unit}{kind}")


def without_row_names(
    cells: CellArray, columns: MethodNames | None
) -> tuple[CellArray, MethodNames | None]:
    """Drop the first column of a table if it is text and the second is not."""
    if cells.shape[1] < 2 or not is_text(cells[:, 0]) or is_text(cells[:, 1]):
        return cells, columns
    return cells[:, 1:], None if columns is None else columns[1:]
