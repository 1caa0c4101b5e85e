"""The door for numbers: scores of data sets x methods, lists of numbers, tables of counts.

All functions of `comparisons` take what this file takes, and read it alike: frames of pandas,
polars, Arrow or another library, dicts of columns, records, lists of rows, arrays, masked or with
``None``, ``NaN`` and ``pandas.NA`` for what is missing. A first column of text names the rows (data
sets), as R's ``hetsel_compare`` has it; any other text is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hetsel.ground.errors import TableError
from hetsel.statistics.doors.held_cells import (
    Cells,
    Names,
    floats_of,
    frame_cells,
    is_missing,
    is_number,
    is_text,
    list_cells,
)

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
LONG = ("dataset", "size", "method")


def read_scores(
    scores: Any, names: Sequence[Any] | None = None, *, gaps: bool = False
) -> tuple[Floats, Names]:
    """Scores (N, k) of N blocks and k methods, and the names of the methods.

    A first column of text names the blocks. The methods are named by `names`, else by the columns,
    else 1, 2, ... With `gaps` scores may be missing, NaN here.
    """
    cells, columns = frame_cells(scores, "scores")
    refuse_shape(cells, 2, "scores must have 2 dimensions (blocks, methods)", scores)
    cells, columns = without_row_names(cells, columns)
    n, k = cells.shape
    if n < 2 or k < 2:
        raise TableError(
            f"a comparison needs 2 blocks and 2 methods or more. Got {n} blocks, {k} methods."
        )
    held = columns or np.arange(1, k + 1).tolist() if names is None else list_cells(names, "names")
    labels = tuple(str(name) for name in np.ravel(held).tolist())
    if len(labels) != k or len(set(labels)) != k:
        raise TableError(f"names must be {k} different names, one per method. Got {labels}.")
    values, no_number = floats_of(cells)
    if no_number.any():
        block, method = np.argwhere(no_number)[0]
        raise TableError(
            f"the scores of method {labels[method]} must be numbers. Got "
            f"{cells[block, method]!r:.60} in row {block} (counted from 0)."
        )
    wrong = np.argwhere(np.isinf(values) if gaps else ~np.isfinite(values))
    if len(wrong):
        block, method = wrong[0]
        raise TableError(
            f"every method needs a score in every block. Got {values[block, method]} for method "
            f"{labels[method]} in row {block} (counted from 0); leave out the method or the block."
        )
    return values, labels


def read_long_scores(frame: Any) -> pd.Series:
    """Scores by dataset, size and method, as text, of a table with a row for each of them."""
    import pandas as pd

    cells, columns = frame_cells(frame, "frame")
    absent = sorted({*LONG, "score"} - set(columns or ()))
    if absent or columns is None:
        raise TableError(
            "frame must have the columns dataset, size, method and score. Missing: "
            f"{', '.join(absent)}."
        )
    of = {name: cells[:, columns.index(name)] for name in (*LONG, "score")}
    for name in LONG:
        missing = [row for row, cell in enumerate(of[name]) if is_missing(cell)]
        if missing:
            raise TableError(f"every score needs its {name}. Missing in row {missing[0]} of frame.")
    values, no_number = floats_of(of["score"])
    if no_number.any():
        cell = of["score"][no_number][0]
        raise TableError(f"the column score must hold numbers. Got {cell!r:.60}.")
    index = pd.MultiIndex.from_arrays([[_label(v) for v in of[name]] for name in LONG], names=LONG)
    if index.has_duplicates:
        dataset, size, method = index[index.duplicated()][0]
        raise TableError(f"a cell is there twice: dataset {dataset}, size {size}, method {method}.")
    return pd.Series(values, index, name="score")


def _label(cell: Any) -> str:
    """A name as text; 2.0 and 2 are the same."""
    whole = is_number(cell) and float(cell).is_integer()
    return str(int(cell) if whole else cell)


def read_numbers(values: Any, ndim: int, expected: str, row: str) -> Floats:
    """Numbers in one dimension or two, none of them missing.

    An error begins with `expected`, what they must be, and calls the place of a number in the first
    dimension `row`.
    """
    what = expected.split(maxsplit=1)[0]
    if ndim == 1:
        cells = list_cells(values, what)
    else:
        cells, columns = frame_cells(values, what)
        cells = without_row_names(cells, columns)[0] if cells.ndim == ndim else cells
    refuse_shape(cells, ndim, expected, values, " dimensions")
    numbers, _ = floats_of(cells)
    wrong = np.argwhere(~np.isfinite(numbers))
    if len(wrong):
        cell = cells[tuple(wrong[0])]
        raise TableError(
            f"{expected}, none missing. Got {cell!s:.60} in {row} {wrong[0][0]} (counted from 0)."
        )
    return numbers


def refuse_shape(cells: Cells, ndim: int, expected: str, held: Any, unit: str = "") -> None:
    """Refuse cells of another number of dimensions."""
    if cells.ndim != ndim:
        kind = f" in a {type(held).__name__}" if cells.ndim == 0 else ""
        raise TableError(f"{expected}. Got {cells.ndim}{unit}{kind}.")


def without_row_names(cells: Cells, columns: Names | None) -> tuple[Cells, Names | None]:
    """A table without its first column, where that is text and others are not."""
    if cells.shape[1] < 2 or not is_text(cells[:, 0]) or is_text(cells[:, 1]):
        return cells, columns
    return cells[:, 1:], None if columns is None else columns[1:]
