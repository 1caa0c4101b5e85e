"""The interface of a search criterion."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from hetsel.ground import whole_number
from hetsel.resampling.row_parts import content_sample, rows_taken
from hetsel.selection import Problem


class State(Protocol):
    """A subset of the features, with its value and those of its neighbors; or m values each."""

    @property
    def subset(self) -> tuple[int, ...]:
        """The features, in the order in which they were added."""

    @property
    def value(self) -> float:
        """Criterion of the subset; larger is better."""

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        """Return the criterion (k,) of the subset with each of these features added."""

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        """Return the criterion (k,) of the subset with each of these features removed."""

    def add(self, feature: int) -> None:
        """Add a feature to the subset."""

    def remove(self, feature: int) -> None:
        """Remove a feature from the subset."""


class SubsetState(ABC):
    """A state that keeps sums over its features and evaluates one candidate after the other."""

    def __init__(self) -> None:
        self._subset: list[int] = []

    @property
    def subset(self) -> tuple[int, ...]:
        return tuple(self._subset)

    @property
    def value(self) -> float:
        return self._changed(None, 1.0)

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        return np.array([self._changed(f, 1.0) for f in candidates])

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        return np.array([self._changed(f, -1.0) for f in candidates])

    def add(self, feature: int) -> None:
        self._update(feature, 1.0)
        self._subset.append(feature)

    def remove(self, feature: int) -> None:
        self._subset.remove(feature)
        self._update(feature, -1.0)

    def extended(self, features: Sequence[int]) -> Self:
        """Add some features and return this state."""
        for feature in features:
            self.add(feature)
        return self

    def _changed(self, feature: int | None, sign: float) -> float:
        """Return the criterion with a feature added (1) or removed (-1); without one, as it is."""
        raise NotImplementedError

    @abstractmethod
    def _update(self, feature: int, sign: float) -> None:
        """Add a feature that is not yet in the subset to the sums, or remove it (-1)."""


class SubsetCriterion(Protocol):
    """A function of subsets; larger is better. `targets` lists the kinds of targets it accepts."""

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> State:
        """Return the state of a subset of the features of the problem."""


@dataclass(frozen=True)
class CriterionEnsemble:
    """Criteria that score the same subsets; on one scale, unless they vote by order."""

    members: tuple[SubsetCriterion, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """Kinds of targets that all members accept."""
        taken = [getattr(member, "targets", ("classes",)) for member in self.members]
        return tuple(kind for kind in taken[0] if all(kind in of for of in taken))

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "EnsembleState":
        return EnsembleState([member.start(problem, subset) for member in self.members])


class EnsembleState:
    """A subset with its value (m,) by each member."""

    def __init__(self, states: Sequence[State]) -> None:
        self._states = states

    @property
    def subset(self) -> tuple[int, ...]:
        return self._states[0].subset

    @property
    def value(self) -> Any:
        return np.concatenate([np.ravel(state.value) for state in self._states])

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        return _stacked([state.values_with(candidates) for state in self._states])

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        return _stacked([state.values_without(candidates) for state in self._states])

    def add(self, feature: int) -> None:
        for state in self._states:
            state.add(feature)

    def remove(self, feature: int) -> None:
        for state in self._states:
            state.remove(feature)


def _stacked(parts: list[np.ndarray]) -> np.ndarray:
    """Return values (k, m) of several criteria, each (k,) or (k, m_i)."""
    return np.concatenate([np.reshape(part, (len(part), -1)) for part in parts], axis=1)


def sampled(problem: Problem, sample: int | None, folds: int = 1) -> Problem:
    """Return the problem with at most `sample` rows (None: all), `folds` or more of each class."""
    if sample is not None:
        sample = whole_number("sample", sample, 2)
    return content_sample(problem, sample, folds)


def rows_seen(criterion: Any, problem: Problem) -> tuple[int, ...]:
    """Return the number of rows that a criterion, or each member of an ensemble, uses."""
    if isinstance(criterion, CriterionEnsemble):
        return sum((rows_seen(member, problem) for member in criterion.members), ())
    sample = getattr(criterion, "sample", None)
    if not isinstance(sample, int):
        return (problem.n,)
    return (sum(rows_taken(problem.target, sample, getattr(criterion, "folds", 1))),)
