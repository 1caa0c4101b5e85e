"""Cells of the original files: rows of text, columns made of them, and the objects of R."""

import csv
import gzip
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.errors import need


def read_rows(path: Path, separator: str = ",") -> list[list[str]]:
    """Rows of a delimited file, gzipped or not, without empty lines and blanks around cells."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    lines = content.decode("ascii").splitlines()
    reader = csv.reader(lines, delimiter=separator)
    return [[cell.strip() for cell in row] for row in reader if any(cell.strip() for cell in row)]


def read_r_objects(path: Path) -> dict[str, Any]:
    """The objects of an .RData file by their names: arrays, and dicts for lists.

    Raises
    ------
    TableError
        The package rdata is missing.
    """
    return need("rdata").read_rda(path, default_encoding="ASCII")


def numbers(cells: Iterable[str], mark: str = "?") -> np.ndarray:
    """Cells as float64; the mark is a missing one."""
    return np.array([np.nan if cell == mark else float(cell) for cell in cells])


def levels(
    cells: Sequence[str], named: dict[str, str] | None = None, mark: str = "?"
) -> pd.Categorical:
    """Cells as a category; the mark is a missing one.

    Parameters
    ----------
    cells : sequence of str
    named : dict, optional
        Level of each code, in the order of the levels; None takes the codes that occur, sorted
        (as numbers, where all are whole numbers).
    mark : str
    """
    if named is None:
        codes = sorted({cell for cell in cells if cell != mark})
        if all(code.isdigit() for code in codes):
            codes.sort(key=int)
        named = {code: code for code in codes}
    present = [None if cell == mark else named[cell] for cell in cells]
    return pd.Categorical(present, categories=list(named.values()))


def typed(columns: Mapping[str, Sequence[str]], continuous: Collection[str]) -> pd.DataFrame:
    """The features: numbers where the name is among the continuous ones, else levels."""
    return pd.DataFrame(
        {
            name: pd.Series(numbers(cells) if name in continuous else levels(cells))
            for name, cells in columns.items()
        }
    )


def classes(cells: Iterable[str], codes: dict[str, int], name: str) -> pd.Series:
    """The target: the class number of each code."""
    return pd.Series([codes[cell] for cell in cells], name=name, dtype="int64")
