"""Ensembles: run a method on many resamplings of the rows and merge its answers."""

import gc
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from hetsel.ground import TableError, did_you_mean, whole_number
from hetsel.ground.equal_numbers import tied
from hetsel.resampling import halves_and_bootstraps, row_parts
from hetsel.selection import Answer, BaseSelector, Problem, Ranking, SearchPath, order_best_first
from hetsel.selection.base import SHARED
from hetsel.selection.problem import thinned_sizes
from hetsel.tables import TypedTarget, canonical_form

ROWS_WORTH_MATRICES = 1000  # rows from which on freeing matrices is worth 20 ms
STREAM = 9  # stream of seeds for resamplings and their selections


class EnsembleSelector(BaseSelector):
    """Base of the ensembles: draws the resamplings and merges the answers to them.

    A subclass names the method that is run in :meth:`_base`.

    Parameters
    ----------
    params : mapping, optional
        Parameters of the method that is run; None uses its defaults.
    merge : {"rank", "frequency", "weight"}
        "rank" is J(f) = p + 1 - the mean rank. "weight" is J(f) = the mean over the resamplings b
        of J_b(f) / sum_g |J_b(g)|; an elimination then makes its first step only, so that all
        importances come from one model. "frequency" selects, for each size, the features that are
        in most of the signatures of that size; ties go by the mean rank. A method that searches
        subsets allows "frequency" only.
    resamplings : int
        Number of resamplings on which the method is run.
    kind : {"bootstrap", "subsample"}
        "bootstrap" draws as many rows as there are, with replacement; "subsample" draws without
        replacement. The draw is stratified: by class, by tenths of the rows for a numeric target,
        and by event or censoring for survival times. Rows of one row group are drawn together.
    share : float
        Proportion of the rows in a subsample.

    Attributes
    ----------
    answer_ : Ranking or SearchPath
        A ranking has the extra `mean_rank` (p,). No proof of its order is claimed.

    Notes
    -----
    Resampling b draws its rows and its seed by its own generator, in the canonical order of the
    rows: more resamplings begin with the same ones. A column has the levels that occur in the rows
    of the resampling, unless a schema fixes them. A method that holds rows out keeps the copies of
    a row in a bootstrap in one fold.
    """

    params: Mapping[str, Any] | None = None
    merge: Literal["rank", "frequency", "weight"] = "rank"
    resamplings: int = 30
    kind: Literal["bootstrap", "subsample"] = "bootstrap"
    share: float = 0.5

    use_of_sizes = "subsets"

    def _base(self) -> type[BaseSelector]:
        """Return the class of the method that is run."""
        raise TypeError(f"{type(self).__name__} must define _base")

    @property
    def revision(self) -> str:
        """Return the revision of the ensemble and that of the method that is run."""
        return f"{self.about.revision}.{self._method(1).revision}"

    def refuse_target(self, target: TypedTarget) -> None:
        """Raise a TableError for a target that the method that is run does not accept."""
        super().refuse_target(target)
        self._method(1).refuse_target(target)

    def _cost(self, problem: Problem) -> None:
        """Return None: the method that is run checks its own memory."""

    def _select(self, problem: Problem) -> Answer:
        whole_number("resamplings", self.resamplings, 1)
        method = self._method(problem.p)
        sizes = self._asked(problem)
        # the table is imputed and scaled already: separate missing values stay separate
        ordered = row_parts.in_canonical_order(replace(problem, sizes=sizes), "separate", "range")
        kind: halves_and_bootstraps.DrawKind = self.kind
        answers = []
        for number in range(self.resamplings):
            rng = problem.rng(STREAM, number)
            rows = halves_and_bootstraps.draw_rows(ordered, kind, self.share, rng)
            seed = int(rng.integers(2**31))
            fixed = self.schema is not None
            answers.append(
                method.solve(row_parts.problem_of_rows(ordered, rows, seed, fixed_levels=fixed))
            )
            if problem.n >= ROWS_WORTH_MATRICES:
                gc.collect()  # matrices in reference cycles would accumulate
        place = np.argsort(canonical_form(problem.table, problem.target.content).columns)
        if self.merge == "frequency":
            # the size that a selector uses if none is specified
            half = max(1, problem.p // 2, len(problem.always))
            return merge_by_frequency(answers, sizes, place, None if problem.sizes else half)
        merged = merge_by_rank if self.merge == "rank" else merge_by_weight
        rankings = [answer for answer in answers if isinstance(answer, Ranking)]
        if len(rankings) < len(answers):
            raise TableError(
                "merge must be 'frequency' for a method that searches subsets, since it has no "
                f"ranks. Got {self.merge!r}"
            )
        return merged(rankings, place)

    def _method(self, p: int) -> BaseSelector:
        """Return the method that is run, for p features."""
        base, parameters = self._base(), dict(self.params or {})
        legal = sorted(set(base._get_param_names()) - {*SHARED})
        for name in parameters:
            if name not in legal:
                hint = did_you_mean(name, legal)
                raise TableError(f"params must name one of {', '.join(legal)}. Got {name!r}{hint}")
        if self.merge == "weight" and "step" in legal:
            parameters["step"] = p  # in features: only importances of one model are comparable
        return base(**parameters)

    def _asked(self, problem: Problem) -> tuple[int, ...]:
        """Return the sizes that each resampling must answer."""
        if self.merge == "weight":
            return ()
        if self.merge == "frequency" and not problem.sizes:
            least = max(1, len(problem.always))
            every = range(least, problem.p + 1)
            return tuple(sorted({*thinned_sizes(every), max(least, problem.p // 2)}))
        return problem.sizes


# Merging of B answers: by the mean rank, by the mean proportion of importance, by the frequency.
#
# The answers are to resamplings of one table with p features. r_bf is the rank of feature f in
# answer b, 1 is best; features beyond the k that an answer ranks share the mean of the ranks k + 1,
# ..., p. Ties are ordered by a place that the caller supplies.


def merge_by_rank(rankings: Sequence[Ranking], place: np.ndarray) -> Ranking:
    """Rank by the mean rank: J(f) = p + 1 - (1/B) sum_b r_bf, with the extra `mean_rank` (p,).

    Sums of ranks are whole numbers or halves, so that rounding breaks no tie. This is the linear
    aggregation of Abeel, Helleputte, Van de Peer, Dupont & Saeys 2010, section 2.2.
    """
    total = _doubled_ranks(rankings)
    mean = total / (2 * len(rankings))
    importance = len(total) + 1 - mean
    extras = {"mean_rank": mean}
    return Ranking(
        order_best_first(-total, -place), importance, extras=extras, first=_first(rankings)
    )


def merge_by_weight(rankings: Sequence[Ranking], place: np.ndarray) -> Ranking:
    """Rank by the mean proportion of the importance: J(f) = (1/B) sum_b J_bf / sum_g |J_bg|.

    Means that differ by less than 1e-8 of the largest tie and go by the mean rank, which is an
    extra. Features of infinite importance share the total equally.
    """
    total = _doubled_ranks(rankings)
    shares = np.zeros(len(total))
    for ranking in rankings:
        shares += _shares(ranking.importance)
    weight = tied(shares / len(rankings))
    mean = total / (2 * len(rankings))
    order, extras = order_best_first(weight, -total, -place), {"mean_rank": mean}
    return Ranking(order, weight, extras=extras, first=_first(rankings))


def merge_by_frequency(
    answers: Sequence[Answer], sizes: Sequence[int], place: np.ndarray, chosen: int | None = None
) -> SearchPath:
    """Select, for each size, the features that are in most of the signatures of that size.

    Ties go by the mean rank if all answers are rankings. The subsets list the most frequent feature
    first; subsets of two sizes need not be nested. `chosen` is the selected size, the largest if
    None. Meinshausen & Buehlmann 2010, section 2.1 (frequencies).
    """
    p, rankings = len(place), [a for a in answers if isinstance(a, Ranking)]
    total = _doubled_ranks(rankings) if len(rankings) == len(answers) else np.zeros(p)
    subsets = {}
    for size in sizes:
        times = np.zeros(p)
        for answer in answers:
            if size not in answer.sizes:
                raise TableError(
                    f"the method must have a signature of size={size} in every resampling. Got one "
                    "without. Specify a size that every resampling has, also as an option of the "
                    "method if it has one"
                )
            times[answer.signature(size)] += 1
        subsets[int(size)] = order_best_first(times, -total, -place)[:size]
    return SearchPath(p, subsets, chosen=chosen)


def _first(rankings: Sequence[Ranking]) -> np.ndarray:
    """Return the mean (p,) of the values that the rankings compare by; empty if one has none."""
    every = [ranking.compared for ranking in rankings if ranking.complete]
    if len(every) < len(rankings) or not all(map(len, every)):
        return np.empty(0)
    mean = np.mean(every, axis=0)
    return np.asarray(tied(mean) if np.isfinite(mean).all() else mean)


def _doubled_ranks(rankings: Sequence[Ranking]) -> np.ndarray:
    """Return 2 sum_b r_bf (p,), whole numbers."""
    total = np.zeros(rankings[0].p, dtype=np.int64)
    for ranking in rankings:
        p, k = ranking.p, len(ranking.order)
        doubled = np.full(p, k + 1 + p, dtype=np.int64)
        doubled[ranking.order] = 2 * np.arange(1, k + 1)
        total += doubled
    return total


def _shares(importance: np.ndarray) -> np.ndarray:
    """Divide importances (p,) by the sum of their magnitudes, independent of their order."""
    importance = np.where(np.isnan(importance), 0.0, importance)  # unranked
    endless = np.isinf(importance)
    values = np.where(endless, np.sign(importance), 0.0) if endless.any() else importance
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return np.zeros(len(values))
    values = values / largest  # so that no sum overflows
    return np.asarray(values / math.fsum(np.abs(values)))
