"""Labels of the rows of a table and of what stands beside it: an index of pandas, groups of rows.

Rows are matched by their place. Where both have an index, their labels must be equal in an equal
order, unless one of them has the default index, 0 to n - 1, and the other one other labels. The
same labels in another order are refused: whether they were sorted or permuted is not guessed.

Labels of groups are of any kind. What is equal is one label, as 1 and 1.0. Labels that read alike
and are not equal (1 and "1", "7 " and "7", "07" and "7") are refused, as are missing and blank
ones.
"""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError, counted, listed

WHOLE = re.compile(r"0*(\d+)(\.0*)?")  # 7, 07, 7.0


def refuse_other_rows(X: Any, *, like: str = "the table", **beside: Any) -> None:
    """Refuse what stands beside a table with other labels of rows. `like` is what an error calls
    the table, the keywords what it calls the others, whose number of rows is not looked at."""
    for name, values in beside.items():
        if _has_index(X) and _has_index(values) and len(X) == len(values):
            _refuse(X.index, values.index, like, name)


def _refuse(rows: pd.Index, own: pd.Index, like: str, name: str) -> None:
    if rows.equals(own):
        return
    lacking = own[~own.isin(rows)].unique()
    if len(lacking) and _is_default(rows) != _is_default(own):
        return
    by_place = f"{name}.to_numpy() by place"
    if len(lacking):
        raise TableError(
            f"the row labels of {name} differ from those of {like}, which has no "
            f"{listed(map(repr, lacking.tolist()))}. Give {name} the index of {like}, or {by_place}"
        )
    once = rows.is_unique and own.is_unique
    frame = "X" if like == "the table" else like
    raise TableError(
        f"{name} has the row labels of {like} in another order"
        + (f". Give {name}.loc[{frame}.index] to match them by label, {by_place}" if once else "")
        + ("" if once else f", and some more than once: they cannot be matched. Give {by_place}")
    )


def _has_index(values: Any) -> bool:
    return isinstance(values, pd.Series | pd.DataFrame)


def _is_default(index: pd.Index) -> bool:
    """Whether an index only numbers the rows, from 0."""
    return isinstance(index, pd.RangeIndex) and (index.start, index.step) == (0, 1)


def group_codes(groups: Any, n: int, name: str = "groups") -> np.ndarray:
    """Number (n,) of the group of each row, in the order of the first rows, from any labels."""
    labels = _labels(groups, name)
    if len(labels) != n:
        raise TableError(f"{name} must name the group of each of the {n} rows. Got {len(labels)}")
    if (gaps := labels.isna()).any():
        raise _missing(name, gaps.to_numpy())
    codes, distinct = pd.factorize(labels)
    if distinct.dtype.kind not in "iufb":
        _refuse_alike(distinct, codes, name)
    return np.asarray(codes, dtype=np.int64)


def _labels(groups: Any, name: str) -> pd.Series:
    """The labels one by one; a masked one is missing."""
    if isinstance(groups, pd.Series):
        labels = groups
    elif isinstance(groups, list | tuple) and not any(isinstance(g, list) for g in groups):
        labels = pd.Series(list(groups), dtype=object).infer_objects()  # numbers beside text
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
        raise TableError(f"{name} must be numbers or text, one a row. Got a {what}") from None
    return labels


def _missing(name: str, gaps: np.ndarray) -> TableError:
    missing = f"{int(gaps.sum())} of {counted(len(gaps), 'row')}"
    return TableError(f"{name} is missing in {missing}: name the group of each")


def _refuse_alike(distinct: Iterable[Any], codes: np.ndarray, name: str) -> None:
    seen: dict[str, Any] = {}
    for code, label in enumerate(distinct):
        text = _read(label)
        if not text:
            raise _missing(name, codes == code)
        first = seen.setdefault(text, label)
        if first is not label:
            raise TableError(
                f"{name} holds {_called(first)} and {_called(label)}, which read alike: write them "
                "alike if they are one group, or give them other names"
            )


def _read(label: Any) -> str:
    """What a label reads: text without blanks around it, whole numbers by their digits."""
    if isinstance(label, bool | np.bool_):
        return str(label)
    if isinstance(label, int | float | np.number):
        return str(int(label)) if np.isfinite(label) and label == int(label) else repr(float(label))
    text = (label.decode(errors="replace") if isinstance(label, bytes) else str(label)).strip()
    whole = WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _called(label: Any) -> str:
    """A label with its type, where that tells it from text."""
    if isinstance(label, str):
        return repr(label)
    return f"{label} (a {type(label).__name__})"
