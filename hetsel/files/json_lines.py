"""JSON lines: one object a line, its names the columns."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed


def read_json_lines(text: str, name: str) -> pd.DataFrame:
    """Data frame of JSON lines; a name that a line does not have is a missing cell there.

    Raises
    ------
    TableError
        A line that is no object of numbers, texts, flags and nulls; `name` is the file's.

    Examples
    --------
    >>> read_json_lines('{"age": 61, "sex": "f"}\\n{"sex": "m", "age": null}\\n', "patients.jsonl")
        age sex
    0  61.0   f
    1   NaN   m
    """
    records = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if line.strip():
            records.append(_record(line, f"line {number} of {name}"))
    columns = list(dict.fromkeys(key for record in records for key in record))
    if not columns:
        raise TableError(f"{name} names no columns")
    return pd.DataFrame(
        {column: _column([record.get(column) for record in records]) for column in columns}
    )


def _record(line: str, where: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [key.strip() for key, _ in pairs]
        if twice := [key for key in names if names.count(key) > 1]:
            raise TableError(f"{where} has {twice[0]!r} more than once")
        return dict(zip(names, (value for _, value in pairs), strict=True))

    try:
        record = json.loads(line, object_pairs_hook=once)
    except TableError:
        raise
    except (ValueError, RecursionError) as reason:
        raise TableError(f"{where} is no JSON: {reason!s:.200}") from None
    if not isinstance(record, dict):
        raise TableError(f'{where} must be an object such as {{"age": 61}}. Got {line:.40}')
    if nested := [key for key, value in record.items() if isinstance(value, list | dict)]:
        raise TableError(
            f"{where} holds a list or an object in {listed(map(repr, nested))}: a cell is a "
            "number, a text, true, false or null"
        )
    return record


def _column(cells: list[Any]) -> pd.Series:
    """Cells as numbers where all of them are; whole ones beyond 64 bits as they are."""
    present = [cell for cell in cells if cell is not None]
    numbers = all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in present)
    small = all(abs(cell) < 2**63 for cell in present if isinstance(cell, int))
    return pd.Series(cells) if present and numbers and small else pd.Series(cells, dtype=object)
