"""What a search asks of a criterion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from hetsel.selection.problem import Problem


class State(Protocol):
    """A subset of the features, with its value and the values of its neighbors."""

    @property
    def subset(self) -> tuple[int, ...]:
        """The features, in the order in which they came."""

    @property
    def value(self) -> float:
        """Criterion of the subset; larger is better."""

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        """Criterion (k,) of the subset with each of these features added."""

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        """Criterion (k,) of the subset with each of these features taken away."""

    def add(self, feature: int) -> None:
        """Add a feature to the subset."""

    def remove(self, feature: int) -> None:
        """Take a feature of the subset away."""


class Criterion(Protocol):
    """A function of subsets; larger is better.

    One that takes other targets than classes names the kinds in `targets`.
    """

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> State:
        """The state of a subset of the problem's features."""
