"""The plan of a study: data sets, methods, resamplings, sizes and judges."""

import re
import sys
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

LONGEST_SHOWN = 60  # characters of a changed value, such as the bytes of an R function
ALL_SIZES = 40  # up to this many features a study uses every size
_DEFAULT = "clinical-svm; ridge for numeric targets; cox for survival times"
Each = TypeVar("Each")
Listed = Annotated[tuple[Each, ...], Meta(min_length=1)]
# legal entries of a file; Python accepts more
PlannedSizes = Literal["auto"] | Count | Listed[Count]
DataSets = Listed[DataName | DataSpec] | DataName | DataSpec
Methods = Listed[MethodKey | MethodEntry] | MethodKey | MethodEntry
Classifiers = Listed[ClassifierKey | ClassifierEntry] | ClassifierKey | ClassifierEntry


@dataclass(frozen=True, eq=False)
class Plan:
    """Describe a study: data sets, methods, resamplings, sizes and judges.

    :class:`hetsel.Study` runs a plan. A TOML file with the same entries is read by :meth:`load`.

    Parameters
    ----------
    name : str
        Name of the study. Default: "study".
    datasets : sequence
        Data sets, each a name that :func:`hetsel.datasets.load` knows, a
        :class:`hetsel.datasets.Dataset`, or a mapping with `name` and either `file` and `target`
        or, in Python, the table `X` and the target `y`. Optional entries of a mapping:

        - `target_kind`: "classes", "numbers" (a numeric target) or "survival". By default,
          fractions are a numeric target, two columns are survival times and all else is classes.
          Data sets of one plan may have targets of several kinds.
        - `target` of survival times: a table {time = "t", event = "e"} with the columns of the
          times and of the events (true and false, or 1 and 0; for two other values `event_value` is
          the one of an event). In Python `y` may also come from :func:`hetsel.survival`.
        - `positive`: the positive class. Default: yes, true, 1 or the last of two classes.
        - `nominal`, `ordinal`, `continuous`: kinds of columns. `drop`: columns to omit.
        - `missing`: how missing values are handled, "impute", "separate" or "error".
        - `scale`: scale of continuous columns for all methods and judges, "range", "quantile" or
          "robust".
        - `missing_marks`, `separator`, `encoding`, `decimal`, `thousands`, `header`, `skip`,
          `sheet`: how the file is read. `drop_unlabeled`: omit rows without a target.
        - `split`: sizes of the training and the test part instead of those of the study.
        - `test_rows`: a column that is true in the rows of a fixed test set. Held-out rows are all
          rows of this set, or `test_count` of them. All other rows train unless a number of
          training rows is specified.
        - `row_groups`: a column (in Python also an array) of rows that belong together, such as
          the visits of one patient. It is not a feature. Groups are trained on or held out as a
          whole.
        - `row_weights`: a column or an array of positive weights, such as survey weights.
          Selection, judges and scores use them; only their ratios matter. Methods and judges that
          cannot use weights raise an error.
        - `order`: a column of numbers or dates for time-ordered splits.
        - `treatment_of`: the name of another data set of the plan. The treatment has its rows,
          classes, splits and options except those specified here, such as `scale`, `missing` or
          `drop`, or a separate table. See :func:`hetsel.compare_treatments`.
    methods : sequence
        Methods, each a key, a selector class or instance, or a mapping with `key` and optional
        `params` and `label`. With `target` "martingale" a method for numeric targets ranks columns
        for survival times by the martingale residuals of the training rows. `tune` has lists of
        values by parameter, such as {"C": [0.1, 1, 10], "step": [1, 0.2]}: in each cell the
        combination with the best inner score on the training rows is chosen; see
        :class:`hetsel.evaluation.tuned_selector.TunedSelector`. Results have the chosen parameters
        in :meth:`hetsel.Results.tuned`.
    resamplings : int or mapping
        Number of splits, or a mapping with `count`, `test_share` (default: 0.1) and `kind`:

        - "stratified" (default) keeps the proportions of classes or events in both parts. For
          numeric targets it equals "random".
        - "random" draws any rows, as Paul et al. (2015) literally state.
        - "k-fold" holds out each of `folds` (default: 10) once per repeat; `count` is a multiple of
          `folds`.
        - "time-ordered" trains on the rows before the held-out rows; the latest rows come first.
        - "given" holds out given folds in turn: those in a `column` of the table, which is not a
          feature, or in a `file` with the columns `row`, `fold` and, for several repeats, `repeat`,
          such as the splits of an OpenML task or of mlr3; see
          :mod:`hetsel.evaluation.data.given_folds`. A data set may have another column or file in
          its `split`. The folds determine the number of resamplings.

        Instead of `test_share`, numbers of rows can be specified: `train_count` or
        `train_per_class`, `test_count`, or both; remaining rows are not used. Default: 200.

        Several numbers as `train_count`, such as [40, 80, 160], give a learning curve. A resampling
        holds out the same rows at all numbers, and its training rows are nested. Comparisons of
        methods use the largest number, because the others are not independent data sets; results
        have these as data sets with names such as "heart (n = 40)".
    sizes : "auto" or sequence of int
        Signature sizes. "auto" means every size up to 40 features and, for more features, the sizes
        of an elimination of 20% per step. Sizes above the number of features of a data set are
        omitted for this data set. Default: "auto".
    classifiers : sequence
        Judges, each a key or a mapping with `key`, `params` and `label`. Keys for classes are
        "clinical-svm", "linear-svm", "gaussian-svm", "random-forest", "naive-bayes" and "5nn"; for
        numeric targets "ridge", "clinical-svm", "random-forest" and "5nn"; for survival times
        "cox", "clinical-svm" and "5nn". A judge may also be a classifier or regressor of
        scikit-learn or an estimator of scikit-survival, as an import path or an object. It receives
        nominal columns one-hot encoded and continuous columns standardized, both learned from
        training rows; with `encoding` "whole" it receives categories of pandas and unscaled
        numbers. Reports show the first judge. Default: clinical-svm for classes, ridge for numeric
        targets, cox for survival times. If data sets have targets of several kinds, each is judged
        by the default of its kind, or by those judges that accept its kind.
    seed : int
        Seed of all random numbers. Default: 0.

    Raises
    ------
    PlanError
        If an entry is unknown or out of range.

    See Also
    --------
    hetsel.Study : Run a plan.

    Notes
    -----
    Scores are listed in :meth:`hetsel.Results.frame`.

    Examples
    --------
    >>> plan = Plan(datasets=["heart"], methods=["rfe-mkl", "rfe-svm"], resamplings=5)
    >>> plan.sizes_for(13)
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
    """

    name: Annotated[Text, "name of the study; default: that of the file"] = "study"
    _: KW_ONLY
    datasets: Annotated[Any, DataSets, "data sets to compare on"]
    methods: Annotated[Any, Methods, "methods to compare"]
    resamplings: Annotated[
        Any, Splits | Resamplings, "number of splits into training and held-out rows"
    ] = 200
    sizes: Annotated[
        Any, PlannedSizes, "signature sizes; auto: all up to 40 features, then steps of 20%"
    ] = "auto"
    classifiers: Annotated[
        Any,
        Classifiers,
        "judges: classifiers, regressors or survival models; reports show the first; default: "
        f"{_DEFAULT}",
    ] = None
    seed: Annotated[WholeNumber, "seed of all random numbers"] = 0
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
            "resamplings": Resamplings.of(f"{where}: resamplings", self.resamplings).located(
                f"{where}: resamplings", self._folder
            ),
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
            splits = self.resamplings.of_data(spec.split)
            splits.check(f"{at}.split")
            if splits.kind == "given" and not (splits.column or splits.file):
                raise PlanError(
                    f"{where}: resamplings must have column or file, the folds of {spec.name!r}, "
                    "for kind = 'given'"
                )
            _check_roles(at, spec, self.resamplings.kind)
            if spec.row_weights is not None:
                _check_weighing(at, spec, self.methods, self.classifiers)

    def for_kind(self, kind: TargetKind) -> Self:
        """Return the plan with default judges and judge parameters for this kind of target.

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
        """Read a plan from a TOML file; its entries are the parameters of :class:`Plan`.

        Import paths in the file are imported when the plan is run, not before.

        Parameters
        ----------
        path : str or Path
            The TOML file.

        Raises
        ------
        PlanError
            If the file is not TOML, or if an entry is unknown or out of range. The message names
            file and entry.
        """
        path = Path(path)
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            raise PlanError(f"no such file: {path}") from None
        except UnicodeDecodeError:
            raise PlanError(
                f"{path.name} must be a TOML file in UTF-8. Save it in this encoding"
            ) from None
        except RecursionError:
            raise PlanError(f"{path.name} is nested too deeply for a plan") from None
        except ValueError as reason:  # not TOML, not text, or a number with thousands of digits
            raise PlanError(f"{path.name} is not TOML: {reason!s:.200}") from None
        check.check_keys(path.name, content, cls.entries())
        for needed in ("datasets", "methods"):
            if needed not in content:
                raise PlanError(f"{path.name} must have the entry {needed!r}. Add it")
        content.setdefault("name", path.stem)
        return cls(**content, _where=path.name, _folder=path.parent, _imports=False)

    def imported(self) -> Self:
        """Return the plan with its import paths imported, for a run.

        Raises
        ------
        PlanError
            If a path cannot be imported or does not name the class of a selector or judge.
        """
        left = [
            s for s in (*self.methods, *self.classifiers) if isinstance(s, import_paths.NotImported)
        ]
        if not left:
            return self
        # modules beside the plan are found, as tables are; workers have the same path
        folder = str(self._folder.absolute())
        if folder not in sys.path:
            sys.path.append(folder)
        return replace(self, _imports=True)

    @staticmethod
    def entries() -> list[str]:
        """Return the names of the entries in their order."""
        return [field.name for field in fields(Plan) if not field.name.startswith("_")]

    def sizes_for(self, p: int) -> tuple[int, ...]:
        """Return the signature sizes for a data set with p features, ascending."""
        if self.sizes != "auto":
            return tuple(size for size in self.sizes if size <= p)
        return tuple(range(1, p + 1) if p <= ALL_SIZES else reversed(elimination_sizes(p)))

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for JSON."""
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
        """Return the default store: a file in the working directory."""
        suffix = "" if part is None else part.suffix
        return Path(re.sub(r"[^\w.-]+", "-", self.name) + suffix + ".sqlite")


def _check_roles(where: str, spec: DataSpec, kind: str) -> None:
    """Raise an error if row roles contradict the kind of splits."""
    if kind == "time-ordered" and spec.order is None:
        raise PlanError(
            f"{where} must have order, the column with the time of each row, for {kind} splits"
        )
    if kind != "time-ordered" and spec.order is not None:
        raise PlanError(
            f"{where} has order, which needs kind = 'time-ordered'. Got kind = {kind!r}"
        )
    if kind in ("k-fold", "time-ordered", "given") and spec.test_rows is not None:
        raise PlanError(
            f"{where} has test_rows, which needs kind = 'stratified' or 'random'. Got {kind!r}"
        )


def _check_weighing(
    where: str,
    spec: DataSpec,
    methods: tuple[MethodSpec | import_paths.NotImported, ...],
    classifiers: tuple[ClassifierSpec | import_paths.NotImported, ...],
) -> None:
    """Raise an error if a method or judge cannot use the row weights of a data set."""
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
    """Return methods or judges of a plan, also those that are not imported yet."""
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
                "same parameters. Leave one of them out"
            )
        seen[identity] = spec.label
    return specs


def check_identity(spec: MethodSpec | import_paths.NotImported) -> str:
    """Return what identifies a method: all that its cells depend on."""
    if isinstance(spec, import_paths.NotImported):
        return repr(sorted((name, v) for name, v in spec.to_dict().items() if name != "label"))
    params = sorted(spec.parameters().items(), key=repr)
    return f"{spec.key} {spec.target} {spec.revision} {params} {spec.tune}"


def _sizes(where: str, value: Any, place: ItemPlace) -> Any:
    if isinstance(value, str):
        if value != "auto":
            raise PlanError(f"{where} must be 'auto' or a list such as [1, 5, 10]. Got {value!r}")
        return value
    sizes = [read_value(place(where, i), s, Count) for i, s in enumerate(check.items(where, value))]
    check.refuse_repeated_names(where, map(str, sizes), "leave one out")
    return tuple(sorted(sizes))


def changes(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Yield the differences of two plans by entry; entries of lists are matched by name."""
    if isinstance(before, list) and isinstance(now, list) and all(map(_name, before + now)):
        before, now = ({_name(e): e for e in side} for side in (before, now))
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}, key=str):
            at = f"{where}.{key}" if where else str(key)
            if key not in now:
                yield f"{at} is removed"
            elif key not in before:
                yield f"{at} is new"
            else:
                yield from changes(before[key], now[key], at)
    elif before != now:
        yield f"{where}: {_short(before)} -> {_short(now)}"


def _short(value: Any) -> str:
    """Format a value of a plan; a long one as its length and a digest."""
    text = repr(value)
    if len(text) <= LONGEST_SHOWN:
        return text
    return f"{len(text):,} characters (digest {sha256(text.encode()).hexdigest()[:8]})"


def _name(entry: Any) -> str | None:
    return entry.get("label", entry.get("name")) if isinstance(entry, dict) else None
