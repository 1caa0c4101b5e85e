"""The plan of a study: which data sets, methods, resamplings, sizes and final classifiers."""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from msgspec import Meta

from hetsel.evaluation.by_key import import_paths, judges_by_key
from hetsel.evaluation.by_key.judges_by_key import ClassifierEntry, ClassifierKey, ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodEntry, MethodKey, MethodSpec
from hetsel.evaluation.data.data_entry import DataName, DataSpec
from hetsel.ground import PlanError, TableError
from hetsel.ground import plan_entries as check
from hetsel.ground.plan_entries import Count, ItemPlace, Text, WholeNumber, read_value
from hetsel.methods.registry import refuse_weights
from hetsel.resampling.resampling_entry import Resamplings, Splits
from hetsel.search.rankings.recursive_elimination import elimination_sizes
from hetsel.study.plan import parts, treated_data_sets
from hetsel.tables import TargetKind

LONGEST_SHOWN = 60  # characters of a value that changed, such as the bytes of a function of R
ALL_SIZES = 40  # up to this many features a study takes every size
_DEFAULT = "clinical-svm, of numbers ridge, of survival times cox"
Each = TypeVar("Each")
Listed = Annotated[tuple[Each, ...], Meta(min_length=1)]
# what a file may say of an entry; from Python it may be more
PlannedSizes = Literal["auto"] | Count | Listed[Count]
DataSets = Listed[DataName | DataSpec] | DataName | DataSpec
Methods = Listed[MethodKey | MethodEntry] | MethodKey | MethodEntry
Classifiers = Listed[ClassifierKey | ClassifierEntry] | ClassifierKey | ClassifierEntry


@dataclass(frozen=True, eq=False)
class Plan:
    """The plan of a study: data sets x methods x resamplings.

    Parameters
    ----------
    name : str
        Name of the study.
    datasets : sequence
        Each a name that :func:`hetsel.datasets.load` knows, a :class:`hetsel.datasets.Dataset`, or
        a mapping: `name`, then `file` and `target` or, from Python, the table `X` and target `y`;
        optional `positive` (the one of two classes that sensitivity and effects are about; default:
        yes, true, 1, or the last), `nominal`, `ordinal`, `continuous`, `drop`, `missing` ("impute",
        "separate", "error"), `scale` ("range", "quantile", "robust": what continuous columns are
        measured by, for every method and classifier), `drop_unlabeled`, and how the file is read:
        `missing_marks`, `separator`, `encoding`, `decimal`, `thousands`, `header`, `skip`, `sheet`.
        `split`: sizes of the parts in place of those of the study;
        `test_rows`: a column that is true in the rows of a given test set, from which alone test
        rows come; all of them or `test_count`, and all others train unless a number is given.
        `row_groups`: a column (from Python also an array) by which rows belong together, such as
        those of one patient: no feature, and its groups train or are tested as a whole.
        `row_weights`: a column or an array of positive weights, of a survey or inverse
        probabilities: selection, classifiers and scores are weighted, only their ratios count;
        methods and classifiers that cannot weigh rows are refused. `order`: a column of numbers or
        dates, for splits in the order of time.
        `treatment_of`: the name of another data set of the plan, whose rows, classes and splits
        this one has, and all its options but for those given here, such as `scale`, `missing` or
        `drop`; or a treated table of its own. See :func:`hetsel.compare_treatments`.
        `target` of survival times is a table, {time = "t", event = "e"}: the columns of how long
        and of whether the event happened (true and false, or 1 and 0; of two other values
        `event_value` is the one of an event); from Python also a y that
        :func:`hetsel.survival` makes.
        `target_kind`: "classes", "numbers" (a continuous outcome) or "survival"; default: fractions
        are numbers, two columns survival times, all else is classes. All data sets of a plan have
        targets of one kind. Numbers have the scores R^2, mean absolute error and root mean squared
        error, survival times Harrell's and Uno's concordance, the integrated Brier score and the
        area under the curve at the median time of an event. Splits of kind "stratified" keep the
        share of the events; of numbers they are plain ones, as of "random". `classifiers` must be
        regressors, or survival models.
    methods : sequence
        Each the key of a method, a selector class or instance, or a mapping: `key`, optional
        `params` and `label`; `target` "martingale" lets a method for numbers rank columns for
        survival times, by the martingale residuals of the training rows.
    resamplings : int or mapping
        How many splits, default 200; or `count`, `test_share` (0.1) and `kind`: "stratified" keeps
        the shares of the classes and of events in both parts, of numbers it is "random", which is
        the letter of the paper. In place of the share,
        numbers of rows: `train_count` or `train_per_class`, `test_count` or both; what neither
        takes is left out. "k-fold" tests each of `folds` (10) once a repeat, `count` is a multiple
        of them; "time-ordered" trains on the rows before the test rows, the last ones first.
    sizes : "auto" or sequence of int
        Sizes of the signatures. "auto": all sizes up to 40 features, beyond that the sizes that an
        elimination of 20 % a step visits. A size larger than a table is left out for that table.
    classifiers : sequence
        Final classifiers, regressors or survival models, each a key or a mapping of `key`, `params`
        and `label`. Of classes "clinical-svm", "linear-svm", "gaussian-svm", "random-forest",
        "naive-bayes", "5nn"; of numbers "ridge", "clinical-svm", "random-forest", "5nn"; of
        survival times "cox", "clinical-svm", "5nn"; or any classifier or regressor of scikit-learn,
        of survival times any estimator of scikit-survival, by its import path or as an object.
        Nominal columns reach it as columns of 0 and 1 and numbers standardized, both as training
        rows teach; with `encoding` "whole" as pandas' categories and as they are. The first is the
        one that reports show. Default: clinical-svm, of numbers ridge, of survival times cox.
    seed : int
        Everything that is drawn follows from it.

    Raises
    ------
    PlanError
        An entry that is unknown or out of range.

    Examples
    --------
    >>> plan = Plan(datasets=["heart"], methods=["rfe-mkl", "rfe-svm"], resamplings=5)
    >>> plan.sizes_for(13)
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
    """

    name: Annotated[Text, "of the study; default: that of the file"] = "study"
    _: KW_ONLY
    datasets: Annotated[Any, DataSets, "the tables"]
    methods: Annotated[Any, Methods, "the methods"]
    resamplings: Annotated[
        Any, Splits | Resamplings, "how many splits into training and test rows"
    ] = 200
    sizes: Annotated[
        Any, PlannedSizes, "of the signatures; auto: all up to 40 features, then 20 % a step"
    ] = "auto"
    classifiers: Annotated[
        Any,
        Classifiers,
        "final classifiers, regressors or survival models; reports show the first; default: "
        f"{_DEFAULT}",
    ] = None
    seed: Annotated[WholeNumber, "everything that is drawn follows from it"] = 0
    _where: str = "Study"
    _folder: Path = Path()
    _place: ItemPlace = check.counted_from_0
    _imports: bool = True

    def __post_init__(self) -> None:
        where, place = self._where, self._place
        judges = (
            judges_by_key.default_judges("classes")
            if self.classifiers is None
            else self.classifiers
        )
        judge_of = ClassifierSpec.of if self._imports else ClassifierSpec.in_file
        values = {
            "name": read_value(f"{where}: name", self.name, Text),
            "datasets": treated_data_sets.read_data_sets(
                f"{where}: datasets", self.datasets, self._folder, place
            ),
            "methods": _methods(f"{where}: methods", self.methods, place, self._imports),
            "resamplings": Resamplings.of(f"{where}: resamplings", self.resamplings),
            "sizes": _sizes(f"{where}: sizes", self.sizes, place),
            "classifiers": judges
            if judges_by_key.is_default(judges)
            else _specs(f"{where}: classifiers", judges, place, judge_of),
            "seed": read_value(f"{where}: seed", self.seed, WholeNumber),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        for i, spec in enumerate(self.datasets):
            at = place(f"{where}: datasets", i)
            self.resamplings.of_data(spec.split).check(f"{at}.split")
            _check_roles(at, spec, self.resamplings.kind)
            if spec.row_weights is not None:
                _check_weighing(at, spec, self.methods, self.classifiers)

    def for_kind(self, kind: TargetKind) -> Self:
        """The plan for this kind of target: what it does not name of its judges is theirs.

        Examples
        --------
        >>> plan = Plan(datasets=["heart"], methods=["pearson"])
        >>> [judge.key for judge in plan.for_kind("numbers").classifiers]
        ['ridge']
        """
        if judges_by_key.is_default(self.classifiers):
            return replace(self, classifiers=judges_by_key.default_judges(kind))
        judges = tuple(judge.for_kind(kind) for judge in self.classifiers)
        same = all(one is own for one, own in zip(judges, self.classifiers, strict=True))
        return self if same else replace(self, classifiers=judges)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The plan in a TOML file; its entries are the parameters of :class:`Plan`.

        What it names by import paths is imported when it is run, not before.

        Raises
        ------
        PlanError
            No TOML, an entry that is unknown or out of range; the message names file and entry.
        """
        path = Path(path)
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            raise PlanError(f"no such file: {path}") from None
        except UnicodeDecodeError:
            raise PlanError(
                f"{path.name} is not TOML, which is text in UTF-8: save it so"
            ) from None
        except RecursionError:
            raise PlanError(f"{path.name} is nested too deeply for a plan") from None
        except ValueError as reason:  # no TOML, no text, a number of thousands of digits
            raise PlanError(f"{path.name} is not TOML: {reason!s:.200}") from None
        check.check_keys(path.name, content, cls.entries())
        for needed in ("datasets", "methods"):
            if needed not in content:
                raise PlanError(f"{path.name} lacks the entry {needed!r}")
        content.setdefault("name", path.stem)
        return cls(**content, _where=path.name, _folder=path.parent, _imports=False)

    def imported(self) -> Self:
        """The plan with what its import paths name, which a file only names: for a run.

        Raises
        ------
        PlanError
            What a path names is not there, or is no class of a selector or judge.
        """
        left = [
            s for s in (*self.methods, *self.classifiers) if isinstance(s, import_paths.NotImported)
        ]
        return replace(self, _imports=True) if left else self

    @staticmethod
    def entries() -> list[str]:
        """The names of the entries, in their order."""
        return [field.name for field in fields(Plan) if not field.name.startswith("_")]

    def sizes_for(self, p: int) -> tuple[int, ...]:
        """The sizes of signatures of a table with p features, ascending."""
        if self.sizes != "auto":
            return tuple(size for size in self.sizes if size <= p)
        return tuple(range(1, p + 1) if p <= ALL_SIZES else reversed(elimination_sizes(p)))

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values, for JSON."""
        return {
            "name": self.name,
            "seed": self.seed,
            "resamplings": self.resamplings.to_dict(),
            "sizes": self.sizes if self.sizes == "auto" else list(self.sizes),
            "datasets": [spec.to_dict() for spec in self.datasets],
            "methods": [spec.to_dict() for spec in self.methods],
            "classifiers": [spec.to_dict() for spec in self.classifiers],
        }

    def default_store(self, part: parts.StudyPart | None = None) -> Path:
        """The file that keeps the results where none is named: in the working directory."""
        suffix = "" if part is None else part.suffix
        return Path(re.sub(r"[^\w.-]+", "-", self.name) + suffix + ".sqlite")


def _check_roles(where: str, spec: DataSpec, kind: str) -> None:
    """Refuse what is said of the rows and contradicts the kind of the splits."""
    if kind == "time-ordered" and spec.order is None:
        raise PlanError(f"{where} lacks order, the column with the time of each row: {kind} splits")
    if kind != "time-ordered" and spec.order is not None:
        raise PlanError(f"{where} gives order, which is not for kind = {kind!r}")
    if kind in ("k-fold", "time-ordered") and spec.test_rows is not None:
        raise PlanError(f"{where} gives test_rows, which is not for kind = {kind!r}")


def _check_weighing(
    where: str,
    spec: DataSpec,
    methods: tuple[MethodSpec | import_paths.NotImported, ...],
    classifiers: tuple[ClassifierSpec | import_paths.NotImported, ...],
) -> None:
    """Refuse methods and classifiers that cannot use the weights of rows that a data set has."""
    try:
        for method in methods:
            if isinstance(method, MethodSpec):
                refuse_weights(method.build(), "row_weights")
        for classifier in classifiers:
            if isinstance(classifier, ClassifierSpec):
                classifier.refuse_weights()
    except TableError as reason:
        raise PlanError(f"{where}: data set {spec.name!r}: {reason}") from None


def _specs(
    where: str, entries: Any, place: ItemPlace, of: Callable[[str, Any], Any]
) -> tuple[Any, ...]:
    """Methods or judges of a plan, also those of it that are still to be imported."""
    given = [
        e.entry if isinstance(e, import_paths.NotImported) else e
        for e in check.items(where, entries)
    ]
    specs = tuple(of(place(where, i), entry) for i, entry in enumerate(given))
    check.refuse_repeated_names(where, (s.label for s in specs), "give one of them another label")
    return specs


def _methods(
    where: str, entries: Any, place: ItemPlace, imports: bool
) -> tuple[MethodSpec | import_paths.NotImported, ...]:
    specs = _specs(where, entries, place, MethodSpec.of if imports else MethodSpec.in_file)
    seen: dict[str, str] = {}
    for spec in specs:
        identity = check_identity(spec)
        if identity in seen:
            raise PlanError(
                f"{where}: {seen[identity]!r} and {spec.label!r} are the same method with the "
                "same parameters: leave one out"
            )
        seen[identity] = spec.label
    return specs


def check_identity(spec: MethodSpec | import_paths.NotImported) -> str:
    """What makes two methods the same: all that their cells depend on."""
    if isinstance(spec, import_paths.NotImported):
        return repr(sorted((name, v) for name, v in spec.to_dict().items() if name != "label"))
    return f"{spec.key} {spec.target} {spec.revision} {sorted(spec.parameters().items(), key=repr)}"


def _sizes(where: str, value: Any, place: ItemPlace) -> Any:
    if isinstance(value, str):
        if value != "auto":
            raise PlanError(f"{where} must be 'auto' or a list such as [1, 5, 10]. Got {value!r}")
        return value
    sizes = [read_value(place(where, i), s, Count) for i, s in enumerate(check.items(where, value))]
    check.refuse_repeated_names(where, map(str, sizes), "leave one out")
    return tuple(sorted(sizes))


def changes(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """What differs between two plans, entry by entry; lists of entries go by their names."""
    if isinstance(before, list) and isinstance(now, list) and all(map(_name, before + now)):
        before, now = ({_name(e): e for e in side} for side in (before, now))
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}, key=str):
            at = f"{where}.{key}" if where else str(key)
            if key not in now:
                yield f"{at} is gone"
            elif key not in before:
                yield f"{at} is new"
            else:
                yield from changes(before[key], now[key], at)
    elif before != now:
        yield f"{where}: {_short(before)} -> {_short(now)}"


def _short(value: Any) -> str:
    """A value of a plan for people: of a long one its length and a digest."""
    text = repr(value)
    if len(text) <= LONGEST_SHOWN:
        return text
    return f"{len(text):,} characters (digest {sha256(text.encode()).hexdigest()[:8]})"


def _name(entry: Any) -> str | None:
    return entry.get("label", entry.get("name")) if isinstance(entry, dict) else None
