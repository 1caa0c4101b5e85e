"""Class labels as a target."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed, shown
from hetsel.tables.content import by_content, places_in
from hetsel.tables.table import ReadOnlyArrays, Table
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
class Classes(ReadOnlyArrays):
    """Class labels of the rows.

    >>> target = Classes.of(["no", "yes", "yes"], fewest=1)
    >>> target.codes, target.labels
    (array([0, 1, 1]), array(['no', 'yes'], dtype='<U3'))
    """

    codes: np.ndarray  # (n,), class of each row, 0..c-1; read-only
    labels: np.ndarray  # (c,)
    kind: ClassVar[Literal["classes"]] = "classes"
    told_nothing: ClassVar[str] = "rows of one class only"  # of those that do not vary

    @classmethod
    def of(
        cls, y: Any, n: int | None = None, *, fewest: int = 2, any_number: bool = False
    ) -> "Classes":
        """From an array-like y (n,), or a target as it is. See
        :func:`hetsel.tables.validation.encode_target` for `fewest` and `any_number`."""
        rows = len(y) if n is None else n
        if isinstance(y, Classes):
            given, y = y, y.labels[y.codes]
            any_number = True
            if len(np.unique(given.codes)) == len(given.labels):
                encode_target(y, rows, fewest=fewest, any_number=True)
                return given  # in its own order
        labels, codes = encode_target(y, rows, fewest=fewest, any_number=any_number)
        return cls(codes, labels)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def counts(self) -> np.ndarray:
        """Rows (c,) of each class."""
        return np.bincount(self.codes, minlength=len(self.labels))

    @property
    def positive(self) -> Any:
        """Label of the positive one of two classes, None of more: the last class.

        Where none is named, that of the affirmative word of a known pair (yes, true, 1, positive,
        present, case); else the last category in the order that a categorical of pandas, a polars
        Enum, an ordered dictionary of Arrow, a factor of R or a file with levels declares; else the
        last of the sorted labels, also of a polars Categorical and of an unordered dictionary of
        Arrow.
        """
        return self.labels[-1] if len(self.labels) == 2 else None

    @property
    def affirmed(self) -> bool:
        """Whether the words of two classes say which is the positive one."""
        negative, positive = (str(one).strip().lower() for one in self.with_positive().labels)
        return (negative, positive) in AFFIRMATIVE

    def with_positive(self, label: Any = None) -> "Classes":
        """The two classes in the order that has the positive one last; None takes the default."""
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

    def by_label(self) -> "Classes":
        """The classes numbered in the order of their labels, as scikit-learn does."""
        return self.in_order(np.argsort(self.labels, kind="stable"))

    def in_order(self, order: np.ndarray) -> "Classes":
        """The same classes, numbered in this order (c,) of their present codes."""
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        return Classes(number[self.codes], self.labels[order])

    def places_of(self, part: "Classes") -> np.ndarray:
        """Which of these classes each class of a part of the rows is, whatever its number there."""
        return places_in(self.labels, part.labels)

    def take(self, rows: np.ndarray) -> "Classes":
        """The target of these rows, with the classes that they have."""
        present, codes = np.unique(self.codes[rows], return_inverse=True)
        return Classes(codes, self.labels[present])

    def arranged(self, rows: np.ndarray) -> "Classes":
        """The target with its rows in another order, all classes kept."""
        return self.of_content(self.codes[rows])

    canonical = arranged

    def of_content(self, content: np.ndarray) -> "Classes":
        """The target of these codes (n,)."""
        return Classes(content, self.labels)

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """What tells it from another one: arrays (n,)."""
        return (self.codes,)

    @property
    def stratum_names(self) -> list[str]:
        """What a sentence on a stratum begins with."""
        return [f"Class {shown(label)}" for label in self.labels.tolist()]

    def by_content(self, table: Table) -> "Classes":
        """The classes numbered by the rows of a table, whatever they are called."""
        return self.in_order(by_content(self.codes, table, len(self.labels)))

    @property
    def strata(self) -> np.ndarray:
        """Stratum (n,) of each row, whose share splits keep: its class."""
        return self.codes

    @property
    def split_classes(self) -> np.ndarray:
        """Class (n,) of each row, whose share the splits of a study keep."""
        return self.codes

    def facts(self) -> dict[str, Any]:
        """What a store keeps of it: labels as text, and rows, of the classes."""
        return {
            "classes": [str(label) for label in self.labels],
            "class_counts": self.counts.tolist(),
        }

    @property
    def content(self) -> np.ndarray:
        """A whole number (n,) for each row, equal where the target is: its class."""
        return self.codes

    @property
    def varies(self) -> bool:
        """Whether there is anything to tell: two classes."""
        return len(self.labels) > 1

    def in_words(self) -> str:
        """What an error calls these targets."""
        return f"classes: {listed(self.labels.tolist())}"
