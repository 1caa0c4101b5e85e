"""A data set as cells use it: encoded once and identified by its fingerprint."""

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hetsel import datasets
from hetsel.evaluation.data import columns_about_rows, data_entry
from hetsel.evaluation.data.given_folds import refuse_torn_groups
from hetsel.files.reading import read_table
from hetsel.ground import Fix, TableError, counted
from hetsel.ground.plan_entries import plain_parameter
from hetsel.pitfalls.cautions_on_rows import asked_groups, parted
from hetsel.pitfalls.repeated_rows import find_repeated_rows
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.selection import Problem
from hetsel.tables import (
    Classes,
    Note,
    Table,
    TypedTarget,
    as_frame,
    find_column,
    read_target,
    row_labels,
    validation,
)
from hetsel.tables.missing_cells import MISSING_MARKS

BESIDE = ("y", "row_groups", "row_weights", "order")  # arrays with one value per row, in Python


@dataclass(frozen=True, eq=False)
class EncodedData:
    """An encoded table with its target; scales and imputed values come from training rows."""

    name: str
    table: Table  # (n, p) with NaN for missing values; kinds and levels come from all rows
    target: Any  # a TypedTarget
    missing: Any  # how missing values are handled
    fingerprint: str  # SHA-256 of everything except the name
    test_rows: np.ndarray | None = None  # bool (n,): a fixed test set; without one, any row
    row_groups: np.ndarray | None = None  # (n,): rows with one number are held out together
    order: np.ndarray | None = None  # (n,): position of each row in time
    scale: Any = "range"  # scale of continuous columns
    weights: np.ndarray | None = None  # (n,): positive, mean 1; None: equal weights
    folds: np.ndarray | None = None  # (repeats, n): number of the given fold, from 0
    training_rows: int | None = None  # of a learning curve
    smaller_part_of: str | None = None  # the data set with the largest number of training rows
    given_rows: np.ndarray | None = None  # (n,): positions of the original rows; None: in order
    notes: tuple[Note, ...] = ()  # on decisions in reading the file

    def problem(self, sizes: tuple[int, ...] = (), seed: int = 0) -> Problem:
        """Return the problem of all rows, with their missing values."""
        return Problem(
            self.table, self.target, sizes, seed, self.weights, row_groups=self.row_groups
        )

    @property
    def classes(self) -> tuple[str, ...]:
        """Labels of the classes as text; empty without classes."""
        return tuple(self.target.facts()["classes"])

    @property
    def split_counts(self) -> np.ndarray:
        """Rows of each class or stratum whose proportion splits keep."""
        return np.bincount(self.target.split_classes)

    @property
    def test_counts(self) -> np.ndarray | None:
        """Rows of each of these classes in the fixed test set, if there is one."""
        if self.test_rows is None:
            return None
        codes = self.target.split_classes
        return np.bincount(codes[self.test_rows], minlength=int(codes.max()) + 1)

    def with_training_rows(self, size: int, *, largest: bool) -> "EncodedData":
        """Return the data set of one of several numbers of training rows.

        That with the largest number has the name of the data set. The others are no data sets of
        their own.
        """
        if largest:
            return replace(self, training_rows=size)
        name = f"{self.name} (n = {size})"
        return replace(self, name=name, training_rows=size, smaller_part_of=self.name)

    @property
    def content(self) -> str:
        """The fingerprint without given folds: a table with other folds is the same table."""
        if self.folds is None:
            return self.fingerprint
        roles = columns_about_rows.RowRoles(
            self.test_rows, self.row_groups, self.order, self.weights
        )
        return data_fingerprint(self.table, self.target, self.missing, roles, self.scale)

    @property
    def facts_of_splits(self) -> dict[str, Any]:
        """The facts that splits depend on, besides the plan."""
        given: dict[str, Any] = {"rows": int(self.table.shape[0])}
        if self.test_counts is not None:
            given["test_counts"] = self.test_counts.tolist()
        if self.folds is not None:
            given["given_resamplings"] = len(self.folds) * (int(self.folds.max()) + 1)
        if self.training_rows is not None:
            given["training_rows"] = self.training_rows
        return given

    def to_dict(self) -> dict[str, Any]:
        """Return the facts for stores and reports, without values."""
        given = self.facts_of_splits
        if self.row_groups is not None:
            sizes = np.unique(self.row_groups, return_counts=True)[1]
            given |= {"row_groups": len(sizes), "largest_row_group": int(sizes.max())}
        if self.weights is not None:
            given |= {"row_weights": self.weights.tolist()}
            if isinstance(self.target, Classes):
                sums = np.bincount(self.target.codes, self.weights, len(self.classes))
                given |= {"class_weights": sums.tolist()}
        if self.smaller_part_of is not None:
            given |= {"smaller_part_of": self.smaller_part_of}
        repeats = find_repeated_rows(self.table, self.target)
        part = None if repeats is None else parted(repeats, self.table, self.row_groups)
        if part is not None:
            given |= {"repeated_rows": part.rows, "repeated_groups": part.clusters}
        given |= {} if self.scale == "range" else {"scale": self.scale}
        return given | {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "features": self.table.names,
            "kinds": [column.kind for column in self.table.schema.columns],
            "target": self.target.kind,
            **self.target.facts(),
            "missing_cells": int(np.isnan(self.table.values).sum()),
            "missing": self.missing,
        }


def prepare(spec: data_entry.DataSpec, resamplings: Resamplings | None = None) -> EncodedData:
    """Read and encode a data set, with its folds if the splits are given; errors name it."""
    splits = None if resamplings is None else resamplings.of_data(spec.split)
    if splits is not None and splits.kind != "given":
        splits = None
    try:
        row_labels.refuse_other_rows(spec.X, **{name: getattr(spec, name) for name in BESIDE})
        X, y, kept, notes = _source(spec)
        frame, roles = columns_about_rows.without_roles(as_frame(X), spec, kept, splits)
        if spec.drop:
            names = frame.columns.tolist()
            frame = frame.drop(columns=[find_column(names, d, option="drop") for d in spec.drop])
        table = Table.read(
            frame, nominal=spec.nominal, ordinal=spec.ordinal, continuous=spec.continuous
        )
        target = read_target(y, len(frame), spec.target_kind)
        if isinstance(target, Classes):
            target = target.with_positive(spec.positive)
        elif spec.positive is not None:
            raise TableError(f"positive needs two classes. Got {target.in_words()}. Leave it out")
        if columns_about_rows.names_copies(spec.row_groups, as_frame(X).columns.tolist()):
            roles = replace(roles, row_groups=asked_groups(spec.row_groups, table, target)[0])
        if roles.folds is not None and roles.row_groups is not None:
            refuse_torn_groups(roles.folds, roles.row_groups)
    except TableError as reason:
        sentence = f"data set {spec.name!r}: {reason.sentence}"
        raise TableError(sentence, *reason.fixes) from None
    except TypeError as reason:
        raise TableError(f"data set {spec.name!r}: {reason}") from None
    values = np.where(np.isnan(table.values), np.nan, table.values)  # one kind of NaN only
    table = Table(np.ascontiguousarray(values), table.schema)
    known = data_fingerprint(table, target, spec.missing, roles, spec.scale)
    given = (roles.test_rows, roles.row_groups, roles.order, spec.scale, roles.row_weights)
    place = spec.name, table, target, spec.missing, known
    return EncodedData(*place, *given, folds=roles.folds, notes=notes)


def _source(
    spec: data_entry.DataSpec,
) -> tuple[Any, Any, np.ndarray | None, tuple[Note, ...]]:
    """Return features, target, kept rows and notes, before columns are dropped or typed."""
    notes: tuple[Note, ...] = ()
    if spec.file is not None:
        reading = dict(spec.reading)
        if "missing_marks" in reading:
            reading["missing_marks"] = (*MISSING_MARKS, *reading["missing_marks"])
        frame = read_table(spec.file, **reading)
        notes = frame.attrs.pop("notes", ())
    elif spec.X is not None:
        if spec.target is None:
            return spec.X, spec.y, None, notes
        frame = as_frame(spec.X)
    else:
        data = datasets.load(spec.table_name)
        if spec.target is None:
            return data.X, data.y, None, notes
        frame = data.frame
    names = frame.columns.tolist()
    told = (
        spec.target.found_in(names) if isinstance(spec.target, data_entry.SurvivalColumns) else None
    )
    columns = told or [find_column(names, spec.target, option="target")]
    gaps = frame[columns].isna().any(axis=1)
    if gaps.any() and not spec.drop_unlabeled:
        raise TableError(
            f"the target is missing in {counted(int(gaps.sum()), 'row')}",
            Fix("drop_unlabeled", True, "to leave them out"),
        )
    frame = frame[~gaps]
    y = spec.target.of(frame[told]) if told else validation.labels_of_file(frame[columns[0]])
    return frame.drop(columns=columns), y, ~gaps.to_numpy(dtype=bool), notes


def data_fingerprint(
    table: Table,
    target: TypedTarget,
    missing: str,
    roles: columns_about_rows.RowRoles | None = None,
    scale: str = "range",
) -> str:
    """Return the SHA-256 of values, columns, target, options and roles of rows."""
    told = target.facts()["classes"] or target.kind
    columns = [
        [c.name, c.kind, [plain_parameter(level) for level in c.levels], c.declared]
        for c in table.schema.columns
    ]
    treatment = [missing] if scale == "range" else [missing, scale]
    head = json.dumps([table.shape, columns, told, *treatment], sort_keys=True)
    total = hashlib.sha256(head.encode())
    total.update(np.ascontiguousarray(table.values).tobytes())
    for part in target.parts:
        kind = "<f8" if part.dtype.kind == "f" else "<i8"
        total.update(np.ascontiguousarray(part, dtype=kind).tobytes())
    roles = roles or columns_about_rows.RowRoles()
    if roles.test_rows is not None:
        total.update(roles.test_rows.tobytes())
    for name, role in (("row_groups", roles.row_groups), ("order", roles.order)):
        if role is not None:
            total.update(name.encode())
            total.update(np.ascontiguousarray(role, dtype="<i8").tobytes())
    if roles.folds is not None:
        total.update(b"folds %d " % len(roles.folds))
        total.update(np.ascontiguousarray(roles.folds, dtype="<i8").tobytes())
    if roles.row_weights is not None:
        total.update(b"row_weights" + np.ascontiguousarray(roles.row_weights, "<f8").tobytes())
    return total.hexdigest()
