"""A criterion whose value for every subset is written down, and what was asked of it."""

from itertools import combinations

import numpy as np

from hetsel.selection import Problem
from hetsel.tables import Classes, Schema


class Scripted:
    """Values by subset: a mapping of text such as "ab" (features 0 and 1), or a function."""

    def __init__(self, values, rest=0.0, name="scripted"):
        self.values, self.rest, self.name = values, rest, name
        self.asked = []

    def __repr__(self):
        return f"Scripted({self.name})"

    def __call__(self, subset):
        subset = tuple(sorted(subset))
        self.asked.append(subset)
        if callable(self.values):
            return self.values(subset)
        return self.values.get(letters(subset), self.rest)

    def start(self, problem, subset=()):
        return ScriptedState(self, list(subset))


class ScriptedState:
    def __init__(self, criterion, subset):
        self._criterion, self._subset = criterion, subset

    @property
    def subset(self):
        return tuple(self._subset)

    @property
    def value(self):
        return self._criterion(self._subset)

    def values_with(self, candidates):
        assert not set(candidates) & set(self._subset)
        return np.array([self._criterion([*self._subset, f]) for f in candidates])

    def values_without(self, candidates):
        return np.array([self._criterion([g for g in self._subset if g != f]) for f in candidates])

    def add(self, feature):
        assert feature not in self._subset
        self._subset.append(feature)

    def remove(self, feature):
        self._subset.remove(feature)


def letters(subset):
    """Features as letters: (0, 2) is "ac"."""
    return "".join("abcdefghijklmnopqrstuvwxyz"[f] for f in sorted(subset))


def problem_of(p, sizes=(), groups=None, n=8, seed=0):
    """A table that only has the right width."""
    x = np.random.default_rng(p).normal(size=(n, p))
    table = Schema.infer(x).encode(x)
    return Problem(table, Classes.of(np.arange(n) % 2, n), sizes, seed=seed, groups=groups)


def all_subsets(p, size):
    return list(combinations(range(p), size))


def course_of(path):
    """Where the search stood, as letters."""
    at, stood = set(), []
    for move in path.moves:
        at = (at | set(move.added)) - set(move.removed)
        stood.append(letters(at))
    return stood


def subset_at(path, size):
    return letters(path.signature(size))
