"""What a paper says of the data and of the model that a signature came from, as plain values."""

from typing import Any

import numpy as np

from hetsel.ground.text import plain_number, shown
from hetsel.tables import Column, Table

NAMED_LEVELS = 6  # of a column; the others are counted


def described_candidates(table: Table) -> dict[str, list[Any]]:
    """All columns that could have been selected: a list for each thing to say, in their order.

    Parameters
    ----------
    table : Table of shape (n, p)
        The rows that the signature learned from, missing cells as they are.

    Returns
    -------
    dict
        `names`; `kinds`; `values`, in words the range of numbers or the levels; `missing`, how many
        cells of each are; `constant`, the names of those of one value.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [61.0, None, 44.5], "sex": ["m", "f", "m"]})
    >>> described_candidates(Table.read(frame))["values"]
    ['44.5 to 61', '2 levels: f, m']
    """
    values, missing, constant = [], [], []
    for j, column in enumerate(table.schema.columns):
        cells = table.block([j])[:, 0]
        present = cells[~np.isnan(cells)]
        values.append(_in_words(column, present))
        missing.append(len(cells) - len(present))
        if len(present) == 0 or present.min() == present.max():
            constant.append(column.name)
    columns = table.schema.columns
    return {
        "names": [column.name for column in columns],
        "kinds": [column.kind for column in columns],
        "values": values,
        "missing": missing,
        "constant": constant,
    }


def _in_words(column: Column, present: np.ndarray) -> str:
    """The range of numbers, or the levels."""
    if column.kind == "continuous":
        if not len(present):
            return "no value"
        low, high = float(present.min()), float(present.max())
        return plain_number(low) if low == high else f"{plain_number(low)} to {plain_number(high)}"
    levels = [shown(level) for level in column.levels]
    mark = " < " if column.kind == "ordinal" else ", "
    named = mark.join(levels[:NAMED_LEVELS]) + (", ..." if len(levels) > NAMED_LEVELS else "")
    return f"{len(levels)} level{'' if len(levels) == 1 else 's'}: {named}"


def model_facts(model: Any) -> dict[str, Any]:
    """What the formula of the final model needs beside its effects.

    Parameters
    ----------
    model : ClinicalSVC, or a clinical machine of another target
        Fitted.

    Returns
    -------
    dict
        `intercept`, one number for each decision value; `fill`, what a missing cell counts as, by
        feature, in units of the column; empty where missing is a value of its own or refused;
        `ordered`, the levels of the ordinal features by name, whose places the effects count by.
    """
    columns = model.schema_.columns
    cells = model._fill.fill
    fill: dict[str, Any] = {}
    if model.missing == "impute" and cells is not None:
        for j, (column, cell) in enumerate(zip(columns, cells.tolist(), strict=True)):
            if column.kind == "continuous":
                fill[column.name] = float(model._rescaling.units(j, np.array([cell]))[0])
            elif 0 <= cell < len(column.levels):
                fill[column.name] = str(column.levels[int(cell)])
    return {
        "intercept": [float(value) for value in model.intercept_],
        "fill": {name: cell for name, cell in fill.items() if cell == cell},
        "ordered": {
            column.name: [str(level) for level in column.levels]
            for column in columns
            if column.kind == "ordinal"
        },
    }
