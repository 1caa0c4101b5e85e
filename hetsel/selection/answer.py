"""Answers: a nested ranking, or a subset for each size; and the order of equals."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError, is_whole, listed
from hetsel.selection.verdicts_in_words import UNSAID, VERDICTS, by_rank


@dataclass(frozen=True)
class SeededCall:
    """The seed that another program got, and the columns in the order in which they entered. The
    seed is derived from that of the selector: what R's ``set.seed`` was given, say."""

    seed: int
    columns: tuple[int, ...]

    def within(self, columns: np.ndarray) -> "SeededCall":
        """The same call, its features being these columns (k,) of a larger table."""
        return SeededCall(self.seed, tuple(columns[list(self.columns)].tolist()))


class Answer(ABC):
    """What a method found: a signature for each size that it knows. A study, a report, the shell
    and R ask nothing else, and how it came about where it says so."""

    steps: "tuple[Step, ...]" = ()

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """The sizes that there is a signature for, ascending."""

    @abstractmethod
    def signature(self, size: int) -> np.ndarray:
        """Indices (size,) of the selected features, best first where the answer has an order.

        A size that is no whole number in 1..p, or that the answer does not know, is a TableError.
        """

    def score(self, size: int) -> float:
        """The criterion of the signature of this size; NaN where there is none."""
        return float("nan")

    def cut(self, size: int) -> str:
        """Whether the cut after the signature of this size is proved, a tie or open. Empty where
        nothing is claimed, see :class:`Step`."""
        return UNSAID

    @abstractmethod
    def check(self, p: int) -> None:
        """Refuse an answer that is none for a table of p features."""


@dataclass(frozen=True)
class Step:
    """One step of an elimination or of a forward selection; NaN where a method has no such number.

    `verdict` says whether the cut between what is kept and what is dropped is that of the optimum:
    "proved"; a "tie", broken by content and then by the place of the column; "open", as it was
    found; empty where a method makes no claim, and for the last step, which has no cut.
    """

    size: int  # number of features that the step started with
    features: tuple[int, ...]  # dropped (or added) in this step, best first
    objective: float = float("nan")  # of the model at this step
    gap: float = float("nan")  # relative duality gap of the model
    bound: float = float("nan")  # how far an importance can be from that at the optimum
    verdict: str = ""


@dataclass(frozen=True, eq=False)
class Ranking(Answer):
    """Features in order: the signature of a size is the head of the order.

    Parameters
    ----------
    order : ndarray of int, shape (k,)
        Indices of the features, best first: all p of them, or the best k only.
    importance : ndarray of float, shape (p,)
        Importance of each feature, in the order of the columns; larger is better. Where there are
        steps it is the importance at the step that dropped or chose the feature, and only the
        features of one step compare by it: it does not fall with the rank. A constant
        column comes last whatever its importance.
    steps : tuple of Step
        How the order came about; empty for a filter.
    extras : mapping of str to ndarray of shape (p,)
        What else the method knows of each feature, such as the logarithm of a p-value.
    cuts : tuple of {"proved", "tie", "open", ""}, of length k - 1
        Whether the cut after each rank is that of the optimum of the model that made it, see
        :class:`Step`; empty where the method makes no claim.
    always : int
        How many features at the head are there because they were asked for: no signature is
        smaller.
    first : ndarray of float, shape (p,), optional
        What each feature was given while all of them were there, before any was dropped or chosen,
        in a unit that does not depend on the other features or on the labels: an elimination's
        first model, the scores that a forward selection starts from. None where the importance is
        that; empty where nothing is known but ranks.
    seeded : SeededCall, optional
        What repeats the importances where another program, such as R, computed them.
    rounding : float
        How far binning moved a cell, as a share of the range of its column: the cuts are those of
        the binned table. 0 where every different cell has a bin of its own, or there are no bins.
    sampled : int
        How many rows of the table a sample has by which the method decided; 0 where all did.

    Examples
    --------
    >>> ranking = Ranking.from_importance(np.array([0.2, 0.9, 0.2]))
    >>> ranking.order
    array([1, 0, 2])
    >>> ranking.signature(2)
    array([1, 0])
    """

    order: np.ndarray
    importance: np.ndarray
    steps: tuple[Step, ...] = ()
    extras: Mapping[str, np.ndarray] = field(default_factory=dict)
    cuts: tuple[str, ...] = ()
    always: int = 0
    first: np.ndarray | None = None
    seeded: SeededCall | None = None
    rounding: float = 0.0
    sampled: int = 0

    @classmethod
    def from_importance(
        cls,
        importance: np.ndarray,
        steps: tuple[Step, ...] = (),
        extras: Mapping[str, np.ndarray] | None = None,
    ) -> "Ranking":
        """Ranking by importance, largest first; ties go to the lower column index."""
        importance = np.asarray(importance, dtype=np.float64)
        return cls(order_best_first(importance), importance, steps, extras or {})

    def within(self, columns: np.ndarray, p: int) -> "Ranking":
        """This ranking of some features as one of all p: the others come last, by their place.

        `columns` (k,) says which column of the table each feature is; those not ranked have
        importance and extras 0.
        """

        def spread(values: np.ndarray) -> np.ndarray:
            out = np.zeros(p, dtype=values.dtype)
            out[columns] = values
            return out

        others = np.setdiff1d(np.arange(p), columns)
        # what is not ranked says nothing: its place follows from the columns
        cuts = (*self.cuts, *[UNSAID] * len(others)) if any(self.cuts) else ()
        steps = tuple(
            replace(step, features=tuple(columns[list(step.features)].tolist()))
            for step in self.steps
        )
        return Ranking(
            np.append(columns[self.order], others),
            spread(self.importance),
            steps,
            {name: spread(values) for name, values in self.extras.items()},
            cuts,
            first=self.first if self.first is None or not len(self.first) else spread(self.first),
            seeded=self.seeded and self.seeded.within(columns),
            rounding=self.rounding,
            sampled=self.sampled,
        )

    def _repr_html_(self) -> str:
        """The order as a table for notebooks; a selector's `frame()` has the names."""
        content = {"feature": self.order, "importance": self.importance[self.order]}
        content |= {name: np.asarray(values)[self.order] for name, values in self.extras.items()}
        content |= {"verdict": by_rank(self.cuts)} if any(self.cuts) else {}
        frame = pd.DataFrame(content, index=pd.RangeIndex(1, len(self.order) + 1, name="rank"))
        return frame.to_html(max_rows=60)

    @property
    def p(self) -> int:
        """Number of features."""
        return len(self.importance)

    @property
    def compared(self) -> np.ndarray:
        """What features (p,) are compared by with rankings of other labels; empty if by nothing."""
        if self.first is None:
            return np.empty(0) if self.steps else np.asarray(self.importance, dtype=np.float64)
        return np.asarray(self.first, dtype=np.float64)

    @property
    def step_of(self) -> np.ndarray:
        """Number (p,) of the step that names each feature, from 1; 0 of those that none names."""
        steps = np.zeros(self.p, dtype=np.int64)
        for number, step in enumerate(self.steps, start=1):
            steps[list(step.features)] = number
        return steps

    @property
    def complete(self) -> bool:
        """Whether every feature has a place in the order."""
        return len(self.order) == self.p

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes 1, 2, ..., k, from that of what is always in."""
        return tuple(range(max(1, self.always), len(self.order) + 1))

    @property
    def ranks(self) -> np.ndarray:
        """Rank (p,) of each feature, in the order of the columns.

        1 is best; the features beyond the best k share the rank k + 1.
        """
        ranks = np.full(self.p, len(self.order) + 1, dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        return ranks

    def signature(self, size: int) -> np.ndarray:
        """Indices of the best `size` features, best first."""
        size = check_size(size, self.p)
        if size > len(self.order):
            raise TableError(
                f"size must be in 1..{len(self.order)}: the best {len(self.order)} features are "
                f"ranked, a fit with a larger size ranks more. Got {size}"
            )
        if size < self.always:
            raise TableError(
                f"size must be at least {self.always}, the number of features that are always in. "
                f"Got {size}"
            )
        return self.order[:size]

    def cut(self, size: int) -> str:
        """Whether the cut after the best `size` features is proved, a tie or open."""
        size = check_size(size, self.p)
        return self.cuts[size - 1] if size <= len(self.cuts) else UNSAID

    def check(self, p: int) -> None:
        """Refuse an order that names a feature twice or not at all, importances of others, cuts."""
        order = np.asarray(self.order)
        whole = order.ndim == 1 and order.dtype.kind in "iu" and 0 < len(order) <= p
        if not whole or len(np.unique(order)) < len(order) or order.min() < 0 or order.max() >= p:
            raise ValueError(f"the order must name features of 0..{p - 1}, each once. Got {order}")
        if np.shape(self.importance) != (p,):
            raise ValueError(
                f"a ranking must have one importance for each of the {p} features. "
                f"Got shape {np.shape(self.importance)}"
            )
        if self.cuts and (len(self.cuts) != len(order) - 1 or not {*self.cuts} <= {*VERDICTS}):
            raise ValueError(
                f"a ranking of {len(order)} features must have {len(order) - 1} cuts of "
                f"{', '.join(map(repr, VERDICTS))}, or none. Got {self.cuts}"
            )


@dataclass(frozen=True)
class Move:
    """One move of a search over subsets."""

    added: tuple[int, ...]  # features that came, ascending
    removed: tuple[int, ...]  # features that left, ascending
    size: int  # number of features after the move
    score: float  # the criterion after the move


@dataclass(frozen=True, eq=False)
class SearchPath(Answer):
    """A subset for each size, not nested: what a search over subsets found.

    Parameters
    ----------
    p : int
        Number of features of the table.
    subsets : mapping of int to ndarray of int
        The best subset (size,) of each size that the search stood on.
    scores : mapping of int to float
        The criterion of these subsets; larger is better. It is an inner score: the search looked
        for its largest value, and rows that it has not seen do worse.
    chosen : int, optional
        The size that the search settled on; None takes the smallest one of the largest score.
    moves : tuple of Move
        The course of the search.
    evaluated : mapping of tuple of int to float
        The criterion of every subset that was evaluated, in the order of the evaluations.
    equal : mapping of float to ndarray of int
        For each share tau, the subset selected among those treated as equal.
    stopped : str
        What ended the search before its time ("seconds", "evaluations", "progress"); else empty.
    sampled : int
        How many rows of the table a sample has at which the criterion looked, or the one of its
        members that looked at the fewest; 0 where all looked at all rows.

    Examples
    --------
    >>> path = SearchPath(4, {1: np.array([2]), 2: np.array([0, 3])}, {1: 0.7, 2: 0.9})
    >>> path.best_size, path.signature(2)
    (2, array([0, 3]))
    """

    p: int
    subsets: Mapping[int, np.ndarray]
    scores: Mapping[int, float] = field(default_factory=dict)
    chosen: int | None = None
    moves: tuple[Move, ...] = ()
    evaluated: Mapping[tuple[int, ...], float] = field(default_factory=dict, repr=False)
    equal: Mapping[float, np.ndarray] = field(default_factory=dict)
    stopped: str = ""
    sampled: int = 0

    def within(self, columns: np.ndarray, p: int) -> "SearchPath":
        """This path of some features, of which `columns` (k,) says the columns, as one of all p."""

        def of(features: Any) -> np.ndarray:
            return np.asarray(columns[np.asarray(features, dtype=np.intp)])

        def named(features: Sequence[int]) -> tuple[int, ...]:
            return tuple(np.sort(of(features)).tolist())

        return replace(
            self,
            p=p,
            subsets={size: of(subset) for size, subset in self.subsets.items()},
            moves=tuple(
                Move(named(move.added), named(move.removed), move.size, move.score)
                for move in self.moves
            ),
            evaluated={named(subset): value for subset, value in self.evaluated.items()},
            equal={share: of(subset) for share, subset in self.equal.items()},
        )

    def _repr_html_(self) -> str:
        """The subset of each size as a table for notebooks."""
        rows = [(size, self.score(size), str(self.signature(size))) for size in self.sizes]
        return pd.DataFrame(rows, columns=["size", "score", "features"]).to_html(index=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes that the search visited, ascending."""
        return tuple(sorted(self.subsets))

    @property
    def best_size(self) -> int:
        """The size that the search settled on, or the smallest one of the largest score.

        The largest size where there is no score.
        """
        if self.chosen is not None:
            return self.chosen
        if not self.scores:
            return self.sizes[-1]
        return min(self.scores, key=lambda size: (-self.scores[size], size))

    def signature(self, size: int) -> np.ndarray:
        """Indices of the subset of this size."""
        size = check_size(size, self.p)
        if size not in self.subsets:
            known = ", ".join(map(str, self.sizes))
            raise TableError(f"size must be one that the search came by: {known}. Got {size}")
        return np.asarray(self.subsets[size])

    def score(self, size: int) -> float:
        """The criterion of the subset of this size."""
        return float(self.scores.get(size, np.nan))

    def check(self, p: int) -> None:
        """Refuse a subset that is not of its size, or names a feature twice or not at all."""
        if self.p != p or not self.subsets:
            raise ValueError(f"the path must hold subsets of {p} features. Got {self}")
        for size, subset in self.subsets.items():
            chosen = np.unique(subset)
            if len(chosen) != size or len(subset) != size or chosen[0] < 0 or chosen[-1] >= p:
                raise ValueError(
                    f"the subset of size {size} must hold {size} features of 0..{p - 1}, each "
                    f"once. Got {np.asarray(subset)}"
                )


def order_best_first(*keys: np.ndarray) -> np.ndarray:
    """Indices by the first key, largest first, then the next key; then the lower index."""
    return np.lexsort([-np.asarray(key, dtype=np.float64) for key in reversed(keys)])


def refuse_unknown(method: str, answer: Answer, names: Sequence[str]) -> None:
    """Refuse a ranking of features whose importance is no number: NaN has no place in an order."""
    if not isinstance(answer, Ranking):
        return
    ranked = answer.order[answer.always :]  # what is always in needs no importance
    unknown = ranked[np.isnan(answer.importance[ranked])]
    if len(unknown):
        raise TableError(
            f"{method}: the importance of {listed(names[j] for j in np.sort(unknown))} is no "
            "number (NaN), which is no ranking. Leave these features out, or take another method"
        )


def check_size(size: object, p: int) -> int:
    """The size of a signature, if it is a whole number in 1..p."""
    if not is_whole(size):
        raise TableError(f"size must be a whole number in 1..{p}. Got {size!r}")
    if not 1 <= size <= p:
        raise TableError(f"size must be in 1..{p} (the table has {p} features). Got {size}")
    return int(size)
