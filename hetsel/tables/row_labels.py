"""Row labels: the pandas index of a table, its target and its weights, and the row groups.

Rows are matched by position. If both objects have an index, their labels must be equal and in the
same order. The exception is one default index (0 to n - 1) and one index with other labels. The
same labels in another order are refused, since the intended order is unknown.

Group labels may have any type. Equal labels, such as 1 and 1.0, are one label. Labels that look
equal but differ (1 and "1", "7 " and "7", "07" and "7") are refused, and so are missing and blank
labels.
"""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError, counted, listed

WHOLE = re.compile(r"0*(\d+)(\.0*)?")  # 7, 07, 7.0


def refuse_other_rows(X: Any, *, like: str = "the table", **beside: Any) -> None:
    """Refuse targets, weights or groups whose row labels differ from those of a table.

    `like` names the table in an error, the keywords name the others. Their number of rows is not
    checked.
    """
    for name, values in beside.items():
        if _has_index(X) and _has_index(values) and len(X) == len(values):
            _refuse(X.index, values.index, like, name)


def _refuse(rows: pd.Index, own: pd.Index, like: str, name: str) -> None:
    if rows.equals(own):
        return
    lacking = own[~own.isin(rows)].unique()
    if len(lacking) and _is_default(rows) != _is_default(own):
        return
    by_place = f"{name}.to_numpy() to match rows by position"
    if len(lacking):
        raise TableError(
            f"the row labels of {name} differ from those of {like}, which lacks "
            f"{listed(map(repr, lacking.tolist()))}. Give {name} the index of {like}, or pass "
            f"{by_place}"
        )
    once = rows.is_unique and own.is_unique
    frame = "X" if like == "the table" else like
    raise TableError(
        f"{name} has the row labels of {like} in another order"
        + (
            f". Pass {name}.loc[{frame}.index] to match them by label, or {by_place}"
            if once
            else ""
        )
        + ("" if once else f", some more than once, so they cannot be matched. Pass {by_place}")
    )


def _has_index(values: Any) -> bool:
    return isinstance(values, pd.Series | pd.DataFrame)


def _is_default(index: pd.Index) -> bool:
    """Check for the default index, 0 to n - 1."""
    return isinstance(index, pd.RangeIndex) and (index.start, index.step) == (0, 1)


def group_codes(groups: Any, n: int, name: str = "groups") -> np.ndarray:
    """Return the group number (n,) of each row from any labels, in the order of first rows."""
    if isinstance(groups, str):
        raise TableError(f"{name} must be one label per row, 'copies' or 'rows'. Got {groups!r}")
    labels = _labels(groups, name)
    if len(labels) != n:
        raise TableError(f"{name} must have a group for each of the {n} rows. Got {len(labels)}")
    if (gaps := labels.isna()).any():
        raise _missing(name, gaps.to_numpy())
    codes, distinct = pd.factorize(labels)
    if distinct.dtype.kind not in "iufb":
        _refuse_alike(distinct, codes, name)
    return np.asarray(codes, dtype=np.int64)


def _labels(groups: Any, name: str) -> pd.Series:
    """Return the labels as a series; masked labels are missing."""
    if isinstance(groups, pd.Series):
        labels = groups
    elif isinstance(groups, list | tuple) and not any(isinstance(g, list) for g in groups):
        labels = pd.Series(list(groups), dtype=object).infer_objects()  # numbers next to text
    else:
        array = np.asarray(groups).ravel()
        if isinstance(groups, np.ma.MaskedArray):
            array = array.astype(object)
            array[np.ma.getmaskarray(groups).ravel()] = None
        labels = pd.Series(array)
    if isinstance(labels.dtype, pd.CategoricalDtype):
        labels = labels.astype(object)
    try:
        labels.head(1).map(hash)
    except TypeError:
        what = type(labels.iloc[0]).__name__
        raise TableError(f"{name} must be one number or text per row. Got a {what}") from None
    return labels


def _missing(name: str, gaps: np.ndarray) -> TableError:
    missing = f"{int(gaps.sum())} of {counted(len(gaps), 'row')}"
    return TableError(f"{name} is missing in {missing}. Name the group of each row")


def _refuse_alike(distinct: Iterable[Any], codes: np.ndarray, name: str) -> None:
    seen: dict[str, Any] = {}
    for code, label in enumerate(distinct):
        text = _read(label)
        if not text:
            raise _missing(name, codes == code)
        first = seen.setdefault(text, label)
        if first is not label:
            raise TableError(
                f"{name} must have labels that look different. Got {_called(first)} and "
                f"{_called(label)}. Write them alike if they are one group, or rename one"
            )


def _read(label: Any) -> str:
    """Return how a label looks: without outer blanks, a whole number by its digits."""
    if isinstance(label, bool | np.bool_):
        return str(label)
    if isinstance(label, int | float | np.number):
        return str(int(label)) if np.isfinite(label) and label == int(label) else repr(float(label))
    text = (label.decode(errors="replace") if isinstance(label, bytes) else str(label)).strip()
    whole = WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _called(label: Any) -> str:
    """Write a label, with its type unless it is text."""
    if isinstance(label, str):
        return repr(label)
    return f"{label} (a {type(label).__name__})"
