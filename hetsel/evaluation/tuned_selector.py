"""A method whose parameters are chosen by inner resamplings of the training rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from sklearn.base import clone

from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec, default_judges
from hetsel.evaluation.size_rules import inner_scores
from hetsel.ground import TableError, listed
from hetsel.ground.rounding import tie_rows
from hetsel.methods.registry import refuse_weights
from hetsel.selection import About, Answer, BaseSelector, Problem
from hetsel.selection.base import WeighingSelector
from hetsel.selection.problem import thinned_sizes
from hetsel.selection.scikit_estimators import EVERY_KIND
from hetsel.selection.scikit_selectors import ScikitSelector
from hetsel.tables import Classes, Table, TypedTarget

FOLDS = 3  # of a study


class TunedSelector(WeighingSelector):
    """Choose parameters of a method by cross-validation, then select with these parameters.

    For each combination of parameters the method selects features on the training rows of each
    fold. The default judge of the kind of target ("clinical-svm", "ridge" or "cox") is trained on
    them and scored on the fold, at every requested size. The combination with the best mean score
    over folds and sizes is chosen, so that no size is chosen with it. The method then selects on
    all rows.

    Parameters
    ----------
    method : BaseSelector
        The method, with its other parameters.
    tune : mapping of str to sequence
        Values to try for each parameter. For a selector of scikit-learn they are parameters of its
        estimator, such as `estimator__C`. Every combination is tried.
    folds : int
        Number of folds. They are stratified and keep row groups together. Default: 3.

    Attributes
    ----------
    answer_ : Ranking or SearchPath
        Its `chosen_params` are the chosen parameters.

    Raises
    ------
    TableError
        In `fit`: parameters that the method does not have, a combination that it refuses, or no
        combination with a signature of a requested size in every fold.

    See Also
    --------
    hetsel.Study : A study tunes a method with `tune` in the entry of the method.
    hetsel.choose_size : Choose the size of a signature by inner scores.

    Notes
    -----
    The score is balanced accuracy for classes, R^2 for numeric targets and the concordance for
    survival times. Equal scores go to the combination that comes first; names are in alphabetical
    order, and the values of the last name vary fastest. A size without a signature in a fold does
    not count, and a combination needs a signature in every fold. Missing values are imputed before
    the folds are drawn, from all rows of the problem. With martingale residuals as the target, the
    judge of numbers scores.

    References
    ----------
    Stone 1974, Journal of the Royal Statistical Society B 36, 111-147.

    Examples
    --------
    >>> from hetsel import get_method
    >>> x = np.random.default_rng(0).normal(size=(60, 4))
    >>> tuned = TunedSelector(method=get_method("rfe-svm")(), tune={"C": [0.1, 10]}, size=1)
    >>> tuned.fit(x, x[:, 2] > 0).answer_.chosen_params
    {'C': 0.1}
    """

    method: Any = None
    tune: Any = None
    folds: int = FOLDS

    # with "constant", the answer stays that of the method
    about = About(
        "a method with tuned parameters", targets=EVERY_KIND, draws=True, flaws=("constant",)
    )
    use_of_sizes = "subsets"

    def _select(self, problem: Problem) -> Answer:
        options = combinations(self.tune or {})
        chosen = options[0] if len(options) == 1 else self._best(problem, options)
        answer = self._with(chosen).solve(problem)
        return replace(answer, chosen_params=chosen)  # type: ignore[type-var]

    def _best(self, problem: Problem, options: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the combination with the best mean score."""
        target = problem.target
        if isinstance(target, Classes) and min(target.counts) < 2:
            raise TableError("tune needs at least 2 training rows of every class. Got 1 of a class")
        (judge,) = default_judges(target.kind)
        sizes = problem.sizes or thinned_sizes(range(1, problem.p + 1))
        asked = replace(problem, sizes=tuple(sizes), proved=False)
        means = np.array([self._mean_score(asked, option, judge) for option in options])
        if not np.isfinite(means).any():
            raise TableError(
                "tune: no combination has a signature in every fold of one of the sizes "
                f"{listed(sizes)}. Add sizes that the method answers"
            )
        return options[int(np.nanargmax(tie_rows(means)))]

    def _mean_score(
        self, problem: Problem, option: Mapping[str, Any], judge: ClassifierSpec
    ) -> float:
        """Return the mean over folds of the mean score over sizes; NaN if a fold has none."""
        try:
            scores = inner_scores(
                self._with(option), problem, problem.sizes, judge, folds=self.folds, repeats=1
            )
        except TableError as reason:
            raise TableError(f"tune, {in_words(option)}: {reason}") from None
        known = np.isfinite(scores)
        if not known.any(axis=1).all():
            return float("nan")
        return float(np.mean([fold[good].mean() for fold, good in zip(scores, known, strict=True)]))

    def _with(self, option: Mapping[str, Any]) -> BaseSelector:
        """Return the method with these parameters."""
        method: BaseSelector = clone(self._inner)
        method.set_params(missing=self.missing, scale=self.scale, schema=self.schema)
        try:
            if isinstance(method, ScikitSelector):
                method.estimator.set_params(**option)
            else:
                method.set_params(**option)
        except ValueError as reason:
            raise TableError(f"tune: {reason}") from None
        return method

    @property
    def _inner(self) -> BaseSelector:
        if not isinstance(self.method, BaseSelector):
            raise TableError(f"method must be a selector of hetsel. Got {self.method!r:.60}")
        return self.method

    @property
    def _called(self) -> str:
        return self._inner._called

    @property
    def revision(self) -> str:
        """Return the revision of the tuning and that of the method."""
        return f"{self.about.revision}.{self._inner.revision}"

    def refuse_target(self, target: TypedTarget) -> None:
        """Raise a TableError for a target that the method does not accept."""
        self._inner.refuse_target(target)

    def refuse_columns(self, table: Table, target: str = "classes") -> None:
        """Raise a TableError for columns that the method does not accept."""
        if self._inner.unsupported != "skip":
            self._inner.refuse_columns(table, target)

    def refuse_weights(self, option: str = "sample_weight") -> None:
        """Raise a TableError if the method does not support row weights."""
        refuse_weights(self._inner, option)

    def _cost(self, problem: Problem) -> None:
        """Return None: the method checks its own memory."""


def combinations(tune: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return all combinations of values; names are in alphabetical order.

    Examples
    --------
    >>> combinations({"step": [1, 0.2], "C": [1]})
    [{'C': 1, 'step': 1}, {'C': 1, 'step': 0.2}]
    """
    names = sorted(tune)
    return [dict(zip(names, values, strict=True)) for values in product(*(tune[n] for n in names))]


def in_words(params: Mapping[str, Any]) -> str:
    """Return parameters as in a plan.

    Examples
    --------
    >>> in_words({"C": 1, "step": 0.2})
    'C = 1, step = 0.2'
    """
    return ", ".join(f"{name} = {value!r:.60}" for name, value in params.items())
