"""JSON: objects whose names are the columns, one a line or in a list."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed


def read_json(text: str, name: str) -> pd.DataFrame:
    """Data frame of JSON; a name that an object does not have is a missing cell there.

    A list of objects, or an object a line.

    Raises
    ------
    TableError
        What is no object of numbers, texts, flags and nulls; `name` is the file's.

    Examples
    --------
    >>> read_json('{"age": 61, "sex": "f"}\\n{"sex": "m", "age": null}\\n', "patients.jsonl")
        age sex
    0  61.0   f
    1   NaN   m
    >>> read_json('[{"age": 61}, {"age": 54}]', "patients.json")["age"].tolist()
    [61, 54]
    """
    if text.lstrip().startswith("["):
        found = _loaded(text, name)
        records = [_record(one, f"record {k} of {name}") for k, one in enumerate(found, start=1)]
    else:
        records = []
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
            if line.strip():
                where = f"line {number} of {name}"
                records.append(_record(_loaded(line, where), where))
    columns = list(dict.fromkeys(key for record in records for key in record))
    if not columns:
        raise TableError(f"{name} names no columns")
    return pd.DataFrame(
        {column: _column([record.get(column) for record in records]) for column in columns}
    )


class _Pairs(list[tuple[str, Any]]):
    """An object as it stands, with names that may be there twice."""


def _loaded(text: str, where: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as reason:
        said = f"{where} is no JSON: {reason!s:.200}"
        if text.strip() == "{":
            said += "; write a list of objects, or an object a line"
        raise TableError(said) from None


def _record(found: Any, where: str) -> dict[str, Any]:
    if not isinstance(found, _Pairs):
        got = json.dumps(found)
        raise TableError(f'{where} must be an object such as {{"age": 61}}. Got {got:.40}')
    names = [key.strip() for key, _ in found]
    if len(set(names)) < len(names):
        twice = next(key for key in names if names.count(key) > 1)
        raise TableError(f"{where} has {twice!r} more than once")
    record = dict(zip(names, (value for _, value in found), strict=True))
    if nested := [key for key, value in record.items() if isinstance(value, list)]:
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
