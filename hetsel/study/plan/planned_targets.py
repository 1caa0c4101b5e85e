"""The target of a data set in a plan: a column, or the columns of times and of events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import pandas as pd
from msgspec import Meta, Struct

from hetsel.ground.entry_reading import AS_GIVEN, Text, read_entry
from hetsel.ground.errors import PlanError
from hetsel.tables.names import find_column
from hetsel.tables.targets.survival import survival

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
        """The two columns as the table has them.

        Raises
        ------
        TableError
            No such column.
        """
        return [
            find_column(names, self.time, option="target.time"),
            find_column(names, self.event, option="target.event"),
        ]

    def of(self, frame: pd.DataFrame) -> np.ndarray:
        """The survival times of the rows of the two columns of a table, see `found_in`."""
        time, event = (frame[name] for name in frame.columns)
        return survival(time, event, event_value=self.event_value)


def read_target_entry(where: str, given: Any) -> Any:
    """What an entry says of its target; a mapping names the columns of survival times.

    Raises
    ------
    PlanError
        A mapping that lacks a column, or names one for both.
    """
    if not isinstance(given, Mapping):
        return given
    columns = read_entry(where, given, SurvivalColumns)
    if columns.time == columns.event:
        raise PlanError(
            f"{where} must name two columns, time and event. Got {columns.time!r} twice"
        )
    return columns
