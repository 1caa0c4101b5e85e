"""What is predicted from a table: the classes of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hetsel.tables.table import read_only
from hetsel.tables.validation import encode_target


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
            y = y.labels[y.codes]
        labels, codes = encode_target(y, len(y) if n is None else n, fewest=fewest)
        return cls(codes, labels)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def counts(self) -> np.ndarray:
        """Rows (c,) of each class."""
        return np.bincount(self.codes, minlength=len(self.labels))

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


Target = Classes  # numbers and survival times may come: nothing but scores may assume classes
