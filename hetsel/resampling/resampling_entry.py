"""How rows are split into training and test rows, again and again.

"stratified", "random"
    Drawn anew for each resampling, see :func:`hetsel.resampling.splits.split`; whole groups of rows
    where there are groups, see :mod:`hetsel.resampling.splits`. The rows of a target of
    numbers are one class to every kind: there both are plain, as scikit-learn's ShuffleSplit.
"k-fold"
    Resampling r tests fold r mod K of repeat r div K, so that every row is tested once in each
    repeat, as by scikit-learn's RepeatedStratifiedKFold: the rows of every class are spread evenly
    over the folds. With groups the folds are those of
    :func:`hetsel.resampling.folds.group_folds`, as even as StratifiedGroupKFold's.
"time-ordered"
    Forward chaining, as by scikit-learn's TimeSeriesSplit. With the rows in the order of time and m
    test rows, resampling r tests the rows n - (r + 1) m, ..., n - r m - 1 and trains on the rows
    before them, or on the last `train_count` of these. So the latest rows come first, and more
    resamplings leave the first ones what they are. Rows of the same time as a test row do not
    train, nor do rows of its group. Nothing is drawn.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from hetsel.ground import PlanError
from hetsel.ground.plan_entries import Count, Share, read_entry

Splits = Annotated[int, Meta(ge=1, le=1_000_000, title="a whole number from 1 to 1,000,000")]
Folds = Annotated[int, Meta(ge=2, title="a whole number, 2 or larger")]
COUNTS = ("train_count", "test_count", "train_per_class")


class SplitSizes(Struct, frozen=True, forbid_unknown_fields=True):
    """How many rows are training rows and test rows; a share by default.

    Of one number the other part is the rest; with both the rows that are left take no part.
    """

    test_share: Annotated[
        Share | None, Meta(description="share of the rows that are test rows; default: 0.1")
    ] = None
    test_count: Annotated[Count | None, Meta(description="number of test rows")] = None
    train_count: Annotated[Count | None, Meta(description="number of training rows")] = None
    train_per_class: Annotated[
        Count | None, Meta(description="number of training rows of each class")
    ] = None

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of rows that are given."""
        given = {name: getattr(self, name) for name in COUNTS}
        return {name: number for name, number in given.items() if number is not None}

    @property
    def share(self) -> float:
        """Share of the rows that are test rows, where no numbers are given."""
        return 0.1 if self.test_share is None else self.test_share


class Resamplings(SplitSizes, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many splits into training and test rows, how large and of which kind."""

    count: Annotated[Splits, Meta(description="how many splits")] = 200
    kind: Annotated[
        Literal["stratified", "random", "k-fold", "time-ordered"],
        Meta(description="stratified keeps the shares of the classes in both parts"),
    ] = "stratified"
    folds: Annotated[
        Folds | None, Meta(description="of kind k-fold, each of them tested once; default: 10")
    ] = None

    @classmethod
    def of(cls, where: str, entry: Any) -> "Resamplings":
        """From the entry of a plan: a number, or a mapping."""
        if isinstance(entry, Resamplings):
            return entry
        entry = entry if isinstance(entry, Mapping) else {"count": entry}
        resamplings = read_entry(where, entry, cls)
        resamplings.check(where)
        return resamplings

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
    def n_folds(self) -> int:
        """Number of folds, of kind "k-fold"."""
        return 10 if self.folds is None else self.folds

    @property
    def parts(self) -> dict[str, int] | float | int:
        """What the sizes of the parts follow from: the folds, the given numbers, or the share."""
        return self.n_folds if self.kind == "k-fold" else self.counts or self.share

    def of_data(self, split: SplitSizes | None) -> "Resamplings":
        """The same number and kind of splits, sized as a data set has it."""
        if split is None:
            return self
        sizes = msgspec.structs.asdict(split)
        return Resamplings(count=self.count, kind=self.kind, folds=self.folds, **sizes)

    def in_words(self) -> str:
        """How large the parts are."""
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
