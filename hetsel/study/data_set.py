"""A data set as the cells of a study see it: encoded once, known by its fingerprint."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hetsel import datasets
from hetsel.errors import Fix, TableError
from hetsel.files.reading import MISSING_MARKS, read_table
from hetsel.study.fields import plain
from hetsel.study.specs import DataSpec
from hetsel.tables.names import find_column
from hetsel.tables.table import Table, as_frame
from hetsel.tables.target import Classes, Target
from hetsel.text import counted


@dataclass(frozen=True, eq=False)
class StudyData:
    """An encoded table with its classes.

    Parameters
    ----------
    name : str
    table : Table of shape (n, p)
        Missing cells are NaN; kinds and levels are those of the whole table.
    target : Target
        The classes of the rows.
    missing : str
        What becomes of missing cells; learned on training rows only.
    fingerprint : str
        sha256 of all of it but the name.
    test_rows : ndarray of bool, shape (n,), optional
        The rows of a given test set; None where test rows are drawn from all.
    row_groups : ndarray of int, shape (n,), optional
        Rows of one number belong together and are held out together.
    """

    name: str
    table: Table
    target: Target
    missing: Any
    fingerprint: str
    test_rows: np.ndarray | None = None
    row_groups: np.ndarray | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """Labels of the classes, as text."""
        return tuple(str(label) for label in self.target.labels)

    @property
    def test_counts(self) -> np.ndarray | None:
        """Rows of each class in the given test set, if there is one."""
        if self.test_rows is None:
            return None
        return np.bincount(self.target.codes[self.test_rows], minlength=len(self.classes))

    def to_dict(self) -> dict[str, Any]:
        """What a store and a report need to know of the data, without its cells."""
        given = {} if self.test_counts is None else {"test_counts": self.test_counts.tolist()}
        return given | {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "rows": int(self.table.shape[0]),
            "features": self.table.names,
            "kinds": [column.kind for column in self.table.schema.columns],
            "target": self.target.kind,
            "classes": list(self.classes),
            "class_counts": self.target.counts.tolist(),
            "missing_cells": int(np.isnan(self.table.values).sum()),
            "missing": self.missing,
        }


def prepare(spec: DataSpec) -> StudyData:
    """Read and encode a data set.

    Raises
    ------
    TableError
        The table, the target or an option cannot be used; the message names the data set.
    """
    try:
        X, y = _source(spec)
        frame, test_rows = _without_test_rows(as_frame(X), spec.test_rows)
        if spec.drop:
            names = frame.columns.tolist()
            frame = frame.drop(columns=[find_column(names, d, option="drop") for d in spec.drop])
        table = Table.read(
            frame, nominal=spec.nominal, ordinal=spec.ordinal, continuous=spec.continuous
        )
        target = Classes.of(y, len(frame)).with_positive(spec.positive)
    except TableError as reason:
        sentence = f"data set {spec.name!r}: {reason.sentence}"
        raise TableError(sentence, *reason.fixes) from None
    except TypeError as reason:
        raise TableError(f"data set {spec.name!r}: {reason}") from None
    values = np.where(np.isnan(table.values), np.nan, table.values)  # one kind of NaN only
    table = Table(np.ascontiguousarray(values), table.schema)
    known = fingerprint(table, target, spec.missing, test_rows)
    return StudyData(spec.name, table, target, spec.missing, known, test_rows)


def _source(spec: DataSpec) -> tuple[Any, Any]:
    """The features and the classes, before anything is dropped or typed."""
    if spec.file is not None:
        reading = dict(spec.reading)
        if "missing_marks" in reading:
            reading["missing_marks"] = (*MISSING_MARKS, *reading["missing_marks"])
        frame = read_table(spec.file, **reading)
    elif spec.X is not None:
        if spec.target is None:
            return spec.X, spec.y
        frame = as_frame(spec.X)
    else:
        data = datasets.load(spec.name)
        if spec.target is None:
            return data.X, data.y
        frame = data.frame
    target = find_column(frame.columns.tolist(), spec.target, option="target")
    gaps = frame[target].isna()
    if gaps.any() and not spec.drop_unlabeled:
        raise TableError(
            f"the target is missing in {counted(int(gaps.sum()), 'row')}",
            Fix("drop_unlabeled", True, "leaves them out"),
        )
    frame = frame[~gaps]
    return frame.drop(columns=target), frame[target]


TRUTH = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}


def _without_test_rows(
    frame: pd.DataFrame, column: str | None
) -> tuple[pd.DataFrame, np.ndarray | None]:
    """The features, and which rows a column of theirs says to be those of a given test set."""
    if column is None:
        return frame, None
    name = find_column(frame.columns.tolist(), column, option="test_rows")
    marks = frame[name].astype(str).str.strip().str.lower().map(TRUTH)
    if marks.isna().any():
        strange = str(frame[name][marks.isna()].iloc[0])
        raise TableError(f"test_rows: {name!r} must be true or false in every row. Got {strange!r}")
    if marks.nunique() < 2:
        raise TableError(f"test_rows: {name!r} must be true in some rows and false in others")
    return frame.drop(columns=name), marks.to_numpy(dtype=bool)


def fingerprint(
    table: Table, target: Target, missing: str, test_rows: np.ndarray | None = None
) -> str:
    """sha256 of cells, columns, classes, the treatment of missing cells and a given test set."""
    classes = [str(label) for label in target.labels]
    columns = [
        [c.name, c.kind, [plain(level) for level in c.levels], c.declared]
        for c in table.schema.columns
    ]
    head = json.dumps([table.shape, columns, classes, missing], sort_keys=True)
    total = hashlib.sha256(head.encode())
    total.update(np.ascontiguousarray(table.values).tobytes())
    total.update(np.ascontiguousarray(target.codes, dtype=np.int64).tobytes())
    if test_rows is not None:
        total.update(test_rows.tobytes())
    return total.hexdigest()
