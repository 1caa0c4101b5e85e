"""One entry of a plan each: a data set, a method, a final classifier, the resamplings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from hetsel import datasets
from hetsel.datasets.dataset import Dataset
from hetsel.ground.errors import PlanError
from hetsel.models.final_classifiers import classify
from hetsel.models.train_test_arrays import Split
from hetsel.study.plan import entry_reading as check
from hetsel.study.plan.entry_reading import plain, read, read_entry
from hetsel.study.plan.entry_shapes import (
    CLASSIFIERS,
    ClassifierEntry,
    DataEntry,
    ResamplingsEntry,
    SplitEntry,
    Text,
)

BY_ROW = ("row_groups", "row_weights", "order")  # columns that may be arrays
READING = (
    "missing_marks",
    "separator",
    "encoding",
    "decimal",
    "thousands",
    "header",
    "skip",
    "sheet",
)


COUNTS = ("train_count", "test_count", "train_per_class")


class Resamplings(ResamplingsEntry, frozen=True, kw_only=True):
    """How many splits into training and test rows, how large and of which kind.

    Parameters
    ----------
    count : int
    test_share : float
        Share of the rows that are test rows, 0.1 where nothing is said.
    test_count, train_count : int
        Numbers of test rows and of training rows. Of one of them the other part is the rest; with
        both the rows that are left take no part.
    train_per_class : int
        Number of training rows of each class.
    kind : {"stratified", "random", "k-fold", "time-ordered"}
        See :func:`hetsel.study.rows.resampled_rows.train_and_test`.
    folds : int
        Of kind "k-fold", 10 where nothing is said; `count` is a multiple of it.
    """

    @classmethod
    def of(cls, where: str, entry: Any) -> Resamplings:
        """From the entry of a plan: a number, or a mapping."""
        if isinstance(entry, Resamplings):
            return entry
        entry = entry if isinstance(entry, Mapping) else {"count": entry}
        found = read_entry(where, entry, cls)
        found.check(where)
        return found

    def check(self, where: str) -> None:
        """Refuse what contradicts itself."""
        if self.test_share is not None and self.counts:
            raise PlanError(f"{where} gives test_share and {next(iter(self.counts))}: leave one")
        if self.train_per_class is not None and self.train_count is not None:
            raise PlanError(f"{where} gives train_count and train_per_class: leave one")
        if self.train_per_class is not None and self.kind != "stratified":
            raise PlanError(f"{where} gives train_per_class, which is not for kind = {self.kind!r}")
        if self.folds is not None and self.kind != "k-fold":
            raise PlanError(f"{where} gives folds, which is not for kind = {self.kind!r}")
        if self.kind == "k-fold":
            self._check_folds(where)
        if self.kind == "time-ordered" and self.train_count and self.test_count is None:
            raise PlanError(
                f"{where} gives train_count, the rows before each test part: it needs test_count, "
                "the rows of one"
            )

    def _check_folds(self, where: str) -> None:
        sizes = self.counts if self.test_share is None else {"test_share": self.test_share}
        if sizes:
            raise PlanError(
                f"{where} gives {next(iter(sizes))}, which is not for kind = 'k-fold': its test "
                "rows are one of the folds"
            )
        if self.count % self.n_folds:
            raise PlanError(
                f"{where}.count must be a multiple of folds = {self.n_folds}. Got {self.count}"
            )

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of rows that are given."""
        given = {name: getattr(self, name) for name in COUNTS}
        return {name: number for name, number in given.items() if number is not None}

    @property
    def share(self) -> float:
        """Share of the rows that are test rows, where no numbers are given."""
        return 0.1 if self.test_share is None else self.test_share

    @property
    def n_folds(self) -> int:
        """Number of folds, of kind "k-fold"."""
        return 10 if self.folds is None else self.folds

    @property
    def parts(self) -> dict[str, int] | float | int:
        """What the sizes of the parts follow from: the folds, the given numbers, or the share."""
        return self.n_folds if self.kind == "k-fold" else self.counts or self.share

    def of_data(self, split: SplitEntry | None) -> Resamplings:
        """The same number and kind of splits, sized as a data set has it."""
        if split is None:
            return self
        sizes = msgspec.structs.asdict(split)
        return Resamplings(count=self.count, kind=self.kind, folds=self.folds, **sizes)

    def in_words(self) -> str:
        """How large the parts are.

        Examples
        --------
        >>> Resamplings().in_words(), Resamplings(train_count=500, test_count=1000).in_words()
        ('90 % training and 10 % test rows', '500 training and 1,000 test rows')
        >>> Resamplings(kind="k-fold", folds=5).in_words()
        '5 folds, each of them the test rows once a repeat'
        >>> Resamplings(kind="time-ordered", test_count=20).in_words()
        '20 test rows and all rows before them as training rows'
        """
        if self.kind == "k-fold":
            return f"{self.n_folds} folds, each of them the test rows once a repeat"
        if self.kind == "time-ordered":
            few = f"{100 * self.share:g} %" if self.test_count is None else f"{self.test_count:,}"
            before = "all" if self.train_count is None else f"the last {self.train_count:,}"
            return f"{few} test rows and {before} rows before them as training rows"
        if not self.counts:
            return f"{100 - 100 * self.share:g} % training and {100 * self.share:g} % test rows"
        train = "" if self.train_count is None else f"{self.train_count:,} training"
        if self.train_per_class is not None:
            train = f"{self.train_per_class:,} training rows of each class"
        test = "the rest as" if self.test_count is None else f"{self.test_count:,}"
        return f"{train or 'the rest as training'} and {test} test rows"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        sizes: Mapping[str, float] = self.counts or {"test_share": self.share}
        if self.kind == "k-fold":
            sizes = {"folds": self.n_folds}
        return {"count": self.count, **sizes, "kind": self.kind}


class DataSpec(DataEntry, frozen=True, eq=False, kw_only=True):
    """Where a table comes from and what its columns are; see :mod:`hetsel.study.plan.plan`."""

    X: Any = None
    y: Any = None
    target: Any = None  # of a frame: a name or a position
    row_groups: Any = None  # these too, or an array with a value a row
    row_weights: Any = None
    order: Any = None

    @classmethod
    def of(cls, where: str, entry: Any, folder: Path) -> DataSpec:
        """From the entry of a plan: a name, a Dataset, or a mapping."""
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
        spec = read_entry(where, _spelled_out(where, entry), cls)
        spec.check_source(where)
        if spec.file is None:
            return spec
        file = folder / spec.file
        if not file.is_file():
            raise PlanError(f"{where}.file: no such file: {file}")
        return msgspec.structs.replace(spec, file=str(file))

    def check_source(self, where: str) -> None:
        """A table has one source: a frame, a file, or a name that hetsel knows."""
        if self.X is not None:
            if self.file is not None or self.reading:
                raise PlanError(f"{where} gives a table X: leave file and how it is read out")
            if (self.y is None) == (self.target is None):
                raise PlanError(
                    f"{where} needs y, the classes, or target, the column that has them"
                )
        elif self.file is not None:
            if self.target is None:
                raise PlanError(f"{where} lacks target, the column with the class of each row")
            for option in ("target", *BY_ROW):
                if isinstance(getattr(self, option), int | float | str):
                    read(f"{where}.{option}", getattr(self, option), Text)
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
        for key in (
            "target",
            "positive",
            "nominal",
            "ordinal",
            "continuous",
            "drop",
            "missing",
            "test_rows",
            "row_groups",
            "row_weights",
            "order",
            "treatment_of",
        ):
            value = getattr(self, key)
            if key in BY_ROW and not isinstance(value, str | int | np.integer | None):
                continue
            value = plain(value)
            if value not in (None, []):
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
        return content | plain(self.reading)


def _spelled_out(where: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a data set with its name, and with lists where one thing stands for a list."""
    entry = dict(entry)
    if isinstance(entry.get("file"), os.PathLike):
        entry["file"] = os.fspath(entry["file"])
    if isinstance(entry.get("file"), str) and entry.get("name") is None:
        entry["name"] = Path(entry["file"]).stem
    if isinstance(entry.get("missing_marks"), str):
        entry["missing_marks"] = [entry["missing_marks"]]
    if isinstance(entry.get("split"), Mapping):
        entry["split"] = read_entry(f"{where}.split", entry["split"], SplitEntry)
    if entry.get("drop") is not None:
        entry["drop"] = tuple(check.items(f"{where}.drop", entry["drop"]))
    return entry


@dataclass(frozen=True)
class ClassifierSpec:
    """A final classifier, which judges the selected features."""

    key: str
    label: str
    params: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, where: str, entry: Any) -> ClassifierSpec:
        """From the entry of a plan: a key, or a mapping."""
        if isinstance(entry, ClassifierSpec):
            return entry
        if not isinstance(entry, Mapping):
            entry = {"key": entry}
        found = read_entry(where, entry, ClassifierEntry)
        params = read_entry(f"{where}.params", found.params, CLASSIFIERS[found.key])
        given = msgspec.structs.asdict(params)
        values = sorted((name, value) for name, value in given.items() if value is not None)
        return cls(found.key, found.label or found.key, tuple(values))

    def classify(self, split: Split, subsets: Sequence[np.ndarray], *, seed: int) -> np.ndarray:
        """Decision values (subsets, test rows, d); see :mod:`hetsel.models.final_classifiers`."""
        return classify(self.key, split, subsets, seed=seed, params=dict(self.params))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"key": self.key, "label": self.label, "params": dict(self.params)}
