"""Targets: classes, numbers or survival times of the rows."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar, cast, get_args

import numpy as np
import pandas as pd

from hetsel.ground import Fix, TableError, listed, shown
from hetsel.ground.equal_numbers import FINE_GRID, unit_scale
from hetsel.tables import validation
from hetsel.tables.content import by_content, places_in
from hetsel.tables.survival_times import Survival, is_survival
from hetsel.tables.table import ReadOnlyArrays, Table

MOST_BINS, BIN_ROWS = 10, 5  # most strata of numbers, fewest rows of one


@dataclass(frozen=True, eq=False)
class Numbers(ReadOnlyArrays):
    """A numeric target: one measured number for each row."""

    values: np.ndarray  # (n,), finite; read-only
    name: str = ""  # of their column
    kind: ClassVar[Literal["numbers"]] = "numbers"
    told_nothing: ClassVar[str] = "rows of one value only"  # a constant target in an error

    @classmethod
    def of(cls, y: Any, n: int | None = None) -> "Numbers":
        """Read an array-like y (n,); return Numbers as they are."""
        given = y if isinstance(y, Numbers) else None
        y = y.values if isinstance(y, Numbers) else y
        values = validation.measured_values(y, len(y) if n is None and y is not None else n or 0)
        if given is not None:
            return given
        name = y.name if isinstance(y, pd.Series) and y.name is not None else ""
        return cls(values, str(name))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def distinct(self) -> int:
        """Number of distinct values."""
        return len(np.unique(self.values))

    def take(self, rows: np.ndarray) -> "Numbers":
        """Return the target of these rows."""
        return Numbers(self.values[rows], self.name)

    arranged = take

    def of_content(self, content: np.ndarray) -> "Numbers":
        """Return the target of these dense ranks (n,) of its values."""
        return Numbers(np.unique(self.values)[content], self.name)

    def canonical(self, rows: np.ndarray) -> "Numbers":
        """Return the target in a canonical order of rows, scaled to [0, 1] on a grid of 2^-24.

        So its unit does not matter.
        """
        scaled = unit_scale(self.values[:, None])[:, 0]
        return Numbers(np.rint(scaled[rows] * FINE_GRID) / FINE_GRID, self.name)

    def standardized(self, rows: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
        """Return the standardized values (n,) in this order of rows, on a grid of 2^-24.

        `weights` (n,) are the row weights. Sums are rounded once, so that neither the order of the
        rows nor the unit matters.
        """
        mean, deviation = self._unit_moments(weights)
        away = (unit_scale(self.values[:, None])[:, 0] - mean) / deviation
        return np.asarray(np.rint(away[rows] * FINE_GRID) / FINE_GRID)

    def moments(self, weights: np.ndarray | None = None) -> tuple[float, float]:
        """Return mean and standard deviation, with row weights (n,)."""
        low, span = float(self.values.min()), float(np.ptp(self.values))
        mean, deviation = self._unit_moments(weights)
        return low + span * mean, span * deviation

    def _unit_moments(self, weights: np.ndarray | None) -> tuple[float, float]:
        """Return mean and standard deviation on the scale of [0, 1]."""
        own = np.ones(len(self)) if weights is None else weights
        scaled, total = unit_scale(self.values[:, None])[:, 0], math.fsum(own)
        mean = math.fsum(own * scaled) / total
        away = scaled - mean
        return mean, math.sqrt(math.fsum(own * away * away) / total)

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """Arrays (n,) that identify the target."""
        return (self.values,)

    def by_content(self, table: Table) -> "Numbers":
        """Return itself: numbers have no names."""
        return self

    @property
    def strata(self) -> np.ndarray:
        """Stratum (n,) of each row for stratified splits: a tenth of the rows by their value.

        With fewer than 50 rows a stratum has five rows. Rows of one value are in one stratum, and a
        stratum has at least five rows.
        """
        bins = int(np.clip(len(self) // BIN_ROWS, 1, MOST_BINS))
        first = np.searchsorted(np.sort(self.values), self.values)
        raw = first * bins // len(self)
        counts = np.bincount(raw, minlength=bins)
        full, held = np.zeros(bins, dtype=np.int64), 0
        for k in range(bins - 1):  # a bin with too few rows is merged with the next one
            held += counts[k]
            full[k + 1 :] += held >= BIN_ROWS
            held = 0 if held >= BIN_ROWS else held
        if held + counts[-1] < BIN_ROWS:
            full = np.minimum(full, max(int(full[-1]) - 1, 0))
        return np.asarray(full[raw])

    @property
    def stratum_names(self) -> list[str]:
        """How an error names each stratum."""
        strata = self.strata
        parts = [self.values[strata == k] for k in range(int(strata.max()) + 1)]
        return [f"The stratum from {part.min():.6g} to {part.max():.6g}" for part in parts]

    @property
    def split_classes(self) -> np.ndarray:
        """Class (n,) of each row for the splits of a study: one for all rows.

        So these splits are not stratified.
        """
        return np.zeros(len(self), dtype=np.int64)

    def facts(self) -> dict[str, Any]:
        """Return the facts that a store keeps: smallest, largest, mean, standard deviation."""
        found = (self.values.min(), self.values.max(), self.values.mean(), self.values.std(ddof=1))
        names = ("least", "largest", "mean", "deviation")
        told = dict(zip(names, map(float, found), strict=True))
        return {"classes": [], "class_counts": [], **told}

    @property
    def content(self) -> np.ndarray:
        """The dense rank (n,) of each row, equal for equal targets."""
        return np.unique(self.values, return_inverse=True)[1].astype(np.int64)

    @property
    def varies(self) -> bool:
        """Whether there are at least two values."""
        return self.distinct > 1

    def in_words(self) -> str:
        """Describe the target for an error."""
        where = f" in {shown(self.name)!r}" if self.name else ""
        return f"numbers: {self.distinct} different values{where}"


# (negative, positive), as many tables write them
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
    """Class labels of the rows."""

    codes: np.ndarray  # (n,), class of each row, 0..c-1; read-only
    labels: np.ndarray  # (c,)
    kind: ClassVar[Literal["classes"]] = "classes"
    told_nothing: ClassVar[str] = "rows of one class only"  # a constant target in an error

    @classmethod
    def of(
        cls, y: Any, n: int | None = None, *, fewest: int = 2, any_number: bool = False
    ) -> "Classes":
        """Read an array-like y (n,); return Classes as they are.

        See :func:`hetsel.tables.validation.encode_target` for `fewest` and `any_number`.
        """
        rows = len(y) if n is None else n
        if isinstance(y, Classes):
            given, y = y, y.labels[y.codes]
            any_number = True
            if len(np.unique(given.codes)) == len(given.labels):
                validation.encode_target(y, rows, fewest=fewest, any_number=True)
                return given  # keeps the order of its classes
        labels, codes = validation.encode_target(y, rows, fewest=fewest, any_number=any_number)
        return cls(codes, labels)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def counts(self) -> np.ndarray:
        """Number of rows (c,) of each class."""
        return np.bincount(self.codes, minlength=len(self.labels))

    @property
    def positive(self) -> Any:
        """Label of the positive class of two, which is the last; None for more classes.

        By default it is the affirmative word of a known pair (yes, true, 1, positive, present,
        case). Otherwise it is the last declared category of a pandas categorical, a polars Enum, an
        ordered Arrow dictionary, an R factor or a file with levels. Otherwise it is the last of the
        sorted labels; this includes a polars Categorical and an unordered Arrow dictionary.
        """
        return self.labels[-1] if len(self.labels) == 2 else None

    @property
    def affirmed(self) -> bool:
        """Whether the labels of two classes show which one is positive."""
        negative, positive = (str(one).strip().lower() for one in self.with_positive().labels)
        return (negative, positive) in AFFIRMATIVE

    def with_positive(self, label: Any = None) -> "Classes":
        """Return the two classes with the positive one last; None uses the default."""
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
        """Return the classes in the order of their labels, as scikit-learn does."""
        return self.in_order(np.argsort(self.labels, kind="stable"))

    def in_order(self, order: np.ndarray) -> "Classes":
        """Return the classes numbered in this order (c,) of their codes."""
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        return Classes(number[self.codes], self.labels[order])

    def places_of(self, part: "Classes") -> np.ndarray:
        """Return the place here of each class of a part of the rows."""
        return places_in(self.labels, part.labels)

    def take(self, rows: np.ndarray) -> "Classes":
        """Return the target of these rows, with the classes that occur."""
        present, codes = np.unique(self.codes[rows], return_inverse=True)
        return Classes(codes, self.labels[present])

    def arranged(self, rows: np.ndarray) -> "Classes":
        """Return the target with its rows in another order; all classes stay."""
        return self.of_content(self.codes[rows])

    canonical = arranged

    def of_content(self, content: np.ndarray) -> "Classes":
        """Return the target of these codes (n,)."""
        return Classes(content, self.labels)

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """Arrays (n,) that identify the target."""
        return (self.codes,)

    @property
    def stratum_names(self) -> list[str]:
        """How an error names each stratum."""
        return [f"Class {shown(label)}" for label in self.labels.tolist()]

    def by_content(self, table: Table) -> "Classes":
        """Return the classes numbered by the rows of a table, whatever their labels."""
        return self.in_order(by_content(self.codes, table, len(self.labels)))

    @property
    def content(self) -> np.ndarray:
        """The class (n,) of each row, which is also its stratum."""
        return self.codes

    strata = split_classes = content

    def facts(self) -> dict[str, Any]:
        """Return the facts that a store keeps: labels as text, and rows, of the classes."""
        return {
            "classes": [str(label) for label in self.labels],
            "class_counts": self.counts.tolist(),
        }

    @property
    def varies(self) -> bool:
        """Whether there are at least two classes."""
        return len(self.labels) > 1

    def in_words(self) -> str:
        """Describe the target for an error."""
        return f"classes: {listed(self.labels.tolist())}"


TargetKind = Literal["classes", "numbers", "survival"]
TypedTarget = Classes | Numbers | Survival
AnyTarget = TypeVar("AnyTarget", bound=TypedTarget)


def read_target(
    y: Any,
    n: int | None = None,
    kind: TargetKind | None = None,
    *,
    fractions: bool = True,
    fewest: int = 2,
) -> TypedTarget:
    """Read the target that an array-like y (n,) holds; a class must have at least `fewest` rows.

    Without a kind, fractions are numbers, as in scikit-learn (or refused without `fractions`), a
    structured array holds survival times, as in scikit-survival, and everything else holds classes.
    Many distinct whole numbers are refused: they may be measurements or labels. With kind="classes"
    all numbers are labels.
    """
    if kind is not None and kind not in get_args(TargetKind):
        raise TableError(
            f"target_kind must be one of {', '.join(get_args(TargetKind))}. Got {kind!r}"
        )
    if kind == "survival" or is_survival(y):
        found = Survival.of(y, n)
        if kind in ("classes", "numbers"):
            raise TableError(
                f"target_kind must be 'survival' for this target, which holds {found.in_words()}. "
                f"Got {kind!r}"
            )
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
        y = validation.target_cells(y, rows)
        if validation.is_measured(y):
            return Numbers.of(y, rows)
    try:
        return Classes.of(y, rows, fewest=fewest, any_number=kind == "classes")
    except validation.MeasuredTarget as reason:
        numbers = Fix("target_kind", "numbers", "if they are measurements")
        labels = Fix("target_kind", "classes", "if they are labels")
        raise TableError(reason.sentence, numbers, labels) from None


def weighed_rows(
    table: Table, target: AnyTarget, weights: np.ndarray
) -> tuple[np.ndarray, Table, AnyTarget, np.ndarray]:
    """Return the rows with a weight above 0: their places, table, target and weights."""
    rows = np.flatnonzero(weights > 0)
    if len(rows) < len(weights):
        table, weights = table.take(rows=rows), weights[rows]
        target = cast(AnyTarget, target.take(rows))
    if not target.varies:
        what = target.told_nothing if len(rows) else "no rows: all weights are zero"
        raise TableError(f"the weights leave {what}")
    return rows, table, target, weights


def positive_label(y: Any) -> str | None:
    """Return the default positive label of y as text; None unless there are two classes."""
    try:
        label = Classes.of(y, fewest=1).with_positive().positive
    except TableError:
        return None
    return None if label is None else str(label)
