"""What R sends, read: columns of a data frame, class labels, kinds and numbers.

reticulate turns a vector of length one into a scalar, so every vector is read leniently; cells
cross as the raw bytes of doubles, which keeps NA and is the same whatever the length.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.errors import PlanError, TableError
from hetsel.tables import survival
from hetsel.tables.encode import quiet


def frame_of(columns: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The data frame of these columns, the way a Python user would hold it."""
    frame = pd.DataFrame({str(c["name"]): cells_of(c) for c in columns}, copy=False)
    if frame.shape[1] < len(columns):
        names = [str(c["name"]) for c in columns]
        twice = next(name for name in names if names.count(name) > 1)
        raise TableError(f"column names must be unique. Got {twice!r} more than once: rename one")
    return frame


def numbers(cells: Any) -> np.ndarray:
    """Doubles, from their bytes or as they are."""
    if isinstance(cells, bytes | bytearray):
        values = np.frombuffer(cells, dtype=np.float64)
    else:
        values = np.atleast_1d(np.asarray(cells, dtype=np.float64))
    return quiet(values)


def strings(values: Any) -> list[str]:
    """Text, one or several."""
    return [values] if isinstance(values, str) else [str(v) for v in values or ()]


def cells_of(column: Mapping[str, Any]) -> Any:
    """One column the way a Python user would hold it."""
    form, values = str(column["form"]), numbers(column["cells"])
    if form == "number":
        return values
    if form == "date":
        return pd.to_datetime(pd.Series(values), unit="D")
    gaps = np.isnan(values)
    if form == "flag":
        cells = values.astype(bool).astype(object)
        cells[gaps] = None
        return pd.Series(cells, dtype=object) if gaps.any() else pd.Series(values.astype(bool))
    levels = strings(column.get("levels"))
    codes = np.where(gaps, -1, values).astype(np.int64)
    if form == "text":
        return pd.Series(np.array([*levels, None], dtype=object)[codes], dtype=object)
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(levels), ordered=form == "ordered"))


def target_of(target: Mapping[str, Any]) -> Any:
    """Class labels; those of a factor in the order of its levels, whole numbers as such.

    Survival times have cells and ``events``, the bytes of as many doubles, 1 or 0.
    """
    if target["form"] == "survival":
        return survival(numbers(target["cells"]), numbers(target["events"]))
    labels = cells_of(target)
    if isinstance(getattr(labels, "dtype", None), pd.CategoricalDtype):
        return labels.cat.remove_unused_categories()
    if target["form"] == "number" and np.array_equal(labels, np.trunc(labels)):
        return labels.astype(np.int64) if np.abs(labels).max(initial=0) < 2**53 else labels
    return labels


def whole(value: Any) -> Any:
    """R counts in doubles: 5.0 is 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def usable_jobs(jobs: Any) -> int | None:
    """Number of worker processes."""
    jobs = whole(jobs)
    if jobs is not None and not isinstance(jobs, int):
        raise PlanError(f"jobs must be a whole number, 0 or larger. Got {jobs}")
    return jobs


def kinds_of(kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Which columns are nominal, ordinal, continuous: the options of a schema.

    Levels in order may be a column of their own, so that numbers are numbers.
    """
    chosen: dict[str, Any] = {}
    for kind, names in kinds.items():
        if isinstance(names, Mapping):
            chosen[kind] = {name: _in_order(levels) for name, levels in names.items()}
        elif names is not None:
            chosen[kind] = strings(names) or None
    return chosen


def _in_order(levels: Any) -> list[Any]:
    """Levels from a column of them, or from text."""
    return list(cells_of(levels)) if isinstance(levels, Mapping) else strings(levels)
