"""Rows of a table and of what stands beside it, matched by their labels: the index of pandas.

Where one of two has no index (arrays, lists, frames of polars, Arrow and Dask), rows are matched by
their place. Where both have one:

- equal labels in an equal order, repeated or not: by place;
- the same labels, each once, in another order: by label;
- one of them has the default index, 0 to n - 1, which numbers the rows, and the other one has other
  labels: by place. If the labels of the other one are 0 to n - 1 in another order, both readings
  are possible, and it is refused;
- all else is refused: labels that differ, or that stand more than once in another order.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed


def matched_rows(X: Any, *, like: str = "the table", **beside: Any) -> tuple[Any, ...]:
    """What stands beside a table, with its rows in the order of the table.

    Parameters
    ----------
    X : DataFrame, Series or anything of n rows
        Whose rows have the order.
    like : str
        What an error calls it.
    **beside : Series, DataFrame or anything of n rows, or None
        By the name that an error calls it.

    Returns
    -------
    tuple
        The values of `beside`, each as it is but for the order of its rows.

    Raises
    ------
    TableError
        Labels that differ, or that cannot be matched.

    Examples
    --------
    >>> X = pd.DataFrame({"age": [40, 50]}, index=["a", "b"])
    >>> matched_rows(X, y=pd.Series([1, 0], index=["b", "a"]))[0].tolist()
    [0, 1]
    """
    return tuple(_matched(X, like, name, values) for name, values in beside.items())


def _matched(X: Any, like: str, name: str, values: Any) -> Any:
    if not (_has_index(X) and _has_index(values)) or len(X) != len(values):
        return values  # another length is refused by what reads them
    rows, own = X.index, values.index
    if rows.equals(own):
        return values
    places = own.get_indexer(rows) if rows.is_unique and own.is_unique else None
    same = places is not None and (places >= 0).all()
    advice = (
        f"Give {name} the index of {like}, or its values without one ({name}.to_numpy()) if its "
        f"rows are in the order of {like}"
    )
    if _is_default(rows) != _is_default(own):
        if not same:
            return values
        which = like if _is_default(rows) else name
        raise TableError(
            f"{name} has the row labels of {like} in another order, and {which} has the default "
            f"index, 0 to {len(own) - 1}: it may number the rows or name them. {advice}"
        )
    if same:
        return values.iloc[places]
    lacking = own[~own.isin(rows)].unique()
    why = f"stand more than once, in another order than in {like}: they cannot be matched"
    if len(lacking):
        why = f"differ from those of {like}, which has no {listed(map(repr, lacking.tolist()))}"
    raise TableError(f"the row labels of {name} {why}. {advice}")


def _has_index(values: Any) -> bool:
    return isinstance(values, pd.Series | pd.DataFrame)


def _is_default(index: pd.Index) -> bool:
    """Whether an index only numbers the rows, from 0."""
    return isinstance(index, pd.RangeIndex) and (index.start, index.step) == (0, 1)
