"""BaseSelector, what every selection method shares, and the registry of methods."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar, Literal, cast

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from hetsel.ranking import Ranking, check_size
from hetsel.table import Missing, Names, Schema, Table, TableError

MANY_CLASSES = 20  # a numeric target of more distinct values than this is no class label


@dataclass(eq=False, repr=False)
class BaseSelector(SelectorMixin, BaseEstimator):
    """A selection method for mixed tables, as a scikit-learn selector.

    A method overrides one thing, :meth:`_select`.

    Parameters
    ----------
    size : int, optional
        Number of features to select; None selects half of them, at least one. Every size is at
        hand after one fit: see :meth:`signature`.
    nominal, ordinal, continuous : sequence of column names or positions, optional
        Columns of this kind whatever their dtype; see :meth:`hetsel.Schema.infer`.
    schema : Schema, optional
        What the columns are, fixed beforehand; then nothing is inferred.
    missing : {"impute", "separate", "error"}
        What becomes of missing cells; see :meth:`hetsel.Table.resolve_missing`.
    random_state : int, RandomState or None
        Seed of the methods that draw. The default is fixed: the same call gives the same answer.

    Attributes
    ----------
    ranking_ : ndarray of int, shape (p,)
        Rank of each feature, 1 is best.
    importances_ : ndarray of float, shape (p,)
        Importance of each feature, larger is better; see :class:`hetsel.Ranking`.
    trace_ : tuple of Step
        How the order came about.
    result_ : Ranking
        The ranking itself.
    schema_ : Schema
        What each column was taken for.
    classes_ : ndarray
        Labels of the classes.
    """

    size: int | None = None
    _: KW_ONLY
    nominal: Any = None
    ordinal: Any = None
    continuous: Any = None
    schema: Schema | None = None
    missing: Any = "impute"
    random_state: Any = 0

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    family: ClassVar[Literal["filter", "wrapper", "embedded"]] = "filter"
    revision: ClassVar[int] = 1
    requires: ClassVar[tuple[str, ...]] = ()
    paper: ClassVar[str] = ""
    takes: ClassVar[tuple[str, ...]] = ("continuous", "ordinal", "nominal")
    classes: ClassVar[Literal["two", "any"]] = "any"

    def fit(self, X: Any, y: Any = None) -> BaseSelector:
        """Rank the features of a table.

        Parameters
        ----------
        X : DataFrame or array of shape (n, p)
            An array of numbers has continuous columns only, unless the options say otherwise.
        y : array-like of shape (n,)
            Class labels.

        Raises
        ------
        TableError
            A table, a target or an option that cannot be used.
        ValueError
            size out of range.
        """
        table = read_features(self, X, reset=True)
        self.classes_, codes = encode_target(y, len(table.values))
        p = table.shape[1]
        self.size_ = max(1, p // 2) if self.size is None else check_size(self.size, p)
        table = table.resolve_missing(self.missing)
        refuse_constant(table)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        self.result_ = self._select(table, codes, (self.size_,), np.random.default_rng(seed))
        self.ranking_ = self.result_.ranks
        self.importances_ = self.result_.importance
        self.trace_ = self.result_.trace
        return self

    def _select(
        self, table: Table, y: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
    ) -> Ranking:
        """Answer for a complete table (n, p) and class codes y (n,) in 0..c-1."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say how to select")

    def signature(self, size: int | None = None) -> np.ndarray:
        """Indices of the selected features, best first, for this size (None: the one fitted)."""
        check_is_fitted(self, "result_")
        return self.result_.signature(self.size_ if size is None else size)

    def frame(self) -> pd.DataFrame:
        """The ranking as a data frame, best first: rank, feature, kind, importance."""
        check_is_fitted(self, "result_")
        order = self.result_.order
        columns = self.schema_.columns
        return pd.DataFrame(
            {
                "rank": np.arange(1, len(order) + 1),
                "feature": [columns[j].name for j in order],
                "kind": [columns[j].kind for j in order],
                "importance": self.result_.importance[order],
            }
        )

    def transform(self, X: Any) -> Any:
        """The selected columns; a data frame stays a data frame with its dtypes."""
        check_is_fitted(self, "result_")
        if not isinstance(X, pd.DataFrame):
            return super().transform(X)
        validate_data(self, X, skip_check_array=True, reset=False)
        return X.loc[:, self.get_support()]

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "result_")
        mask = np.zeros(len(self.ranking_), dtype=bool)
        mask[self.signature()] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def read_features(estimator: Any, X: Any, *, reset: bool) -> Table:
    """The encoded table of an estimator's X; `reset` infers (or takes) the schema, else replays it.

    Missing cells stay NaN. Sets schema_, n_features_in_ and, for named columns, feature_names_in_.
    """
    if not isinstance(X, pd.DataFrame):
        array = np.asarray(X) if isinstance(X, list | tuple) else X
        if getattr(array, "dtype", None) == object and getattr(array, "ndim", 0) == 2:
            array = np.asarray(array)
            check_array(array, dtype=None, ensure_all_finite="allow-nan")
            validate_data(estimator, array, skip_check_array=True, reset=reset)
            X = array
        else:
            X = validate_data(
                estimator, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset
            )
    else:
        validate_data(estimator, X, skip_check_array=True, reset=reset)
    if reset:
        if estimator.schema is not None:
            estimator.schema_ = estimator.schema
        else:
            estimator.schema_ = Schema.infer(
                X,
                nominal=estimator.nominal,
                ordinal=estimator.ordinal,
                continuous=estimator.continuous,
            )
        return estimator.schema_.encode(X)
    return estimator.schema_.encode(X, unseen=getattr(estimator, "unseen", "error"))


def encode_target(y: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Class labels and the code (n,) of each row.

    Raises
    ------
    TableError
        No target, of another length, with missing cells, constant, continuous, or with a class of
        one row.
    """
    if y is None:
        raise TableError("requires y to be passed, but the target y is None")
    cells = pd.Series(np.asarray(y).ravel() if not isinstance(y, pd.Series) else y)
    if np.ndim(y) == 2 and np.shape(y)[1] > 1:
        raise TableError(f"the target must be one column. Got {np.shape(y)[1]}")
    if len(cells) != n:
        raise TableError(f"the target must have {n} rows, as the table. Got {len(cells)}")
    if n_missing := int(cells.isna().sum()):
        raise TableError(f"the target is missing in {n_missing} rows: drop them")
    if isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.cat.remove_unused_categories()
        labels = np.asarray(cells.cat.categories)
        codes = np.asarray(cells.cat.codes, dtype=np.int64)
    else:
        values = cells.astype("object") if cells.dtype == object else cells
        array = np.asarray(values)
        if array.dtype.kind not in "iufb":
            array = np.asarray([v if isinstance(v, bool | int | float) else str(v) for v in array])
        if array.dtype.kind == "f" and np.isinf(array).any():
            raise TableError("the target holds an infinity (inf)")
        labels, codes = np.unique(array, return_inverse=True)
    _refuse_target(labels, np.bincount(codes, minlength=len(labels)), n)
    return labels, codes.astype(np.int64)


def _refuse_target(labels: np.ndarray, counts: np.ndarray, n: int) -> None:
    if len(labels) < 2:
        raise TableError(
            f"the target must have at least two classes. Got 1 class, {labels[0]!s}, in all {n} rows"
            if n > 1
            else "the target must have at least two classes. Got one sample (n_samples = 1)"
        )
    fractions = labels.dtype.kind == "f" and (labels != np.round(labels)).any()
    if labels.dtype.kind in "iuf" and (fractions or len(labels) > MANY_CLASSES):
        raise TableError(
            f"Unknown label type: the target holds {len(labels)} distinct numbers and looks "
            "continuous. Cut it into classes first, e.g. y > threshold"
        )
    if counts.min() < 2:
        name = labels[int(np.argmin(counts))]
        more = int((counts < 2).sum()) - 1
        raise TableError(
            f"every class must have at least two rows. Class {name!s} has one"
            + (f", and {more} other classes too" if more else "")
            + ": drop its row or merge the class with another"
        )


def refuse_constant(table: Table) -> None:
    """Refuse a table in which no column varies."""
    values = table.values
    first = values[:1]
    same = (values == first) | (np.isnan(values) & np.isnan(first))
    if same.all():
        raise TableError(
            f"every column is constant ({table.shape[1]} columns, {table.shape[0]} rows): "
            "there is nothing to rank"
        )


def method_keys() -> list[str]:
    """Keys of the methods: the files of hetsel.methods, then what other packages register."""
    package = importlib.import_module("hetsel.methods")
    own = [m.name.replace("_", "-") for m in pkgutil.iter_modules(package.__path__)]
    return sorted(own) + sorted(e.name for e in entry_points(group="hetsel.methods"))


def get_method(key: str) -> type[BaseSelector]:
    """The class of a method.

    Raises
    ------
    ValueError
        No method of that key.
    """
    keys = method_keys()
    if key not in keys:
        raise ValueError(f"method must be one of {', '.join(keys)}. Got {key!r}")
    for entry in entry_points(group="hetsel.methods"):
        if entry.name == key:
            return cast(type[BaseSelector], entry.load())
    module = importlib.import_module(f"hetsel.methods.{key.replace('-', '_')}")
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, BaseSelector) and value.key == key:
            return value
    raise ValueError(f"{module.__name__} has no selector whose key is {key!r}")


def method_table() -> pd.DataFrame:
    """The catalogue as a data frame: key, title, family, kinds, classes, extras and paper."""
    rows = []
    for key in method_keys():
        method = get_method(key)
        rows.append(
            {
                "key": key,
                "title": method.title,
                "family": method.family,
                "takes": ", ".join(method.takes),
                "classes": method.classes,
                "requires": ", ".join(method.requires),
                "paper": method.paper,
            }
        )
    return pd.DataFrame(rows)
