"""Data frames of any library: read as pandas by narwhals, returned in their own library."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError, is_dask


def frame_or_array(data: Any) -> pd.DataFrame | np.ndarray:
    """Return any table as a pandas frame with text names, or as an array (n, p).

    Numbers, dates and logical values of polars, Arrow and other libraries keep their values; null
    and masked values are missing. A polars Enum becomes a nominal column with its declared levels;
    an ordered Arrow dictionary becomes ordinal. Lazy and sparse tables are refused, and tables
    without two dimensions, without rows or columns, or with names that are not unique as text.
    """
    table = data if isinstance(data, pd.DataFrame | np.ndarray) else _pandas_frame(data)
    table = _own_levels(named(table)) if isinstance(table, pd.DataFrame) else _array(table)
    if table.shape[1] == 0:
        raise TableError(
            # scikit-learn requires the second half of this sentence of every estimator
            f"the table has no columns: 0 feature(s) (shape={table.shape}) while a minimum of 1 "
            "is required."
        )
    if len(table) == 0:
        raise TableError("the table has no rows")
    return table


def _pandas_frame(data: Any) -> Any:
    """Convert a frame of another library to pandas; return other data as they are."""
    if isinstance(data, list | tuple):
        return data
    if is_dask(data):  # narwhals would warn
        raise _lazy(data, "dask")
    import narwhals as nw  # not needed for a file: pandas reads it

    try:
        frame = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError as reason:
        said = str(reason).splitlines()[-1].strip("- ")
        raise TableError(f"column names must be unique. Got {said}. Rename one") from None
    if isinstance(frame, nw.LazyFrame):
        raise _lazy(data, frame.implementation.value)
    if not isinstance(frame, nw.DataFrame):
        return data
    if frame.implementation.is_pyarrow():
        # without the metadata of pandas, which would turn some columns into an index
        native = frame.to_native()
        return without_enum_order(native.to_pandas(ignore_metadata=True), native.schema)
    if frame.implementation.is_pandas_like():
        return frame.to_pandas()
    return pd.DataFrame({column.name: _cells(column) for column in frame.iter_columns()})


def _own_levels(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert Arrow dictionaries to pandas categories, in their order."""
    known = [j for j, dtype in enumerate(frame.dtypes) if _declared(dtype) is not None]
    if not known:
        return frame
    names = frame.columns[known]
    return frame.assign(**{name: _categories(frame[name]) for name in names})


def _declared(dtype: Any) -> bool | None:
    """Check whether an Arrow dictionary declares an order; None for other dtypes."""
    return getattr(getattr(dtype, "pyarrow_dtype", None), "ordered", None)


def _categories(cells: pd.Series) -> pd.Series:
    values = cells.array.__arrow_array__().to_pandas()
    return pd.Series(values.array, index=cells.index, name=cells.name)


def _lazy(data: Any, library: str) -> TableError:
    known = {"polars": "X.collect()", "dask": "X.compute() (only `fit` takes it as it is)"}
    how = known.get(library, "narwhals.from_native(X).collect()")
    return TableError(
        f"the table must be in memory. Got a lazy {type(data).__name__}. Collect it first with "
        f"{how}"
    )


def without_enum_order(frame: pd.DataFrame, schema: Any) -> pd.DataFrame:
    """Make a polars Enum nominal, which Arrow marks as ordered."""
    for field in schema:
        if b"_PL_ENUM_VALUES" in b" ".join(field.metadata or ()) and field.name in frame:
            cells = frame[field.name]
            if isinstance(cells, pd.Series):  # repeated names are refused
                frame[field.name] = cells.cat.as_unordered()
    return frame


def series_or_same(data: Any) -> Any:
    """Convert a column of another library to a pandas series; return other data as they are.

    Only a polars Enum and an ordered Arrow dictionary keep a declared order of their categories.
    """
    if isinstance(data, pd.Series):
        return _categories(data) if _declared(data.dtype) else data
    if data is None or isinstance(data, np.ndarray | list | tuple):
        return data
    import narwhals as nw

    arrow = nw.dependencies.get_pyarrow()
    if arrow is not None and isinstance(data, arrow.Array):
        data = arrow.chunked_array([data])
    column = nw.from_native(data, pass_through=True, series_only=True)
    if not isinstance(column, nw.Series):
        return data
    if column.implementation.is_pandas_like():
        return column.to_pandas()
    if column.implementation.is_pyarrow() and getattr(data.type, "ordered", False):
        return data.to_pandas()
    return pd.Series(_cells(column))


def named(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with unique text names."""
    names = frame.columns.tolist()
    if not all(isinstance(name, str) for name in names):
        frame = frame.set_axis([str(name) for name in names], axis=1)
    if not frame.columns.is_unique:
        name = frame.columns[frame.columns.duplicated()][0]
        given = dict.fromkeys(repr(other) for other in names if str(other) == name)
        which = f" (from {' and '.join(given)})" if len(given) > 1 else ""
        raise TableError(
            f"column names must be unique. Got {name!r} more than once{which}. Rename one"
        )
    return frame


def _array(data: Any) -> np.ndarray:
    """Return data other than a frame as an array (n, p)."""
    what = type(data).__name__
    if hasattr(data, "toarray"):
        raise TableError(f"the table must be dense. Got a sparse {what}. Use X.toarray()")
    records = isinstance(data, list | tuple) and len(data) and isinstance(data[0], Mapping)
    if records or isinstance(data, Mapping) or hasattr(data, "__dataframe__"):
        what = f"{what} of records" if records else what
        way = "pandas.DataFrame(X)"
        if hasattr(data, "to_pandas"):
            way = "X.to_pandas()"
        elif isinstance(data, Mapping) and not any(map(np.ndim, data.values())):
            way = "pandas.DataFrame([X])"
        raise TableError(f"the table must be a data frame. Got a {what}. Use {way}")
    try:
        array = np.asarray(data)
        if isinstance(data, list | tuple) and array.dtype.kind in "US":
            array = np.asarray(data, dtype=object)  # numbers next to text stay numbers
    except (TypeError, ValueError, RuntimeError) as reason:  # its `__array__` fails
        why = "rows of different lengths" if "inhomogeneous" in str(reason) else str(reason)
        raise TableError(
            f"the table must be a data frame or an array. Got a {what}: {why}"
        ) from None
    if array.dtype.kind == "V":
        raise TableError(
            f"the table must be a data frame. Got a structured {what}. Use pandas.DataFrame(X)"
        )
    if array.ndim == 0:
        hint = ". hetsel.read_table(path) reads a file" if isinstance(data, str | Path) else ""
        raise TableError(f"the table must be a data frame or an array. Got {data!r:.60}{hint}")
    if array.ndim != 2:
        hint = ". Reshape your data: numpy.reshape(X, (-1, 1)) makes one column"
        raise TableError(
            "the table must have two dimensions, rows and columns. "
            f"Got {array.ndim} in a {what}{hint if array.ndim == 1 else ''}"
        )
    if isinstance(data, np.ma.MaskedArray):
        array = array.astype(float if array.dtype.kind in "iufb" else object)
        array[np.ma.getmaskarray(data)] = np.nan
    return array


def _cells(column: Any) -> Any:
    """Return the values of a narwhals series for a pandas frame."""
    import narwhals as nw

    dtype = column.dtype
    if isinstance(dtype, nw.Enum):
        return pd.Categorical(column.to_list(), categories=list(dtype.categories))
    if isinstance(dtype, nw.Categorical):
        return pd.Categorical(column.to_list())
    if dtype.is_decimal():
        column = column.cast(nw.Float64)
    if isinstance(dtype, nw.Int128 | nw.UInt128):  # numpy has no such numbers
        return pd.Series(column.to_list(), dtype=object)
    flags = isinstance(dtype, nw.Boolean) and not column.null_count()
    if dtype.is_numeric() or dtype.is_temporal() or flags:
        return column.to_numpy()
    return pd.Series(column.to_list(), dtype=object)


def select_columns(frame: Any, support: np.ndarray) -> Any:
    """Select columns by a mask (p,); the frame keeps its library and dtypes."""
    if isinstance(frame, pd.DataFrame):
        return frame.loc[:, support]
    import narwhals as nw

    chosen = nw.from_native(frame)[:, np.flatnonzero(support).tolist()]
    return chosen if isinstance(frame, nw.DataFrame) else chosen.to_native()
