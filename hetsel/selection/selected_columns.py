"""Transform tables to the selected columns, as a step of a pipeline."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_selection._base import SelectorMixin  # the package loads all the selectors
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from hetsel.ground import TableError, is_dask
from hetsel.tables import Schema, Table, frame_or_array
from hetsel.tables.blockwise.dask_frames import columns_named
from hetsel.tables.frames import select_columns


class SelectedColumns(SelectorMixin):
    """Select columns by the `_get_support_mask` of a fitted selector."""

    schema_: Schema

    def transform(self, X: Any) -> Any:
        """Return the selected columns of a table, of the same type as the table.

        A data frame keeps its library and dtypes, unless :meth:`set_output` requests another
        library.
        """
        check_is_fitted(self, "answer_")
        if isinstance(X, Table):
            return X.take(columns=self.get_support())
        if is_dask(X):
            names = self.schema_.names
            return columns_named(X, [names[j] for j in np.flatnonzero(self.get_support())])
        frame = frame_or_array(X)
        if not isinstance(frame, pd.DataFrame):
            return super().transform(frame)
        validate_data(self, frame, skip_check_array=True, reset=False)
        to_pandas = _get_output_config("transform", self)["dense"] == "pandas"
        return select_columns(frame if to_pandas else X, self.get_support())

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Put selected columns (n, size) into their places (n, p), with 0 in the others.

        Missing values stay. Another number of columns raises a TableError.
        """
        support = self.get_support()
        cells = check_array(frame_or_array(X), dtype=None, ensure_all_finite="allow-nan")
        if cells.shape[1] != support.sum():
            raise TableError(
                f"X must have the {int(support.sum())} selected columns. Got {cells.shape[1]}. X "
                "has a different shape than during fitting"
            )
        out = np.zeros((len(cells), len(support)), dtype=cells.dtype)
        out[:, support] = cells
        return out
