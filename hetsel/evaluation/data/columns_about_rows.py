"""Columns with roles of rows instead of features: test set, row groups, weights, order."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hetsel.evaluation.data import given_folds
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.ground import TableError, counted, listed
from hetsel.pitfalls.cautions_on_rows import COPIES, ROWS
from hetsel.resampling.resampling_entry import SplitSizes
from hetsel.tables import find_column, group_codes
from hetsel.tables.validation import relative_weights, weights_in_column

TRUTH = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}


@dataclass(frozen=True, eq=False)
class RowRoles:
    """Roles of the rows besides features and target."""

    test_rows: np.ndarray | None = None  # bool (n,): rows of a fixed test set
    row_groups: np.ndarray | None = None  # (n,): numbered by the first row
    order: np.ndarray | None = None  # (n,): position in time from 0, equal for rows of one time
    row_weights: np.ndarray | None = None  # (n,): divided by their mean
    folds: np.ndarray | None = None  # (repeats, n): number of the given fold, from 0


def without_roles(
    frame: pd.DataFrame,
    spec: DataSpec,
    kept: np.ndarray | None = None,
    given: SplitSizes | None = None,
) -> tuple[pd.DataFrame, RowRoles]:
    """Return features and roles of rows; `kept` marks the rows of the original table.

    `given` is the source of given folds, if the study has these.
    """
    taken: list[str] = []
    names = frame.columns.tolist()

    def column(option: str) -> tuple[str, pd.Series] | None:
        given = getattr(spec, option)
        if given is None or (option == "row_groups" and names_copies(given, names)):
            return None
        if not isinstance(given, str | int | np.integer):
            return "the array", _array(option, given, len(frame), kept)
        taken.append(find_column(names, given, option=option))
        return repr(taken[-1]), frame[taken[-1]]

    folds = None
    if given is not None and given.column is not None:
        taken.append(find_column(names, given.column, option="resamplings: column"))
        folds = given_folds.folds_in_column(repr(taken[-1]), frame[taken[-1]])
    elif given is not None:
        folds = given_folds.folds_in_file(str(given.file), len(frame) if kept is None else kept)
    test, groups, order, weights = map(column, ("test_rows", "row_groups", "order", "row_weights"))
    roles = RowRoles(
        None if test is None else _marks(*test),
        None if groups is None else group_numbers(*groups),
        None if order is None else places_in_time(*order),
        None if weights is None else _weights(*weights),
        folds,
    )
    if roles.test_rows is not None and roles.row_groups is not None and groups is not None:
        _refuse_groups_on_both_sides(roles.test_rows, roles.row_groups, groups[1])
    return frame.drop(columns=list(dict.fromkeys(taken))), roles


def names_copies(given: Any, names: list[str]) -> bool:
    """Return whether row groups are a word such as "copies" (duplicate rows), not a column.

    Examples
    --------
    >>> names_copies("copies", ["age"]), names_copies("copies", ["copies"])
    (True, False)
    """
    return isinstance(given, str) and given in (COPIES, ROWS) and given not in names


def _array(option: str, given: Any, n: int, kept: np.ndarray | None) -> pd.Series:
    """Return an array from Python for the kept rows."""
    values = pd.Series(given if isinstance(given, pd.Series) else np.asarray(given).ravel())
    values = values.reset_index(drop=True)
    wanted = n if kept is None else len(kept)
    if len(values) != wanted:
        raise TableError(
            f"{option} must have {counted(wanted, 'value')}, one per row. Got {len(values)}"
        )
    return values if kept is None else values[kept].reset_index(drop=True)


def _marks(name: str, column: pd.Series) -> np.ndarray:
    """Return which rows are in the fixed test set."""
    marks = column.astype(str).str.strip().str.lower().map(TRUTH)
    if marks.isna().any():
        strange = str(column[marks.isna()].iloc[0])
        raise TableError(f"test_rows: {name} must be true or false in every row. Got {strange!r}")
    if marks.nunique() < 2:
        raise TableError(f"test_rows: {name} must be true in some rows and false in others")
    return marks.to_numpy(dtype=bool)


def _weights(name: str, column: pd.Series) -> np.ndarray:
    return relative_weights(weights_in_column(f"row_weights: {name}", column))


def group_numbers(name: str, column: pd.Series) -> np.ndarray:
    """Return group numbers (n,) from whole numbers, text or categories, in order of occurrence.

    Examples
    --------
    >>> group_numbers("'person'", pd.Series(["b", "a", "b"]))
    array([0, 1, 0])
    """
    _refuse_missing("row_groups", name, column, "Specify the group of each row")
    if pd.api.types.is_float_dtype(column):
        numbers = column.to_numpy(dtype=np.float64)
        fractions = numbers[numbers != np.round(numbers)]
        if len(fractions):
            raise TableError(
                f"row_groups: {name} must hold whole numbers, text or categories. "
                f"Got {fractions[0]:g}"
            )
    codes = group_codes(column, len(column), f"row_groups: {name}")
    if not codes.any():
        raise TableError(f"row_groups: {name} must have at least 2 groups. Got 1")
    return codes


def places_in_time(name: str, column: pd.Series) -> np.ndarray:
    """Return positions (n,) in time from numbers or dates (as text: year-month-day).

    Examples
    --------
    >>> places_in_time("'visit'", pd.Series(["2021-03-01", "2020-12-24", "2021-03-01"]))
    array([1, 0, 1])
    """
    _refuse_missing("order", name, column, "Specify the time of each row")
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    if not pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_datetime64_dtype(column):
        column = _dates(name, column)
    if pd.api.types.is_bool_dtype(column):
        raise TableError(f"order: {name} must hold numbers or dates. Got {column.iloc[0]!r}")
    return np.asarray(np.unique(column.to_numpy(), return_inverse=True)[1], dtype=np.int64)


def _dates(name: str, column: pd.Series) -> pd.Series:
    text = column.astype(str)
    dates = pd.to_datetime(text, format="ISO8601", errors="coerce", utc=True)
    if dates.isna().any():
        raise TableError(
            f"order: {name} must hold numbers or dates such as 2024-01-31. "
            f"Got {text[dates.isna()].iloc[0]!r}"
        )
    return dates.dt.tz_localize(None)


def _refuse_missing(option: str, name: str, column: pd.Series, wanted: str) -> None:
    gaps = int(column.isna().sum())
    if gaps:
        raise TableError(f"{option}: {name} is missing in {counted(gaps, 'row')}. {wanted}")


def _refuse_groups_on_both_sides(held: np.ndarray, groups: np.ndarray, labels: pd.Series) -> None:
    within, without = np.unique(groups[held]), np.unique(groups[~held])
    both = np.intersect1d(within, without)
    if len(both):
        named = listed(labels.iloc[int(np.argmax(groups == g))] for g in both)
        raise TableError(
            f"test_rows must contain whole row groups. Got {counted(len(both), 'group')} with rows "
            f"inside and outside the test set ({named})"
        )
