"""The selector: a scikit-learn estimator that turns a problem into an answer."""

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, dataclass_transform

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hetsel.ground import TableError, seed_drawn
from hetsel.pitfalls.cautions_on_rows import asked_groups
from hetsel.selection import column_choices, parameter_types, selected_columns, verdicts_in_words
from hetsel.selection.about import (
    EXAMPLE,
    EXAMPLES,
    About,
    Cost,
    refuse_memory,
    refuse_target,
    with_example,
    with_shared_parameters,
)
from hetsel.selection.answer import Answer, Ranking, SearchPath, check_size, refuse_unknown
from hetsel.selection.problem import MARTINGALE, Problem, read_asked_target, seeded_globals
from hetsel.tables import (
    Classes,
    Schema,
    Table,
    TypedTarget,
    refuse_other_rows,
    rescaled,
    validation,
)
from hetsel.tables.blockwise.dask_frames import brought_here
from hetsel.tables.target import weighed_rows

# what every selector has, whatever the method
SHARED = (
    *("size", "nominal", "ordinal", "continuous", "schema"),
    *("missing", "scale", "target_kind", "random_state"),
)


@dataclass_transform(kw_only_default=True)
class _Declared:
    """Turns the annotated names of a subclass into keyword-only parameters of it."""

    _example: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        base = globals().get("BaseSelector")  # None while it is made itself
        if base is not None and cls.__doc__:
            parent = next(known for known in cls.__mro__[1:] if issubclass(known, base))
            cls.__doc__ = with_shared_parameters(cls.__doc__, parent.__doc__ or base.__doc__)
            if "about" in vars(cls) and cls.__module__.partition(".")[0] == "hetsel":
                example = cls._example or EXAMPLES.get(vars(cls)["about"].takes, EXAMPLE)
                cls.__doc__ = with_example(cls.__doc__, example, cls.__name__)
        dataclass(eq=False, repr=False, kw_only=True)(cls)


@dataclass(eq=False, repr=False)
class BaseSelector(_Declared, selected_columns.SelectedColumns, BaseEstimator):
    """A selection method for mixed tables, as a scikit-learn selector.

    A method is a subclass with a value `about`, its own parameters as annotated names, and one
    method, :meth:`_select`.

    Parameters
    ----------
    size : int, optional
        Number of features to select. Default: half of the features, or the best size of a search. A
        ranking lists all features. See :meth:`signature`.
    nominal : sequence of column names or positions, or slice, optional
        Columns to read as unordered levels, whatever their type.
    ordinal : sequence of column names or positions, or mapping of name to levels, optional
        Columns to read as ordered numbers, or a mapping of a column to its levels from lowest to
        highest.
    continuous : sequence of column names or positions, or slice, optional
        Columns to read as numbers or dates, whatever their type.
    schema : Schema, optional
        Kinds and levels of all columns, fixed beforehand; hetsel then infers none.
    missing : {"impute", "separate", "error"}
        Handling of missing values. "impute": replace them with the median or the most frequent
        level. "separate": treat missing as a separate value. "error": refuse them. Default:
        "impute". See :meth:`hetsel.Table.resolve_missing`.
    unsupported : {"error", "skip"}
        Handling of columns of a kind that the method cannot use. "error": refuse them. "skip":
        leave them without a rank. Default: "error".
    always : sequence of column names or positions, or a logical value for each column, optional
        Columns to include in every signature: they are ranked first and never eliminated.
    scale : {"range", "quantile", "robust"}
        Scaling of continuous columns. "range": by their range, which one outlier can stretch.
        "quantile": by the proportion of rows with a smaller value. "robust": by the range of the
        middle 90% of the rows. Default: "range". See :class:`hetsel.Rescaling`.
    target_kind : {"classes", "numbers", "survival", "martingale"}, optional
        Kind of the target. Use "martingale" to rank or search survival times with a method for
        numeric targets: it then takes the martingale residuals of the model without features, which
        are larger where an event came sooner than expected. `hetsel methods` lists the methods for
        each kind. Default: "numbers" for fractions, "survival" for survival times, else "classes".
    random_state : int, RandomState or None
        Seed of all random numbers, a whole number. The same call gives the same result. Default: 0.

    Attributes
    ----------
    answer_ : Ranking or SearchPath
        What the method found.
    ranking_ : ndarray of int, shape (p,)
        Rank of each feature, 1 is best; where the answer is a ranking.
    importances_ : ndarray of float, shape (p,)
        Importance of each feature, larger is better; of a method that drops or chooses features
        step by step only those of one step compare, see :class:`hetsel.Ranking` and :meth:`frame`.
    unranked_ : tuple of str
        Columns without a rank under unsupported="skip".
    schema_ : Schema
        What each column was taken for.
    classes_ : ndarray
        Labels of the classes, sorted; not of a target of numbers.

    Raises
    ------
    TableError
        By `fit`: columns or a target of a kind that the method does not take, a parameter out of
        its range.
    """

    size: int | None = None
    _: KW_ONLY
    nominal: Any = None
    ordinal: Any = None
    continuous: Any = None
    schema: Schema | None = None
    missing: Any = "impute"
    scale: Any = "range"
    target_kind: Any = None
    unsupported: Any = "error"
    always: Any = ()
    random_state: Any = 0

    about: ClassVar[About] = About("")

    def fit(self, X: Any, y: Any = None, *, groups: Any = None, **weights: Any) -> "BaseSelector":
        """Select features of a table.

        Parameters
        ----------
        X : Table, DataFrame (pandas, polars, Arrow, Dask, ...) or array of shape (n, p)
            An array of numbers has continuous columns only, unless the options say otherwise. A
            Table is taken as it is. Partitions of a Dask frame are encoded by its workers, and the
            answer is that of `X.compute()`; y, weights and groups may be series of Dask, too. Rows
            of X, y, weights and groups are matched by their labels where they have an index, see
            :mod:`hetsel.tables.row_labels`.
        y : array-like of shape (n,)
            Class labels; or numbers, or survival times as :func:`hetsel.survival` makes them, for
            the methods that take these: see `target_kind`. None for `variance`, in whose answer the
            target has no part.
        groups : array-like of shape (n,), "copies" or "rows", optional
            Group of each row, such as the patient. Methods that hold out rows keep the rows of a
            group together. "copies": equal and nearly equal rows form a group. "rows": each row is
            a separate group. See :func:`hetsel.cautions`.
        **weights
            No method weighs rows but those that name `sample_weight`; here only None is taken.

        Raises
        ------
        TableError
            A table, a target or an option that cannot be used; size out of range; weights.
        """
        for name, given in weights.items():
            if name != "sample_weight":
                raise TypeError(f"{type(self).__name__}.fit() has no argument {name!r}")
            if given is not None:
                self.refuse_weights()
        return self._fit(X, y, None, groups)

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> "BaseSelector":
        y, sample_weight, groups = map(brought_here, (y, sample_weight, groups))
        refuse_other_rows(X, y=y, sample_weight=sample_weight, groups=groups)
        table = validation.read_features(self, X, reset=True)
        if y is None and "blind" in self.about.flaws:  # any target will do
            target = read_asked_target(np.arange(float(table.shape[0])), table.shape[0], "numbers")
        else:
            target = read_asked_target(y, table.shape[0], self.target_kind)
        self.refuse_target(target)
        rows, _ = asked_groups(groups, table, target)
        weights = None
        if sample_weight is not None:
            weights = validation.weights_of_rows(sample_weight, len(target))
            validation.refuse_uncounted(weights)
            if self.target_kind == MARTINGALE:
                target = read_asked_target(y, len(target), MARTINGALE, weights)
            known, table, target, weights = weighed_rows(table, target, weights)
            rows = None if rows is None else rows[known]
        if isinstance(target, Classes):
            self.classes_ = target.by_label().labels
        p = table.shape[1]
        asked = () if self.size is None else (check_size(self.size, p),)
        table = rescaled(table, self.scale).resolve_missing(self.missing)
        validation.refuse_constant(table)
        seed = seed_drawn("random_state", self.random_state)
        problem = Problem(table, target, asked, seed, weights, row_groups=rows)
        self.answer_ = self.solve(problem)
        left_out = range(p) if self.unsupported == "skip" else ()
        ranked = {
            *self.supported(table, target.kind).tolist(),
            *column_choices.positions(table.names, self.always),
        }
        names = table.names
        self.unranked_ = tuple(names[j] for j in left_out if j not in ranked)
        if isinstance(self.answer_, Ranking):
            self.ranking_, self.importances_ = self.answer_.ranks, self.answer_.importance
        self.size_ = asked[0] if asked else self._open_size()
        return self

    def _open_size(self) -> int:
        """The size that is selected where none was asked for."""
        if isinstance(self.answer_, SearchPath):
            return self.answer_.best_size
        half = min(len(self.schema_.columns) // 2, self.answer_.sizes[-1])
        return max(1, half, self.answer_.sizes[0])

    def solve(self, problem: Problem) -> Answer:
        """Answer a problem, without reading a data frame; fits nothing.

        What the method does not take and what memory does not hold is a TableError; a method that
        gives no answer, or an impossible one, is a TypeError or ValueError.
        """
        always = problem.always or column_choices.positions(problem.table.names, self.always)
        sizes = column_choices.sizes_with(problem, always)
        if (always, sizes) != (problem.always, problem.sizes):
            problem = replace(problem, always=always, sizes=sizes)
        if self.unsupported not in column_choices.UNSUPPORTED:
            raise TableError(f"unsupported must be 'error' or 'skip'. Got {self.unsupported!r:.60}")
        columns = self.supported(problem.table, problem.target.kind)
        part = self.unsupported == "skip" and 0 < len(columns) < problem.p
        answer = self._checked(column_choices.of_columns(problem, columns) if part else problem)
        if part:
            answer = column_choices.of_whole_table(answer, columns, problem.p)
        return column_choices.with_always(answer, always) if always else answer

    def _checked(self, problem: Problem) -> Answer:
        """The answer of the method to a problem that it takes, and that is one."""
        self.refuse_target(problem.target)
        self.refuse_columns(problem.table, problem.target.kind)
        if problem.weights is not None:
            self.refuse_weights()
        method = parameter_types.with_declared_types(self, SHARED)
        if (cost := method._cost(problem)) is not None:
            refuse_memory(self._called, cost, problem)
        with seeded_globals(problem.seed):
            answer = method._select(problem)
        if not isinstance(answer, Answer):
            raise TypeError(
                f"_select must answer with a Ranking or a SearchPath. Got {answer!r:.80}"
            )
        answer.check(problem.p)
        refuse_unknown(self._called, answer, problem.table.names)
        if "constant" in self.about.flaws:
            return answer
        return column_choices.with_last(answer, validation.constant_columns(problem.table))

    def _cost(self, problem: Problem) -> Cost | None:
        """What it costs with its parameters; None for a method that looks after its memory."""
        return self.about.cost_for(problem.target.kind)

    def supported(self, table: Table, target: str = "classes") -> np.ndarray:
        """Indices of the columns of the kinds that the method takes for a kind of target."""
        takes = self.about.takes_for(target)
        return np.flatnonzero([column.kind in takes for column in table.schema.columns])

    def refuse_target(self, target: TypedTarget) -> None:
        """Refuse a target of a kind that the method does not take, by a TableError."""
        refuse_target(self._called, self.about, target)

    def refuse_columns(self, table: Table, target: str = "classes") -> None:
        """Refuse a table with columns of a kind that the method does not take, by a TableError."""
        validation.refuse_kinds(self._called, self.about.takes_for(target), table)

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Refuse weights of rows, where the method or a parameter of it cannot use them.

        `option` is what the weights are called where they were given.
        """
        raise TableError(f"{option}: {self._called} cannot weigh rows. Leave them out")

    def _select(self, problem: Problem) -> Answer:
        """Answer of the method; nothing of it is kept on the selector."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say how to select")

    @property
    def revision(self) -> int | str:
        """Goes up when the method's answers change: cells of a study know it."""
        return self.about.revision

    @property
    def _called(self) -> str:
        """What an error calls the method."""
        return self.about.title or type(self).__name__

    @classmethod
    def foreign_versions(cls) -> dict[str, str]:
        """Versions of what the method runs on outside Python, such as R; a study records them."""
        return {}

    def signature(self, size: int | None = None) -> np.ndarray:
        """Indices of the selected features, best first, for this size (None: the one fitted)."""
        check_is_fitted(self, "answer_")
        return self.answer_.signature(self.size_ if size is None else size)

    def frame(self) -> pd.DataFrame:
        """The answer as a data frame.

        A ranking, best first: rank, feature, kind, importance, p_value where the method is a test
        and p_adjusted, that of Benjamini and Hochberg over the columns (scipy),
        verdict where it says what of its order is that of the optimum: "proved", "tie 17-19" (with
        the ranks that tie) or "open", see :class:`hetsel.Ranking`, always where columns are always
        in, and step where features were dropped or chosen step by step: the importance is that at
        this step, and only features of one step compare by it. So it does not fall with the rank;
        sort by rank. Step 0 is for features that no step names.

        A search over subsets, by size: size, score, features.
        """
        check_is_fitted(self, "answer_")
        columns = self.schema_.columns
        answer = self.answer_
        if not isinstance(answer, Ranking):
            rows = [
                (size, answer.score(size), [columns[j].name for j in answer.signature(size)])
                for size in answer.sizes
            ]
            return pd.DataFrame(rows, columns=["size", "score", "features"])
        order = answer.order
        content = {
            "rank": np.arange(1, len(order) + 1),
            "feature": [columns[j].name for j in order],
            "kind": [columns[j].kind for j in order],
            "importance": answer.importance[order],
        }
        if "p_value" in answer.extras:
            from scipy.stats import false_discovery_control  # heavy: loaded when a test asks for it

            p = content["p_value"] = answer.extras["p_value"][order]
            content["p_adjusted"] = p.copy()
            tested = np.isfinite(p)
            content["p_adjusted"][tested] = false_discovery_control(p[tested])
        if any(answer.cuts):
            content["verdict"] = verdicts_in_words.by_rank(answer.cuts)
        if answer.always:
            content["always"] = np.arange(len(order)) < answer.always
        if answer.steps:
            content["step"] = answer.step_of[order]
        return pd.DataFrame(content)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "answer_")
        mask = np.zeros(len(self.schema_.columns), dtype=bool)
        mask[self.signature()] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = "blind" not in self.about.flaws
        tags.input_tags.allow_nan = True
        # not input_tags.categorical: it makes check_estimator round its tables to whole numbers,
        # targets included, and a class of one row is left
        return tags


class WeighingSelector(BaseSelector):
    """A method that can weigh rows."""

    def fit(  # type: ignore[override]
        self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None
    ) -> BaseSelector:
        """Select features of a table.

        Parameters
        ----------
        X, y, groups
            See :meth:`BaseSelector.fit`.
        sample_weight : array-like of shape (n,), optional
            Weight of each row: one of weight 2 counts as two rows that are alike, one of weight 0
            is left out. What fills missing cells is learned from the rows as they are.

        Raises
        ------
        TableError
            A table, a target or an option that cannot be used; weights beside such an option.
        """
        return self._fit(X, y, sample_weight, groups)

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Refuse weights of rows, where a parameter of the method cannot use them."""


class UnivariateFilter(BaseSelector):
    """A method whose whole content is a score of each feature on its own."""

    def _score(self, problem: Problem) -> np.ndarray:
        """Score (p,) of each feature; larger is better."""
        raise TypeError(f"{type(self).__name__} is no filter: it does not say how to score")

    def _select(self, problem: Problem) -> Ranking:
        return Ranking.from_importance(self._score(problem))
