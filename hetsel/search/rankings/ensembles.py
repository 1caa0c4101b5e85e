"""Ensembles: a method on many resamplings of the rows, and one answer merged of its answers."""

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

ROWS_WORTH_MATRICES = 1000  # rows whose matrices are worth the 20 ms
STREAM = 9  # of the seeds: resamplings and selections of their own


class EnsembleSelector(BaseSelector):
    """What ensembles share: the resamplings, and how the answers to them are merged.

    A subclass says in :meth:`_base` which method is run.

    Parameters
    ----------
    params : mapping, optional
        Parameters of the method that is run; None takes its defaults.
    merge : {"rank", "frequency", "weight"}
        "rank": J(f) = p + 1 - the mean rank. "weight": J(f) = the mean of J_b(f) / sum_g |J_b(g)|
        over the resamplings b; an elimination makes its first step only, so that all importances
        are of one model. "frequency": the features that are in most of the signatures of the size
        asked for, a subset for each size; equal ones by the mean rank. A method that searches
        subsets has frequencies only.
    resamplings : int
        How often the method is run.
    kind : {"bootstrap", "subsample"}
        Rows are drawn with replacement, as many as there are, or without; every class has its
        share (of numbers every tenth of the rows, of survival times the rows with and those without
        an event), and rows of one group are drawn together.
    share : float
        Share of the rows in a subsample.

    Notes
    -----
    The answer's extra where it is a ranking: `mean_rank` (p,). It claims no proof of its order.

    Resampling b draws its rows and its seed by a generator of its own, in the canonical order of
    the rows: more resamplings begin with the same ones. Levels of columns are those that the rows
    of the resampling have, where no schema fixes them. A method that holds rows out holds the
    copies of a row in a bootstrap out together.
    """

    params: Mapping[str, Any] | None = None
    merge: Literal["rank", "frequency", "weight"] = "rank"
    resamplings: int = 30
    kind: Literal["bootstrap", "subsample"] = "bootstrap"
    share: float = 0.5

    def _base(self) -> type[BaseSelector]:
        """The class of the method that is run."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say what is run")

    @property
    def revision(self) -> str:
        """The ensemble's own revision, and that of the method that is run."""
        return f"{self.about.revision}.{self._method(1).revision}"

    def refuse_target(self, target: TypedTarget) -> None:
        """Refuse a target that the method that is run does not take, by a TableError."""
        super().refuse_target(target)
        self._method(1).refuse_target(target)

    def _cost(self, problem: Problem) -> None:
        """None: the method that is run looks after its memory."""

    def _select(self, problem: Problem) -> Answer:
        whole_number("resamplings", self.resamplings, 1)
        method = self._method(problem.p)
        sizes = self._asked(problem)
        # the table is complete and on its scale: cells that are a value of their own stay so
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
                gc.collect()  # matrices in circles of references would pile up
        place = np.argsort(canonical_form(problem.table, problem.target.content).columns)
        if self.merge == "frequency":
            # what a selector selects where no size is named
            half = max(1, problem.p // 2, len(problem.always))
            return merge_by_frequency(answers, sizes, place, None if problem.sizes else half)
        merged = merge_by_rank if self.merge == "rank" else merge_by_weight
        rankings = [answer for answer in answers if isinstance(answer, Ranking)]
        if len(rankings) < len(answers):
            raise TableError(
                "merge must be 'frequency' for a method that searches: it has subsets, and no "
                f"ranks. Got {self.merge!r}"
            )
        return merged(rankings, place)

    def _method(self, p: int) -> BaseSelector:
        """The method that is run, for p features."""
        base, parameters = self._base(), dict(self.params or {})
        legal = sorted(set(base._get_param_names()) - {*SHARED})
        for name in parameters:
            if name not in legal:
                hint = did_you_mean(name, legal)
                raise TableError(f"params must name one of {', '.join(legal)}. Got {name!r}{hint}")
        if self.merge == "weight" and "step" in legal:
            parameters["step"] = p  # features: the importances of one model compare
        return base(**parameters)

    def _asked(self, problem: Problem) -> tuple[int, ...]:
        """The sizes that each resampling is asked for."""
        if self.merge == "weight":
            return ()
        if self.merge == "frequency" and not problem.sizes:
            least = max(1, len(problem.always))
            every = range(least, problem.p + 1)
            return tuple(sorted({*thinned_sizes(every), max(least, problem.p // 2)}))
        return problem.sizes


# One answer of many: by the mean rank, by the mean share of importance, by the frequency.
#
# B answers to resamplings of one table, p features. r_bf is the rank of feature f in answer b, 1
# the best; features beyond the k that an answer ranks share the mean of the ranks k + 1, ..., p.
# Features that tie are ordered by a place that the caller names.


def merge_by_rank(rankings: Sequence[Ranking], place: np.ndarray) -> Ranking:
    """Ranking by the mean rank: J(f) = p + 1 - (1/B) sum_b r_bf, with the extra `mean_rank` (p,).

    Sums of ranks are whole numbers or halves: no tie is broken by rounding. Linear aggregation of
    Abeel, Helleputte, Van de Peer, Dupont & Saeys 2010, section 2.2.
    """
    total = _doubled_ranks(rankings)
    mean = total / (2 * len(rankings))
    importance = len(total) + 1 - mean
    extras = {"mean_rank": mean}
    return Ranking(
        order_best_first(-total, -place), importance, extras=extras, first=_first(rankings)
    )


def merge_by_weight(rankings: Sequence[Ranking], place: np.ndarray) -> Ranking:
    """Ranking by the mean share of the importance: J(f) = (1/B) sum_b J_bf / sum_g |J_bg|.

    Means that differ by less than 1e-8 of the largest tie, and go by the mean rank, an extra.
    Features of infinite importance share the whole among them.
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
    """Subsets by frequency: of size s, the s features in most of the signatures of that size.

    Equal numbers go by the mean rank, where all answers are rankings. The subsets, the most
    frequent feature first, of two sizes need not be nested; `chosen` is the size to settle on, the
    largest if None. Meinshausen & Buehlmann 2010, section 2.1 (frequencies).
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
                    "without: name a size that it answers with, as an option of the method too if "
                    "it has one"
                )
            times[answer.signature(size)] += 1
        subsets[int(size)] = order_best_first(times, -total, -place)[:size]
    return SearchPath(p, subsets, chosen=chosen)


def _first(rankings: Sequence[Ranking]) -> np.ndarray:
    """The mean (p,) of what the rankings compare by; empty where one compares by nothing."""
    every = [ranking.compared for ranking in rankings if ranking.complete]
    if len(every) < len(rankings) or not all(map(len, every)):
        return np.empty(0)
    mean = np.mean(every, axis=0)
    return np.asarray(tied(mean) if np.isfinite(mean).all() else mean)


def _doubled_ranks(rankings: Sequence[Ranking]) -> np.ndarray:
    """2 sum_b r_bf (p,), whole numbers."""
    total = np.zeros(rankings[0].p, dtype=np.int64)
    for ranking in rankings:
        p, k = ranking.p, len(ranking.order)
        doubled = np.full(p, k + 1 + p, dtype=np.int64)
        doubled[ranking.order] = 2 * np.arange(1, k + 1)
        total += doubled
    return total


def _shares(importance: np.ndarray) -> np.ndarray:
    """Importances (p,) divided by the sum of their magnitudes, which no order of them changes."""
    importance = np.where(np.isnan(importance), 0.0, importance)  # unranked
    endless = np.isinf(importance)
    values = np.where(endless, np.sign(importance), 0.0) if endless.any() else importance
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return np.zeros(len(values))
    values = values / largest  # so that no sum overflows
    return np.asarray(values / math.fsum(np.abs(values)))
