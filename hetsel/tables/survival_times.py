"""Survival times as a target: the time of an event of each row, or how long there was none."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from hetsel.ground import Fix, TableError, counted, listed, shown
from hetsel.tables.row_labels import refuse_other_rows
from hetsel.tables.table import ReadOnlyArrays, Table

FORM = (
    "an array with one field of True and False, the event, and one of numbers, the time: "
    "hetsel.survival(time, event) makes one"
)


def survival(time: Any, event: Any, *, event_value: Any = None) -> np.ndarray:
    """A target of survival times: the array that scikit-survival takes, too.

    Parameters
    ----------
    time : array-like of shape (n,)
        When the event happened or, where it did not, until when it is known that it had not; at
        least 0, in any unit.
    event : array-like of shape (n,)
        Whether it happened: True and False, or 1 and 0. Rows without are right-censored.
    event_value : object, optional
        Which of two values of `event` says that it happened, where these are others, such as 2 of
        R's 1 and 2.

    Returns
    -------
    structured ndarray of shape (n,), with the fields event and time

    Raises
    ------
    TableError
        Another length, missing cells, times that are no numbers or negative, other events.

    Examples
    --------
    >>> survival([5.0, 8.5], [True, False])["time"]
    array([5. , 8.5])
    >>> survival([5.0, 8.5], ["alive", "dead"], event_value="dead")["event"]
    array([False,  True])
    """
    refuse_other_rows(time, like="time", event=event)
    happened = _events(event, event_value)
    found = np.empty(len(happened), dtype=[("event", bool), ("time", np.float64)])
    found["event"], found["time"] = happened, _times(time, len(happened))
    return found


@dataclass(frozen=True, eq=False)
class Survival(ReadOnlyArrays):
    """The time until an event of each row, right-censored where it had not happened by then."""

    times: np.ndarray  # (n,), at least 0, finite; read-only
    events: np.ndarray  # (n,), whether the event happened at this time, else not yet; read-only
    name: str = ""  # of the column of times
    kind: ClassVar[Literal["survival"]] = "survival"
    # of those that do not vary
    told_nothing: ClassVar[str] = "no row that outlived the event of another one"

    @classmethod
    def of(cls, y: Any, n: int | None = None, name: str = "") -> "Survival":
        """From a structured array y (n,), or a target as it is."""
        given = y if isinstance(y, Survival) else None
        if given is not None:
            times, events = given.times, given.events
        else:
            times, events = _fields(y)
        rows = len(times) if n is None else n
        if len(times) != rows:
            raise TableError(f"the target must have {rows} rows, as the table. Got {len(times)}")
        events = _events(events)
        found = cls(_times(times, rows), events, given.name if given else name)
        if not events.any():
            raise TableError(
                f"survival times must have an event. Got {counted(rows, 'row')} without one: all "
                "are censored"
            )
        if not found.varies:
            raise TableError(
                "survival times must tell of two rows whose event was first. No row is known to "
                "be without an event after that of another one"
            )
        return given if given is not None else found

    def __len__(self) -> int:
        return len(self.times)

    @property
    def signed(self) -> np.ndarray:
        """Times (n,) of events, minus the times where there was none; -0.0 for 0 among these."""
        return np.where(self.events, self.times, -self.times)

    @property
    def structured(self) -> np.ndarray:
        """The array that :func:`survival` makes."""
        return survival(self.times, self.events)

    def take(self, rows: np.ndarray) -> "Survival":
        """The target of these rows."""
        return Survival(self.times[rows], self.events[rows], self.name)

    arranged = take

    def of_content(self, content: np.ndarray) -> "Survival":
        """The target of such whole numbers (n,), see `content`."""
        times = np.unique(self.times)[content // 2]
        return Survival(times, content % 2 == 0, self.name)

    def canonical(self, rows: np.ndarray) -> "Survival":
        """The target with its rows in a canonical order and the dense ranks of its times for them.
        Neither the unit nor any other increasing function of the times has a part in it."""
        ranks = np.unique(self.times, return_inverse=True)[1].astype(np.float64)
        return Survival(ranks[rows], self.events[rows], self.name)

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """What tells it from another one: arrays (n,)."""
        return (self.signed,)

    def by_content(self, table: Table) -> "Survival":
        """Itself: times have no names."""
        return self

    @property
    def strata(self) -> np.ndarray:
        """Stratum (n,) of each row, whose share splits keep: without an event, with one."""
        return np.unique(self.events, return_inverse=True)[1].astype(np.int64)

    split_classes = strata

    @property
    def stratum_names(self) -> list[str]:
        """What a sentence on a stratum begins with."""
        names = {False: "That without an event", True: "That with an event"}
        return [names[bool(event)] for event in np.unique(self.events)]

    def facts(self) -> dict[str, Any]:
        """What a store keeps of it: events, the last time, the median follow-up of the rows."""
        names = ("events", "longest", "median_time")
        found = (int(self.events.sum()), float(self.times.max()), float(np.median(self.times)))
        return {"classes": [], "class_counts": [], **dict(zip(names, found, strict=True))}

    @property
    def content(self) -> np.ndarray:
        """A whole number (n,) for each row, equal where the target is: twice the dense rank of its
        time, and 1 more where it is censored, as events come before at one time."""
        ranks = np.unique(self.times, return_inverse=True)[1].astype(np.int64)
        return 2 * ranks + ~self.events

    @property
    def varies(self) -> bool:
        """Whether there is anything to tell: a row that outlived the event of another one."""
        if not self.events.any():
            return False
        return bool(self.content.max() > self.content[self.events].min())

    def in_words(self) -> str:
        """What an error calls these targets."""
        where = f" in {shown(self.name)!r}" if self.name else ""
        events = int(self.events.sum())
        return f"survival times{where}: {counted(len(self), 'row')}, {events} with an event"


def is_survival(y: Any) -> bool:
    """Whether a target has the form of survival times."""
    return isinstance(y, Survival) or bool(getattr(getattr(y, "dtype", None), "names", None))


def _fields(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """The times and the events of a structured array, whatever its fields are called."""
    names = getattr(getattr(y, "dtype", None), "names", None)
    if not names or np.ndim(y) != 1:
        raise TableError(f"a target of survival times must be {FORM}. Got a {type(y).__name__}")
    array = np.asarray(y)
    flags = [name for name in names if array[name].dtype.kind == "b"]
    numbers = [name for name in names if array[name].dtype.kind in "iuf"]
    if len(names) > 2 and len(flags) == 1 and len(numbers) > 1:
        raise TableError(
            f"survival times are right-censored only. Got the fields {listed(names)}: times of "
            "entry (left truncation) and intervals are not taken"
        )
    if len(flags) != 1 or len(numbers) != 1:
        raise TableError(f"a target of survival times must be {FORM}. Got fields {listed(names)}")
    return array[numbers[0]], array[flags[0]]


def _cells_of(name: str, given: Any) -> pd.Series:
    array = np.asarray(given)
    if array.ndim > 1 and array.shape[1:] != (1,):
        raise TableError(f"{name} must be one column. Got an array of shape {array.shape}")
    return pd.Series(array.ravel())


def _times(time: Any, n: int) -> np.ndarray:
    cells = _cells_of("time", time)
    if len(cells) != n:
        raise TableError(f"time must have {n} rows, as event. Got {len(cells)}")
    if missing := int(cells.isna().sum()):
        raise TableError(f"time is missing in {counted(missing, 'row')}: drop them")
    kind = cells.dtype.kind
    values = pd.to_numeric(cells.astype(object), errors="coerce").to_numpy(dtype=np.float64)
    wrong = ~(np.isfinite(values) & (values >= 0)) | (kind == "b")
    if wrong.any():
        raise TableError(
            f"time must be finite numbers, 0 or larger. Got {str(cells[wrong].iloc[0])!r:.60} in "
            f"{counted(int(wrong.sum()), 'row')}"
        )
    return values


def _events(event: Any, value: Any = None) -> np.ndarray:
    cells = _cells_of("event", event)
    if missing := int(cells.isna().sum()):
        raise TableError(f"event is missing in {counted(missing, 'row')}: drop them")
    if cells.dtype.kind == "b" and value is None:
        return cells.to_numpy()
    known = {cell: _as_text(cell) for cell in cells.unique().tolist()}
    texts = cells.map(known)
    given = sorted(set(known.values()))
    if value is not None:
        return _events_of_value(texts, given, _as_text(value))
    flags = {"0": False, "1": True, "False": False, "True": True}
    if not set(given) <= set(flags):
        raise TableError(
            f"event must be True and False, or 1 and 0. Got {listed(given)}", *_fix(given)
        )
    return texts.map(flags).to_numpy(dtype=bool)


def _fix(given: list[str]) -> list[Fix]:
    """Which of two values is the event is for the user to say; R's are known."""
    if len(given) != 2:
        return []
    if given == ["1", "2"]:
        return [Fix("event_value", 2, "if 2 is the event, as R's status has it")]
    return [Fix("event_value", None, "says which of the two is the event")]


def _events_of_value(texts: pd.Series, given: list[str], value: str) -> np.ndarray:
    """Whether each cell is the value of an event; a third value may be an event of another kind."""
    if value not in given:
        raise TableError(f"event_value must be a value of event: {listed(given)}. Got {value}")
    if len(given) > 2:
        raise TableError(
            f"event must have two values, one of them event_value. Got {listed(given)}: of "
            "competing events say for each row whether the one that is studied happened"
        )
    return (texts == value).to_numpy(dtype=bool)


def _as_text(cell: Any) -> str:
    """A value as text, of a number that is whole without a point: 1.0 is 1."""
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if whole else str(cell)
