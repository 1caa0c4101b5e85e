"""Convert a table to a data frame of R with the full set of levels of each column."""

from collections.abc import Callable

import numpy as np

from hetsel.tables import Column, Table
from r_bridge.r_vectors import NA_INTEGER, NA_REAL, RVector, data_frame, factor

Written = Callable[[object], str]
MISSING_LEVEL = "(missing)"  # of a nominal column in which missing is a separate value


def to_r(table: Table, written: Written = str) -> RVector:
    """Convert a table (n, p) to a data frame (n, p).

    Continuous columns are double, with NA for a missing value. Nominal columns are factors and
    ordinal columns ordered factors, each with its full set of levels. With ``missing="separate"``,
    a nominal column with missing values has the level ``"(missing)"``.
    """
    columns = zip(table.schema.columns, table.values.T, strict=True)
    return data_frame({column.name: _cells(column, values, written) for column, values in columns})


def _cells(column: Column, values: np.ndarray, written: Written) -> RVector:
    gaps = np.isnan(values)
    if column.kind == "continuous":
        return RVector("double", np.where(gaps, NA_REAL, values))
    places = np.where(gaps, NA_INTEGER, np.where(gaps, 0.0, values) + 1).astype(np.int32)
    levels = _texts([*map(written, column.levels)], values[~gaps])
    return factor(places, levels, column.kind == "ordinal")


def _texts(texts: list[str], codes: np.ndarray) -> list[str]:
    """Return levels as text; codes beyond the known levels are missing, then unseen levels."""
    beyond = int(codes.max(initial=-1)) + 1 - len(texts)
    further = [MISSING_LEVEL, *(f"(unseen {k})" for k in range(1, beyond))][: max(beyond, 0)]
    taken = set(texts)
    for text in further:
        while text in taken:
            text += "*"
        taken.add(text)
        texts.append(text)
    return texts
