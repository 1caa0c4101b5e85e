"""Search the subsets of the features of a table: any search, any criterion, one answer."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from hetsel.ground import TableError, listed, whole_number
from hetsel.search.criteria.criterion import SubsetCriterion, rows_seen
from hetsel.search.subsets import nearly_best, search_algorithms, subset_values
from hetsel.search.subsets.costs_and_budget import subset_cost, within_budget
from hetsel.search.subsets.search_moves import Callback, Course, Evaluated
from hetsel.search.subsets.voting_and_prefilter import VOTING, Prefilter, Voting, best_mean
from hetsel.selection import Problem, SearchPath
from hetsel.tables.validation import constant_columns

SEARCHES = ("bif", "sfs", "sbs", "sffs", "sbfs", "os", "dos", "exhaustive", "branch-and-bound")
SWING = 5  # default depth of oscillating searches
ARCHIVED = 2  # increases when a criterion returns other values than before


@dataclass(frozen=True)
class SearchOptions:
    """Options of a search, see :class:`hetsel.search.subsets.subset_selector.SubsetSearch`."""

    search: str = "sffs"
    count: int = 1
    early_stopping: bool = False
    depth: int | None = None
    equal: Sequence[float] = ()  # proportions tau; the first one decides the selected size
    costs: Sequence[float] | None = None
    secondary: Callable[[tuple[int, ...]], float] | None = None
    budget: float | None = None
    voting: str | None = None
    share: float = 1.0  # proportion of candidates that reach the criterion; 1: no prefilter
    always: Iterable[int] = ()
    never: Iterable[int] = ()
    limits: subset_values.SearchLimits = field(default_factory=subset_values.SearchLimits)
    progress: Callback | None = None
    archive: str | Path | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.search, str) or self.search not in SEARCHES:
            raise TableError(f"search must be one of {', '.join(SEARCHES)}. Got {self.search!r}")
        voting = self.voting is None or isinstance(self.voting, str)
        if not voting or self.voting not in (None, *VOTING):
            raise TableError(
                f"voting must be one of {', '.join(VOTING)}, or None. Got {self.voting!r}"
            )
        whole_number("count", self.count, 1)
        if not isinstance(self.early_stopping, bool | np.bool_):
            raise TableError(f"early_stopping must be True or False. Got {self.early_stopping!r}")
        if self.depth is not None:
            whole_number("depth", self.depth, 0)
        if self.budget is not None and self.costs is None:
            raise TableError("budget needs costs. Specify the cost of each feature")


def search_subsets(
    problem: Problem,
    criterion: SubsetCriterion,
    options: SearchOptions | None = None,
    prefilter: SubsetCriterion | None = None,
) -> SearchPath:
    """Search the best subset of each requested size; without one, of the best size."""
    options = options or SearchOptions()
    still, chosen = constant_columns(problem.table), (options.always, options.never)
    space = subset_values.Space.of(
        problem.p, *chosen, problem.groups or (), np.flatnonzero(still).tolist()
    )
    within = within_budget(space, options.costs, options.budget, options.search)
    secondary = _secondary(options, space)
    _check_sizes(problem.sizes, options, space)
    if options.count > len(space.units):
        raise TableError(
            f"count must be in 1..{len(space.units)} (the features, or groups, to choose from). "
            f"Got {options.count}"
        )
    sieve = None
    if options.share != 1.0:
        if prefilter is None:
            raise TableError(
                "hybrid needs a prefilter. Specify the criterion that chooses the candidates"
            )
        sieve = Prefilter(subset_values.SubsetEvaluation(problem, prefilter, space), options.share)
    pivots = [nearly_best.Pivots(tau, secondary, problem.sizes) for tau in options.equal]
    archive = subset_values.Archive(options.archive, archive_fingerprint(problem, criterion))
    try:
        course = Course(
            subset_values.SubsetEvaluation(problem, criterion, space, archive, options.limits),
            best_mean if options.voting is None else Voting(options.voting),
            prefilter=sieve,
            count=options.count,
            pivots=pivots,
            allowed=within,
            progress=options.progress,
        )
        stopped = ""
        try:
            _run(course, options, problem.sizes)
            if not any(course.visited) and course.count > 1:
                course.count = 1
                _run(course, options, problem.sizes)
            step_to(course, problem.sizes)
        except subset_values.Stopped as reason:
            stopped = str(reason)
        seen = min(rows_seen(criterion, problem))
        path = _answer(problem, course, pivots, stopped)
        return path if seen == problem.n else replace(path, sampled=seen)
    finally:
        archive.close()


def archive_fingerprint(problem: Problem, criterion: SubsetCriterion) -> str:
    """Return a short text that identifies everything on which the values of an archive depend."""
    digest = hashlib.sha256(repr((ARCHIVED, problem.seed, criterion)).encode())
    if min(seen := rows_seen(criterion, problem)) < problem.n:
        digest.update(repr(seen).encode())
    table, schema = problem.table, problem.table.schema
    kinds = (
        schema.nominal,
        schema.categorical,
    )  # numbers and ordered levels may have the same values
    for part in (table.values, *kinds, *problem.target.parts, problem.row_groups):
        if part is not None:
            digest.update(np.ascontiguousarray(part).tobytes())
            digest.update(repr((part.shape, part.dtype.str)).encode())
    return digest.hexdigest()[:24]


def _run(course: Course, options: SearchOptions, sizes: Sequence[int]) -> None:
    """Search for these sizes by the options."""
    largest, smallest = (max(sizes), min(sizes)) if sizes else (None, 1)
    further = options.depth or 0
    depth = SWING if options.depth is None else options.depth
    match options.search:
        case "bif":
            search_algorithms.best_individual(course, largest)
        case "sfs":
            search_algorithms.forward(course, largest, options.early_stopping)
        case "sbs":
            search_algorithms.backward(course, smallest, options.early_stopping)
        case "sffs":
            beyond = None if largest is None else largest + further
            search_algorithms.forward_floating(course, beyond)
        case "sbfs":
            search_algorithms.backward_floating(course, max(1, smallest - further))
        case "os":
            for size in sizes:
                search_algorithms.best_individual(course, size)
                start = course.best_by_size().get(size)
                if start is not None:
                    search_algorithms.oscillating(course, start, depth)
        case "dos":
            search_algorithms.oscillating(course, _first_three(course), depth, dynamic=True)
        case "exhaustive":
            for size in sizes:
                search_algorithms.exhaustive(course, size, size)
            if not sizes:
                search_algorithms.exhaustive(course)
        case _:
            for size in sizes:
                search_algorithms.branch_and_bound(course, size)


def _first_three(course: Course) -> int:
    """Return the start of dynamic oscillating search: three additions, or as many as possible."""
    subset = course.space.least
    for _ in range(3):
        found = course.add(subset)
        if found is None:
            break
        subset = course.stand(*found)
    return subset


def step_to(course: Course, sizes: Sequence[int]) -> None:
    """Visit each size: add to, or remove from, the nearest subset, one unit at a time."""
    course.count = 1
    if not any(course.visited) and course.space.least:
        course.start(course.space.least)
    for size in sizes:
        known = course.best_by_size()
        if size in known or not known:
            continue
        nearest = min(known, key=lambda other: (abs(other - size), other))
        subset: int | None = known[nearest]
        while subset is not None and subset.bit_count() != size:
            larger = subset.bit_count() > size
            found = course.remove(subset, size) if larger else course.add(subset, size)
            subset = None if found is None else course.stand(*found)


def _check_sizes(sizes: Sequence[int], options: SearchOptions, space: subset_values.Space) -> None:
    if sizes and options.early_stopping:
        raise TableError("early_stopping chooses the size itself. Leave out size or early_stopping")
    lowest, highest = max(1, space.least.bit_count()), space.most.bit_count()
    wrong = [size for size in sizes if not lowest <= size <= highest]
    if wrong:
        raise TableError(
            f"size must be in {lowest}..{highest} (with all of always and none of never). "
            f"Got {wrong[0]}"
        )
    if not sizes and options.search in ("os", "branch-and-bound"):
        raise TableError(
            f"search={options.search!r} needs a size. Specify size, or use search='dos', which "
            "finds the size itself"
        )


def _secondary(options: SearchOptions, space: subset_values.Space) -> nearly_best.Secondary:
    """Return the second criterion J2: that of the options, or minus the cost, or minus the size."""
    costs, secondary = options.costs, options.secondary

    def asked_value(subset: int) -> float:
        assert secondary is not None
        value: Any = secondary(space.features(subset))
        if not isinstance(value, int | float | np.number) or np.isnan(value):
            raise TableError(f"secondary must return a number for each subset. Got {value!r:.60}")
        return float(value)

    if secondary is not None:
        return asked_value
    if costs is not None:
        return lambda subset: -subset_cost(space, costs, subset)
    return nearly_best.fewer_features


def _refuse_no_answer(asked: Sequence[int], found: Sequence[int], stopped: str) -> None:
    """Raise a TableError if the search found no subset, or ended without the requested size."""
    if stopped and not found:
        option = stopped if stopped == "progress" else f"max_{stopped}"
        raise TableError(f"the search found no subset: {option} ended it too early")
    if len(asked) == 1 and asked[0] not in found and not stopped:
        others = f". Use one of {listed(found)}" if found else ""
        raise TableError(
            f"the search found no subset of size={asked[0]} with these column_groups and this "
            f"budget{others}"
        )
    if not found:
        raise TableError("the search found no subset: column_groups, never and budget allow none")


def _answer(
    problem: Problem, course: Course, pivots: Sequence[nearly_best.Pivots], stopped: str
) -> SearchPath:
    best = {size: subset for size, subset in sorted(course.best_by_size().items()) if size}
    _refuse_no_answer(problem.sizes, tuple(best), stopped)
    features = course.space.features
    evaluated = Evaluated(course.evaluation)
    chosen = None
    equal = {each.tau: np.array(features(each.selected)) for each in pivots if each.selected > 0}
    if pivots and pivots[0].selected > 0:
        chosen = pivots[0].selected.bit_count()
        best[chosen] = pivots[0].selected
    elif len(problem.sizes) == 1 and problem.sizes[0] in best:
        chosen = problem.sizes[0]
    subsets = {size: np.array(features(subset)) for size, subset in best.items()}
    scores = {size: evaluated[features(subset)] for size, subset in best.items()}
    moves = tuple(course.moves)
    return SearchPath(problem.p, subsets, scores, chosen, moves, evaluated, equal, stopped)
