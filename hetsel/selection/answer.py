"""Answers of methods: a ranking, or a subset for each size; and the order of ties."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError, is_whole, listed
from hetsel.selection.verdicts_in_words import UNSAID, VERDICTS, by_rank


@dataclass(frozen=True)
class SeededCall:
    """The seed given to another program, such as R's ``set.seed``, and the order of the columns.

    The seed is derived from that of the selector.
    """

    seed: int
    columns: tuple[int, ...]

    def within(self, columns: np.ndarray) -> "SeededCall":
        """Return the same call for these columns (k,) of a larger table."""
        return SeededCall(self.seed, tuple(columns[list(self.columns)].tolist()))


class Answer(ABC):
    """The result of a method: a signature for each known size, and the steps that led to it."""

    steps: "tuple[Step, ...]" = ()
    chosen_params: Mapping[str, Any] = MappingProxyType({})  # those that inner resamplings chose

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """The sizes with a signature, ascending."""

    @abstractmethod
    def signature(self, size: int) -> np.ndarray:
        """Return the indices (size,) of the selected features, best first if they are ordered.

        A size outside 1..p, or without a signature, raises a TableError.
        """

    def score(self, size: int) -> float:
        """Return the criterion of the signature of this size; NaN without a criterion."""
        return float("nan")

    def cut(self, size: int) -> str:
        """Return the verdict on the cut after this signature: "proved", "tie", "open" or empty.

        See :class:`Step`; empty means no claim.
        """
        return UNSAID

    @abstractmethod
    def check(self, p: int) -> None:
        """Refuse an answer that is not valid for a table of p features."""


@dataclass(frozen=True)
class Step:
    """A step of an elimination or a forward selection; NaN where a method has no such number.

    `verdict` states whether the cut between kept and dropped features is that of the exact optimum.
    "proved": exact arithmetic confirms it. "tie": features tie; their content and then their place
    decide. "open": not decided. Empty: the method makes no claim, or it is the last step.
    """

    size: int  # number of features before the step
    features: tuple[int, ...]  # dropped (or added) in this step, best first
    objective: float = float("nan")  # of the model at this step
    gap: float = float("nan")  # relative duality gap of the model
    bound: float = float("nan")  # largest error of an importance relative to the optimum
    verdict: str = ""


@dataclass(frozen=True, eq=False)
class Ranking(Answer):
    """Hold the features in order: the signature of a size is the start of the order.

    Parameters
    ----------
    order : ndarray of int, shape (k,)
        Indices of the features, best first: all p features, or only the best k.
    importance : ndarray of float, shape (p,)
        Importance of each feature, in the order of the columns; larger is better. For methods with
        steps it is the importance at the step that dropped or chose the feature. Then only features
        of one step can be compared, and importances need not fall with the rank. A constant column
        is last, whatever its importance.
    steps : tuple of Step
        The steps that led to the order; empty for a filter.
    extras : mapping of str to ndarray of shape (p,)
        Other numbers for each feature, such as the logarithm of a p-value.
    cuts : tuple of {"proved", "tie", "open", ""}, of length k - 1
        Verdict on the cut after each rank; see :class:`Step`. Empty where the method makes no
        claim.
    always : int
        Number of always included features at the start of the order; no signature is smaller.
    first : ndarray of float, shape (p,), optional
        Importance of each feature before any feature was dropped or chosen, in a unit that does not
        depend on the other features or the labels: from the first model of an elimination, or from
        the first scores of a forward selection. None if it equals the importance; empty if only
        ranks are known.
    seeded : SeededCall, optional
        The call that reproduces importances that another program, such as R, computed.
    rounding : float
        Largest change of a value by binning, as a fraction of the range of its column; the cuts
        hold for the binned table. 0 without binning, or if every distinct value has its own bin.
    sampled : int
        Number of rows of the sample that the method used; 0 if it used all rows.
    chosen_params : mapping of str to value
        Parameters that inner resamplings chose; empty without tuning.

    See Also
    --------
    hetsel.SearchPath : The answer of a search over subsets.

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
    chosen_params: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def from_importance(
        cls,
        importance: np.ndarray,
        steps: tuple[Step, ...] = (),
        extras: Mapping[str, np.ndarray] | None = None,
    ) -> "Ranking":
        """Rank by importance, largest first; ties go to the lower column index."""
        importance = np.asarray(importance, dtype=np.float64)
        return cls(order_best_first(importance), importance, steps, extras or {})

    def within(self, columns: np.ndarray, p: int) -> "Ranking":
        """Extend the ranking to all p features: the others come last, by their place.

        `columns` (k,) has the column of each ranked feature. The others have importance and extras
        0.
        """

        def spread(values: np.ndarray) -> np.ndarray:
            out = np.zeros(p, dtype=values.dtype)
            out[columns] = values
            return out

        others = np.setdiff1d(np.arange(p), columns)
        # features that are not ranked follow by their place: no claim
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
        """Show the order as a table in notebooks; `frame()` of a selector has the names."""
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
        """Statistic (p,) that compares with rankings of other labels; empty if there is none."""
        if self.first is None:
            return np.empty(0) if self.steps else np.asarray(self.importance, dtype=np.float64)
        return np.asarray(self.first, dtype=np.float64)

    @property
    def step_of(self) -> np.ndarray:
        """Number (p,) of the step of each feature, from 1; 0 without a step."""
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
        """The sizes 1, 2, ..., k, from the number of always included features on."""
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
        """Return the indices of the best `size` features, best first."""
        size = check_size(size, self.p)
        if size > len(self.order):
            raise TableError(
                f"size must be in 1..{len(self.order)}, since only the best {len(self.order)} "
                f"features are ranked. Got {size}. Fit with a larger size to rank more"
            )
        if size < self.always:
            raise TableError(
                f"size must be at least {self.always}, the number of always included features. "
                f"Got {size}"
            )
        return self.order[:size]

    def cut(self, size: int) -> str:
        """Return the verdict on the cut after the best `size` features."""
        size = check_size(size, self.p)
        return self.cuts[size - 1] if size <= len(self.cuts) else UNSAID

    def check(self, p: int) -> None:
        """Refuse an order with repeated or unknown features, and wrong importances or cuts."""
        order = np.asarray(self.order)
        whole = order.ndim == 1 and order.dtype.kind in "iu" and 0 < len(order) <= p
        if not whole or len(np.unique(order)) < len(order) or order.min() < 0 or order.max() >= p:
            raise ValueError(f"a ranking must name features of 0..{p - 1}, each once. Got {order}")
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
    """A move of a search over subsets."""

    added: tuple[int, ...]  # added features, ascending
    removed: tuple[int, ...]  # removed features, ascending
    size: int  # number of features after the move
    score: float  # the criterion after the move


@dataclass(frozen=True, eq=False)
class SearchPath(Answer):
    """Hold the best subset of each size that a search over subsets found; they need not be nested.

    Parameters
    ----------
    p : int
        Number of features of the table.
    subsets : mapping of int to ndarray of int
        The best visited subset (size,) of each size.
    scores : mapping of int to float
        The criterion of these subsets; larger is better. These scores are optimistic: the search
        maximized them, and performance on new rows is lower.
    chosen : int, optional
        The size that the search chose; None means the smallest size with the largest score.
    moves : tuple of Move
        The moves of the search.
    evaluated : mapping of tuple of int to float
        The criterion of every evaluated subset, in the order of evaluation.
    equal : mapping of float to ndarray of int
        For each tolerance tau, the subset selected among those treated as equal.
    stopped : str
        The limit that ended the search early ("seconds", "evaluations", "progress"); else empty.
    sampled : int
        Number of rows of the sample that the criterion used (the smallest of an ensemble); 0 if it
        used all rows.
    chosen_params : mapping of str to value
        Parameters that inner resamplings chose; empty without tuning.

    See Also
    --------
    hetsel.Ranking : The answer of a method that ranks.

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
    chosen_params: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def within(self, columns: np.ndarray, p: int) -> "SearchPath":
        """Extend the path to all p features; `columns` (k,) has the column of each feature."""

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
        """Show the subset of each size as a table in notebooks."""
        rows = [(size, self.score(size), str(self.signature(size))) for size in self.sizes]
        return pd.DataFrame(rows, columns=["size", "score", "features"]).to_html(index=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes that the search visited, ascending."""
        return tuple(sorted(self.subsets))

    @property
    def best_size(self) -> int:
        """The chosen size, or the smallest size with the largest score.

        Without scores it is the largest size.
        """
        if self.chosen is not None:
            return self.chosen
        if not self.scores:
            return self.sizes[-1]
        return min(self.scores, key=lambda size: (-self.scores[size], size))

    def signature(self, size: int) -> np.ndarray:
        """Return the indices of the subset of this size."""
        size = check_size(size, self.p)
        if size not in self.subsets:
            known = ", ".join(map(str, self.sizes))
            raise TableError(f"size must be a size that the search visited: {known}. Got {size}")
        return np.asarray(self.subsets[size])

    def score(self, size: int) -> float:
        """Return the criterion of the subset of this size."""
        return float(self.scores.get(size, np.nan))

    def check(self, p: int) -> None:
        """Refuse a subset of a wrong size or with repeated or unknown features."""
        if self.p != p or not self.subsets:
            raise ValueError(f"a search path must hold subsets of {p} features. Got {self}")
        for size, subset in self.subsets.items():
            chosen = np.unique(subset)
            if len(chosen) != size or len(subset) != size or chosen[0] < 0 or chosen[-1] >= p:
                raise ValueError(
                    f"the subset of size {size} must hold {size} features of 0..{p - 1}, each "
                    f"once. Got {np.asarray(subset)}"
                )


def order_best_first(*keys: np.ndarray) -> np.ndarray:
    """Return indices by the first key, largest first, then the next keys, then the index."""
    return np.lexsort([-np.asarray(key, dtype=np.float64) for key in reversed(keys)])


def refuse_unknown(method: str, answer: Answer, names: Sequence[str]) -> None:
    """Refuse a ranking with NaN importances, which have no order."""
    if not isinstance(answer, Ranking):
        return
    ranked = answer.order[answer.always :]  # always included features need no importance
    unknown = ranked[np.isnan(answer.importance[ranked])]
    if len(unknown):
        raise TableError(
            f"{method}: importances must be numbers to rank features. Got NaN for "
            f"{listed(names[j] for j in np.sort(unknown))}. Drop these features, or use another "
            "method"
        )


def check_size(size: object, p: int) -> int:
    """Return the size of a signature, which must be a whole number in 1..p."""
    if not is_whole(size):
        raise TableError(f"size must be a whole number in 1..{p}. Got {size!r}")
    if not 1 <= size <= p:
        raise TableError(f"size must be in 1..{p} (the table has {p} features). Got {size}")
    return int(size)
