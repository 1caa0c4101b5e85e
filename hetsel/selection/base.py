"""BaseSelector: what every selection method shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from hetsel.selection.answer import Ranking, check_size
from hetsel.tables.table import Schema, Table
from hetsel.tables.validation import encode_target, read_features, refuse_constant


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
        self.result_ = self.rank_table(table, codes, self.classes_, (self.size_,), seed)
        self.ranking_ = self.result_.ranks
        self.importances_ = self.result_.importance
        self.trace_ = self.result_.trace
        return self

    def rank_table(
        self, table: Table, codes: np.ndarray, classes: Any, sizes: Sequence[int], seed: int
    ) -> Ranking:
        """Rank the columns of a complete, encoded table, without reading a data frame.

        Parameters
        ----------
        table : Table of shape (n, p)
            Training rows, their missing cells settled.
        codes : ndarray of int, shape (n,)
            Class codes 0..c-1, all present.
        classes : sequence of length c
            Labels of the classes.
        sizes : sequence of int
            Sizes of the signatures that will be asked for.
        seed : int
            Seed of the methods that draw.
        """
        self.classes_, self.schema_ = classes, table.schema
        return self._select(table, codes, sizes, np.random.default_rng(seed))

    def _select(
        self, table: Table, y: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
    ) -> Ranking:
        """Answer for a complete table (n, p) and class codes y (n,) in 0..c-1."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say how to select")

    @classmethod
    def foreign_versions(cls) -> dict[str, str]:
        """Versions of what the method runs on outside Python, such as R; a study records them."""
        return {}

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
        # not input_tags.categorical: it makes check_estimator round its tables to whole numbers,
        # targets included, and a class of one row is left
        return tags
