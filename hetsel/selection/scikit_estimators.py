"""Estimators of scikit-learn: their seeds, their folds and the targets that they accept."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor

from hetsel.ground import TableError
from hetsel.tables import TargetKind


def with_seed(estimator: Any, seed: int) -> Any:
    """Clone an estimator and set every `random_state` of None to the seed."""
    estimator = clone(estimator)
    for name, value in estimator.get_params(deep=True).items():
        if value is None and name.rpartition("__")[2] == "random_state":
            estimator.set_params(**{name: seed})
    return estimator


def hold_groups_together(estimator: Any, y: np.ndarray, groups: np.ndarray, seed: int) -> None:
    """Make every parameter `cv` of an estimator hold out row groups together.

    A number of folds, or None (5) of scikit-learn estimators, becomes StratifiedGroupKFold. A
    splitter splits with these groups. A `cv` that separates the rows of a group, or that lies
    inside another `cv`, is refused.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    params = estimator.get_params(deep=True)
    owners = {name[: -len("cv")]: name for name in params if name.split("__")[-1] == "cv"}
    for path, name in owners.items():
        value, owner = params[name], params.get(path[:-2], estimator)
        if value is None and type(owner).__init__.__module__.startswith("sklearn."):
            value = 5
        if value is None or isinstance(value, str) or (isinstance(value, int) and value < 2):
            continue  # no rows are held out
        if any(path != outer and path.startswith(outer) for outer in owners):
            raise TableError(f"{name} must not lie inside another cv, which ignores row groups")
        if isinstance(value, int):
            value = StratifiedGroupKFold(value, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of ignored groups, an error below
            splits = list(value.split(y, y, groups) if hasattr(value, "split") else value)
        if any(np.isin(groups[train], groups[test]).any() for train, test in splits):
            raise TableError(
                f"{name} must hold out the rows of a group together. Got {params[name]!r:.80}. Use "
                "a number of folds, or a splitter such as GroupKFold"
            )
        estimator.set_params(**{name: splits})


def predicts(estimator: Any) -> TargetKind | None:
    """Return the kind of target that an estimator predicts, or None if unknown."""
    if _of_scikit_survival(innermost(estimator)):
        return "survival"
    if not hasattr(estimator, "__sklearn_tags__"):
        return None
    if is_regressor(estimator):
        return "numbers"
    return "classes" if is_classifier(estimator) else None


def innermost(estimator: Any) -> Any:
    """Return the innermost estimator of pipelines, searches and other meta-estimators."""
    while not _of_scikit_survival(estimator):
        if is_pipeline(estimator):
            inner = estimator.steps[-1][1] if estimator.steps else None
        else:
            names = ("best_estimator_", "estimator_", "estimator")
            inner = next((getattr(estimator, n) for n in names if hasattr(estimator, n)), None)
        if not hasattr(inner, "fit") or isinstance(inner, type):
            break
        estimator = inner
    return estimator


def is_pipeline(estimator: Any) -> bool:
    from sklearn.pipeline import Pipeline  # slow to load: only for estimators as judges

    return isinstance(estimator, Pipeline)


def _of_scikit_survival(estimator: Any) -> bool:
    return any(kind.__module__.startswith("sksurv.") for kind in type(estimator).__mro__)


# Selectors inside pipelines and searches.


SCORED = {  # score functions of scikit-learn by the kind of target that they accept
    "classes": ("chi2", "f_classif", "mutual_info_classif"),
    "numbers": ("f_regression", "mutual_info_regression", "r_regression"),
}
EVERY_KIND: tuple[TargetKind, ...] = ("classes", "numbers", "survival")
# what a fitted or unfitted selector has; models have none of these
_MARKS = ("get_support", "subsets_", "ranking_", "support_")


def is_search(estimator: Any) -> bool:
    """Return whether it is a search of scikit-learn over parameters, such as GridSearchCV."""
    from sklearn.model_selection._search import BaseSearchCV  # slow to load: only for estimators

    return isinstance(estimator, BaseSearchCV)


def place_of_selector(pipeline: Any) -> int:
    """Return the place of the last step of a pipeline that is a selector, else the last place."""
    last = len(pipeline.steps) - 1
    places = (k for k in range(last, -1, -1) if _holds_selector(pipeline.steps[k][1]))
    return next(places, last)


def _holds_selector(estimator: Any) -> bool:
    if is_search(estimator):
        return _holds_selector(estimator.estimator)
    if is_pipeline(estimator):
        return any(_holds_selector(step) for _, step in estimator.steps)
    return any(hasattr(estimator, name) for name in _MARKS)


def target_limits(selector: Any) -> list[tuple[TargetKind, str]]:
    """Return the parts of a selector that accept one kind of target only, each with its reason.

    A part is a score function, or the estimator inside a selector. Of a search it is that of its
    estimator; of a pipeline those of its selectors and of its last step.

    Examples
    --------
    >>> from sklearn.feature_selection import RFE, SelectKBest
    >>> from sklearn.linear_model import Ridge
    >>> target_limits(SelectKBest()), target_limits(RFE(Ridge()))
    ([('classes', 'f_classif scores classes')], [('numbers', 'Ridge is a regressor')])
    """
    if isinstance(selector, type):
        return []
    if is_search(selector):
        return target_limits(selector.estimator)
    if is_pipeline(selector):
        steps = [step for _, step in selector.steps]
        own = [step for step in steps[:-1] if _holds_selector(step)] + steps[-1:]
        return [limit for step in own for limit in target_limits(step)]
    function = getattr(selector, "score_func", None)
    if function is not None:
        name = getattr(function, "__name__", "")
        of_scikit = getattr(function, "__module__", "").startswith("sklearn.")
        kinds = [kind for kind, names in SCORED.items() if of_scikit and name in names]
        return [(kind, f"{name} scores {kind}") for kind in kinds]  # type: ignore[misc]
    inner = getattr(selector, "estimator", None)
    if inner is None and not _holds_selector(selector):
        inner = selector  # the model at the end of a pipeline
    kind = predicts(inner)
    noun = {"classes": "classifier", "numbers": "regressor", "survival": "survival model"}
    return [] if kind is None else [(kind, f"{type(inner).__name__} is a {noun[kind]}")]
