"""The entry of a data set in a plan: where its table comes from and what its columns are."""

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
from hetsel.resampling.resampling_entry import SplitSizes
from hetsel.tables import Missing, ScaleKey, TargetKind, find_column, survival

Marks = Annotated[
    str | tuple[str, ...], Meta(title="a text or a list of texts such as ['unknown', '-9']")
]
Separator = Annotated[Literal[",", ";", "|", "\t", " "], Meta(title="',', ';', '|', '\\t' or ' '")]
Decimal = Annotated[Literal[".", ","], Meta(title="'.' or ','")]
Thousands = Annotated[Literal[",", ".", " ", "'"], Meta(title="',', '.', ' ' or \"'\"")]
# names or positions; which there are is known once the table is read
_LIST = {"type": "array", "items": {"type": ["string", "integer"]}}
_COLUMNS = [{"type": "string"}, _LIST]
_LEVELS = {"type": "object", "additionalProperties": {"type": "array"}}
PlannedColumns = Annotated[Any, Meta(extra_json_schema={"anyOf": _COLUMNS})]
Dropped = Annotated[
    Any, Meta(extra_json_schema={"anyOf": [{"type": "string"}, {**_LIST, "minItems": 1}]})
]
Ordinal = Annotated[Any, Meta(extra_json_schema={"anyOf": [*_COLUMNS, _LEVELS]})]
DataName = Annotated[str, Meta(extra_json_schema={"enum": sorted(datasets.NAMES)})]
# the name of a column; from Python a position or an array, too
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
    """A data set: one that hetsel knows by name, or a file of your own."""

    name: Annotated[Text, Meta(description="a data set of hetsel; or what to call that of a file")]
    file: Annotated[Text | None, Meta(description="the table; its path starts at this plan")] = None
    target: Annotated[
        PlannedTarget,
        Meta(
            description="column with the class of each row, or its number; of survival times "
            "{time = column, event = column}"
        ),
    ] = None
    target_kind: Annotated[
        TargetKind | None,
        Meta(description="what the target holds; default: fractions are numbers, else classes"),
    ] = None
    positive: Annotated[
        Any, Meta(description="the positive one of two classes; default: yes, true, 1 or the last")
    ] = None
    nominal: Annotated[PlannedColumns, Meta(description="columns whose levels have no order")] = (
        None
    )
    ordinal: Annotated[Ordinal, Meta(description="columns with ordered levels")] = None
    continuous: Annotated[PlannedColumns, Meta(description="columns of numbers")] = None
    drop: Annotated[Dropped, Meta(description="columns to leave out")] = ()
    missing: Annotated[Missing, Meta(description="what becomes of missing cells")] = "impute"
    scale: Annotated[ScaleKey, Meta(description="what continuous columns are measured by")] = (
        "range"
    )
    missing_marks: Annotated[Marks, Meta(description="further cells that mean missing")] = ()
    drop_unlabeled: Annotated[
        Flag, Meta(description="leave out rows whose target is missing; default: refuse them")
    ] = False
    separator: Annotated[Separator | None, Meta(description="between the columns")] = None
    encoding: Annotated[Text | None, Meta(description="of the file; default: utf-8")] = None
    decimal: Annotated[Decimal | None, Meta(description="mark of the numbers")] = None
    thousands: Annotated[Thousands | None, Meta(description="what groups their digits")] = None
    skip: Annotated[WholeNumber | None, Meta(description="lines to leave out before the table")] = (
        None
    )
    header: Annotated[Flag | None, Meta(description="the first line names the columns")] = None
    sheet: Annotated[Text | None, Meta(description="of a workbook; default: the first")] = None
    split: Annotated[
        SplitSizes | None,
        Meta(
            title="a table such as {train_count = 100}",
            description="sizes of the parts, in place of the study's",
        ),
    ] = None
    test_rows: Annotated[
        Text | None, Meta(description="column that is true in the rows of a given test set")
    ] = None
    row_groups: Annotated[
        NamedOrGiven,
        Meta(
            description="column by which rows belong together, as those of a patient, to be "
            "trained on or tested as a whole; or copies"
        ),
    ] = None
    row_weights: Annotated[
        NamedOrGiven,
        Meta(
            description="column with the weight of each row in selection, classifiers and scores, "
            "for methods that weigh rows"
        ),
    ] = None
    order: Annotated[
        NamedOrGiven,
        Meta(
            description="column with the time of each row, a number or a date, for splits of kind "
            "time-ordered"
        ),
    ] = None
    treatment_of: Annotated[
        Text | None,
        Meta(description="data set of this plan whose table this is, with other options"),
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
                f"{where} must be the name of a data set, a Dataset or a mapping. Got {entry!r:.60}"
            )
        spec = check.read_entry(where, _spelled_out(where, entry), cls)
        spec.check_source(where)
        if spec.file is None:
            return spec
        file = folder / spec.file
        if not file.is_file():
            raise PlanError(f"{where}.file: no such file: {file}")
        return msgspec.structs.replace(spec, file=str(file))

    def check_source(self, where: str) -> None:
        """A table has one source: a frame, a file, or a name that hetsel knows."""
        named = not isinstance(self.target, SurvivalColumns | None)
        if self.target_kind == "survival" and named:
            raise PlanError(
                f"{where}.target must be {{time = column, event = column}}, as target_kind is "
                f"'survival'. Got {self.target!r:.60}"
            )
        if self.X is not None:
            if self.file is not None or self.reading:
                raise PlanError(f"{where} gives a table X: leave file and how it is read out")
            if (self.y is None) == (self.target is None):
                raise PlanError(
                    f"{where} needs y, the classes, numbers or survival times, or target, the "
                    "column that has them, of times {time = column, event = column}"
                )
            if self.drop_unlabeled and self.target is None:
                raise PlanError(
                    f"{where}.drop_unlabeled is for a target that is a column of X: name that as "
                    "target, or leave the rows out of X and y"
                )
        elif self.file is not None:
            if self.target is None:
                raise PlanError(
                    f"{where} lacks target, the column with the class or number of a row, or of "
                    "survival times {time = column, event = column}"
                )
            for option in ("target", *BY_ROW):
                if isinstance(getattr(self, option), int | float | str):
                    check.read_value(f"{where}.{option}", getattr(self, option), Text)
        else:
            if self.table_name not in datasets.NOT_PUBLIC:  # loading it says so
                check.one_of(f"{where}.name", self.table_name, sorted(datasets.NAMES))
            if self.reading or self.y is not None:
                raise PlanError(f"{where} names a data set of hetsel: it is read as it is")

    @property
    def table_name(self) -> str:
        """The name by which hetsel knows the table, where there is neither frame nor file."""
        own = self.treatment_of is None or self.name in datasets.NAMES
        return self.name if own else str(self.treatment_of)

    @property
    def reading(self) -> dict[str, Any]:
        """How the file is read, as far as the plan says it."""
        given = {key: getattr(self, key) for key in READING}
        return {key: value for key, value in given.items() if value not in (None, ())}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; a table given from Python is not written out."""
        content: dict[str, Any] = {"name": self.name}
        for key in WRITTEN:
            value = getattr(self, key)
            if isinstance(value, SurvivalColumns):
                value = {k: v for k, v in msgspec.structs.asdict(value).items() if v is not None}
            if key in BY_ROW and not isinstance(value, str | int | np.integer | None):
                continue
            if (value := check.plain_parameter(value)) not in (None, []):
                content[key] = value
        if self.scale != "range":  # an older plan says nothing of it
            content["scale"] = self.scale
        if self.drop_unlabeled:
            content["drop_unlabeled"] = True
        if self.file is not None:
            content["file"] = Path(self.file).name
        if self.split is not None:
            sizes = msgspec.structs.asdict(self.split)
            content["split"] = {name: size for name, size in sizes.items() if size is not None}
        return content | dict(check.plain_parameter(self.reading))


def _spelled_out(where: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a data set with its name, and with lists where one thing stands for a list."""
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


# The target of a data set in a plan: a column, or the columns of times and of events.
_VALUES = {"type": ["string", "integer", "number", "boolean"]}


class SurvivalColumns(Struct, frozen=True, forbid_unknown_fields=True):
    """Survival times as a target: {time = "t", event = "e"}; right-censored."""

    time: Annotated[Text, Meta(description="column with the time of the event, or of the last")]
    event: Annotated[
        Text, Meta(description="column that says whether it happened: true and false, or 1 and 0")
    ]
    event_value: Annotated[
        Any,
        AS_GIVEN,
        Meta(
            description="which of two other values of event says that it happened",
            extra_json_schema=_VALUES,
        ),
    ] = None

    def found_in(self, names: list[str]) -> list[str]:
        return [
            find_column(names, self.time, option="target.time"),
            find_column(names, self.event, option="target.event"),
        ]

    def of(self, frame: pd.DataFrame) -> np.ndarray:
        """The survival times of the rows of the two columns of a table."""
        time, event = (frame[name] for name in frame.columns)
        return survival(time, event, event_value=self.event_value)


def read_target_entry(where: str, given: Any) -> Any:
    """What an entry says of its target; a mapping names the two columns of survival times."""
    if not isinstance(given, Mapping):
        return given
    columns = check.read_entry(where, given, SurvivalColumns)
    if columns.time == columns.event:
        raise PlanError(
            f"{where} must name two columns, time and event. Got {columns.time!r} twice"
        )
    return columns
