"""Read the target that the options of a command name, and describe it."""

import argparse
import shlex
from typing import Any

import pandas as pd

from hetsel.ground import Fix, TableError, counted, shown
from hetsel.shell import printed_cautions, printing
from hetsel.tables import Note, Numbers, Survival, TypedTarget, find_column, read_target, survival
from hetsel.tables.target import positive_label
from hetsel.tables.validation import MANY_CLASSES, is_measured, labels_of_file, target_cells

MARTINGALE = "martingale"


def residuals_asked(options: argparse.Namespace) -> str | None:
    """Return the kind of target for which a selector takes martingale residuals."""
    return MARTINGALE if options.target_kind == MARTINGALE else None


def target_columns(
    options: argparse.Namespace, names: list[str], default: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the columns of the target: none, --target, or --time and --event.

    Raises
    ------
    TableError
        No column has that name, or options contradict or lack each other.
    """
    target, time, event = (getattr(options, name, None) for name in ("target", "time", "event"))
    if target is not None and (time is not None or event is not None):
        raise TableError("a table has one target: use either --target, or --time and --event")
    if getattr(options, "event_value", None) is not None and event is None:
        raise TableError("--event-value needs --event, the column with this value")
    if (time is None) != (event is None):
        given, lacks = ("--time", "--event") if event is None else ("--event", "--time")
        what = "that marks events" if event is None else "with the time to the event or censoring"
        raise TableError(f"{given} needs {lacks}, the column {what}")
    own = default if target is None else (target,)
    kind, of_times = getattr(options, "target_kind", None), time is not None or len(own) == 2
    if kind is not None and of_times != (kind in ("survival", MARTINGALE)):
        raise TableError(
            "--as must be classes or numbers with --target, and survival or martingale with --time "
            f"and --event. Got {kind}"
        )
    if time is None or event is None:
        return tuple(find_column(names, name, option="--target") for name in own)
    found = (find_column(names, time, "--time"), find_column(names, event, "--event"))
    if found[0] == found[1]:
        raise TableError(f"--time and --event must name different columns. Got {found[0]!r} twice")
    return found


def target_of_options(
    cells: pd.DataFrame, options: argparse.Namespace, *, known: bool = False
) -> Any:
    """Read the target from its columns: Survival, Numbers, or the values for the command to check.

    Parameters
    ----------
    cells : DataFrame of n rows
        Column of the target, or columns of times and events.
    options : Namespace
    known : bool
        Whether the kind of the target is certain.

    Raises
    ------
    TableError
        The target is of another kind than the options state.
    """
    if cells.shape[1] == 2:
        target: TypedTarget = _survival(cells, options.event_value)
    else:
        y, kind = labels_of_file(cells.iloc[:, 0]), options.target_kind
        if kind == "classes":
            read_target(y, len(y), kind, fewest=0 if known else 2)
            if is_measured(target_cells(y, len(y))) or y.nunique() > MANY_CLASSES:
                y = y.astype("category").cat.rename_categories(str)  # as text they are labels
        if kind == "classes" or (kind is None and not is_measured(target_cells(y, len(y)))):
            if kind is None and not known:
                _say_if_ambiguous(y, options)
            return y
        target = Numbers.of(y, len(y))
    return target


def _survival(cells: pd.DataFrame, event_value: str | None) -> Survival:
    """Read survival times from the columns of times and events."""
    time, event = cells.columns
    try:
        found = survival(cells[time], cells[event], event_value=event_value)
        return Survival.of(found, len(cells), name=time)
    except TableError as reason:
        where = f"--time {shlex.quote(time)} --event {shlex.quote(event)}"
        raise TableError(f"{where}: {reason.sentence}", *reason.fixes) from None


def _say_if_ambiguous(y: pd.Series, options: argparse.Namespace) -> None:
    """Print a note on few different whole numbers, which may be labels or measurements."""
    distinct = y.nunique()
    if y.dtype.kind not in "iuf" or not 2 < distinct <= MANY_CLASSES:
        return
    what = f"{distinct} different whole numbers and is read as classes"
    fixes = (
        Fix("target_kind", "numbers", "if they are measurements"),
        Fix("target_kind", "classes", "if they are labels"),
    )
    said = Note((f"the target {shown(y.name)} has {what}",), fixes)
    printed_cautions.say(options, "target", said, [str(y.name)])


def target_facts(y: Any) -> dict[str, Any]:
    """Return the facts of a target for the output."""
    if isinstance(y, Survival):
        found = y.facts()
        times = {name: found[name] for name in ("events", "longest", "median_time")}
        return {"target_kind": y.kind, **times}
    if isinstance(y, Numbers):
        lowest, highest = float(y.values.min()), float(y.values.max())
        ends = {"values": y.distinct, "lowest": lowest, "highest": highest}
        return {"target_kind": y.kind, **ends}
    counts = y.astype(str).value_counts().sort_index()
    classes = {str(label): int(count) for label, count in counts.items()}
    return {"classes": classes, "positive": positive_label(y)}


def target_line(facts: dict[str, Any]) -> str:
    """Describe a target: classes and their rows, numbers and their range, or events.

    Examples
    --------
    >>> target_line({"target_kind": "numbers", "values": 214, "lowest": 25.0, "highest": 346.0})
    'numbers, 214 values from 25 to 346'
    >>> target_line({"target_kind": "survival", "events": 89, "longest": 2659.0})
    'survival times up to 2659, 89 rows with an event'
    """
    if facts.get("target_kind") == "numbers":
        low, high = (f"{facts[end]:.6g}" for end in ("lowest", "highest"))
        return f"numbers, {facts['values']} values from {low} to {high}"
    if facts.get("target_kind") == "survival":
        rows = counted(facts["events"], "row")
        residuals = ", as martingale residuals" if "residuals" in facts else ""
        return f"survival times up to {facts['longest']:.6g}, {rows} with an event{residuals}"
    return printing.class_line(facts["classes"], positive=facts["positive"])
