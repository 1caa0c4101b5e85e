"""The base classes of selectors: scikit-learn estimators that select features."""

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

# parameters of every selector
SHARED = (
    *("size", "nominal", "ordinal", "continuous", "schema"),
    *("missing", "scale", "target_kind", "random_state"),
)


@dataclass_transform(kw_only_default=True)
class _Declared:
    """Make the annotated names of a subclass its keyword-only parameters."""

    _example: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        base = globals().get("BaseSelector")  # None while BaseSelector itself is defined
        if base is not None and cls.__doc__:
            parent = next(known for known in cls.__mro__[1:] if issubclass(known, base))
            cls.__doc__ = with_shared_parameters(cls.__doc__, parent.__doc__ or base.__doc__)
            if "about" in vars(cls) and cls.__module__.partition(".")[0] == "hetsel":
                example = cls._example or EXAMPLES.get(vars(cls)["about"].takes, EXAMPLE)
                cls.__doc__ = with_example(cls.__doc__, example, cls.__name__)
        dataclass(eq=False, repr=False, kw_only=True)(cls)


@dataclass(eq=False, repr=False)
class BaseSelector(_Declared, selected_columns.SelectedColumns, BaseEstimator):
    """Select features of mixed tables as a scikit-learn selector; the base class of all methods.

    A method is a subclass with a class attribute `about`, its own parameters as annotated names,
    and one method, `_select`, that turns a :class:`Problem` into an answer.

    Parameters
    ----------
    size : int, optional
        Number of features to select. Default: half of the features, or the best size of a search. A
        ranking lists all features. See :meth:`signature`.
    nominal : sequence of column names or positions, or slice, optional
        Columns to read as unordered levels, whatever their type.
    ordinal : sequence of column names or positions, or mapping of name to levels, optional
        Columns to read as ordered levels with equal distances. A column of numbers is ordered by
        its numbers; for text, map the name of the column to its levels from lowest to highest.
    continuous : sequence of column names or positions, or slice, optional
        Columns to read as numbers or dates, whatever their type.
    schema : Schema, optional
        Kinds and levels of all columns, fixed beforehand; hetsel then infers none.
    missing : {"impute", "separate", "error"}
        Handling of missing values. "impute": replace them with the median, or in nominal columns
        with the most frequent level. "separate": missing is a value of its own, equal to other
        missing values and different from all numbers and levels. "error": refuse them. Default:
        "impute". See :meth:`hetsel.Table.resolve_missing`.
    unsupported : {"error", "skip"}
        Handling of columns of a kind that the method cannot use. "error": refuse them. "skip":
        leave them without a rank, so that they are not selected. Default: "error".
    always : sequence of column names or positions, or a logical value for each column, optional
        Columns to include in every signature: they are ranked first and never eliminated.
    scale : {"range", "quantile", "robust"}
        Scaling of continuous columns. "range": divide by the range, which one outlier can stretch.
        "quantile": replace each value by the proportion of rows with a smaller value. "robust":
        divide by the range of the middle 90% of the rows. Default: "range". See
        :class:`hetsel.Rescaling`.
    target_kind : {"classes", "numbers", "survival", "martingale"}, optional
        Kind of the target. Default: "survival" for survival times, "classes" for text and other
        categories, "numbers" if some numbers are not whole. Whole numbers are "classes" if they
        have at most 20 different values; for more, specify "numbers" or "classes". "martingale" is
        for survival times and a method for numeric targets. The method then uses the martingale
        residuals of the model without features, which are larger where an event came sooner than
        expected. `hetsel methods` lists the methods for each kind.
    random_state : int, RandomState or None
        Seed of the random numbers, a whole number. The same call gives the same result. Default: 0.

    Attributes
    ----------
    answer_ : Ranking or SearchPath
        The result of the method.
    ranking_ : ndarray of int, shape (p,)
        Rank of each feature, 1 is best; only if the result is a ranking.
    importances_ : ndarray of float, shape (p,)
        Importance of each feature; larger is better. If the method drops or chooses features step
        by step, only features of one step can be compared; see :class:`hetsel.Ranking` and
        :meth:`frame`.
    unranked_ : tuple of str
        Columns without a rank under unsupported="skip".
    schema_ : Schema
        The kinds of the columns.
    classes_ : ndarray
        Sorted labels of the classes; only for a target of classes.

    Raises
    ------
    TableError
        In `fit`: kinds of columns or of a target that the method does not accept, or a parameter
        out of range.

    See Also
    --------
    hetsel.selection.UnivariateFilter : The base class of methods that score each feature alone.
    hetsel.selection.WeighingSelector : The base class of methods that support row weights.
    hetsel.get_method : Get a method by its key.

    Examples
    --------
    >>> from hetsel.selection import About, BaseSelector
    >>> from hetsel import Ranking
    >>> class FirstColumns(BaseSelector):
    ...     "Rank the columns in their order."
    ...     about = About("the order of the columns", flaws=("blind",))
    ...     def _select(self, problem):
    ...         return Ranking.from_importance(-np.arange(float(problem.p)))
    >>> FirstColumns(size=1).fit([[1.0, 5.0], [2.0, 4.0]] * 2, [0, 1, 0, 1]).signature()
    array([0])
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
    # how the answer depends on the requested sizes, so that studies use a selection for more sizes:
    # "unused": not at all; "cuts": they determine which cuts are proved; "depth": the largest one
    # determines how many features are ranked; "subsets": each signature may depend on all of them.
    # None is "unused" for a method of hetsel and "subsets" for another one
    use_of_sizes: ClassVar[str | None] = None

    def fit(self, X: Any, y: Any = None, *, groups: Any = None, **weights: Any) -> "BaseSelector":
        """Select features of a table.

        Parameters
        ----------
        X : Table, DataFrame (pandas, polars, Arrow, Dask, ...) or array of shape (n, p)
            The features. An array of numbers has continuous columns only, unless options specify
            otherwise. A Table is used as it is. Workers encode the partitions of a Dask frame; the
            result equals that of `X.compute()`. y, weights and groups may be Dask series, too. If
            X, y, weights and groups have an index, its labels must agree; see
            :mod:`hetsel.tables.row_labels`.
        y : array-like of shape (n,)
            The target: class labels, numbers, or survival times made by :func:`hetsel.survival`,
            for methods that accept them; see `target_kind`. None for `variance`, which ignores the
            target.
        groups : array-like of shape (n,), "copies" or "rows", optional
            Group of each row, such as the patient. Methods that hold out rows keep the rows of a
            group together. "copies": hetsel looks for groups itself: duplicate rows (equal or
            nearly equal), and rows with the same value in a column whose name marks an identifier,
            such as patient. If it finds duplicate rows and an identifier, it uses whichever puts
            more rows into groups. An identifier that hetsel finds stays a feature in any case.
            "rows": each row is a separate group. See :func:`hetsel.cautions`.
        **weights
            Only methods with a parameter `sample_weight` support row weights. Other methods accept
            only None here.

        Returns
        -------
        self : BaseSelector
            The fitted selector.

        Raises
        ------
        TableError
            A table, a target or an option that cannot be used; a size out of range; weights.
        """
        for name, given in weights.items():
            if name != "sample_weight":
                raise TypeError(f"{type(self).__name__}.fit() has no parameter {name!r}")
            if given is not None:
                self.refuse_weights()
        return self._fit(X, y, None, groups)

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> "BaseSelector":
        y, sample_weight, groups = map(brought_here, (y, sample_weight, groups))
        refuse_other_rows(X, y=y, sample_weight=sample_weight, groups=groups)
        table = validation.read_features(self, X, reset=True)
        if y is None and "blind" in self.about.flaws:  # the target is ignored
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
        """Return the size that is selected if none is requested."""
        if isinstance(self.answer_, SearchPath):
            return self.answer_.best_size
        half = min(len(self.schema_.columns) // 2, self.answer_.sizes[-1])
        return max(1, half, self.answer_.sizes[0])

    def solve(self, problem: Problem) -> Answer:
        """Answer a problem without reading a data frame; the selector stays unfitted.

        Data that the method does not accept, or that do not fit into memory, raise a TableError. A
        method with no answer or an invalid one raises a TypeError or ValueError.
        """
        always = problem.always or column_choices.positions(problem.table.names, self.always)
        sizes = column_choices.sizes_with(problem, always)
        if (always, sizes) != (problem.always, problem.sizes):
            problem = replace(problem, always=always, sizes=sizes)
        if self.unsupported not in column_choices.UNSUPPORTED:
            raise TableError(
                f"unsupported must be one of error, skip. Got {self.unsupported!r:.60}"
            )
        columns = self.supported(problem.table, problem.target.kind)
        part = self.unsupported == "skip" and 0 < len(columns) < problem.p
        answer = self._checked(column_choices.of_columns(problem, columns) if part else problem)
        if part:
            answer = column_choices.of_whole_table(answer, columns, problem.p)
        return column_choices.with_always(answer, always) if always else answer

    def _checked(self, problem: Problem) -> Answer:
        """Check the problem, run the method and check its answer."""
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
            raise TypeError(f"_select must return a Ranking or a SearchPath. Got {answer!r:.80}")
        answer.check(problem.p)
        refuse_unknown(self._called, answer, problem.table.names)
        if "constant" in self.about.flaws:
            return answer
        return column_choices.with_last(answer, validation.constant_columns(problem.table))

    def _cost(self, problem: Problem) -> Cost | None:
        """Return the cost with these parameters; None if the method checks its memory itself."""
        return self.about.cost_for(problem.target.kind)

    def supported(self, table: Table, target: str = "classes") -> np.ndarray:
        """Return the indices of the columns that the method accepts for a kind of target."""
        takes = self.about.takes_for(target)
        return np.flatnonzero([column.kind in takes for column in table.schema.columns])

    def refuse_target(self, target: TypedTarget) -> None:
        """Raise a TableError if the method does not accept this kind of target."""
        refuse_target(self._called, self.about, target)

    def refuse_columns(self, table: Table, target: str = "classes") -> None:
        """Raise a TableError if the method does not accept all kinds of columns."""
        validation.refuse_kinds(self._called, self.about.takes_for(target), table)

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Raise a TableError if the method, with its parameters, does not support row weights.

        `option` is the name of the option with the weights.
        """
        raise TableError(f"{option}: {self._called} does not support row weights. Leave them out")

    def _select(self, problem: Problem) -> Answer:
        """Return the answer of the method, without changing the selector."""
        raise TypeError(f"{type(self).__name__} must define _select to be a method")

    @property
    def revision(self) -> int | str:
        """Increases when the results of the method change; studies store it."""
        return self.about.revision

    @property
    def _called(self) -> str:
        """The name of the method in an error."""
        return self.about.title or type(self).__name__

    @classmethod
    def foreign_versions(cls) -> dict[str, str]:
        """Return versions of software outside Python, such as R; a study records them."""
        return {}

    def signature(self, size: int | None = None) -> np.ndarray:
        """Return the indices of the selected features, best first; None uses the fitted size."""
        check_is_fitted(self, "answer_")
        return self.answer_.signature(self.size_ if size is None else size)

    def frame(self) -> pd.DataFrame:
        """Return the answer as a data frame.

        A ranking has one row for each feature, best first, with rank, feature, kind and importance.
        Some methods add columns: p_value for a test, and p_adjusted, adjusted over the columns by
        Benjamini and Hochberg (scipy); verdict, which is "proved", "tie 17-19" (the tied ranks) or
        "open", see :class:`hetsel.Ranking`; always, if columns are always included; and step, if
        features were dropped or chosen step by step. Then the importance is that at this step and
        compares only features of the same step. It need not fall with the rank, so sort by rank.
        Step 0 means no step.

        A search over subsets has one row for each size, with size, score and features.

        Returns
        -------
        DataFrame
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
            from scipy.stats import false_discovery_control  # slow to load: only for tests

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
        # no input_tags.categorical: check_estimator would round its tables and targets to whole
        # numbers, which leaves a class with one row
        return tags


class WeighingSelector(BaseSelector):
    """Select features with row weights; the base class of methods that support them.

    The class is a :class:`BaseSelector` whose `fit` accepts `sample_weight`. Its problems have the
    weights in :attr:`Problem.weights`.

    See Also
    --------
    hetsel.selection.BaseSelector : The base class of all methods.

    Examples
    --------
    >>> from hetsel.selection import About, WeighingSelector
    >>> from hetsel import Ranking
    >>> class WeightedMeans(WeighingSelector):
    ...     "Rank columns by their weighted means."
    ...     about = About("weighted means", flaws=("blind",))
    ...     def _select(self, problem):
    ...         means = np.average(problem.table.values, axis=0, weights=problem.weights)
    ...         return Ranking.from_importance(means)
    >>> table, target = [[1.0, 0.0], [2.0, 9.0], [3.0, 0.5], [4.0, 0.2]], [0, 0, 1, 1]
    >>> WeightedMeans(size=1).fit(table, target, sample_weight=[1, 0, 1, 1]).signature()
    array([0])
    """

    def fit(  # type: ignore[override]
        self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None
    ) -> BaseSelector:
        """Select features of a table.

        Parameters
        ----------
        X, y, groups
            See :meth:`BaseSelector.fit`.
        sample_weight : array-like of shape (n,), optional
            Row weights: a row of weight 2 counts as two equal rows, a row of weight 0 is left out.
            Imputed values do not depend on the weights.

        Returns
        -------
        self : BaseSelector
            The fitted selector.

        Raises
        ------
        TableError
            A table, a target or an option that cannot be used; weights with an option that does not
            support them.
        """
        return self._fit(X, y, sample_weight, groups)

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Raise a TableError if a parameter of the method does not support row weights."""


class UnivariateFilter(BaseSelector):
    """Rank features by a score of each feature alone; the base class of such methods.

    A subclass defines `_score`, which returns one number for each feature; larger is better.

    See Also
    --------
    hetsel.selection.BaseSelector : The base class of all methods.

    Examples
    --------
    >>> from hetsel.selection import About, UnivariateFilter
    >>> class Spread(UnivariateFilter):
    ...     "Rank columns by their range."
    ...     about = About("the range of each column", takes=("continuous",), flaws=("blind",))
    ...     def _score(self, problem):
    ...         return np.ptp(problem.table.values, axis=0)
    >>> Spread(size=1).fit([[1.0, 5.0], [2.0, 9.0]] * 2, [0, 1, 0, 1]).signature()
    array([1])
    """

    def _score(self, problem: Problem) -> np.ndarray:
        """Return the score (p,) of each feature; larger is better."""
        raise TypeError(f"{type(self).__name__} must define _score to be a filter")

    def _select(self, problem: Problem) -> Ranking:
        return Ranking.from_importance(self._score(problem))
