"""What is predicted from a table: the classes of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed
from hetsel.tables.table import Table, read_only
from hetsel.tables.validation import encode_target

# (negative, positive) in the words of many tables
AFFIRMATIVE = {
    ("no", "yes"),
    ("n", "y"),
    ("false", "true"),
    ("f", "t"),
    ("0", "1"),
    ("-1", "1"),
    ("negative", "positive"),
    ("neg", "pos"),
    ("-", "+"),
    ("absent", "present"),
    ("control", "case"),
}


@dataclass(frozen=True, eq=False)
class Classes:
    """Class labels of the rows.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        Class of each row, 0..c-1; read-only.
    labels : ndarray of shape (c,)
        Labels of the classes.

    Examples
    --------
    >>> target = Classes.of(["no", "yes", "yes"], fewest=1)
    >>> target.codes, target.labels
    (array([0, 1, 1]), array(['no', 'yes'], dtype='<U3'))
    """

    codes: np.ndarray
    labels: np.ndarray
    kind: ClassVar[str] = "classes"

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", read_only(self.codes))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    @classmethod
    def of(cls, y: Any, n: int | None = None, *, fewest: int = 2) -> Classes:
        """From an array-like y (n,), or a target as it is.

        Raises
        ------
        TableError
            Not n rows, missing labels, one class only, a class of fewer than `fewest` rows.
        """
        if isinstance(y, Classes):
            given, y = y, y.labels[y.codes]
            if len(np.unique(given.codes)) == len(given.labels):
                encode_target(y, len(y) if n is None else n, fewest=fewest)
                return given  # in its own order
        labels, codes = encode_target(y, len(y) if n is None else n, fewest=fewest)
        return cls(codes, labels)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def counts(self) -> np.ndarray:
        """Rows (c,) of each class."""
        return np.bincount(self.codes, minlength=len(self.labels))

    @property
    def positive(self) -> Any:
        """Label of the positive one of two classes, None of more.

        The last class, where none is named: that of the affirmative word (yes, true, 1, positive,
        present, case), else the last of the declared order or of the sorted labels.
        """
        return self.labels[-1] if len(self.labels) == 2 else None

    def with_positive(self, label: Any = None) -> Classes:
        """The two classes in the order that has the positive one last; None takes the default.

        Raises
        ------
        TableError
            No label of the target; more than two classes.

        Examples
        --------
        >>> Classes.of(["yes", "no", "no", "yes"]).with_positive("no").labels
        array(['yes', 'no'], dtype='<U3')
        """
        texts = [str(one) for one in self.labels.tolist()]
        if label is None:
            words = [text.strip().lower() for text in texts]
            turned = len(words) == 2 and (words[1], words[0]) in AFFIRMATIVE
            return self.in_order(np.array([1, 0])) if turned else self
        if len(texts) != 2:
            raise TableError(f"positive is for two classes. Got {len(texts)}: {listed(texts)}")
        if str(label) not in texts:
            raise TableError(f"positive must be one of {listed(texts)}. Got {label!r}")
        place = texts.index(str(label))
        return self.in_order(np.array([1 - place, place]))

    def in_order(self, order: np.ndarray) -> Classes:
        """The same classes, numbered in this order (c,) of their present codes."""
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        return Classes(number[self.codes], self.labels[order])

    def places_of(self, part: Classes) -> np.ndarray:
        """Which of these classes each class of a part of the rows is, whatever its number there."""
        places = {label: place for place, label in enumerate(self.labels.tolist())}
        return np.array([places[label] for label in part.labels.tolist()])

    def take(self, rows: np.ndarray) -> Classes:
        """The target of these rows, with the classes that they have."""
        present, codes = np.unique(self.codes[rows], return_inverse=True)
        return Classes(codes, self.labels[present])


def weighed_rows(
    table: Table, target: Classes, weights: np.ndarray
) -> tuple[np.ndarray, Table, Classes, np.ndarray]:
    """The rows whose weight is above 0: their places, their table, target and weights.

    Raises
    ------
    TableError
        Rows of fewer than two classes.
    """
    rows = np.flatnonzero(weights > 0)
    if len(rows) < len(weights):
        table, target, weights = table.take(rows=rows), target.take(rows), weights[rows]
    if len(target.labels) < 2:
        what = "rows of one class only" if len(rows) else "no row: all are zero"
        raise TableError(f"the weights leave {what}")
    return rows, table, target, weights


def positive_label(y: Any) -> str | None:
    """The label of y that is positive by default, as text; None where there are not two classes."""
    try:
        label = Classes.of(y, fewest=1).with_positive().positive
    except TableError:
        return None
    return None if label is None else str(label)


Target = Classes  # numbers and survival times may come: nothing but scores may assume classes
