"""What is predicted from a table: the classes of its rows, a number of each, or a time."""

from typing import Any, Literal, TypeVar, cast, get_args

import numpy as np

from hetsel.ground.errors import Fix, TableError
from hetsel.tables.table import Table
from hetsel.tables.targets.classes import Classes
from hetsel.tables.targets.numbers import Numbers
from hetsel.tables.targets.survival import Survival, is_survival
from hetsel.tables.validation import MeasuredTarget, is_measured, target_cells

Kind = Literal["classes", "numbers", "survival"]
Target = Classes | Numbers | Survival
AnyTarget = TypeVar("AnyTarget", bound=Target)


def read_target(
    y: Any,
    n: int | None = None,
    kind: Kind | None = None,
    *,
    fractions: bool = True,
    fewest: int = 2,
) -> Target:
    """The target that an array-like y (n,) holds; `fewest` are the rows of a class.

    Without a kind fractions are numbers, as to scikit-learn (but refused without `fractions`), a
    structured array is survival times, as to scikit-survival, and all else is classes; many
    different whole numbers are refused, as whether they measure or label is not guessed. With
    kind="classes" any numbers are labels.
    """
    if kind is not None and kind not in get_args(Kind):
        raise TableError(f"target_kind must be one of {', '.join(get_args(Kind))}. Got {kind!r}")
    if kind == "survival" or is_survival(y):
        found = Survival.of(y, n)
        if kind in ("classes", "numbers"):
            raise TableError(f"target_kind is {kind!r}, and the target holds {found.in_words()}")
        return found
    if isinstance(y, Numbers) and kind == "classes":
        y = y.values
    if isinstance(y, Classes) and kind == "numbers":
        y = y.labels[y.codes]
    if isinstance(y, Classes):
        return Classes.of(y, n, fewest=fewest)
    rows = len(y) if n is None and y is not None else n or 0
    if kind == "numbers" or isinstance(y, Numbers):
        return Numbers.of(y, rows)
    if kind is None and fractions:
        y = target_cells(y, rows)
        if is_measured(y):
            return Numbers.of(y, rows)
    try:
        return Classes.of(y, rows, fewest=fewest, any_number=kind == "classes")
    except MeasuredTarget as reason:
        numbers = Fix("target_kind", "numbers", "takes it as it is, for methods that take numbers")
        labels = Fix("target_kind", "classes", "if the numbers are labels")
        raise TableError(reason.sentence, numbers, labels) from None


def weighed_rows(
    table: Table, target: AnyTarget, weights: np.ndarray
) -> tuple[np.ndarray, Table, AnyTarget, np.ndarray]:
    """The rows whose weight is above 0: their places, their table, target and weights."""
    rows = np.flatnonzero(weights > 0)
    if len(rows) < len(weights):
        table, weights = table.take(rows=rows), weights[rows]
        target = cast(AnyTarget, target.take(rows))
    if not target.varies:
        what = target.told_nothing if len(rows) else "no row: all are zero"
        raise TableError(f"the weights leave {what}")
    return rows, table, target, weights


def positive_label(y: Any) -> str | None:
    """The label of y that is positive by default, as text; None where there are not two classes."""
    try:
        label = Classes.of(y, fewest=1).with_positive().positive
    except TableError:
        return None
    return None if label is None else str(label)
