"""The entry of a data set in a plan: its source and its columns."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pandas as pd
from msgspec import Meta, Struct

from hetsel import datasets
from hetsel.datasets.sources import Dataset
from hetsel.ground import PlanError
from hetsel.ground import plan_entries as check
from hetsel.ground.plan_entries import AS_GIVEN, Flag, Text, WholeNumber
from hetsel.ground.text import value_or_type
from hetsel.resampling.resampling_entry import SplitSizes
from hetsel.tables import Missing, ScaleKey, TargetKind, find_column, survival

Marks = Annotated[
    str | tuple[str, ...], Meta(title="a text or a list of texts such as ['unknown', '-9']")
]
Separator = Annotated[Literal[",", ";", "|", "\t", " "], Meta(title="',', ';', '|', '\\t' or ' '")]
Decimal = Annotated[Literal[".", ","], Meta(title="'.' or ','")]
Thousands = Annotated[Literal[",", ".", " ", "'"], Meta(title="',', '.', ' ' or \"'\"")]
# names or positions; they are checked when the table is read
_LIST = {"type": "array", "items": {"type": ["string", "integer"]}}
_COLUMNS = [{"type": "string"}, _LIST]
_LEVELS = {"type": "object", "additionalProperties": {"type": "array"}}
PlannedColumns = Annotated[Any, Meta(extra_json_schema={"anyOf": _COLUMNS})]
Dropped = Annotated[
    Any, Meta(extra_json_schema={"anyOf": [{"type": "string"}, {**_LIST, "minItems": 1}]})
]
Ordinal = Annotated[Any, Meta(extra_json_schema={"anyOf": [*_COLUMNS, _LEVELS]})]
DataName = Annotated[str, Meta(extra_json_schema={"enum": sorted(datasets.NAMES)})]
# the name of a column; in Python also a position or an array
_NAME = {"type": "string", "pattern": r"\S", "title": "text, e.g. 'heart'"}
NamedOrGiven = Annotated[Any, AS_GIVEN, Meta(extra_json_schema=_NAME)]
_TARGET = {"anyOf": [_NAME, {"$ref": "#/definitions/SurvivalColumns"}]}
PlannedTarget = Annotated[Any, AS_GIVEN, Meta(extra_json_schema=_TARGET)]
BY_ROW = ("row_groups", "row_weights", "order")  # columns that may be arrays
FILE = ("missing_marks", "separator", "encoding", "decimal")
READING = (*FILE, "thousands", "header", "skip", "sheet")  # how a file is read
TARGET = ("target", "target_kind", "positive")
COLUMNS = (*TARGET, "nominal", "ordinal", "continuous", "drop", "missing")
WRITTEN = (*COLUMNS, "test_rows", *BY_ROW, "treatment_of")


class DataSpec(Struct, frozen=True, eq=False, kw_only=True, forbid_unknown_fields=True):
    """A data set of hetsel by name, or a file."""

    name: Annotated[Text, Meta(description="name of a data set of hetsel, or any name for a file")]
    file: Annotated[Text | None, Meta(description="path of the table, relative to this plan")] = (
        None
    )
    target: Annotated[
        PlannedTarget,
        Meta(
            description="column with the class or number of each row; for survival times "
            "{time = column, event = column}"
        ),
    ] = None
    target_kind: Annotated[
        TargetKind | None,
        Meta(description="kind of target; default: numbers for fractions, otherwise classes"),
    ] = None
    positive: Annotated[
        Any, Meta(description="positive class; default: yes, true, 1 or the last of two classes")
    ] = None
    nominal: Annotated[PlannedColumns, Meta(description="columns with unordered levels")] = None
    ordinal: Annotated[Ordinal, Meta(description="columns with ordered levels")] = None
    continuous: Annotated[PlannedColumns, Meta(description="columns of numbers")] = None
    drop: Annotated[Dropped, Meta(description="columns to omit")] = ()
    missing: Annotated[Missing, Meta(description="how missing values are handled")] = "impute"
    scale: Annotated[ScaleKey, Meta(description="scale of continuous columns")] = "range"
    missing_marks: Annotated[Marks, Meta(description="additional marks of missing values")] = ()
    drop_unlabeled: Annotated[
        Flag, Meta(description="omit rows without a target; default: raise an error")
    ] = False
    separator: Annotated[Separator | None, Meta(description="separator of columns")] = None
    encoding: Annotated[Text | None, Meta(description="encoding of the file; default: utf-8")] = (
        None
    )
    decimal: Annotated[Decimal | None, Meta(description="decimal mark")] = None
    thousands: Annotated[Thousands | None, Meta(description="thousands separator")] = None
    skip: Annotated[WholeNumber | None, Meta(description="lines to skip before the table")] = None
    header: Annotated[Flag | None, Meta(description="whether the first line has column names")] = (
        None
    )
    sheet: Annotated[Text | None, Meta(description="sheet of a workbook; default: the first")] = (
        None
    )
    split: Annotated[
        SplitSizes | None,
        Meta(
            title="a table such as {train_count = 100}",
            description="sizes of training and test part instead of those of the study",
        ),
    ] = None
    test_rows: Annotated[
        Text | None, Meta(description="column that is true in the rows of a fixed test set")
    ] = None
    row_groups: Annotated[
        NamedOrGiven,
        Meta(
            description="column of rows that belong together, such as those of a patient; groups "
            "train or are held out as a whole; or copies for duplicate rows"
        ),
    ] = None
    row_weights: Annotated[
        NamedOrGiven,
        Meta(
            description="column with row weights for selection, judges and scores, for methods "
            "that use weights"
        ),
    ] = None
    order: Annotated[
        NamedOrGiven,
        Meta(
            description="column with the time of each row, a number or a date, for time-ordered "
            "splits"
        ),
    ] = None
    treatment_of: Annotated[
        Text | None,
        Meta(description="data set of this plan that this data set is a treatment of"),
    ] = None
    X: Any = None
    y: Any = None

    @classmethod
    def of(cls, where: str, entry: Any, folder: Path) -> "DataSpec":
        if isinstance(entry, DataSpec):
            return entry
        if isinstance(entry, Dataset):
            return cls(name=entry.name, X=entry.X, y=entry.y)
        if isinstance(entry, str):
            entry = {"name": entry}
        if not isinstance(entry, Mapping):
            raise PlanError(
                f"{where} must be the name of a data set, a Dataset or a mapping. "
                f"Got {value_or_type(entry)}"
            )
        spec = check.read_entry(where, _spelled_out(where, entry), cls)
        spec.check_source(where)
        if spec.split is not None:
            located = spec.split.located(f"{where}.split", folder)
            spec = msgspec.structs.replace(spec, split=located)
        if spec.file is None:
            return spec
        file = folder / spec.file
        if not file.is_file():
            raise PlanError(f"{where}.file: no such file: {file}")
        return msgspec.structs.replace(spec, file=str(file))

    def check_source(self, where: str) -> None:
        """Check that the table has exactly one source: a frame, a file or a known name."""
        named = not isinstance(self.target, SurvivalColumns | None)
        if self.target_kind == "survival" and named:
            raise PlanError(
                f"{where}.target must be {{time = column, event = column}} for target_kind "
                f"'survival'. Got {self.target!r:.60}"
            )
        if self.X is not None:
            if self.file is not None or self.reading:
                raise PlanError(f"{where} has a table X. Leave out file and its reading options")
            if (self.y is None) == (self.target is None):
                raise PlanError(
                    f"{where} must have either y (classes, numbers or survival times) or target "
                    "(their column; for survival times {time = column, event = column})"
                )
            if self.drop_unlabeled and self.target is None:
                raise PlanError(
                    f"{where}.drop_unlabeled needs a target that is a column of X. Name it as "
                    "target, or omit the rows from X and y"
                )
        elif self.file is not None:
            if self.target is None:
                raise PlanError(
                    f"{where} must have target, the column with the class or number of each row; "
                    "for survival times {time = column, event = column}"
                )
            for option in ("target", *BY_ROW):
                if isinstance(getattr(self, option), int | float | str):
                    check.read_value(f"{where}.{option}", getattr(self, option), Text)
        else:
            if self.table_name not in datasets.NOT_PUBLIC:  # loading raises the error
                check.one_of(f"{where}.name", self.table_name, sorted(datasets.NAMES))
            if self.reading or self.y is not None:
                raise PlanError(f"{where} is a data set of hetsel. Leave out y and reading options")

    @property
    def table_name(self) -> str:
        """The name of a table that comes from hetsel."""
        own = self.treatment_of is None or self.name in datasets.NAMES
        return self.name if own else str(self.treatment_of)

    @property
    def reading(self) -> dict[str, Any]:
        """The reading options that the plan specifies."""
        given = {key: getattr(self, key) for key in READING}
        return {key: value for key, value in given.items() if value not in (None, ())}

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain values, for JSON, without tables from Python."""
        content: dict[str, Any] = {"name": self.name}
        for key in WRITTEN:
            value = getattr(self, key)
            if isinstance(value, SurvivalColumns):
                value = {k: v for k, v in msgspec.structs.asdict(value).items() if v is not None}
            if key in BY_ROW and not isinstance(value, str | int | np.integer | None):
                continue
            if (value := check.plain_parameter(value)) not in (None, []):
                content[key] = value
        if self.scale != "range":  # for equality with older plans
            content["scale"] = self.scale
        if self.drop_unlabeled:
            content["drop_unlabeled"] = True
        if self.file is not None:
            content["file"] = Path(self.file).name
        if self.split is not None:
            sizes = msgspec.structs.asdict(self.split)
            if self.split.file is not None:
                sizes["file"] = Path(self.split.file).name
            sizes = {name: size for name, size in sizes.items() if size is not None}
            content["split"] = check.plain_parameter(sizes)
        return content | dict(check.plain_parameter(self.reading))


def _spelled_out(where: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry with its name, and with lists instead of single values."""
    entry = dict(entry)
    if isinstance(entry.get("file"), os.PathLike):
        entry["file"] = os.fspath(entry["file"])
    if isinstance(entry.get("file"), str) and entry.get("name") is None:
        entry["name"] = Path(entry["file"]).stem
    entry["target"] = read_target_entry(f"{where}.target", entry.get("target"))
    if isinstance(entry.get("missing_marks"), str):
        entry["missing_marks"] = [entry["missing_marks"]]
    if isinstance(entry.get("split"), Mapping):
        entry["split"] = check.read_entry(f"{where}.split", entry["split"], SplitSizes)
    if entry.get("drop") is not None:
        entry["drop"] = tuple(check.items(f"{where}.drop", entry["drop"]))
    return entry


# The target of a data set in a plan: a column, or the columns of times and events.
_VALUES = {"type": ["string", "integer", "number", "boolean"]}


class SurvivalColumns(Struct, frozen=True, forbid_unknown_fields=True):
    """Right-censored survival times as a target: {time = "t", event = "e"}."""

    time: Annotated[Text, Meta(description="column with the time of the event or of censoring")]
    event: Annotated[
        Text, Meta(description="column with the event indicator: true and false, or 1 and 0")
    ]
    event_value: Annotated[
        Any,
        AS_GIVEN,
        Meta(
            description="value of event that means an event, for two other values",
            extra_json_schema=_VALUES,
        ),
    ] = None

    def found_in(self, names: list[str]) -> list[str]:
        return [
            find_column(names, self.time, option="target.time"),
            find_column(names, self.event, option="target.event"),
        ]

    def of(self, frame: pd.DataFrame) -> np.ndarray:
        """Return the survival times in the two columns of a table."""
        time, event = (frame[name] for name in frame.columns)
        return survival(time, event, event_value=self.event_value)


def read_target_entry(where: str, given: Any) -> Any:
    """Read the target of an entry; a mapping has the two columns of survival times."""
    if not isinstance(given, Mapping):
        return given
    columns = check.read_entry(where, given, SurvivalColumns)
    if columns.time == columns.event:
        raise PlanError(
            f"{where} must name two columns, time and event. Got {columns.time!r} twice"
        )
    return columns
