"""Selectors of scikit-learn as methods of hetsel."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Literal

import numpy as np
import pandas as pd

from hetsel.ground import TableError
from hetsel.selection import scikit_estimators
from hetsel.selection.about import About, refuse_target
from hetsel.selection.answer import Answer, Ranking, SearchPath, order_best_first
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.tables import Classes, Survival, Table, TypedTarget, survival
from hetsel.tables.validation import constant_columns


class ScikitSelector(BaseSelector):
    """Use a selector of scikit-learn as a method of hetsel.

    The answer comes from the first of these attributes that the fitted selector has:

    - `subsets_` (mlxtend's sequential search): the best subset of each size;
    - `ranking_` (RFE, Boruta): features by their best rank, then by the importances of the final
      estimator if it has them, then by column;
    - `scores_` (SelectKBest) or `variances_`;
    - the importances or absolute coefficients of `estimator_` (SelectFromModel);
    - its support: one signature of that size.

    The selector may be a step of a pipeline; the answer is that of the last selector of the
    pipeline. The steps before it must keep the columns. The estimator may also be a search over
    parameters, such as GridSearchCV: the answer is that of its `best_estimator_`.

    The kinds of targets follow from the score function and the estimator inside: numbers for
    `SelectKBest(f_regression)`, `RFE(Ridge())` or `SelectFromModel(Lasso())`. If neither is known,
    every kind is accepted. Survival times are a structured array as in scikit-survival.

    The global generators of numpy and Python are seeded, too. With row groups, a number of folds in
    a parameter `cv` becomes stratified folds that keep groups together. A `cv` that separates the
    rows of a group is refused.

    Parameters
    ----------
    estimator : estimator
        Any object with `fit(X, y)` and one of these attributes; it is cloned. A `random_state` of
        None is set to the seed.
    encoding : {"one-hot", "whole"}
        Encoding of nominal columns. "one-hot": an array with a 0/1 column for each level; scores
        and importances of the columns of a feature are summed, and its rank is their best rank.
        "whole": a data frame in which nominal columns have the category dtype of pandas. In both,
        ordinal columns are the numbers of their levels.

    See Also
    --------
    hetsel.get_method : Methods of hetsel by key.

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> ScikitSelector(estimator=SelectKBest(k=1)).fit(frame, [0, 0, 1, 1]).signature(1)
    array([1])
    """

    estimator: Any = None
    encoding: Literal["one-hot", "whole"] = "one-hot"

    about = About(
        "a selector of scikit-learn",
        paper="scikit-learn",
        targets=scikit_estimators.EVERY_KIND,
        draws=True,
    )

    def refuse_target(self, target: TypedTarget) -> None:
        """Raise a TableError for a kind of target that a part of the selector does not accept."""
        limits = scikit_estimators.target_limits(self.estimator)
        kinds = tuple(dict.fromkeys(kind for kind, _ in limits))
        if len(kinds) > 1:
            raise TableError(
                f"{self._called} must have parts for one kind of target. Got parts for "
                f"{' and '.join(kinds)}: {', '.join(dict.fromkeys(why for _, why in limits))}"
            )
        if kinds and target.kind not in kinds:
            why = f"{limits[0][1]}; use a selector of scikit-learn for this kind of target"
            about = replace(self.about, targets=kinds, why_not={target.kind: why})
            refuse_target(self._called, about, target)
        super().refuse_target(target)

    def _select(self, problem: Problem) -> Answer:
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "fit"):
            raise TableError(f"estimator must have a method fit. Got {self.estimator!r:.80}")
        if self.encoding == "one-hot":
            encoded = one_hot(problem.table)
        elif self.encoding == "whole":
            encoded = with_categories(problem.table)
        else:
            raise TableError(f"encoding must be 'one-hot' or 'whole'. Got {self.encoding!r}")
        seed = int(problem.rng().integers(2**31 - 1))
        estimator = scikit_estimators.with_seed(self.estimator, seed)
        if problem.row_groups is not None:
            strata = problem.target.strata
            scikit_estimators.hold_groups_together(estimator, strata, problem.row_groups, seed)
        estimator.fit(encoded.values, target_values(problem.target))
        selector = fitted_selector(estimator, encoded)
        return answer_of(selector, encoded.owner, problem.p, constant_columns(problem.table))

    @property
    def _called(self) -> str:
        return type(self.estimator).__name__


def target_values(target: TypedTarget) -> np.ndarray:
    """Return a target (n,) as scikit-learn and scikit-survival receive it."""
    if isinstance(target, Classes):
        return target.codes.copy()
    if isinstance(target, Survival):
        return survival(target.times, target.events)
    return target.values.copy()


def fitted_selector(estimator: Any, encoded: "Encoded") -> Any:
    """Return the fitted selector inside a fitted pipeline or search."""
    while True:
        if scikit_estimators.is_search(estimator):
            if not hasattr(estimator, "best_estimator_"):
                raise TableError(
                    f"{type(estimator).__name__} must fit its best estimator to all training rows. "
                    f"Got refit={estimator.refit!r}. Set refit to True"
                )
            estimator = estimator.best_estimator_
        elif scikit_estimators.is_pipeline(estimator):
            place = scikit_estimators.place_of_selector(estimator)
            _check_columns_kept(estimator[:place], encoded)
            estimator = estimator.steps[place][1]
        else:
            return estimator


@dataclass(frozen=True, eq=False)
class Encoded:
    """A table as scikit-learn receives it."""

    values: Any  # array or data frame (n, q)
    owner: np.ndarray  # (q,), the feature that each column belongs to
    names: tuple[str, ...]


def one_hot(table: Table) -> Encoded:
    """Encode nominal columns as a 0/1 column for each observed level, others as numbers."""
    columns, owner = [], []
    for f, cells in enumerate(table.values.T):
        if table.nominal[f]:
            levels = np.unique(cells)
            columns += [(cells == level).astype(np.float64) for level in levels]
            owner += [f] * len(levels)
        else:
            columns.append(cells)
            owner.append(f)
    names = tuple(f"x{j}" for j in range(len(columns)))
    return Encoded(np.column_stack(columns), np.array(owner), names)


def with_categories(table: Table) -> Encoded:
    """Encode nominal columns as categories of level codes, others as numbers."""
    columns = {
        f"x{f}": pd.Categorical(cells.astype(np.int64)) if table.nominal[f] else cells.copy()
        for f, cells in enumerate(table.values.T)
    }
    return Encoded(pd.DataFrame(columns), np.arange(table.shape[1]), tuple(columns))


def _check_columns_kept(before: Any, encoded: Encoded) -> None:
    """Refuse steps before the selector of a pipeline that change the columns."""
    if not len(before):
        return
    try:
        told = before.get_feature_names_out(list(encoded.names))
        names = [str(name).rpartition("__")[2] for name in told]
    except (AttributeError, ValueError):  # a step without names: count the columns
        names = list(encoded.names)[: before.transform(encoded.values).shape[1]]
    if names != list(encoded.names):
        raise TableError(
            "the steps of a pipeline before the selector must keep the columns and their order, "
            f"like a scaler. Got {len(encoded.names)} columns in and {len(names)} other columns out"
        )


def answer_of(
    selector: Any, owner: np.ndarray, p: int, constant: np.ndarray | None = None
) -> Answer:
    """Return the answer of a fitted selector on columns that belong to features `owner` (q,).

    Constant features (a mask, (p,)) need no score.
    """
    empty = np.zeros(len(owner), dtype=bool) if constant is None else constant[owner]
    if isinstance(getattr(selector, "subsets_", None), Mapping):
        return _path_of(selector.subsets_, owner, p)
    if hasattr(selector, "ranking_"):
        ranks = np.asarray(selector.ranking_, dtype=np.float64)
        best = np.full(p, np.inf)
        np.minimum.at(best, owner, ranks)
        tie = np.zeros(len(owner))
        within = _importances(selector)
        if within is not None and len(within) == int(np.sum(selector.support_)):
            tie[np.asarray(selector.support_)] = within
        best[owner[np.isnan(tie)]] = np.nan
        order = order_best_first(-best, _summed(tie, owner, p))
        return Ranking(order, -best, first=np.empty(0))
    for name in ("scores_", "variances_"):
        if hasattr(selector, name):
            scores = np.asarray(getattr(selector, name), dtype=np.float64)
            scores = np.where(np.isnan(scores) & empty, 0.0, np.nan_to_num(scores, nan=np.nan))
            return Ranking.from_importance(_summed(scores, owner, p))
    importances = _importances(selector)
    if importances is not None and len(importances) == len(owner):
        return Ranking.from_importance(_summed(importances, owner, p))
    if not hasattr(selector, "get_support"):
        raise TableError(
            f"estimator must be a selector with subsets_, ranking_, scores_, estimator_ with "
            f"importances, or get_support. Got {type(selector).__name__}"
        )
    chosen = np.unique(owner[np.asarray(selector.get_support())])
    if not len(chosen):
        raise TableError(f"{type(selector).__name__} selected no features")
    return SearchPath(p, {len(chosen): chosen})


def _summed(values: np.ndarray, owner: np.ndarray, p: int) -> np.ndarray:
    """Sum the values (q,) of the columns of each feature (p,)."""
    return np.bincount(owner, weights=values, minlength=p)


def _importances(selector: Any) -> np.ndarray | None:
    """Return the importance of each column of the inner estimator, or None."""
    estimator = getattr(selector, "estimator_", None)
    getter = getattr(selector, "importance_getter", "auto")
    if estimator is None:
        return None
    if callable(getter):
        coefficients = getter(estimator)
    elif getter != "auto":
        coefficients = attrgetter(getter)(estimator)
    else:
        coefficients = getattr(estimator, "coef_", getattr(estimator, "feature_importances_", None))
    if coefficients is None:
        return None
    values = np.abs(np.asarray(coefficients, dtype=np.float64))
    return values if values.ndim == 1 else values.sum(axis=0)


def _path_of(subsets: Mapping[Any, Any], owner: np.ndarray, p: int) -> SearchPath:
    """Return the best subset of features of each size from subsets of columns."""
    chosen: dict[int, np.ndarray] = {}
    scores: dict[int, float] = {}
    for entry in subsets.values():
        features = np.unique(owner[np.asarray(entry["feature_idx"], dtype=np.int64)])
        score = float(entry.get("avg_score", np.nan))
        size = len(features)
        if size and (size not in chosen or score > scores[size]):
            chosen[size], scores[size] = features, score
    return SearchPath(p, chosen, scores)
