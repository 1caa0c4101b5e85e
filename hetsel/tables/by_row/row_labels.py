"""Labels of the rows of a table, and of what stands beside it: the index of pandas.

Rows are matched by their place. Where both have an index, their labels must be equal in an equal
order, unless one of them has the default index, 0 to n - 1, which numbers the rows, and the other
one has other labels. The same labels in another order are refused: who sorted one of the two wants
them matched by label, who permuted it (as a test of chance does) by place.
"""

from typing import Any

import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed


def refuse_other_rows(X: Any, *, like: str = "the table", **beside: Any) -> None:
    """Refuse what stands beside a table with labels of rows that are not those of the table.

    Parameters
    ----------
    X : DataFrame, Series or anything of n rows
    like : str
        What an error calls it.
    **beside : Series, DataFrame or anything of n rows, or None
        By the name that an error calls it. Another number of rows is refused by what reads them.

    Raises
    ------
    TableError

    Examples
    --------
    >>> X = pd.DataFrame({"age": [40, 50]}, index=["a", "b"])
    >>> refuse_other_rows(X, y=pd.Series([1, 0], index=["b", "a"]))
    Traceback (most recent call last):
    hetsel.ground.errors.TableError: y has the row labels of the table in another order. Give y.loc[X.index] to match them by label, y.to_numpy() by place
    """  # noqa: E501
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
