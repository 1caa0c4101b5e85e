"""Survival times as a target: the time of the event of each row, or of its censoring."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from hetsel.ground import Fix, TableError, counted, listed, shown
from hetsel.tables.row_labels import refuse_other_rows
from hetsel.tables.table import ReadOnlyArrays, Table

FORM = (
    "a structured array with one logical field, the event, and one numeric field, the time. "
    "Use hetsel.survival(time, event) to make one"
)


def survival(time: Any, event: Any, *, event_value: Any = None) -> np.ndarray:
    """Make a target of right-censored survival times.

    The result is the structured array that scikit-survival uses, too. Every method with
    `target_kind="survival"` accepts it as y.

    Parameters
    ----------
    time : array-like of shape (n,)
        Time of the event or, for a censored row, of the end of follow-up; at least 0, in any unit.
    event : array-like of shape (n,)
        Whether the event was observed: True and False, or 1 and 0. Other rows are right-censored.
    event_value : object, optional
        The value of `event` that means an event, if `event` has two other values. An example is 2
        where R codes the status as 1 and 2.

    Returns
    -------
    structured ndarray of shape (n,)
        With the fields event and time.

    Raises
    ------
    TableError
        Different lengths, missing values, times that are negative or not numeric, or other values
        of `event`.

    See Also
    --------
    hetsel.Signature : Select features and fit a model for such a target.
    hetsel.cautions : Check the features for leaks of the outcome.

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
    """Right-censored survival times of the rows."""

    times: np.ndarray  # (n,), at least 0, finite; read-only
    events: np.ndarray  # (n,), whether the event was observed at this time; read-only
    name: str = ""  # of the column of times
    kind: ClassVar[Literal["survival"]] = "survival"
    # what a target without comparable pairs holds, in an error
    told_nothing: ClassVar[str] = "no event that is followed by a longer time of another row"

    @classmethod
    def of(cls, y: Any, n: int | None = None, name: str = "") -> "Survival":
        """Read a structured array y (n,); return a Survival as it is."""
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
                f"survival times must have at least one event. Got {counted(rows, 'row')}, all "
                "censored"
            )
        if not found.varies:
            raise TableError(
                "survival times must have at least one comparable pair of rows: an event and a "
                "longer time of another row. Got none"
            )
        return given if given is not None else found

    def __len__(self) -> int:
        return len(self.times)

    @property
    def signed(self) -> np.ndarray:
        """Times (n,) of events, and negative times of censored rows; -0.0 for 0 among these."""
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
        """Return the target of whole numbers (n,) as `content` defines them."""
        times = np.unique(self.times)[content // 2]
        return Survival(times, content % 2 == 0, self.name)

    def canonical(self, rows: np.ndarray) -> "Survival":
        """Return the target in a canonical order of rows, with dense ranks in place of times.

        So no increasing function of the times, such as a change of units, matters.
        """
        ranks = np.unique(self.times, return_inverse=True)[1].astype(np.float64)
        return Survival(ranks[rows], self.events[rows], self.name)

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """Arrays (n,) that identify the target."""
        return (self.signed,)

    def by_content(self, table: Table) -> "Survival":
        """Return itself: times have no names."""
        return self

    @property
    def strata(self) -> np.ndarray:
        """Stratum (n,) of each row for stratified splits: censored or event."""
        return np.unique(self.events, return_inverse=True)[1].astype(np.int64)

    split_classes = strata

    @property
    def stratum_names(self) -> list[str]:
        """How an error names each stratum."""
        names = {False: "The stratum without an event", True: "The stratum with an event"}
        return [names[bool(event)] for event in np.unique(self.events)]

    def facts(self) -> dict[str, Any]:
        """Return the facts that a store keeps: events, largest and median time."""
        names = ("events", "longest", "median_time")
        found = (int(self.events.sum()), float(self.times.max()), float(np.median(self.times)))
        return {"classes": [], "class_counts": [], **dict(zip(names, found, strict=True))}

    @property
    def content(self) -> np.ndarray:
        """A whole number (n,) for each row, equal for equal targets.

        It is twice the dense rank of the time, plus 1 for a censored row: at equal times events
        come first.
        """
        ranks = np.unique(self.times, return_inverse=True)[1].astype(np.int64)
        return 2 * ranks + ~self.events

    @property
    def varies(self) -> bool:
        """Whether some event is followed by a longer time of another row."""
        if not self.events.any():
            return False
        return bool(self.content.max() > self.content[self.events].min())

    def in_words(self) -> str:
        """Describe the target for an error."""
        where = f" in {shown(self.name)!r}" if self.name else ""
        events = int(self.events.sum())
        return f"survival times{where}: {counted(len(self), 'row')}, {events} with an event"


def is_survival(y: Any) -> bool:
    """Check whether a target has the form of survival times."""
    return isinstance(y, Survival) or bool(getattr(getattr(y, "dtype", None), "names", None))


def _fields(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the times and events of a structured array, whatever its field names."""
    names = getattr(getattr(y, "dtype", None), "names", None)
    if not names or np.ndim(y) != 1:
        raise TableError(f"a survival target must be {FORM}. Got a {type(y).__name__}")
    array = np.asarray(y)
    flags = [name for name in names if array[name].dtype.kind == "b"]
    numbers = [name for name in names if array[name].dtype.kind in "iuf"]
    if len(names) > 2 and len(flags) == 1 and len(numbers) > 1:
        raise TableError(
            f"survival times must be right-censored. Got the fields {listed(names)}. hetsel does "
            "not support entry times (left truncation) or interval censoring"
        )
    if len(flags) != 1 or len(numbers) != 1:
        raise TableError(f"a survival target must be {FORM}. Got the fields {listed(names)}")
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
        raise TableError(f"time is missing in {counted(missing, 'row')}. Drop such rows")
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
        raise TableError(f"event is missing in {counted(missing, 'row')}. Drop such rows")
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
    """Advise to name the event of two values; R codes it as 2."""
    if len(given) != 2:
        return []
    if given == ["1", "2"]:
        return [Fix("event_value", 2, "if 2 means an event, as in R")]
    return [Fix("event_value", None, "to name the value that means an event")]


def _events_of_value(texts: pd.Series, given: list[str], value: str) -> np.ndarray:
    """Compare each value with the value of an event; a third value may be a competing event."""
    if value not in given:
        raise TableError(f"event_value must be a value of event: {listed(given)}. Got {value}")
    if len(given) > 2:
        raise TableError(
            f"event must have two values, one of them event_value. Got {listed(given)}. With "
            "competing events, code for each row whether the event of interest happened"
        )
    return (texts == value).to_numpy(dtype=bool)


def _as_text(cell: Any) -> str:
    """Write a value as text, a whole number without a decimal point: 1.0 is 1."""
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if whole else str(cell)
