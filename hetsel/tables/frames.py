"""Frames of any library: what narwhals knows comes in as a pandas frame and goes out as it came."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hetsel.errors import TableError


def pandas_frame(data: Any) -> Any:
    """A frame of polars, Arrow or another library as one of pandas; all else as it is.

    Numbers, dates and flags keep their values, a null is a missing cell. A polars Enum is a
    nominal column with the levels that it declares; an ordered dictionary of Arrow is ordinal.

    Raises
    ------
    TableError
        A lazy frame.
    """
    if isinstance(data, pd.DataFrame | np.ndarray | list | tuple):
        return data
    import narwhals as nw  # not needed for a file: pandas reads it

    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TableError(
            f"the table must hold its cells. Got a lazy {type(data).__name__}: collect it first"
        )
    if not isinstance(frame, nw.DataFrame):
        return data
    if frame.implementation.is_pyarrow():
        # the columns as they stand: what pandas wrote beside them would turn some into an index
        return data.to_pandas(ignore_metadata=True)
    if frame.implementation.is_pandas_like():
        return frame.to_pandas()
    return pd.DataFrame({column.name: _cells(column) for column in frame.iter_columns()})


def _cells(column: Any) -> Any:
    """Cells of a narwhals series for a frame of pandas."""
    import narwhals as nw

    dtype = column.dtype
    if isinstance(dtype, nw.Enum):
        return pd.Categorical(column.to_list(), categories=list(dtype.categories))
    if isinstance(dtype, nw.Categorical):
        return pd.Categorical(column.to_list())
    if dtype.is_decimal():
        column = column.cast(nw.Float64)
    flags = isinstance(dtype, nw.Boolean) and not column.null_count()
    if dtype.is_numeric() or dtype.is_temporal() or flags:
        return column.to_numpy()
    return pd.Series(column.to_list(), dtype=object)


def select_columns(frame: Any, support: np.ndarray) -> Any:
    """Columns of a frame, by a mask (p,); the frame stays one of its library, with its dtypes."""
    if isinstance(frame, pd.DataFrame):
        return frame.loc[:, support]
    import narwhals as nw

    return nw.from_native(frame)[:, np.flatnonzero(support).tolist()].to_native()
