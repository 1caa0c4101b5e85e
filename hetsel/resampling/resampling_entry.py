"""The `resamplings` entry of a plan: number, kind and sizes of splits into training and test rows.

"stratified", "random"
    Each resampling draws a new split (:func:`hetsel.resampling.splits.split`). Row groups are
    drawn as a whole. A numeric target counts as one class, so both kinds are then random splits,
    as in scikit-learn's ShuffleSplit.
"k-fold"
    Resampling r tests fold r mod K of repeat r div K, so every row is tested once per repeat. As in
    scikit-learn's RepeatedStratifiedKFold, the rows of every class are spread evenly over the
    folds. Row groups are dealt to folds by :func:`hetsel.resampling.folds.group_folds`, which are
    as even as those of StratifiedGroupKFold.
"time-ordered"
    Forward chaining, as in scikit-learn's TimeSeriesSplit. With n rows in the order of time and m
    test rows, resampling r tests the rows n - (r + 1) m, ..., n - r m - 1. It trains on the rows
    before them, or on the last `train_count` of these. Resampling 0 has the latest test rows, so
    additional resamplings do not change the first ones. Rows with the time or the group of a test
    row do not train. Nothing is random.
"given"
    Folds from a column of the table or from a file, see :mod:`hetsel.evaluation.data.given_folds`.
    Resampling r tests fold r mod K of repeat r div K; the folds give the number of resamplings.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta, Struct

from hetsel.ground import PlanError
from hetsel.ground.plan_entries import Count, Share, Text, read_entry

Splits = Annotated[int, Meta(ge=1, le=1_000_000, title="a whole number from 1 to 1,000,000")]
Folds = Annotated[int, Meta(ge=2, title="a whole number, 2 or larger")]
_Number = Annotated[int, Meta(ge=1)]
TrainingRows = Annotated[
    _Number | Annotated[tuple[_Number, ...], Meta(min_length=1)],
    Meta(title="a whole number, 1 or larger, or a list of them such as [40, 80, 160]"),
]
COUNTS = ("train_count", "test_count", "train_per_class")


class SplitSizes(Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes of the training and the test part: a proportion by default, or numbers of rows.

    If one number is given, all other rows form the other part. If both are given, the remaining
    rows are not used.
    """

    test_share: Annotated[
        Share | None, Meta(description="proportion of held-out rows; default: 0.1")
    ] = None
    test_count: Annotated[Count | None, Meta(description="number of held-out rows")] = None
    train_count: Annotated[
        TrainingRows | None,
        Meta(description="number of training rows, or several of them for a learning curve"),
    ] = None
    train_per_class: Annotated[
        Count | None, Meta(description="number of training rows of each class")
    ] = None
    column: Annotated[
        Text | None, Meta(description="column with the fold of each row, for kind given")
    ] = None
    file: Annotated[
        Text | None,
        Meta(
            description="file with folds, relative to the plan, for kind given: columns row, fold "
            "and, for several repeats, repeat"
        ),
    ] = None

    def located(self, where: str, folder: Path) -> Self:
        """Return the entry with the complete path of its file, which must exist."""
        if self.file is None:
            return self
        file = (folder / Path(self.file).expanduser()).resolve()
        if not file.is_file():
            raise PlanError(f"{where}.file: no such file: {file}")
        return msgspec.structs.replace(self, file=str(file))

    @property
    def _file_name(self) -> str:
        return Path(str(self.file)).name

    @property
    def training_sizes(self) -> tuple[int, ...]:
        """Return the numbers of training rows, ascending."""
        if self.train_count is None:
            return ()
        several = [self.train_count] if isinstance(self.train_count, int) else self.train_count
        return tuple(sorted(set(several)))

    @property
    def n_train(self) -> int | None:
        """Return the number of training rows; of several, the largest."""
        return self.training_sizes[-1] if self.training_sizes else None

    @property
    def counts(self) -> dict[str, int]:
        """Return the numbers of rows that are specified; of several, the largest."""
        given = {name: getattr(self, name) for name in COUNTS} | {"train_count": self.n_train}
        return {name: number for name, number in given.items() if number is not None}

    @property
    def share(self) -> float:
        """Return the proportion of test rows that applies if no numbers are specified."""
        return 0.1 if self.test_share is None else self.test_share


class Resamplings(SplitSizes, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Number, kind and sizes of the splits into training and test rows."""

    count: Annotated[Splits, Meta(description="number of splits")] = 200
    kind: Annotated[
        Literal["stratified", "random", "k-fold", "time-ordered", "given"],
        Meta(description="stratified keeps the class proportions in both parts"),
    ] = "stratified"
    folds: Annotated[
        Folds | None, Meta(description="number of folds of kind k-fold; default: 10")
    ] = None

    @classmethod
    def of(cls, where: str, entry: Any) -> "Resamplings":
        """Read the entry of a plan, a number or a mapping."""
        if isinstance(entry, Resamplings):
            return entry
        entry = entry if isinstance(entry, Mapping) else {"count": entry}
        resamplings = read_entry(where, entry, cls)
        if resamplings.kind == "given" and entry.get("count") is not None:
            raise PlanError(
                f"{where} has count, which the folds determine for kind = 'given'. Leave it out"
            )
        resamplings.check(where)
        return resamplings

    def check(self, where: str) -> None:
        """Raise an error if options contradict each other."""
        if self.test_share is not None and self.counts:
            raise PlanError(
                f"{where} has test_share and {next(iter(self.counts))}. Specify only one of them"
            )
        if self.train_per_class is not None and self.train_count is not None:
            raise PlanError(
                f"{where} has train_count and train_per_class. Specify only one of them"
            )
        if self.train_per_class is not None and self.kind != "stratified":
            raise PlanError(
                f"{where} has train_per_class, which needs kind = 'stratified'. Got kind = "
                f"{self.kind!r}"
            )
        if self.folds is not None and self.kind != "k-fold":
            raise PlanError(
                f"{where} has folds, which needs kind = 'k-fold'. Got kind = {self.kind!r}"
            )
        if self.kind == "k-fold":
            self._check_folds(where)
        self._check_source(where)
        if self.kind == "time-ordered" and self.train_count and self.test_count is None:
            raise PlanError(
                f"{where} has train_count, the number of rows before each test part. Specify "
                "test_count, the number of rows of a test part, as well"
            )

    def _check_source(self, where: str) -> None:
        """Raise an error if a source of folds contradicts the kind or the sizes."""
        sources = [name for name in ("column", "file") if getattr(self, name) is not None]
        if self.kind != "given":
            if sources:
                raise PlanError(
                    f"{where} has {sources[0]}, which needs kind = 'given'. Got kind = "
                    f"{self.kind!r}"
                )
            return
        if sizes := self._sizes:
            raise PlanError(
                f"{where} has {next(iter(sizes))}, which is not legal for kind = 'given': the "
                "folds determine all parts. Leave it out"
            )
        if len(sources) > 1:
            raise PlanError(f"{where} has column and file. Specify only one of them")

    @property
    def _sizes(self) -> Mapping[str, float]:
        return self.counts if self.test_share is None else {"test_share": self.test_share}

    def _check_folds(self, where: str) -> None:
        sizes = self._sizes
        if sizes:
            raise PlanError(
                f"{where} has {next(iter(sizes))}, which is not legal for kind = 'k-fold': one of "
                "the folds is the test part. Leave it out"
            )
        if self.count % self.n_folds:
            raise PlanError(
                f"{where}.count must be a multiple of folds = {self.n_folds}. Got {self.count}"
            )

    @property
    def n_folds(self) -> int:
        """Return the number of folds of kind "k-fold"."""
        return 10 if self.folds is None else self.folds

    @property
    def parts(self) -> dict[str, int] | float | int:
        """Return what determines the sizes of the parts: folds, numbers of rows or proportion.

        Given folds are part of the fingerprint of their data set.
        """
        if self.kind == "given":
            return {}
        return self.n_folds if self.kind == "k-fold" else self.counts or self.share

    def of_data(self, split: SplitSizes | None) -> "Resamplings":
        """Return the same splits with the sizes that a data set specifies."""
        if split is None:
            return self
        sizes = msgspec.structs.asdict(split)
        return Resamplings(count=self.count, kind=self.kind, folds=self.folds, **sizes)

    def of_training_size(self, size: int, rows: int, *, fixed: bool) -> "Resamplings":
        """Return the splits with one of several numbers of training rows.

        The held-out rows are those of the largest number: `test_count`, all other rows of the
        `rows`, or those of a fixed test set.
        """
        most, held = self.training_sizes[-1], self.test_count
        if held is None and not fixed and size < most < rows:
            held = rows - most
        return msgspec.structs.replace(self, train_count=size, test_count=held)

    def in_words(self) -> str:
        """Describe the sizes of the parts."""
        if self.kind == "given":
            where = f"column {self.column}" if self.file is None else f"file {self._file_name}"
            where = f"in {where}" if self.column or self.file else "of each data set"
            return f"the given folds {where}, each of which is held out once per repeat"
        if self.kind == "k-fold":
            return f"{self.n_folds} folds, each of which is held out once per repeat"
        if self.kind == "time-ordered":
            few = f"{100 * self.share:g}%" if self.test_count is None else f"{self.test_count:,}"
            before = f"the last {self._several}" if self.training_sizes else "all"
            return f"{few} held-out rows and {before} rows before them as training rows"
        if not self.counts:
            return (
                f"{100 - 100 * self.share:g}% training rows and {100 * self.share:g}% held-out rows"
            )
        train = f"{self._several} training rows" if self.training_sizes else ""
        if self.train_per_class is not None:
            train = f"{self.train_per_class:,} training rows of each class"
        if len(self.training_sizes) > 1:
            train += " (nested)"
        if self.test_count is None:
            rest = f"rows but {self.n_train:,}" if len(self.training_sizes) > 1 else "other rows"
            return f"{train} and all {rest} held out"
        return f"{train or 'all other rows as training rows'} and {self.test_count:,} held-out rows"

    @property
    def _several(self) -> str:
        """The numbers of training rows in words."""
        *first, last = (f"{size:,}" for size in self.training_sizes)
        return f"{', '.join(first)} and {last}" if first else last

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain values, for JSON."""
        if self.kind == "given":
            source = {"column": self.column, "file": self.file and self._file_name}
            return {k: v for k, v in source.items() if v is not None} | {"kind": self.kind}
        sizes: Mapping[str, Any] = self.counts or {"test_share": self.share}
        if self.kind == "k-fold":
            sizes = {"folds": self.n_folds}
        if len(self.training_sizes) > 1:
            sizes = {**sizes, "train_count": list(self.training_sizes)}
        return {"count": self.count, **sizes, "kind": self.kind}
