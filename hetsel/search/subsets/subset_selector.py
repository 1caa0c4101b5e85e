"""Search over subsets as a selector."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hetsel.ground import TableError, listed, not_negative, number_of_jobs, share
from hetsel.search.criteria.criteria_by_name import criterion_of, members_of, refuse_other_target
from hetsel.search.subsets import one_search, subset_values
from hetsel.selection import About, BaseSelector, Cost, Problem, SearchPath
from hetsel.tables import Schema, Table, canonical_form, find_column

CANONICAL = Cost("n p", "4 n p")  # a table in canonical form


class SubsetSearch(BaseSelector):
    """Search subsets of features with any search strategy and any criterion.

    The search evaluates subsets by `criterion` and keeps the best subset of each size that it
    visits. Without a size it looks for the best size itself. Columns of all kinds are accepted; the
    criterion decides which targets are. Prefer a named wrapper such as :class:`hetsel.SFFS5NN` for
    a standard search, and this class to combine a search with another criterion, costs or
    constraints.

    The table is searched in its :func:`canonical form
    <hetsel.tables.canonical_table.canonical_form>`: the order of rows and columns, names and units
    have no effect. Constant columns are added after all others and removed before them.

    Parameters
    ----------
    search : str
        Search algorithm. "bif": best individual features. "sfs" and "sbs": sequential forward and
        backward selection. "sffs" and "sbfs": the same with floating steps. "os": oscillating
        search, which needs a size. "dos": dynamic oscillating search. "exhaustive": all subsets.
        "branch-and-bound": all subsets of a size, for a criterion that never decreases when a
        feature is added. Default: "sffs".
    criterion : str, criterion, classifier or regressor of scikit-learn, or sequence of these
        Criterion to maximize: "5nn" (with any number of neighbors), "naive-bayes", "svm",
        "gaussian-svm", "ridge", "bhattacharyya", "divergence", "mahalanobis", "hsic", "alignment",
        "gaussian-alignment", "class-separability", "frobenius", "consistency" or
        "mutual-information". Several criteria form an ensemble. Default: "5nn". See
        :func:`hetsel.search.criteria.criteria_by_name.criterion_of`.
    folds : int, optional
        Number of folds of the cross-validation of the criterion. Default: set by the criterion.
    repeats : int, optional
        Number of repeats of the cross-validation of the criterion. Default: set by the criterion.
    rate : {"bcr", "accuracy", "auc", "r2", "concordance", "press"}, optional
        Score to cross-validate. For classes: "bcr" (balanced accuracy), "accuracy" or "auc" (with
        more than two classes the mean over pairs, Hand and Till 2001). For numbers: "r2". For
        survival times: "concordance". For the criterion ridge also "press". Default: set by the
        criterion.
    n_jobs : int, optional
        Number of threads of a criterion that uses them; -1 for all cores. Results do not depend on
        it.
    sample : int or "all", optional
        Number of rows to sample from a larger table, for a criterion whose time grows with the
        square of the number of rows; "all" for no sample. The sample does not depend on the order
        of the rows. Default: 10,000 for nearest neighbors, 5,000 for support vector machines and
        Gaussian kernels. See :func:`hetsel.resampling.row_parts.content_sample`.
    count : int
        Number of features or groups to add or remove at once. If the size or the budget does not
        allow this number, the search adds or removes one. Default: 1.
    early_stopping : bool
        Stop "sfs" when no added feature increases the score, and "sbs" when every removed feature
        decreases it. The signature has the size at which the search stops. Default: False.
    depth : int, optional
        Reach of the search. "sffs", "sbfs": number of sizes beyond the specified one. "os", "dos":
        number of features per swing. Default: 0 sizes or 5 features.
    ties : float or sequence of float, optional
        Proportion of the largest score within which two subsets tie, for example 0.01. Of tied
        subsets the search chooses the subset with fewer features or lower cost. Of several
        proportions the first one decides, and the result lists the subset of each proportion.
    costs : mapping of column to number, or sequence of p numbers, optional
        Cost of each named column; other columns cost nothing. Of two subsets that tie, the search
        chooses the cheaper one.
    budget : float, optional
        Largest total cost of a subset.
    secondary : callable, optional
        Function that chooses among tied subsets, instead of the number of features or the cost. It
        takes the columns of a subset, ascending, and returns a number; larger is better.
    voting : str, optional
        Voting rule of an ensemble. Each criterion votes on each candidate; the candidate with the
        best mean vote wins. "order": a vote is a dense rank, so equal values get the same rank and
        the next value the next rank. "median": equal values get the median of their ranks.
        "weighted": a vote is the difference from the best value. "trimmed-order", "trimmed-median"
        and "trimmed-weighted" leave out the best and the worst vote of each candidate. Default: the
        candidate with the best mean of the criteria wins.
    hybrid : float, optional
        Proportion of the candidates that the criterion evaluates; a filter chooses them. Default:
        1, without a filter.
    prefilter : str or criterion
        Filter that `hybrid` uses. Default: "mutual-information".
    never : sequence of column names or positions, or a logical value for each column, optional
        Columns that are never selected. They stay in the table: hetsel still uses them, for example
        to find duplicate rows.
    column_groups : sequence of sequences of column names or positions, optional
        Columns to add and remove together.
    max_seconds : float, optional
        Seconds after which the search ends with the subsets found so far. Default: no limit.
    max_evaluations : int, optional
        Number of evaluated subsets after which the search ends with the subsets found so far.
        Default: no limit.
    progress : callable, optional
        Function to call with the state of the search after each move; the search ends if it returns
        a true value. See :class:`hetsel.search.subsets.subset_values.Progress`.
    archive : path, optional
        File that keeps every evaluation. After a crash or an interrupt, the same search uses these
        evaluations and continues.

    Attributes
    ----------
    answer_ : SearchPath
        The best subset of each size that the search visited. Its scores are optimistic, since the
        same rows chose the subset. Its `sampled` is the number of rows of a sample, 0 without a
        sample.

    See Also
    --------
    SFFS5NN : Floating search with nearest neighbors.
    SFFSRidge : Floating search with ridge regression.
    nearly_best : The best subset by a second criterion among nearly equal ones.
    cost_frontier : The subsets that no cheaper subset equals.

    References
    ----------
    Somol, Grim, Novovicova and Pudil 2011, Kybernetika 47.

    Examples
    --------
    No feature is informative alone, but two of them determine the class together.

    >>> import numpy as np
    >>> from hetsel import SubsetSearch
    >>> x = np.random.default_rng(0).integers(0, 2, (60, 4)).astype(float)
    >>> y = (x[:, 0] != x[:, 2]).astype(int)
    >>> SubsetSearch(search="dos", criterion="5nn").fit(x, y).signature()
    array([0, 2])
    """

    search: Any = "sffs"
    criterion: Any = "5nn"
    folds: Any = None
    repeats: Any = None
    rate: Any = None
    n_jobs: Any = None
    sample: Any = None
    count: Any = 1
    early_stopping: Any = False
    depth: Any = None
    ties: Any = None
    costs: Mapping[str, float] | Collection[float] | None = None
    budget: float | None = None
    secondary: Callable[..., Any] | None = None
    voting: Any = None
    hybrid: float | None = None
    prefilter: Any = "mutual-information"
    never: Collection[Any] = ()
    column_groups: Collection[Any] = ()
    max_seconds: float | None = None
    max_evaluations: int | None = None
    progress: Callable[..., Any] | None = None
    archive: str | os.PathLike[str] | None = None

    use_of_sizes = "subsets"
    about = About(
        "search over subsets of features",
        paper="somol2011",
        draws=True,
        targets=("classes", "numbers", "survival"),
    )

    def _cost(self, problem: Problem) -> Cost | None:
        """Return the cost of the canonical form for another criterion than the method's own.

        A criterion checks the memory that it needs beyond that.
        """
        own = super()._cost(problem)
        usual = isinstance(self.criterion, str) and self.criterion == type(self).criterion
        return own if own is not None and usual and self.sample is None else CANONICAL

    def _select(self, problem: Problem) -> SearchPath:
        settings = {
            name: getattr(self, name)
            for name in ("folds", "repeats", "rate", "n_jobs", "sample")
            if getattr(self, name) is not None
        }
        if isinstance(self.sample, str):
            if self.sample != "all":
                raise TableError(
                    f"sample must be a whole number, 2 or larger, or 'all'. Got {self.sample!r}"
                )
            settings["sample"] = None
        number_of_jobs("n_jobs", self.n_jobs)
        criterion = criterion_of(self.criterion, settings)
        refuse_other_target(criterion, self.criterion, problem.target, "criterion")
        prefilter = None
        if self.hybrid is not None:
            prefilter = criterion_of(self.prefilter, {}, "prefilter")
            refuse_other_target(prefilter, self.prefilter, problem.target, "prefilter")
        canonical, columns = canonical_problem(replace(problem, groups=self._groups(problem)))
        options = self._options(problem, columns)
        refuse_idle(self, type(self)())
        path = one_search.search_subsets(canonical, criterion, options, prefilter).within(
            columns, problem.p
        )
        return replace(
            path,
            subsets={size: np.sort(subset) for size, subset in path.subsets.items()},
            equal={tau: np.sort(subset) for tau, subset in path.equal.items()},
        )

    def _options(self, problem: Problem, columns: np.ndarray) -> one_search.SearchOptions:
        """Return the options of the search, for the table with its columns in canonical order."""
        place = np.argsort(columns)
        always = problem.always
        never = _positions(problem, "never", self.never)
        _refuse_twice(problem, [*always, *set(never), *sum(self._groups(problem) or (), ())])
        ties = () if self.ties is None else np.atleast_1d(self.ties).tolist()
        costs, secondary = self._costs(problem), self.secondary

        def of_table(subset: tuple[int, ...]) -> Any:
            assert secondary is not None
            return secondary(tuple(np.sort(columns[list(subset)]).tolist()))

        return one_search.SearchOptions(
            search=self.search,
            count=self.count,
            early_stopping=self.early_stopping,
            depth=self.depth,
            equal=[share("ties", tau) for tau in ties],
            costs=None if costs is None else [costs[j] for j in columns],
            secondary=None if secondary is None else of_table,
            budget=self.budget,
            voting=self.voting,
            share=1.0 if self.hybrid is None else self.hybrid,
            always=[int(place[j]) for j in always],
            never=[int(place[j]) for j in never],
            limits=subset_values.SearchLimits(self.max_seconds, self.max_evaluations),
            progress=self.progress,
            archive=None if self.archive is None else Path(self.archive),
        )

    def _groups(self, problem: Problem) -> tuple[tuple[int, ...], ...] | None:
        if not len(self.column_groups):
            return problem.groups
        for group in self.column_groups:
            if isinstance(group, str) or not isinstance(group, Collection):
                raise TableError(
                    "column_groups must be a list of lists, each with the columns of one group. "
                    f"Got {group!r:.60} for a group"
                )
        return tuple(
            tuple(_positions(problem, "column_groups", group)) for group in self.column_groups
        )

    def _costs(self, problem: Problem) -> list[float] | None:
        if self.costs is None:
            return None
        if not isinstance(self.costs, Mapping):
            if len(self.costs) != problem.p:
                raise TableError(
                    f"costs must be {problem.p} numbers, one for each feature. "
                    f"Got {len(self.costs)}"
                )
            return [not_negative("costs", cost) for cost in self.costs]
        costs = [0.0] * problem.p
        for name, cost in self.costs.items():
            column = _positions(problem, "costs", [name])[0]
            costs[column] = not_negative(f"costs of {name!r}", cost)
        return costs


def canonical_problem(problem: Problem) -> tuple[Problem, np.ndarray]:
    """Return the problem in canonical form, and the table column of each of its columns."""
    form = canonical_form(problem.table, problem.target.content)
    columns = form.columns
    schema = Schema(tuple(problem.table.schema.columns[j] for j in columns))
    place = np.argsort(columns)
    groups = problem.groups and tuple(tuple(place[[*group]].tolist()) for group in problem.groups)
    canonical = replace(
        problem,
        table=Table(np.ascontiguousarray(form.cells.T), schema),
        target=problem.target.canonical(form.rows),
        weights=None if problem.weights is None else problem.weights[form.rows],
        groups=groups,
        row_groups=None if problem.row_groups is None else problem.row_groups[form.rows],
    )
    return canonical, columns


def _refuse_twice(problem: Problem, named: Sequence[int]) -> None:
    """Raise a TableError for a column in two options, which the search knows by another number."""
    names = problem.table.names
    twice = [names[j] for j, times in sorted(Counter(named).items()) if times > 1]
    if twice:
        raise TableError(
            "always, never and column_groups must name each feature at most once. Got twice: "
            f"{listed(twice)}"
        )


def _positions(problem: Problem, option: str, names: Collection[Any]) -> list[int]:
    """Return positions of columns given by name or position."""
    known = problem.table.names
    given = [names] if isinstance(names, str) else names
    place = {name: j for j, name in enumerate(known)}
    return [place[find_column(known, name, option, place.keys())] for name in given]


# the searches on which an option has no effect
WITHOUT = {
    "count": ("bif", "exhaustive", "branch-and-bound"),
    "early_stopping": ("bif", "sffs", "sbfs", "os", "dos", "exhaustive", "branch-and-bound"),
    "depth": ("bif", "sfs", "sbs", "exhaustive", "branch-and-bound"),
    "voting": ("bif", "exhaustive", "branch-and-bound"),
    "hybrid": ("bif", "exhaustive", "branch-and-bound"),
}
OFF = {"count": 1, "early_stopping": False, "hybrid": 1.0}  # also None


def refuse_idle(search: Any, defaults: Any) -> None:
    """Raise a TableError for an option that has no effect with the others."""
    for option, searches in WITHOUT.items():
        value = getattr(search, option)
        given = isinstance(value, int | float | str) and value != OFF.get(option)
        if given and isinstance(search.search, str) and search.search in searches:
            raise TableError(
                f"{option} has no effect with search={search.search!r}. Leave {option} out"
            )
    if search.voting is not None and members_of(search.criterion) == 1:
        raise TableError(
            "voting needs several criteria, such as criterion='1nn,3nn'. Name several, or leave "
            "voting out"
        )
    no_ties = search.ties is None or np.size(search.ties) == 0
    if search.secondary is not None and no_ties:
        raise TableError(
            "secondary needs ties, which state which subsets count as equal. Specify ties"
        )
    if search.costs is not None and search.budget is None and no_ties:
        raise TableError(
            "costs need a budget or ties. Specify budget, or specify ties, which then go to the "
            "cheaper subset"
        )
    usual = isinstance(search.prefilter, str) and search.prefilter == defaults.prefilter
    if search.hybrid is None and not usual:
        raise TableError(
            "prefilter needs hybrid. Specify the proportion of the candidates that it keeps"
        )
