"""Labels of classes: what may be one."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import is_whole
from hetsel.ground.text import listed
from hetsel.tables.encode import EXACT

FLAG, NUMBER = (bool, np.bool_), (int, float, np.integer, np.floating)


def label_array(cells: pd.Series | pd.Index) -> np.ndarray:
    """Labels (n,) as an array of text, numbers or flags, that can be sorted and come back equal."""
    array = np.asarray(cells)
    if array.dtype.kind in "iufb":
        return array
    values = [*cells]
    kinds = _kinds(values)
    if kinds == {"text"}:
        return np.array([str(value) for value in values])
    if kinds in ({"number"}, {"flag"}):
        return np.array(values)
    names = sorted({type(value).__name__ for value in values})
    examples = listed([repr(next(v for v in values if type(v).__name__ == n)) for n in names[:3]])
    raise TableError(
        "the labels of the target must be text, numbers, or True and False, of one kind alone. "
        f"Got {' and '.join(names)}: {examples:.120}. Turn them into text, with "
        "[str(label) for label in y], or y.cat.rename_categories(str) for categories"
    )


def labels_of_file(cells: pd.Series) -> pd.Series:
    """The cells (n,) of a column of a file as labels: what no estimator takes becomes text. Whole
    numbers are labels without a point, as formats that know fractions only have them."""
    known = cells.dropna()
    if known.dtype.kind == "f" and all(map(is_whole, known)) and (known.abs() <= EXACT).all():
        return cells.astype("Int64") if len(known) < len(cells) else cells.astype(np.int64)
    if isinstance(cells.dtype, pd.CategoricalDtype) or known.dtype.kind in "iufb":
        return cells
    if known.dtype.kind == "M" and (known == known.dt.normalize()).all():
        known = known.dt.date
    if len(kinds := _kinds([*known])) == 1 and "" not in kinds:
        return cells
    texts = pd.Series(None, index=cells.index, dtype=object, name=cells.name)
    texts[known.index] = known.map(str).astype(object)
    return texts


def _kinds(values: Iterable[Any]) -> set[str]:
    """Which of text, number and flag the values are; "" for all others."""
    found = set()
    for kind in set(map(type, values)):
        if issubclass(kind, str):
            found.add("text")
        elif issubclass(kind, FLAG):
            found.add("flag")
        else:
            found.add("number" if issubclass(kind, NUMBER) else "")
    return found
